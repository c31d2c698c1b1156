#!/usr/bin/env python3
"""One network in several processes: mpirun -np R annelid traffic, and annelid run. Or in several threads: annelid
traffic --threads R.

  mpi_test.py --program ANNELID [--only NAME...] [--ranks 2,3,4,8] [--every] [--threads] [--rtl]

All files must be those of one process, byte for byte, and errors must be said once. Where there is no mpirun or the
program was built without MPI, it says so and exits with 77, by which CTest counts it as skipped. If
ANNELID_REQUIRE_MPI is set, it fails instead.
"""
import argparse
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

SKIPPED = 77
PROJECT = Path(__file__).resolve().parents[2]
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
# With all files of a run: by routers, or as the words say. The first ones always, the others with --every.
RECORDED = {
    "mesh-uneven": ["--wave-trigger", "blocked:5", "--wave-nodes", "3,20,54"],
    "torus": ["--wave-nodes", "all"],
    "three-stages": ["--kernel", "planes"],
    "one-port": ["--wave-window", "60:150"],
    "four-stages": ["--link-registers", "2", "--wave-trigger", "tag:3"],
    "nearly-idle": [],
    "short-packets": ["--kernel", "planes"],
    "mesh": [],
    "two-stages": [],
    "torus-3d-pipelined": [],
    "many-link-registers": [],
    "silent": [],
}
ALWAYS_RECORDED = 7
# These routers are in rtl/configurations.txt, and always Verilated.
RTL = {
    "all": ["--size", "4x8", "--load", "0.2", "--rtl", "all"],
    "some": ["--size", "4x8", "--load", "0.2", "--rtl", "4,5,8,11,15,31"],
    "registers": ["--size", "3x8", "--load", "0.05", "--depth", "2", "--stages", "2", "--set", "router.local_ports=2",
                  "--set", "router.arbiters=matrix", "--vcs", "2", "--set", "router.local_vcs=2", "--topology", "torus",
                  "--link-registers", "1", "--rtl", "0,1,6,7,9,22"],
}
DEADLOCK = ["--size", "4x8", "--topology", "torus", "--vcs", "1", "--set", "router.allow_deadlock=true", "--load", "0.9",
            "--flits", "20", "--depth", "2", *SHORT, "--drain", "2000"]
RECORDINGS = ["--flit-log", "flits.log", "--timeline", "timeline.html", "--packets", "packets.csv", "--wave", "wave.fst"]


# Traces: columns and rows of the network, and by how many messages a message may come after those that it waits for.
TRACES = {
    "trace": (4, 8, 60, []),
    "trace-files": (4, 8, 60, ["--kernel", "routers", *RECORDINGS, "--wave-nodes", "0,13,31"]),
    "trace-planes": (3, 9, 20, ["--kernel", "planes", "--stages", "3", "--link-registers", "2", *RECORDINGS]),
    "trace-chain": (2, 8, 3, ["--link-registers", "4", "--topology", "torus", "--vcs", "2"]),
    "trace-one-port": (1, 16, 8, ["--router", "one-port"]),
}
OFTEN_TRACED = ["trace", "trace-files", "trace-planes"]

