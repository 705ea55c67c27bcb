"""Execution of the cells of one submission inside the sandbox.

This program sees no other file of the package. The student's code shares its process, so its
reports are untrusted; it never gets right answers or verdicts.

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
import re
import resource
import shutil
import signal
import sys
import time
import traceback
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, suppress
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
BEGIN = signal.SIGUSR1  # to a waiting copy
FINISHED_STATUS = 93  # exit status of a copy that finished; the student's code exits with others
LAST_SECONDS = 0.5  # for each of the cells that remain when the time of all cells is over
ANSWER_NAMES = re.compile(r"""\banswer\(\s*["']([^"']+)["']""")  # in hidden lines
MAX_ANSWER = 10_000_000  # characters, so that there is space for others


class OutOfTime(BaseException):
    """Exception in a cell that exceeds its time; no `except Exception` catches it."""


class Worker:
    """One submission: its cells, the waiting copies, and the link to the grader."""

    def __init__(self, job: dict[str, Any], folder: Path, read: int, write: int) -> None:
        config = Config()
        config.HistoryManager.enabled = False
        config.InteractiveShell.colors = "nocolor"
        # The inline backend stores figures.
        InteractiveShell.enable_gui = lambda *_: None  # type: ignore[method-assign]
        self.shell: Any = InteractiveShell.instance(config=config)
        self.shell.user_ns.update(__name__="__main__")
        mpl.use("module://matplotlib_inline.backend_inline")
        self.job, self.folder = job, folder
        self.pid = os.getpid()
        self.read, self.reports = read, os.fdopen(write, "wb")
        self.forks: list[tuple[str, Any]] = []
        self.inputs: list[tuple[Any, Any]] = []

    def report(self, kind: str, **fields: Any) -> None:
        """Send one line to the grader."""
        line = json.dumps({"kind": kind, **fields}, default=encode_array)
        self.reports.write(line.encode() + b"\n")
        self.reports.flush()

    def execute(self) -> None:
        """Run all cells, then let the copies hand in their answers."""
        started = time.monotonic()
        factor = self.job["clock_factor"]
        for index, (source, test) in enumerate(self.job["cells"]):
            if source.strip():
                used = max(time.process_time(), (time.monotonic() - started) / factor)
                left = max(self.job["cells_seconds"] - used, LAST_SECONDS)
                self._run_cell(index, source, min(left, self.job["cell_seconds"]))
            if test:
                fork = FORK.Process(target=self._run_hidden_test, args=(test,))
                with suppress(OSError):  # the student's code has too many processes
                    fork.start()
                    self.forks.append((test, fork))
        self.report("executed")
        while not self._message().endswith(b"\n"):
            time.sleep(0.02)
        self._collect_answers()
        self.report("finished")

    def _message(self) -> bytes:
        """Return what the grader has sent so far."""
        return os.pread(self.read, os.fstat(self.read).st_size, 0)

    def _run_cell(self, index: int, source: str, seconds: float) -> None:
        self.report("begin", cell=index)
        shell = self.shell
        try:
            with capture_output() as captured, redirect_stderr(sys.stdout), self._alarm(seconds):
                outputs = shell.display_pub.outputs
                shell.display_trap.hook = CapturingDisplayHook(shell, outputs)  # type: ignore
                result = shell.run_cell(source)
                error = result.error_before_exec or result.error_in_exec
        except BaseException as raised:  # the alarm may ring inside the handlers of the shell
            error = raised
        if os.getpid() != self.pid:  # a child that the student's code forked
            os._exit(0)
        printed = captured.stdout
        left = self.job["output"]  # characters that may still be shown
        outputs = [{"output_type": "stream", "text": printed[:left]}]
        left -= len(printed)
        for output in captured.outputs:
            data = {
                mime: base64.b64encode(value).decode() if isinstance(value, bytes) else str(value)
                for mime, value in output.data.items()
            }
            left -= len(str(data))
            if left >= 0:
                outputs.append({"output_type": "display_data", "data": data})
        if left < 0:
            outputs.append({"output_type": "stream", "text": "[The rest of the output was cut.]"})
        if error is not None:
            fields = {"ename": type(error).__name__, "evalue": str(error)[: self.job["output"]]}
            outputs.append({"output_type": "error", **fields})
        self.report("outputs", cell=index, outputs=outputs)

    @contextmanager
    def _alarm(self, seconds: float) -> Iterator[None]:
        """Interrupt a cell after some seconds, and again each second; the grader then kills it.

        They are seconds of CPU time, or `clock_factor` times as many by the clock.
        """

        def ring(number: int, frame: FrameType | None) -> None:
            raise OutOfTime(f"This cell was interrupted: it took longer than {seconds:.0f} s.")

        signal.signal(signal.SIGPROF, ring)
        signal.signal(signal.SIGALRM, ring)
        factor = self.job["clock_factor"]
        signal.setitimer(signal.ITIMER_PROF, seconds, 1.0)
        signal.setitimer(signal.ITIMER_REAL, factor * seconds, factor)
        try:
            yield
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
            signal.setitimer(signal.ITIMER_REAL, 0)

    def _run_hidden_test(self, test: str) -> None:
        """Run the hidden lines of a test cell, which call `answer`; runs in a copy."""
        signal.sigwait({BEGIN})
        message = json.loads(self._message())
        hidden = _load_arrays(base64.b64decode(message["hidden"]))
        data = _load_arrays((self.folder / "files" / "data.npz").read_bytes())
        self.inputs = [(each, each.copy()) for each in (*hidden.values(), *data.values())]
        names = {**self.shell.user_ns, "hidden": hidden, "data": data, "answer": self.answer}
        # This limit ends code that computes; `_collect_answers` ends code that sleeps.
        seconds = math.ceil(self.job["hidden_test_seconds"])
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
        try:
            exec(compile(message["tests"][test], "<hidden>", "exec"), names)
        except BaseException as error:
            self._report_missing(test, **_error_report(error))
        os._exit(FINISHED_STATUS)

    def _report_missing(self, test: str, **fields: Any) -> None:
        """Report a reason for the answers of a test that have not been handed in."""
        for name in ANSWER_NAMES.findall(json.loads(self._message())["tests"][test]):
            self.report("raised", name=name, **fields)

    def answer(self, name: str, value: Any) -> None:
        """Report a value, or what a function returns or raises, as the answer of this name."""
        try:
            result = value() if callable(value) else value
            if len(json.dumps(result, default=encode_array)) > MAX_ANSWER:
                raise MemoryError
            self.report("answer", name=name, value=result)
        except BaseException as error:
            self.report("raised", name=name, **_error_report(error))
        for array, original in self.inputs:  # the student's code may have changed them
            if array.shape != original.shape or array.tobytes() != original.tobytes():
                array.resize(original.shape, refcheck=False)
                array[...] = original

    def _collect_answers(self) -> None:
        """Let one copy after the other hand in its answers, and end those that hang."""
        for test, fork in self.forks:
            with suppress(OSError):  # the copy has ended
                os.kill(fork.pid, BEGIN)
            fork.join(self.job["clock_factor"] * self.job["hidden_test_seconds"])
            if fork.exitcode != FINISHED_STATUS:
                late = fork.is_alive() or fork.exitcode == -signal.SIGXCPU
                self._report_missing(test, error="time" if late else "killed")
                fork.kill()
                fork.join()


def _load_arrays(npz: bytes) -> dict[str, Any]:
    with np.load(io.BytesIO(npz), allow_pickle=False) as file:
        return dict(file)


def _error_report(error: BaseException) -> dict[str, Any]:
    """Return the built-in type of an exception and the line of the student's code."""
    frames = traceback.extract_tb(error.__traceback__)
    lines = [each.lineno for each in frames if each.filename.startswith("<ipython-input")]
    known = [kind.__name__ for kind in type(error).__mro__ if hasattr(builtins, kind.__name__)]
    return {"error": known[0], "line": lines[-1] if lines else None}


def encode_array(value: Any) -> dict[str, str]:
    """Return an array, or what can become one, in JSON types; anything else becomes {}."""
    file = io.BytesIO()
    try:
        np.save(file, np.asarray(value), allow_pickle=False)
    except Exception:
        return {}
    return {"array": base64.b64encode(file.getvalue()).decode()}


def main(folder: Path) -> None:
    """Run the job in a folder."""
    read, write, null = os.dup(0), os.dup(1), os.open(os.devnull, os.O_RDWR)
    job = json.loads((folder / "job.json").read_text("utf-8"))
    home = Path(os.environ["HOME"])
    shutil.copytree(folder / "matplotlib", os.environ["MPLCONFIGDIR"], dirs_exist_ok=True)
    shutil.copytree(folder / "files", home / "work")
    os.chdir(home / "work")
    sys.path.insert(0, str(home / "work"))
    for name, value in job["limits"].items():  # the student's code cannot raise them again
        with suppress(ValueError, OSError):  # the limit is lower already, or does not exist
            resource.setrlimit(getattr(resource, name), (value, value))
    signal.pthread_sigmask(signal.SIG_BLOCK, {BEGIN})
    for number in (0, 1, 2):
        os.dup2(null, number)
    sys.stdin = io.StringIO()
    try:
        Worker(job, folder, read, write).execute()
    finally:
        os._exit(0)  # without waiting for other processes


if __name__ == "__main__":
    main(Path(sys.argv[1]))
