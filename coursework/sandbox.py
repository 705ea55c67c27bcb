"""Where a student's code runs: a process of its own, with limits, seeing nothing it need not see.

With bubblewrap it has no network, its own processes, a private and small home, a read-only system,
and of all files only the student's own and the data. Without bubblewrap the limits still hold, and
`Isolation.missing` says what does not.
"""

import base64
import contextlib
import functools
import itertools
import json
import os
import selectors
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import matplotlib as mpl

import kmds_lib

RUNNER = Path(__file__).with_name("runner.py")
MB = 1 << 20
WATCH = 0.25  # seconds between two looks at a run's processes
PATIENCE = 120.0  # seconds for a probe
GRACE = 3.0  # seconds after an ignored interrupt, or until a kill is done
REPORTED = 64 * MB  # what a run may send in all
LINE = 32 * MB  # one report
PROCESSES = Path("/proc")
FIRST_USER = 1_000_000_000
USERS = 1000
RUNS = itertools.count()
# Where the sandbox shows what it shows.
BOX = "/coursework"
SYSTEM = ("/usr", "/bin", "/lib", "/lib64", "/lib32", "/sbin")
SETTINGS = ("/etc/ld.so.cache", "/etc/alternatives", "/etc/localtime", "/etc/fonts")


@dataclass(frozen=True)
class Limits:
    """What one submission may use.

    Attributes
    ----------
    cell : float
        Seconds for a cell, and at most for the hidden part of a test cell.
    cells : float
        Seconds for all cells.
    hand_in : float
        Seconds for all hidden parts; each has an equal share.
    memory : int
        Bytes: of address space for a process, and of memory for all together.
    output : int
        Characters that a cell may print or draw.
    file : int
        Bytes of a file, and of all files where bubblewrap is.
    files : int
        Number of files, where bubblewrap is.
    processes : int
        Processes and threads, those included that wait to hand in.
    """

    cell: float = 60.0
    cells: float = 240.0
    hand_in: float = 180.0
    memory: int = 4096 * MB
    output: int = 2 * MB
    file: int = 64 * MB
    files: int = 10_000
    processes: int = 64


@dataclass(frozen=True)
class Isolation:
    """What keeps a student's code from everything else on this machine.

    Attributes
    ----------
    bubblewrap : bool
        Files, network and processes of others are out of sight.
    own_user : bool
        Each submission runs under a user id of its own.
    missing : tuple of str
        A sentence for each thing that does not hold.
    """

    bubblewrap: bool
    own_user: bool
    missing: tuple[str, ...] = ()


@dataclass
class Ran:
    """What the process of a submission reported; nothing of it can be trusted.

    Attributes
    ----------
    reports : list of dict
        Its messages, in their order.
    end : str
        Why it was stopped: ``"time"``, ``"memory"``, ``"processes"``, ``"files"``,
        ``"output"``, ``"exit"`` (it ended by itself before the end) or nothing.
    cell : int or None
        The cell that ran when it was stopped.
    error : str
        What the system said, for the log.
    """

    reports: list[dict[str, Any]] = field(default_factory=list)
    end: str = ""
    cell: int | None = None
    error: str = ""


NO_BUBBLEWRAP = (
    "Without bubblewrap (0.8 or newer, and allowed to make namespaces) a submission can reach the "
    "network and read every file that the user who grades can read: other submissions, the "
    "references and the results among them."
)
WAIVED = (
    "Install bubblewrap, or write into nbgrader_config.py: c.Judge.unconfined = True, or say "
    "--Judge.unconfined=True."
)
NO_LEASH = "Without bubblewrap a process that a submission detaches can outlive it."
NO_COUNT = (
    "This system does not show its processes under /proc: they are not counted, and memory is "
    "limited for each process only."
)
NO_USER = (
    "As root without a user id for each submission, the limit on processes does not bind; the "
    "grader counts them instead, four times a second."
)


@functools.cache
def isolation(bubblewrap: bool = True) -> Isolation:
    """Find out what this system can do, by doing it.

    Parameters
    ----------
    bubblewrap : bool
        Whether to use bubblewrap where the system has it.

    Returns
    -------
    Isolation
    """
    root = os.geteuid() == 0
    wrapped = bubblewrap and _works(Isolation(True, False))
    own_user = root and _works(Isolation(wrapped, True))
    missing = [] if wrapped else [NO_BUBBLEWRAP, NO_LEASH]
    if not PROCESSES.is_dir():
        missing.append(NO_COUNT)
    if root and not own_user:
        missing.append(NO_USER)
    return Isolation(wrapped, own_user, tuple(missing))


def _user() -> int:
    """Return a user id that no other run has: what another left behind counts for that one."""
    return FIRST_USER + os.getpid() % 1_000_000 * USERS + next(RUNS) % USERS


