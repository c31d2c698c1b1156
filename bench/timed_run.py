"""Runs a program, and says how long it took and what it printed."""
import os
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass


@dataclass
class TimedRun:
    command: str
    status: int
    user: float  # seconds of the processor in the program itself
    processor: float  # the same, and in the system for it
    elapsed: float
    stdout: str
    stderr: str

    def exit_unless(self, good):
        """Ends this script with the program's error unless `good`. Returns the run."""
        if not good:
            sys.exit(f"{os.path.basename(sys.argv[0])}: {self.command}: status {self.status}\n{self.stderr[-2000:].strip()}")
        return self


def timed_run(command, folder=None):
    words = [str(word) for word in command]
    with tempfile.TemporaryFile("w+", errors="replace") as out, tempfile.TemporaryFile("w+", errors="replace") as err:
        begin = time.monotonic()
        child = subprocess.Popen(words, cwd=folder, stdout=out, stderr=err)
        _, wait_status, usage = os.wait4(child.pid, 0)
        elapsed = time.monotonic() - begin
        child.returncode = os.waitstatus_to_exitcode(wait_status)
        out.seek(0)
        err.seek(0)
        return TimedRun(" ".join(words), child.returncode, usage.ru_utime, usage.ru_utime + usage.ru_stime, elapsed,
                        out.read(), err.read())
