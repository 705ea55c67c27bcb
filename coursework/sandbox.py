"""The sandbox: a process with limits, and bubblewrap to hide files, network and processes.

In bubblewrap a submission has no network, its own processes, a small private home, and a
read-only system, of which it sees Python, the library, the data and its own files only. Without
bubblewrap the limits still hold.
"""

import base64
import contextlib
import functools
import itertools
import json
import os
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import matplotlib as mpl
import matplotlib.font_manager

from coursework import processes
from coursework.bubblewrap import MB, WORKER, command_prefix, environment, has_user_per_run

WATCH_SECONDS = 0.25  # between two measurements of a run's processes
CLOCK_FACTOR = 4  # limit by the clock, in multiples of the limit on CPU time
GRACE_SECONDS = 3.0  # after an interrupt that is ignored, and for a kill
MAX_REPORT_BYTES = 64 * MB  # of a whole run
FIRST_USER = 1_000_000_000
USERS_PER_GRADER = 1000
RUN_NUMBERS = itertools.count()


@dataclass(frozen=True)
class Limits:
    """Limits of one submission, in seconds of CPU time and in bytes."""

    cell: float = 60.0  # for a cell, and at most for the hidden part of a test cell
    cells: float = 240.0  # for all cells
    hand_in: float = 180.0  # for all hidden parts, which have equal shares
    memory: int = 4096 * MB  # address space of a process, and memory of all processes
    output: int = 2 * MB  # characters that a cell may print or draw
    file: int = 64 * MB  # of a file, and with bubblewrap of all files
    files: int = 10_000  # number of files, with bubblewrap only
    processes: int = 64  # with threads and the copies that wait to hand in


@dataclass
class SandboxResult:
    """The untrusted reports of a run."""

    reports: list[dict[str, Any]] = field(default_factory=list)
    end: str = ""  # the limit that was exceeded, "exit" if it ended too early, or empty
    cell: int | None = None  # that was running when the run ended
    error: str = ""  # messages of the system


NO_BUBBLEWRAP = (
    "Nothing was graded: without bubblewrap (version 0.8 or later, with permission to create "
    "namespaces) a submission can use the network and read all your files, including the answers. "
    "Install it, or write c.Judge.unconfined = True into nbgrader_config.py."
)


@functools.cache
def bubblewrap_works() -> bool:
    """Return True if a run without cells succeeds in bubblewrap."""
    with contextlib.suppress(OSError):
        return not run([], {}, b"", {}, Limits(), True).end
    return False


def run(
    cells: list[dict[str, Any]],
    files: Mapping[str, bytes],
    hidden: bytes,
    parts: Mapping[int, str],
    limits: Limits,
    confined: bool,
) -> SandboxResult:
    """Run the cells of one submission, each with its ``index``, ``source`` and ``test``.

    After a test cell, answers are handed in. The `files` are next to the notebook. The hidden
    inputs (npz file) and hidden lines of the test cells are sent when all cells have run.
    """
    # No other run has this user id, so processes of another run cannot count for this one.
    number = next(RUN_NUMBERS) % USERS_PER_GRADER
    user = FIRST_USER + os.getpid() % 1_000_000 * USERS_PER_GRADER + number
    with (
        tempfile.TemporaryDirectory(prefix="coursework-", dir="/tmp") as name,
        tempfile.TemporaryFile() as errors,
    ):
        folder = Path(name)
        _write_job(folder, cells, files, limits)
        if has_user_per_run():  # others must not read the folder
            for path in (folder, *folder.rglob("*")):
                os.chown(path, user, user)
        process = _start(command_prefix(confined, folder, user, limits.file), folder, errors)
        message = {"hidden": base64.b64encode(hidden).decode(), "parts": parts}
        result = SandboxResult()
        try:
            monitor = _Monitor(process, limits, json.dumps(message).encode(), confined)
            result = monitor.follow()
        finally:
            _kill(process, user, finished=bool(result.reports) and not result.end)
        errors.seek(0)
        result.error = errors.read(4000).decode("utf-8", "replace")
    return result


def _start(prefix: list[str], folder: Path, errors: Any) -> subprocess.Popen[bytes]:
    """Start the worker with its job."""
    return subprocess.Popen(
        [*prefix, sys.executable, "-P", "-s", "-u", str(WORKER), str(folder / "job")],
        env=environment(folder / "home"),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=errors,
        start_new_session=True,
        cwd=folder,
    )


