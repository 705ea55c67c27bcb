"""Executes the cells of one submission inside the sandbox, and hands in its answers.

It is a program of its own: the sandbox shows it this file and the student's job, and nothing else
of the package. Whatever it reports is the student's word, because their code shares its process;
what it is never given cannot be told, and it is given no reference and no verdict.

At each test cell it forks: the copy waits, with the state that the student's cells have made so
far. When all cells have run and their outputs are reported, the grader sends the hidden inputs,
and one copy after the other hands in its answers. So outputs never show a hidden input, and a
copy that dies takes nothing else with it.
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
from contextlib import redirect_stderr, redirect_stdout, suppress
from multiprocessing.connection import Connection
from pathlib import Path
from types import FrameType
from typing import Any

import matplotlib as mpl
import numpy as np
from IPython.core.displayhook import CapturingDisplayHook
from IPython.core.displaypub import CapturingDisplayPublisher
from IPython.core.interactiveshell import InteractiveShell
from traitlets import Type
from traitlets.config import Config

FORK = multiprocessing.get_context("fork")
FINISHED_STATUS = (
    93  # exit status of a copy that came to its end; the student's code exits with others
)
MAX_ITEMS = 64  # a longer list is handed in as an array
MAX_DEPTH = 4
MAX_LINE_LENGTH = 10_000  # characters of a line of a traceback


class OutOfTime(BaseException):
    """A cell ran longer than it may. No `except Exception` catches it."""


class LimitedOutput(io.StringIO):
    """What a cell prints, up to a size."""

    encoding = "utf-8"

    def __init__(self, room: int) -> None:
        super().__init__()
        self.room = room

    def write(self, text: str) -> int:
        """Keep the text as far as there is room."""
        super().write(text[: max(self.room, 0)])
        self.room -= len(text)
        return len(text)


class Shell(InteractiveShell):
    """IPython without a terminal, a history or a kernel, which keeps what cells show."""

    display_pub: Any
    display_pub_class = Type(CapturingDisplayPublisher)
    error: Any = None

    def enable_gui(self, gui: Any = None) -> None:
        """Do nothing: figures are kept whatever backend is asked for."""

    def _showtraceback(self, etype: Any, evalue: Any, stb: list[str]) -> None:
        self.error = _error(etype.__name__, str(evalue), stb)


def _error(name: str, value: str, lines: list[str]) -> dict[str, Any]:
    lines = [line[:MAX_LINE_LENGTH] for line in lines]
    return {
        "output_type": "error",
        "ename": name,
        "evalue": value[:MAX_LINE_LENGTH],
        "traceback": lines,
    }


def _display(data: dict[str, Any]) -> dict[str, Any]:
    texts = {
        mime: base64.b64encode(value).decode() if isinstance(value, bytes) else str(value)
        for mime, value in data.items()
    }
    return {"output_type": "display_data", "data": texts}


class Worker:
    """One submission: its cells, the copies that wait, and the pipe to the grader."""

    def __init__(self, job: dict[str, Any], files: Path, read: int, write: int) -> None:
        self.job, self.files = job, files
        self.grader, self.reports = Connection(read, writable=False), os.fdopen(write, "wb")
        self.waiting: list[tuple[int, Any, Connection]] = []
        self.inputs: list[tuple[Any, Any]] = []
        self.itself = os.getpid()
        self.shell = self._shell()

    def _shell(self) -> Shell:
        config = Config()
        config.HistoryManager.enabled = False
        config.InteractiveShell.colors = "nocolor"
        shell = Shell.instance(config=config)
        shell.user_ns.update(__name__="__main__")
        shown = shell.display_pub.outputs
        shell.display_trap.hook = CapturingDisplayHook(shell, shown)  # type: ignore[no-untyped-call]
        mpl.use("module://matplotlib_inline.backend_inline")
        return shell

    def report(self, kind: str, **what: Any) -> None:
        """Send one line to the grader."""
        self.reports.write(json.dumps({"kind": kind, **what}).encode() + b"\n")
        self.reports.flush()

    def execute(self) -> None:
        """Run all cells, then let the copies hand in."""
        started, patience = time.monotonic(), self.job["patience"]
        for cell in self.job["cells"]:
            used = max(time.process_time(), (time.monotonic() - started) / patience)
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
        shell, printed = self.shell, LimitedOutput(self.job["output"])
        alarm = Alarm(seconds, self.job["patience"])
        shell.error = None
        shell.display_pub.outputs.clear()
        try:
            with redirect_stdout(printed), redirect_stderr(printed), alarm:
                shell.run_cell(cell["source"])  # type: ignore[no-untyped-call]
        except BaseException as error:  # the alarm may ring between the shell's own handlers
            shell.error = _error(type(error).__name__, str(error), [])
        if os.getpid() != self.itself:  # the student's code forked, and this is the child
            os._exit(0)
        name = OutOfTime.__name__
        if alarm.rang and (not shell.error or shell.error["ename"] != name):  # it was caught
            shell.error = _error(name, alarm.message, [])
        found = [{"output_type": "stream", "text": printed.getvalue()}]
        for shown in map(_display, [each["data"] for each in shell.display_pub.outputs]):
            printed.room -= len(str(shown))
            found += [shown] * (printed.room >= 0)
        found += [shell.error] * bool(shell.error)
        self.report("outputs", cell=cell["index"], outputs=found, cut=printed.room < 0)

    def _fork_waiting_copy(self, index: int) -> None:
        """Fork a copy that waits for the hidden inputs."""
        read, write = FORK.Pipe(duplex=False)
        copy = FORK.Process(target=self._run_hidden_test, args=(read, index))
        try:
            copy.start()
        except OSError:
            self.report("part", cell=index, end="processes")
        else:
            self.waiting.append((index, copy, write))

    def _run_hidden_test(self, read: Connection, index: int) -> None:
        """In a copy: run the hidden part of a test cell."""
        message = json.loads(read.recv_bytes())
        hidden = _load_arrays(base64.b64decode(message["hidden"]))
        given = _load_arrays((self.files / "data.npz").read_bytes())
        self.inputs = [(each, each.copy()) for each in (*hidden.values(), *given.values())]
        names = {**self.shell.user_ns, "hidden": hidden, "data": given, "answer": self.answer}
        # Then the system ends what computes; for what sleeps `_hand_in` does not wait.
        seconds = math.ceil(self.job["part_seconds"])
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
        try:
            exec(compile(message["parts"][str(index)], "<hidden>", "exec"), names)
        except BaseException as error:
            self.report("part", cell=index, end="error", **_error_report(error))
        os._exit(FINISHED_STATUS)

    def answer(self, name: str, value: Any) -> None:
        """Hand in one answer: a value, or a function without arguments that returns it."""
        try:
            found = encode_answer(value() if callable(value) else value)
        except BaseException as error:
            self.report("raised", name=str(name), **_error_report(error))
        else:
            self.report("answer", name=str(name), value=found)
        if self._restore_inputs():
            self.report("changed", name=str(name))

    def _restore_inputs(self) -> bool:
        """Undo what the student's code did to its inputs, and say whether it did anything."""
        changed = False
        for array, kept in self.inputs:
            if array.shape != kept.shape or array.tobytes() != kept.tobytes():
                array.resize(kept.shape, refcheck=False)
                array[...] = kept
                changed = True
        return changed

    def _collect_answers(self, message: bytes) -> None:
        """Send the hidden inputs to one copy after the other, and end those that hang."""
        for index, copy, write in self.waiting:
            self.report("part", cell=index, end="begun")
            with suppress(OSError):  # it has ended
                write.send_bytes(message)
            copy.join(self.job["patience"] * self.job["part_seconds"])
            if copy.exitcode != FINISHED_STATUS:
                late = copy.is_alive() or copy.exitcode == -signal.SIGXCPU
                self.report("part", cell=index, end="time" if late else "killed")
                copy.kill()
                copy.join()


