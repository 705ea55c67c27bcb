"""The sandbox: a process in bubblewrap whose time, memory and reports are limited.

Without bubblewrap the limits still hold. Grading has four layers:
`autograde` calls `executor.run` for each submission and compares the answers;
`executor` calls `sandbox.run` up to three times, and reads the reports as plain types;
`sandbox` starts the command that `bubblewrap` builds, and ends it at a limit;
`worker` is the program in this command: it executes the cells, and imports none of the others.
"""

import base64
import contextlib
import functools
import itertools
import json
import os
import shutil
import signal
import socket
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import matplotlib as mpl
import matplotlib.font_manager
import psutil

from coursework.bubblewrap import COMMAND, command_prefix, environment, has_own_user

MB = 1 << 20
WATCH_SECONDS = 0.25  # between two measurements of a run's processes
CLOCK_FACTOR = 4  # limit by the clock, in multiples of the limit on CPU time
GRACE_SECONDS = 3.0  # after an interrupt that is ignored, and for a kill
EXECUTED = b'{"kind": "executed"}\n'  # the report when all cells have run
FIRST_USER, USERS = 1_000_000_000, 100  # user ids as root: a hundred for each grader
RUN_NUMBERS = itertools.count()


@dataclass(frozen=True)
class Limits:
    """Limits of one submission, in seconds of CPU time and in bytes."""

    cell: float = 60.0  # for a cell, and at most for the hidden lines of a test cell
    cells: float = 240.0  # for all cells
    hidden_tests: float = 180.0  # for the hidden lines of all test cells, in equal shares
    memory: int = 4096 * MB  # address space of a process, and memory of all processes
    output: int = 2 * MB  # characters that a cell may print or draw
    file: int = 64 * MB  # of a file or of all reports, and with bubblewrap of all files
    processes: int = 64  # with threads and the copies that wait to hand in


class GradingInputs(NamedTuple):
    """The inputs of all submissions of a set and seed."""

    data: bytes  # npz file
    hidden: bytes  # npz file
    tests: dict[str, str]  # hidden lines of the test cells, by id


class SandboxResult(NamedTuple):
    """The untrusted reports of a run."""

    reports: list[dict[str, Any]]
    end: str  # the limit that was exceeded, "exit" if it ended too early, or empty
    cell: int | None  # that was running when the run ended
    error: str  # messages of the system


@functools.cache
def bubblewrap_works() -> bool:
    """Return True if a run without cells succeeds in bubblewrap."""
    with contextlib.suppress(OSError):
        return not run([], GradingInputs(b"", b"", {}), {}, Limits(), True).end
    return False


def run(
    cells: Sequence[tuple[str, str]],
    inputs: GradingInputs,
    files: Mapping[str, bytes],
    limits: Limits,
    confined: bool,
) -> SandboxResult:
    """Run the cells of one submission, each a source and the id of a test cell or "".

    After a test cell, answers are handed in. The `files` are next to the notebook. The hidden
    inputs and the hidden lines of the test cells are sent when all cells have run.
    """
    user = FIRST_USER + os.getpid() * USERS + next(RUN_NUMBERS) % USERS  # of this run alone
    with tempfile.TemporaryDirectory(prefix="coursework-", dir="/tmp") as name:
        folder = Path(name)
        _write_job(folder, cells, {**files, "data.npz": inputs.data}, limits)
        ours, theirs = socket.socketpair()  # not a file, because code could change a file
        with (
            open(folder / "message", "wb", buffering=0) as message,
            open(folder / "message", "rb") as stdin,
            open(folder / "errors", "w+b") as stderr,
            ours,
            theirs,
        ):
            if has_own_user():  # others must not read the folder
                for path in (folder, *folder.rglob("*")):
                    os.chown(path, user, user)
            process = subprocess.Popen(
                [*command_prefix(confined, folder, user, limits.file), *COMMAND, folder / "job"],
                env=environment(folder / "home"),
                stdin=stdin,
                stdout=theirs.fileno(),
                stderr=stderr,
                start_new_session=True,
                cwd=folder,
            )
            hidden = {"hidden": base64.b64encode(inputs.hidden).decode(), "tests": inputs.tests}
            send = functools.partial(message.write, json.dumps(hidden).encode() + b"\n")
            theirs.close()
            reports, exceeded = _supervise(process, ours, send, limits, user)
            error = os.pread(stderr.fileno(), 4000, 0).decode("utf-8", "replace")
            return _read_reports(reports, exceeded, error)


def _supervise(
    process: subprocess.Popen[bytes],
    connection: socket.socket,
    send: Callable[[], Any],
    limits: Limits,
    user: int,
) -> tuple[bytearray, str]:
    """Return what a run reports and the limit that it exceeds or "", and kill its processes."""
    reports = bytearray()
    receiver = threading.Thread(target=_receive, args=(connection, reports, limits.file))
    receiver.start()
    try:
        return reports, _watch(process, reports, send, limits)
    finally:
        _kill(process, user)
        with contextlib.suppress(OSError):  # the run has closed its end already
            connection.shutdown(socket.SHUT_RD)
        receiver.join()