def _write_job(
    folder: Path, cells: list[dict[str, Any]], files: Mapping[str, bytes], limits: Limits
) -> None:
    """Write the files that the worker reads."""
    tests, number = sum(cell["test"] for cell in cells), limits.processes
    if not has_user_per_run():  # the limit includes the other processes of the user
        own = processes.of_user(os.getuid())
        number += sum(each.info["num_threads"] or 0 for each in own)
    job = {
        "cells": cells,
        "cell_seconds": limits.cell,
        "part_seconds": min(limits.cell, max(limits.hand_in / max(tests, 1) - GRACE_SECONDS, 2.0)),
        "cells_seconds": limits.cells,
        "clock_factor": CLOCK_FACTOR,
        "output": limits.output,
        "limits": {
            "RLIMIT_AS": limits.memory,
            "RLIMIT_FSIZE": limits.file,
            "RLIMIT_NOFILE": 256,
            "RLIMIT_CORE": 0,
            "RLIMIT_NPROC": number,
        },
    }
    for name in ("home", "job/files", "job/matplotlib"):
        (folder / name).mkdir(parents=True)
    (folder / "job" / "job.json").write_text(json.dumps(job), "utf-8")
    for name, content in files.items():
        path = folder / "job" / "files" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    # Copy Matplotlib's list of fonts, because making it takes a second.
    for file in Path(mpl.get_cachedir()).glob("fontlist*.json"):
        shutil.copyfile(file, folder / "job" / "matplotlib" / file.name)


class _Monitor:
    """Reader of the reports of a run, which stops when the run exceeds a limit."""

    def __init__(
        self, process: subprocess.Popen[bytes], limits: Limits, message: bytes, confined: bool
    ) -> None:
        self.process, self.limits, self.message = process, limits, message
        self.confined, self.executed, self.result = confined, False, SandboxResult(end="exit")
        self.started, self.used = time.monotonic(), [0.0, 0.0]
        self.until = self.last = self._after(limits.cells)

    def follow(self) -> SandboxResult:
        """Return the reports when the run has ended or exceeds a limit."""
        assert self.process.stdout is not None
        pipe, rest, size, measured = self.process.stdout.fileno(), b"", 0, time.monotonic()
        while self.result.end == "exit":
            if select.select([pipe], [], [], WATCH_SECONDS)[0]:
                if not (more := os.read(pipe, MB)):
                    break
                *lines, rest = (rest + more).split(b"\n")
                for line in lines:
                    self._read_report(line)
                size += len(more)
            if self.result.end and size > MAX_REPORT_BYTES:
                self.result.end = "output"
            elif self.result.end and time.monotonic() > measured + WATCH_SECONDS:
                measured, self.result.end = time.monotonic(), self._exceeded_limit() or "exit"
        return self.result

    def _after(self, seconds: float) -> list[float]:
        """Return the CPU and clock times after which some more seconds have been used."""
        return [used + seconds + GRACE_SECONDS for used in self.used]

    def _read_report(self, line: bytes) -> None:
        """Store a report and update the deadline."""
        try:
            report = json.loads(line)
            kind = report.get("kind")
        except (ValueError, RecursionError, AttributeError):
            return
        self.result.reports.append(report)
        if kind == "begin" and isinstance(report.get("cell"), int) and not self.executed:
            # The student's code may forge this report; the deadline of all cells still holds.
            if self.result.cell is None or report["cell"] > self.result.cell:
                self.result.cell = report["cell"]
                self.until = [*map(min, self._after(self.limits.cell), self.last)]
        elif kind == "executed" and not self.executed:
            self.executed, self.result.cell = True, None
            self.until = self._after(self.limits.hand_in)
            threading.Thread(target=self._send_hidden_inputs, daemon=True).start()
        elif kind == "finished":
            self.result.end = ""

    def _send_hidden_inputs(self) -> None:
        """Send the hidden inputs, in a thread, because the run may never read them."""
        assert self.process.stdin is not None
        with contextlib.suppress(OSError, ValueError):
            pipe = os.dup(self.process.stdin.fileno())
            Connection(pipe, readable=False).send_bytes(self.message)

    def _exceeded_limit(self) -> str:
        """Return the limit that the run exceeds, or an empty string."""
        tree = processes.tree(self.process.pid)
        clock = (time.monotonic() - self.started) / CLOCK_FACTOR
        self.used = [sum(map(processes.cpu_seconds, tree)), clock]
        files = max(map(processes.count_sandbox_files, tree), default=0) if self.confined else 0
        exceeded = {
            "time": any(used > end for used, end in zip(self.used, self.until, strict=True)),
            "processes": not has_user_per_run() and len(tree) > self.limits.processes,
            "files": files > self.limits.files,
            "memory": processes.memory_bytes(tree) > self.limits.memory,
        }
        return next((limit for limit, holds in exceeded.items() if holds), "")


def _kill(process: subprocess.Popen[bytes], user: int, *, finished: bool) -> None:
    """Kill the remaining processes of a run; in bubblewrap they all end with the first."""
    if finished:
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(GRACE_SECONDS)
    processes.kill(processes.tree(process.pid)[::-1])
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    for pipe in (process.stdin, process.stdout):
        with contextlib.suppress(OSError):
            pipe.close()  # type: ignore[union-attr]
    processes.kill(processes.of_user(user))  # none without a user id for each run
