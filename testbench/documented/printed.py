"""What a page says that its commands print: compares it with what they print, and brings it up to date.

`...` stands for any text within a line, and alone in a line for any lines.
"""
import difflib
import re

ANY = "..."
NUMBER = re.compile(r"(?<![\w.,])\d[\d,]*(?:\.\d+)?(?!\w)")
TOKEN = re.compile(r"\.\.\.|\s+|\w+(?:\.\d+)*|.")
FENCED = re.compile(r"^( *)```.*?^\1```", re.M | re.S)


def lines_of(text):
    return [line.rstrip() for line in text.rstrip("\n").split("\n")]


def pattern_of(line):
    return re.escape(line).replace(re.escape(ANY), ".*")


def first_difference(shown, printed):
    """Of what a page says and what came out; None if they agree."""
    lines = [pattern_of(line) for line in shown.rstrip("\n").split("\n")]
    patterns = ["(?:[^\n]*\n)*?" if line == ".*" else rf"{line}[ ]*\n" for line in lines]
    printed = "".join(f"{line}\n" for line in lines_of(printed))
    if re.fullmatch("".join(patterns), printed):
        return None
    count = max(n for n in range(len(patterns) + 1) if re.match("".join(patterns[:n]), printed))
    if count == len(patterns):
        return "the program prints more than the page shows"
    rest = printed[re.match("".join(patterns[:count]), printed).end():]
    return f"the page says  {shown.splitlines()[count]!r}\nfound instead  {rest.partition(chr(10))[0]!r}"


def aligned(shown, printed, cost):
    """Pairs of entries that belong together, in order; None stands for an entry that the other side does not have.

    ANY in `shown` takes any entries of `printed`, and is paired with None. `cost` tells what it costs to pair two
    entries, or None where they cannot be a pair. An entry without a partner costs 1. The least sum wins.
    """
    best = [[(0, None)] * (len(printed) + 1) for _ in range(len(shown) + 1)]
    for i in range(len(shown) + 1):
        for j in range(len(printed) + 1):
            moves = []
            gap = i > 0 and shown[i - 1] == ANY
            pair = cost(shown[i - 1], printed[j - 1]) if i and j and not gap else None
            if pair is not None:
                moves.append((best[i - 1][j - 1][0] + pair, "pair"))
            if i:
                moves.append((best[i - 1][j][0] + (0 if gap else 1), "shown"))
            if j:
                moves.append((best[i][j - 1][0] + (0 if gap else 1), "taken" if gap else "printed"))
            if moves:
                best[i][j] = min(moves, key=lambda move: move[0])
    pairs, i, j = [], len(shown), len(printed)
    while i or j:
        move = best[i][j][1]
        if move != "taken":
            pairs.append((None if move == "printed" else shown[i - 1], None if move == "shown" else printed[j - 1]))
        i -= move in ("pair", "shown")
        j -= move in ("pair", "printed", "taken")
    return pairs[::-1]


def likeness(a, b):
    return difflib.SequenceMatcher(None, a, b, autojunk=False).ratio()


def line_cost(shown, printed):
    """From 0 for a line that fits to 2 for one that has nothing in common. Numbers count little: they change."""
    if re.fullmatch(pattern_of(shown), printed):
        return 0
    a, b = ([token for token in TOKEN.findall(line) if not token.isspace()] for line in (shown, printed))
    shapes = ([re.sub(r"\w*\d[\w.]*", "0", token) for token in line] for line in (a, b))
    return 2 - 1.6 * likeness(*shapes) - 0.4 * likeness(a, b)


def token_cost(shown, printed):
    if shown == printed:
        return 0
    if shown.isspace() and printed.isspace():
        return 0.1
    if re.match(r"\w", shown) and re.match(r"\w", printed):
        return 0.3 if re.search(r"\d", shown) and re.search(r"\d", printed) else 0.8
    return None


def updated_line(shown, printed):
    """The printed line, with `...` where the page has it."""
    if ANY not in shown:
        return printed
    pairs = aligned(TOKEN.findall(shown), TOKEN.findall(printed), token_cost)
    return "".join(ANY if old == ANY else new or "" for old, new in pairs)


def updated(shown, printed):
    """What the page has to say now. It leaves out what it left out before."""
    lines = []
    for old, new in aligned(lines_of(shown), lines_of(printed), line_cost):
        if old is None:
            lines.append(new)
        elif old == ANY:
            lines.append(ANY)
        elif new is not None:
            lines.append(old if line_cost(old, new) == 0 else updated_line(old, new))
    return "".join(f"{line}\n" for line in lines)


def numbers_of(text):
    return {n.replace(",", "") for n in NUMBER.findall(text)}


def stale_numbers(page, before, after):
    """Line and number where the page's prose has a number of three digits or more that is no longer printed."""
    gone = {n for n in numbers_of(before) - numbers_of(after) if len(n) > 2}
    prose = FENCED.sub(lambda m: re.sub(r"[^\n]", " ", m.group()), page)
    for number, line in enumerate(prose.split("\n"), 1):
        for found in sorted(numbers_of(line) & gone):
            yield number, found
