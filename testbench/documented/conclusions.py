"""What the sentences of a page conclude: true exactly when an expression over the page's own results is true.

conclusions/PAGE.toml holds the conclusions of a page. For docs/tutorials/firmware-engineer.md this is
conclusions/tutorials/firmware-engineer.toml:

  [values]                             # what is measured
  ring = { command = "--algorithm ring --size 8x8", find = 'cycles +(\\d+)' }
  steps = { command = "run --size 8x8", file = "runs/collective/result.json", take = "len(it['steps'])" }
  period = { table = "Standard cells", row = "one-port", column = "period, ns" }

  [[claim]]
  says = "The ring wins."              # a whole sentence or row of a table of the page, links and ** left out
  holds = "ring < doubling"

  [[claim]]
  says = "The results are the same, byte for byte."
  test = "threads"                     # the test that holds it, where no command of the page can show it

  [exempt]                             # a reason, and the sentences that it is true of; `...` stands for any text
  "a definition" = ["*Served up to* is the highest load that does not saturate the network."]

Instead of claims and exemptions, `exempt_page = "a reason"` leaves out all sentences of the page.

`command` is a part of exactly one command of the page, or the whole of it. `file` is one that the command wrote, or
without `command` one of the project. `find` is a regular expression that fits exactly once in what the command printed,
or in the file: group 1 is the value. `each` makes a list of all that it fits. `take` is an expression over `it`, the
JSON of the file. `table` is a heading of the page, or of another one that `page` names, and `row` has the first cells
of the row. Without `row` or `column` the value is a list: the column, or the row from its second cell on. A text that
looks like a number, with or without a unit, is a number.

These are errors, too:
  * a sentence that compares (COMPARES) and is neither claimed nor exempt; the section "Where to go next" has none
  * a sentence, a command or a row that the page no longer has, and a value that no claim uses
  * an expression that stays true whatever one of its values is
  * a number of the sentence, outside `code`, that stands neither in the expression nor where its values come from.
    `given = "the paper's 3"` names numbers that are no results
"""
import ast
import json
import re
import tomllib
from pathlib import Path

from printed import ANY, FENCED

FOLDER = Path(__file__).resolve().parent / "conclusions"
SOURCE = FOLDER.parents[2]
PAGES = re.compile(r"(?:docs/(?=(?:tutorials|results|how-to)/)|(?=README|reproduced/))(.*)\.md")
CODE = re.compile(r"`[^`]*`")
LINK = re.compile(r"\[([^]]*)\]\([^)]*\)")
COMPARES = re.compile(
    r"\d ?%|\d times\b|\btimes (?:as|the|that)\b|\b(?!other|rather|further)\w+er than\b"
    r"|(?<!no )\b(?:fast|slow|cheap|short|long|larg|small|high|low|great|few|deep|wid|clos|bigg|strong|weak)er\b"
    r"|\b(?:fast|slow|cheap|short|long|larg|small|high|low|great|few|deep|wid|clos|bigg)est\b"
    r"|\b(?:best|better|worse|worst|less|half|twice|bottleneck)\b|(?<!any )(?<!one )\bmore\b|\bmost\b|\bat least\b"
    r"|\b(?:a|an|another|one|two) (?:third|quarter|fifth|sixth|seventh|eighth|ninth|tenth)s?\b"
    r"|\b(?:gain|lose|win|beat|save|exceed|raise|(?-i:(?<!the )cost)|grow|shrink|pay|equal|double|halve)s?\b"
    r"|\bas (?:fast|slow|large|small|long|many|much|late|good|cheap|high|low)(?: \w+){,2} as\b"
    r"|\bbyte for byte\b|\b(?:is|are|stays?) the same\b|\bthe same (?:results|cycles|time as)\b", re.I)
PLACE = re.compile(r"\b(?:section|figure|table)s? [\d.]+(?:(?:,| and| to) [\d.]+)*", re.I)
NUMBER = re.compile(r"\d[\d,]*(?:\.\d+)?")
QUANTITY = re.compile(r"([-+]?\d[\d,]*(?:\.\d+)?)(?: ?[^\d\s]+)*")
FUNCTIONS = {f.__name__: f for f in (abs, all, any, enumerate, int, len, max, min, round, set, sorted, sum, zip)}
ALLOWED = (ast.Expression, ast.BoolOp, ast.boolop, ast.BinOp, ast.operator, ast.UnaryOp, ast.unaryop, ast.Compare,
           ast.cmpop, ast.Name, ast.expr_context, ast.Constant, ast.Call, ast.Subscript, ast.Slice, ast.Tuple, ast.List,
           ast.GeneratorExp, ast.ListComp, ast.comprehension)