def _works(wanted: Isolation) -> bool:
    """Tell whether the runner starts under an isolation, with all that it imports."""
    if wanted.bubblewrap and shutil.which("bwrap") is None:
        return False
    if wanted.own_user and shutil.which("setpriv") is None:
        return False
    user = _user()
    with tempfile.TemporaryDirectory() as name, contextlib.suppress(OSError):
        folder = Path(name)
        if wanted.own_user:
            _hand_over(folder, user)
        with tempfile.TemporaryFile() as errors:
            process = _start(folder, user, Limits(), wanted, errors, probe=True)
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.communicate(timeout=PATIENCE)
            _end(process, user if wanted.own_user else None, False)
        return process.returncode == 0
    return False


def run(
    cells: list[dict[str, Any]],
    files: Mapping[str, bytes],
    hidden: bytes,
    parts: Mapping[int, str],
    limits: Limits,
    isolated: Isolation,
) -> Ran:
    """Run the cells of one submission.

    Parameters
    ----------
    cells : list of dict
        For each cell its ``index``, ``source``, whether to ``run`` it, and whether it is a
        ``test`` cell, after which answers are handed in.
    files : mapping
        Contents of the files that stand beside the notebook, by their names.
    hidden : bytes
        The hidden inputs as npz; sent when all cells have run.
    parts : mapping
        The hidden lines of the test cells by index; sent with them.
    limits : Limits
    isolated : Isolation

    Returns
    -------
    Ran
    """
    user = _user()
    with tempfile.TemporaryDirectory(prefix="coursework-") as name:
        folder = Path(name)
        _write_job(folder, cells, files, limits, isolated)
        if isolated.own_user:
            _hand_over(folder, user)
        told = json.dumps({"hidden": base64.b64encode(hidden).decode(), "parts": parts}).encode()
        message = len(told).to_bytes(8, "big") + told
        with tempfile.TemporaryFile() as errors:
            process = _start(folder, user, limits, isolated, errors)
            ran = Ran()
            try:
                ran = _Watch(process, limits, message, isolated).follow()
            finally:
                finished = bool(ran.reports) and not ran.end
                _end(process, user if isolated.own_user else None, finished)
            errors.seek(0)
            ran.error = errors.read(4000).decode("utf-8", "replace")
    return ran


def _write_job(
    folder: Path,
    cells: list[dict[str, Any]],
    files: Mapping[str, bytes],
    limits: Limits,
    isolated: Isolation,
) -> None:
    """Write what the runner reads."""
    tests = sum(cell["test"] for cell in cells)
    job = {
        "cells": cells,
        "cell_seconds": limits.cell,
        "part_seconds": min(limits.cell, max(limits.hand_in / max(tests, 1) - GRACE, 2.0)),
        "cells_seconds": limits.cells,
        "output": limits.output,
        "limits": {
            "RLIMIT_AS": limits.memory,
            "RLIMIT_FSIZE": limits.file,
            "RLIMIT_NOFILE": 256,
            "RLIMIT_CORE": 0,
            **({"RLIMIT_NPROC": _processes(limits, isolated)} if PROCESSES.is_dir() else {}),
        },
    }
    inside = folder / "job"
    (inside / "files").mkdir(parents=True)
    (inside / "job.json").write_text(json.dumps(job), "utf-8")
    for name, content in files.items():
        path = inside / "files" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    # Looking for the system's fonts takes a second, so it is done once.
    (inside / "fonts").mkdir()
    for name, content in _fonts().items():
        (inside / "fonts" / name).write_bytes(content)
    (folder / "home").mkdir()


@functools.cache
def _fonts() -> dict[str, bytes]:
    """Return matplotlib's list of fonts, as the file that it keeps."""
    import matplotlib.font_manager  # noqa: F401  (writes the list)

    folder = Path(mpl.get_cachedir())
    return {file.name: file.read_bytes() for file in folder.glob("fontlist*.json")}


def _processes(limits: Limits, isolated: Isolation) -> int:
    """Return the limit on processes; it counts what the user who grades runs already."""
    count = limits.processes
    for status in () if isolated.own_user else PROCESSES.glob("[0-9]*"):
        try:
            if status.stat().st_uid == os.getuid():
                count += len(os.listdir(status / "task"))
        except OSError:  # it has ended
            continue
    return count


def _hand_over(folder: Path, user: int) -> None:
    """Give a job's folders to the user under whom it runs; nobody else may look in."""
    for path in (folder, *folder.rglob("*")):
        os.chown(path, user, user)
    folder.chmod(0o700)


