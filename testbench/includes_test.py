#!/usr/bin/env python3
"""No include points up: every folder includes only the folders that docs/internals/architecture.md puts below it.

  testbench/includes_test.py [ROOT]

Prints each include that is not allowed, each allowance that nothing uses any more, rooms that include each other in a
circle, large folders without a row, and each row in which the table of docs/internals/architecture.md says something
else. Exit status 1 if there is any.
"""
import re
import sys
from pathlib import Path

# Folder: the folders (or single headers) that it may include besides itself. A room that stands further down knows
# nothing of those above it. `schedules` is data that both sides read. The table of docs/internals/architecture.md says the same.
MAY_INCLUDE = {
    "base": [],
    "interface": [],
    "reference/schedule": [],
    "reference/trees": ["reference/schedule", "reference/pipelines", "reference/checks/contention.hpp"],
    "reference/edn": ["reference/schedule", "schedules"],
    "reference/pipelines": ["reference/schedule"],
    "reference/two_trees": ["reference/schedule", "reference/pipelines"],
    "reference/intercom": ["reference/schedule", "reference/trees"],
    "reference/rings": ["reference/schedule", "reference/trees"],
    "reference/exchanges": ["reference/schedule"],
    "reference/all_to_all": ["reference/schedule", "reference/rings"],
    "reference/groups": ["reference/schedule", "reference/trees", "reference/pipelines"],
    "reference/all_ports": ["reference/schedule", "reference/rings", "reference/trees"],
    "reference/combs": ["reference/schedule", "reference/trees"],
    "reference/bounds": ["reference/schedule"],
    "reference/costs": ["reference/schedule", "reference/trees", "reference/intercom", "reference/checks"],
    "reference/checks": ["reference/schedule", "reference/intercom"],
    "reference": [],
    "firmware/platform": ["interface", "firmware/address.hpp", "firmware/register_bus.hpp"],
    "firmware/communication": ["firmware/platform"],
    "firmware/collectives/buffers": ["firmware/communication", "firmware/collectives/collective.hpp"],
    "firmware/collectives/players": ["firmware/communication", "firmware/collectives/collective.hpp",
                                     "firmware/collectives/buffers"],
    "firmware/collectives/trees": ["firmware/platform", "firmware/communication",
                                   "firmware/collectives/collective.hpp", "firmware/collectives/buffers",
                                   "firmware/collectives/players"],
    "firmware/collectives/edn": ["firmware/address.hpp", "firmware/platform", "schedules", "firmware/collectives/trees"],
    "firmware/collectives/pipelines": ["firmware/collectives/players"],
    "firmware/collectives/two_trees": ["firmware/collectives/players", "firmware/collectives/pipelines"],
    "firmware/collectives/intercom": ["firmware/platform", "firmware/communication",
                                      "firmware/collectives/collective.hpp", "firmware/collectives/buffers",
                                      "firmware/collectives/players"],
    "firmware/collectives/rings": ["firmware/communication", "firmware/collectives/buffers",
                                   "firmware/collectives/players", "firmware/collectives/trees"],
    "firmware/collectives/exchanges": ["firmware/collectives/players"],
    "firmware/collectives/all_to_all": ["firmware/communication", "firmware/collectives/buffers"],
    "firmware/collectives/groups": ["firmware/platform", "firmware/communication",
                                    "firmware/collectives/collective.hpp", "firmware/collectives/buffers"],
    "firmware/collectives/all_ports": ["firmware/platform", "firmware/collectives/buffers",
                                       "firmware/collectives/players"],
    "firmware/collectives": ["firmware/platform", "firmware/communication"],
    "firmware/kit": ["firmware/native_program.hpp", "firmware/platform", "firmware/communication", "firmware/collectives"],
    "firmware": ["interface"],
    "systemc/network": ["interface/router.hpp", "interface/router_fields.inc"],
    "systemc/analysis": ["base", "systemc/network"],
    "systemc/cut": ["base", "systemc/network"],
    "systemc/kernel": ["systemc/network", "systemc/cut"],
    "systemc/planes": ["systemc/network", "systemc/cut", "systemc/kernel"],
    "systemc/fabric": ["systemc/network", "systemc/cut", "systemc/kernel", "systemc/planes"],
    "systemc/modules": ["systemc/network", "systemc/kernel", "systemc/fabric"],
    "systemc/cosim": ["systemc/network", "systemc/modules"],
    "nic": ["interface", "systemc/network", "firmware/native.hpp"],
    "deadlock": ["base", "systemc/network"],
    "traffic": ["base", "systemc"],
    "waves": ["base", "systemc"],
    "timeline": ["base", "systemc"],
    "simulation/program": ["base", "interface", "nic", "firmware/native.hpp", "firmware/native_program.hpp"],
    "simulation/scenario": ["base", "interface", "reference", "firmware/image.hpp", "systemc/network", "nic", "traffic",
                            "simulation/program"],
    "simulation/debugger": ["base", "interface", "systemc/fabric", "nic"],
    "simulation/machine": ["base", "interface", "reference", "systemc", "nic", "simulation/program", "simulation/scenario",
                           "simulation/debugger"],
    "simulation/recordings": ["base", "interface", "reference", "systemc", "nic", "waves", "timeline", "simulation/program",
                              "simulation/scenario", "simulation/machine"],
    "simulation/results": ["base", "interface", "systemc", "nic", "traffic", "simulation/scenario", "simulation/machine",
                           "simulation/recordings"],
    "simulation/checks": ["reference", "systemc/network", "nic", "simulation/scenario", "simulation/machine",
                          "simulation/results"],
    "simulation": ["base", "systemc", "nic", "traffic"],
    "studies/common": ["base"],
    "studies/shard": ["base"],
    "studies/slurm": ["base", "studies/common", "studies/shard"],
    "studies/cost": ["base", "systemc/network", "simulation/scenario"],
    "studies/schedule": ["base", "reference", "simulation/scenario"],
    "studies/check": ["base", "reference", "systemc", "nic", "simulation", "studies/common", "studies/shard"],
    "studies/tune": ["base", "reference", "systemc/modules", "simulation", "studies/common", "studies/shard", "studies/check"],
    "studies/sweep": ["base", "simulation", "studies/common", "studies/shard", "studies/cost"],
    "studies/reproduce": ["base", "interface", "reference", "firmware/image.hpp", "firmware/schedule_kind.hpp", "systemc/modules", "nic",
                          "simulation", "studies/common", "studies/shard"],
    "studies/tau": ["base", "reference", "simulation", "studies/common", "studies/reproduce"],
    "studies/merge": ["base", "studies/common", "studies/shard", "studies/reproduce"],
    "mpi": ["base"],
    "cli": ["base", "systemc", "deadlock", "waves", "simulation", "studies"],
}
LARGE = 25  # files: a folder with more needs a row of its own
# Headers that the build makes, by name alone.
GENERATED = {"cosim/rtl_registry.inc", "published_data.hpp", "tuned_json.inc", "tuned_tables.inc"}


