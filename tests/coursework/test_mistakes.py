"""Grading of the book's sets: the master passes, and known mistakes are named."""

import copy
import io
import re
import tomllib
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import pytest
from nbgrader.utils import is_grade

from coursework.autograde import compare_seed
from coursework.compare_answers import Answers, NoAnswer
from coursework.executor import grading_inputs
from coursework.sets import SETS_DIR, grade_id, is_test, load_set, set_names
from coursework.student_version import npz_bytes

pytestmark = pytest.mark.filterwarnings("ignore")  # the answers of students may warn
MISTAKES = Path(__file__).parent / "mistakes"
EACH_SET = pytest.mark.parametrize("name", set_names(SETS_DIR))
TODAY = datetime.now(UTC).toordinal()
SEEDS = [0, *(pytest.param(TODAY + day, marks=pytest.mark.weekly) for day in range(10))]


class Grader:
    """A grader of answers to a set in this process."""

    def __init__(self, set_, seed):
        self.set, self.seed, self.inputs = set_, seed, grading_inputs(set_, seed)
        Path("data.npz").write_bytes(self.inputs.data)
        with np.load(io.BytesIO(self.inputs.hidden)) as file:
            self.hidden = dict(file)

    def run(self, notebook):
        """Run a notebook up to its last test; return its answers and its names."""
        names, answers = {"__name__": "__main__"}, Answers()
        last = max(place for place, cell in enumerate(notebook.cells) if is_test(cell))
        for cell in notebook.cells[: last + 1]:
            if cell.cell_type == "code":
                execute(cell.source, names)
            if is_test(cell):
                answers |= self.hidden_answers(grade_id(cell), names)
        return answers, names

    def hidden_answers(self, test, names):
        """Return the answers that the hidden lines of a test cell hand in."""
        answers = {}

        def answer(name, value):
            try:
                answers[name] = value() if callable(value) else value
            except Exception as error:
                answers[name] = NoAnswer(f"The code raised {type(error).__name__}.")

        given = {"hidden": copy.deepcopy(self.hidden), "answer": answer}
        execute(self.inputs.tests[test], {**names, **given})
        return answers

    def verdicts(self, answers):
        """Return the verdict on each test."""
        return self.set.reference.verdicts(self.seed, answers)


def execute(source, names):
    """Execute a cell; an error ends the cell, not the notebook."""
    try:
        exec(source, names)
    except Exception:
        return


@pytest.mark.parametrize("seed", SEEDS)
@EACH_SET
def test_answers_get_their_score_and_diagnosis(name, seed, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    set_ = load_set(name)
    grader, wrong = Grader(set_, seed), tomllib.loads((MISTAKES / f"{name}.toml").read_text())
    answers, names = grader.run(set_.master())
    verdicts = grader.verdicts(answers)
    assert {verdict.score for verdict in verdicts.values()} == {1.0}
    assert {f"{question}-test" for question in wrong} == verdicts.keys()
    for question, planted in wrong.items():
        assert len([each for each in planted if "mistake" in each]) >= 2, question
        for each in planted:
            changed = {**names}
            execute(each["code"], changed)
            given = Answers(answers | grader.hidden_answers(f"{question}-test", changed))
            verdict = grader.verdicts(given)[f"{question}-test"]
            assert verdict.score == pytest.approx(each.get("score", 1.0)), each["code"]
            assert verdict.mistake == each.get("mistake", ""), each["code"]


def test_sets_contain_no_markup_that_only_the_book_resolves():
    markup = re.compile(
        r"^(?::{3,}|`{3,})\s*\{|(?<![\w$\\}^])\{[a-z][a-z:]*\}`|^\([\w-]+\)=\s*$"
        r"|(?<!!)\]\((?:#|[\w/.-]+\.(?:ipynb|md))",
        re.MULTILINE,
    )
    assert all(
        markup.search(text) for text in ("```{note}", "{index}`x`", "(x)=", "[x](#ch-gram)")
    )
    cells = [cell for name in set_names(SETS_DIR) for cell in load_set(name).master().cells]
    assert not [cell.source for cell in cells if markup.search(cell.source)]


def test_sets_have_one_text_on_working_and_handing_in():
    cells = [cell for name in set_names(SETS_DIR) for cell in load_set(name).master().cells]
    texts = [cell.source for cell in cells if cell.id == "how-to-work"]
    assert len(texts) > 1
    assert len(set(texts)) == 1


@EACH_SET
def test_table_of_parts_states_the_points_and_the_time(name):
    master = load_set(name).master()
    title = master.cells[0].source
    points = [cell.metadata.nbgrader.points for cell in master.cells if is_grade(cell)]
    assert [int(each) for each in re.findall(r"\d: \w+ \((\d+)\)", title)] == points
    minutes = re.findall(r"\| (\d+) \|$", title, re.MULTILINE)
    assert sum(map(int, minutes)) == master.metadata.coursework.minutes


def test_data_of_another_seed_are_refused(tmp_path):
    set_, given = load_set("1-spectra"), tmp_path / "data.npz"  # whose data contain NaN
    given.write_bytes(npz_bytes(set_.reference.data(0)))
    compare_seed(given, grading_inputs(set_, 0))
    with pytest.raises(AssertionError, match="another seed"):
        compare_seed(given, grading_inputs(set_, 1))
