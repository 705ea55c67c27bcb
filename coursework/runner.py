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
import contextlib
import io
import json
import multiprocessing
import os
import resource
import shutil
import signal
import sys
import time
import traceback
from multiprocessing.connection import Connection
from pathlib import Path
from types import FrameType
from typing import Any

import matplotlib as mpl
import numpy as np
from IPython.core.displayhook import DisplayHook
from IPython.core.displaypub import DisplayPublisher
from IPython.core.interactiveshell import InteractiveShell
from traitlets import Type
from traitlets.config import Config

FORK = multiprocessing.get_context("fork")
DONE = 93  # exit status of a copy that came to its end; the student's code exits with others
ITEMS = 64  # a longer list is handed in as an array
DEPTH = 4
SLACK = 2  # seconds after an ignored interrupt, before a copy is killed


class OutOfTime(BaseException):
    """A cell ran longer than it may. No `except Exception` catches it."""


class Outputs:
    """Outputs of the cell that is running, up to a size."""

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self.clear()

    def clear(self) -> None:
        """Begin a cell."""
        self.found: list[dict[str, Any]] = []
        self.size = 0
        self.cut = False

    def text(self, name: str, text: str) -> None:
        """Add what was printed."""
        room = max(self.limit - self.size, 0)
        self.cut |= len(text) > room
        text = text[:room]
        self.size += len(text)
        if self.found and self.found[-1].get("name") == name:
            self.found[-1]["text"] += text
        elif text:
            self.found.append({"output_type": "stream", "name": name, "text": text})

    def add(self, kind: str, **what: Any) -> None:
        """Add a figure, a value or a traceback, unless it is too long."""
        size = len(str(what))
        if self.size + size > self.limit:
            self.cut = True
        else:
            self.size += size
            self.found.append({"output_type": kind, **what})

    def data(self, kind: str, data: dict[str, Any]) -> None:
        """Add a figure or a value."""
        texts = {
            mime: base64.b64encode(value).decode() if isinstance(value, bytes) else str(value)
            for mime, value in data.items()
        }
        self.add(kind, data=texts, metadata={})

    def error(self, name: str, value: str, lines: list[str]) -> None:
        """Add a traceback."""
        self.add("error", ename=name, evalue=value, traceback=lines)


class Printed(io.TextIOBase):
    """A stream that writes into `Outputs`."""

    encoding = "utf-8"

    def __init__(self, outputs: Outputs, name: str) -> None:
        self.outputs, self.stream = outputs, name

    def write(self, text: str) -> int:
        """Keep the text."""
        self.outputs.text(self.stream, str(text))
        return len(text)


class Publisher(DisplayPublisher):
    """Keeps figures and other displays as outputs."""

    def publish(self, data: Any, *_: Any, **__: Any) -> None:
        """Keep a display."""
        self.shell.outputs.data("display_data", data)

    def clear_output(self, wait: bool = False) -> None:
        """Forget what the cell has shown."""
        self.shell.outputs.clear()


class Values(DisplayHook):
    """Keeps the value of a cell's last line."""

    shell: Any

    def write_output_prompt(self) -> None:
        """Write no prompt."""

    def write_format_data(self, format_dict: dict[str, Any], md_dict: Any = None) -> None:
        """Keep a value."""
        self.shell.outputs.data("execute_result", format_dict)

    def finish_displayhook(self) -> None:
        """Write no line end."""


class Shell(InteractiveShell):
    """IPython without a terminal, a history or a kernel."""

    outputs: Any = None
    display_pub_class = Type(Publisher)
    displayhook_class = Type(Values)

    def enable_gui(self, gui: Any = None) -> None:
        """Do nothing: figures are kept whatever backend is asked for."""

    def _showtraceback(self, etype: Any, evalue: Any, stb: list[str]) -> None:
        self.outputs.error(etype.__name__, str(evalue), stb)


