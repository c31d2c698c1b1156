#!/usr/bin/env python3
"""One network in several processes: mpirun -np R annelid traffic. Or in several threads: annelid traffic --threads R.

  mpi_test.py --program ANNELID [--only NAME...] [--ranks 2,3,4,8] [--every] [--threads]

result.json must be that of one process, byte for byte, and errors must be said once. Where there is no mpirun or the
program was built without MPI, it says so and exits with 77, by which CTest counts it as skipped. If
ANNELID_REQUIRE_MPI is set, it fails instead.
"""
import argparse
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

SKIPPED = 77
SHORT = ["--warm-up", "50", "--measure", "200"]
# Each differs from the others in what crosses the cut, or in how the routers are stepped. The last dimension, which is
# cut, has 8 nodes or more.
NETWORKS = {
    "mesh": ["--size", "8x8", "--load", "0.3"],
    "mesh-words": ["--size", "16x16", "--load", "0.2"],
    "mesh-uneven": ["--size", "5x11", "--load", "0.3", "--flits", "1:0.5,9:0.5"],
    "line": ["--size", "24", "--load", "0.1"],
    "cube": ["--size", "3x4x8", "--load", "0.3"],
    "last-dimension-of-one": ["--size", "12x1", "--load", "0.1"],
    "link-registers": ["--size", "8x8", "--load", "0.3", "--link-registers", "1"],
    "many-link-registers": ["--size", "8x9", "--load", "0.3", "--link-registers", "4", "--vcs", "3"],
    "two-stages": ["--size", "8x8", "--load", "0.3", "--stages", "2"],
    "three-stages": ["--size", "8x8", "--load", "0.3", "--stages", "3", "--link-registers", "2", "--vcs", "2"],
    "four-stages": ["--size", "8x8", "--load", "0.3", "--stages", "4", "--vcs", "4"],
    "depth-1": ["--size", "8x8", "--load", "0.1", "--depth", "1"],
    "torus": ["--size", "8x8", "--load", "0.3", "--topology", "torus", "--vcs", "2"],
    "torus-3d-pipelined": ["--size", "3x3x8", "--load", "0.2", "--topology", "torus", "--vcs", "4", "--stages", "3",
                           "--link-registers", "1"],
    "torus-plh": ["--size", "4x9", "--load", "0.2", "--topology", "torus", "--vcs", "3", "--set", "router.classes=plh"],
    "one-port": ["--size", "8x8", "--load", "0.1", "--router", "one-port"],
    "one-port-torus": ["--size", "4x8", "--load", "0.05", "--router", "one-port", "--topology", "torus", "--vcs", "2"],
    "two-local-ports": ["--size", "8x8", "--load", "0.2", "--set", "router.local_ports=2"],
    "saturated": ["--size", "8x8", "--load", "0.9", "--vcs", "2"],
    "not-drained": ["--size", "8x8", "--load", "0.9", "--drain", "50"],
    "short-packets": ["--size", "8x8", "--load", "0.9", "--flits", "2", "--link-registers", "1", "--drain", "200"],
    "hotspot": ["--size", "8x8", "--load", "0.2", "--pattern", "hotspot", "--hotspots", "27"],
    "bursty": ["--size", "8x8", "--load", "0.2", "--injection", "bursty", "--burst", "50"],
    "nearly-idle": ["--size", "8x8", "--load", "0.0005"],
    "silent": ["--size", "8x8", "--load", "0"],
    "matrix-arbiters": ["--size", "8x8", "--load", "0.3", "--set", "router.arbiters=matrix"],
    "one-port-3d": ["--size", "2x3x8", "--load", "0.1", "--router", "one-port"],
    "control-vcs": ["--size", "8x8", "--load", "0.3", "--control-vc", "true"],
}
# These run by planes where they can; all run by routers, too.
BY_ROUTERS = ["mesh", "mesh-uneven", "link-registers", "two-stages", "four-stages", "torus", "one-port", "cube",
              "nearly-idle", "depth-1", "many-link-registers"]


class Failed(Exception):
    pass


def expect(what, detail=""):
    if not what:
        raise Failed(detail)


