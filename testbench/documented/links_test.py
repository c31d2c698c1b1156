#!/usr/bin/env python3
"""Checks the links of all Markdown files, and what other files say of them.

  - A link or picture of a Markdown file leads to a file, a folder or an address of the web. Its anchor is a heading.
  - Where any file of the source names a page, as in docs/internals/nic/messages.md, the page exists.
  - Where a title in quotes follows the page, as in docs/internals/nic/engines.md, "Exact cycles", a heading
    or bold words of that page begin so.

  - Each index.md of docs/ links to all pages of its folder, and to the index.md of the folders below.

Prints each link that leads nowhere, and ends with status 1 if there is one.
"""
import re
import subprocess
import sys
from pathlib import Path
from urllib.parse import unquote

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "scripts"))
from markdown_text import anchor  # noqa: E402

FENCED = re.compile(r"^( *)(```+|~~~+).*?^ *\2`*\s*$", re.M | re.S)
INLINE_CODE = re.compile(r"(`+)(?:(?!\1).)+?\1")
LINK = re.compile(r"(?<!\\)\]\(\s*<?([^()\s>]*(?:\([^()\s]*\)[^()\s]*)*)>?(?:\s+\"[^\"]*\")?\s*\)")
HEADING = re.compile(r"^#{1,6} +(.+?)(?: +#+)?$", re.M)
CITED = re.compile(r"(?<![\w./-])(docs/[\w./-]+\.md)\b(?:`?,\s+\"([^\"\n]+)\")?")
COMMENT_BREAK = re.compile(r"\n[ \t]*(?://+|#|\*|--)[ \t]*")
THIS = Path(__file__).resolve()


def source_files():
    """The files that git knows, or all but the build's where there is no repository."""
    listed = subprocess.run(["git", "-C", ROOT, "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
                            capture_output=True, text=True)
    if listed.returncode == 0 and listed.stdout:
        return sorted(path for name in listed.stdout.split("\0") if name and (path := ROOT / name).is_file())
    skipped = {"build", "runs", ".git"}
    return sorted(p for p in ROOT.rglob("*") if p.is_file() and not skipped & set(p.relative_to(ROOT).parts))


def blank(match):
    """As many line ends as the text that is left out, so that line numbers stay."""
    return "\n" * match.group().count("\n")


def title_text(title):
    """A heading as it is read: without marks, and of a link the text."""
    title = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", title)
    return re.sub(r"[`*]", "", title).replace("\\", "").strip()


class Page:
    def __init__(self, path):
        self.text = FENCED.sub(blank, path.read_text())
        self.titles = [title_text(t) for t in HEADING.findall(self.text)]
        self.anchors = set()
        for base in map(anchor, self.titles):
            name, number = base, 0
            while name in self.anchors:
                number += 1
                name = f"{base}-{number}"
            self.anchors.add(name)

    def has(self, title):
        start = title_text(title).rstrip(",.").lower()
        bold = re.findall(r"\*\*([^*]+)\*\*", self.text)
        return any(re.sub(r"^[\d.]+ ", "", t).lower().startswith(start) for t in [*self.titles, *bold])


class Checker:
    def __init__(self):
        self.pages, self.wrong = {}, []

    def page(self, path):
        if path not in self.pages:
            self.pages[path] = Page(path)
        return self.pages[path]

    def links(self, path):
        """Those of a Markdown file. How many there are."""
        text = INLINE_CODE.sub("", self.page(path).text)
        found = list(LINK.finditer(text))
        for link in found:
            target = unquote(link.group(1))
            if re.match(r"[a-z]+:", target):
                continue
            name, _, anchor = target.partition("#")
            there = (path.parent / name).resolve() if name else path
            said = f"{path.relative_to(ROOT)}:{text.count(chr(10), 0, link.start()) + 1}: {target}"
            if not there.exists() or not there.is_relative_to(ROOT):
                self.wrong.append(f"{said}: there is no such file")
            elif anchor and (there.suffix != ".md" or anchor not in self.page(there).anchors):
                self.wrong.append(f"{said}: the page has no such heading")
        return len(found)

    def index(self, path):
        """What a folder's index.md leaves out."""
        text = path.read_text()
        for page in sorted([*path.parent.glob("*.md"), *path.parent.glob("*/index.md")]):
            name = page.relative_to(path.parent).as_posix()
            if page != path and f"]({name})" not in text:
                self.wrong.append(f"{path.relative_to(ROOT)}: no link to {name}")

    def citations(self, path):
        """What a file says of the pages in docs/. How many it names."""
        try:
            text = path.read_text()
        except UnicodeDecodeError:
            return 0
        found = list(CITED.finditer(COMMENT_BREAK.sub(" ", text)))
        for cited in found:
            name, title = cited.groups()
            if not (ROOT / name).is_file():
                self.wrong.append(f"{path.relative_to(ROOT)}: there is no {name}")
            elif title and not self.page(ROOT / name).has(title):
                self.wrong.append(f'{path.relative_to(ROOT)}: {name} has no heading "{title}"')
        return len(found)


def main():
    checker, links, citations = Checker(), 0, 0
    for path in source_files():
        if path.suffix == ".md":
            links += checker.links(path)
        if path.name == "index.md":
            checker.index(path)
        if path != THIS and "corpus" not in path.parts:
            citations += checker.citations(path)
    for line in checker.wrong:
        print(line)
    print(f"{len(checker.pages)} pages, {links} links, {citations} mentions of pages, {len(checker.wrong)} wrong")
    sys.exit(1 if checker.wrong or not links or not citations else 0)


main()
