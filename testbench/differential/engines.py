"""The engines that must give the same bytes: what simulates, what records, and how the work is shared."""
import dataclasses
import shutil
import subprocess
import tempfile

PLANES = ["planes-baseline", "planes-avx2", "planes-avx512"]
MPIRUN = ["mpirun", "--oversubscribe", "--allow-run-as-root", "--bind-to", "none"]
# For mpirun: no other machines, and no words about them.
MPI_ENVIRONMENT = {"OMPI_MCA_plm": "isolated", "OMPI_MCA_plm_rsh_agent": "", "OMPI_MCA_btl_base_warn_component_unused": "0"}


@dataclasses.dataclass
class Engine:
    name: str
    options: list
    records: bool = False  # also writes the files of the case's recordings
    ranks: int = 1         # processes
    differs: tuple = ()    # exceptions of result.json, besides those of all runs
    own: tuple = ()        # files that it alone writes

    def says_more(self):
        """Whether it prints what others do not."""
        return self.name in ("account", "trace")

    def command(self, program, case):
        start = ["env", *(f"{key}={value}" for key, value in MPI_ENVIRONMENT.items()), *MPIRUN, "-np",
                 str(self.ranks)] if self.ranks > 1 else []
        return [*start, str(program), *case.command, *self.options, *(case.recordings if self.records else []), "--out",
                "out"]


def algorithms(program):
    """By operation, the algorithms for networks of every kind."""
    found, operation = {}, ""
    listed = subprocess.run([program, "schedule", "--list"], capture_output=True, text=True, check=True).stdout
    for line in listed.splitlines()[1:]:
        operation = line[:16].strip() or operation
        name, networks = line[16:].split(None, 1)
        if networks == "every network" or networks.startswith("networks of up to"):
            found.setdefault(operation, []).append(name)
    return found


class Machine:
    """What a build of the program can do on this machine."""

    def __init__(self, program, mpi):
        def does(*words):
            with tempfile.TemporaryDirectory() as folder:
                return subprocess.run([program, "traffic", "--size", "4x4", "--measure", "1", "--warm-up", "0", *words],
                                      cwd=folder, capture_output=True, check=False).returncode == 0
        self.planes = [name for name in PLANES if does("--kernel", name)]
        self.rtl = does("--rtl", "all")
        self.algorithms = algorithms(program)
        self.mpi = mpi and shutil.which("mpirun") and (program.parent.parent / "lib/annelid/annelid-mpi.so").exists()

    def names(self):
        """Those of all engines that a long enough run tries."""
        kernels = ["routers", "auto", *self.planes]
        shares = ["threads", *(["mpi"] if self.mpi else [])]
        return ["again", "auto", "observers", "cycle by cycle", "account", "trace", *self.planes,
                *(f"{name}, observers" for name in self.planes), *(f"{share}, {k}" for share in shares for k in kernels),
                *(["mpi, collective"] if self.mpi else []), *(["rtl"] if self.rtl else [])]


def reference(case):
    """The engine that all others are compared with: the plainest."""
    return Engine("reference", ["--kernel", "routers"] if case.command[0] == "traffic" else [])


def observed(case):
    """The same with all recordings; others that record are compared with it."""
    if case.command[0] == "traffic":
        return Engine("observers", ["--kernel", "routers"], records=True)
    return Engine("cycle by cycle", [], records=True)


def shares(case, rng, machine):
    """Threads or processes that share the last dimension with more than one node; 1 if they cannot."""
    most = next((n for n in reversed(case.size) if n > 1), 1)
    slabs = 1 if case.ideal or most == 1 else min(most, rng.choice([2, 2, 3, 4, 8]))
    return slabs, bool(machine.mpi) and rng.random() < 0.04


def others(case, rng, machine):
    """Some more engines for a case."""
    records = bool(case.recordings) and rng.random() < 0.6
    slabs, processes = shares(case, rng, machine)
    nodes = rng.choice(["all", "0", "0,1"])
    rtl = [Engine("rtl", ["--rtl", nodes], records)] if case.verilated else []
    if case.command[0] == "run":
        rv32 = "rv32" in case.command
        found = [Engine("again", []), Engine("account", ["--account"]), *rtl, *rtl]
        if rv32:  # a core that is traced does not run ahead of the end
            found.append(Engine("trace", ["--trace", "trace.txt", "--profile=profile.txt"],
                                differs=((rb'"instructions": ?\d+', b'"instructions": *'),),
                                own=("trace.txt", "profile.txt")))
        if processes and slabs > 1:
            found.append(Engine("mpi, collective", [], records, ranks=slabs))
        return rng.sample(found, min(len(found), 1 if not rtl and not processes else 2))
    found = [Engine("again", ["--kernel", "routers"], records), Engine("auto", [])]
    for name in machine.planes:
        found += 2 * [Engine(name, ["--kernel", name])]
        found += [Engine(f"{name}, observers", ["--kernel", name], records=True)] if case.recordings else []
    if slabs > 1:
        kernel = rng.choice(["routers", "auto", *machine.planes])
        words = ["--kernel", kernel]
        if processes:
            return [Engine(f"mpi, {kernel}", words, records, ranks=slabs), *rng.sample(found, 1)]
        found += 2 * [Engine(f"threads, {kernel}", [*words, "--threads", str(slabs)], records)]
    if rtl:
        rtl[0].options += ["--kernel", "routers"]
        found += 6 * rtl
    return rng.sample(found, 3)
