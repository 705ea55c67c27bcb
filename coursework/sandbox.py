"""Where a student's code runs: a process of its own, with limits, seeing nothing it need not see.

With bubblewrap it has no network, its own processes, a private and small home, a read-only system,
and of all files only the student's own and the data, each under the path that it has outside.
Without bubblewrap the limits still hold.
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
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import matplotlib as mpl
import psutil

import kmds_lib

WORKER = Path(__file__).with_name("worker.py")
MB = 1 << 20
WATCH_SECONDS = 0.25  # seconds between two looks at a run's processes
CLOCK_FACTOR = 4  # times as long by the clock: a busy machine, and code that sleeps
GRACE_SECONDS = 3.0  # seconds after an ignored interrupt, or until a kill is done
MAX_REPORT_BYTES = 64 * MB  # what a run may send in all
FIRST_USER = 1_000_000_000
USERS_PER_GRADER = 1000
RUN_NUMBERS = itertools.count()
LIBRARY = Path(kmds_lib.__file__).parent
SYSTEMD_VARIABLES = (
    "XDG_RUNTIME_DIR",
    "DBUS_SESSION_BUS_ADDRESS",
)  # by which systemd is asked, outside
SYSTEM_PATHS = ("/usr", "/bin", "/lib", "/lib64", "/lib32", "/sbin")
SYSTEM_FILES = ("/etc/ld.so.cache", "/etc/alternatives", "/etc/localtime", "/etc/fonts")


@dataclass(frozen=True)
class Limits:
    """What one submission may use: seconds of the processor, bytes, numbers."""

    cell: float = 60.0  # for a cell, and at most for the hidden part of a test cell
    cells: float = 240.0  # for all cells
    hand_in: float = 180.0  # for all hidden parts; each has an equal share
    memory: int = 4096 * MB  # of address space for a process; of memory for all together
    output: int = 2 * MB  # characters that a cell may print or draw
    file: int = 64 * MB  # of a file, and of all files where bubblewrap is
    files: int = 10_000  # where bubblewrap is
    processes: int = 64  # and threads, those included that wait to hand in


@dataclass
class SandboxResult:
    """What the process of a submission reported; nothing of it can be trusted.

    It was stopped for ``"time"``, ``"memory"``, ``"processes"``, ``"files"`` or ``"output"``;
    ``"exit"`` says that it ended by itself before the end.
    """

    reports: list[dict[str, Any]] = field(default_factory=list)
    end: str = ""
    cell: int | None = None  # that ran when it was stopped
    error: str = ""  # what the system said, for the log


NO_BUBBLEWRAP = (
    "Nothing was graded: without bubblewrap (0.8 or newer, and allowed to make namespaces) a "
    "submission can reach the network and read all that you can read, the answers among it. "
    "Install it, or write into nbgrader_config.py: c.Judge.unconfined = True."
)


def has_user_per_run() -> bool:
    """Tell whether each submission gets a user id of its own, which root alone can give."""
    return os.geteuid() == 0


@functools.cache
def bubblewrap_works() -> bool:
    """Find out whether bubblewrap works here, by a run without cells."""
    with contextlib.suppress(OSError):
        return not run([], {}, b"", {}, Limits(), True).end
    return False


def run(
    cells: list[dict[str, Any]],
    files: Mapping[str, bytes],
    hidden: bytes,
    parts: Mapping[int, str],
    limits: Limits,
    wrapped: bool,
) -> SandboxResult:
    """Run the cells of one submission, with the files that stand beside the notebook.

    A cell has its ``index``, its ``source``, and whether it is a ``test`` cell, after which
    answers are handed in. When all have run, the hidden inputs are sent, as npz, and the hidden
    lines of the test cells, by index. `wrapped` says whether bubblewrap keeps the code from the
    files, the network and the processes of others.
    """
    # No other run has this user id: what another left behind counts for that one.
    user = (
        FIRST_USER
        + os.getpid() % 1_000_000 * USERS_PER_GRADER
        + next(RUN_NUMBERS) % USERS_PER_GRADER
    )
    with tempfile.TemporaryDirectory(prefix="coursework-", dir="/tmp") as name:
        folder = Path(name)
        _write_job(folder, cells, files, limits)
        if has_user_per_run():  # nobody else may look in
            for path in (folder, *folder.rglob("*")):
                os.chown(path, user, user)
        told = {"hidden": base64.b64encode(hidden).decode(), "parts": parts}
        with tempfile.TemporaryFile() as errors:
            process = _start(folder, user, limits, wrapped, errors)
            ran = SandboxResult()
            try:
                ran = _Monitor(process, limits, json.dumps(told).encode(), wrapped).follow()
            finally:
                _kill(process, user, finished=bool(ran.reports) and not ran.end)
            errors.seek(0)
            ran.error = errors.read(4000).decode("utf-8", "replace")
    return ran


def _write_job(
    folder: Path,
    cells: list[dict[str, Any]],
    files: Mapping[str, bytes],
    limits: Limits,
) -> None:
    """Write what the runner reads."""
    tests, processes = sum(cell["test"] for cell in cells), limits.processes
    if not has_user_per_run():  # the limit counts what the user who grades runs already
        processes += sum(each.info["num_threads"] or 0 for each in _of_user(os.getuid()))
    job = {
        "cells": cells,
        "cell_seconds": limits.cell,
        "part_seconds": min(limits.cell, max(limits.hand_in / max(tests, 1) - GRACE_SECONDS, 2.0)),
        "cells_seconds": limits.cells,
        "patience": CLOCK_FACTOR,
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
    # Looking for the system's fonts takes a second, so it is done once.
    import matplotlib.font_manager  # noqa: F401  (writes the list)

    for file in Path(mpl.get_cachedir()).glob("fontlist*.json"):
        shutil.copyfile(file, folder / "job" / "matplotlib" / file.name)


def _start(
    folder: Path, user: int, limits: Limits, wrapped: bool, errors: Any
) -> subprocess.Popen[bytes]:
    """Start the runner with its job."""
    command = [*_command_prefix(wrapped, folder, user, limits), sys.executable, "-P", "-s", "-u"]
    return subprocess.Popen(
        [*command, str(WORKER), str(folder / "job")],
        env=_environment(wrapped, folder / "home"),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=errors,
        start_new_session=True,
        cwd=folder,
    )


@functools.cache
def _control_group(memory: int) -> tuple[str, ...]:
    """Return the words that give a run a control group, where systemd makes some.

    Its memory is then limited by the kernel; elsewhere the grader looks four times a second.
    """
    program = shutil.which("systemd-run")
    words = (str(program), *(("--user",) if os.geteuid() else ()), "--scope", "--quiet")
    words += ("--collect", "-p", f"MemoryMax={memory}", "-p", "MemorySwapMax=0", "--")
    with contextlib.suppress(OSError, subprocess.SubprocessError):
        probe = [*words, "true"]
        if (
            program
            and not subprocess.run(probe, capture_output=True, timeout=GRACE_SECONDS).returncode
        ):
            return words
    return ()


def _command_prefix(wrapped: bool, folder: Path, user: int, limits: Limits) -> list[str]:
    """Return the words before the command: bubblewrap, and the change of user."""
    words = (
        [*_control_group(limits.memory), *_bubblewrap_arguments(folder, limits.file)]
        if wrapped
        else []
    )
    if has_user_per_run():
        words += ["setpriv", f"--reuid={user}", f"--regid={user}", "--clear-groups"]
        words += ["--no-new-privs", "--inh-caps=-all", "--bounding-set=-all"]
        if wrapped:  # only whoever makes a namespace of users can forbid further ones
            words += ["bwrap", "--unshare-user", "--disable-userns", "--dev-bind", "/", "/", "--"]
    return words


def _bubblewrap_arguments(folder: Path, size: int) -> list[str]:
    """Return bubblewrap's words: what the sandbox shows."""
    words = ["bwrap", "--die-with-parent", "--unshare-pid", "--unshare-net", "--unshare-ipc"]
    words += ["--unshare-uts", "--hostname", "coursework", "--cap-drop", "ALL"]
    words += [word for name in SYSTEMD_VARIABLES for word in ("--unsetenv", name)]
    if has_user_per_run():  # who becomes another user needs the system's own list of users
        words += ["--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID"]
    else:
        words += ["--unshare-user", "--disable-userns"]
    for path in SYSTEM_PATHS:
        if os.path.islink(path):
            words += ["--symlink", os.readlink(path), path]
        elif os.path.isdir(path):
            words += ["--ro-bind", path, path]
    for path in SYSTEM_FILES:
        words += ["--ro-bind-try", path, path]
    words += ["--proc", "/proc", "--dev", "/dev", "--size", str(MB), "--tmpfs", "/dev/shm"]
    words += ["--remount-ro", "/dev", "--perms", "1777", "--size", str(size), "--tmpfs", "/tmp"]
    # After /tmp, under which they may stand.
    for path in dict.fromkeys((sys.base_prefix, sys.prefix)):
        if Path("/usr") not in (Path(path), *Path(path).parents):
            words += _read_only_bind(path)
    words += [
        *_read_only_bind(WORKER),
        *_read_only_bind(LIBRARY),
        *_read_only_bind(folder / "job"),
    ]
    words += ["--perms", "0777", "--dir", str(folder / "home")]
    return [*words, "--remount-ro", "/", "--chdir", "/tmp", "--"]


