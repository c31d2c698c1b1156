#!/usr/bin/env python3
"""Builds the web site (scripts/site) and looks at it.

  site_test.py --program ANNELID

  - Every page of docs/ and every README is there, and every link, anchor and picture of a page.
  - The page of commands has the --help of each command, below its heading.
  - No page loads anything from the network.
  - The search finds a word, in the index and in a browser that reads the pages from their folder.
  - A page has dark letters on light ground, or light letters on dark ground, as the reader's system is.
  - What scripts/site must refuse: a broken link, a missing picture, an output folder with other files, and a program
    that is not there.

Prints what is wrong, and ends with status 1 if anything is.
"""
import argparse
import html
import json
import re
import shutil
import subprocess
import sys
import tempfile
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "scripts"))
from chromium import Chromium  # noqa: E402
from program_help import commands_of, help_of, title_of  # noqa: E402

# A word, as the index has it and as a reader writes it, and a page that must be found by it.
WORD, WRITTEN, PAGE = "datelin", "dateline", "docs/internals/microarchitecture"


class Html(HTMLParser):
    """The anchors of a page, its links, and what it loads."""

    def __init__(self, path):
        super().__init__()
        self.anchors, self.links, self.loads = set(), [], []
        self.feed(path.read_text())

    def handle_starttag(self, tag, attributes):
        has = dict(attributes)
        if "id" in has:
            self.anchors.add(has["id"])
        if tag == "a" and has.get("href"):
            self.links.append(has["href"])
        elif has.get("src"):
            self.loads.append(has["src"])
        elif tag == "link" and has.get("href") and has.get("rel") in ("stylesheet", "preload", "icon"):
            self.loads.append(has["href"])


def is_of_the_web(address):
    return re.match(r"[a-z]+:|//", address) is not None


def wrong_links(site):
    pages = {path: Html(path) for path in sorted(site.rglob("*.html"))}
    for path, page in pages.items():
        for address in [*page.links, *page.loads]:
            said = f"{path.relative_to(site)}: {address}"
            if is_of_the_web(address):
                if address in page.loads:
                    yield f"{said}: loaded from the network"
                continue
            name, _, anchor = unquote(address).partition("#")
            there = (path.parent / name.partition("?")[0]).resolve() if name else path
            if not there.is_file():
                yield f"{said}: there is no such file"
            elif anchor and there in pages and anchor not in pages[there].anchors:
                yield f"{said}: there is no such anchor"
    for sheet in site.rglob("*.css"):
        for found in re.findall(r"""url\(\s*["']?([^"')]+)|@import\s+["']([^"']+)""", sheet.read_text()):
            address = "".join(found)
            if not address.startswith("data:") and not (sheet.parent / address).is_file():
                yield f"{sheet.relative_to(site)}: {address}: loaded, and no file of the site"


def missing_pages(site):
    sources = [*(ROOT / "docs").rglob("*.md"), *ROOT.glob("*.md"), *ROOT.glob("[!.br]*/README.md"),
               *ROOT.glob("reproduced/*.md")]
    for source in sources:
        if not (site / source.relative_to(ROOT)).with_suffix(".html").is_file():
            yield f"{source.relative_to(ROOT)} is no page of the site"


def missing_help(site, program):
    """The commands whose options the page of commands does not have, each below its heading."""
    page = html.unescape(re.sub(r"<[^>]*>", "", (site / "docs/reference/commands.html").read_text()))
    at = 0
    for words in commands_of(program):
        usage = re.search(r"^Usage: .*$", help_of(program, words), re.M).group()
        at = page.find(usage, at)
        if at < 0 or title_of(words) not in usage:
            yield f"the page of commands has no {usage!r} where it should be"
            at = 0


def pages_with(word, index):
    """The pages that the search index has for a word."""
    index = json.loads(index.removeprefix("Search.setIndex(").removesuffix(")"))
    found = index["terms"].get(word, [])
    return {index["docnames"][n] for n in (found if isinstance(found, list) else [found])}