def _start(
    folder: Path,
    user: int,
    limits: Limits,
    isolated: Isolation,
    errors: Any,
    probe: bool = False,
) -> subprocess.Popen[bytes]:
    """Start the runner with its job; as a probe without one, so that it ends at once."""
    job = Path(BOX) / "job" if isolated.bubblewrap else folder / "job"
    runner = Path(BOX) / "runner.py" if isolated.bubblewrap else RUNNER
    command = [*_before(isolated, folder, user, limits.file), sys.executable, "-P", "-s", "-u"]
    return subprocess.Popen(
        [*command, str(runner), *([] if probe else [str(job)])],
        env=_environment(isolated, folder),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=errors,
        start_new_session=True,
        cwd="/" if isolated.bubblewrap else folder,
    )


def _before(isolated: Isolation, folder: Path, user: int, size: int) -> list[str]:
    """Return the words before the command: bubblewrap, and the change of user."""
    words = [] if not isolated.bubblewrap else _wrap(folder, size, isolated.own_user)
    if isolated.own_user:
        words += ["setpriv", f"--reuid={user}", f"--regid={user}", "--clear-groups"]
        words += ["--no-new-privs", "--inh-caps=-all", "--bounding-set=-all"]
    return words


def _wrap(folder: Path, size: int, own_user: bool) -> list[str]:
    """Return bubblewrap's words: what the sandbox shows."""
    words = ["bwrap", "--die-with-parent", "--unshare-pid", "--unshare-net", "--unshare-ipc"]
    words += ["--unshare-uts", "--hostname", "coursework", "--cap-drop", "ALL"]
    if not own_user:  # who becomes another user needs the system's own list of users
        words += ["--unshare-user", "--disable-userns"]
    else:
        words += ["--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID"]
    for path in SYSTEM:
        if os.path.islink(path):
            words += ["--symlink", os.readlink(path), path]
        elif os.path.isdir(path):
            words += ["--ro-bind", path, path]
    for path in SETTINGS:
        words += ["--ro-bind-try", path, path]
    words += ["--proc", "/proc", "--dev", "/dev", "--size", str(MB), "--tmpfs", "/dev/shm"]
    words += ["--remount-ro", "/dev", "--perms", "1777", "--size", str(size), "--tmpfs", "/tmp"]
    # After /tmp, under which they may stand.
    for path in dict.fromkeys((sys.base_prefix, sys.prefix)):
        if Path("/usr") not in (Path(path), *Path(path).parents):
            words += _shown(os.path.realpath(path), path)
    words += _shown(str(RUNNER), f"{BOX}/runner.py")
    words += _shown(str(Path(kmds_lib.__file__).parent), f"{BOX}/library/kmds_lib")
    if (folder / "job").is_dir():
        words += _shown(str(folder / "job"), f"{BOX}/job")
    return [*words, "--remount-ro", "/", "--chdir", "/tmp", "--"]


def _shown(source: str, path: str) -> list[str]:
    """Return bubblewrap's words for a read-only path, whose parents all may enter."""
    words = []
    for folder in [*Path(path).parents][-2::-1]:
        words += ["--perms", "0755", "--dir", str(folder)]
    return [*words, "--ro-bind", source, path]


def _environment(isolated: Isolation, folder: Path) -> dict[str, str]:
    """Return the variables that a run sees; none of the grader's own, which may hold secrets."""
    home = "/tmp/home" if isolated.bubblewrap else str(folder / "home")
    library = f"{BOX}/library" if isolated.bubblewrap else str(Path(kmds_lib.__file__).parents[1])
    return {
        "PATH": "/usr/local/bin:/usr/bin:/bin",
        "HOME": home,
        "USER": "student",
        "TMPDIR": "/tmp" if isolated.bubblewrap else home,
        "MPLCONFIGDIR": f"{home}/matplotlib",
        "IPYTHONDIR": f"{home}/ipython",
        "PYTHONPATH": library,
        "LANG": "C.UTF-8",
        "PYTHONHASHSEED": "0",
        "PYTHONDONTWRITEBYTECODE": "1",
        "TQDM_DISABLE": "1",
        "OPENBLAS_NUM_THREADS": "1",
        "OMP_NUM_THREADS": "1",
        "MKL_NUM_THREADS": "1",
    }


