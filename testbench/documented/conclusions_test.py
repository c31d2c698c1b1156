#!/usr/bin/env python3
"""Tests what judges the conclusions of pages (conclusions.py): a conclusion that does not hold is found, and so is one
that nothing can refute.

  conclusions_test.py --program ANNELID
"""
import copy
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from conclusions import Conclusions, sentences

SOURCE = Path(__file__).resolve().parent.parent.parent
PROGRAM = None

PAGE = """# Two rings

The second ring is **twice** as fast as [the first](first.md), by 63 cycles.

| ring | cycles |
|---|---|
| first | 126 flits |
| … short | 1,260 |
"""
COMMANDS = ["annelid run first.toml", "annelid run second.toml"]
PRINTED = ["cycles 126\n", "cycles 63\n"]
LISTED = {
    "values": {"first": {"command": "first.toml", "find": r"cycles (\d+)"},
               "second": {"command": "second.toml", "find": r"cycles (\d+)"}},
    "claim": [{"says": "The second ring is twice as fast as the first, by 63 cycles.",
               "holds": "first / second == 2 and first - second == 63"}]}


class Judged(unittest.TestCase):
    """Each test changes one thing of a page that is right."""

    def setUp(self):
        self.page, self.listed, self.printed = PAGE, copy.deepcopy(LISTED), dict(zip(COMMANDS, PRINTED))
        self.claim, self.left_out = self.listed["claim"][0], set()

    def judged(self):
        conclusions = Conclusions(self.page, COMMANDS, self.listed)
        for command, printed in self.printed.items():
            conclusions.note(command, printed, Path("."))
        problems = conclusions.judge(self.left_out)
        return problems, conclusions

    def finds(self, *texts):
        problems, _ = self.judged()
        for text in texts:
            self.assertIn(text, "\n".join(problems))

    def value(self, source, holds):
        self.listed["values"] = {"v": source}
        self.claim["holds"] = f"{holds} and v != 63"  # the number of the sentence

    def test_a_page_that_is_right(self):
        problems, conclusions = self.judged()
        self.assertEqual((problems, conclusions.evaluated), ([], 1))

    def test_a_wrong_ratio(self):
        self.printed[COMMANDS[1]] = "cycles 64\n"
        self.finds("63 cycles.: not true", "'second': 64.0")

    def test_a_sentence_that_the_page_no_longer_has(self):
        self.page = PAGE.replace("The second", "Another")
        self.finds("no sentence or row of the page is: The second ring", "nothing evaluates: Another ring")

    def test_a_new_sentence_that_compares(self):
        self.page += "\nThe third one is slower. It has a name.\n"
        self.finds("nothing evaluates: The third one is slower.")
        self.assertEqual(len(self.judged()[0]), 1)

    def test_sentences_that_compare(self):
        for text in ["It gains nothing.", "It takes 7 % of it.", "Both cost a third of it.", "It is as large as that.",
                     "That is 1.5 times the load.", "The files are equal.", "It loses.", "None is better than it.",
                     "This doubles it.", "It is the largest of all.", "At least 7 do.", "All agree, byte for byte.",
                     "They take as long together as either would alone.", "It is the busiest: more than half."]:
            self.page = f"{PAGE}\n{text}\n"
            self.finds(f"nothing evaluates: {text}")

    def test_an_exemption_with_a_gap(self):
        self.page += "\nThe third one has 12 more.\n"
        self.listed["exempt"] = {"a reason": ["The ... one has ... more."]}
        self.assertEqual(self.judged()[0], [])

    def test_an_exemption_of_nothing(self):
        self.listed["exempt"] = {"a reason": ["It is faster."]}
        self.finds("no sentence that compares, and has no claim, is: It is faster.")

    def test_a_command_that_fails(self):
        del self.printed[COMMANDS[1]]
        self.finds("nothing gave a value to second")

    def test_a_long_command_that_is_left_out(self):
        del self.printed[COMMANDS[1]]
        self.left_out = {COMMANDS[1]}
        problems, conclusions = self.judged()
        self.assertEqual((problems, conclusions.evaluated, conclusions.left_out), ([], 0, 1))

    def test_a_command_that_no_page_shows(self):
        self.listed["values"]["second"]["command"] = "third.toml"
        self.finds("0 commands of the page have 'third.toml'")

    def test_a_part_of_two_commands(self):
        self.listed["values"]["second"]["command"] = "annelid run"
        self.finds("2 commands of the page have 'annelid run'")

    def test_text_that_is_not_printed_once(self):
        self.printed[COMMANDS[1]] = "cycles 63\ncycles 63\n"
        self.finds("2 places fit")

    def test_an_expression_without_a_value(self):
        self.claim["holds"] = "126 / 63 == 2"
        self.finds("no value of the page is in", "no claim uses the value first")

    def test_an_expression_that_cannot_fail(self):
        self.claim["holds"] = "first - 63 == 63 and second * 0 == 0"
        self.finds("true whatever second is")

    def test_a_number_that_the_expression_leaves_out(self):
        self.claim["holds"] = "first / second == 2"
        self.finds("does not say where 63 comes from")

    def test_an_expression_that_is_no_comparison(self):
        self.claim["holds"] = "first - 63 - second"
        self.finds("expected true or false")

    def test_only_arithmetic_is_evaluated(self):
        for holds in ["first.real == 63", "(lambda: first == 63)()", "open('63') == first", "[].copy == first + 63"]:
            self.claim["holds"] = holds
            self.finds("an expression has no" if "open" not in holds else "'open' is not defined")

    def test_a_cell_of_a_table(self):
        self.value({"table": "Two rings", "row": "first", "column": "cycles"}, "v == 126")
        self.assertEqual(self.judged()[0], [])
        self.value({"table": "Two rings", "column": "cycles"}, "v == [126, 1260]")
        self.assertEqual(self.judged()[0], [])
        self.value({"table": "Two rings", "row": "third", "column": "cycles"}, "v == 126")
        self.finds("0 rows of tables fit")

    def test_a_file_of_the_project(self):
        self.value({"file": "tuned/mesh/tune.json", "take": "it['name']"}, "v == 'tune-mesh'")
        self.assertEqual(self.judged()[0], [])

    def test_a_row_of_a_table_is_a_sentence_too(self):
        self.claim["says"] = "| first | 126 flits |"
        self.claim["holds"] = "first == 126 and second < first"
        self.finds("nothing evaluates: The second ring")
        self.assertEqual(len(self.judged()[0]), 1)


