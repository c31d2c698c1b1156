"""What a run of `annelid` leaves, and the first difference between two runs."""
import os
import re
import subprocess

# Text that says how a run was done, and what stands in its place in a comparison.
TIME = [
    (rb"simulated in [0-9.]+ s", b"simulated in * s"),  # of the host
    (rb" in [0-9.]+ s of CPU time: [^\n]*", b" in * s"),
]
HOW = [
    *TIME,
    (rb"(?m)^ +(threads|processes) +\d+: \d+ exchanges[^\n]*\n", b""),
    (rb'"kernel": ?"[a-z]+"', b'"kernel": "*"'),
]
RESULT = "out/result.json"


def normal(data, exceptions=tuple(HOW)):
    for pattern, text in exceptions:
        data = re.sub(pattern, text, data)
    return data


def files_in(folder):
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def run(command, folder, seconds):
    """Runs a command in a folder. Its outputs by name: the files that are there at its end, standard output, standard
    error and exit status."""
    environment = {"LLVM_PROFILE_FILE": os.devnull, **os.environ, "NO_COLOR": "1",  # the sanitizer build counts its lines
                   "OMPI_MCA_orte_tmpdir_base": str(folder.parent)}  # two mpiruns that begin at once disturb each other
    try:
        done = subprocess.run(command, cwd=folder, capture_output=True, timeout=seconds, check=False,
                              stdin=subprocess.DEVNULL, env=environment, start_new_session=True)
        said = {"standard output": done.stdout, "standard error": done.stderr, "exit status": b"%d" % done.returncode}
    except subprocess.TimeoutExpired:
        said = {"standard output": b"", "standard error": b"", "exit status": b"none after %d s" % seconds}
    return {**files_in(folder), **said}


def printable(data):
    return "".join(c if c.isprintable() else f"\\x{ord(c):02x}" for c in data.decode(errors="backslashreplace"))


def first_difference(one, other, names=None, exceptions=tuple(HOW)):
    """Of two runs' outputs with these names, or with all: None, or a text with the name, the line and both lines."""
    for name in sorted(set(one) | set(other)) if names is None else names:
        if name not in one or name not in other:
            if name not in one and name not in other:
                continue
            return f"{name}: only the {'first' if name in one else 'second'} has it"
        a, b = normal(one[name], exceptions), normal(other[name], exceptions)
        if a == b:
            continue
        at = next((i for i, (x, y) in enumerate(zip(a, b)) if x != y), min(len(a), len(b)))
        line, begin = a.count(b"\n", 0, at) + 1, a.rfind(b"\n", 0, at) + 1
        if at - begin > 300:  # in a file without lines
            begin = at - 60
        shown = [printable(text[begin:begin + 200].split(b"\n")[0]) for text in (a, b)]
        return f"{name}, line {line}, byte {at}:\n  first   {shown[0]}\n  second  {shown[1]}"
    return None
