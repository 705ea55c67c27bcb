"""Execution of one notebook in the sandbox, and the answers that it hands in.

Everything that the sandbox reports is untrusted and read as plain types.
"""

import base64
import builtins
import contextlib
import functools
import io
import itertools
import re
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from nbformat.notebooknode import NotebookNode
from nbformat.v4 import new_output

from coursework import sandbox
from coursework.compare_answers import Answers, NoAnswer
from coursework.sandbox import Limits, SandboxResult
from coursework.sets import HIDDEN, Set, grade_id, is_test, lines_by_kind
from coursework.student_version import npz_bytes

MAX_RUNS = 3  # of one submission, each without the cells that ended the previous runs
MAX_DEPTH = 6  # of lists
MAX_TEXT = 4 << 20  # characters of an output
MAX_OUTPUTS = 300  # of a cell, before the last two, which may be its error
OUTPUT_TYPES = ("text/plain", "image/png", "image/jpeg")
BASE64 = re.compile(r"[A-Za-z0-9+/\s]*=*\s*")
STOP_REASONS = {
    "time": "ran longer than allowed and ignored the interrupt",
    "memory": "used more memory than allowed",
    "exit": "ended the process",
}
HIDDEN_TEST_ERRORS = {
    "time": "Your code ran too long on the hidden inputs and was stopped.",
    "killed": "Your code ended its process, or used too much memory, on the hidden inputs.",
}


class RunResult(NamedTuple):
    """The answers that a notebook handed in, and what happened to its cells."""

    answers: Answers
    notes: list[str]  # one sentence for each cell that was stopped


@functools.cache
def grading_inputs(set_: Set, seed: int) -> sandbox.GradingInputs:
    """Return the inputs of all submissions of a set and seed."""
    reference = set_.reference
    tests = filter(is_test, set_.master().cells)
    return sandbox.GradingInputs(
        npz_bytes(reference.data(seed)),
        npz_bytes(reference.hidden(seed)),
        {grade_id(cell): "\n".join(lines_by_kind(cell.source)[HIDDEN]) for cell in tests},
    )


def run(
    notebook: NotebookNode,
    inputs: sandbox.GradingInputs,
    limits: Limits | None = None,
    files: dict[str, bytes] | None = None,
) -> RunResult:
    """Run a repaired submission or the master in the sandbox, with bubblewrap if that works.

    The notebook gets the outputs. The `files` were submitted with it. Raise RuntimeError if the
    sandbox does not start.
    """
    limits = limits or Limits()
    left_out = dict[int, str]()
    for attempt in range(MAX_RUNS):
        # The last attempt ends before the last cell that was left out.
        end = max(left_out) if left_out and attempt == MAX_RUNS - 1 else len(notebook.cells)
        job = list[tuple[str, str]]()
        for index, cell in enumerate(notebook.cells):
            runs = cell.cell_type == "code" and index < end and index not in left_out
            job.append((cell.source if runs else "", grade_id(cell) if is_test(cell) else ""))
        result = sandbox.run(job, inputs, files or {}, limits, sandbox.bubblewrap_works())
        if not result.reports:
            raise RuntimeError(f"The sandbox did not start. {result.error}")
        if result.cell is None or not result.end:
            break
        left_out[result.cell] = result.end
    _write_outputs(notebook, result)
    return RunResult(_read_answers(result), _write_notes(notebook, result, left_out))


def _write_notes(
    notebook: NotebookNode, result: SandboxResult, left_out: dict[int, str]
) -> list[str]:
    """Return a sentence for each cell that was stopped; cells that were left out show theirs."""
    notes = list[str]()
    for index, end in left_out.items():
        cell = notebook.cells[index]
        name = grade_id(cell) or f"of their own, number {index + 1},"
        note = f"The cell {name} {STOP_REASONS[end]}; it was left out."
        cell.outputs = [new_output("error", ename="Stopped", evalue=note, traceback=[note])]
        notes.append(note)
    if result.end and result.cell not in left_out:
        notes.append(f"The run was stopped: it {STOP_REASONS[result.end]}.")
    return notes


def _write_outputs(notebook: NotebookNode, result: SandboxResult) -> None:
    """Write the outputs into the cells, except those that follow the hidden inputs."""
    code = {index: cell for index, cell in enumerate(notebook.cells) if cell.cell_type == "code"}
    for report in itertools.takewhile(lambda each: each.get("kind") != "executed", result.reports):
        index, outputs = report.get("cell"), report.get("outputs")
        if isinstance(index, int) and index in code and isinstance(outputs, list):
            cell = code.pop(index)
            shown = [*outputs[:-2][:MAX_OUTPUTS], *outputs[-2:]]
            cell.execution_count = index
            cell.outputs = [new for each in shown for new in _read_output(each)]


def _read_output(output: Any) -> Iterator[NotebookNode]:
    """Yield an output of a known, plain type, or nothing.

    HTML, SVG and scripts are left out, because the person who marks opens the notebook in a
    browser.
    """
    fields = output if isinstance(output, dict) else {}
    kind, data, text = fields.get("output_type"), fields.get("data"), fields.get("text")
    if kind == "display_data" and isinstance(data, dict):
        shown = {mime: _text(data[mime]) for mime in OUTPUT_TYPES if mime in data}
        if all(BASE64.fullmatch(shown.get(mime, "")) for mime in OUTPUT_TYPES[1:]):
            yield new_output(kind, data=shown)
    elif kind == "stream" and text:
        yield new_output(kind, name="stdout", text=_text(text))
    elif kind == "error":
        name, value = (_text(fields.get(key)) for key in ("ename", "evalue"))
        yield new_output(kind, ename=name, evalue=value, traceback=[f"{name}: {value}"])


def _text(value: object) -> str:
    """Return a text of limited length that can be written to a file."""
    return str(value)[:MAX_TEXT].encode("utf-8", "replace").decode("utf-8")


def _read_answers(result: SandboxResult) -> Answers:
    """Return the answers, with a reason for each one that is missing."""
    answers = Answers()
    for report in result.reports:
        kind, name = report.get("kind"), str(report.get("name"))
        if kind == "answer":
            answers.setdefault(name, decode_answer(report.get("value")))
        elif kind == "raised":
            answers.setdefault(name, NoAnswer(_error_sentence(report)))
    return answers


def _error_sentence(report: dict[str, Any]) -> str:
    """Return a sentence on an exception, without its text, which may contain hidden inputs."""
    name, line = str(report.get("error", "")), report.get("line")
    if name in HIDDEN_TEST_ERRORS:
        return HIDDEN_TEST_ERRORS[name]
    known = getattr(builtins, name, None)
    if not (isinstance(known, type) and issubclass(known, BaseException)):
        name = "an exception"
    where = f", in line {line} of its cell" if isinstance(line, int) and 0 < line < 1000 else ""
    return f"On the hidden inputs your code raised {name}{where}."


def decode_answer(value: Any, depth: int = 0) -> Any:
    """Return an answer: a plain value, a list, an array, or a `NoAnswer`."""
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    if isinstance(value, list) and depth < MAX_DEPTH:
        items = [decode_answer(item, depth + 1) for item in value]
        return next((item for item in items if isinstance(item, NoAnswer)), items)
    with contextlib.suppress(Exception):  # the content may be anything
        content = base64.b64decode(value["array"])
        array = np.load(io.BytesIO(content), allow_pickle=False)
        if array.dtype.kind in "biufcU" and array.size <= array.nbytes:
            return array
    return NoAnswer("Found an object, expected numbers, words, arrays or tuples of these.")
