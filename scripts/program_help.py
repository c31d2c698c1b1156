"""What the program annelid says about itself: its commands, and the --help of each."""
import re
import subprocess


def output_of(program, *words):
    return subprocess.run([program, *words], capture_output=True, text=True, check=True).stdout


def help_of(program, words):
    return output_of(program, *words, "--help")


def title_of(words):
    """The heading of a command in docs/reference/commands.md."""
    return f"annelid {' '.join(words)}"


def help_block(program, words):
    """The --help of a command, as a block of Markdown."""
    lines = "\n".join(line.rstrip() for line in help_of(program, words).strip().split("\n"))
    return "```text\n" + re.sub(r"\n{3,}", "\n\n", lines) + "\n```\n"


def commands_of(program, words=()):
    """All commands that are no mere group of commands, as tuples of words."""
    found = re.search(r"^Subcommands:\n((?:  .*\n)+)", help_of(program, words), re.M)
    names = re.findall(r"^  (\S+)", found.group(1), re.M) if found else []
    if not names:
        return [tuple(words)]
    return [command for name in names for command in commands_of(program, (*words, name))]
