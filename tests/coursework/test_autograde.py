"""The verdict on a test cell when answers are missing, fail, or use what is not allowed."""

import pytest
from nbformat.v4 import new_code_cell, new_output

from coursework import autograde, executor
from coursework.compare_answers import Verdict
from coursework.repair_submission import read_submission
from coursework.student_version import student_version
from tests.coursework import example_set
from tests.coursework.example_set import SEED, cell_of, fill
from tests.coursework.expected_submissions import submissions


@pytest.mark.parametrize(
    ("score", "conditions", "final_score", "message"),
    [
        (0.0, "unchanged ImportError SyntaxError kmds_lib", 0.0, autograde.NO_ANSWER),
        (0.5, "unchanged ImportError SyntaxError kmds_lib", 0.0, autograde.NOT_INSTALLED),
        (0.5, "unchanged SyntaxError kmds_lib", 0.0, autograde.USES_LIBRARY),
        (0.5, "unchanged SyntaxError", 0.5, autograde.SYNTAX_ERROR),
        (1.0, "unchanged ImportError SyntaxError kmds_lib", 0.0, autograde.USES_LIBRARY),
        (1.0, "unchanged ImportError SyntaxError", 1.0, "Of the reference."),
        (0.0, "", 0.0, "Of the reference."),
    ],
)
def test_first_condition_decides(tmp_path, score, conditions, final_score, message):
    set_ = example_set.write(tmp_path)
    nb = fill(student_version(set_), {"q1-gram": conditions})
    errors = [new_output("error", ename=name) for name in conditions.split() if "Error" in name]
    cell_of(nb, "q1-gram").outputs = errors
    nb.metadata["coursework"]["answered"] = [] if "unchanged" in conditions else ["q1-gram"]
    given = Verdict(score, message="Of the reference.")
    verdicts = {"q1-gram-test": given, "q2-points-test": Verdict(1.0)}
    (_, first), (_, second) = autograde.final_verdicts(nb, set_, verdicts)
    assert (first.score, first.message, second) == (final_score, message, Verdict(1.0))
    assert first.for_person == ("A person will look at it." in message)


@pytest.mark.parametrize(("score", "points"), [(1.0, 3.0), (0.95, 3.0), (0.4, 2.4)])
def test_failed_open_test_leaves_at_most_half_of_the_points(score, points):
    failure = new_output("error", ename="AssertionError")
    cell = new_code_cell(metadata={"nbgrader": {"points": 6}}, outputs=[failure])
    autograde.write_feedback(cell, Verdict(score))
    assert cell.outputs[1].metadata["points"] == points


# The slow tests grade all submissions, with nbgrader's commands.
@pytest.mark.parametrize("name", ["open.ipynb", "double.ipynb"])
def test_submission_gets_its_points(tmp_path, name):
    set_ = example_set.write(tmp_path)
    (set_.path / "data.npz").write_bytes(executor.grading_inputs(set_, SEED).data)
    content, expected = submissions(set_, "", has_bubblewrap=False)[name]
    (tmp_path / name).write_text(content, "utf-8")
    nb = read_submission(tmp_path / name, student_version(set_))
    autograde.Grader(seed=SEED)._grade(nb, set_, files={})
    outputs = [output for cell in nb.cells for output in cell.get("outputs", [])]
    assert sum(each.get("metadata", {}).get("points", 0) for each in outputs) == expected.points
