"""Execution of one notebook in the sandbox, and the answers that it hands in.

The right answers never enter the sandbox: the reference computes them outside. Everything that
the sandbox reports is untrusted and read as plain types of limited size.
"""

import base64
import builtins
import contextlib
import functools
import re
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from nbformat.notebooknode import NotebookNode
from nbformat.v4 import new_output

from coursework import sandbox
from coursework.checks import Answers, Missing
from coursework.sandbox import Limits, SandboxResult
from coursework.sets import Set, grade_id, is_test
from coursework.student import npz_bytes
from coursework.validate_master import HIDDEN, region_lines

MAX_RUNS = 3  # of one submission, each without the cells that ended the previous runs
MAX_ANSWER_BYTES = 16 << 20  # of an array
MAX_ANSWERS = 300
MAX_OUTPUTS = 300  # per cell
MAX_ITEMS, MAX_DEPTH = 64, 6  # of tuples and lists
MAX_STRING = 10_000
MAX_OUTPUT_CHARACTERS = 4 << 20
OUTPUT_TYPES = ("text/plain", "image/png", "image/jpeg")
KNOWN_TYPES = ("dict", "set", "function", "generator", "object", "DataFrame")
BASE64 = re.compile(r"[A-Za-z0-9+/\s]*=*\s*")
STOP_REASONS = {
    "time": "ran longer than allowed and ignored the interrupt",
    "memory": "used more memory than allowed",
    "processes": "started more processes than allowed",
    "files": "wrote more files than allowed",
    "output": "reported more than allowed",
    "exit": "ended the process",
}
HIDDEN_TEST_ERRORS = {
    "time": "Your code ran too long on the hidden inputs and was stopped.",
    "killed": "Your code ended its process, or used too much memory, on the hidden inputs.",
    "processes": "Your code left no process for the hidden test.",
}


@dataclass(frozen=True)
class RunResult:
    """A notebook with its outputs, and the answers that it handed in."""

    notebook: NotebookNode
    answers: Answers
    status: str  # "run"; "stopped", if cells were left out; "failed", if the sandbox did not start
    notes: list[str]  # one sentence for each cell that was stopped
    log: list[str]  # messages of the system
    changed: set[str]  # names of the answers whose code changed its input arrays


@dataclass(frozen=True)
class GradingInputs:
    """The inputs of all submissions of a set and seed."""

    data: bytes  # npz file
    hidden: bytes  # npz file
    parts: dict[str, str]  # the hidden lines of each test cell, by id


@functools.cache
def grading_inputs(set_: Set, seed: int) -> GradingInputs:
    """Return the inputs of all submissions of a set and seed."""
    reference, tests = set_.reference, filter(is_test, set_.master().cells)
    return GradingInputs(
        npz_bytes(reference.data(seed)),
        npz_bytes(reference.hidden(seed)),
        {grade_id(cell): "\n".join(region_lines(cell.source, HIDDEN)) for cell in tests},
    )


def run(
    notebook: NotebookNode,
    inputs: GradingInputs,
    limits: Limits | None = None,
    files: dict[str, bytes] | None = None,
) -> RunResult:
    """Run a repaired submission or the master in the sandbox, with bubblewrap if that works.

    The notebook gets the outputs. The `files` were submitted with it.
    """
    limits, confined, cells = limits or Limits(), sandbox.bubblewrap_works(), notebook.cells
    all_files = {**(files or {}), "data.npz": inputs.data}
    parts = {
        index: inputs.parts[grade_id(cell)]
        for index, cell in enumerate(cells)
        if grade_id(cell) in inputs.parts
    }
    left_out: dict[int, str] = {}
    log: list[str] = []
    started = time.monotonic()
    for attempt in range(MAX_RUNS):
        job = list(_job_cells(cells, left_out, is_last=attempt == MAX_RUNS - 1))
        result = sandbox.run(job, all_files, inputs.hidden, parts, limits, confined)
        log += [line for line in result.error.splitlines() if line.strip()]
        is_late = time.monotonic() - started > sandbox.CLOCK_FACTOR * limits.cells
        if result.cell is None or not result.end or is_late:
            break
        left_out[result.cell] = result.end
    _write_outputs(notebook, result)
    notes = _write_notes(notebook, result, left_out, limits)
    status = "failed" if not result.reports else "stopped" if notes else "run"
    changed = {str(each.get("name")) for each in result.reports if each.get("kind") == "changed"}
    return RunResult(notebook, _read_answers(result, parts), status, notes, log, changed)


