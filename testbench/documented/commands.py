#!/usr/bin/env python3
"""Runs the commands that documents and --help show.

  commands.py run PAGE... --program ANNELID [--long] [--without-rtl] [--update]
  commands.py pictures --program ANNELID [--long]
  commands.py lists --program ANNELID --tests CTEST_FOLDER

A page is README.md, CONTRIBUTING.md, a file of docs/, reproduced/reproduction.md, or "help": the examples of every
`annelid ... --help`. Its commands are the lines of its ```sh blocks, and what stands in `backquotes`, begins with
annelid, scripts/ or cmake, and goes on with arguments. They run in their order, in a folder with copies of the scenarios and documents. Those that
commands.toml calls long run only with --long, and then the folder is a copy of the source tree. Another command that
is not `annelid` fails the test, unless commands.toml names the test that runs it.

A code block of another language whose first line is a comment with a path, as in `# my.toml` or `// src/my.cpp`, is a
file that the reader writes. It is written at its place among the commands.

A ```text block is what the ```sh block before it prints, if nothing or a paragraph that ends in "prints:" is between
them. `...` stands for any text within a line, and alone in a line for any lines. The test compares.

With --update the page is written again with what the commands print now. `...` stays where it was. The prose stays
too: the numbers in it that no command prints any longer are listed, with their lines. If a command fails, nothing is
written. An output of a long command needs --long.

`pictures` makes the pictures that commands.toml names again, and compares every byte. With --long these are the
pictures that take longer.

After the commands of a page, its conclusions are judged (conclusions.py).

`lists` checks commands.toml: whatever it names must stand in a page, and the tests must exist, also those that
conclusions name.

Exit status 1 if a command failed, or no test runs it, or a conclusion is not true.
"""
import argparse
import fnmatch
import os
import re
import shutil
import subprocess
import sys
import tempfile
import textwrap
import tomllib
from pathlib import Path

from conclusions import Conclusions, listed_of, tests_of
from printed import first_difference, stale_numbers, updated

HERE = Path(__file__).resolve().parent
SOURCE = HERE.parent.parent
sys.path.insert(0, str(SOURCE / "scripts"))
import program_help  # noqa: E402

LISTS = tomllib.loads((HERE / "commands.toml").read_text())
BLOCK = re.compile(r"^( *)```sh\n(.*?)^\1```", re.M | re.S)
ANY_BLOCK = re.compile(r"^( *)```.*?^\1```", re.M | re.S)
OUTPUT = re.compile(r"\s*(?:\n\n[^\n#`|](?:[^\n]|\n(?!\n))*\bprints:\s*)?\n```text\n(.*?)^```", re.M | re.S)
FILE = re.compile(r"^```(?!sh\n|text\n)[\w+]+\n((?://|#) ([\w./-]*\w\.\w+)\n.*?)^```", re.M | re.S)
INLINE = re.compile(r"`((?:build/release/cli/)?annelid \S[^`\n]*|scripts/[^`\s]+ [^`\n]+|cmake [^`\n]+)`")
# FILE, RESULT..., PROGRAM.elf: a form of a command, not a command.
PLACEHOLDER = re.compile(r"(^|[\s=])[A-Z]{3,}[A-Z.]*(\.[a-z]+)?(?=$|\s)|\.\.\.")


def complete(command):
    return subprocess.run(["bash", "-n", "-c", command], capture_output=True).returncode == 0


def commands_of_script(text):
    """The commands of a shell script: lines, and several lines together where the shell needs them."""
    pending = []
    for line in text.splitlines():
        if not pending and (not line.strip() or line.strip().startswith("#")):
            continue
        pending.append(line)
        if not line.endswith("\\") and complete("\n".join(pending)):
            yield normal("\n".join(pending))
            pending = []
    if pending:
        yield normal("\n".join(pending))