class Runner:
    """One submission: its cells, the copies that wait, and the pipe to the grader."""

    def __init__(self, job: dict[str, Any], files: Path, read: int, write: int) -> None:
        self.job, self.files = job, files
        self.grader, self.reports = Connection(read, writable=False), os.fdopen(write, "wb")
        self.outputs = Outputs(self.job["output"])
        self.waiting: list[tuple[int, Any, Connection]] = []
        self.inputs: list[tuple[Any, Any]] = []
        self.itself = os.getpid()
        self.shell = self._shell()

    def _shell(self) -> Shell:
        Shell.outputs = self.outputs
        config = Config()
        config.HistoryManager.enabled = False
        config.InteractiveShell.colors = "nocolor"
        config.InteractiveShell.cache_size = 0
        shell = Shell.instance(config=config)
        shell.user_ns.update(__name__="__main__")
        sys.stdout = Printed(self.outputs, "stdout")
        sys.stderr = Printed(self.outputs, "stderr")
        mpl.use("module://matplotlib_inline.backend_inline")
        return shell

    def report(self, kind: str, **what: Any) -> None:
        """Send one line to the grader."""
        self.reports.write(json.dumps({"kind": kind, **what}).encode() + b"\n")
        self.reports.flush()

    def execute(self) -> None:
        """Run all cells, then let the copies hand in."""
        end = time.monotonic() + self.job["cells_seconds"]
        for cell in self.job["cells"]:
            left = end - time.monotonic()
            if left <= 0:
                self.report("late", cell=cell["index"])
            elif cell["source"].strip():
                self._cell(cell, min(left, self.job["cell_seconds"]))
            if cell["test"]:
                self._wait(cell["index"])
        self.report("executed")
        self._hand_in(self.grader.recv_bytes())
        self.report("finished")

    def _cell(self, cell: dict[str, Any], seconds: float) -> None:
        self.outputs.clear()
        self.report("begin", cell=cell["index"])
        alarm = Alarm(seconds)
        try:
            with alarm:
                self.shell.run_cell(cell["source"])  # type: ignore[no-untyped-call]
        except BaseException as error:  # the alarm may ring between the shell's own handlers
            self.outputs.error(type(error).__name__, str(error), [])
        if os.getpid() != self.itself:  # the student's code forked, and this is the child
            os._exit(0)
        found, name = self.outputs.found, OutOfTime.__name__
        if alarm.rang and not any(each.get("ename") == name for each in found):  # it was caught
            self.outputs.error(name, alarm.message, [])
        self.report("outputs", cell=cell["index"], outputs=found, cut=self.outputs.cut)

    def _wait(self, index: int) -> None:
        """Fork a copy that waits for the hidden inputs."""
        read, write = FORK.Pipe(duplex=False)
        copy = FORK.Process(target=self._copy, args=(read, index))
        try:
            copy.start()
        except OSError:
            self.report("part", cell=index, end="processes")
        else:
            self.waiting.append((index, copy, write))

    def _copy(self, read: Connection, index: int) -> None:
        """In a copy: run the hidden part of a test cell."""
        message = json.loads(read.recv_bytes())
        self.outputs.limit = 0
        hidden = _arrays(base64.b64decode(message["hidden"]))
        given = _arrays((self.files / "data.npz").read_bytes())
        self.inputs = [(each, each.copy()) for each in (*hidden.values(), *given.values())]
        names = {**self.shell.user_ns, "hidden": hidden, "data": given, "answer": self.answer}
        try:
            with Alarm(self.job["part_seconds"]):
                exec(compile(message["parts"][str(index)], "<hidden>", "exec"), names)
        except OutOfTime:
            self.report("part", cell=index, end="time")
        except BaseException as error:
            self.report("part", cell=index, end="error", **_raised(error))
        os._exit(DONE)

    def answer(self, name: str, value: Any) -> None:
        """Hand in one answer: a value, or a function without arguments that returns it."""
        try:
            found = _encoded(value() if callable(value) else value)
        except OutOfTime:
            raise
        except BaseException as error:
            self.report("raised", name=str(name), **_raised(error))
        else:
            self.report("answer", name=str(name), value=found)
        if self._put_back():
            self.report("changed", name=str(name))

    def _put_back(self) -> bool:
        """Undo what the student's code did to its inputs, and say whether it did anything."""
        changed = False
        for array, kept in self.inputs:
            if array.shape != kept.shape or array.tobytes() != kept.tobytes():
                array.resize(kept.shape, refcheck=False)
                array[...] = kept
                changed = True
        return changed

    def _hand_in(self, message: bytes) -> None:
        """Send the hidden inputs to one copy after the other, and end those that hang."""
        for index, copy, write in self.waiting:
            self.report("part", cell=index, end="begun")
            with contextlib.suppress(OSError):  # it has ended
                write.send_bytes(message)
            copy.join(self.job["part_seconds"] + SLACK)
            if copy.exitcode != DONE:
                self.report("part", cell=index, end="time" if copy.is_alive() else "killed")
                copy.kill()
                copy.join()