def _job_cells(
    cells: list[NotebookNode], left_out: dict[int, str], is_last: bool
) -> Iterator[dict[str, Any]]:
    """Yield the cells for the worker. The last attempt ends before the last cell left out."""
    end = max(left_out) if is_last and left_out else len(cells)
    for index, cell in enumerate(cells):
        wanted = cell.cell_type == "code" and index not in left_out and index < end
        yield {"index": index, "source": cell.source if wanted else "", "test": is_test(cell)}


def _write_notes(
    notebook: NotebookNode, result: SandboxResult, left_out: dict[int, str], limits: Limits
) -> list[str]:
    """Return a sentence for each cell that was stopped; cells that were left out show theirs."""
    notes: list[str] = []
    for index, end in left_out.items():
        cell = notebook.cells[index]
        message = f"This cell {STOP_REASONS[end]}; it was left out."
        cell.outputs = [new_output("error", ename="Stopped", evalue=message, traceback=[message])]
        name = grade_id(cell) or f"of their own, number {index + 1},"
        notes.append(f"The cell {name} {STOP_REASONS[end]}; it was left out.")
    if result.end and result.cell not in left_out:
        notes.append(f"The run was stopped: it {STOP_REASONS[result.end]}.")
    if late := sum(report.get("kind") == "late" for report in result.reports):
        notes.append(f"{late} cells were left out: all cells took over {limits.cells:g} s.")
    for cell in notebook.cells:
        if any(output.get("ename") == "OutOfTime" for output in cell.get("outputs", [])):
            name = grade_id(cell) or "of their own"
            notes.append(f"The cell {name} was interrupted: it took over {limits.cell:g} s.")
    return notes


def _write_outputs(notebook: NotebookNode, result: SandboxResult) -> None:
    """Write the outputs into the cells, except those that follow the hidden inputs."""
    count = 0
    for report in result.reports:
        if report.get("kind") == "executed":
            return
        index, outputs = report.get("cell"), report.get("outputs")
        if report.get("kind") != "outputs" or not isinstance(outputs, list):
            continue
        if not isinstance(index, int) or not 0 <= index < len(notebook.cells):
            continue
        cell = notebook.cells[index]
        if cell.cell_type == "code":
            count += 1
            cell.execution_count = count
            cell.outputs = [new for each in outputs[:MAX_OUTPUTS] for new in _read_output(each)]
            if report.get("cut"):
                message = "[The rest of the output was cut.]"
                cell.outputs.append(new_output("stream", name="stderr", text=message))


def _read_output(output: Any) -> Iterator[NotebookNode]:
    """Yield an output of a known, plain type, or nothing.

    HTML, SVG and scripts are left out, because the person who marks opens the notebook in a
    browser.
    """
    output = output if isinstance(output, dict) else {}
    kind, data, trace = (output.get(key) for key in ("output_type", "data", "traceback"))
    if kind == "stream" and (text := _limited_text(output.get("text", ""))):
        yield new_output(kind, name="stdout", text=text)
    elif kind == "error":
        lines = [*map(_limited_text, trace[:MAX_ITEMS])] if isinstance(trace, list) else []
        name, value = (_limited_text(output.get(key, "")) for key in ("ename", "evalue"))
        yield new_output(kind, ename=name, evalue=value, traceback=lines)
    elif kind == "display_data" and isinstance(data, dict):
        shown = {mime: _limited_text(data[mime]) for mime in OUTPUT_TYPES if mime in data}
        for mime in OUTPUT_TYPES[1:]:
            if not BASE64.fullmatch(shown.get(mime, "")):
                del shown[mime]
        if shown:
            yield new_output(kind, data=shown)


