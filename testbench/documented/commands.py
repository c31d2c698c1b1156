#!/usr/bin/env python3
"""Runs the commands that documents and --help show.

  commands.py run PAGE --program ANNELID [--long] [--without-rtl]
  commands.py lists --program ANNELID --tests CTEST_FOLDER

A page is README.md, a file of docs/, or "help": the examples of every `annelid ... --help`. Its commands are the lines of
its ```sh blocks, and what stands in `backquotes` and begins with annelid, scripts/ or cmake and goes on with arguments. They run in
their order, in a folder with copies of the scenarios and documents. Those that commands.toml calls long run with
--long alone, and then the folder is a copy of the source tree. Another command that is no `annelid` fails the test,
unless commands.toml names the test that runs it.

`lists` checks commands.toml: whatever it names must stand in a page, and the tests must exist.

Exit status 1 if a command failed, or no test runs it.
"""
import argparse
import fnmatch
import os
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

HERE = Path(__file__).resolve().parent
SOURCE = HERE.parent.parent
LISTS = tomllib.loads((HERE / "commands.toml").read_text())
BLOCK = re.compile(r"^```sh\n(.*?)^```", re.M | re.S)
ANY_BLOCK = re.compile(r"^```.*?^```", re.M | re.S)
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
    return re.sub(r"(\\\n)?[ \t]+", " ", command).strip()


def has_arguments(command):
    """More than the command's name."""
    words = command.split()
    return len(words) > (3 if words[:2] == ["annelid", "firmware"] else 2) or words[0] != "annelid"


def commands_of_document(page):
    text = (SOURCE / page).read_text()
    found = []  # by place
    for block in BLOCK.finditer(text):
        found += [(block.start(), c) for c in commands_of_script(block.group(1))]
    prose = ANY_BLOCK.sub(lambda m: " " * len(m.group()), text)
    for span in INLINE.finditer(prose):
        command = normal(span.group(1))
        if has_arguments(command) and not PLACEHOLDER.search(command) and command not in LISTS["prose"]["spans"]:
            found.append((span.start(), command))
    return [command for _, command in sorted(found, key=lambda f: f[0])]


def help_of(program, words):
    return subprocess.run([program, *words, "--help"], capture_output=True, text=True, check=True).stdout


def subcommands(program, words=()):
    """All commands of the program, as lists of words."""
    text = help_of(program, words)
    found = re.search(r"^Subcommands:\n((?:  .*\n)+)", text, re.M)
    names = re.findall(r"^  (\S+)", found.group(1), re.M) if found else []
    if not names:
        yield list(words)
    for name in names:
        yield from subcommands(program, [*words, name])


def commands_of_help(program):
    for words in subcommands(program):
        text = help_of(program, words)
        examples = re.search(r"^Examples?:\n((?:  .*\n)+)", text, re.M)
        if not examples:
            sys.exit(f"annelid {' '.join(words)} --help has no examples")
        yield from commands_of_script(re.sub(r"^  ", "", examples.group(1), flags=re.M))


def commands_of(page, program):
    commands = list(commands_of_help(program)) if page == "help" else commands_of_document(page)
    return list(dict.fromkeys(commands))  # once each


def matches(command, patterns):
    return any(command == p or (set(p) & set("*?") and fnmatch.fnmatchcase(command, p)) for p in patterns)


def is_runnable(command):
    return re.match(r"annelid |riscv64-|for ", command) is not None or matches(command, LISTS["long"]["commands"])


