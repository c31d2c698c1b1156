#!/usr/bin/env python3
"""Chooses the router configurations that rtl/configurations.txt lists.

    rtl/configurations.py > rtl/configurations.txt

Every pair of named levels of any two parameters is in some configuration. A greedy covering array:
first the configurations that CI builds, chosen by hand, then again and again the one that covers the
most pairs still missing; among equals the smallest router, then the first. Nothing is random.
testbench/lockstep/coverage_test.cpp counts the pairs of the list without this program.
"""

import tomllib
from functools import cache, reduce
from heapq import heapify, heapreplace
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
    "allocator": list(codes("Allocator")),
    "iterations": [1, 2, 4],
}
BODY = 12  # the parameters before these two, which exclude none of their levels
ENDS = [(allocator, rounds) for allocator, rounds in product(LEVELS["allocator"], LEVELS["iterations"])
        if allocator != "wavefront" or rounds == 1]  # it has no rounds
BODY_LEVELS = list(LEVELS.values())[:BODY]
PAIR_BITS = {}  # the bit of each pair

# What a plain checkout builds and tests. The first two are the program's default routers, for
# synthetic traffic and for runs of collectives; network lockstep needs an all-port torus with 2 VCs,
# a one-port mesh, and a pipelined router with three dimensions and link registers. The seventh has
# channels with the most VCs that there can be. Each of the last six has a routing function of its
# own, the turn models with one to four stages. The first of them has the most classes that fit with
# control VCs, which is with 4 VCs alone, and that is no level.
CI = [
    ("all-port", 2, "2n", 1, "-", 4, 1, 0, "round-robin", "xy", "lowest", "mesh", "input-first", 1),
    ("all-port", 2, "2n", 1, "control", 4, 1, 0, "round-robin", "xy", "lowest", "mesh", "input-first", 1),
    ("all-port", 2, "n", 2, "-", 2, 2, 1, "matrix", "xy", "lowest", "dateline", "output-first", 1),
    ("one-port", 2, "1", 1, "-", 64, 3, 0, "matrix", "xy", "lowest", "mesh", "wavefront", 1),
    ("all-port", 3, "1", 3, "-", 4, 4, 4, "matrix", "yx", "most-credits", "plh", "output-first", 2),
    ("one-port", 2, "1", 2, "control", 1, 4, 1, "round-robin", "xy", "rotating", "dateline", "input-first", 2),
    ("all-port", 1, "1", 5, "control", 4, 3, 1, "fixed-priority", "xy", "rotating", "plh", "input-first", 4),
    ("all-port", 2, "n", 4, "control", 2, 2, 0, "round-robin", "o1turn", "lowest", "dateline", "wavefront", 1),
    ("all-port", 3, "1", 2, "-", 1, 1, 0, "matrix", "o1turn", "rotating", "mesh", "output-first", 4),
    ("all-port", 2, "2n", 1, "-", 2, 1, 4, "round-robin", "west-first", "rotating", "mesh", "output-first", 1),
    ("all-port", 2, "n", 3, "control", 4, 2, 0, "matrix", "north-last", "most-credits", "mesh", "input-first", 2),
    ("all-port", 2, "1", 2, "-", 4, 3, 1, "round-robin", "negative-first", "lowest", "mesh", "wavefront", 1),
    ("all-port", 2, "n", 2, "control", 2, 4, 0, "round-robin", "odd-even", "most-credits", "mesh", "output-first", 4),
]
RINGS = {1: ["x"], 2: ["xy", "x", "y"], 3: ["xyz", "xz", "y", "yz"]}
LOCAL_VCS = [1, 1, 2, 1, 2, 1, 3, 8, 1, 2, 1, 8]
MOST_VCS = 8  # of a channel, those for control packets included


TURN_MODELS = ["west-first", "north-last", "negative-first", "odd-even"]


def wanted_classes(c):
    """Of the channels that have most: those of a ring (a mesh has one), for each order of dimensions."""
    return codes("TorusClasses").get(c[11], 1) * (2 if c[9] == "o1turn" else 1)


def classes(c):
    """None if there are too few VCs."""
    return wanted_classes(c) if c[3] >= wanted_classes(c) else 1


def possible(c):
    """The rules of a body; everything else can be built."""
    kind, dims, local, vcs, control = c[:5]
    if control == "control" and vcs + classes(c) > MOST_VCS:
        return False  # each class has a VC for control packets
    if kind == "one-port" and local != "1":
        return False  # one injection and one ejection channel
    if kind == "one-port" and c[9] != "xy":
        return False  # its switches follow each other from x to z
    if c[9] in TURN_MODELS and (dims, c[11]) != (2, "mesh"):
        return False  # they are rules of two dimensions without rings
    if dims == 1 and local == "n":
        return False  # n = 1 is the level 1
    return True


