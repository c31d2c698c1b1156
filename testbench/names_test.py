#!/usr/bin/env python3
"""The list of tests can be read, and is the same in every build: no name holds bytes, addresses or values that gtest
printed, and every INSTANTIATE_TEST_SUITE_P names its parameters.

    names_test.py BUILD

Prints each name and each place that is wrong. Exit status 1 if there is any.
"""
import json
import re
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
READABLE = re.compile(r"[A-Za-z0-9_./-]+")


def listed(build):
    text = subprocess.run(["ctest", "--test-dir", build, "--show-only=json-v1"], capture_output=True, text=True,
                          check=True).stdout
    return [test["name"] for test in json.loads(text)["tests"]]


def arguments(text, begin):
    """The number of arguments of a call, from behind its opening parenthesis. Strings may hold anything."""
    depth, commas = 1, 0
    for token in re.finditer(r'"(?:\\.|[^"\\])*"|[()\[\]{},]', text[begin:]):
        if token.group() in "([{":
            depth += 1
        elif token.group() in ")]}":
            depth -= 1
            if depth == 0:
                return commas + 1
        elif token.group() == "," and depth == 1:
            commas += 1
    raise ValueError("no end")


def unnamed():
    """Places of suites whose parameters have no names."""
    for path in sorted(HERE.rglob("*.cpp")):
        text = path.read_text()
        for found in re.finditer(r"INSTANTIATE_TEST_SUITE_P\(", text):
            if arguments(text, found.end()) < 4:
                line = text.count("\n", 0, found.start()) + 1
                yield f"{path.relative_to(HERE.parent)}:{line}"


def main():
    tests = listed(sys.argv[1])
    wrong = [f"{name}: found a character that no name has" for name in tests if not READABLE.fullmatch(name)]
    wrong += [f"{place}: found no name generator, expected test::ParameterName() or another" for place in unnamed()]
    print("\n".join(wrong) or f"{len(tests)} names can be read")
    sys.exit(1 if wrong or not tests else 0)


main()
