#!/usr/bin/env python3
"""Every generate block of the SystemVerilog sources has a label that begins with g_, so that a path in a waveform
reads u_switch.g_input[2].u_input, and not genblk1[2].

    labels.py [FILE.sv ...]

Without files: those of rtl/, its testbenches, proofs and example, and of systemc/cosim. A block of `for`, `if` or
`else` needs a `begin` too, because a block without one has no place for a label.
"""
import pathlib
import re
import sys

PROJECT = pathlib.Path(__file__).resolve().parents[2]
FOLDERS = ("rtl", "rtl/nic", "testbench/rtl", "testbench/formal", "examples/rtl-router", "systemc/cosim")
NO_CODE = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|^\s*`(?:\\\n|[^\n])*', re.DOTALL | re.MULTILINE)
LABEL = re.compile(r"g_[a-z0-9_]+")
PROCEDURES = {"initial", "final", "always", "always_ff", "always_comb", "always_latch"}
CLOSED = {"function": "endfunction", "task": "endtask", "package": "endpackage"}


def words(text):
    """(line, word): identifiers and single characters of the code."""
    text = NO_CODE.sub(lambda found: "\n" * found[0].count("\n"), text)
    line = 1
    for found in re.finditer(r"\n|[\w$]+|[^\w\s]", text):
        if found[0] == "\n":
            line += 1
        else:
            yield line, found[0]


class Reader:
    def __init__(self, text):
        self.words, self.at, self.errors = [*words(text), (0, "")], 0, []

    @property
    def word(self):
        return self.words[self.at][1]

    def parentheses(self):
        """Skips what stands in parentheses here, if anything does."""
        depth = 0
        while self.word:
            depth += {"(": 1, ")": -1}.get(self.word, 0)
            if depth == 0 and self.word != ")":
                return
            self.at += 1
            if depth == 0:
                return

    def statement(self):
        """Skips one statement of a procedure: its blocks need no labels."""
        while self.word in ("@", "#", "*"):
            self.at += 1
            if self.word != "(":
                self.at += self.word != "*"
            self.parentheses()
        first = self.word
        self.at += 1
        if first in ("begin", "fork", "case", "casez", "casex"):
            depth = 1
            while depth and self.word:
                depth += (self.word in ("begin", "fork", "case", "casez", "casex")) - (
                    self.word in ("end", "join", "endcase"))
                self.at += 1
        elif first in ("if", "for", "while", "repeat", "foreach"):
            self.parentheses()
            self.statement()
            if first == "if" and self.word == "else":
                self.at += 1
                self.statement()
        elif first in ("forever", "else"):
            self.statement()
        else:
            while self.word and first != ";":
                first = self.word
                self.at += 1

    def block(self, after):
        """The block after a `for`, an `if` or an `else`, of which `begin : label` is read."""
        line = self.words[self.at][0]
        if self.word != "begin":
            self.errors.append((line, f"a block of `{after}` without begin"))
        elif self.words[self.at + 1][1] != ":" or not LABEL.fullmatch(self.words[self.at + 2][1]):
            self.errors.append((line, f"a block of `{after}` without a label g_..."))
        self.at += self.word == "begin"

    def read(self):
        """What is wrong, as (line, text)."""
        while self.word:
            word = self.word
            self.at += 1
            if word in PROCEDURES:
                self.statement()
            elif word in CLOSED:
                while self.word not in (CLOSED[word], ""):
                    self.at += 1
            elif word in ("for", "if"):
                self.parentheses()
                self.block(word)
            elif word == "else" and self.word != "if":
                self.block(word)
            elif word == "begin":  # of a case, or bare
                self.at -= 1
                self.block("generate")
        return self.errors


def main():
    files = [pathlib.Path(name) for name in sys.argv[1:]] or [
        file for folder in FOLDERS for file in sorted((PROJECT / folder).glob("*.sv"))]
    wrong = [f"{file}:{line}: {text}" for file in files for line, text in Reader(file.read_text()).read()]
    print(*wrong or [f"{len(files)} files: every generate block has a label"], sep="\n")
    return 1 if wrong or not files else 0


if __name__ == "__main__":
    sys.exit(main())