NATIVE = ["--firmware", "native"]
WAVE = ["--wave", "run.fst"]
# Collectives: operations, firmware, and what NICs and routers do. Each value of the router keys once, on small networks.
RUNS = {
    "native": ["--operation", "scatter", "--size", "4x8", "--bytes", "64", *NATIVE],
    "rv32": ["--operation", "broadcast", "--size", "2x8", "--bytes", "40", "--flit-log", "run.log", "--timeline",
             "run.html", *WAVE, "--wave-nodes", "all", "--trace", "run.txt", "--trace-node", "3,14", "--profile"],
    "line": ["--operation", "all-gather", "--size", "9", "--bytes", "12"],
    "cube": ["--operation", "reduce", "--operator", "sum", "--type", "float32", "--size", "2x2x8", "--bytes", "40",
             "--root", "1,0,5"],
    "unaligned": ["--operation", "broadcast", "--size", "3x9", "--bytes", "301", "--root", "2,7", *NATIVE],
    "empty": ["--operation", "broadcast", "--size", "2x8", "--bytes", "0"],
    "rendezvous": ["--operation", "all-to-all", "--size", "2x8", "--bytes", "20", "--eager-bytes", "0", *NATIVE],
    "eager": ["--operation", "all-to-all", "--size", "2x8", "--bytes", "80", "--eager-bytes", "4096", *NATIVE],
    "to-themselves": ["--operation", "transpose", "--size", "8x8", "--bytes", "40", *NATIVE],
    "scan": ["--operation", "scan", "--operator", "affine", "--size", "3x8", "--ranks", "19", "--bytes", "80", *NATIVE],
    "ring": ["--operation", "all-reduce", "--operator", "max", "--algorithm", "ring", "--size", "2x8", "--bytes", "128",
             *NATIVE],
    "barrier": ["--operation", "barrier", "--size", "2x8", "--skew", "400", *WAVE, "--wave-window", "500:1500",
                "--wave-nodes", "all"],
    "shift": ["--operation", "shift", "--steps", "-3", "--size", "2x8", "--bytes", "16", "--mode", "barrier", "--skew", "90"],
    "develop": ["--operation", "gather", "--size", "2x8", "--bytes", "24", "--develop", "true", "--skew", "60", *NATIVE],
    "counts": ["--operation", "all-gather", "--algorithm", "intercom", "--size", "3x8", "--counts", "random:0..90",
               *NATIVE],
    "auto": ["--operation", "reduce-scatter", "--algorithm", "auto", "--size", "4x8", "--bytes", "16", *NATIVE],
    "triggers": ["--operation", "broadcast", "--algorithm", "edn", "--size", "8x8", "--bytes", "64", "--triggers", "true",
                 *NATIVE],
    "packets": ["--operation", "broadcast", "--algorithm", "two-tree", "--size", "3x9", "--bytes", "2000", "--packets",
                "7", *NATIVE],
    "times": ["--operation", "broadcast", "--size", "2x8", "--bytes", "64", "--alpha", "700", "--gamma", "1500"],
    "group": ["--operation", "all-gather", "--size", "2x8", "--group", "each column", "--bytes", "24"],
    "calls": ["{project}/scenarios/rows-and-columns-8x8.toml", *NATIVE, *WAVE, "--wave-trigger", "tag:3", "--wave-nodes",
              "7,8,50,63"],
    "calls-rv32": ["{project}/scenarios/rows-and-columns-8x8.toml", "--size", "2x8", "--bytes", "64", "--skew", "70"],
    "torus": ["--operation", "all-gather", "--size", "3x8", "--topology", "torus", "--bytes", "64", *NATIVE],
    "torus-plh": ["--operation", "all-to-all", "--size", "2x8", "--topology", "torus", "--classes", "plh", "--bytes",
                  "64", *NATIVE],
    "one-port": ["--operation", "broadcast", "--size", "2x8", "--router", "one-port", "--bytes", "64"],
    "one-port-torus": ["--operation", "all-reduce", "--size", "3x8", "--router", "one-port", "--topology", "torus",
                       "--bytes", "64", *NATIVE, *WAVE, "--wave-trigger", "blocked:9", "--wave-nodes", "all"],
    "two-stages": ["--operation", "all-gather", "--size", "2x8", "--stages", "2", "--bytes", "64", *NATIVE],
    "three-stages": ["--operation", "gather", "--size", "4x8", "--stages", "3", "--link-registers", "1", "--bytes", "64",
                     *NATIVE, *WAVE],
    "four-stages": ["--operation", "all-to-all", "--size", "2x8", "--stages", "4", "--vcs", "2", "--bytes", "64", *NATIVE,
                    *WAVE],
    "link-registers": ["--operation", "broadcast", "--size", "2x8", "--link-registers", "1", "--bytes", "40"],
    "many-link-registers": ["--operation", "all-to-all", "--size", "2x9", "--link-registers", "4", "--vcs", "3",
                            "--bytes", "64", *NATIVE, *WAVE],
    "no-control-vc": ["--operation", "all-gather", "--size", "2x8", "--control-vc", "false", "--local-vcs", "2",
                      "--bytes", "64", *NATIVE],
    "narrow-memory": ["--operation", "all-reduce", "--operator", "sum", "--size", "4x8", "--memory-flits", "2",
                      "--half-duplex", "true", "--local-ports", "2", "--bytes", "256", *NATIVE, *WAVE],
    "matrix-arbiters": ["--operation", "all-to-all", "--size", "2x8", "--arbiters", "matrix", "--bytes", "40", *NATIVE],
}
# With Verilated routers, which are always built. In the second network the links have registers.
RTL_RUNS = {
    "rtl": ["--operation", "broadcast", "--size", "2x8", "--bytes", "40", "--rtl", "all", *WAVE, "--wave-nodes", "all"],
    "rtl-registers": ["--operation", "all-gather", "--size", "16", "--topology", "torus", "--classes", "plh",
                      "--local-ports", "1", "--vcs", "5", "--local-vcs", "3", "--stages", "3", "--link-registers", "1",
                      "--depth", "4", "--bytes", "48", "--rtl", "0,1,5,6,10,15", "--flit-log", "run.log", *NATIVE],
}
# Runs that fail: the exit status, and what is said. {x} is the firmware x.S of testbench/end_to_end/firmware.
FAILURES = {
    "cycle-limit": ["--operation", "broadcast", "--size", "4x8", "--bytes", "4000", "--cycle-limit", "1500"],
    "trap": ["--operation", "broadcast", "--size", "2x8", "--firmware", "{traps}", "--flit-log", "run.log"],
    "trap-far": ["--operation", "broadcast", "--size", "2x8", "--firmware", "{far}", *WAVE],
    "written-late": ["--operation", "barrier", "--size", "2x8", "--skew", "60", "--firmware", "{late}"],
    "error": ["--operation", "broadcast", "--size", "2x8", "--firmware", "{errs}"],
    "stall-pairs": ["--operation", "broadcast", "--size", "2x8", "--firmware", "{sleeps}"],
    "stall-chains": ["--operation", "broadcast", "--size", "8x8", "--firmware", "{chains}"],
    "not-done": ["--operation", "gather", "--size", "2x8", "--root", "1,6", "--bytes", "40", "--firmware", "{lazy}"],
    "not-called": ["--operation", "broadcast", "--size", "2x8", "--firmware", "{spins}", "--cycle-limit", "3000"],
    "overwritten": ["--operation", "barrier", "--size", "2x8", "--firmware", "{scribbles}"],
    "calls-differ": ["--operation", "reduce", "--algorithm", "binomial", "--size", "2x8", "--bytes", "16", "--develop",
                     "true", "--group", "row 6", "--differs", "1,6 root 1", *NATIVE],
    "groups-differ": ["--operation", "reduce", "--algorithm", "binomial", "--size", "2x8", "--bytes", "16", "--develop",
                      "true", "--group", "0,0..1,7 columns-first", "--differs", "1,7 group 0", *NATIVE],
    "deadlock": ["--operation", "all-to-all", "--size", "2x8", "--topology", "torus", "--vcs", "1", "--allow-deadlock",
                 "true", "--bytes", "2000", "--skew", "900", "--timeline", "run.html", *WAVE, "--wave-trigger", "failure",
                 *NATIVE],
}
# In continuous integration each of these with one number of ranks; with --every all runs, with all numbers.
OFTEN = ["rv32", "many-link-registers", "torus", "calls", "barrier", "rendezvous", "shift", "one-port-torus"]
FAIL_OFTEN = ["trap-far", "stall-chains", "deadlock", "not-done", "written-late", "calls-differ", "groups-differ"]


