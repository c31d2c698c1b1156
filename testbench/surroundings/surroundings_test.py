#!/usr/bin/env python3
"""Commands in surroundings that not every developer has: file systems without locks, closed or full outputs, no /proc,
a small stack, no folder for temporary files. Each case says what the user must see: an exit status, a message, and
files that are the same as elsewhere.

  surroundings_test.py PROGRAM LIBRARY [CASE...]

LIBRARY is that of without.c.
"""
import os
import pty
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

RUN = "run --operation broadcast --size 2x2 --bytes 16 --firmware native --out out --wave out/wave.fst"
TUNE = "tune --operation broadcast --size 2x2 --bytes 8,64 --firmware native --no-plots --jobs 1 --out out"
CHECK = "check --quick --operation barrier --jobs 2"


class Failed(Exception):
    pass


def require(holds, what):
    if not holds:
        raise Failed(what)


class Place:
    """A folder in which commands are called. It is always the same one, as save files name it, and empty at first."""

    def __init__(self, folder, program, library):
        self.folder, self.program, self.library = folder, program, library
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()

    def call(self, command, before="", behind="", without="", **variables):
        """Runs annelid by a shell, which sets limits `before` it and changes its descriptors `behind` it."""
        environment = dict(os.environ, **variables)
        preload = f"LD_PRELOAD={self.library} ANNELID_WITHOUT={without} " if without else ""
        return subprocess.run(["sh", "-c", f"{before}{preload}exec {self.program} {command} {behind}"], cwd=self.folder,
                              env=environment, capture_output=True, text=True, timeout=300, stdin=subprocess.DEVNULL)

    def files(self, folder="out"):
        root = self.folder / folder
        return {str(f.relative_to(root)): f.read_bytes() for f in sorted(root.rglob("*")) if f.is_file()}


def expect(ended, status, *words):
    shown = f"status {ended.returncode}, expected {status}\n{ended.stdout[-500:]}{ended.stderr[-1000:]}"
    require(ended.returncode == status, shown)
    for word in words:
        require(word in ended.stderr, f"no {word!r} in: {ended.stderr[-1000:]}")


def expected_files(make):
    usual = make()
    expect(usual.call(RUN), 0)
    return usual.files()


def file_system_without_locks(make):
    expected, place = expected_files(make), make()
    ended = place.call(RUN, without="flock")
    expect(ended, 0, "warning", '"out" cannot be locked')
    require(ended.stderr.count("\n") == 1, f"more than one line: {ended.stderr}")
    require(place.files() == expected, "other files")


def file_system_without_late_names(make):
    expected, place = expected_files(make), make()
    ended = place.call(RUN, without="linkat", before="umask 027; ")
    expect(ended, 0)
    require(ended.stderr == "", ended.stderr)
    require(place.files() == expected, f"other files: {sorted(place.files())}")
    mode = (place.folder / "out/result.json").stat().st_mode & 0o777
    require(mode == 0o640, f"permissions {mode:o}, not those of the user's mask")


def no_proc(make):
    expected, place = expected_files(make), make()
    expect(place.call(RUN, without="proc"), 0)
    require(place.files() == expected, "other files")
    expect(place.call(TUNE, without="proc"), 0)  # which asks what program it is


def closed_outputs(make):
    """A message that cannot be written changes no status but its own, and no file becomes an output."""
    for command, outputs, status in [(RUN, ">&-", 1), (RUN, ">&- 2>&- <&-", 1), (TUNE, ">&-", 1), (CHECK, ">&-", 1),
                                     (f"{TUNE} --shard 1/2", ">&- 2>&- <&-", 1), ("keys", "2>&-", 0),
                                     ("traffic nosuch.toml", "2>&-", 2), ("traffic --bogus", "<&- 2>&-", 2)]:
        expect(make().call(command, behind=outputs), status)
    expected, place = expected_files(make), make()
    place.call(RUN, behind=">&- 2>&- <&-")
    require(place.files() == expected, "other files")


def full_outputs(make):
    for command, outputs, status in [("traffic --bogus", "2>/dev/full", 2), ("keys", ">/dev/full 2>/dev/full", 1),
                                     (RUN, ">/dev/full 2>/dev/full", 1), (RUN, "2>/dev/full", 0)]:
        expect(make().call(command, behind=outputs), status)
    place = make()
    expect(place.call(RUN, without="flock", behind="2>/dev/full"), 0)  # its warning cannot be written


