#!/usr/bin/env python3
"""Writes the networks of this folder, which `annelid deadlock --network` judges.

  scenarios/deadlock/networks.py          writes them
  scenarios/deadlock/networks.py --check  says which files differ; exit status 1 if there are any

docs/reference/deadlock-files.md describes the format, and is the place to learn it. Copy this script to make a network of
your own: `Network` writes the lines, and `minimal_routes` makes the routes of a mesh from a rule for turns.
"""
import sys
from pathlib import Path

FOLDER = Path(__file__).resolve().parent
STEPS = {"+x": (1, 0), "-x": (-1, 0), "+y": (0, 1), "-y": (0, -1)}


class Network:
    def __init__(self, title, switching="wormhole"):
        self.lines = [f"# {line}" for line in title.split("\n")]
        self.lines += ["# Written by networks.py.", f"switching {switching}", ""]

    def add(self, *words):
        self.lines.append(" ".join(str(word) for word in words))

    def blank(self):
        self.lines.append("")

    def text(self):
        return "\n".join(self.lines) + "\n"


def node_name(x, y):
    return f"{x},{y}"


class Mesh:
    """The nodes of a mesh, and channels between neighbours, each named by the node that it leaves and its direction."""

    def __init__(self, columns, rows):
        self.columns, self.rows = columns, rows
        self.nodes = [(x, y) for y in range(rows) for x in range(columns)]

    def neighbour(self, node, step):
        x, y = node[0] + STEPS[step][0], node[1] + STEPS[step][1]
        return (x, y) if 0 <= x < self.columns and 0 <= y < self.rows else None

    def write(self, network, vcs):
        for node in self.nodes:
            network.add("node", node_name(*node), *node)
        network.blank()
        for node in self.nodes:
            for step in STEPS:
                there = self.neighbour(node, step)
                if there:
                    network.add("channel", node_name(*node) + step, node_name(*node), node_name(*there), vcs)
        network.blank()

    def towards(self, node, to):
        """The directions that bring a packet nearer."""
        dx, dy = to[0] - node[0], to[1] - node[1]
        return [step for step, (x, y) in STEPS.items() if x * dx > 0 or y * dy > 0]


def minimal_routes(mesh, may_turn):
    """All minimal routes on which each turn is permitted: {(node, incoming direction or None, destination): directions}.

    A direction after which no permitted way leads to the destination is left out."""
    routes = {}

    def choices(node, arrived, to):
        if node == to:
            return True
        if (node, arrived, to) not in routes:
            routes[node, arrived, to] = [
                step for step in mesh.towards(node, to)
                if (arrived in (None, step) or may_turn(node, arrived, step))
                and choices(mesh.neighbour(node, step), step, to)]
        return routes[node, arrived, to]

    for node in mesh.nodes:
        for to in mesh.nodes:
            choices(node, None, to)
    return routes


def write_routes(network, mesh, routes, next_vcs, held_vcs):
    """The routes of minimal_routes(); next_vcs(node, to, directions) are the words after the colon."""
    for (node, arrived, to), steps in sorted(routes.items(), key=lambda item: (str(item[0][1]), item[0][0], item[0][2])):
        if not steps:
            continue
        if arrived is None:
            held = ["@" + node_name(*node)]
        else:
            before = (node[0] - STEPS[arrived][0], node[1] - STEPS[arrived][1])
            held = [node_name(*before) + arrived + suffix for suffix in held_vcs]
        for one in held:
            network.add("route", one, node_name(*to) + ":", *next_vcs(node, to, steps))


def turn_model(title, may_turn, size=4):
    network, mesh = Network(title), Mesh(size, size)
    mesh.write(network, 1)
    write_routes(network, mesh, minimal_routes(mesh, may_turn),
                 lambda node, to, steps: [node_name(*node) + step for step in steps], [""])
    return network.text()


def west_first(node, arrived, step):
    return step != "-x"


def one_turn_more(node, arrived, step):
    return step != "-x" or arrived == "+y"


def north_last(node, arrived, step):
    return arrived != "+y"


def negative_first(node, arrived, step):
    return not (arrived[0] == "+" and step[0] == "-")


def odd_even(node, arrived, step):
    if node[0] % 2 == 0:
        return not (arrived == "+x" and step in ("+y", "-y"))
    return not (arrived in ("+y", "-y") and step == "-x")


def adaptive(title, switching, escape):
    """Any minimal direction; with an escape, VC 0 of a channel is adaptive, and VC 1 the escape, first x and then y."""
    network, mesh = Network(title, switching), Mesh(3, 3)
    mesh.write(network, 2 if escape else 1)
    routes = minimal_routes(mesh, lambda node, arrived, step: True)

    def next_vcs(node, to, steps):
        if not escape:
            return [node_name(*node) + step for step in steps]
        first = [step for step in steps if step.endswith("x")] or steps
        return [node_name(*node) + step + ".0" for step in steps] + [node_name(*node) + first[0] + ".1!"]

    write_routes(network, mesh, routes, next_vcs, [""])
    return network.text()


