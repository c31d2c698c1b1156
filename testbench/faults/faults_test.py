#!/usr/bin/env python3
"""The n-th write, open, rename, mmap or allocation of a command fails: is the exit status right, is no file left that is
not complete, and does the same command, called again, come to the same result as one that nothing disturbed?

  faults_test.py PROGRAM LIBRARY [--most N] [--command NAME] [--kind KIND]

LIBRARY is that of fail_nth.c. N numbers of each kind are tried for each command, evenly spread. Without --most all are
tried, and 2,000 in a command of many simulations.
"""
import argparse
import filecmp
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

RUN = "--operation broadcast --size 2x2 --bytes 16 --firmware native --out out"
COMMANDS = {
    "run": f"run {RUN} --flit-log out/flits.log --timeline out/page.html --wave out/wave.fst",
    "rv32": "run --operation barrier --size 2x1 --out out",
    "traffic": "traffic --size 2x2 --warm-up 0 --measure 30 --out out --packets out/packets.csv",
    "sweep": "sweep --size 2x2 --warm-up 0 --measure 30 --sweep traffic.load=0.1,0.2 --jobs 1 --no-plots --out out",
    "tune": "tune --operation broadcast --algorithm edn,recursive-doubling --size 4x4 --bytes 8,64 --firmware native "
            "--jobs 1 --no-plots --out out",
    "reproduce": "reproduce intercom-fig1 --jobs 1 --no-plots --out out",
    "reproduce-many": "reproduce fig4.14 --sources 1 --jobs 1 --no-plots --out out",
}
# Many simulations make the same allocations again and again.
MOST = {"reproduce-many": 2000}
KINDS = ["write", "open", "rename", "mmap", "alloc"]
# They grow row by row: a complete file of fewer rows is a complete file.
TABLES = {"sweep.csv", "tune.csv"}
STORES = {"measurements.json"}


class Faults:
    def __init__(self, program, library):
        self.program, self.library = program, library
        self.wrong, self.tried, self.survived = [], 0, 0
        # Always the same folder: save files name it.
        self.scratch = tempfile.TemporaryDirectory()
        self.place, self.expected = Path(self.scratch.name, "place"), Path(self.scratch.name, "expected")
        self.continued = set()  # from what files a command was called again

    def prepare(self):
        shutil.rmtree(self.place, ignore_errors=True)
        self.place.mkdir()

    def call(self, command, fault=None, count=None):
        environment = dict(os.environ, LD_PRELOAD=self.library, TMPDIR=str(self.place))
        environment["ANNELID_FAULT"] = fault or "none:0"
        if count:
            environment["ANNELID_FAULT_COUNT"] = str(count)
        return subprocess.run([self.program, *COMMANDS[command].split()], cwd=self.place, env=environment, text=True,
                              capture_output=True, stdin=subprocess.DEVNULL, timeout=300, errors="replace")

    def clean(self, command):
        ended = self.call(command)
        if ended.returncode != 0:
            sys.exit(f"{command}: exit status {ended.returncode} without a fault\n{ended.stderr}")

    def count(self, command, kind):
        file = Path(self.scratch.name, "count")
        self.prepare()
        self.call(command, f"{kind}:0", file)
        return int(file.read_text())

    def expect(self, command):
        self.prepare()
        self.clean(command)
        shutil.rmtree(self.expected, ignore_errors=True)
        self.place.rename(self.expected)

    def complain(self, command, fault, what):
        self.wrong.append(f"{command}, {fault}: {what}")
        print(self.wrong[-1], flush=True)

    def try_one(self, command, kind, number):
        fault = f"{kind}:{number}"
        self.prepare()
        ended = self.call(command, fault)
        self.tried += 1
        self.survived += ended.returncode == 0
        self.judge_status(command, fault, ended)
        for file in sorted(self.place.rglob("*")):
            self.judge_file(command, fault, file, self.expected / file.relative_to(self.place))
        if ended.returncode == 0:
            self.compare(command, fault, "it ended with 0, but")
        # From the same files the same command does the same, so it is called again once for each state of the folder.
        left = command, self.state()
        if left in self.continued:
            return
        self.continued.add(left)
        self.clean(command)
        self.compare(command, fault, "called again,")

    def state(self):
        return tuple((str(f.relative_to(self.place)), f.read_bytes() if f.is_file() else None)
                     for f in sorted(self.place.rglob("*")))

    def judge_status(self, command, fault, ended):
        if ended.returncode not in (0, 1, 2):
            self.complain(command, fault, f"exit status {ended.returncode}: {ended.stderr.strip()[-300:]}")
        # The message itself may be what cannot be written.
        elif ended.returncode != 0 and not ended.stderr.startswith("annelid: ") and not fault.startswith("write"):
            self.complain(command, fault, f"exit status {ended.returncode} without a message: {ended.stderr[-300:]!r}")

    def judge_file(self, command, fault, file, expected):
        if file.is_dir():
            return
        if not expected.exists():
            return self.complain(command, fault, f"it left {file.name}")
        if file.name in STORES or filecmp.cmp(file, expected, shallow=False):
            return
        rows = set(expected.read_bytes().splitlines())
        if file.name not in TABLES or not set(file.read_bytes().splitlines()) <= rows:
            self.complain(command, fault, f"{file.name} is not complete")

    def compare(self, command, fault, when):
        both = self.place, self.expected
        for name in sorted({str(f.relative_to(p)) for p in both for f in p.rglob("*") if f.is_file()}):
            a, b = self.place / name, self.expected / name
            if not (a.exists() and b.exists() and filecmp.cmp(a, b, shallow=False)):
                self.complain(command, fault, f"{when} {name} differs")


def spread(count, most):
    """The first ones, the last, and others between, evenly."""
    if most is None or count <= most:
        return range(1, count + 1)
    return sorted({1 + i * (count - 1) // (most - 1) for i in range(most)})


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("library")
    parser.add_argument("--most", type=int)
    parser.add_argument("--command", choices=COMMANDS)
    parser.add_argument("--kind", choices=KINDS)
    a = parser.parse_args()
    faults = Faults(os.path.abspath(a.program), os.path.abspath(a.library))
    for command in [a.command] if a.command else COMMANDS:
        faults.expect(command)
        for kind in [a.kind] if a.kind else KINDS:
            count = faults.count(command, kind)
            numbers = spread(count, a.most or MOST.get(command))
            print(f"{command}: {len(numbers)} of {count} calls of {kind}", flush=True)
            for number in numbers:
                faults.try_one(command, kind, number)
    print(f"{faults.tried} faults, {faults.survived} of them without an effect, {len(faults.wrong)} wrong")
    sys.exit(1 if faults.wrong or faults.tried == faults.survived else 0)


if __name__ == "__main__":
    main()
