"""Answers planted in a set, judged as a student's would be, all of a set in one sandboxed run.

Behind the cells of the master stand, for each planted answer, its code, a test cell that hands in
what the hidden tests ask for, and the right code again. Each test cell hands in from a copy of
the process, so that no answer sees another.
"""

import ast
import functools
import tomllib
from dataclasses import dataclass
from pathlib import Path

from coursework import executor, sandbox
from coursework.checks import Answers
from coursework.repair_submission import repair
from coursework.sets import grade_id, is_test, load_set
from coursework.student import student_version

MISTAKES = Path(__file__).parent / "mistakes"
# Hidden lines hand in by names; a planted answer's names begin with its number.
RENAMED = """def answer(name, value, _given=answer):
    _given({prefix!r} + name, value)
{part}"""


@dataclass(frozen=True)
class Plant:
    """An answer to one question, and what the judge must make of it.

    Attributes
    ----------
    question, test : str
        Ids of the cell that it replaces and of the cell that tests it.
    code : str
        What the student wrote.
    score : float
        The score that it must get.
    names : str
        The mistake that must be named; nothing where the answer is right.
    """

    question: str
    test: str
    code: str
    score: float = 1.0
    names: str = ""


@functools.cache
def plants(name):
    """Return the planted answers of a set, mistakes first."""
    tables = tomllib.loads((MISTAKES / f"{name}.toml").read_text("utf-8"))
    assert set(tables) <= {"mistake", "right"}
    return [Plant(**fields) for kind in ("mistake", "right") for fields in tables.get(kind, [])]


@functools.cache
def judged(name, seed):
    """Return the verdict on each planted answer of a set.

    One judgement holds a planted answer to each question, since no verdict looks at the answers
    to another.
    """
    set_ = load_set(name)
    material = executor.grading_inputs(set_, seed)
    cells = repair(set_.master(), student_version(set_)).notebook.cells
    answers = _handed_in(cells, plants(name), material)
    waiting = {test: [] for test in answers if not test.isdigit()}
    for number, plant in enumerate(plants(name)):
        waiting[plant.test].append(number)
    verdicts = {}
    while any(waiting.values()):
        chosen = {test: numbers.pop() for test, numbers in waiting.items() if numbers}
        parts = [answers.get(str(chosen.get(test, test)), {}) for test in waiting]
        given = Answers(functools.reduce(dict.__or__, parts))
        found = set_.reference.verdicts(seed, given)
        verdicts |= {number: found[test] for test, number in chosen.items()}
    return [verdicts[number] for number in range(len(verdicts))]


def _handed_in(cells, planted, material):
    """Run the master with all planted answers, and return what each handed in.

    The answers of a planted answer stand under its number, those of the master under the tests.
    """
    job, parts = [], {}

    def add(source, test=""):
        index = len(job)
        job.append({"index": index, "source": source, "test": bool(test)})
        return index

    sources = {grade_id(cell): cell.source for cell in cells}
    last = max(index for index, cell in enumerate(cells) if is_test(cell))
    for cell in cells[: last + 1]:
        if cell.cell_type == "code":
            test = grade_id(cell) if is_test(cell) else ""
            index = add(cell.source, test)
            if test:
                part = material.parts[test]
                parts[index] = RENAMED.format(prefix=f"{test} ", part=part)
    for number, plant in enumerate(planted):
        right = sources[plant.question]
        add(f"del {', '.join(_bound(right))}\n{plant.code}")
        index = add("", plant.test)
        part = material.parts[plant.test]
        parts[index] = RENAMED.format(prefix=f"{number} ", part=part)
        add(right)
    limits = sandbox.Limits(cells=600, hand_in=60.0 * len(parts), processes=len(parts) + 64)
    files = {"data.npz": material.data}
    ran = sandbox.run(job, files, material.hidden, parts, limits, sandbox.bubblewrap_works())
    assert not ran.end, ran
    found = {}
    for report in ran.reports:
        if report.get("kind") == "answer":
            who, _, name = report["name"].partition(" ")
            found.setdefault(who, {})[name] = executor.decode_answer(report.get("value"))
    return found


def _bound(source):
    """Return the functions and names that a cell defines."""
    found = []
    for node in ast.parse(source).body:
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            found.append(node.name)
        elif isinstance(node, ast.Assign):
            found += [target.id for target in node.targets if isinstance(target, ast.Name)]
    return found


def failed(name, seed):
    """Say in which planted answers the judge is wrong."""
    return [
        f"{plant.test}, {plant.names or 'right'} ({plant.score:g}): {verdict}\n{plant.code}"
        for plant, verdict in zip(plants(name), judged(name, seed), strict=True)
        if abs(verdict.score - plant.score) > 1e-9 or verdict.mistake != plant.names
    ]