# What a collective needs, in one header for those who write their own. They put its file into a family's folder, whose other
# files may do without this header.
FOR_AUTHORS = "firmware/collectives/collective.hpp"


def room_of(path):
    """The longest folder of MAY_INCLUDE that holds the path."""
    rooms = [room for room in MAY_INCLUDE if path.startswith(room + "/")]
    return max(rooms, key=len, default=None)


def allowed(room, included):
    mine = room_of(included)
    if mine == room or included.startswith(room + "/") and mine and mine.startswith(room):
        return room
    return next((one for one in MAY_INCLUDE[room] if included == one or included.startswith(one + "/")), None)


def node_of(path):
    """The room of a file; of a header that others may include by its name, the header itself."""
    by_name = any(path in others for others in MAY_INCLUDE.values())
    return path if by_name else room_of(path) or path.split("/")[0]


def circles(edges):
    """Texts of the circles in {(from, to): example}, each once."""
    found, after = [], {}
    for one, other in sorted(edges):
        after.setdefault(one, []).append(other)

    def reaches(start, end, seen):
        if start == end:
            return [start]
        seen.add(start)
        for other in after.get(start, []):
            path = other not in seen and reaches(other, end, seen)
            if path:
                return [start] + path
        return None

    for one, other in sorted(edges):
        path = reaches(other, one, set())
        if path and one == min([one] + path):
            steps = list(zip([one] + path, path))
            found.append("rooms in a circle: " + "; ".join(edges[step] for step in steps))
    return found


def documented(root):
    """The same as MAY_INCLUDE, from the rows "| `room` | what it is | `other` `other` |" of the document."""
    text = (root / "docs/internals/architecture.md").read_text()
    table = text.split("### Who may use whom", 1)[-1].split("\n#", 1)[0]
    rows = re.findall(r"^\| `([^`]+)` \|[^|]*\|([^|]*)\|$", table, re.MULTILINE)
    return {room: re.findall(r"`([^`]+)`", others) for room, others in rows}


def main():
    root = Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).resolve().parent.parent)
    wrong, used, files, edges, sizes = [], set(), 0, {}, {}
    for folder in sorted({room.split("/")[0] for room in MAY_INCLUDE}):
        for path in sorted((root / folder).rglob("*.[ch]pp")):
            files += 1
            name = str(path.relative_to(root))
            room = room_of(name)
            in_folder = str(path.parent.relative_to(root))
            sizes[in_folder] = sizes.get(in_folder, 0) + 1
            for number, line in enumerate(path.read_text().splitlines(), 1):
                found = re.match(r'\s*#include "([^"]+)"', line)
                if not found or found[1] in GENERATED:
                    continue
                if found[1] == FOR_AUTHORS and room.startswith("firmware/collectives/") and FOR_AUTHORS not in MAY_INCLUDE[room]:
                    continue
                by = allowed(room, found[1])
                if by is None:
                    wrong.append(f"{name}:{number}: {room}/ may not include {found[1]}, "
                                 f"only {', '.join(MAY_INCLUDE[room]) or 'itself'}")
                    continue
                used.add((room, by))
                one, other = node_of(name), node_of(found[1])
                if one != other:
                    edges.setdefault((one, other), f"{name} includes {found[1]}")
    wrong += circles(edges)
    wrong += [f"{folder}/ has {count} files: give it a row" for folder, count in sorted(sizes.items())
              if count > LARGE and folder not in MAY_INCLUDE]
    for room, others in MAY_INCLUDE.items():
        wrong += [f"{room}/ includes nothing of {other}: take it off the list" for other in others
                  if (room, other) not in used]
    told = documented(root)
    for room in MAY_INCLUDE.keys() | told.keys():
        if room not in told:
            wrong.append(f"docs/internals/architecture.md: no row for {room}")
        elif set(told[room]) != set(MAY_INCLUDE.get(room, ["no such room"])):
            wrong.append(f"docs/internals/architecture.md: {room} may include {', '.join(MAY_INCLUDE.get(room, [])) or 'nothing'}, "
                         f"the table says {', '.join(told[room]) or 'nothing'}")
    print("\n".join(wrong) or f"{files} files include only what lies below them")
    if files == 0:
        print("found no source files")
    return 1 if wrong or files == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
