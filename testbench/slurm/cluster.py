#!/usr/bin/env python3
"""A Slurm on this machine alone: one slurmctld, and a slurmd for each of two nodes, n1 and n2, of one core each.

  cluster.py COMMAND...     starts it, runs a command that sees it, and ends it; the exit status is the command's

It needs the programs of Debian's slurm-wlm, but neither root nor munge nor any configuration of the machine. Everything
is in a temporary folder. The two nodes listen on 127.0.0.1 at free ports.
"""
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

PROGRAMS = ["slurmctld", "slurmd", "slurmstepd", "sbatch", "squeue", "scancel", "sinfo"]
# As sudo and cron set it: Debian keeps the daemons in /usr/sbin, which a user's PATH may not have.
PATH = os.environ.get("PATH", "") + ":/usr/sbin:/sbin"

CONFIGURATION = """\
ClusterName=annelid
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={controller}
SlurmUser={user}
SlurmdUser={user}
AuthType=auth/none
AuthInfo=cred_expire=5
CredType=cred/none
MpiDefault=none
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SwitchType=switch/none
SchedulerType=sched/builtin
SchedulerParameters=sched_interval=1,batch_sched_delay=1,sched_min_interval=1
SlurmdParameters=config_overrides
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/%n
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/%n.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/%n.log
SlurmctldTimeout=10
SlurmdTimeout=4
MessageTimeout=3
KillWait=1
CompleteWait=0
InactiveLimit=0
Waittime=0
ReturnToService=2
HealthCheckInterval=0
NodeName=n1 NodeHostname={host} NodeAddr=127.0.0.1 Port={n1} CPUs=1 RealMemory=1000
NodeName=n2 NodeHostname={host} NodeAddr=127.0.0.1 Port={n2} CPUs=1 RealMemory=1000
PartitionName=here Nodes=n1,n2 Default=YES MaxTime=60 State=UP
"""


class NoCluster(Exception):
    """Why there is no Slurm here."""


def missing_programs():
    return [program for program in PROGRAMS if not shutil.which(program, path=PATH)]


def free_ports(count):
    """All of them are bound before the first is let go, so they differ."""
    sockets = [socket.socket() for _ in range(count)]
    try:
        for one in sockets:
            one.bind(("127.0.0.1", 0))
        return [one.getsockname()[1] for one in sockets]
    finally:
        for one in sockets:
            one.close()


