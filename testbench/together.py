#!/usr/bin/env python3
"""Puts cases of one GoogleTest program into one process: to start a process, above all one with sanitizers, takes longer
than most cases.

    together.py INTO CTEST-ARGUMENTS...

Writes INTO/CTestTestfile.cmake, for `ctest --test-dir INTO`: the tests that CTest chooses by the arguments, but up to
12 cases of a program as one test, or 4 cases if they run annelid. Cases with the label alone stay alone.
"""
import json
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FILTER = "--gtest_filter="


def chosen(arguments):
    """Name, command and properties of each test. Where its program is not built, CTest is to say so again."""
    text = subprocess.run(["ctest", *arguments, "--show-only=json-v1"], capture_output=True, text=True, check=True).stdout
    for test in json.loads(text)["tests"]:
        yield test["name"], test.get("command", [test["name"]]), {p["name"]: p["value"] for p in test["properties"]}


def environment(arguments):
    """What a preset sets; ctest --test-dir does not ask it."""
    presets = json.loads((ROOT / "CMakePresets.json").read_text())["testPresets"]
    return [f"{key}={value.replace('${sourceDir}', str(ROOT))}" for preset in presets if preset["name"] in arguments
            for key, value in preset.get("environment", {}).items()]


def has_label(properties, label):
    """A case that is not run under sanitizers has one label of several words, such as program-unsanitized."""
    return any(label in words.split("-") for words in properties.get("LABELS", []))


def together(tests):
    """The same, with cases of one program in one test."""
    entries = {}  # by what is the same for all that may share a test: names, command, properties
    for name, command, properties in tests:
        key = name
        if len(command) > 1 and command[1].startswith(FILTER) and not has_label(properties, "alone"):
            # One skipped case would make CTest call the others skipped, even those that failed.
            properties.pop("SKIP_REGULAR_EXPRESSION", None)
            key = json.dumps([command[0], command[2:], properties])
        entries.setdefault(key, (command, properties, []))[2].append((name, command))
    for command, properties, members in entries.values():
        most = 4 if has_label(properties, "program") else 12
        for first in range(0, len(members), most):
            some = members[first:first + most]
            if len(some) == 1:
                yield some[0][0], some[0][1], properties
                continue
            cases = ":".join(command[1].removeprefix(FILTER) for _, command in some)
            name = f"{Path(command[0]).name}.{first + 1}-{first + len(some)}"
            yield name, [command[0], FILTER + cases, *command[2:]], properties


def quoted(value):
    """For CMake. Lists are lists of its own; their elements hold no semicolon."""
    return f"[==[{';'.join(map(str, value)) if isinstance(value, list) else value}]==]"


def main():
    into, arguments = Path(sys.argv[1]), sys.argv[2:]
    into.mkdir(parents=True, exist_ok=True)
    lines = []
    for name, command, properties in together(chosen(arguments)):
        properties = {**properties, "ENVIRONMENT": properties.get("ENVIRONMENT", []) + environment(arguments)}
        settings = " ".join(f"{key} {quoted(value)}" for key, value in properties.items() if value != [])
        lines += [f"add_test({quoted(name)} {' '.join(map(quoted, command))})",
                  f"set_tests_properties({quoted(name)} PROPERTIES {settings})"]
    (into / "CTestTestfile.cmake").write_text("\n".join(lines) + "\n")


main()
