#!/usr/bin/env python3
"""Compares the tables of docs/results/tuning.md with the page's own tunings, which it runs (a minute). The fastest
algorithm of each size must be in its table.

  tuning_test.py --program build/release/cli/annelid             exit status 1 and the first differing row
  tuning_test.py --program build/release/cli/annelid --update    writes the tables instead
"""
import argparse
import csv
import itertools
import re
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

PAGE = Path(__file__).resolve().parents[2] / "docs/results/tuning.md"
SIZES = (1 << 10, 16 << 10, 64 << 10, 256 << 10, 1 << 20)


def bandwidths(program):
    """(operation, algorithm): bytes per cycle at SIZES, from the commands of the page."""
    block = re.search(r"```sh\n(.*?)```", PAGE.read_text(), re.S)[1].replace("\\\n", " ")
    found = {}
    for line in block.splitlines():
        with tempfile.TemporaryDirectory() as out:
            command = [program, *shlex.split(line)[1:], "--quiet", "--no-plots", "--out", out]
            subprocess.run(command, check=True)
            for row in csv.DictReader((Path(out) / "tune.csv").open()):
                if int(row["bytes"]) in SIZES:
                    curve = found.setdefault((row["operation"], row["algorithm"]), {})
                    curve[int(row["bytes"])] = float(row["bytes_per_cycle"])
    return found


def fastest(found, operation, size):
    """(operation, algorithm) of the largest bandwidth, one or several."""
    best = max(curve[size] for of, curve in found.items() if of[0] == operation)
    return [of for of, curve in found.items() if of[0] == operation and curve[size] == best]


def row_of(found, operation, algorithm):
    def cell(size):
        value = found[operation, algorithm][size]
        return f"**{value:.2f}**" if (operation, algorithm) in fastest(found, operation, size) else f"{value:.2f}"

    return f"| {' | '.join([algorithm, *map(cell, SIZES)])} |"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True)
    parser.add_argument("--update", action="store_true")
    args = parser.parse_args()
    found = bandwidths(str(Path(args.program).resolve()))
    lines, operation, rows = PAGE.read_text().split("\n"), None, []
    for number, line in enumerate(lines, 1):
        if line.startswith("#"):
            title = re.match(r"### (Broadcast|Reduce|Scan)\b", line)
            operation = title[1].lower() if title else None
        algorithm = line.split("|")[1].strip() if line.startswith("| ") else ""
        if (operation, algorithm) not in found:
            continue
        rows.append((operation, algorithm))
        now = row_of(found, operation, algorithm)
        if args.update:
            lines[number - 1] = now
        elif line != now:
            sys.exit(f"{PAGE.name}:{number}: found '{line}', measured '{now}'")
    for operation, size in itertools.product(dict.fromkeys(operation for operation, _ in found), SIZES):
        best = fastest(found, operation, size)
        if not set(best) & set(rows):
            sys.exit(f"{PAGE.name}: found no row of {' '.join(best[0])}, the fastest at {size} bytes")
    if args.update:
        PAGE.write_text("\n".join(lines))
    print(f"{PAGE.name}: {len(rows)} rows")


if __name__ == "__main__":
    main()