def _read_only_bind(path: str | Path) -> list[str]:
    """Return bubblewrap's words for a read-only path, whose parents all may enter."""
    words = []
    for folder in [*Path(path).parents][-2::-1]:
        words += ["--perms", "0755", "--dir", str(folder)]
    return [*words, "--ro-bind", os.path.realpath(path), str(path)]


def _environment(wrapped: bool, home: Path) -> dict[str, str]:
    """Return the variables that a run sees; none of the grader's own, which may hold secrets."""
    bus = {name: os.environ[name] for name in SYSTEMD_VARIABLES if name in os.environ}
    return {
        **(bus if wrapped else {}),
        "PATH": "/usr/local/bin:/usr/bin:/bin",
        "HOME": str(home),
        "USER": "student",
        "TMPDIR": str(home),
        "MPLCONFIGDIR": f"{home}/matplotlib",
        "IPYTHONDIR": f"{home}/ipython",
        "PYTHONPATH": str(LIBRARY.parent),
        "LANG": "C.UTF-8",
        "PYTHONHASHSEED": "0",
        "PYTHONDONTWRITEBYTECODE": "1",
        "TQDM_DISABLE": "1",
        **{f"{name}_NUM_THREADS": "1" for name in ("OPENBLAS", "OMP", "MKL")},
    }


