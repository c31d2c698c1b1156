#!/usr/bin/env python3
"""Compiles each header of the public API by itself, as a user includes it.

  headers_test.py INCLUDE LIST [FLAG...]

INCLUDE is the folder that holds annelid/, LIST is cmake/public_headers.cmake, and the flags are the compiler's. Each
installed header must be of the list, or be included by one that is.
"""
import concurrent.futures
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path


def closure(include, header, known):
    """The header and all of ours that it includes, and whether one of them includes SystemC."""
    if header in known:
        return
    text = (include / header).read_text()
    known[header] = "#include <systemc" in text
    for name in re.findall(r'#include "(annelid/[^"]+)"', text):
        closure(include, name, known)


def main():
    include, flags = Path(sys.argv[1]), sys.argv[3:]
    text = re.sub(r"#.*", "", Path(sys.argv[2]).read_text())
    listed = [f"annelid/{name}" for name in re.findall(r"[\w/]+\.hpp", text)]
    needed, with_systemc = set(), {}
    for header in listed:
        known = {}
        closure(include, header, known)
        needed |= known.keys()
        with_systemc[header] = any(known.values())
    installed = {path.relative_to(include).as_posix() for path in (include / "annelid").rglob("*.hpp")}
    wrong = [f"{header}: found a header that no public header includes" for header in sorted(installed - needed)]
    wrong += [f"{header}: found an implementation, expected interfaces alone"
              for header in sorted(installed) if header.endswith("_impl.hpp")]

    with tempfile.TemporaryDirectory() as scratch:
        # SystemC takes most of the time. A header that includes it anyway gets it compiled before.
        common = ["c++", "-Wall", "-Wextra", *flags, f"-I{include}"]
        compiled = Path(scratch) / "compiled.hpp"
        compiled.write_text("#include <systemc>\n")
        subprocess.run([*common, "-x", "c++-header", str(compiled), "-o", f"{compiled}.gch"], check=True)

        def compile_alone(header):
            before = ["-include", str(compiled)] if with_systemc[header] else []
            run = subprocess.run([*common, *before, "-fsyntax-only", "-x", "c++", "-"], capture_output=True, text=True,
                                 input=f"#include <{header}>\n")
            return "" if run.returncode == 0 and not run.stderr else f"{header}, alone:\n{run.stderr}"

        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as workers:
            wrong += filter(None, workers.map(compile_alone, listed))
    print(*wrong, f"{len(listed)} headers of the public API, {len(installed)} installed", sep="\n")
    return 1 if wrong else 0


sys.exit(main())
