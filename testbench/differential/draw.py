"""The cases of differential.py: networks, and what goes on in them, drawn at random."""
import dataclasses
import math
import tomllib
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]
OPERATIONS = ["broadcast", "reduce", "gather", "scatter", "all-gather", "all-reduce", "barrier", "transpose", "all-to-all",
              "scan", "exscan", "reduce-scatter", "shift", "sync-in", "sync-out"]
ROOTED = ["broadcast", "reduce", "gather", "scatter"]
REDUCTIONS = ["reduce", "all-reduce", "scan", "exscan", "reduce-scatter"]
WITHOUT_DATA = ["barrier", "sync-in", "sync-out"]
BY_RANK = ["two-tree", "binomial", "ring", "intercom", "linear-pipeline", "binary-tree", "butterfly"]


@dataclasses.dataclass
class Case:
    """A command without the options of an engine. It runs in a folder that has `files`."""
    kind: str           # synthetic, trace or collective
    command: list       # the words behind `annelid`
    size: list          # nodes in each dimension
    recordings: list    # options, whose files all engines write that record
    files: dict = dataclasses.field(default_factory=dict)
    ideal: bool = False
    verilated: bool = False  # the router is in rtl/configurations.txt


def often(rng, chance):
    return rng.random() < chance


def verilated_routers():
    """The options of each router that every build with Verilated routers has."""
    with open(PROJECT / "interface/router.toml", "rb") as table:
        parameters = tomllib.load(table)["parameter"]
    rows = []
    for line in (PROJECT / "rtl/configurations.txt").read_text().splitlines():
        if line.startswith("#") or not line.endswith(" ci"):
            continue
        codes = {name: int(code) for name, code in (item.split("=") for item in line.split()[:-1])}
        rings = ["torus" if codes["Torus"] >> d & 1 else "mesh" for d in range(codes["Dims"])]
        options = []
        for row in parameters:
            code = codes[row["rtl"]]
            if "option" not in row or row["field"] in ("allow_deadlock", *(["classes"] if "torus" not in rings else [])):
                continue
            names = {value["code"]: value["name"] for value in row.get("values", [])}
            names |= {0: "false", 1: "true"} if row["type"] == "bool" else {}
            options += [row["option"], names.get(code, str(code))]
        rows.append((codes["Dims"], rings, options))
    return rows


VERILATED = verilated_routers()


def sizes(rng, dims, most):
    """Nodes in each dimension, from 1 to 16: at most so many in all, and at least 2."""
    size = [rng.choice([1, 2, 3, 4, 5, 6, 7, 8, rng.randint(1, 16), rng.randint(9, 16)]) for _ in range(dims)]
    while math.prod(size) > most:
        size[size.index(max(size))] -= 1
    if math.prod(size) == 1:
        size[rng.randrange(dims)] = rng.randint(2, min(16, most))
    return size


def network(rng, most, verilated):
    """A network and its options. If `verilated`, its router is one of those that are always Verilated."""
    if verilated:
        dims, rings, router = rng.choice(VERILATED)
        size = sizes(rng, dims, most)
        return size, False, ["--size", "x".join(map(str, size)), "--topology", ",".join(rings), *router]
    dims = rng.choice([1, 2, 2, 2, 2, 2, 3, 3])
    size = sizes(rng, dims, most)
    options = ["--size", "x".join(map(str, size))]
    if often(rng, 0.03):
        return size, True, [*options, "--topology", "ideal", "--local-ports", str(rng.randint(1, 2 * dims)), "--local-vcs",
                            str(rng.randint(1, 8)), "--control-vc", "false", "--depth", str(rng.choice([1, 2, 4, 9]))]
    one_port = often(rng, 0.3)
    kinds = rng.choice([["mesh"] * dims, ["torus"] * dims, [rng.choice(["mesh", "torus"]) for _ in range(dims)]])
    rings = "torus" in kinds
    classes = rng.choice(["dateline", "dateline", "plh"])
    least = {"dateline": 2, "plh": 3}[classes] if rings else 1
    deadlocks = rings and often(rng, 0.08)  # rings without classes
    if deadlocks:
        least = 1
    control = often(rng, 0.2)
    most_vcs = 8 - (3 if control and rings else 1 if control else 0)
    vcs = rng.choice([least, least, min(least + 1, most_vcs), rng.randint(least, most_vcs)])
    stages, registers = rng.choice([1, 1, 1, 2, 3, 4]), rng.choice([0, 0, 0, 1, 2, 3, 4])
    routing = ["--routing", rng.choice(["xy", "yx"])] if dims > 1 and not one_port and often(rng, 0.2) else []
    arbiters = rng.choice(["matrix", "fixed-priority"]) if often(rng, 0.12) else "round-robin"
    selection = rng.choice(["rotating", "most-credits"]) if often(rng, 0.2) else "lowest"
    local_ports = 1 if one_port else rng.choice([1, 1, 2 * dims, rng.randint(1, 2 * dims)])
    return size, False, [
        *options, "--topology", ",".join(kinds), "--router", "one-port" if one_port else "all-port",
        "--local-ports", str(local_ports), "--vcs", str(vcs), "--local-vcs",
        str(rng.choice([1, 1, 2, rng.randint(1, 8 - control)])), "--control-vc", "true" if control else "false",
        "--depth", str(rng.choice([1, 2, 3, 4, 4, 4, 5, 7, 8, 8, rng.randint(9, 16), 40])), "--stages", str(stages),
        "--link-registers", str(registers), "--arbiters", arbiters, "--vc-selection", selection, *routing,
        *(["--classes", classes] if rings else []), *(["--allow-deadlock", "true"] if deadlocks else [])]