def wrong_in_browser(site):
    light = {}
    for dark in (False, True):
        with Chromium(1200, 800, dark=dark) as browser:
            browser.open(site / "docs/index.html", ready='document.readyState === "complete"')
            light[dark] = browser.evaluate("""[document.querySelector(".main"), document.querySelector(".content p")].map(
                (e, i) => i == 0 ? getComputedStyle(document.body).backgroundColor : getComputedStyle(e).color)
                .map(c => c.match(/\\d+/g).slice(0, 3).reduce((sum, v) => sum + Number(v), 0))""")
            browser.open(site / "search.html", f"?q={WRITTEN}", 'document.querySelector("#search-results li a") !== null')
            browser.wait_for('/found|finished/i.test(document.querySelector("#search-results").innerText)')
            found = browser.evaluate('[...document.querySelectorAll("#search-results li a")].map(a => a.href)')
            if not any(PAGE in f for f in found):
                yield f"in a browser the search for {WRITTEN} finds {found}, not {PAGE}"
            for address in browser.requests:
                if not address.startswith(("file:", "data:")):
                    yield f"a page asks for {address}"
    for dark, (ground, letters) in light.items():
        if (ground < letters) != dark:
            yield f"{'dark' if dark else 'light'}: ground {ground}, letters {letters} of 765"


def accepted_faults(scratch, program):
    """What scripts/site must refuse, and did not. The faulty links are in a site of one page, which is right without
    them."""
    copy = scratch / "copy"
    for name in ("CMakeLists.txt", "docs/conf.py", "docs/site.css", "scripts/site"):
        (copy / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, copy / name)
    page = copy / "docs/index.md"
    page.write_text("# A title\n\n[A link](#a-title)\n")
    done = build(copy, scratch / "right", program)
    if done.returncode != 0:
        yield f"scripts/site refuses a page without faults: {done.stderr}"
    faults = ["[x](reference/no-such-page.md)", "[x](index.md#no-such-title)", "![x](images/no-such-picture.png)"]
    page.write_text(page.read_text() + "\n" + "\n\n".join(faults) + "\n")
    done = build(copy, scratch / "faulty", program)
    if done.returncode == 0 or (scratch / "faulty").exists():
        yield "scripts/site accepts broken links"
    for fault in faults:
        if re.search(r"no-such-\w+", fault).group() not in done.stderr:
            yield f"scripts/site accepts {fault}"
    used = scratch / "used"
    used.mkdir()
    (used / "mine").write_text("mine")
    if build(ROOT, used, program).returncode != 2 or not (used / "mine").exists():
        yield "scripts/site replaces a folder that is not its own"
    if build(ROOT, scratch / "without", scratch / "no-program").returncode != 2:
        yield "scripts/site accepts a program that is not there"


def build(root, out, program):
    return subprocess.run([root / "scripts/site", "--out", out, "--program", program], capture_output=True, text=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", type=Path, required=True, help="the program annelid")
    program = parser.parse_args().program.resolve()
    with tempfile.TemporaryDirectory(prefix="annelid-site-") as name:
        scratch = Path(name)
        site = scratch / "site"
        done = build(ROOT, site, program)
        if done.returncode != 0:
            sys.exit(f"scripts/site failed:\n{done.stdout}{done.stderr}")
        wrong = [*wrong_links(site), *missing_pages(site), *missing_help(site, program), *wrong_in_browser(site),
                 *accepted_faults(scratch, program)]
        found = pages_with(WORD, (site / "searchindex.js").read_text())
        if PAGE not in found:
            wrong.append(f"the index has {WORD} in {sorted(found)}, not in {PAGE}")
        for line in wrong:
            print(line)
        print(f"{len(list(site.rglob('*.html')))} pages, {len(wrong)} faults")
        sys.exit(1 if wrong else 0)


main()
