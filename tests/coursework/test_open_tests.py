"""`check` in a student's notebook runs the open tests of a question and says what they cover."""

import nbformat
import numpy as np
import pytest

from coursework.sets import SETS_DIR, grade_id, is_test, load_set, question_numbers, set_names
from coursework.student import CHECK_CELL_ID, OPEN_TESTS, student_version

NAMES = set_names(SETS_DIR)


@pytest.fixture
def trying(capsys):
    """Return a function that says what `check` prints, beside some names of a notebook."""

    def said(tests, question, **names):
        source = OPEN_TESTS.read_text("utf-8")
        exec(source.replace("{}", repr(tests), 1), names)
        before = set(names)
        names["check"](question)
        assert set(names) == before
        return capsys.readouterr().out

    return said


ONE = "# Covered: shapes.\n# Not covered: values.\nY = f(2)\nassert Y.shape == (2,), 'Two.'\n"
ONE += "assert (Y == 0).all(), 'Zeros.'"


@pytest.mark.parametrize("question", ["Q3", "3", 3, "Question 3"])
def test_all_pass_and_what_is_left_out_is_said(trying, question):
    text = trying({"1": "assert False", "3": ONE}, question, f=np.zeros)
    assert text.splitlines()[0] == "Question 3: 2 of 2 open tests pass."
    assert "Covered: shapes.\nNot covered: values.\n" in text
    assert "on other data, decide" in text


FAILS = {
    "0 of 2 open tests pass.\n- Two.\n- Zeros.\n": lambda n: np.ones(n + 1),
    "1 of 2 open tests pass.\n- Zeros.\n": np.ones,
    "0 of 2 open tests pass.\n- ZeroDivisionError: division by zero\n"
    "- The tests behind this need it, and were not run.": lambda n: n / 0,
}


@pytest.mark.parametrize("words", FAILS)
def test_what_fails_is_named_and_the_rest_runs(trying, words):
    assert words in trying({"3": ONE}, "Q3", f=FAILS[words])


def test_a_question_without_open_tests_is_told(trying):
    text = trying({"1": ONE, "3": ONE}, "Q2")
    assert "Q2 has no open tests. Questions that have some: 1, 3." in text


@pytest.mark.parametrize("name", NAMES)
def test_a_set_knows_its_questions_by_their_numbers(name, capsys):
    set_ = load_set(name)
    released = student_version(set_)
    known = question_numbers(released)
    tests = [grade_id(cell) for cell in set_.master().cells if is_test(cell)]
    assert len({known[test] for test in tests}) == len(tests)
    assert all(known[test].isdigit() for test in tests)
    nbformat.validate(released)
    cells = {grade_id(cell): cell for cell in released.cells}
    for test in tests:
        head = cells[test].source.splitlines()[:2]
        assert [line.split(":")[0] for line in head] == ["# Covered", "# Not covered"], test
    names = {}
    exec(cells[CHECK_CELL_ID].source, names)
    assert list(names["OPEN_TESTS"]) == [known[test] for test in tests]
    # The untouched answer stops, and is told so by the number that the notebook shows.
    for test in tests:
        names["check"](f"Q{known[test]}")
        text = capsys.readouterr().out
        assert f"Question {known[test]}: 0 of " in text
        assert "NameError" in text
