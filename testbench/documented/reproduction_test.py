#!/usr/bin/env python3
"""Holds the counts of docs/results/reproduction.md against the tables of reproduced/reproduction.md, which the program
writes: how many claims the papers make, with which verdicts, in all and in each item.

  reproduction_test.py [--update]

A row with nothing in the column "paper" is a comparison of ours, and counts for itself. `--update` writes the counts into
the short page; its other sentences are mended by hand, and held by conclusions/results/reproduction.toml.
"""
import re
import sys
import textwrap
from collections import Counter
from pathlib import Path

from conclusions import rows

ROOT = Path(__file__).resolve().parent.parent.parent
FULL, SHORT = ROOT / "reproduced/reproduction.md", ROOT / "docs/results/reproduction.md"
NAMES = {"equal": "equal", "within tolerance": "within tolerance", "differs": "differ", "not yet": "not yet"}
ITEM = re.compile(r"^(\| \[(?P<item>[^\]]+)\]\([^)]*\) \|.*\| )(?P<counts>[^|]*)( \|)$", re.M)
HEADLINE = re.compile(r"The papers make [^.]*\. Beside them stand [^.]*\.")


def verdicts_of(text):
    """By item: the verdicts of the papers' claims, and those of ours."""
    papers, ours = {}, {}
    for item, columns, cells in rows(text):
        if "claim" not in columns or "verdict" not in columns:
            continue
        whose = papers if cells[columns.index("paper")] else ours
        whose.setdefault(item, Counter())[cells[columns.index("verdict")]] += 1
    return papers, ours


def counts_text(counts):
    """"12 equal, 2 differ", as the program writes it."""
    return ", ".join(f"{counts[verdict]} {name}" for verdict, name in NAMES.items() if counts[verdict]) or "none"


def headline_of(papers, ours, items):
    claims, own = sum(papers.values(), Counter()), sum(ours.values(), Counter())
    return (f"The papers make {claims.total()} claims in {items} of their tables, figures and sections: "
            f"{counts_text(claims)}. Beside them stand {own.total()} comparisons of our own: {counts_text(own)}.")


def brought_up_to_date(short, full):
    """The short page with the counts of the full one."""
    papers, ours = verdicts_of(full)
    items = re.findall(r"^## (\S+)$", full, re.M)
    known = [item for item in items if item in papers or item in ours]
    headline = headline_of(papers, ours, len(known))
    if not HEADLINE.search(flat(short)):
        raise ValueError(f"{SHORT.name} has no sentence like: {headline}")
    listed = [match["item"] for match in ITEM.finditer(short)]
    if listed != known:
        raise ValueError(f"{SHORT.name} lists {listed}, expected {known}")
    text = ITEM.sub(lambda m: f"{m[1]}{counts_text(papers.get(m['item'], Counter()))}{m[4]}", short)
    return with_headline(text, headline)


def flat(text):
    return " ".join(text.split())


def with_headline(text, headline):
    """The paragraph that has the headline, wrapped again."""
    paragraphs = text.split("\n\n")
    for i, paragraph in enumerate(paragraphs):
        if HEADLINE.search(flat(paragraph)):
            said = HEADLINE.sub(headline, flat(paragraph))
            paragraphs[i] = textwrap.fill(said, 120, break_long_words=False, break_on_hyphens=False)
    return "\n\n".join(paragraphs)


def main():
    short, full = SHORT.read_text(), FULL.read_text()
    expected = brought_up_to_date(short, full)
    if expected == short:
        return 0
    if sys.argv[1:] == ["--update"]:
        SHORT.write_text(expected)
        return 0
    for said, found in zip(short.splitlines(), expected.splitlines()):
        if said != found:
            print(f"{SHORT}: the page says\n  {said}\nexpected\n  {found}")
    print("reproduction_test.py --update writes the counts")
    return 1


if __name__ == "__main__":
    sys.exit(main())
