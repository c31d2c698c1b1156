#!/usr/bin/env python3
"""The three lists of the routers' sources say the same, in the same order: rtl/rtl.f, rtl/annelid.core
(FuseSoC) and Bender.yml. Reads them as text, so neither tool is needed.

    file_lists.py [ROOT]

ROOT is the folder of rtl/ and Bender.yml, by default that of the project. Every listed file must exist,
and every .sv file of rtl/ must be listed. annelid.core names the files that they include, too. The NIC's units have the list
rtl/nic/nic.f, and every .sv file of rtl/nic/ must be in it.
"""
import pathlib
import re
import sys

PROJECT = pathlib.Path(__file__).resolve().parents[2]
ROOT = pathlib.Path(sys.argv[1]).resolve() if len(sys.argv) > 1 else PROJECT


def manifest(path):
    """The .sv files that a YAML file lists, as paths from ROOT: a manifest names them from its own folder."""
    entries = re.findall(r"^ *- *(\S+\.sv)\s*$", path.read_text(), re.MULTILINE)
    return [(path.parent / entry).relative_to(ROOT).as_posix() for entry in entries]


def difference(name, files, expected):
    """What is wrong with a list, None if nothing."""
    if files == expected:
        return None
    for kind, some, others in (("lacks", expected, files), ("names", files, expected)):
        odd = [file for file in some if file not in others]
        if odd:
            return f"{name} {kind} {', '.join(odd)}" + (", which rtl/rtl.f does not" if kind == "names" else "")
    return f"{name} has another order, or a file twice, than rtl/rtl.f"


def main():
    expected = [f"rtl/{name}" for name in (ROOT / "rtl/rtl.f").read_text().split()]
    present = sorted(path.relative_to(ROOT).as_posix() for path in (ROOT / "rtl").glob("*.sv"))
    errors = [] if sorted(expected) == present else [
        f"rtl/rtl.f and the folder differ: {', '.join(sorted(set(expected) ^ set(present)))}"]
    for name in ("rtl/annelid.core", "Bender.yml"):
        errors.append(difference(name, manifest(ROOT / name), expected))

    units = {name for name in (ROOT / "rtl/nic/nic.f").read_text().split() if not name.startswith("../")}
    present = {path.name for path in (ROOT / "rtl/nic").glob("*.sv")}
    if units != present:
        errors.append(f"rtl/nic/nic.f and the folder differ: {', '.join(sorted(units ^ present))}")

    included = set(re.findall(r"(\w+\.svh): \{is_include_file: true\}", (ROOT / "rtl/annelid.core").read_text()))
    headers = {path.name for path in (ROOT / "rtl").glob("*.svh")}
    if included != headers:
        errors.append(f"rtl/annelid.core and the folder differ: {', '.join(sorted(included ^ headers))}")

    # A release of the core is one of the project.
    core = re.search(r"^name: annelid:noc:router:(\S+)$", (ROOT / "rtl/annelid.core").read_text(), re.MULTILINE)
    project = re.search(r"^project\(annelid VERSION (\S+)", (PROJECT / "CMakeLists.txt").read_text(), re.MULTILINE)
    if not core or not project or core[1] != project[1]:
        errors.append("rtl/annelid.core and CMakeLists.txt name different versions")

    errors = [error for error in errors if error]
    for error in errors:
        print(f"file_lists: {error}", file=sys.stderr)
    if not errors:
        print(f"{len(expected)} files in rtl/rtl.f, rtl/annelid.core and Bender.yml")
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