class Alarm:
    """Interrupts what runs longer than some seconds, and again each second after that."""

    def __init__(self, seconds: float) -> None:
        self.seconds, self.rang = seconds, False
        self.message = f"This cell was interrupted after {seconds:.0f} s."

    def __enter__(self) -> None:
        signal.signal(signal.SIGALRM, self._ring)
        signal.setitimer(signal.ITIMER_REAL, max(self.seconds, 0.01), 1.0)

    def __exit__(self, *_: object) -> None:
        signal.setitimer(signal.ITIMER_REAL, 0)

    def _ring(self, number: int, frame: FrameType | None) -> None:
        self.rang = True
        raise OutOfTime(self.message)


def _arrays(npz: bytes) -> dict[str, Any]:
    with np.load(io.BytesIO(npz), allow_pickle=False) as file:
        return dict(file)


def _raised(error: BaseException) -> dict[str, Any]:
    """Name an error and the line of the student's code that raised it."""
    frames = traceback.extract_tb(error.__traceback__)
    lines = [each.lineno for each in frames if each.filename.startswith("<ipython-input")]
    known = [kind.__name__ for kind in type(error).__mro__ if hasattr(builtins, kind.__name__)]
    return {"error": known[0], "line": lines[-1] if lines else None}


def _encoded(value: Any, depth: int = 0) -> dict[str, Any]:
    """Return an answer as the grader reads it: a plain value, a sequence or an array."""
    if isinstance(value, np.generic):
        value = value.item()
    is_whole = isinstance(value, int) and abs(value) < 1 << 63
    if value is None or is_whole or isinstance(value, (str, float)):
        return {"type": "plain", "value": value}
    if isinstance(value, (tuple, list)) and len(value) <= ITEMS and depth < DEPTH:
        kind = "tuple" if isinstance(value, tuple) else "list"
        return {"type": kind, "value": [_encoded(item, depth + 1) for item in value]}
    try:
        array = np.asarray(value)
    except Exception:
        array = np.asarray(None)
    if array.dtype.kind not in "biufcU":
        return {"type": "other", "value": type(value).__name__}
    content = base64.b64encode(array.tobytes()).decode()
    return {"type": "array", "kind": array.dtype.str, "shape": array.shape, "value": content}


def _limit(job: dict[str, Any]) -> None:
    """Take away what a student's code may not use; nobody without rights can take it back."""
    for name, value in job["limits"].items():
        number = getattr(resource, name)
        hard = resource.getrlimit(number)[1]
        value = value if hard == resource.RLIM_INFINITY else min(value, hard)
        try:
            resource.setrlimit(number, (value, value))
        except (ValueError, OSError):  # a system that knows the limit but does not set it
            continue


def _settle(job: Path) -> None:
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
    _settle(folder)
    _limit(job)
    for number in (0, 1, 2):
        os.dup2(nothing, number)
    sys.stdin = io.StringIO()
    try:
        Runner(job, folder / "files", read, write).execute()
    finally:
        os._exit(0)  # what waits or was left behind is not waited for


if __name__ == "__main__":
    main(Path(sys.argv[1]))
