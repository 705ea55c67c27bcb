"""Execution of the cells of one submission inside the sandbox.

This file is a program of its own: the sandbox shows it itself and the student's job, and no
other file of the package. The student's code shares its process, so its reports are untrusted;
it never gets right answers or verdicts.

At each test cell the process forks, and the copy waits with the state of the student's cells so
far. When all cells have run and their outputs are reported, the grader sends the hidden inputs,
and the copies hand in their answers one after the other. So outputs never show hidden inputs,
and a copy that ends early harms no other.
"""

import base64
import builtins
import io
import json
import math
import multiprocessing
import os
import resource
import shutil
import signal
import sys
import time
import traceback
from contextlib import redirect_stderr, suppress
from multiprocessing.connection import Connection
from pathlib import Path
from types import FrameType
from typing import Any

import matplotlib as mpl
import numpy as np
from IPython.core.displayhook import CapturingDisplayHook
from IPython.core.interactiveshell import InteractiveShell
from IPython.utils.capture import capture_output
from traitlets.config import Config

FORK = multiprocessing.get_context("fork")
FINISHED_STATUS = 93  # exit status of a copy that finished; the student's code exits with others
MAX_ITEMS = 64  # a longer list is encoded as an array
MAX_DEPTH = 4
MAX_LINE_LENGTH = 10_000  # characters of a traceback line


class OutOfTime(BaseException):
    """Exception in a cell that exceeds its time; no `except Exception` catches it."""


def _error(name: str, value: str, lines: list[str]) -> dict[str, Any]:
    """Return an error output."""
    lines = [line[:MAX_LINE_LENGTH] for line in lines]
    value = value[:MAX_LINE_LENGTH]
    return {"output_type": "error", "ename": name, "evalue": value, "traceback": lines}


class Shell(InteractiveShell):
    """IPython without a terminal, history or kernel, which stores the error of a cell."""

    error: Any = None

    def enable_gui(self, gui: Any = None) -> None:
        """Do nothing: the inline backend stores figures."""

    def _showtraceback(self, etype: Any, evalue: Any, stb: list[str]) -> None:
        self.error = _error(etype.__name__, str(evalue), stb)


def _shell() -> Shell:
    """Return a shell with inline figures."""
    config = Config()
    config.HistoryManager.enabled = False
    config.InteractiveShell.colors = "nocolor"
    shell = Shell.instance(config=config)
    shell.user_ns.update(__name__="__main__")
    mpl.use("module://matplotlib_inline.backend_inline")
    return shell