class _Monitor:
    """Reads what a run reports, and says when it uses more than it may."""

    def __init__(
        self, process: subprocess.Popen[bytes], limits: Limits, message: bytes, wrapped: bool
    ) -> None:
        self.process, self.limits, self.message = process, limits, message
        self.wrapped, self.executed, self.ran = wrapped, False, SandboxResult(end="exit")
        self.started, self.used = time.monotonic(), [0.0, 0.0]
        self.until = self.last = self._after(limits.cells)

    def follow(self) -> SandboxResult:
        """Return all reports, when the run has ended or must be stopped."""
        assert self.process.stdout is not None
        pipe, rest, size, looked = self.process.stdout.fileno(), b"", 0, time.monotonic()
        while self.ran.end == "exit":
            if select.select([pipe], [], [], WATCH_SECONDS)[0]:
                if not (more := os.read(pipe, MB)):
                    break
                *lines, rest = (rest + more).split(b"\n")
                for line in lines:
                    self._heard(line)
                size += len(more)
            if self.ran.end and size > MAX_REPORT_BYTES:
                self.ran.end = "output"
            elif self.ran.end and time.monotonic() > looked + WATCH_SECONDS:
                looked, self.ran.end = time.monotonic(), self._uses_too_much() or "exit"
        return self.ran

    def _after(self, seconds: float) -> list[float]:
        """Return what may have been used when some seconds more are over."""
        return [used + seconds + GRACE_SECONDS for used in self.used]

    def _heard(self, line: bytes) -> None:
        try:
            report = json.loads(line)
            kind = report.get("kind")
        except (ValueError, RecursionError, AttributeError):
            return
        self.ran.reports.append(report)
        if kind == "begin" and isinstance(report.get("cell"), int) and not self.executed:
            # A forged line comes from a cell that runs: it buys time up to the deadline of all.
            if self.ran.cell is None or report["cell"] > self.ran.cell:
                self.ran.cell = report["cell"]
                self.until = [*map(min, self._after(self.limits.cell), self.last)]
        elif kind == "executed" and not self.executed:
            self.executed, self.ran.cell = True, None
            self.until = self._after(self.limits.hand_in)
            threading.Thread(target=self._tell, daemon=True).start()
        elif kind == "finished":
            self.ran.end = ""

    def _tell(self) -> None:
        """Send the hidden inputs; a run that does not read them is stopped by its time."""
        assert self.process.stdin is not None
        with contextlib.suppress(OSError, ValueError):
            pipe = os.dup(self.process.stdin.fileno())
            Connection(pipe, readable=False).send_bytes(self.message)

    def _uses_too_much(self) -> str:
        processes = _tree(self.process.pid)
        clock = (time.monotonic() - self.started) / CLOCK_FACTOR
        self.used = [sum(map(_processor, processes)), clock]
        if any(used > until for used, until in zip(self.used, self.until, strict=True)):
            return "time"
        if not has_user_per_run() and len(processes) > self.limits.processes:
            return "processes"
        if self.wrapped and max(map(_files, processes), default=0) > self.limits.files:
            return "files"
        held = {key: size for each in processes for key, size in _held(each)}
        used = sum(map(_memory, processes)) + sum(held.values())
        return "memory" if used > self.limits.memory else ""


