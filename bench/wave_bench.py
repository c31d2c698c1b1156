#!/usr/bin/env python3
"""What a waveform costs: the same run with and without --wave, by turns.

    bench/wave_bench.py [--runs N] [--limit RATIO] [PROGRAM] [-- OPTIONS of annelid traffic]

Without options: an 8x8 mesh under uniform traffic of load 0.1, all 64 routers traced. Prints the processor time and
the elapsed time of both, least of N runs, and their ratios. With --limit the exit status is 1 if the ratio of the
processor times is above it.
"""

import argparse
import pathlib
import sys
import tempfile

from timed_run import timed_run


def measure(command):
    """Processor time and elapsed time of one run, in seconds."""
    done = timed_run(command)
    done.exit_unless(done.status == 0)
    return done.processor, done.elapsed


def main():
    own, options = sys.argv[1:], ["--size", "8x8", "--load", "0.1"]
    if "--" in own:
        own, options = own[: own.index("--")], own[own.index("--") + 1 :]
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", nargs="?", default="build/release/cli/annelid")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--limit", type=float)
    arguments = parser.parse_args(own)
    with tempfile.TemporaryDirectory() as scratch:
        wave = pathlib.Path(scratch, "w.fst")
        plain = [arguments.program, "traffic", *options, "--quiet", "--out", scratch]
        runs = [(measure(plain), measure([*plain, "--wave", str(wave)])) for _ in range(arguments.runs)]
        size = wave.stat().st_size
    without = [min(times) for times in zip(*(r[0] for r in runs))]
    traced = [min(times) for times in zip(*(r[1] for r in runs))]
    print(f"{'':14} {'without':>9} {'traced':>9} {'ratio':>6}")
    for what, a, b in zip(("processor, s", "elapsed, s"), without, traced):
        print(f"{what:14} {a:9.3f} {b:9.3f} {b / a:6.2f}")
    print(f"waveform: {size / 1e6:.1f} MB")
    if arguments.limit and traced[0] / without[0] > arguments.limit:
        sys.exit(f"wave_bench: ratio {traced[0] / without[0]:.2f}, expected at most {arguments.limit}")


if __name__ == "__main__":
    main()
