#!/usr/bin/env python3
"""Synthesizes the routers of docs/results/cost.md again, and compares the tables with what comes out.

  cost_test.py --program ANNELID                  compares every row; about half an hour on two cores
  cost_test.py --program ANNELID --row "3 stages" only rows whose text contains this
  cost_test.py --program ANNELID --update         writes the rows again

A row's column `options` holds the arguments of `annelid cost`. Results that the program has kept are used again.
Exit status: 0 all rows agree, or were written; 1 a row differs, or a router cannot be synthesized; 2 bad use.
"""
import argparse
import concurrent.futures
import json
import os
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

PAGE = Path(__file__).resolve().parents[2] / "docs/results/cost.md"


def cell_of(column, result):
    """What a column of a table shows of a result, None if the column describes the router."""
    asic, fpga = result["asic"], result.get("fpga", {})
    path = asic["critical_path"]
    return {
        "area, um²": lambda: f"{asic['area_um2']:,.0f}",
        "NAND2": lambda: f"{asic['nand2_equivalents']:,.0f}",
        "period, ns": lambda: f"{asic['period_ns']:.2f}",
        "hop, ns": lambda: f"{asic['hop_ns']:.2f}",
        "critical": lambda: path["stage"] + (", channel" if path["crosses_channel"] else ""),
        "LUTs": lambda: f"{fpga['luts']:,}",
        "flip-flops": lambda: f"{(fpga or asic)['flip_flops']:,}",
        "MHz": lambda: f"{(fpga or asic)['clock_mhz']:.1f}",
    }.get(column, lambda: None)()


class Row:
    """A line of a table whose column `options` says what to run."""

    def __init__(self, number, columns, cells):
        self.number, self.columns, self.cells = number, columns, cells
        options = cells[columns.index("options")].strip("`")
        self.options = [] if options == "none" else shlex.split(options)

    def measure(self, program):
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "cost.json"
            done = subprocess.run([program, "cost", "--quiet", "--json", file, *self.options], capture_output=True,
                                  text=True, check=False)
            if done.returncode != 0:
                sys.exit(f"{PAGE}:{self.number}: annelid cost {shlex.join(self.options)}: {done.stderr.strip()}")
            result = json.loads(file.read_text())
        return [shown if (found := cell_of(column, result)) is None else found
                for column, shown in zip(self.columns, self.cells)]


def rows_of(lines):
    columns = []
    for number, line in enumerate(lines, 1):
        cells = [cell.strip() for cell in line.strip("|").split("|")] if line.startswith("|") else []
        if not cells:
            columns = []
        elif not columns:
            columns = cells
        elif "options" in columns and not cells[0].startswith("---"):
            yield Row(number, columns, cells)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True)
    parser.add_argument("--row", default="")
    parser.add_argument("--update", action="store_true")
    options = parser.parse_args()
    lines = PAGE.read_text().split("\n")
    rows = [row for row in rows_of(lines) if options.row in lines[row.number - 1]]
    if not rows:
        parser.error(f"found no row with \"{options.row}\" in {PAGE}")
    different = 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for row, cells in zip(rows, pool.map(lambda row: row.measure(options.program), rows)):
            if cells == row.cells:
                continue
            different += 1
            lines[row.number - 1] = f"| {' | '.join(cells)} |"
            print(f"{PAGE}:{row.number}: {row.cells[0]}")
            for column, shown, found in zip(row.columns, row.cells, cells):
                if shown != found:
                    print(f"  {column}: the page says {shown}, found {found}")
    if options.update:
        PAGE.write_text("\n".join(lines))
        return 0
    print(f"{len(rows)} routers, {different} differ")
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