def _tree(pid: int) -> list[psutil.Process]:
    """Return a process and its descendants."""
    with contextlib.suppress(psutil.Error):
        first = psutil.Process(pid)
        return [first, *first.children(recursive=True)]
    return []


def _of_user(user: int) -> Iterator[psutil.Process]:
    """Yield the processes of a user."""
    for each in psutil.process_iter(["uids", "num_threads"]):
        if each.info["uids"] and each.info["uids"].real == user:
            yield each


def _processor(process: psutil.Process) -> float:
    """Return the seconds that a process, and those it has waited for, had of the processor."""
    with contextlib.suppress(psutil.Error):
        return float(sum(process.cpu_times()[:4]))
    return 0.0


def _memory(process: psutil.Process) -> int:
    """Return the bytes of a process; pages that several share are counted in parts, on Linux."""
    with contextlib.suppress(psutil.Error):
        found = process.memory_full_info()
        return int(getattr(found, "pss", found.uss))
    return 0


def _held(process: psutil.Process) -> Iterator[tuple[tuple[int, int], int]]:
    """Yield the files in memory that a process holds open, which no folder shows."""
    with contextlib.suppress(OSError):  # files are closed, and processes end, meanwhile
        for path in Path(f"/proc/{process.pid}/fd").iterdir():
            if os.readlink(path).startswith("/memfd:"):
                found = path.stat()
                yield (found.st_dev, found.st_ino), found.st_blocks * 512


def _files(process: psutil.Process) -> int:
    """Return how many files stand in the sandbox of a process; 0 outside of one."""
    inside = f"/proc/{process.pid}/root/tmp"
    with contextlib.suppress(OSError):
        if os.stat(inside).st_dev != os.stat("/tmp").st_dev:
            found = os.statvfs(inside)
            return found.f_files - found.f_ffree
    return 0


def _kill(process: subprocess.Popen[bytes], user: int, *, finished: bool) -> None:
    """Kill what is left of a run. In a sandbox the first process takes all others with it."""
    if finished:
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(GRACE_SECONDS)
    for each in _tree(process.pid)[::-1]:
        with contextlib.suppress(psutil.Error):
            each.kill()
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    for pipe in (process.stdin, process.stdout):
        if pipe is not None:
            with contextlib.suppress(OSError):
                pipe.close()
    for each in _of_user(user):  # none, unless each submission has its own
        with contextlib.suppress(psutil.Error):
            each.kill()