def _receive(connection: socket.socket, reports: bytearray, limit: int) -> None:
    """Collect what a run sends, up to a limit."""
    while part := connection.recv(MB):
        reports += part[: max(limit - len(reports), 0)]


def _watch(
    process: subprocess.Popen[bytes], reports: bytearray, send: Callable[[], Any], limits: Limits
) -> str:
    """Wait for the end of a run, and return the limit that it exceeds or "".

    The hidden inputs are sent when the reports say, truly or not, that all cells have run.
    """
    last = limits.cells + GRACE_SECONDS
    started = time.monotonic()
    until = last
    seen = 0  # bytes of the reports
    executed = False
    while True:
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(WATCH_SECONDS)
            return ""
        seconds, memory = usage(process_tree(process.pid))
        used = max(seconds, (time.monotonic() - started) / CLOCK_FACTOR)
        if not executed and len(reports) > seen:  # a cell has begun or ended
            seen = len(reports)
            until = min(used + limits.cell + GRACE_SECONDS, last)
            if executed := EXECUTED in reports:
                until = used + limits.hidden_tests + GRACE_SECONDS
                # On a line of its own: the student's code may have written into the worker's line.
                reports += b"\n" + EXECUTED
                send()
        if used > until or memory > limits.memory:
            return "time" if used > until else "memory"


def _read_reports(text: bytearray, exceeded: str, error: str) -> SandboxResult:
    """Return the reports of a run that has ended."""
    reports = list[dict[str, Any]]()
    for line in text.split(b"\n"):
        with contextlib.suppress(ValueError, RecursionError):
            report = json.loads(line)
            if isinstance(report, dict):
                reports.append(report)
    kinds = [report.get("kind") for report in reports]
    begun = [report.get("cell") for report in reports if report.get("kind") == "begin"]
    begun = [cell for cell in begun if isinstance(cell, int) and "executed" not in kinds]
    cell = begun[-1] if begun else None
    return SandboxResult(reports, "" if "finished" in kinds else exceeded or "exit", cell, error)


def _write_job(
    folder: Path, cells: Sequence[tuple[str, str]], files: Mapping[str, bytes], limits: Limits
) -> None:
    """Write the files that the worker reads."""
    tests = sum(bool(test) for _, test in cells)
    share = limits.hidden_tests / max(tests, 1)
    processes = limits.processes
    if not has_own_user():  # the limit includes the other processes of the user
        processes += sum(each.info["num_threads"] or 0 for each in processes_of(os.getuid()))
    job = {
        "cells": cells,
        "cell_seconds": limits.cell,
        "hidden_test_seconds": min(limits.cell, max(share - GRACE_SECONDS, 2.0)),
        "cells_seconds": limits.cells,
        "clock_factor": CLOCK_FACTOR,
        "output": limits.output,
        "limits": {
            "RLIMIT_AS": limits.memory,
            "RLIMIT_FSIZE": limits.file,
            "RLIMIT_NOFILE": 256,
            "RLIMIT_CORE": 0,
            "RLIMIT_NPROC": processes,
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


def _kill(process: subprocess.Popen[bytes], user: int) -> None:
    """Kill the remaining processes of a run; in bubblewrap they all end with the first."""
    kill(process_tree(process.pid)[::-1])
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    kill(processes_of(user))  # none without a user id of its own


def process_tree(pid: int) -> list[psutil.Process]:
    """Return a process and its descendants."""
    with contextlib.suppress(psutil.Error):
        first = psutil.Process(pid)
        return [first, *first.children(recursive=True)]
    return []


def processes_of(user: int) -> list[psutil.Process]:
    """Return the processes of a user."""
    found = psutil.process_iter(["uids", "num_threads"])
    return [each for each in found if each.info["uids"] and each.info["uids"].real == user]


def kill(processes: list[psutil.Process]) -> None:
    """Kill processes, of which some may have ended."""
    for process in processes:
        with contextlib.suppress(psutil.Error):
            process.kill()


def usage(processes: list[psutil.Process]) -> tuple[float, int]:
    """Return the CPU time of processes and of their ended children, and their memory.

    The memory includes files in memory that no folder shows. On Linux, shared pages count in part.
    """
    seconds, memory = 0.0, 0
    in_memory = dict[tuple[int, int], int]()
    for process in processes:
        with contextlib.suppress(psutil.Error, OSError):  # it has ended
            seconds += sum(process.cpu_times()[:4])
            sizes = process.memory_full_info()
            memory += getattr(sizes, "pss", sizes.uss)
            for path in Path(f"/proc/{process.pid}/fd").iterdir():
                if os.readlink(path).startswith("/memfd:"):
                    file = path.stat()
                    in_memory[file.st_dev, file.st_ino] = file.st_blocks * 512
    return seconds, memory + sum(in_memory.values())
