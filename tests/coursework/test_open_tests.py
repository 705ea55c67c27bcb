"""The function `check` of a student's notebook, which runs the open tests of a question."""

import numpy as np
import pytest

from coursework.sets import SETS_DIR, grade_id, is_test, load_set, question_number, set_names
from coursework.student_version import CHECK_CELL_ID, OPEN_TESTS, student_version

TESTS = (
    "# Covered: shapes.\nY = f(2)\nassert Y.shape == (2,), 'Two.'\nassert (Y == 0).all(), 'Zeros.'"
)


@pytest.mark.parametrize(
    ("f", "expected"),
    [
        (np.zeros, "Question 3: 2 of 2 open tests pass.\nCovered: shapes."),
        (np.ones, "1 of 2 open tests pass.\n- Zeros.\n"),
        (lambda n: np.ones(n + 1), "0 of 2 open tests pass.\n- Two.\n- Zeros.\n"),
        (lambda n: n / 0, "0 of 2 open tests pass.\n- ZeroDivisionError: division by zero\n"),
    ],
)
def test_check_reports_each_open_test(f, expected, capsys):
    names, tests = {"f": f}, {"1": "assert False", "3": TESTS}
    exec(OPEN_TESTS.read_text("utf-8").replace("{}", repr(tests), 1), names)
    before = set(names)
    names["check"]("Q3")
    assert expected in capsys.readouterr().out
    assert set(names) == before


@pytest.mark.parametrize("name", set_names(SETS_DIR))
def test_check_finds_questions_by_number(name, capsys):
    set_ = load_set(name)
    released = student_version(set_)
    cells = {grade_id(cell): cell for cell in released.cells}
    names = {}
    exec(cells[CHECK_CELL_ID].source, names)
    for test in filter(is_test, set_.master().cells):
        number = question_number(test)
        names["check"](f"Q{number}")
        assert f"Question {number}: 0 of " in capsys.readouterr().out
        assert cells[grade_id(test)].source.startswith("# Covered:")