def prepare(folder, page, program, long, without_rtl):
    if long:
        shutil.copytree(SOURCE, folder, ignore=shutil.ignore_patterns("build", ".git", "runs"), symlinks=True,
                        dirs_exist_ok=True)
    else:
        for name in ["scenarios", "docs", "tuned"]:
            shutil.copytree(SOURCE / name, folder / name)
        shutil.copy(SOURCE / "README.md", folder)
    for file in (HERE / "files").iterdir():
        shutil.copy(file, folder)
    tools = folder / "tools"
    tools.mkdir()
    (tools / "annelid").symlink_to(program)
    viewer = tools / "gtkwave"  # without a screen: the file must be there
    viewer.write_text('#!/bin/sh\ntest -s "$1"\n')
    viewer.chmod(0o755)
    for command in LISTS["before"].get(page, []):
        if not execute(command, folder, without_rtl):
            sys.exit(f"{page}: the preparation failed")


def execute(command, folder, without_rtl):
    run = re.sub(r" --rtl \S+", "", command) if without_rtl else command
    environment = dict(os.environ, PATH=f"{folder / 'tools'}:{os.environ['PATH']}", HOME=str(folder))
    done = subprocess.run(["bash", "-e", "-o", "pipefail", "-c", run], cwd=folder, env=environment,
                          stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace")
    if done.returncode == 0:
        return True
    print(f"FAILED with status {done.returncode}: {run}\n{done.stdout[-2000:]}{done.stderr[-2000:]}", flush=True)
    return False


def run(arguments):
    failures = ran = 0
    program = Path(arguments.program).resolve()
    with tempfile.TemporaryDirectory(prefix="annelid-documented-") as name:
        folder = Path(name)
        prepare(folder, arguments.page, program, arguments.long, arguments.without_rtl)
        for command in commands_of(arguments.page, program):
            if matches(command, LISTS["elsewhere"]):
                continue
            if not is_runnable(command):
                print(f"{arguments.page}: no test runs: {command}\n"
                      "Name the test that does in testbench/documented/commands.toml, [elsewhere].")
                failures += 1
            elif arguments.long or not matches(command, LISTS["long"]["commands"]):
                print(f"$ {command}", flush=True)
                ran += 1
                failures += 0 if execute(LISTS["instead"].get(command, command), folder, arguments.without_rtl) else 1
    print(f"{arguments.page}: {ran} commands, {failures} failures")
    return failures == 0


def lists(arguments):
    pages = ["README.md", "help", *sorted(str(p.relative_to(SOURCE)) for p in (SOURCE / "docs").rglob("*.md"))]
    commands = [c for page in pages for c in commands_of(page, Path(arguments.program).resolve())]
    text = "".join((SOURCE / page).read_text() for page in pages if page != "help")
    wrong = [f"no page shows: {p}" for p in [*LISTS["long"]["commands"], *LISTS["elsewhere"], *LISTS["instead"]]
             if not any(matches(c, [p]) for c in commands)]
    wrong += [f"no page has: `{p}`" for p in LISTS["prose"]["spans"] if f"`{p}`" not in text]
    wrong += [f"no such page: {p}" for p in LISTS["before"] if p not in pages]
    listed = subprocess.run(["ctest", "--test-dir", arguments.tests, "-N"], capture_output=True, text=True).stdout
    tests = set(re.findall(r"Test +#\d+: (\S+)", listed))
    for command, test in LISTS["elsewhere"].items():
        if test not in tests and test not in commands and test != "scripts/test":  # which runs all tests
            wrong.append(f"no such test, of: {command}: {test}")
    for line in wrong:
        print(f"testbench/documented/commands.toml: {line}")
    return not wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    modes = parser.add_subparsers(dest="mode", required=True)
    runner = modes.add_parser("run")
    runner.add_argument("page")
    runner.add_argument("--long", action="store_true", help="the long commands too")
    runner.add_argument("--without-rtl", action="store_true", help="leave out --rtl: the build has no Verilated routers")
    checker = modes.add_parser("lists")
    checker.add_argument("--tests", required=True)
    for mode in [runner, checker]:
        mode.add_argument("--program", required=True)
    arguments = parser.parse_args()
    sys.exit(0 if (run if arguments.mode == "run" else lists)(arguments) else 1)


main()
