#!/usr/bin/env python3
"""annelid --engine slurm, on a real Slurm of two nodes that cluster.py starts on this machine.

  slurm_test.py --program ANNELID [--only NAME...]

The results must be those of the same command without Slurm, byte for byte: also if a node dies in the middle of the
array, if the program that follows the array is killed, and if a task is cancelled. Where there is no Slurm, it says why
and exits with 77, by which CTest counts it as skipped. If ANNELID_REQUIRE_SLURM is set, it fails instead.
"""
import argparse
import filecmp
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from cluster import Cluster, NoCluster, field_of, kill

SKIPPED = 77
PATIENCE = 180  # seconds for anything: other tests run beside this one
SWEEP = ["sweep", "--size", "4x4", "--measure", "2000", "--sweep", "router.vcs=1,2", "--sweep",
         "traffic.load=0.1:0.5:0.1"]
# Some seconds for each of two nodes, so that there is a middle to be killed in.
LONG = ["sweep", "--size", "16x16", "--measure", "200000", "--no-plots", "--sweep", "traffic.load=0.05:0.4:0.05"]
TUNE = ["tune", "--operation", "broadcast", "--size", "4x4", "--algorithm", "edn,recursive-doubling", "--bytes",
        "8,64,4k", "--refine", "1", "--firmware", "native"]
CHECK = ["check", "--quick", "--size", "4x4", "--operation", "broadcast", "--firmware", "native"]
# What a run prints of itself: how many runs it found done, and how long it took.
OF_THE_RUN = re.compile(r"\d+ (?:runs )?simulated, \d+ kept|, \d+ s\b")


class Failed(Exception):
    pass


def expect(what, detail=""):
    if not what:
        raise Failed(detail)


def same(expected, found, but=()):
    """Every file of one folder is in the other, with the same bytes; `but` are names that only `found` has."""
    names = {str(file.relative_to(expected)) for file in expected.rglob("*") if file.is_file()}
    others = {str(file.relative_to(found)) for file in found.rglob("*")
              if file.is_file() and file.relative_to(found).parts[0] not in but}
    expect(names and names == others, f"files: found {sorted(others)}, expected {sorted(names)}")
    for name in sorted(names):
        expect(filecmp.cmp(expected / name, found / name, shallow=False), f"{name} differs")