class Failed(Exception):
    pass


def expect(what, detail=""):
    if not what:
        raise Failed(detail)


def write_trace(path, nodes, far, messages=300):
    """Messages that wait for some of those before them, whose sources and destinations are anywhere."""
    random.seed(far)
    lines = ["id,cycle,source,destination,bytes,after"]
    for i in range(messages):
        after = random.sample(range(max(0, i - far), i), min(i, far, random.choice([0, 1, 1, 2, 3])))
        lines.append(f"m{i},{random.choice([0, 0, random.randrange(200)])},{random.randrange(nodes)},"
                     f"{random.randrange(nodes)},{random.choice([0, 1, 8, 40, 300])},{';'.join(f'm{j}' for j in after)}")
    path.write_text("\n".join(lines) + "\n")


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

    def run(self, words, ranks=1, mpi=(), out=None, command="traffic", place=None):
        out = ["--out", out] if out else []
        start = []
        if ranks > 1 and self.threads:
            words = [*words, "--threads", str(ranks)]
        elif ranks > 1:
            start = ["mpirun", "--oversubscribe", "--allow-run-as-root", "--bind-to", "none", *mpi, "-np", str(ranks)]
        environment = dict(os.environ, OMPI_MCA_plm="isolated",
                           OMPI_MCA_plm_rsh_agent="", OMPI_MCA_btl_base_warn_component_unused="0",
                           NO_COLOR="1", ASAN_OPTIONS="detect_leaks=0")  # Open MPI never frees some of its memory
        return subprocess.run([*start, self.program, command, *words, *out], capture_output=True, text=True,
                              cwd=place or self.place, env=environment, timeout=1800)

    def result(self, words, ranks=1, mpi=()):
        out = self.place / "out"
        shutil.rmtree(out, ignore_errors=True)
        run = self.run(words, ranks, mpi, out)
        expect(run.returncode == 0, f"{words} with {ranks} ranks: status {run.returncode}\n{run.stdout}{run.stderr}")
        return (out / "result.json").read_bytes()

    def tell(self, what):
        """With --every, each case that is as it should be, so that an interrupted test says how far it came."""
        if self.every:
            print(f"  {what}: the same", flush=True)

    def same(self, words, ranks, mpi=()):
        key = " ".join(words)
        if key not in self.serial:
            self.serial[key] = self.result(words)
        expect(self.result(words, ranks, mpi) == self.serial[key], f"{key}: differs with {ranks} ranks")
        self.tell(f"{key} with {ranks} ranks")

    def counts(self, number):
        """The numbers of ranks for the network of this number: all, or each of them in turn."""
        return self.ranks if self.every else [self.ranks[number % len(self.ranks)]]

    def files(self, words, ranks, recordings):
        """Output, errors and files of a run, by name. The save file of a waveform names its path, so all runs have the
        same one."""
        place = self.place / "recorded"
        shutil.rmtree(place, ignore_errors=True)
        place.mkdir()
        run = self.run([*words, *recordings, "--quiet"], ranks, out="out", place=place)
        said = run.stderr.split("\n---", 1)[0].split("\nPrimary job", 1)[0].strip("-\n")
        return {"status": run.returncode, "errors": said} | {
            str(file.relative_to(place)): file.read_bytes() for file in sorted(place.rglob("*")) if file.is_file()}

    def same_files(self, words, ranks, recordings=RECORDINGS):
        key = "files " + " ".join(words)
        if key not in self.serial:
            self.serial[key] = self.files(words, 1, recordings)
        alone, together = self.serial[key], self.files(words, ranks, recordings)
        expect(alone.keys() == together.keys(), f"{words} with {ranks} ranks: {sorted(together)}, not {sorted(alone)}")
        for name, content in alone.items():
            expect(together[name] == content, f"{words}: {name} differs with {ranks} ranks, {together['errors']}")
        self.tell(f"{' '.join(map(str, words))}, {len(alone) - 2} files, with {ranks} ranks")
        return alone

    def recordings(self):
        for number, (name, words) in enumerate(RECORDED.items()):
            if number >= ALWAYS_RECORDED and not self.every:
                break
            for ranks in self.counts(number):
                alone = self.same_files([*SHORT, *NETWORKS[name], *words], ranks)
                expect(alone["status"] == 0 and "wave.fst" in alone, f"{name}: {alone['status']} {alone['errors']}")
        for ranks in self.counts(1):
            alone = self.same_files([*DEADLOCK, "--wave-trigger", "failure"], ranks)
            expect("deadlock" in alone["errors"] and "wave.fst" in alone, f"no deadlock: {alone['errors']}")

    def rtl_routers(self):
        for number, words in enumerate(RTL.values()):
            for ranks in self.counts(number):
                alone = self.same_files([*SHORT, *words], ranks)
                expect(alone["status"] == 0, f"{words}: {alone['errors']}")

    def networks(self):
        for number, words in enumerate(NETWORKS.values()):
            for ranks in self.counts(number):
                self.same([*SHORT, *words], ranks)

    def routers(self):
        for number, name in enumerate(BY_ROUTERS):
            for ranks in self.counts(number):
                self.same([*SHORT, *NETWORKS[name], "--kernel", "routers"], ranks)

    def words_of(self, words):
        """A run's words with its files."""
        def firmware(name):
            elf = self.place / f"{name}.elf"
            if not elf.exists():
                sources = PROJECT / "testbench/end_to_end/firmware"
                subprocess.run(["riscv64-unknown-elf-gcc", "-march=rv32im", "-misa-spec=2.2", "-mabi=ilp32", "-nostdlib",
                                "-Wl,--build-id=none", "-T", sources / "bare.ld", sources / f"{name}.S", "-o", elf],
                               check=True)
            return str(elf)
        return [firmware(word[1:-1]) if word[0] == "{" and word[-1] == "}" else word.format(project=PROJECT)
                for word in words]

    def told(self, words, ranks=1):
        """Of a run: its status, its summary, the errors, and the files that there are."""
        out = self.place / "out"
        files = [out / "result.json", *(self.place / f"run.{end}" for end in ("log", "html", "fst", "gtkw", "txt"))]
        shutil.rmtree(out, ignore_errors=True)
        for file in files:
            file.unlink(missing_ok=True)
        run = self.run(words, ranks, out=out, command="run")
        summary = "".join(re.sub(r"\x1b\[\d*m", "", line) for line in run.stdout.splitlines(True)
                          if "simulated in" not in line)
        return run.returncode, summary, run.stderr, [file.read_bytes() for file in files if file.exists()]

    def same_run(self, name, words, ranks, status=0):
        if name not in self.serial:
            self.serial[name] = self.told(words)
        alone, several = self.serial[name], self.told(words, ranks)
        where = f"{name} with {ranks} ranks"
        expect(alone[0] == status, f"{name}: status {alone[0]}, expected {status}\n{alone[1]}{alone[2]}")
        expect(several[0] == status, f"{where}: status {several[0]}, expected {status}\n{several[1]}{several[2]}")
        expect(several[1].replace("\r", "") == alone[1], f"{where} prints\n{several[1]}\nand one process\n{alone[1]}")
        expect(alone[2] in several[2] and several[2].count("annelid:") == alone[2].count("annelid:"),
               f"{where} says\n{several[2]}\nand one process\n{alone[2]}")
        expect(several[3] == alone[3], f"{where}: result.json or a recording differs")
        self.tell(where)

    def runs(self):
        for number, name in enumerate(RUNS if self.every else OFTEN):
            for ranks in self.counts(number):
                self.same_run(name, self.words_of(RUNS[name]), ranks)

    def rtl_runs(self):
        for number, (name, words) in enumerate(RTL_RUNS.items()):
            for ranks in self.counts(number):
                self.same_run(name, words, ranks)

    def traces(self):
        for number, name in enumerate(TRACES if self.every else OFTEN_TRACED):
            columns, rows, far, words = TRACES[name]
            file = self.place / f"{name}.toml"
            if not file.exists():
                write_trace(self.place / f"{name}.csv", columns * rows, far)
                file.write_text(f'[network]\nsize = [{columns}, {rows}]\n[traffic]\ntrace = "{name}.csv"\n')
            for ranks in self.counts(number):
                alone = self.same_files([str(file), *words], ranks, [])
                expect(alone["status"] == 0, f"{name}: {alone['errors']}")

    def failures(self):
        for number, name in enumerate(FAILURES if self.every else FAIL_OFTEN):
            for ranks in self.counts(number):
                self.same_run(name, self.words_of(FAILURES[name]), ranks, 1)

    def run_refusals(self):
        for words, text in (
                (["--size", "4x2"], "mpirun -np: found 3, expected 1..2"),
                (["--topology", "ideal"], "the ideal network is one crossbar"),
                (["--size", "4x4", "--rtl", "all", "--vcs", "7", "--trace", "x.txt"], "--rtl: found"),
                (["--size", "4x4", "--wave", "x.fst", "--wave-nodes", "99"], "--wave-nodes: found"),
                (["--size", "4x4", "--wave", "x.fst", "--wave-trigger", "tag"], "--wave-trigger: found"),
                (["--size", "4x4", "--firmware", "/none"], "/none"),
                (["--size", "4x4", "--rood", "1"], "--rood")):
            run = self.run(words, 3, command="run")
            expect(run.returncode == 2, f"{words}: status {run.returncode}, expected 2\n{run.stderr}")
            expect(run.stderr.count("annelid:") == 1 and text in run.stderr, f"{words}: {run.stderr}")
        run = self.run(["run", "x.elf"], 2, command="firmware")
        expect(run.returncode == 2 and run.stderr.count("annelid:") == 1 and "annelid firmware run" in run.stderr, run)
        expect(not list(self.place.glob("x.*")), "a file of a refused run")

    def tcp(self):
        for name in ("mesh", "link-registers", "matrix-arbiters"):
            self.same([*SHORT, *NETWORKS[name]], 3, ["--mca", "btl", "tcp,self", "--mca", "btl_tcp_if_include", "lo"])

    def deadlock(self):
        alone = self.run(DEADLOCK, out=self.place / "alone")
        expect(alone.returncode == 1 and "deadlock" in alone.stderr, f"no deadlock: {alone}")
        for ranks in self.counts(0):
            run = self.run(DEADLOCK, ranks, out=self.place / "dead")
            expect(run.returncode == 1, f"status {run.returncode}, expected 1")
            expect(alone.stderr in run.stderr and run.stderr.count("annelid:") == 1, f"{run.stderr}\n\n{alone.stderr}")
            expect(not (self.place / "dead/result.json").exists(), "a result.json of a deadlock")

    def refusals(self):
        for words, text in (
                (["--size", "4x2"], "mpirun -np: found 3, expected 1..2"),
                (["--size", "4x4", "--load", "7x"], "--load"),
                (["--size", "4x4", "--flit-log", "log.txt", "--wave", "w.fst", "--wave-nodes", "99"], "--wave-nodes"),
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
                (["--size", "4x4", "--threads", "2", "--flit-log", "log.txt", "--rtl", "1"],
                 "--rtl: found several threads")):
            run = self.run(words)
            expect(run.returncode == 2, f"{words}: status {run.returncode}, expected 2\n{run.stderr}")
            expect(run.stderr.count("annelid:") == 1 and text in run.stderr, f"{words}: {run.stderr}")
        expect(not (self.place / "log.txt").exists(), "a file of a refused run")

    def lost_rank(self):
        self.lose(["traffic", "--size", "16x16", "--load", "0.3", "--measure", "100000000"])
        self.lose(["run", "--size", "8x8", "--bytes", "16M", *NATIVE])

    def lose(self, command):
        out = self.place / "lost"
        words = ["mpirun", "--oversubscribe", "--allow-run-as-root", "--bind-to", "none", "-np", "3", self.program,
                 *command, "--quiet", "--out", out]
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
    parser.add_argument("--rtl", action="store_true", help="the program has Verilated routers")
    parser.add_argument("--every", action="store_true", help="each network with each number of ranks")
    parser.add_argument("--threads", action="store_true", help="threads in place of processes")
    arguments = parser.parse_args()
    program = arguments.program.resolve()
    if arguments.threads:
        names = ["networks", "routers", "traces", "recordings", "deadlock", "thread_refusals"]
    elif shutil.which("mpirun") is None:
        skip("there is no mpirun (scripts/setup --all)")
    elif not (program.parent.parent / "lib/annelid/annelid-mpi.so").exists():
        skip("the program was built without MPI")
    else:
        names = ["networks", "routers", "runs", "failures", "traces", "recordings",
                 *["rtl_routers", "rtl_runs"] * arguments.rtl, "tcp", "deadlock", "refusals", "run_refusals", "lost_rank", "without_mpirun"]
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
