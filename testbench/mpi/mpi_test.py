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

import cases

SKIPPED = 77
PROJECT = Path(__file__).resolve().parents[2]


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

    def same_files(self, words, ranks, recordings=cases.RECORDINGS):
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
        for number, (name, words) in enumerate(cases.RECORDED.items()):
            if number >= cases.ALWAYS_RECORDED and not self.every:
                break
            for ranks in self.counts(number):
                alone = self.same_files([*cases.SHORT, *cases.NETWORKS[name], *words], ranks)
                expect(alone["status"] == 0 and "wave.fst" in alone, f"{name}: {alone['status']} {alone['errors']}")
        for ranks in self.counts(1):
            alone = self.same_files([*cases.DEADLOCK, "--wave-trigger", "failure"], ranks)
            expect("deadlock" in alone["errors"] and "wave.fst" in alone, f"no deadlock: {alone['errors']}")

    def rtl_routers(self):
        for number, words in enumerate(cases.RTL.values()):
            for ranks in self.counts(number):
                alone = self.same_files([*cases.SHORT, *words], ranks)
                expect(alone["status"] == 0, f"{words}: {alone['errors']}")

    def networks(self):
        for number, words in enumerate(cases.NETWORKS.values()):
            for ranks in self.counts(number):
                self.same([*cases.SHORT, *words], ranks)

    def routers(self):
        for number, name in enumerate(cases.BY_ROUTERS):
            for ranks in self.counts(number):
                self.same([*cases.SHORT, *cases.NETWORKS[name], "--kernel", "routers"], ranks)

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
        for number, name in enumerate(cases.RUNS if self.every else cases.OFTEN):
            for ranks in self.counts(number):
                self.same_run(name, self.words_of(cases.RUNS[name]), ranks)

    def rtl_runs(self):
        for number, (name, words) in enumerate(cases.RTL_RUNS.items()):
            for ranks in self.counts(number):
                self.same_run(name, words, ranks)

    def traces(self):
        for number, name in enumerate(cases.TRACES if self.every else cases.OFTEN_TRACED):
            columns, rows, far, words = cases.TRACES[name]
            file = self.place / f"{name}.toml"
            if not file.exists():
                write_trace(self.place / f"{name}.csv", columns * rows, far)
                file.write_text(f'[network]\nsize = [{columns}, {rows}]\n[traffic]\ntrace = "{name}.csv"\n')
            for ranks in self.counts(number):
                alone = self.same_files([str(file), *words], ranks, [])
                expect(alone["status"] == 0, f"{name}: {alone['errors']}")

    def failures(self):
        for number, name in enumerate(cases.FAILURES if self.every else cases.FAIL_OFTEN):
            for ranks in self.counts(number):
                self.same_run(name, self.words_of(cases.FAILURES[name]), ranks, 1)

    def run_refusals(self):
        for words, text in (
                (["--size", "4x2"], "mpirun -np: found 3, expected 1..2"),
                (["--topology", "ideal"], "the ideal network is one crossbar"),
                (["--size", "4x4", "--rtl", "99", "--trace", "x.txt"], "--rtl: found"),
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

    def side_by_side(self, *contexts):
        """The programs with these words, each in a folder of its own, as processes that mpirun starts together."""
        start = ["mpirun", "--oversubscribe", "--allow-run-as-root", "--bind-to", "none"]
        for number, words in enumerate(contexts):
            place = self.place / f"process{number}"
            place.mkdir(exist_ok=True)
            start += [":"] * (number > 0) + ["-np", "1", "-wdir", str(place), *words]
        environment = dict(os.environ, OMPI_MCA_plm="isolated", OMPI_MCA_plm_rsh_agent="",
                           OMPI_MCA_btl_base_warn_component_unused="0", NO_COLOR="1")
        return subprocess.run(start, capture_output=True, text=True, env=environment, timeout=120)

    def expect_difference(self, first, second, *texts):
        run = self.side_by_side(first, second)
        where = f"{first} and {second}"
        expect(run.returncode == 2, f"{where}: status {run.returncode}, expected 2\n{run.stdout}{run.stderr}")
        expect(run.stderr.count("annelid:") == 1 and all(text in run.stderr for text in texts), f"{where}: {run.stderr}")
        expect(not list(self.place.glob("process*/out/result.json")), f"{where}: a result")

    def differences(self):
        """Processes that do not do the same are refused with what differs, and never wait for each other."""
        annelid = str(self.program)
        traffic = [annelid, "traffic", "--size", "4x4", "--measure", "100", "--out", "out"]
        native = [annelid, "run", "--size", "4x4", "--bytes", "64", "--out", "out", *cases.NATIVE]
        self.expect_difference([*traffic, "--seed", "1"], [*traffic, "--seed", "2"],
                               'mpirun: traffic.seed: found "2" in process 1, expected "1", as in process 0')
        loaded = [*traffic, "--load", "0.3"]
        self.expect_difference(traffic, loaded, 'traffic.load: found "0.3" in process 1, expected nothing')
        self.expect_difference(loaded, traffic, 'traffic.load: found nothing in process 1, expected "0.3"')
        self.expect_difference([*traffic, "--flit-log", "log"], traffic, "mpirun: arguments:", "--flit-log log")
        for other in (native, [annelid, "schedule", "--size", "4x4"], [annelid, "--version"]):
            for first, second in ((traffic, other), (other, traffic)):
                self.expect_difference(
                    first, second, f'mpirun: command: found "{second[1]}" in process 1, expected "{first[1]}"')
        self.expect_difference(native, [*native[:-1], "rv32"], 'mpirun: firmware: found "rv32"')
        # Files of one name, and programs, whose bytes differ.
        for number in range(2):
            place = self.place / f"process{number}"
            (place / "s.toml").write_text("[network]\nsize = [4, 4]\n" + "\n" * number)
            (place / "payload").write_text(f"payload {number}")
        self.expect_difference([*traffic[:2], "s.toml", "--out", "out"], [*traffic[:2], "s.toml", "--out", "out"],
                               "mpirun: contents of the scenario: found")
        sent = [annelid, "run", "--size", "4x4", "--payload", "payload", "--out", "out", *cases.NATIVE]
        self.expect_difference(sent, sent, "mpirun: contents of the payload of call 0: found")
        other = self.place / "other"
        shutil.copytree(self.program.parent.parent / "lib/annelid", other / "lib/annelid")
        (other / "bin").mkdir()
        shutil.copy(self.program, other / "bin/annelid")
        with open(other / "bin/annelid", "ab") as file:
            file.write(b"another build")
        self.expect_difference(traffic, [str(other / "bin/annelid"), *traffic[1:]], "mpirun: build: found")
        # Commands that share nothing may run side by side.
        listed = [annelid, "keys"]
        run = self.side_by_side(listed, listed)
        expect(run.returncode == 0 and run.stderr == "", f"{listed} twice: {run}")

    def closed_outputs(self):
        """No connection between the processes takes the place of a closed output, and nothing is written into it."""
        good = self.result(["--size", "4x4", "--measure", "50"])
        for words, status in ((["--measure", "50"], 1), (["--load", "77"], 2)):
            shutil.rmtree(self.place / "process0", ignore_errors=True)
            command = " ".join(["exec", str(self.program), "traffic --size 4x4 --out out", *words, ">&- 2>&- <&-"])
            run = self.side_by_side(*2 * [["sh", "-c", command]])
            expect(run.returncode == status, f"{words}: status {run.returncode}, expected {status}\n{run.stderr}")
            result = self.place / "process0/out/result.json"
            expect(status == 2 or result.read_bytes() == good, "closed outputs: another result")

    def tcp(self):
        for name in ("mesh", "link-registers", "matrix-arbiters"):
            self.same([*cases.SHORT, *cases.NETWORKS[name]], 3,
                      ["--mca", "btl", "tcp,self", "--mca", "btl_tcp_if_include", "lo"])

    def deadlock(self):
        alone = self.run(cases.DEADLOCK, out=self.place / "alone")
        expect(alone.returncode == 1 and "deadlock" in alone.stderr, f"no deadlock: {alone}")
        for ranks in self.counts(0):
            run = self.run(cases.DEADLOCK, ranks, out=self.place / "dead")
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
        self.lose(["run", "--size", "8x8", "--bytes", "16M", *cases.NATIVE])

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
                 *["rtl_routers", "rtl_runs"] * arguments.rtl, "tcp", "closed_outputs", "deadlock", "differences",
                 "refusals", "run_refusals", "lost_rank", "without_mpirun"]
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