class Tests:
    def __init__(self, program, cluster, place):
        self.program, self.cluster, self.place = program, cluster, place

    def annelid(self, words, out=None, environment=None):
        out = ["--out", out] if out else []
        return subprocess.run([self.program, *words, *out], cwd=self.place, env=environment or self.cluster.environment,
                              text=True, capture_output=True, stdin=subprocess.DEVNULL, timeout=PATIENCE)

    def begin(self, words, out):
        return subprocess.Popen([self.program, *words, "--out", out], cwd=self.place, env=self.cluster.environment,
                                text=True, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                start_new_session=True)

    def local(self, words, out):
        ended = self.annelid(words, out)
        expect(ended.returncode == 0, f"{words} without Slurm: {ended.stderr}")
        return ended

    def arrays(self, out):
        return json.loads((self.place / out / "slurm/job.json").read_text())["jobs"]

    def is_submitted(self, out):
        return (self.place / out / "slurm/job.json").exists() and self.arrays(out)

    def starts(self, out):
        """{share: {"JOB-RESTART": its folder}}."""
        starts = {}
        for folder in (self.place / out / "slurm").glob("shard-*-of-*/*-*"):
            starts.setdefault(int(folder.parent.name.split("-")[1]), {})[folder.name] = folder
        return starts

    def wait(self, what, process=None):
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            if found := what():
                return found
            if process and process.poll() is not None:
                raise Failed(f"it ended with {process.returncode}: {process.communicate()}")
            time.sleep(0.05)
        raise Failed(f"waited {PATIENCE} s in vain: {self.cluster.run('squeue', '--array', '--states=all').stdout}")

    def busy_share(self, out, node=None):
        """A share that has rows and is not finished: its number, and its start's folder."""
        lines = self.cluster.run("squeue", "--noheader", "--array", "--states=RUNNING", "--format=%K %N").stdout
        for number, where in (line.split() for line in lines.splitlines()):
            for start in self.starts(out).get(int(number), {}).values():
                rows = start / "sweep.csv"
                if (not node or where == node) and rows.exists() and not (start / "part.json").exists():
                    return int(number), start
        return None

    def stopped_share(self, out, node):
        """As busy_share, of a share whose node's tasks have been stopped, and these: it stays as it is until they go on."""
        if not self.busy_share(out, node):
            return None
        tasks = self.cluster.tasks_on(node)
        kill(tasks, signal.SIGSTOP)
        if found := self.busy_share(out, node):
            return *found, tasks
        kill(tasks, signal.SIGCONT)  # it has finished in the meantime
        return None

    def stopped_tasks(self, process):
        """The tasks of the array that the process has submitted, stopped as soon as there are any."""
        tasks = self.wait(lambda: self.cluster.tasks_on("n1") | self.cluster.tasks_on("n2"), process=process)
        kill(tasks, signal.SIGSTOP)
        return tasks

    def running_share(self):
        """The number of a share that runs, of the only array, as text; empty if there is none."""
        return self.cluster.run("squeue", "--noheader", "--array", "--states=RUNNING", "--format=%K").stdout.partition("\n")[0]

    @staticmethod
    def follows(process):
        """It holds back the signals that would end it, and SIGCHLD with them. While it sleeps Linux shows that one alone,
        as the signals that sigtimedwait awaits do not count as blocked."""
        return int(field_of(process.pid, "SigBlk") or "0", 16) & 1 << signal.SIGCHLD - 1

    def compare(self, words, tasks, name):
        """With Slurm and without: what is printed, and all files."""
        local = self.local(words, f"{name} local")
        slurm = self.annelid([*words, "--engine", "slurm", "--tasks", str(tasks)], f"{name} slurm")
        expect(slurm.returncode == 0, slurm.stderr)
        printed = [OF_THE_RUN.sub("", text.replace(f"{name} slurm", f"{name} local"))
                   for text in (local.stdout, slurm.stdout)]
        expect(printed[0] == printed[1], f"printed:\n{slurm.stdout}\nexpected:\n{local.stdout}")
        same(self.place / f"{name} local", self.place / f"{name} slurm", but=["slurm"])

    def end_all(self):
        """No task of a test that failed outlives it, as the next test would wait for its node."""
        self.cluster.run("scancel", "--user", str(os.geteuid()))
        kill(self.cluster.tasks_on("n1") | self.cluster.tasks_on("n2"), signal.SIGCONT)
        self.wait(lambda: not self.cluster.run("squeue", "--noheader").stdout)

    def test_sweep(self):
        # Quotes and patterns of sh, Slurm and printf in the folder's name.
        self.compare(SWEEP, 4, "it's \"a\" $HOME\\ %a `b`")

    def test_check(self):
        self.compare(CHECK, 3, "check")

    def test_tune(self):
        self.compare(TUNE, 2, "tune")

    def test_reproduce(self):
        self.compare(["reproduce", "switching", "table2.1", "--no-plots"], 2, "reproduce")

    def test_again(self):
        """The same command again finds all, and submits nothing."""
        words = [*SWEEP, "--no-plots", "--engine", "slurm", "--tasks=2", "--partition=here", "--time=5", "--memory=100M"]
        first = self.annelid(words, "again")
        expect(first.returncode == 0, first.stderr)
        second = self.annelid(words, "again")
        expect(second.returncode == 0 and second.stdout == first.stdout, second.stdout + second.stderr)
        expect(len(self.arrays("again")) == 1, f"{self.arrays('again')}")

    def long(self):
        """The folder of the long sweep without Slurm."""
        if not (self.place / "long").exists():
            self.local(LONG, "long")
        return self.place / "long"

    def lose_node(self, out, end_node):
        """end_node(follower, tasks) loses n1 in the middle of a share; the tasks are n1's, and stand still."""
        long = self.long()
        follower = self.begin([*LONG, "--engine", "slurm", "--tasks", "4"], out)
        try:
            share, start, tasks = self.wait(lambda: self.stopped_share(out, "n1"), process=follower)
            end_node(follower, tasks)
            output, errors = follower.communicate(timeout=PATIENCE)
        finally:
            follower.kill()
            follower.communicate()
        expect(follower.returncode == 0, errors)
        same(long, self.place / out, but=["slurm"])
        return share, start

    def test_dead_node(self):
        """A node dies with all that runs on it: Slurm starts its task again, which goes on from its rows."""
        share, start = self.lose_node("dead", lambda *_: self.cluster.kill_node("n1"))
        self.cluster.bring_back("n1")
        starts = self.starts("dead")[share]
        expect(len(starts) == 2, f"share {share} was started as {sorted(starts)}")
        second = next(folder for folder in starts.values() if folder != start)
        said = (second / "log.txt").read_text()
        expect(re.search(r" [12] simulated, [1-9] kept|0 simulated, 2 kept", said), said)
        expect(len(self.arrays("dead")) == 1, "it was submitted twice")

    def test_lost_slurmd(self):
        """Slurm loses a node, but the task on it goes on when it has been started again: the two are no matter."""
        def lose(follower, tasks):
            self.cluster.kill_slurmd("n1")
            self.wait(lambda: any(len(of) == 2 for of in self.starts("lost").values()), process=follower)
            kill(tasks, signal.SIGCONT)

        share, start = self.lose_node("lost", lose)
        self.cluster.bring_back("n1")
        expect(len(self.starts("lost")[share]) == 2, f"share {share} was started as {sorted(self.starts('lost')[share])}")
        expect((start / "sweep.csv").exists(), f"{start} has lost its rows")

    def test_killed_follower(self):
        """The array survives the program that follows it, however it ends."""
        long = self.long()
        words = [*LONG, "--engine", "slurm", "--tasks", "2"]
        tasks = []
        for number in (signal.SIGHUP, signal.SIGKILL, signal.SIGINT):
            follower = self.begin(words, "follow")
            try:
                if not tasks:  # so that the array outlives all three
                    tasks = self.stopped_tasks(follower)
                self.wait(lambda: self.is_submitted("follow") and self.follows(follower), process=follower)
                follower.send_signal(number)
                _, errors = follower.communicate(timeout=PATIENCE)
            finally:
                follower.kill()
                follower.communicate()
            expect(follower.returncode == -number, f"signal {number}: exit status {follower.returncode}")
            job = self.arrays("follow")[0]
            goes_on = f"Slurm job {job} goes on. The same command again follows it; scancel {job} ends it."
            expect(number == signal.SIGKILL or goes_on in errors, f"signal {number}: {errors}")
        other = self.annelid([*words[:-1], "3"], "follow")
        expect(other.returncode == 2 and f"scancel {job}" in other.stderr, other.stderr)
        kill(tasks, signal.SIGCONT)
        last = self.annelid(words, "follow")
        expect(last.returncode == 0, last.stderr)
        expect(len(self.arrays("follow")) == 1, f"it was submitted again: {self.arrays('follow')}")
        expect(all(len(of) == 1 for of in self.starts("follow").values()), f"{self.starts('follow')}")
        same(long, self.place / "follow", but=["slurm"])

    def test_cancelled_task(self):
        """A task that somebody has cancelled is an error. The same command again submits it, and nothing else."""
        long = self.long()
        words = [*LONG, "--engine", "slurm", "--tasks", "2"]
        follower = self.begin(words, "cancelled")
        try:
            tasks = self.stopped_tasks(follower)
            share = int(self.wait(self.running_share, process=follower))
            self.wait(lambda: self.is_submitted("cancelled"), process=follower)
            job = self.arrays("cancelled")[0]
            self.cluster.run("scancel", f"{job}_{share}")
            kill(tasks, signal.SIGCONT)
            _, errors = follower.communicate(timeout=PATIENCE)
        finally:
            follower.kill()
            follower.communicate()
        expect(follower.returncode == 1 and f"task {share} of Slurm job {job} ended without results: CANCELLED" in errors,
               errors)
        again = self.annelid(words, "cancelled")
        expect(again.returncode == 0, again.stderr)
        same(long, self.place / "cancelled", but=["slurm"])
        second = self.arrays("cancelled")[1]
        shares = [number for number, of in self.starts("cancelled").items() if f"{second}-0" in of]
        expect(shares == [share], f"the second array had {shares}, expected {share}")

    def test_failing_task(self):
        words = [*TUNE, "--cycle-limit", "100", "--engine", "slurm", "--tasks", "2"]
        failed = self.annelid(words, "failing")
        expect(failed.returncode == 1, f"exit status {failed.returncode}: {failed.stderr}")
        expect(failed.stderr.count("annelid: task") == 1 and failed.stdout == "", failed.stderr + failed.stdout)
        expect(re.match(r"annelid: task [12] of Slurm job \d+ failed with exit status 1, and the others were cancelled; .*"
                        r"shard-[12]-of-2/\d+-0/log.txt:\n  annelid: .*\b100\b", failed.stderr, re.S), failed.stderr)
        self.wait(lambda: not self.cluster.run("squeue", "--noheader").stdout)

    def test_task_with_bad_input(self):
        """Its message and its exit status are the program's. The scenario goes before the tasks begin."""
        scenario = self.place / "scenario.toml"
        scenario.write_text("[network]\nsize = [4, 4]\n[sweep]\n\"traffic.load\" = [0.1, 0.2]\n")
        self.cluster.run("scontrol", "update", "PartitionName=here", "State=DOWN")
        refused = self.begin(["sweep", str(scenario), "--engine", "slurm", "--tasks", "2"], "refused")
        try:
            self.wait(lambda: self.is_submitted("refused"), process=refused)
            scenario.unlink()
            self.cluster.run("scontrol", "update", "PartitionName=here", "State=UP")
            output, errors = refused.communicate(timeout=PATIENCE)
        finally:
            refused.kill()
            refused.communicate()
            self.cluster.run("scontrol", "update", "PartitionName=here", "State=UP")
        expect(refused.returncode == 2 and output == "", f"exit status {refused.returncode}: {errors}")
        expect(re.fullmatch(r"annelid: task \d of Slurm job \d+: \S+scenario\.toml: .*\n", errors), errors)

    def test_refusals(self):
        # Each node has one core, so no task can have two.
        large = self.annelid([*SWEEP, "--engine", "slurm", "--jobs", "2"], "large")
        expect(large.returncode == 2 and "--engine slurm: a job that Slurm refuses: " in large.stderr, large.stderr)
        nowhere = self.annelid([*SWEEP, "--engine", "slurm", "--partition", "nowhere"], "nowhere")
        expect(nowhere.returncode == 2 and "a job that Slurm refuses: sbatch: error: invalid partition specified: nowhere" in nowhere.stderr, nowhere.stderr)
        expect(nowhere.stderr.count("\n") == 1, nowhere.stderr)
        without = dict(self.cluster.environment, PATH=str(self.place))
        missing = self.annelid([*SWEEP, "--engine", "slurm"], "missing", without)
        expect(missing.returncode == 2 and "no program sbatch" in missing.stderr, missing.stderr)
        expect(not (self.place / "missing").exists(), "a folder is left")


def run(tests, only):
    failed = 0
    for name in [name for name in dir(tests) if name.startswith("test_")]:
        if only and name[5:] not in only:
            continue
        start = time.monotonic()
        try:
            getattr(tests, name)()
            verdict = "held"
        except (Failed, subprocess.TimeoutExpired) as why:
            failed += 1
            verdict = f"FAILED\n{why}"
            tests.end_all()
        print(f"{name[5:]:<20} {time.monotonic() - start:5.1f} s  {verdict}", flush=True)
    return failed


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--program", type=Path, required=True)
    arguments.add_argument("--only", nargs="*", default=[])
    given = arguments.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # so that the cluster ends
    try:
        with Cluster() as cluster, tempfile.TemporaryDirectory() as place:
            return 1 if run(Tests(given.program.resolve(), cluster, Path(place)), given.only) else 0
    except NoCluster as why:
        print(f"not run, as Slurm cannot be started here: {why}")
        return 1 if os.environ.get("ANNELID_REQUIRE_SLURM") else SKIPPED


if __name__ == "__main__":
    sys.exit(main())