def recordings(rng, kind, size, ideal):
    """Options of files that a run writes; often none, or all."""
    if often(rng, 0.35):
        return []
    every = often(rng, 0.15)
    options = []
    if every or often(rng, 0.6):
        options += ["--flit-log", "flits.log"]
    if kind != "collective" and (every or often(rng, 0.5)):
        options += ["--packets", "packets.csv"]
    if every or often(rng, 0.2):
        options += ["--timeline", "timeline.html", "--perfetto", "timeline.json"]
    if not ideal and (every or often(rng, 0.25)):  # it has no routers whose registers a waveform could show
        nodes = rng.sample(range(math.prod(size)), min(math.prod(size), rng.randint(1, 6)))
        options += ["--wave", "wave.fst", "--wave-nodes", ",".join(map(str, sorted(nodes)))]
        options += rng.choice([[], [], ["--wave-window", "30:90"], ["--wave-trigger", f"blocked:{rng.randint(1, 30)}"],
                               ["--wave-trigger", f"tag:{rng.randint(0, 9)}"]])
    return options


# ---- Synthetic traffic ------------------------------------------------------------------------------------------------


def patterns(size):
    nodes = math.prod(size)
    names = ["uniform", "uniform", "hotspot", "hotspot", "neighbour"]
    if nodes & (nodes - 1) == 0:
        names += ["bit-complement", "bit-reverse", "shuffle"]
    if len(size) > 1 and len(set(size)) == 1:
        names.append("transpose")
    if max(size) >= 3:
        names.append("tornado")
    return names


LENGTHS = {"1": 1, "2": 2, "5": 5, "8": 8, "1..12": 6.5, "1,2,9": 4, "1:0.8,9:0.2": 2.6, "30": 30}


def synthetic(rng, long, verilated, _):
    size, ideal, options = network(rng, rng.choice([16, 64, 100, 260] if not long else [16, 64]), verilated)
    flits = rng.choice(list(LENGTHS))
    duty, most_load = 1, 1.2
    injection = []
    if often(rng, 0.4):
        duty = rng.choice([0.05, 0.1, 0.25, 0.6, 0.9])
        burst = rng.choice([20, 100] if duty == 0.9 else [2, 20, 100])
        injection = ["--injection", "bursty", "--burst", str(burst), "--duty", str(duty)]
    load = min(rng.choice([0.01, 0.1, 0.3, 0.6, most_load]) * rng.random(), 0.99 * duty * LENGTHS[flits])
    pattern = rng.choice(patterns(size))
    hot = []
    if pattern == "hotspot":
        nodes = math.prod(size)
        hot = ["--hotspots", ",".join(map(str, sorted(rng.sample(range(nodes), min(nodes, rng.randint(1, 3)))))),
               "--hotspot-fraction", str(rng.choice([0.05, 0.3, 1]))]
    measure = rng.randint(1000, 40_000) if long else rng.choice([1, 60, 150, 150, 400])
    phases = ["--warm-up", str(rng.choice([0, 1, 50, 150])), "--measure", str(measure), "--drain",
              str(rng.choice([0, 50, 300, 300, 2000]))]
    return Case("synthetic", ["traffic", *options, "--pattern", pattern, *hot, "--load", f"{load:.5f}", "--flits", flits,
                              *injection, "--seed", str(rng.randrange(10**6)), *phases],
                size, recordings(rng, "synthetic", size, ideal) if not long or often(rng, 0.1) else [], ideal=ideal,
                verilated=verilated)


# ---- Traces -----------------------------------------------------------------------------------------------------------


def anywhere(rng, nodes, count):
    """Messages between any nodes, each of which waits for some that are not far before it."""
    far, until = rng.choice([1, 3, 20, 60]), rng.choice([1, 50, 500])
    for i in range(count):
        after = rng.sample(range(max(0, i - far), i), min(i, far, rng.choice([0, 0, 1, 1, 2, 3])))
        yield rng.choice([0, rng.randrange(until)]), rng.randrange(nodes), rng.randrange(nodes), after


