#!/usr/bin/env python3
"""Holds the loads of the router designer's tutorial to long runs with other seeds.

The page prints between which loads each of its routers saturates. A network must carry the first of them, and not the
second, in windows that are longer than those of the page's sweep: every source is served, or some source is not. (Over
so many cycles that decides. The criterion `latency` may still fail by chance.) The page's own table of throughput must
follow from the figures that are printed above it.

  saturation_test.py --program ANNELID           a window of 100,000 cycles for each load; a few seconds
  saturation_test.py --program ANNELID --long    three windows of 1,000,000 cycles; minutes

Exit status: 0 if everything agrees; 1 and the first difference; 2 bad use.
"""
import argparse
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

PAGE = Path(__file__).resolve().parents[2] / "docs/tutorials/router-designer.md"
CURVE = re.compile(
    r"^  router\.vcs=(?P<vcs>\d) router\.stages=(?P<stages>\d) +(?P<zero>[\d.]+)"
    r" +(?P<held>[\d.]+) and (?P<saturated>[\d.]+) +(?P<served>[\d.]+) +[\d.]+"
    r"(?:  \d+ um2, (?P<period>[\d.]+) ns a cycle, zero load (?P<ns>[\d.]+) ns)?$", re.M)
ROW = re.compile(r"^\| (?P<vcs>\d) \| (?P<stages>\d) \| (?P<rate>\d+) \| (?P<ns>[\d.]+) \| [\d.]+ \|$", re.M)
SECOND_SEED = 1001  # neither that of the page nor that of its repeats


def fail(text):
    sys.exit(f"{PAGE.name}: {text}")


def router(match):
    return f"{match['vcs']} VCs, {match['stages']} stages"


def measure(program, curve, load, cycles, seed):
    with tempfile.TemporaryDirectory() as out:
        command = [program, "traffic", "--quiet", "--size", "8x8", "--vcs", curve["vcs"], "--stages", curve["stages"],
                   "--load", load, "--warm-up", "20000", "--measure", str(cycles),
                   "--seed", str(seed), "--out", out]
        subprocess.run(command, check=True)
        result = json.loads((Path(out) / "result.json").read_text())
        return result["throughput"]["accepted"], [source["node"] for source in result["saturation"]["short_sources"]]


def check_loads(program, curve, cycles, seed):
    """Of a router: the network carries the load that the page says, and not the next one."""
    window = f"in {cycles} cycles with seed {seed}"
    rate, short = measure(program, curve, curve["held"], cycles, seed)
    if short:
        fail(f"{router(curve)}: load {curve['held']} {window}: found {len(short)} sources that are not served, "
             f"expected none")
    expected = float(curve["served"])
    if abs(rate - expected) > 0.01 * expected:
        fail(f"{router(curve)}: load {curve['held']} {window}: found that {rate:.4f} is served, expected {expected}")
    _, short = measure(program, curve, curve["saturated"], cycles, seed)
    if not short:
        fail(f"{router(curve)}: load {curve['saturated']} {window}: found that every source is served, expected that "
             f"the load saturates the network")


def check_table(costs, rows):
    """The table of section 6 divides what section 5 prints."""
    for curve, row in zip(costs, rows):
        if router(row) != router(curve):
            fail(f"the table: found {router(row)}, expected {router(curve)}")
        rate = f"{float(curve['served']) / float(curve['period']) * 1000:.0f}"
        for what, found, expected in (("flits per node and us", row["rate"], rate),
                                      ("latency in ns", row["ns"], curve["ns"])):
            if found != expected:
                fail(f"the table: {router(row)}: {what}: found {found}, expected {expected}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True)
    parser.add_argument("--long", action="store_true")
    args = parser.parse_args()
    text = PAGE.read_text()
    curves = list(CURVE.finditer(text))
    costs = [c for c in curves if c["period"]]
    curves = [c for c in curves if not c["period"]]
    rows = list(ROW.finditer(text))
    if not len(curves) == len(costs) == len(rows) == 4:
        fail(f"found {len(curves)} curves, {len(costs)} with costs and {len(rows)} rows, expected 4 of each")
    for curve, cost in zip(curves, costs):
        for figure in ("vcs", "stages", "zero", "held", "saturated", "served"):
            if curve[figure] != cost[figure]:
                fail(f"{router(curve)}: found {cost[figure]} in section 5, expected {curve[figure]}")
    check_table(costs, rows)
    program = str(Path(args.program).resolve())
    for curve in curves:
        for seed in range(SECOND_SEED, SECOND_SEED + (3 if args.long else 1)):
            check_loads(program, curve, 1_000_000 if args.long else 100_000, seed)
    print(f"{PAGE.name}: {len(curves)} routers")


if __name__ == "__main__":
    main()