class Worker:
    """One submission: its cells, the waiting copies, and the pipes to the grader."""

    def __init__(self, job: dict[str, Any], files: Path, read: int, write: int) -> None:
        self.job, self.files, self.shell, self.pid = job, files, _shell(), os.getpid()
        self.grader, self.reports = Connection(read, writable=False), os.fdopen(write, "wb")
        self.waiting: list[tuple[int, Any, Connection]] = []
        self.inputs: list[tuple[Any, Any]] = []

    def report(self, kind: str, **fields: Any) -> None:
        """Send one line to the grader."""
        self.reports.write(json.dumps({"kind": kind, **fields}).encode() + b"\n")
        self.reports.flush()

    def execute(self) -> None:
        """Run all cells, then let the copies hand in their answers."""
        started, factor = time.monotonic(), self.job["clock_factor"]
        for cell in self.job["cells"]:
            used = max(time.process_time(), (time.monotonic() - started) / factor)
            left = self.job["cells_seconds"] - used
            if left <= 0:
                self.report("late", cell=cell["index"])
            elif cell["source"].strip():
                self._run_cell(cell, min(left, self.job["cell_seconds"]))
            if cell["test"]:
                self._fork_waiting_copy(cell["index"])
        self.report("executed")
        self._collect_answers(self.grader.recv_bytes())
        self.report("finished")

    def _run_cell(self, cell: dict[str, Any], seconds: float) -> None:
        self.report("begin", cell=cell["index"])
        shell, alarm = self.shell, Alarm(seconds, self.job["clock_factor"])
        shell.error = None
        try:
            with capture_output() as captured, redirect_stderr(sys.stdout), alarm:
                publisher: Any = shell.display_pub
                shell.display_trap.hook = CapturingDisplayHook(shell, publisher.outputs)  # type: ignore[no-untyped-call]
                shell.run_cell(cell["source"])  # type: ignore[no-untyped-call]
        except BaseException as error:  # the alarm may ring inside the handlers of the shell
            shell.error = _error(type(error).__name__, str(error), [])
        if os.getpid() != self.pid:  # a child that the student's code forked
            os._exit(0)
        name = OutOfTime.__name__
        if alarm.rang and (not shell.error or shell.error["ename"] != name):  # it was caught
            shell.error = _error(name, alarm.message, [])
        printed, left = captured.stdout, self.job["output"]
        outputs: list[Any] = [{"output_type": "stream", "text": printed[:left]}]
        left -= len(printed)
        for each in captured.outputs:
            data = {
                mime: base64.b64encode(value).decode() if isinstance(value, bytes) else str(value)
                for mime, value in each.data.items()
            }
            left -= len(str(data))
            if left >= 0:
                outputs.append({"output_type": "display_data", "data": data})
        if shell.error:
            outputs.append(shell.error)
        self.report("outputs", cell=cell["index"], outputs=outputs, cut=left < 0)

    def _fork_waiting_copy(self, index: int) -> None:
        """Fork a copy that waits for the hidden inputs of a test cell."""
        read, write = FORK.Pipe(duplex=False)
        copy = FORK.Process(target=self._run_hidden_test, args=(read, index))
        try:
            copy.start()
        except OSError:
            self.report("part", cell=index, end="processes")
        else:
            self.waiting.append((index, copy, write))

    def _run_hidden_test(self, read: Connection, index: int) -> None:
        """Run the hidden lines of a test cell; runs in a copy."""
        message = json.loads(read.recv_bytes())
        hidden = _load_arrays(base64.b64decode(message["hidden"]))
        given = _load_arrays((self.files / "data.npz").read_bytes())
        self.inputs = [(each, each.copy()) for each in (*hidden.values(), *given.values())]
        names = {**self.shell.user_ns, "hidden": hidden, "data": given, "answer": self.answer}
        # This limit ends code that computes; `_collect_answers` ends code that sleeps.
        seconds = math.ceil(self.job["part_seconds"])
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
        try:
            exec(compile(message["parts"][str(index)], "<hidden>", "exec"), names)
        except BaseException as error:
            self.report("part", cell=index, end="error", **_error_report(error))
        os._exit(FINISHED_STATUS)

    def answer(self, name: str, value: Any) -> None:
        """Hand in an answer: a value, or a function without arguments that returns it."""
        try:
            found = encode_answer(value() if callable(value) else value)
        except BaseException as error:
            self.report("raised", name=str(name), **_error_report(error))
        else:
            self.report("answer", name=str(name), value=found)
        if self._restore_inputs():
            self.report("changed", name=str(name))

    def _restore_inputs(self) -> bool:
        """Restore the input arrays, and return True if the student's code had changed them."""
        changed = False
        for array, original in self.inputs:
            if array.shape != original.shape or array.tobytes() != original.tobytes():
                array.resize(original.shape, refcheck=False)
                array[...] = original
                changed = True
        return changed

    def _collect_answers(self, message: bytes) -> None:
        """Send the hidden inputs to one copy after the other, and end those that hang."""
        for index, copy, write in self.waiting:
            self.report("part", cell=index, end="begun")
            with suppress(OSError):  # the copy has ended
                write.send_bytes(message)
            copy.join(self.job["clock_factor"] * self.job["part_seconds"])
            if copy.exitcode != FINISHED_STATUS:
                late = copy.is_alive() or copy.exitcode == -signal.SIGXCPU
                self.report("part", cell=index, end="time" if late else "killed")
                copy.kill()
                copy.join()