def _limited_text(value: Any) -> str:
    """Return a text of limited length that can be written to a file."""
    return str(value)[:MAX_OUTPUT_CHARACTERS].encode("utf-8", "replace").decode("utf-8")


def _read_answers(result: SandboxResult, parts: dict[int, str]) -> Answers:
    """Return the answers, with a reason for each one that is missing."""
    answers = Answers()
    for report in result.reports:
        name = report.get("name")
        if not isinstance(name, str) or len(name) > 200 or len(answers) >= MAX_ANSWERS:
            continue
        if report.get("kind") == "answer":
            answers[name] = decode_answer(report.get("value"))
        elif report.get("kind") == "raised":
            answers[name] = Missing(_error_sentence(report))
    for report in result.reports:
        index, end = report.get("cell"), report.get("end")
        if report.get("kind") == "part" and isinstance(index, int) and end != "begun":
            reason = HIDDEN_TEST_ERRORS.get(str(end), HIDDEN_TEST_ERRORS["killed"])
            reason = _error_sentence(report) if end == "error" else reason
            for name in answer_names(parts.get(index, "")):
                answers.setdefault(name, Missing(reason))
    return answers


def answer_names(part: str) -> list[str]:
    """Return the literal names of the answers in the hidden lines of a test cell."""
    return re.findall(r"""\banswer\(\s*["']([^"']+)["']""", part)


def _error_sentence(report: dict[str, Any]) -> str:
    """Return a sentence on an exception, without its text, which may contain hidden inputs."""
    name, line = str(report.get("error", "")), report.get("line")
    known = getattr(builtins, name, None)
    if not (isinstance(known, type) and issubclass(known, BaseException)):
        name = "an exception"
    where = f", in line {line} of its cell" if isinstance(line, int) and 0 < line < 1000 else ""
    return f"On the hidden inputs your code raised {name}{where}."


def decode_answer(value: Any, depth: int = 0) -> Any:
    """Return an answer: a plain value, a tuple or list, an array, or a `Missing`."""
    if not isinstance(value, dict) or depth > MAX_DEPTH:
        return Missing("The answer cannot be read.")
    kind, content = value.get("type"), value.get("value")
    if kind == "plain" and (content is None or isinstance(content, (bool, int, float))):
        return content
    if kind == "plain" and isinstance(content, str):
        return content[:MAX_STRING]
    if kind in ("tuple", "list") and isinstance(content, list) and len(content) <= MAX_ITEMS:
        items = [decode_answer(item, depth + 1) for item in content]
        missing = [item for item in items if isinstance(item, Missing)]
        return missing[0] if missing else tuple(items) if kind == "tuple" else items
    if kind == "array" and isinstance(content, str):
        if len(content) > 4 * MAX_ANSWER_BYTES // 3 + 4:
            return Missing(f"The array is larger than {MAX_ANSWER_BYTES >> 20} MB.")
        with contextlib.suppress(KeyError, ValueError, TypeError):
            return _decode_array(base64.b64decode(content, validate=True), value)
    if kind == "other":  # the student's code may give a class any name
        known = content if isinstance(content, str) and content in KNOWN_TYPES else "an object"
        return Missing(f"Found {known}, expected numbers, words, arrays or tuples of these.")
    return Missing("The answer cannot be read.")


def _decode_array(raw: bytes, about: dict[str, Any]) -> Any:
    """Return an array of plain numbers or words, no larger than the bytes that encode it."""
    kind, shape = about["kind"], about["shape"]
    if not re.fullmatch(r"[<>|][biufcU][1-9]\d*", kind) or min(shape, default=0) < 0:
        raise ValueError("The type or the shape is not possible.")
    array = np.ndarray(shape, kind, raw)
    if array.nbytes != len(raw):
        raise ValueError("The size is another one.")
    return array.copy()
