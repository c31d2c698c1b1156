#!/usr/bin/env python3
"""Draws networks and what goes on in them, runs each with several engines, and compares every byte of every output.

  testbench/differential/differential.py                      1,000 pairs with build/release/cli/annelid
  testbench/differential/differential.py --pairs 20000 --seed 7
  testbench/differential/differential.py --seed 7 --first 312 --cases 1
                                                              case 312 alone
  testbench/differential/differential.py --engines threads --long
                                                              these engines alone, in runs of some ten thousand cycles

Engines are routers by themselves and in planes (of each kind of processor that this machine has), with and without
observers, threads, MPI processes and Verilated routers where the program has them, and for collectives the cycles that
repeat themselves against cycle after cycle. A case has a reference; a pair is another run that is compared with it. Two
runs that write the same files must write the same bytes, say the same and end with the same status. All runs of a case
must agree on result.json, but for the kernel that it names.

Prints how many pairs of each engine were equal. Exit status: 0 all were; 1 a pair differs, and its commands are printed
with the first difference, or an engine was hardly tried; 2 bad use.
"""
import argparse
import collections
import concurrent.futures
import itertools
import os
import random
import re
import shlex
import shutil
import sys
import tempfile
import threading
import time
from pathlib import Path

import draw
import engines
import outputs

PROJECT = Path(__file__).resolve().parents[2]
SAID = 1000        # every so many pairs it says how far it is
ENOUGH = 1500      # so many pairs must have tried every engine
FAILURES = rb"deadlock: |cycle limit: |FAILED|annelid: [^\n]*(?:cycle|limit)"
COMPARED = ["exit status", outputs.RESULT]  # of runs that do not record the same


class Difference(Exception):
    pass