class _Watch:
    """Reads what a run reports, and kills it when it uses more than it may."""

    def __init__(
        self,
        process: subprocess.Popen[bytes],
        limits: Limits,
        message: bytes,
        isolated: Isolation,
    ) -> None:
        self.process, self.limits, self.message = process, limits, message
        self.isolated = isolated
        self.ran = Ran(end="exit")
        self.rest = b""
        self.size = 0
        self.executed = False
        self.until = time.monotonic() + limits.cell + GRACE
        self.last = time.monotonic() + limits.cells + GRACE

    def follow(self) -> Ran:
        """Return all reports, when the run has ended or was stopped."""
        pipe = self.process.stdout
        assert pipe is not None
        os.set_blocking(pipe.fileno(), False)
        looked = time.monotonic()
        with selectors.DefaultSelector() as selector:
            selector.register(pipe, selectors.EVENT_READ)
            while True:
                if selector.select(WATCH):
                    more = os.read(pipe.fileno(), MB)
                    if not more:
                        return self.ran
                    self._take(more)
                now = time.monotonic()
                if self.ran.end != "exit":
                    return self.ran
                if now > self.until:
                    return self._stop("time")
                if now > looked + WATCH:
                    looked = now
                    if reason := self._uses_too_much():
                        return self._stop(reason)

    def _stop(self, reason: str) -> Ran:
        self.ran.end = reason
        return self.ran

    def _take(self, more: bytes) -> None:
        self.size += len(more)
        if self.size > REPORTED:
            self._stop("output")
            return
        *lines, self.rest = (self.rest + more).split(b"\n")
        for line in lines:
            self._heard(line)

    def _heard(self, line: bytes) -> None:
        if len(line) > LINE:
            return
        try:
            report = json.loads(line)
        except (ValueError, RecursionError):
            return
        if not isinstance(report, dict):
            return
        self.ran.reports.append(report)
        kind, now = report.get("kind"), time.monotonic()
        if kind == "begin" and isinstance(report.get("cell"), int) and not self.executed:
            # A forged line comes from a cell that runs: it buys time up to the deadline of all.
            if self.ran.cell is None or report["cell"] > self.ran.cell:
                self.ran.cell = report["cell"]
                self.until = min(now + self.limits.cell + GRACE, self.last)
        elif kind == "executed" and not self.executed:
            self.executed, self.ran.cell = True, None
            self.until = now + self.limits.hand_in
            threading.Thread(target=self._tell, daemon=True).start()
        elif kind == "finished":
            self.ran.end = ""

    def _tell(self) -> None:
        """Send the hidden inputs; a run that does not read them is stopped by its time."""
        assert self.process.stdin is not None
        try:
            self.process.stdin.write(self.message)
            self.process.stdin.flush()
        except (OSError, ValueError):
            return

    def _uses_too_much(self) -> str:
        processes = list(_tree(self.process.pid))
        if not self.isolated.own_user and len(processes) > self.limits.processes:
            return "processes"
        if self.isolated.bubblewrap and max(map(_files, processes)) > self.limits.files:
            return "files"
        held = {key: size for pid in processes for key, size in _held(pid)}
        used = sum(map(_memory, processes)) + sum(held.values())
        return "memory" if used > self.limits.memory else ""


def _tree(pid: int) -> Iterator[int]:
    """Yield a process and its descendants, where the system shows them."""
    yield pid
    try:
        for task in os.listdir(f"/proc/{pid}/task"):
            children = Path(f"/proc/{pid}/task/{task}/children").read_text("ascii")
            for child in children.split():
                yield from _tree(int(child))
    except OSError:
        return


def _memory(pid: int) -> int:
    """Return the bytes of a process; pages that several share are counted in parts."""
    try:
        for line in Path(f"/proc/{pid}/smaps_rollup").read_text("ascii").splitlines():
            if line.startswith("Pss:"):
                return int(line.split()[1]) * 1024
    except (OSError, ValueError):
        pass
    return 0


def _held(pid: int) -> Iterator[tuple[tuple[int, int], int]]:
    """Yield the files in memory that a process holds open, which no folder shows."""
    for path in Path(f"/proc/{pid}/fd").glob("*"):
        with contextlib.suppress(OSError):
            if os.readlink(path).startswith("/memfd:"):
                found = path.stat()
                yield (found.st_dev, found.st_ino), found.st_blocks * 512


def _files(pid: int) -> int:
    """Return how many files stand in the sandbox of a process; 0 outside of one."""
    try:
        inside = Path(f"/proc/{pid}/root/tmp")
        if inside.stat().st_dev == os.stat("/tmp").st_dev:
            return 0
        found = os.statvfs(inside)
    except OSError:  # it has ended
        return 0
    return found.f_files - found.f_ffree


def _end(process: subprocess.Popen[bytes], user: int | None, finished: bool) -> None:
    """Kill what is left of a run. In a sandbox the first process takes all others with it."""
    if finished:
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(GRACE)
    for pid in [*_tree(process.pid)][::-1]:
        _kill(pid)
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    for pipe in (process.stdin, process.stdout):
        if pipe is not None:
            try:
                pipe.close()
            except OSError:
                continue
    if user is not None:
        for pid in _of_user(user):
            _kill(pid)


def _of_user(user: int) -> Iterator[int]:
    for path in PROCESSES.glob("[0-9]*"):
        try:
            if path.stat().st_uid == user:
                yield int(path.name)
        except OSError:
            continue


def _kill(pid: int) -> None:
    try:
        os.kill(pid, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):
        return