def errors_without_a_reader(make):
    """Standard error is a pipe, and nobody reads it."""
    place = make()
    read, write = os.pipe()
    os.close(read)
    ended = subprocess.run([place.program, "traffic", "--bogus"], cwd=place.folder, stderr=write, timeout=60)
    os.close(write)
    require(ended.returncode == 2, f"status {ended.returncode}, expected 2")


def no_folder_for_temporary_files(make):
    place = make()
    (place.folder / "hello.c").write_text("int main(void) { return 0; }\n")
    for folder in ["nosuch", "hello.c"]:
        ended = place.call("firmware build hello.c", TMPDIR=folder)
        expect(ended, 2, "TMPDIR", folder)
        require(sorted(os.listdir(place.folder)) == ["hello.c"], f"{os.listdir(place.folder)}")


def small_stack(make):
    expect(make().call(RUN, before="ulimit -s 128; "), 2, "ulimit -s 8192")
    place = make()
    expect(place.call(RUN, before="ulimit -s 512; "), 0)
    expect(place.call(TUNE, before="ulimit -s 512; "), 0)


def interrupted_build(make):
    """The compiler waits for a pipe that nobody opens. A signal ends it too, and the folder is gone."""
    place = make()
    os.mkfifo(place.folder / "wait.h")
    (place.folder / "slow.c").write_text('#include "wait.h"\nint main(void) { return 0; }\n')
    temporary = place.folder / "temporary"
    temporary.mkdir()
    for number in (signal.SIGTERM, signal.SIGINT):
        build = subprocess.Popen([place.program, "firmware", "build", "slow.c"], cwd=place.folder,
                                 env=dict(os.environ, TMPDIR=str(temporary)), stderr=subprocess.DEVNULL)
        # It can be opened for writing as soon as the compiler reads it.
        pipe = None
        while pipe is None and build.poll() is None:
            try:
                pipe = os.open(place.folder / "wait.h", os.O_WRONLY | os.O_NONBLOCK)
            except OSError:
                time.sleep(0.01)
        require(pipe is not None, f"the build ended with status {build.returncode}")
        build.send_signal(number)
        status = build.wait(timeout=60)
        require(status == -number, f"status {status}, expected signal {number}")
        left = [f.name for f in temporary.iterdir() if f.name.startswith("annelid")]
        require(not left, f"it left {left}")
        os.close(pipe)


def interrupted_run(make):
    for number in (signal.SIGTERM, signal.SIGINT):
        place = make()
        run = subprocess.Popen([place.program, "traffic", "--size", "4x4", "--measure", "1000000000", "--out", "a/out"],
                               cwd=place.folder, stderr=subprocess.DEVNULL)
        while not (place.folder / "a/out/.annelid.lock").exists() and run.poll() is None:
            time.sleep(0.01)
        time.sleep(0.2)  # it makes the folder ready, then it simulates
        run.send_signal(number)
        status = run.wait(timeout=60)
        require(status == -number, f"status {status}, expected signal {number}")
        require(not os.listdir(place.folder), f"it left {os.listdir(place.folder)}")


def no_colours(make):
    """A terminal, and a user who wants no colours. mpirun gives its processes a terminal in any case."""
    for wish, coloured in [("", True), ("1", False)]:
        place = make()
        leader, follower = pty.openpty()
        subprocess.run([place.program, *CHECK.split(), "--size", "2x2"], cwd=place.folder, stdin=follower,
                       stdout=follower, env=dict(os.environ, NO_COLOR=wish), timeout=300)
        os.close(follower)
        shown = b""
        try:
            while part := os.read(leader, 1 << 16):
                shown += part
        except OSError:  # what a terminal says at its end
            pass
        require((b"\033[3" in shown) == coloured, f"NO_COLOR={wish}: {shown!r}")


CASES = [file_system_without_locks, file_system_without_late_names, no_proc, closed_outputs, full_outputs,
         errors_without_a_reader, no_folder_for_temporary_files, small_stack, interrupted_build,
         interrupted_run, no_colours]


def main():
    program, library, *names = sys.argv[1:]
    failed = 0
    scratch = tempfile.TemporaryDirectory()

    def make():
        return Place(Path(scratch.name, "place"), os.path.abspath(program), os.path.abspath(library))

    for case in CASES:
        if names and case.__name__ not in names:
            continue
        try:
            case(make)
            print(f"ok      {case.__name__}", flush=True)
        except Failed as why:
            failed += 1
            print(f"FAILED  {case.__name__}: {why}", flush=True)
    print(f"{len(CASES)} cases, {failed} failed")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