def processes_of(variable):
    """The processes that have this NAME=VALUE in their environment."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            if variable.encode() in (folder / "environ").read_bytes().split(b"\0"):
                found.append(int(folder.name))
        except OSError:  # it has ended, or is another user's
            pass
    return found


def field_of(pid, field):
    """Of a process that may have ended."""
    try:
        status = Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return ""
    return next((line.split(":", 1)[1].strip() for line in status.splitlines() if line.startswith(field + ":")), "")


def kill(pids, number=signal.SIGKILL):
    for pid in pids:
        try:
            os.kill(pid, number)
        except ProcessLookupError:
            pass


class Cluster:
    """with Cluster() as cluster: processes that are started with cluster.environment see it."""

    def __init__(self):
        missing = missing_programs()
        if missing:
            raise NoCluster(f"no {', '.join(missing)}: scripts/setup --all installs slurm-wlm")
        self.scratch = tempfile.TemporaryDirectory(prefix="annelid-slurm-")
        self.folder = Path(self.scratch.name)
        # Every process of the cluster inherits this mark, also what it runs.
        self.mark = f"ANNELID_TEST_CLUSTER={self.folder}"
        name, value = self.mark.split("=")
        kept = {key: text for key, text in os.environ.items() if not key.startswith(("SLURM", "SBATCH_", "SQUEUE_"))}
        self.environment = dict(kept, PATH=PATH, SLURM_CONF=str(self.folder / "slurm.conf"), **{name: value})
        self.daemons = {}

    def __enter__(self):
        try:
            self.configure()
            self.start("slurmctld", "-D", "-c")
            for node in ("n1", "n2"):
                self.start_node(node)
            self.wait_for_nodes()
        except BaseException:
            self.end()
            raise
        return self

    def __exit__(self, *_):
        self.end()

    def configure(self):
        controller, n1, n2 = free_ports(3)
        (self.folder / "state").mkdir()
        text = CONFIGURATION.format(host=socket.gethostname().split(".")[0], user=os.geteuid(), folder=self.folder,
                                    controller=controller, n1=n1, n2=n2)
        (self.folder / "slurm.conf").write_text(text)

    def start(self, program, *arguments, name=None):
        log = (self.folder / f"{name or program}.out").open("w")
        self.daemons[name or program] = subprocess.Popen(
            [shutil.which(program, path=PATH), *arguments], env=self.environment, stdin=subprocess.DEVNULL, stdout=log,
            stderr=subprocess.STDOUT, cwd=self.folder, start_new_session=True)

    def start_node(self, node):
        (self.folder / node).mkdir(exist_ok=True)
        self.start("slurmd", "-D", "-N", node, "-d", shutil.which("slurmstepd", path=PATH), name=node)

    def wait_for_nodes(self):
        for _ in range(300):
            ended = [name for name, daemon in self.daemons.items() if daemon.poll() is not None]
            if ended:
                raise NoCluster(f"{ended[0]} ended:\n{self.last_lines(ended[0])}")
            states = self.run("sinfo", "--noheader", "--Node", "--format=%T").stdout.split()
            if states == ["idle", "idle"]:
                return
            time.sleep(0.2)
        raise NoCluster(f"the nodes are {states or 'unknown'} after a minute:\n{self.last_lines('slurmctld')}")

    def last_lines(self, name):
        texts = [self.folder / f"{name}.out", self.folder / f"{name}.log"]
        return "".join(file.read_text(errors="replace")[-1500:] for file in texts if file.exists())

    def run(self, *words, **options):
        return subprocess.run(words, env=self.environment, text=True, capture_output=True, stdin=subprocess.DEVNULL,
                              timeout=60, **options)

    def kill_slurmd(self, node):
        """Slurm loses the node, and its tasks go on."""
        daemon = self.daemons.pop(node)
        daemon.kill()
        daemon.wait()

    def kill_node(self, node):
        """The node is dead at once: its slurmd, and all that runs on it."""
        self.kill_slurmd(node)
        self.kill_tasks(node)

    def tasks_on(self, node):
        """The processes that the node's tasks have started."""
        return set(processes_of(self.mark)).intersection(processes_of(f"SLURMD_NODENAME={node}"))

    def kill_tasks(self, node):
        """First the slurmstepd of each, which would report its end."""
        tasks = self.tasks_on(node)
        ours = set(processes_of(self.mark))
        steps = {int(field_of(pid, "PPid") or 0) for pid in tasks}
        kill(pid for pid in steps & ours - tasks if field_of(pid, "Name").startswith("slurmstepd"))
        kill(tasks)

    def bring_back(self, node):
        """A node that was killed serves again."""
        self.kill_tasks(node)
        self.start_node(node)
        self.wait_for_nodes()

    def end(self):
        for daemon in self.daemons.values():
            daemon.terminate()
        for daemon in self.daemons.values():
            try:
                daemon.wait(timeout=3)
            except subprocess.TimeoutExpired:
                daemon.kill()
                daemon.wait()
        while pids := [pid for pid in processes_of(self.mark) if pid != os.getpid()]:
            kill(pids)
            time.sleep(0.05)
        self.scratch.cleanup()


def main():
    if len(sys.argv) < 2 or sys.argv[1] in ("--help", "-h"):
        print(__doc__.strip())
        return 0 if len(sys.argv) > 1 else 2
    try:
        with Cluster() as cluster:
            return subprocess.run(sys.argv[1:], env=cluster.environment).returncode
    except NoCluster as why:
        print(f"cluster: {why}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # so that the cluster ends
    sys.exit(main())