def normal(command):
    command = re.sub(r"\s+#.*$", "", command)
    command = command.replace("build/release/cli/annelid", "annelid")
    return re.sub(r"(\s*\\\n)?[ \t]+", " ", command).strip()


def has_arguments(command):
    """More than the command's name."""
    words = command.split()
    return len(words) > (3 if words[:2] == ["annelid", "firmware"] else 2) or words[0] != "annelid"


class File:
    """What the reader writes."""

    def __init__(self, name, text):
        self.name, self.text = name, text


class Script:
    """Commands that stand together, and what they print, if the page says it: a match whose group 1 is the text."""

    def __init__(self, commands, block=None):
        self.commands, self.block = commands, block


def parts_of_document(page):
    """Files and scripts, in their order."""
    text = (SOURCE / page).read_text()
    found = [(f.start(), File(f.group(2), f.group(1))) for f in FILE.finditer(text)]
    for block in BLOCK.finditer(text):
        found.append((block.start(), Script(list(commands_of_script(textwrap.dedent(block.group(2)))),
                                            OUTPUT.match(text, block.end()))))
    prose = ANY_BLOCK.sub(lambda m: " " * len(m.group()), text)
    for span in INLINE.finditer(prose):
        command = normal(span.group(1))
        if has_arguments(command) and not PLACEHOLDER.search(command) and command not in LISTS["prose"]["spans"]:
            found.append((span.start(), Script([command])))
    return [part for _, part in sorted(found, key=lambda f: f[0])]


def commands_of_help(program):
    for words in program_help.commands_of(program):
        text = program_help.help_of(program, words)
        examples = re.search(r"^Examples?:\n((?:  .*\n)+)", text, re.M)
        if not examples:
            sys.exit(f"annelid {' '.join(words)} --help has no examples")
        yield from commands_of_script(re.sub(r"^  ", "", examples.group(1), flags=re.M))


def parts_of(page, program):
    """Files and scripts. A command that a page shows again without its output is left out."""
    parts = [Script(list(commands_of_help(program)))] if page == "help" else parts_of_document(page)
    known = set()
    for part in parts:
        if isinstance(part, Script):
            if part.block is None:
                part.commands = [c for c in dict.fromkeys(part.commands) if c not in known]
            known.update(part.commands)
    return parts


def commands_of(page, program):
    return [c for part in parts_of(page, program) if isinstance(part, Script) for c in part.commands]


def matches(command, patterns):
    return any(command == p or (set(p) & set("*?") and fnmatch.fnmatchcase(command, p)) for p in patterns)


def is_runnable(command):
    return (command.split()[0] in LISTS["plain"]["tools"] or command.startswith("export PATH=")
            or matches(command, LISTS["long"]["commands"]))


def prepare(folder, page, arguments):
    program = Path(arguments.program).resolve()
    if arguments.long:
        shutil.copytree(SOURCE, folder, ignore=shutil.ignore_patterns("build", ".git", "runs"), symlinks=True,
                        dirs_exist_ok=True)
    else:
        for name in ["scenarios", "docs", "tuned", "examples"]:
            shutil.copytree(SOURCE / name, folder / name)
        shutil.copy(SOURCE / "README.md", folder)
        for place, file in (f.split("=", 1) for f in arguments.file):
            (folder / place).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(file, folder / place)
    for file in (HERE / "files").iterdir():
        shutil.copy(file, folder)
    tools = folder / "tools"
    tools.mkdir()
    (tools / "annelid").symlink_to(program)
    viewer = tools / "gtkwave"  # without a screen: the file must be there
    viewer.write_text('#!/bin/sh\ntest -s "$1"\n')
    viewer.chmod(0o755)
    for command in LISTS["before"].get(page, []):
        if execute(command, folder, arguments.without_rtl) is None:
            sys.exit(f"{page}: the preparation failed")