class Alarm:
    """Interrupts what takes longer than some seconds, and again each second after that.

    They are seconds of the processor, or `patience` times as many by the clock.
    """

    def __init__(self, seconds: float, patience: float) -> None:
        self.rang = False
        self.message = f"This cell was interrupted: it took longer than {seconds:.0f} s."
        self.timers = {
            signal.ITIMER_PROF: (signal.SIGPROF, seconds),
            signal.ITIMER_REAL: (signal.SIGALRM, patience * seconds),
        }

    def __enter__(self) -> None:
        for timer, (number, seconds) in self.timers.items():
            signal.signal(number, self._ring)
            signal.setitimer(timer, max(seconds, 0.01), 1.0)

    def __exit__(self, *_: object) -> None:
        for timer in self.timers:
            signal.setitimer(timer, 0)

    def _ring(self, number: int, frame: FrameType | None) -> None:
        self.rang = True
        raise OutOfTime(self.message)


def _load_arrays(npz: bytes) -> dict[str, Any]:
    with np.load(io.BytesIO(npz), allow_pickle=False) as file:
        return dict(file)


def _error_report(error: BaseException) -> dict[str, Any]:
    """Name an error and the line of the student's code that raised it."""
    frames = traceback.extract_tb(error.__traceback__)
    lines = [each.lineno for each in frames if each.filename.startswith("<ipython-input")]
    known = [kind.__name__ for kind in type(error).__mro__ if hasattr(builtins, kind.__name__)]
    return {"error": known[0], "line": lines[-1] if lines else None}


def encode_answer(value: Any, depth: int = 0) -> dict[str, Any]:
    """Return an answer as the grader reads it: a plain value, a sequence or an array."""
    if isinstance(value, np.generic):
        value = value.item()
    is_whole = isinstance(value, int) and abs(value) < 1 << 63
    if value is None or is_whole or isinstance(value, (str, float)):
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
    """Take away what a student's code may not use; nobody without rights can take it back."""
    for name, value in job["limits"].items():
        number = getattr(resource, name)
        hard = resource.getrlimit(number)[1]
        value = value if hard == resource.RLIM_INFINITY else min(value, hard)
        try:
            resource.setrlimit(number, (value, value))
        except (ValueError, OSError):  # a system that knows the limit but does not set it
            continue


def _enter_home(job: Path) -> None:
    """Make the folders that the student's code may write into, and go there."""
    home = Path(os.environ["HOME"])
    shutil.copytree(job / "matplotlib", os.environ["MPLCONFIGDIR"], dirs_exist_ok=True)
    shutil.copytree(job / "files", home / "work")
    os.chdir(home / "work")
    sys.path.insert(0, str(home / "work"))


def main(folder: Path) -> None:
    """Run the job in a folder."""
    job = json.loads((folder / "job.json").read_text("utf-8"))
    read, write = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDWR)
    _enter_home(folder)
    _set_limits(job)
    for number in (0, 1, 2):
        os.dup2(nothing, number)
    sys.stdin = io.StringIO()
    try:
        Worker(job, folder / "files", read, write).execute()
    finally:
        os._exit(0)  # what waits or was left behind is not waited for


if __name__ == "__main__":
    main(Path(sys.argv[1]))