def listed_of(page):
    """What conclusions/PAGE.toml says; None for a page whose sentences nobody looks at."""
    inside = PAGES.fullmatch(page)
    file = FOLDER / f"{inside[1]}.toml" if inside else None
    return tomllib.loads(file.read_text()) if file and file.exists() else {} if file else None


def tests_of(page):
    """The names of the tests that hold sentences of the page."""
    return [claim["test"] for claim in (listed_of(page) or {}).get("claim", []) if "test" in claim]


def sentences(text):
    """The sentences of a page's prose, without code blocks, tables, pictures, targets of links and **."""
    text = re.sub(r"!" + LINK.pattern, "", FENCED.sub("\n\n", text).partition("\n## Where to go next\n")[0])
    for paragraph in re.split(r"\n\s*\n", LINK.sub(r"\1", text).replace("**", "")):
        if not paragraph.lstrip().startswith(("#", "|")):
            for item in re.split(r"\n(?=\s*(?:\*|\d+\.) )", paragraph):
                item = re.sub(r"^(\*|\d+\.) ", "", " ".join(item.split()))
                yield from filter(None, re.split(r"(?:(?<=[.!?])|(?<=[.!?]\*))\s+(?=[^a-z])", item))


def rows(text):
    """Heading, columns and cells of each row of each table. An empty first cell is that of the row above."""
    heading, columns, above = "", None, ""
    for line in FENCED.sub("", text).split("\n"):
        if not line.startswith("|"):
            columns = None
            heading = line.lstrip("#").strip() if line.startswith("#") else heading
            continue
        cells = [cell.strip() for cell in re.split(r"(?<!\\)\|", line.replace("**", ""))[1:-1]]
        if columns is None:
            columns = cells
        elif not re.fullmatch(r"[\s|:-]*", line):
            above = cells[0] = cells[0] or above
            yield heading, columns, cells


def value_of(text):
    quantity = QUANTITY.fullmatch(text)
    return float(quantity[1].replace(",", "")) if quantity else text


def cells_of(text, source):
    """The value of {table, row, column}."""
    column, row = source.get("column"), source.get("row")
    found = [(columns, cells) for heading, columns, cells in rows(text)
             if heading == source["table"] and (column is None or column in columns)
             and (row is None or f"{' | '.join(cells)} | ".startswith(f"{row} | "))]
    if not found or (row is not None and len(found) > 1):
        raise ValueError(f"{len(found)} rows of tables fit {source}, expected one")
    if column is None:
        return [value_of(cell) for cell in found[0][1][1:]]
    column = [value_of(cells[columns.index(column)]) for columns, cells in found]
    return column if row is None else column[0]


def printed_value(source, text):
    """The value of {find}, {each} or {take} in a text."""
    if "take" in source:
        return evaluated(parsed(source["take"]), {"it": json.loads(text)})
    found = re.findall(source.get("find") or source["each"], text, re.M)
    if "each" in source:
        return [value_of(one) for one in found]
    if len(found) != 1:
        raise ValueError(f"{len(found)} places fit {source}, expected one")
    return value_of(found[0])


def parsed(expression):
    tree = ast.parse(expression, mode="eval")
    for node in ast.walk(tree):
        if not isinstance(node, ALLOWED) or (isinstance(node, ast.Call) and not isinstance(node.func, ast.Name)):
            raise ValueError(f"an expression has no {type(node).__name__}")
    return tree


def evaluated(tree, values):
    return eval(compile(tree, "conclusion", "eval"), {"__builtins__": {}, **FUNCTIONS, **values})


def is_true(tree, values):
    result = evaluated(tree, values)
    if not isinstance(result, bool):
        raise ValueError(f"found {result!r}, expected true or false")
    return result


def others(value):
    """Values that the measured one might have been."""
    if isinstance(value, list):
        each = [others(one) for one in value]
        one_other = [[*value[:i], all_of[3], *value[i + 1:]] for i, all_of in enumerate(each)]
        return [[], [*value, *(value[:1] or [1.0])], *map(list, zip(*each)), *one_other]
    if isinstance(value, str):
        return [value + "?"] * 6
    return [0.0, -value, value / 1000, value * 1000, value - 1, value + 1]


def can_fail(tree, name, values):
    def fails(other):
        try:
            return not is_true(tree, {**values, name: other})
        except (ArithmeticError, LookupError, TypeError, ValueError):
            return False
    return any(fails(other) for other in others(values[name]))


