#!/usr/bin/env python3
"""Tests `commands.py run --update`: a page whose printed outputs are spoilt becomes the page that it was.

  printed_test.py --program ANNELID
"""
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from printed import first_difference, stale_numbers, updated

SOURCE = Path(__file__).resolve().parent.parent.parent
PAGE = "docs/tutorials/hardware-engineer.md"  # has gaps between lines and within lines
OUTPUT = re.compile(r"prints:\n\n```text\n(.*?)```", re.S)
PROGRAM = None


def spoilt(text):
    """Other digits, and one line too many."""
    return "no program prints this\n" + re.sub(r"\d", lambda d: str((int(d.group()) + 1) % 10), text)


class Updated(unittest.TestCase):
    def check(self, shown, printed, expected):
        self.assertEqual(updated(shown, printed), expected)
        self.assertIsNone(first_difference(expected, printed))

    def test_numbers_change_and_the_rest_stays(self):
        self.check("cycles 4607\nmessages 63\n", "cycles 4711\nmessages 63\n", "cycles 4711\nmessages 63\n")

    def test_a_gap_between_lines_stays(self):
        self.check("first 1\n...\nlast 9\n", "first 2\nsecond 3\nthird 4\nlast 8\n", "first 2\n...\nlast 8\n")

    def test_a_gap_within_a_line_stays(self):
        self.check("cycles 4607  (simulated in ... s)\n", "cycles 4711  (simulated in 0.13 s)\n",
                   "cycles 4711  (simulated in ... s)\n")
        self.check("simulated 15052 cycles in ... s: ...\n", "simulated 15000 cycles in 1.5 s: 7 flits/s\n",
                   "simulated 15000 cycles in ... s: ...\n")

    def test_rows_of_a_table_before_a_gap_are_its_first_rows(self):
        self.check("step  in\n  1   5\n  2   6\n...\n", "step  in\n  1   7\n  2   8\n  3   9\n  4   9\n",
                   "step  in\n  1   7\n  2   8\n...\n")

    def test_a_row_between_gaps_is_the_one_that_is_most_like_it(self):
        self.check("...\n  3  1,0>3,1  2611\n...\n", "a\n  2  2,7>1,0  2250\n  3  1,0>3,1  2700\n  4  5,7>6,0  2800\n",
                   "...\n  3  1,0>3,1  2700\n...\n")

    def test_lines_come_and_go(self):
        self.check("head\nheld  bytes\nend\n", "head\nresult  runs/x.json\nmore\nend\n",
                   "head\nresult  runs/x.json\nmore\nend\n")

    def test_an_output_that_fits_stays_as_it_is(self):
        self.check("a ... b\n...\n", "a 1 b\nc\n", "a ... b\n...\n")


class Stale(unittest.TestCase):
    def test_the_prose_still_has_a_number_that_is_gone(self):
        page = "It takes 4,607 cycles.\n```text\ncycles 4607\n```\nNot 63.\nBut 4,608, and 4607 again.\n"
        self.assertEqual(list(stale_numbers(page, "cycles 4607, 63\n", "cycles 4711\n")), [(1, "4607"), (6, "4607")])
        self.assertEqual(list(stale_numbers(page, "cycles 4607\n", "cycles 4607\n")), [])


class Page(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="annelid-update-")
        self.addCleanup(folder.cleanup)
        self.copy = Path(folder.name)
        for name in ["docs", "examples", "scenarios", "scripts", "testbench/documented", "tuned"]:
            shutil.copytree(SOURCE / name, self.copy / name)
        shutil.copy(SOURCE / "README.md", self.copy)
        self.page = self.copy / PAGE

    def run_page(self, *options):
        return subprocess.run([self.copy / "testbench/documented/commands.py", "run", PAGE, "--program", PROGRAM,
                               "--without-rtl", *options], capture_output=True, text=True)

    def test_a_spoilt_page_is_mended(self):
        good = self.page.read_text()
        outputs = len(OUTPUT.findall(good))
        self.assertGreater(outputs, 3)
        bad = OUTPUT.sub(lambda m: m.group().replace(m.group(1), spoilt(m.group(1))), good)
        self.page.write_text(bad)
        self.assertEqual(self.run_page().returncode, 1)
        self.assertEqual(self.page.read_text(), bad, "without --update")
        done = self.run_page("--update")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual(self.page.read_text(), good)
        self.assertIn(f"{outputs} outputs updated", done.stdout)

    def test_nothing_is_written_if_a_command_fails(self):
        bad = self.page.read_text().replace("4607", "4608") + "\n```sh\nannelid run no-such.toml\n```\n"
        bad = OUTPUT.sub(lambda m: m.group().replace(m.group(1), spoilt(m.group(1))), bad)
        self.page.write_text(bad)
        self.assertEqual(self.run_page("--update").returncode, 1)
        self.assertEqual(self.page.read_text(), bad)


if __name__ == "__main__":
    at = sys.argv.index("--program")
    PROGRAM = Path(sys.argv[at + 1]).resolve()
    del sys.argv[at:at + 2]
    unittest.main()