class Tests:
    def __init__(self, program, machine, wanted, long, seconds):
        self.program, self.machine, self.wanted, self.long, self.seconds = program, machine, wanted, long, seconds

    def outputs(self, engine, case, folder):
        """Those of a run, whose files are in a new folder afterwards. Some files name the folder in which a run wrote
        them, so all runs of a case write in the same one."""
        place = folder.parent / "run"
        place.mkdir()
        for name, text in case.files.items():
            (place / name).write_text(text)
        found = outputs.run(engine.command(self.program, case), place, self.seconds)
        place.rename(folder)
        if engine.ranks > 1:  # mpirun has its own words about a failure
            said = found["standard error"].split(b"\n---", 1)[0].split(b"\nPrimary job", 1)[0].strip(b"-\n")
            found["standard error"] = said + b"\n" if said else b""
            found["standard output"] = re.sub(rb"\x1b\[\d*m|\r", b"", found["standard output"])  # it has a terminal
        for name in engine.own:
            found.pop(name, None)
        return found

    def check_end(self, where, found):
        """A run ends well, or in a way that the case explains."""
        status, said = found["exit status"], found["standard error"]
        known = status in (b"0", b"2") or (status == b"1" and re.search(FAILURES, said + found["standard output"]))
        if not known or b"Sanitizer" in said or b"runtime error" in said:
            raise Difference(f"{where}\nended with status {status.decode()}:\n{said.decode(errors='replace')[-3000:]}")

    def case(self, seed, number):
        """Runs a case. Returns its kind, its pairs by engine, the cycles that they compared, and its exit status."""
        rng = random.Random(f"{seed}/{number}")
        case = draw.case(rng, self.long, self.machine)
        if case.command[0] == "run" and not case.recordings:
            case.recordings = ["--flit-log", "flits.log"]
        tried = [*([engines.observed(case)] if case.recordings else []), *engines.others(case, rng, self.machine)]
        tried = [engine for engine in tried if not self.wanted or any(word in engine.name for word in self.wanted)]
        if not tried:
            return case.kind, [], 0, b"0"
        folder = Path(tempfile.mkdtemp(prefix="annelid-differential-"))
        try:
            found = self.pairs(case, tried, folder)
        except Difference as difference:
            raise Difference(f"case {number} of seed {seed}: {difference}\nThe files are in {folder}.") from None
        shutil.rmtree(folder)
        return case.kind, *found

    def pairs(self, case, tried, folder):
        def place(engine, number):
            return f"cd {folder / str(number)} && {shlex.join(engine.command(self.program, case))}"
        plain = engines.reference(case)
        first = self.outputs(plain, case, folder / "0")
        self.check_end(place(plain, 0), first)
        by_recording = {False: (plain, 0, first)}
        if any(engine.records for engine in tried) and not any(e.name == engines.observed(case).name for e in tried):
            tried = [engines.observed(case), *tried]
        equal, cycles = [], 0
        for number, engine in enumerate(tried, 1):
            other = self.outputs(engine, case, folder / str(number))
            if other["exit status"] == b"2" and b"planes are for" in other["standard error"]:
                continue
            self.check_end(place(engine, number), other)
            for like, names in ((by_recording.get(engine.records), None), (by_recording[False], COMPARED)):
                if like is None or (names is None and engine.says_more()):
                    continue
                one, its_number, its_outputs = like
                difference = outputs.first_difference(its_outputs, other, names, (*outputs.HOW, *engine.differs))
                if difference:
                    raise Difference(f"{engine.name} differs\n{place(one, its_number)}\n{place(engine, number)}\n"
                                     f"{difference}")
            by_recording.setdefault(engine.records, (engine, number, other))
            if first["exit status"] != b"2":
                equal.append(engine.name)
                ran = re.search(rb'(?m)^ "(?:cycles|finished)": (\d+)', first.get(outputs.RESULT, b""))
                cycles += int(ran[1]) if ran else 0
        return equal, cycles, first["exit status"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", type=Path, default=PROJECT / "build/release/cli/annelid", metavar="ANNELID")
    parser.add_argument("--pairs", type=int, default=1000, metavar="N", help="ends after N pairs (1000)")
    parser.add_argument("--cases", type=int, metavar="N", help="ends after N cases instead")
    parser.add_argument("--seed", default="1", help="another seed draws other cases (1)")
    parser.add_argument("--first", type=int, default=0, metavar="N", help="number of the first case (0)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), metavar="N", help="cases at a time (one per core)")
    parser.add_argument("--engines", default="", metavar="WORDS", help="those alone whose names contain one of the words")
    parser.add_argument("--long", action="store_true", help="some ten thousand cycles in place of some hundred, without MPI")
    parser.add_argument("--no-mpi", action="store_true", help="without MPI processes")
    parser.add_argument("--all", action="store_true", help="goes on after a difference")
    parser.add_argument("--timeout", type=int, default=1200, metavar="S", help="seconds after which a run hangs (1200)")
    options = parser.parse_args()
    program = options.program.resolve()
    if not program.is_file():
        parser.error(f"--program: found no file {options.program}, expected the program annelid")
    machine = engines.Machine(program, not options.no_mpi and not options.long)
    wanted = [word for word in options.engines.split(",") if word]
    if wanted and not any(word in name for word in wanted for name in machine.names()):
        parser.error(f'--engines: found "{options.engines}", expected parts of {", ".join(machine.names())}')
    tests = Tests(program, machine, wanted, options.long, options.timeout)

    began, lock = time.monotonic(), threading.Lock()
    pairs, kinds, ends = collections.Counter(), collections.Counter(), collections.Counter()
    cycles = differences = 0
    interrupted = False
    numbers = itertools.count(options.first)
    if options.cases is not None:
        numbers = iter(range(options.first, options.first + options.cases))

    def enough():
        return interrupted or options.cases is None and sum(pairs.values()) >= options.pairs or (differences > 0 and not options.all)

    def work():
        nonlocal cycles, differences
        while True:
            with lock:
                number = None if enough() else next(numbers, None)
            if number is None:
                return
            try:
                kind, equal, compared, end = tests.case(options.seed, number)
            except Difference as difference:
                with lock:
                    differences += 1
                    if differences == 1 or options.all:
                        print(difference, flush=True)
                continue
            with lock:
                before = sum(pairs.values())
                pairs.update(equal)
                if (before + len(equal)) // SAID > before // SAID:
                    print(f"{before + len(equal)} pairs are equal", flush=True)
                kinds[kind] += len(equal)
                ends[end.decode()] += 1
                cycles += compared

    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        workers = [pool.submit(work) for _ in range(options.jobs)]
        try:
            for worker in workers:
                worker.result()
        except KeyboardInterrupt:  # it ends after the cases under way
            interrupted = True

    total, cases = sum(pairs.values()), sum(ends.values())
    print(f"{total} pairs of {cases} cases, {cycles} cycles, {time.monotonic() - began:.0f} s; {differences} differ")
    print("  " + ", ".join(f"{kinds[kind]} pairs of {kind}" for kind in sorted(kinds)))
    print(f"  cases that ended well {ends['0']}, failed alike {ends['1']}, were refused alike {ends['2']}")
    for name in machine.names():
        print(f"  {pairs[name]:7} {name}")
    if total == 0 and differences == 0:
        print("differential: nothing was compared")
        return 1
    missing = [name for name in machine.names() if pairs[name] == 0 and (not wanted or any(w in name for w in wanted))]
    if differences == 0 and total >= ENOUGH and (missing or ends["2"] > cases // 3):
        print(f"differential: too little was tried: no pair of {', '.join(missing) or 'them'}, "
              f"{ends['2']} of {cases} cases refused")
        return 1
    return 1 if differences or interrupted else 0


if __name__ == "__main__":
    sys.exit(main())