def queued(rng, nodes, count):
    """Most messages wait at a few nodes from the same cycle on; others are created later, but start before them."""
    crowded = rng.sample(range(nodes), min(nodes, rng.choice([1, 1, 2, 4])))
    for _ in range(count):
        yield 0, rng.choice(crowded), rng.randrange(nodes), []
    for _ in range(rng.randint(1, 3 * nodes)):
        yield rng.choice([0, 0, rng.randrange(60)]), rng.randrange(nodes), rng.randrange(nodes), []


def tree(rng, nodes, count):
    """Combines along a tree over all nodes and comes back, several times at once."""
    places = list(range(nodes))
    number = 0
    for _ in range(max(1, count // (2 * nodes))):
        rng.shuffle(places)
        arity, start = rng.randint(1, 4), rng.randrange(80)
        up = {}
        for i in reversed(range(1, nodes)):
            up[i] = number
            number += 1
            yield start, places[i], places[(i - 1) // arity], [up[j] for j in range(arity * i + 1, arity * i + arity + 1)
                                                               if j in up]
        top, down = [up[i] for i in range(1, min(nodes, arity + 1))], {}
        for i in range(1, nodes):
            parent = (i - 1) // arity
            down[i] = number
            number += 1
            yield 0, places[parent], places[i], [down[parent]] if parent else top


def trace(rng, _, verilated, __):
    size, ideal, options = network(rng, rng.choice([9, 30, 70, 140]), verilated)
    nodes = math.prod(size)
    shape = rng.choice([anywhere, queued, tree])
    payloads = rng.choice([[0, 1, 8, 40, 300], [8], [0], [64, 1024]])
    lines = ["id,cycle,source,destination,bytes,after"]
    for i, (cycle, source, destination, after) in enumerate(shape(rng, nodes, rng.choice([20, 130, 130, 300, 700]))):
        lines.append(f"m{i},{cycle},{source},{destination},{rng.choice(payloads)},{';'.join(f'm{j}' for j in after)}")
    limit = ["--cycle-limit", str(rng.randint(1, 400)) if often(rng, 0.05) else "200000"]
    return Case("trace", ["traffic", *options, "--trace", "trace.csv", *limit], size, recordings(rng, "trace", size, ideal),
                {"trace.csv": "\n".join(lines) + "\n"}, ideal, verilated)


# ---- Collectives ------------------------------------------------------------------------------------------------------


def collective(rng, long, verilated, algorithms):
    native = often(rng, 0.7)
    size, ideal, options = network(rng, 36 if native else 12, verilated)
    nodes = math.prod(size)
    operation = rng.choice(OPERATIONS)
    if operation == "transpose" and (len(size) != 2 or size[0] != size[1] or "torus" in " ".join(options)):
        operation = "all-to-all"
    words = ["run", *options, "--operation", operation, "--firmware", "native" if native else "rv32"]
    data = operation not in WITHOUT_DATA
    if data:
        amounts = [0, 8, 64, 240, 600, 1200, 2400] if nodes <= 16 or operation in ("broadcast", "reduce") else [0, 8, 64, 240]
        words += ["--bytes", str(rng.choice([16, 8]) * rng.choice(amounts) if long else rng.choice(amounts))]
    if often(rng, 0.6) and operation != "transpose":
        algorithm = rng.choice(algorithms[operation])
        words += ["--algorithm", algorithm]
        if algorithm in BY_RANK and often(rng, 0.3):
            words += ["--embedding", rng.choice(["rows", "snake"])]
    if operation in REDUCTIONS and often(rng, 0.5):
        words += ["--operator", rng.choice(["sum", "min", "max", "xor"])]
    if operation in ROOTED and often(rng, 0.7):
        words += ["--root", ",".join(str(rng.randrange(n)) for n in size)]
    if skewed := often(rng, 0.25):
        words += ["--skew", str(rng.choice([50, 300, 900]))]
    if data or skewed:
        words += ["--seed", str(rng.randrange(10**6))]
    for chance, option, values in (
            (0.2, "--eager-bytes", [0, 8, 4096]), (0.2, "--alpha", [1, 30, 700]), (0.15, "--gamma", [1, 100, 1500]),
            (0.2, "--memory-flits", [1, 2, 5]), (0.1, "--half-duplex", ["true"]), (0.1, "--mode", ["barrier"]),
            (0.05, "--develop", ["true"]), (0.05, "--combine-lanes", [1, 3])):
        if often(rng, chance):
            words += [option, str(rng.choice(values))]
    if often(rng, 0.03):
        words += ["--cycle-limit", str(rng.randint(200, 3000))]
    return Case("collective", words, size, recordings(rng, "collective", size, ideal), ideal=ideal, verilated=verilated)


def case(rng, long, machine):
    """`long`: some ten thousand cycles in place of some hundred."""
    kind = rng.choice([synthetic, synthetic, synthetic, trace, trace, collective, collective])
    return kind(rng, long, machine.rtl and often(rng, 0.15), machine.algorithms)
