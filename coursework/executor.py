"""Run one notebook of a set in the sandbox, and judge what it hands in.

The judge stands outside: it recomputes the right answers from the seed, and reads what comes out
of the sandbox as the student's word, in plain types of limited size.
"""

import base64
import builtins
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

MAX_RUNS = 3  # runs of one submission, each without the cells that ended the runs before
MAX_ANSWER_BYTES = 16 << 20  # bytes of an array that is handed in
MAX_ANSWERS = 300
MAX_OUTPUTS = 300
MAX_ITEMS, MAX_DEPTH = 64, 6
KNOWN_TYPES = ("dict", "set", "function", "generator", "object", "DataFrame")
MAX_STRING = 10_000
MAX_OUTPUT_CHARACTERS = 4 << 20  # characters of one output
OUTPUT_TYPES = ("text/plain", "image/png", "image/jpeg")
BASE64 = re.compile(r"[A-Za-z0-9+/\s]*=*\s*")
STOP_REASONS = {
    "time": "ran longer than it may and ignored the interrupt",
    "memory": "used more memory than it may",
    "processes": "started more processes than it may",
    "files": "wrote more files than it may",
    "output": "reported more than it may",
    "exit": "ended the process",
}
HIDDEN_TEST_ERRORS = {
    "time": "Your code ran too long on the inputs of the check, and was stopped.",
    "killed": "Your code ended its process, or used too much memory, on the inputs of the check.",
    "processes": "Your code left no process free for the check.",
}


@dataclass(frozen=True)
class RunResult:
    """A notebook that was run, and what it handed in.

    Its status is ``"run"``; ``"stopped"`` when a cell had to be left out or the whole was
    stopped; ``"failed"`` when the sandbox did not start.
    """

    notebook: NotebookNode
    answers: Answers
    status: str
    notes: list[str]  # what was stopped
    log: list[str]  # what the system said
    changed: set[str]  # the answers whose code changed the arrays that it was given


def run(
    notebook: NotebookNode,
    material: "GradingInputs",
    limits: Limits | None = None,
    files: dict[str, bytes] | None = None,
) -> RunResult:
    """Run a notebook in the sandbox, beside the files that were handed in with it.

    The notebook, a submission in the form of the release or the master, gets the outputs.
    Bubblewrap keeps it from the rest where that works.
    """
    limits, wrapped, cells = limits or Limits(), sandbox.bubblewrap_works(), notebook.cells
    all_files = {**(files or {}), "data.npz": material.data}
    parts = {
        index: material.parts[grade_id(cell)]
        for index, cell in enumerate(cells)
        if grade_id(cell) in material.parts
    }
    left_out: dict[int, str] = {}
    log: list[str] = []
    started = time.monotonic()
    for attempt in range(MAX_RUNS):
        job = list(_job(cells, left_out, cut=attempt == MAX_RUNS - 1))
        ran = sandbox.run(job, all_files, material.hidden, parts, limits, wrapped)
        log += [line for line in ran.error.splitlines() if line.strip()]
        is_late = time.monotonic() - started > sandbox.CLOCK_FACTOR * limits.cells
        if ran.cell is None or not ran.end or is_late:
            break
        left_out[ran.cell] = ran.end
    return _result(notebook, ran, parts, left_out, log, limits)


@dataclass(frozen=True)
class GradingInputs:
    """What all submissions of a set and seed have in common; of tests the hidden lines by id."""

    data: bytes
    hidden: bytes
    parts: dict[str, str]


@functools.cache
def grading_inputs(set_: Set, seed: int) -> GradingInputs:
    """Return what all runs of a set and seed have in common."""
    reference, tests = set_.reference, filter(is_test, set_.master().cells)
    return GradingInputs(
        npz_bytes(reference.data(seed)),
        npz_bytes(reference.hidden(seed)),
        {grade_id(cell): "\n".join(region_lines(cell.source, HIDDEN)) for cell in tests},
    )


def _job(
    cells: list[NotebookNode], left_out: dict[int, str], cut: bool
) -> Iterator[dict[str, Any]]:
    """Yield the cells for the runner. The last attempt ends before the last cell left out."""
    last = max(left_out) if cut and left_out else len(cells)
    for index, cell in enumerate(cells):
        wanted = cell.cell_type == "code" and index not in left_out and index < last
        yield {"index": index, "source": cell.source if wanted else "", "test": is_test(cell)}


def _result(
    notebook: NotebookNode,
    ran: SandboxResult,
    parts: dict[int, str],
    left_out: dict[int, str],
    log: list[str],
    limits: Limits,
) -> RunResult:
    """Put together what a run gave."""
    notes: list[str] = []
    _write_outputs(notebook, ran)
    for index, end in left_out.items():
        cell = notebook.cells[index]
        what = f"This cell {STOP_REASONS[end]}; it was left out."
        cell.outputs = [new_output("error", ename="Stopped", evalue=what, traceback=[what])]
        name = grade_id(cell) or f"of their own, number {index + 1},"
        notes.append(f"The cell {name} {STOP_REASONS[end]}; it was left out.")
    if ran.end and ran.cell not in left_out:
        notes.append(f"The run was stopped: it {STOP_REASONS[ran.end]}.")
    if late := sum(report.get("kind") == "late" for report in ran.reports):
        notes.append(f"{late} cells were left out: {limits.cells:g} s for all cells were over.")
    for cell in notebook.cells:
        if any(output.get("ename") == "OutOfTime" for output in cell.get("outputs", [])):
            name = grade_id(cell) or "of their own"
            notes.append(f"The cell {name} was interrupted: it took over {limits.cell:g} s.")
    status = "failed" if not ran.reports else "stopped" if notes else "run"
    changed = {str(each.get("name")) for each in ran.reports if each.get("kind") == "changed"}
    return RunResult(notebook, _answers(ran, parts), status, notes, log, changed)