def local_ports(c):
    return {"1": 1, "n": c[1], "2n": 2 * c[1]}[c[2]]


def bit(pair):
    return 1 << PAIR_BITS.setdefault(pair, len(PAIR_BITS))


def pairs(c):
    """A set of pairs of levels, as bits of a number."""
    return reduce(or_, map(bit, combinations(enumerate(c), 2)))


@cache
def pairs_with(place, level, end):
    """Those of a body's level with an end."""
    return reduce(or_, (bit(((place, level), other)) for other in enumerate(end, BODY)))


@cache
def pairs_within(end):
    return bit(tuple(enumerate(end, BODY)))


class Missing:
    """Pairs that no router has yet, and how many of them each end adds to a body: a byte for each end."""

    def __init__(self, found):
        self.pairs = found
        self.within = self.counts(pairs_within)
        self.with_levels = [{level: self.counts(lambda end, p=place, at=level: pairs_with(p, at, end)) for level in levels}
                            for place, levels in enumerate(BODY_LEVELS)]

    def counts(self, of_end):
        return int.from_bytes(((of_end(end) & self.pairs).bit_count() for end in ENDS), "little")

    def best(self, body, of_body):
        """The most missing pairs that the body covers with an end, and the first such end; `of_body` are its own pairs."""
        added = self.within
        for counts, level in zip(self.with_levels, body):
            added += counts[level]
        by_end = added.to_bytes(len(ENDS), "little")
        most = max(by_end)
        return (of_body & self.pairs).bit_count() + most, ENDS[by_end.index(most)]


def size(c):
    """About what its Verilated class costs to compile."""
    ports = 3 * c[1] if c[0] == "one-port" else 2 * c[1] + local_ports(c)
    vcs = c[3] + (classes(c) if c[4] == "control" else 0)
    return ports * (ports + 4 * vcs)


def chosen():
    bodies = [body for body in product(*BODY_LEVELS) if possible(body)]
    of_bodies = [pairs(body) for body in bodies]
    found = reduce(or_, of_bodies)
    for end in ENDS:
        found |= pairs_within(end)
        for place, levels in enumerate(BODY_LEVELS):
            found |= reduce(or_, (pairs_with(place, level, end) for level in levels))
    array = list(CI)
    missing = Missing(reduce(lambda rest, c: rest & ~pairs(c), array, found))
    # The most missing pairs first, then the smallest, then the first. Counts only go down, so the
    # first of the heap is the best one if its count has stayed.
    heap = [(-missing.best(body, of_bodies[place])[0], size(body), place) for place, body in enumerate(bodies)]
    heapify(heap)
    while missing.pairs:
        count, of_size, place = heap[0]
        now, end = missing.best(bodies[place], of_bodies[place])
        if -now != count:
            heapreplace(heap, (-now, of_size, place))
            continue
        array.append((*bodies[place], *end))
        missing = Missing(missing.pairs & ~pairs(array[-1]))
    return array


def parameters(number, c, ring_turn):
    """Of the RTL, by name."""
    kind, dims, _, vcs, control, depth, stages, links, arbiters, routing, selection, topology = c[:BODY]
    allocator, iterations = c[BODY:]
    ring = topology != "mesh"
    local_vcs = LOCAL_VCS[number % len(LOCAL_VCS)]
    if control == "control":
        local_vcs = min(local_vcs, MOST_VCS - 1)
    torus = RINGS[dims][ring_turn % len(RINGS[dims])] if ring else ""
    return {
        "OnePort": codes("OnePort")[kind], "Dims": dims, "LocalPorts": local_ports(c), "Vcs": vcs, "LocalVcs": local_vcs,
        "ControlVc": int(control == "control"), "Depth": depth, "Stages": stages, "LinkRegisters": links,
        "Arbiters": codes("Arbiters")[arbiters], "Allocator": codes("Allocator")[allocator], "Iterations": iterations,
        "Routing": codes("Routing")[routing], "VcSelection": codes("VcSelection")[selection],
        "Torus": sum(1 << "xyz".index(axis) for axis in torus),
        "TorusClasses": codes("TorusClasses")[topology if ring else ROWS["TorusClasses"]["default"]],
        "AllowDeadlock": int(c[3] < wanted_classes(c)),
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