class Alarm:
    """Timer that interrupts a cell after some seconds, and again each second after that.

    They are seconds of CPU time, or `clock_factor` times as many by the clock.
    """

    def __init__(self, seconds: float, clock_factor: float) -> None:
        self.rang, self.seconds = False, max(seconds, 0.01)
        self.message = f"This cell was interrupted: it took longer than {seconds:.0f} s."
        self.factors = {signal.ITIMER_PROF: 1.0, signal.ITIMER_REAL: clock_factor}
        for number in (signal.SIGPROF, signal.SIGALRM):
            signal.signal(number, self._ring)

    def __enter__(self) -> None:
        for timer, factor in self.factors.items():
            signal.setitimer(timer, factor * self.seconds, 1.0)

    def __exit__(self, *_: object) -> None:
        for timer in self.factors:
            signal.setitimer(timer, 0)

    def _ring(self, number: int, frame: FrameType | None) -> None:
        self.rang = True
        raise OutOfTime(self.message)


def _load_arrays(npz: bytes) -> dict[str, Any]:
    with np.load(io.BytesIO(npz), allow_pickle=False) as file:
        return dict(file)


def _error_report(error: BaseException) -> dict[str, Any]:
    """Return the built-in type of an exception and the line of the student's code."""
    frames = traceback.extract_tb(error.__traceback__)
    lines = [each.lineno for each in frames if each.filename.startswith("<ipython-input")]
    known = [kind.__name__ for kind in type(error).__mro__ if hasattr(builtins, kind.__name__)]
    return {"error": known[0], "line": lines[-1] if lines else None}


def encode_answer(value: Any, depth: int = 0) -> dict[str, Any]:
    """Return an answer in JSON types: a plain value, a sequence or an array."""
    if isinstance(value, np.generic):
        value = value.item()
    is_small = isinstance(value, int) and abs(value) < 1 << 63
    if value is None or is_small or isinstance(value, (str, float)):
        return {"type": "plain", "value": value}
    if isinstance(value, (tuple, list)) and len(value) <= MAX_ITEMS and depth < MAX_DEPTH:
        kind = "tuple" if isinstance(value, tuple) else "list"
        return {"type": kind, "value": [encode_answer(item, depth + 1) for item in value]}
    try:
        array = np.asarray(value)
    except Exception:
        array = np.asarray(None)
    if array.dtype.kind not in "biufcU":
        return {"type": "other", "value": type(value).__name__}
    content = base64.b64encode(array.tobytes()).decode()
    return {"type": "array", "kind": array.dtype.str, "shape": array.shape, "value": content}


def _set_limits(job: dict[str, Any]) -> None:
    """Set the resource limits, which the student's code cannot raise again."""
    for name, value in job["limits"].items():
        number = getattr(resource, name)
        hard = resource.getrlimit(number)[1]
        value = value if hard == resource.RLIM_INFINITY else min(value, hard)
        with suppress(ValueError, OSError):  # some systems do not support each limit
            resource.setrlimit(number, (value, value))


def _enter_home(job: Path) -> None:
    """Create the folders that the student's code may write into, and enter one."""
    home = Path(os.environ["HOME"])
    shutil.copytree(job / "matplotlib", os.environ["MPLCONFIGDIR"], dirs_exist_ok=True)
    shutil.copytree(job / "files", home / "work")
    os.chdir(home / "work")
    sys.path.insert(0, str(home / "work"))


def main(folder: Path) -> None:
    """Run the job in a folder."""
    job = json.loads((folder / "job.json").read_text("utf-8"))
    read, write = os.dup(0), os.dup(1)
    null = os.open(os.devnull, os.O_RDWR)
    _enter_home(folder)
    _set_limits(job)
    for number in (0, 1, 2):
        os.dup2(null, number)
    sys.stdin = io.StringIO()
    try:
        Worker(job, folder / "files", read, write).execute()
    finally:
        os._exit(0)  # without waiting for other processes


if __name__ == "__main__":
    main(Path(sys.argv[1]))