def _write_outputs(notebook: NotebookNode, ran: SandboxResult) -> None:
    """Give the cells the outputs that were reported before all cells had run."""
    count = 0
    for report in ran.reports:
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
            cell.outputs = [made for each in outputs[:MAX_OUTPUTS] for made in _output(each)]
            if report.get("cut"):
                what = "[The rest of the output was cut.]"
                cell.outputs.append(new_output("stream", name="stderr", text=what))


def _output(output: Any) -> Iterator[NotebookNode]:
    """Yield an output in plain and known types, or nothing.

    HTML, SVG and scripts are left out: whoever marks the notebook opens it in their own browser.
    """
    output = output if isinstance(output, dict) else {}
    kind, data, trace = (output.get(key) for key in ("output_type", "data", "traceback"))
    if kind == "stream" and (text := _limited_text(output.get("text", ""))):
        yield new_output(kind, name="stdout", text=text)
    elif kind == "error":
        lines = (
            [_limited_text(line) for line in trace[:MAX_ITEMS]] if isinstance(trace, list) else []
        )
        name, value = (
            _limited_text(output.get("ename", "")),
            _limited_text(output.get("evalue", "")),
        )
        yield new_output(kind, ename=name, evalue=value, traceback=lines)
    elif kind == "display_data" and isinstance(data, dict):
        shown = {mime: _limited_text(data[mime]) for mime in OUTPUT_TYPES if mime in data}
        for mime in OUTPUT_TYPES[1:]:
            if not BASE64.fullmatch(shown.get(mime, "")):
                del shown[mime]
        if shown:
            yield new_output(kind, data=shown)


def _limited_text(value: Any) -> str:
    """Return a text that can be written to a file, of limited length."""
    return str(value)[:MAX_OUTPUT_CHARACTERS].encode("utf-8", "replace").decode("utf-8")


def _answers(ran: SandboxResult, parts: dict[int, str]) -> Answers:
    """Read what was handed in, and say of the rest why it is missing."""
    answers = Answers()
    for report in ran.reports:
        name = report.get("name")
        if not isinstance(name, str) or len(name) > 200 or len(answers) >= MAX_ANSWERS:
            continue
        if report.get("kind") == "answer":
            answers[name] = decode_answer(report.get("value"))
        elif report.get("kind") == "raised":
            answers[name] = Missing(_error_sentence(report))
    for report in ran.reports:
        index, end = report.get("cell"), report.get("end")
        if report.get("kind") == "part" and isinstance(index, int) and end != "begun":
            why = (
                _error_sentence(report)
                if end == "error"
                else HIDDEN_TEST_ERRORS.get(str(end), HIDDEN_TEST_ERRORS["killed"])
            )
            for name in answer_names(parts.get(index, "")):
                answers.setdefault(name, Missing(why))
    return answers


def answer_names(part: str) -> list[str]:
    """Return the names that the hidden lines of a test cell hand in, where they are literal."""
    return re.findall(r"""\banswer\(\s*["']([^"']+)["']""", part)


def _error_sentence(report: dict[str, Any]) -> str:
    """Say what was raised. Its text may hold a hidden input, so the student's word ends here."""
    name, line = str(report.get("error", "")), report.get("line")
    known = getattr(builtins, name, None)
    if not (isinstance(known, type) and issubclass(known, BaseException)):
        name = "an exception"
    where = f", in line {line} of its cell" if isinstance(line, int) and 0 < line < 1000 else ""
    return f"On the inputs of the check your code raised {name}{where}."


def decode_answer(value: Any, depth: int = 0) -> Any:
    """Read an answer: a plain value, a tuple or list, an array, or a `Missing`."""
    if not isinstance(value, dict) or depth > MAX_DEPTH:
        return Missing("What was handed in cannot be read.")
    kind, content = value.get("type"), value.get("value")
    if kind == "plain" and (content is None or isinstance(content, (bool, int, float))):
        return content
    if kind == "plain" and isinstance(content, str):
        return content[:MAX_STRING]
    if kind in ("tuple", "list") and isinstance(content, list) and len(content) <= MAX_ITEMS:
        items = [decode_answer(item, depth + 1) for item in content]
        missing = [item for item in items if isinstance(item, Missing)]
        return missing[0] if missing else tuple(items) if kind == "tuple" else items
    if kind == "array":
        return _decode_array(value)
    if kind == "other":  # the student's code may give a class any name
        known = content if isinstance(content, str) and content in KNOWN_TYPES else "an object"
        return Missing(f"Found {known}, expected numbers, words, arrays or tuples of these.")
    return Missing("What was handed in cannot be read.")


def _decode_array(about: dict[str, Any]) -> Any:
    """Read an array of plain numbers or words, which takes no more room than it came in."""
    try:
        text, kind, shape = about["value"], about["kind"], about["shape"]
        if len(text) > 4 * MAX_ANSWER_BYTES // 3 + 4:
            return Missing(f"The array is larger than {MAX_ANSWER_BYTES >> 20} MB.")
        raw = base64.b64decode(text, validate=True)
        if not re.fullmatch(r"[<>|][biufcU][1-9]\d*", kind) or min(shape, default=0) < 0:
            raise ValueError("another type")
        array = np.ndarray(shape, kind, raw)
        if array.nbytes != len(raw):
            raise ValueError("another size")
        return array.copy()
    except (KeyError, ValueError, TypeError):
        return Missing("What was handed in cannot be read as an array.")