def lives(process):
    """Whether it runs: one that has ended may have nobody who asks for its status."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()[0] not in "ZX"
    except FileNotFoundError:
        return False


class Tests:
    def __init__(self, program, place, ranks, every, threads):
        self.program, self.place, self.ranks, self.every, self.threads = program, place, ranks, every, threads
        self.serial = {}

    def run(self, words, ranks=1, mpi=(), out=None):
        out = ["--out", out] if out else []
        start = []
        if ranks > 1 and self.threads:
            words = [*words, "--threads", str(ranks)]
        elif ranks > 1:
            start = ["mpirun", "--oversubscribe", "--allow-run-as-root", "--bind-to", "none", *mpi, "-np", str(ranks)]
        environment = dict(os.environ, OMPI_MCA_mpi_yield_when_idle="1", OMPI_MCA_plm="isolated",
                           OMPI_MCA_plm_rsh_agent="", OMPI_MCA_btl_base_warn_component_unused="0",
                           ASAN_OPTIONS="detect_leaks=0")  # Open MPI never frees some of its memory
        return subprocess.run([*start, self.program, "traffic", *words, *out], capture_output=True, text=True,
                              cwd=self.place, env=environment, timeout=300)

    def result(self, words, ranks=1, mpi=()):
        out = self.place / "out"
        shutil.rmtree(out, ignore_errors=True)
        run = self.run(words, ranks, mpi, out)
        expect(run.returncode == 0, f"{words} with {ranks} ranks: status {run.returncode}\n{run.stdout}{run.stderr}")
        return (out / "result.json").read_bytes()

    def same(self, words, ranks, mpi=()):
        key = " ".join(words)
        if key not in self.serial:
            self.serial[key] = self.result(words)
        expect(self.result(words, ranks, mpi) == self.serial[key], f"{key}: differs with {ranks} ranks")

    def counts(self, number):
        """The numbers of ranks for the network of this number: all, or each of them in turn."""
        return self.ranks if self.every else [self.ranks[number % len(self.ranks)]]

    def networks(self):
        for number, words in enumerate(NETWORKS.values()):
            for ranks in self.counts(number):
                self.same([*SHORT, *words], ranks)

    def routers(self):
        for number, name in enumerate(BY_ROUTERS):
            for ranks in self.counts(number):
                self.same([*SHORT, *NETWORKS[name], "--kernel", "routers"], ranks)

    def tcp(self):
        for name in ("mesh", "link-registers", "matrix-arbiters"):
            self.same([*SHORT, *NETWORKS[name]], 3, ["--mca", "btl", "tcp,self"])

    def deadlock(self):
        words = ["--size", "4x8", "--topology", "torus", "--vcs", "1", "--set", "router.allow_deadlock=true",
                 "--load", "0.9", "--flits", "20", "--depth", "2", *SHORT,
                 "--drain", "2000"]
        alone = self.run(words, out=self.place / "alone")
        expect(alone.returncode == 1 and "deadlock" in alone.stderr, f"no deadlock: {alone}")
        for ranks in self.counts(0):
            run = self.run(words, ranks, out=self.place / "dead")
            expect(run.returncode == 1, f"status {run.returncode}, expected 1")
            expect(alone.stderr in run.stderr and run.stderr.count("annelid:") == 1, f"{run.stderr}\n\n{alone.stderr}")
            expect(not (self.place / "dead/result.json").exists(), "a result.json of a deadlock")

    def refusals(self):
        for words, text in (
                (["--size", "4x2"], "mpirun -np: found 3, expected 1..2"),
                (["--size", "4x4", "--load", "7x"], "--load"),
                (["--size", "4x4", "--flit-log", "log.txt"], "--flit-log: found several processes"),
                (["--size", "4x4", "--out", "/dev/null/x"], "--out"),
                (["--size", "4x4", "--threads", "2"], "--threads: found 2, expected 1 under mpirun"),
                (["--size", "4x4", "--lode", "1"], "--lode")):
            run = self.run(words, 3)
            expect(run.returncode == 2, f"{words}: status {run.returncode}, expected 2\n{run.stderr}")
            expect(run.stderr.count("annelid:") == 1 and text in run.stderr, f"{words}: {run.stderr}")
        expect(not (self.place / "log.txt").exists(), "a file of a refused run")

    def thread_refusals(self):
        for words, text in (
                (["--size", "4x2", "--threads", "3"],
                 "--threads: found 3, expected 1..2: each thread takes at least one plane across the last dimension"),
                (["--size", "4x4", "--threads", "0"], "--threads: found 0, expected 1..4"),
                (["--size", "4x4", "--threads", "-1"], "--threads: found -1, expected 1..4"),
                (["--size", "4x4", "--topology", "ideal", "--threads", "2"], "the ideal network is one crossbar"),
                (["--size", "4x4", "--threads", "2", "--flit-log", "log.txt"],
                 "--flit-log: found several threads")):
            run = self.run(words)
            expect(run.returncode == 2, f"{words}: status {run.returncode}, expected 2\n{run.stderr}")
            expect(run.stderr.count("annelid:") == 1 and text in run.stderr, f"{words}: {run.stderr}")
        expect(not (self.place / "log.txt").exists(), "a file of a refused run")

    def lost_rank(self):
        out = self.place / "lost"
        words = ["mpirun", "--oversubscribe", "--allow-run-as-root", "--bind-to", "none", "-np", "3", self.program,
                 "traffic", "--size", "16x16", "--load", "0.3", "--measure", "100000000", "--quiet", "--out", out]
        run = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=self.place)
        ranks = []
        for _ in range(100):
            time.sleep(0.1)
            children = Path(f"/proc/{run.pid}/task/{run.pid}/children").read_text().split()
            ranks = [int(child) for child in children
                     if Path(f"/proc/{child}/cmdline").read_bytes().startswith(str(self.program).encode())]
            if len(ranks) == 3:
                break
        time.sleep(1)
        os.kill(ranks[1], signal.SIGKILL)
        _, errors = run.communicate(timeout=60)
        expect(run.returncode != 0, "mpirun ended as if nothing had happened")
        expect(errors.count("noticed that process") == 1, f"the message: {errors}")
        for _ in range(300):  # mpirun ends the others, and does not wait for them
            if not any(lives(rank) for rank in ranks):
                break
            time.sleep(0.1)
        expect(not any(lives(rank) for rank in ranks), "a rank lives on")
        expect(not (out / "result.json").exists(), "half a result")

    def without_mpirun(self):
        libraries = subprocess.run(["ldd", self.program], capture_output=True, text=True).stdout
        expect("libmpi" not in libraries, "the program is linked with MPI")


def skip(why):
    print(f"mpi_test: {why}")
    sys.exit(1 if os.environ.get("ANNELID_REQUIRE_MPI") else SKIPPED)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", required=True, type=Path)
    parser.add_argument("--only", nargs="*")
    parser.add_argument("--ranks", default="2,3,4,8")
    parser.add_argument("--every", action="store_true", help="each network with each number of ranks")
    parser.add_argument("--threads", action="store_true", help="threads in place of processes")
    arguments = parser.parse_args()
    program = arguments.program.resolve()
    if arguments.threads:
        names = ["networks", "routers", "deadlock", "thread_refusals"]
    elif shutil.which("mpirun") is None:
        skip("there is no mpirun (scripts/setup --all)")
    elif not (program.parent.parent / "lib/annelid/annelid-mpi.so").exists():
        skip("the program was built without MPI")
    else:
        names = ["networks", "routers", "tcp", "deadlock", "refusals", "lost_rank", "without_mpirun"]
    failed = False
    with tempfile.TemporaryDirectory() as place:
        tests = Tests(program, Path(place), [int(n) for n in arguments.ranks.split(",")],
                      arguments.every, arguments.threads)
        for name in arguments.only or names:
            begin = time.time()
            try:
                getattr(tests, name)()
                print(f"{name}: passed, {time.time() - begin:.0f} s", flush=True)
            except (Failed, subprocess.TimeoutExpired) as error:
                failed = True
                print(f"{name}: FAILED\n{error}", flush=True)
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
