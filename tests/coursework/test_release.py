"""Release of a problem set: leaks, malformed masters and wrong grading are refused."""

import re

import pytest
from nbformat.v4 import new_output

from coursework import compare_answers
from coursework.__main__ import main
from coursework.release import find_leaks, master_errors, release
from coursework.sets import SetError
from coursework.student_version import student_version
from tests.coursework import example_set
from tests.coursework.example_set import cell_of

SECRET = "squares = distances**2"


@pytest.fixture
def example(tmp_path):
    """Write the example set."""
    return example_set.write(tmp_path / "sets")


def add(name, text):
    """Return a change that appends a line to a cell."""
    return lambda notebook: cell_of(notebook, name).update(
        source=f"{cell_of(notebook, name).source}\n{text}"
    )


def update(name, **fields):
    """Return a change of the fields of a cell."""
    return lambda notebook: cell_of(notebook, name).update(fields)


def replace(name, old, new):
    """Return a change of the text of a cell."""
    return lambda notebook: cell_of(notebook, name).update(
        source=cell_of(notebook, name).source.replace(old, new)
    )


def update_metadata(name, **fields):
    """Return a change of the nbgrader metadata of a cell."""
    return lambda notebook: cell_of(notebook, name).metadata.nbgrader.update(fields)


LEAKS = {
    "text": add("intro", SECRET),
    "broken line": add("intro", "squares  =\n    distances ** 2"),
    "metadata": lambda notebook: notebook.metadata.update(old={"1": [SECRET]}),
    "output": update("imports", outputs=[new_output("stream", text="1")]),
    "attachment": update("q4", attachments={"a.png": {"image/png": "aGVsbG8="}}),
    "marker": add("q1-gram", "### END SOLUTION"),
    "misspelt marker": add("q1-gram-test", "### BEGIN HIDEN TESTS"),
    "hidden answer": add("q1-gram-test", 'answer("q1-gram", 3)'),
    "hidden input": add("q1-gram-test", 'gram(hidden["distances"])'),
    "rubric": add("q4", "**Marks.** Two for the sum, two for the reason."),
}


@pytest.mark.parametrize("change", LEAKS.values(), ids=LEAKS)
def test_leak_is_found(example, change):
    released = student_version(example)
    assert find_leaks(example.master(), released) == []
    change(released)
    assert find_leaks(example.master(), released)


def test_open_cells_show_at_most_half_of_a_solution(tmp_path):
    """Open cells of the master may show lines of a solution, but not most of them."""
    master, found = example_set.master(), []
    for line in example_set.without_markers(example_set.GRAM).splitlines()[-2:]:
        add("intro", line)(master)
        found.append(find_leaks(master, student_version(example_set.write(tmp_path, master))))
    assert found[0] == []
    assert [leak[:32] for leak in found[1]] == ["Open cells show most of q1-gram,"]


MALFORMED = {
    "The id imports": update_metadata("intro", grade_id="imports"),
    "no nbgrader id": lambda master: master.cells[0].metadata.clear(),
    "no id such as": update_metadata("q1-gram-test", grade_id="gram-test"),
    "no rubric": replace("q4", "**Marks.**", "Marks:"),
    "data = np.load": replace("imports", "data.npz", "other.npz"),
    "'1-other'": lambda master: master.metadata.coursework.update(set="1-other"),
}


@pytest.mark.parametrize("message", MALFORMED)
def test_malformed_master_is_named(message):
    master = example_set.master()
    assert master_errors(example_set.NAME, master) == []
    MALFORMED[message](master)
    assert any(message in error for error in master_errors(example_set.NAME, master))


COMPARE = "return compare(answer, -centred(distances**2) / 2, mistakes=mistakes)"
WRONG_GRADING = {
    "q1-gram-test gives 0% to the master": (COMPARE, "return compare(answer, distances)"),
    "q1-gram-test has no verdict": ('"q1-gram-test": combine', '"q1-test": combine'),
    "AssertionError: One row a point.": ("squares.mean()) / 2", "0)[1:] / 2"),
    "data(seed) is the same for two seeds": ("table(seed, 6)", "table(5, 6)"),
    "hidden(seed) differs": ("table(seed + 10**6, 8)", "table(None, 8)"),
}


@pytest.mark.slow
@pytest.mark.parametrize("message", WRONG_GRADING)
def test_wrong_grading_is_not_released(tmp_path, message):
    old, new = WRONG_GRADING[message]
    master, reference = example_set.master(), example_set.REFERENCE.replace(old, new)
    for cell in master.cells:
        cell.source = cell.source.replace(old, new)
    set_ = example_set.write(tmp_path / "sets", master, reference)
    with pytest.raises(SetError, match=re.escape(message)):
        release(set_, 0, tmp_path / "out")
    assert not (tmp_path / "out").exists()


@pytest.mark.slow
def test_set_that_accepts_the_stub_is_not_released(tmp_path, monkeypatch):
    monkeypatch.setattr(compare_answers, "compare", lambda *_, **__: compare_answers.Verdict(1.0))
    with pytest.raises(SetError, match="gives 100% to the release"):
        release(example_set.write(tmp_path), 0, tmp_path / "out")


def test_missing_set_is_named(tmp_path, capsys):
    set_ = example_set.write(tmp_path)
    assert main(["release", "1-other", "--sets", str(tmp_path)]) == 2
    assert set_.name in capsys.readouterr().err