class Sentences(unittest.TestCase):
    def test_of_prose_alone(self):
        page = ("# A title is faster\n\nOne ends\nhere. Two has 1.5 [things](x.md), e.g. this: `a. b`.\n\n"
                "* **Three.** Four!\n  * Five?\n\n| six |\n|---|\n| seven |\n\n```sh\neight\n```\n\n## Where to go next\n\n* Nine.\n")
        self.assertEqual(list(sentences(page)), ["One ends here.", "Two has 1.5 things, e.g. this: `a. b`.", "Three.",
                                                 "Four!", "Five?"])


class Page(unittest.TestCase):
    """A page of its own, run by commands.py."""

    def run_page(self, sentence, holds):
        with tempfile.TemporaryDirectory(prefix="annelid-conclusions-") as name:
            copied, page = Path(name), "/".join(["docs", "tutorials", "rings.md"])
            for folder in ["docs", "examples", "scenarios", "scripts", "testbench/documented", "tuned"]:
                shutil.copytree(SOURCE / folder, copied / folder)
            shutil.copy(SOURCE / "README.md", copied)
            (copied / page).write_text(
                f"# Rings\n\n{sentence}\n\n```sh\nannelid schedule --algorithm edn --size 4x4\n```\n")
            (copied / "testbench/documented/conclusions/tutorials/rings.toml").write_text(
                "[values]\nsteps = { command = 'annelid schedule', find = '^([0-9]+) steps' }\n"
                f"[[claim]]\nsays = '{sentence}'\nholds = '{holds}'\n")
            return subprocess.run([copied / "testbench/documented/commands.py", "run", page,
                                   "--program", PROGRAM], capture_output=True, text=True)

    def test_a_true_conclusion_passes_and_a_wrong_one_fails(self):
        done = self.run_page("It takes less than 4 steps.", "steps < 4")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("1 conclusions evaluated", done.stdout)
        done = self.run_page("It takes less than 2 steps.", "steps < 2")
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertIn("It takes less than 2 steps.: not true", done.stdout)


if __name__ == "__main__":
    at = sys.argv.index("--program")
    PROGRAM = Path(sys.argv[at + 1]).resolve()
    del sys.argv[at:at + 2]
    unittest.main()