def execute(command, folder, without_rtl, with_tools=True):
    """What the command prints; None if it failed, which is said. The tools are the program and what stands for gtkwave."""
    run = re.sub(r" --rtl \S+", "", command) if without_rtl else command
    environment = dict(os.environ, HOME=str(folder))
    if with_tools:
        environment["PATH"] = f"{folder / 'tools'}:{os.environ['PATH']}"
    done = subprocess.run(["bash", "-e", "-o", "pipefail", "-c", run], cwd=folder, env=environment,
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          errors="replace")
    if done.returncode == 0 or (done.returncode == 1 and matches(command, LISTS["fails"]["commands"])):
        return done.stdout
    print(f"FAILED with status {done.returncode}: {run}\n{done.stdout[-4000:]}", flush=True)
    return None


class Run:
    """Of a page's commands: how many ran, how many failed, and which outputs the page shows differently."""

    def __init__(self, arguments, page, folder, conclusions):
        self.arguments, self.page, self.folder, self.conclusions = arguments, page, folder, conclusions
        self.left_out = set()  # long commands, without --long
        self.ran = self.failures = self.compared = 0
        self.changed = []  # where a text is in the page, and what it should be

    def script(self, script):
        outputs = [self.command(command) for command in script.commands]
        if script.block is None or None in outputs:
            return
        self.compared += 1
        shown, printed = script.block.group(1), "".join(outputs)
        difference = first_difference(shown, printed)
        if difference and self.arguments.update:
            self.changed.append((script.block.span(1), updated(shown, printed)))
        elif difference:
            print(f"{self.page}: $ {script.commands[-1]}\n{difference}", flush=True)
            self.failures += 1

    def update(self):
        """Writes the page with the new outputs."""
        file = SOURCE / self.page
        text = file.read_text()
        before = "".join(text[start:end] for (start, end), _ in self.changed)
        for (start, end), output in reversed(self.changed):
            text = text[:start] + output + text[end:]
        file.write_text(text)
        after = "".join(output.group(1) for output in re.finditer(r"^```text\n(.*?)^```", text, re.M | re.S))
        for line, number in stale_numbers(text, before, after):
            print(f"{self.page}:{line}: {number} is no longer printed")

    def command(self, command):
        """What it prints; None if it did not run here, or failed."""
        if matches(command, LISTS["elsewhere"]):
            return None
        if not is_runnable(command):
            print(f"{self.page}: no test runs: {command}\n"
                  "Name the test that does in testbench/documented/commands.toml, [elsewhere].")
            self.failures += 1
            return None
        run = LISTS["instead"].get(command, command)
        if not self.arguments.long and matches(command, LISTS["long"]["commands"]):
            run = LISTS["short"].get(command)
            if run is None:
                self.left_out.add(command)
                return None
        print(f"$ {run}", flush=True)
        self.ran += 1
        printed = execute(run, self.folder, self.arguments.without_rtl)
        self.failures += printed is None
        if printed is not None:
            self.conclusions.note(command, printed, self.folder)
        return printed

    def judge(self):
        for problem in self.conclusions.judge(self.left_out):
            print(f"{self.page}: {problem}", flush=True)
            self.failures += 1


def run_page(page, arguments):
    with tempfile.TemporaryDirectory(prefix="annelid-documented-") as name:
        folder = Path(name)
        prepare(folder, page, arguments)
        parts = parts_of(page, Path(arguments.program).resolve())
        here = [c for part in parts if isinstance(part, Script) for c in part.commands
                if not matches(c, LISTS["elsewhere"])]
        text = "" if page == "help" else (SOURCE / page).read_text()
        done = Run(arguments, page, folder, Conclusions(text, here, listed_of(page)))
        for part in parts:
            if isinstance(part, File):
                (folder / part.name).parent.mkdir(parents=True, exist_ok=True)
                (folder / part.name).write_text(part.text)
            else:
                done.script(part)
        for command in LISTS["after"]["commands"] if arguments.long and page in LISTS["after"]["pages"] else []:
            print(f"$ {command}", flush=True)
            done.failures += execute(command, folder, arguments.without_rtl, with_tools=False) is None
    updated_outputs = 0 if done.failures else len(done.changed)
    if updated_outputs:
        done.update()
    done.judge()
    print(f"{page}: {done.ran} commands, {done.compared} outputs compared, {done.conclusions.evaluated} conclusions "
          f"evaluated, {done.conclusions.left_out} need --long, {done.failures} failures" +
          (f", {updated_outputs} outputs updated" if arguments.update else ""))
    return done.failures == 0


