#!/usr/bin/env python3
"""Chooses the router configurations that rtl/configurations.txt lists.

    rtl/configurations.py > rtl/configurations.txt

Every pair of named levels of any two parameters is in some configuration. A greedy covering array:
first the configurations that CI builds, chosen by hand, then again and again the one that covers the
most pairs still missing; among equals the smallest router, then the first. Nothing is random.
testbench/lockstep/coverage_test.cpp counts the pairs of the list without this program.
"""

import tomllib
from functools import reduce
from itertools import combinations, product
from operator import or_
from pathlib import Path

with open(Path(__file__).resolve().parents[1] / "interface/router.toml", "rb") as table:
    ROWS = {row["rtl"]: row for row in tomllib.load(table)["parameter"]}


def codes(parameter):
    """The RTL's codes of an enumeration, by name."""
    return {value["name"]: value["code"] for value in ROWS[parameter]["values"]}


LEVELS = {
    "kind": list(codes("OnePort")),
    "dims": [1, 2, 3],
    "local": ["1", "n", "2n"],
    "vcs": [1, 2, 3, 5, 8],
    "control": ["-", "control"],
    "depth": [1, 2, 4, 64],
    "stages": [1, 2, 3, 4],
    "links": [0, 1, 4],
    "arbiters": list(codes("Arbiters")),
    "routing": list(codes("Routing")),
    "selection": list(codes("VcSelection")),
    "topology": ["mesh", *codes("TorusClasses")],
}
PAIR_BITS = {}  # the bit of each pair

# What a plain checkout builds and tests. The first two are the program's default routers, for
# synthetic traffic and for runs of collectives; network lockstep needs an all-port torus with 2 VCs,
# a one-port mesh, and a pipelined router with three dimensions and link registers. The last has
# channels with the most VCs that there can be.
CI = [
    ("all-port", 2, "2n", 1, "-", 4, 1, 0, "round-robin", "xy", "lowest", "mesh"),
    ("all-port", 2, "2n", 1, "control", 4, 1, 0, "round-robin", "xy", "lowest", "mesh"),
    ("all-port", 2, "n", 2, "-", 2, 2, 1, "matrix", "xy", "lowest", "dateline"),
    ("one-port", 2, "1", 1, "-", 64, 3, 0, "matrix", "xy", "lowest", "mesh"),
    ("all-port", 3, "1", 3, "-", 4, 4, 4, "matrix", "yx", "most-credits", "plh"),
    ("one-port", 2, "1", 2, "control", 1, 4, 1, "round-robin", "xy", "rotating", "dateline"),
    ("all-port", 1, "1", 5, "control", 4, 3, 1, "fixed-priority", "xy", "rotating", "plh"),
]
RINGS = {1: ["x"], 2: ["xy", "x", "y"], 3: ["xyz", "xz", "y", "yz"]}
LOCAL_VCS = [1, 1, 2, 1, 2, 1, 3, 8, 1, 2, 1, 8]
MOST_VCS = 8  # of a channel, those for control packets included


def classes(c):
    """Of VCs in rings."""
    wanted = codes("TorusClasses").get(c[-1], 1)  # a mesh has one
    return wanted if c[3] >= wanted else 1


def possible(c):
    """The rules; everything else can be built."""
    kind, dims, local, vcs, control = c[:5]
    if control == "control" and vcs + classes(c) > MOST_VCS:
        return False  # each class has a VC for control packets
    if kind == "one-port" and local != "1":
        return False  # one injection and one ejection channel
    if kind == "one-port" and c[9] != "xy":
        return False  # its switches follow each other from x to z
    if dims == 1 and local == "n":
        return False  # n = 1 is the level 1
    return True


def local_ports(c):
    return {"1": 1, "n": c[1], "2n": 2 * c[1]}[c[2]]


def pairs(c):
    """A set of pairs of levels, as bits of a number."""
    found = 0
    for pair in combinations(enumerate(c), 2):
        found |= 1 << PAIR_BITS.setdefault(pair, len(PAIR_BITS))
    return found


def size(c):
    """About what its Verilated class costs to compile."""
    ports = 3 * c[1] if c[0] == "one-port" else 2 * c[1] + local_ports(c)
    vcs = c[3] + (classes(c) if c[4] == "control" else 0)
    return ports * (ports + 4 * vcs)


def chosen():
    covered = {c: pairs(c) for c in product(*LEVELS.values()) if possible(c)}
    missing = reduce(or_, covered.values())
    array = list(CI)
    for c in array:
        missing &= ~covered[c]
    while missing:
        best = max(covered, key=lambda c: ((covered[c] & missing).bit_count(), -size(c)))
        missing &= ~covered[best]
        array.append(best)
    return array


def parameters(number, c, ring_turn):
    """Of the RTL, by name."""
    kind, dims, _, vcs, control, depth, stages, links, arbiters, routing, selection, topology = c
    ring = topology != "mesh"
    local_vcs = LOCAL_VCS[number % len(LOCAL_VCS)]
    if control == "control":
        local_vcs = min(local_vcs, MOST_VCS - 1)
    torus = RINGS[dims][ring_turn % len(RINGS[dims])] if ring else ""
    return {
        "OnePort": codes("OnePort")[kind], "Dims": dims, "LocalPorts": local_ports(c), "Vcs": vcs, "LocalVcs": local_vcs,
        "ControlVc": int(control == "control"), "Depth": depth, "Stages": stages, "LinkRegisters": links,
        "Arbiters": codes("Arbiters")[arbiters], "Routing": codes("Routing")[routing],
        "VcSelection": codes("VcSelection")[selection],
        "Torus": sum(1 << "xyz".index(axis) for axis in torus),
        "TorusClasses": codes("TorusClasses")[topology if ring else ROWS["TorusClasses"]["default"]],
        "AllowDeadlock": int(ring and classes(c) == 1),
    }


def main():
    print("# Written by rtl/configurations.py. The rows marked ci are Verilated always, the others with")
    print("# ANNELID_RTL=all. The parameters are those of the RTL, and OnePort=1 is the one-port router.")
    ring_turn = 0
    for number, c in enumerate(chosen()):
        values = parameters(number, c, ring_turn)
        ring_turn += values["Torus"] != 0
        if values.keys() != ROWS.keys():
            raise KeyError(f"not the parameters of router.toml: {values.keys() ^ ROWS.keys()}")
        print(*(f"{name}={value}" for name, value in values.items()), "ci" if number < len(CI) else "full")


if __name__ == "__main__":
    main()