def ring(title, switching, kind, size=4):
    """A ring in one direction. kind: plain, dateline (VC 0 before the channel to n0, VC 1 after it) or bubble."""
    network = Network(title, switching)
    places = [(0, 0), (1, 0), (1, 1), (0, 1)]
    for n in range(size):
        network.add("node", f"n{n}", *places[n])
    network.blank()
    for n in range(size):
        network.add("channel", f"c{n}", f"n{n}", f"n{(n + 1) % size}", 2 if kind == "dateline" else 1)
    if kind == "bubble":
        network.add("bubble", "ring", *[f"c{n}" for n in range(size)])
    network.blank()
    for n in range(size):
        for to in range(size):
            if n == to:
                continue
            vc = "" if kind != "dateline" else ".0" if to < n else ".1"
            network.add("route", f"@n{n}", f"n{to}:", f"c{n}{vc}")
            before = (n - 1) % size
            for held in [""] if kind != "dateline" else [".0", ".1"]:
                network.add("route", f"c{before}{held}", f"n{to}:", f"c{n}{vc}")
    return network.text()


def request_reply(title, own_vcs):
    """A line of three nodes. Each request waits at its destination until there is room for the reply."""
    network = Network(title)
    for n, name in enumerate("abc"):
        network.add("node", name, n, 0)
    network.blank()
    vcs = 2 if own_vcs else 1
    for one, other in ("ab", "bc", "cb", "ba"):
        network.add("channel", one + other, one, other, vcs)
    network.blank()
    network.add("class request reply")
    network.add("answer request reply")
    network.blank()
    for cls, vc in ("request", ".0"), ("reply", ".1" if own_vcs else ".0"):
        for here, to, held, leave in (
                ("a", "b", [], "ab"), ("a", "c", [], "ab"), ("b", "c", ["ab"], "bc"),
                ("b", "a", ["cb"], "ba"), ("c", "b", [], "cb"), ("c", "a", [], "cb")):
            for one in ["@" + here] + [channel + vc for channel in held]:
                network.add("route", one, to, cls + ":", leave + vc)
    return network.text()


NETWORKS = {
    "west-first": lambda: turn_model("West-first on a 4x4 mesh: no turn to -x, so a packet goes to -x first.", west_first),
    "north-last": lambda: turn_model("North-last on a 4x4 mesh: no turn from +y, so a packet goes to +y last.", north_last),
    "negative-first": lambda: turn_model("Negative-first on a 4x4 mesh: no turn from + to -.", negative_first),
    "odd-even": lambda: turn_model(
        "Odd-even on a 4x4 mesh (Chiu 2000): in even columns no turn from +x to y, in odd ones none from y to -x.",
        odd_even),
    "west-first-broken": lambda: turn_model(
        "Like west-first, but the turn from +y to -x is permitted, too: refused.", one_turn_more),
    "adaptive": lambda: adaptive("Every minimal way in a 3x3 mesh, without an escape: refused.", "wormhole", False),
    "adaptive-escape": lambda: adaptive(
        "Every minimal way in a 3x3 mesh, with an escape: VC 1, first x and then y (Duato).", "wormhole", True),
    "adaptive-escape-shared": lambda: adaptive(
        "Like adaptive-escape, but a buffer holds flits of several packets: not proved, so refused. A packet behind\n"
        "another one in a buffer cannot take the escape.", "shared", True),
    "ring": lambda: ring("A ring of four nodes with one virtual channel: refused.", "wormhole", "plain"),
    "ring-dateline": lambda: ring("A ring of four nodes with dateline classes.", "wormhole", "dateline"),
    "ring-cut-through": lambda: ring("A ring of four nodes with one virtual channel and cut-through: refused.",
                                     "cut-through", "plain"),
    "ring-bubble": lambda: ring("A ring of four nodes that a packet enters only where there is room for two.",
                                "cut-through", "bubble"),
    "request-reply": lambda: request_reply("Requests and replies in virtual channels of their own.", True),
    "request-reply-shared": lambda: request_reply(
        "Requests and replies in the same virtual channels: refused. Replies wait behind requests, which wait for them.",
        False),
}


def main():
    wrong = []
    for name, make in NETWORKS.items():
        file = FOLDER / f"{name}.network"
        if "--check" in sys.argv[1:]:
            if not file.exists() or file.read_text() != make():
                wrong.append(file.name)
        else:
            file.write_text(make())
    wrong += [file.name for file in sorted(FOLDER.glob("*.network")) if file.stem not in NETWORKS]
    for name in wrong:
        print(f"scenarios/deadlock/{name}: not what networks.py writes")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
