#!/usr/bin/env python3
"""Holds numbers in the prose of pages against the commands that print them (numbers.toml).

  numbers_test.py                            each text of the list stands once on its page, with a number
  numbers_test.py --program ANNELID          runs the commands, too, and compares
  numbers_test.py --program ANNELID --update     writes the numbers that came out into the pages
"""
import argparse
import re
import shlex
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
LISTED = tomllib.loads((HERE / "numbers.toml").read_text())
NUMBER = r"(\d[\d,]*(?:\.\d+)?)"


def pattern_of(says):
    """A text of a page, whose words may stand in several lines."""
    before, after = (r"\s+".join(map(re.escape, part.split(" "))) for part in says.split("{}"))
    return re.compile(f"({before}){NUMBER}({after})")


def place_of(number, text):
    """The match, whose group 2 is the number."""
    found = list(pattern_of(number["says"]).finditer(text))
    if len(found) != 1:
        raise ValueError(f"{number['page']}: {len(found)} places say {number['says']!r}, expected one")
    return found[0]


def printed(number, program):
    """What the command prints, as the page writes it."""
    words = shlex.split(number["command"])
    with tempfile.TemporaryDirectory(prefix="annelid-numbers-") as folder:
        done = subprocess.run([program, *words[1:]], cwd=folder, capture_output=True, text=True)
    found = re.findall(number.get("find", LISTED["cycles"]["find"]), done.stdout, re.M)
    if done.returncode != 0 or len(found) != 1:
        raise ValueError(f"{number['command']}: status {done.returncode}, {len(found)} numbers\n{done.stderr}")
    return f"{int(found[0]):,}" if found[0].isdigit() else found[0]


def wrong_of(number, program, update):
    """What is wrong with a number, and writes the right one if asked to."""
    page = ROOT / number["page"]
    text = page.read_text()
    place = place_of(number, text)
    if program is None or (found := printed(number, program)) == place[2]:
        return None
    if update:
        page.write_text(text[:place.start(2)] + found + text[place.end(2):])
        return None
    return f"{number['page']}: {number['says']!r} has {place[2]}, but {number['command']} prints {found}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", type=lambda text: str(Path(text).resolve()))
    parser.add_argument("--update", action="store_true")
    arguments = parser.parse_args()
    wrong = []
    for number in LISTED["number"]:
        try:
            wrong.append(wrong_of(number, arguments.program, arguments.update))
        except ValueError as error:
            wrong.append(str(error))
    for problem in filter(None, wrong):
        print(problem)
    return 1 if any(wrong) else 0


if __name__ == "__main__":
    sys.exit(main())