class Conclusions:
    """Of a page's text, commands and list: collects values while the commands run, and judges the claims then."""

    def __init__(self, text, commands, listed):
        self.text, self.commands = text, commands
        self.problems, self.measured, self.evaluated, self.left_out = [], {}, 0, 0
        self.sources, self.claims = (listed or {}).get("values", {}), (listed or {}).get("claim", [])
        self.needs = {}  # name of a value: the command that it comes from
        if listed is not None and "exempt_page" not in listed:
            self.check_sentences(listed.get("exempt", {}))
        for name, source in self.sources.items():
            self.attempt(f"value {name}", self.find_source, name, source)

    def attempt(self, what, function, *arguments):
        try:
            return function(*arguments)
        except (ArithmeticError, LookupError, NameError, OSError, SyntaxError, TypeError, ValueError,
                re.error) as error:
            self.problems.append(f"{what}: {error}")
            return None

    def check_sentences(self, exempt):
        found = list(sentences(self.text))
        comparing = {sentence for sentence in found if COMPARES.search(CODE.sub("", sentence))}
        lines = self.text.replace("**", "").split("\n")
        table_rows = {" ".join(line.split()) for line in lines if line.startswith("|")}
        said = [claim["says"] for claim in self.claims]
        self.problems += [f"no sentence or row of the page is: {s}" for s in said if s not in {*found, *table_rows}]
        open_ones = comparing - set(said)
        for reason, texts in exempt.items():
            for text in texts:
                pattern = re.compile(re.escape(text).replace(re.escape(ANY), ".*"))
                fits = {sentence for sentence in open_ones if pattern.fullmatch(sentence)}
                if not fits:
                    self.problems.append(f"no sentence that compares, and has no claim, is: {text} (exempt: {reason})")
                open_ones -= fits
        self.problems += [f"no command shows, and nothing evaluates: {s}" for s in found if s in open_ones]

    def find_source(self, name, source):
        if "table" in source:
            text = (SOURCE / source["page"]).read_text() if "page" in source else self.text
            self.measured[name] = cells_of(text, source)
            return
        if "command" not in source:
            self.measured[name] = printed_value(source, (SOURCE / source["file"]).read_text())
            return
        part = source["command"]
        fits = [c for c in dict.fromkeys(self.commands) if c == part] or \
               [c for c in dict.fromkeys(self.commands) if part in c]
        if len(fits) != 1:
            raise ValueError(f"{len(fits)} commands of the page have {part!r}, expected one that a test of it runs")
        self.needs[name] = fits[0]

    def note(self, command, printed, folder):
        """Keeps the values that come from a command that has just run."""
        for name, source in self.sources.items():
            if self.needs.get(name) == command:
                self.attempt(f"value {name}", lambda: self.measured.update({name: printed_value(
                    source, (folder / source["file"]).read_text() if "file" in source else printed)}))

    def judge(self, left_out):
        """Returns what is wrong. Claims about the commands `left_out` are counted, and not evaluated."""
        used = set()
        for claim in self.claims:
            if "test" not in claim and (tree := self.attempt(claim["says"], parsed, claim["holds"])):
                names = {n.id for n in ast.walk(tree) if isinstance(n, ast.Name)} & self.sources.keys()
                self.attempt(claim["says"], self.judge_claim, claim, tree, names, left_out)
                used |= names
        self.problems += [f"no claim uses the value {name}" for name in self.sources if name not in used]
        return self.problems

    def judge_claim(self, claim, tree, names, left_out):
        if not names:
            raise ValueError(f"no value of the page is in: {claim['holds']}")
        given = " ".join([claim["holds"], claim.get("given", ""), json.dumps([self.sources[name] for name in names])])
        known = {float(n.replace(",", "")) for n in NUMBER.findall(given)}
        said = NUMBER.findall(PLACE.sub("", CODE.sub("", claim["says"])))
        unknown = [n for n in said if float(n.replace(",", "")) not in known]
        if unknown:
            raise ValueError(f"the claim does not say where {', '.join(unknown)} comes from")
        if any(self.needs.get(name) in left_out for name in names):
            self.left_out += 1
            return
        if missing := sorted(names - self.measured.keys()):
            raise ValueError(f"nothing gave a value to {', '.join(missing)}")
        values = {name: self.measured[name] for name in names}
        if not is_true(tree, values):
            raise ValueError(f"not true: {claim['holds']}\n  with {values}")
        if idle := [name for name in sorted(names) if not can_fail(tree, name, values)]:
            raise ValueError(f"true whatever {', '.join(idle)} is: {claim['holds']}")
        self.evaluated += 1