def run(arguments):
    return all([run_page(page, arguments) for page in arguments.page])


def pictures(arguments):
    bad = 0
    for picture, command in LISTS["long_pictures" if arguments.long else "pictures"].items():
        with tempfile.TemporaryDirectory(prefix="annelid-documented-") as name:
            folder, made = Path(name), Path(name) / Path(picture).name
            (folder / "tools").mkdir()
            (folder / "tools/annelid").symlink_to(Path(arguments.program).resolve())
            (folder / "scenarios").symlink_to(SOURCE / "scenarios")
            if execute(command, folder, False) is None:
                bad += 1
            elif made.read_bytes() != (SOURCE / picture).read_bytes():
                print(f"{picture} is not what the program draws: {command}")
                bad += 1
    return bad == 0


def lists(arguments):
    pages = ["README.md", "CONTRIBUTING.md", "reproduced/reproduction.md", "help",
             *sorted(str(p.relative_to(SOURCE)) for p in (SOURCE / "docs").rglob("*.md"))]
    commands = [c for page in pages for c in commands_of(page, Path(arguments.program).resolve())]
    text = "".join((SOURCE / page).read_text() for page in pages if page != "help")
    wrong = [f"no page shows: {p}" for p in [*LISTS["long"]["commands"], *LISTS["elsewhere"], *LISTS["instead"],
                                           *LISTS["short"], *LISTS["fails"]["commands"]]
             if not any(matches(c, [p]) for c in commands)]
    wrong += [f"no page has: `{p}`" for p in LISTS["prose"]["spans"] if f"`{p}`" not in text]
    wrong += [f"no such page: {p}" for p in [*LISTS["before"], *LISTS["after"]["pages"]] if p not in pages]
    listed = subprocess.run(["ctest", "--test-dir", arguments.tests, "-N"], capture_output=True, text=True).stdout
    tests = set(re.findall(r"Test +#\d+: (\S+)", listed))
    for command, test in LISTS["elsewhere"].items():
        if test not in tests and test not in commands and test != "scripts/test":  # which runs all tests
            wrong.append(f"no such test, of: {command}: {test}")
    wrong += [f"no such test, of a conclusion of {page}: {test}" for page in pages for test in tests_of(page)
              if test not in tests]
    for line in wrong:
        print(f"testbench/documented/commands.toml: {line}")
    return not wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    modes = parser.add_subparsers(dest="mode", required=True)
    runner = modes.add_parser("run")
    runner.add_argument("page", nargs="+")
    runner.add_argument("--long", action="store_true", help="the long commands too")
    runner.add_argument("--update", action="store_true", help="write the page with what the commands print now")
    runner.add_argument("--file", action="append", default=[], metavar="PLACE=FILE",
                        help="a file that a long command makes: without --long it is put in its place")
    runner.add_argument("--without-rtl", action="store_true", help="leave out --rtl: the build has no Verilated routers")
    checker = modes.add_parser("lists")
    checker.add_argument("--tests", required=True)
    drawer = modes.add_parser("pictures")
    drawer.add_argument("--long", action="store_true", help="the pictures that take longer")
    for mode in [runner, checker, drawer]:
        mode.add_argument("--program", required=True)
    arguments = parser.parse_args()
    sys.exit(0 if {"run": run, "lists": lists, "pictures": pictures}[arguments.mode](arguments) else 1)


main()
