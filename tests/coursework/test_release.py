"""A release holds no solution, is graded rightly at both ends, and says so when it is not."""

import nbformat
import numpy as np
import pytest
from nbgrader.preprocessors import ClearHiddenTests, ClearOutput, ClearSolutions

from coursework import checks
from coursework.__main__ import main
from coursework.form import form_faults
from coursework.release import data_faults, leaks, release, secret_lines
from coursework.sets import SETS, SetError, load_set, set_names
from coursework.student import student_version
from tests.coursework import small

pytestmark = pytest.mark.slow

SOLUTION = "squares = distances**2"


def cell_of(notebook, grade_id):
    """Return a cell by its id."""
    return next(cell for cell in notebook.cells if cell.metadata.nbgrader.grade_id == grade_id)


@pytest.fixture
def right(tmp_path):
    """Write the small set as it should be."""
    return small.written(tmp_path / "sets")


def test_a_right_set_is_released(right, tmp_path, capsys):
    arguments = ["--sets", str(right.path.parent), "--out", str(tmp_path)]
    assert main(["release", right.name, *arguments]) == 0
    assert "the master has full marks" in capsys.readouterr().out
    folder = tmp_path / right.name
    assert sorted(path.name for path in folder.iterdir()) == [f"{right.name}.ipynb", "data.npz"]
    text = (folder / f"{right.name}.ipynb").read_text("utf-8")
    notebook = nbformat.reads(text, as_version=4)
    assert "raise NotImplementedError()" in cell_of(notebook, "q1-gram").source
    assert cell_of(notebook, "q2").source == "YOUR ANSWER HERE"
    assert len(notebook.cells) == len(right.master().cells) + 1  # check, which is added
    arrays = np.load(folder / "data.npz")
    assert np.array_equal(arrays["distances"], right.reference.data(0)["distances"])
    before = text, (folder / "data.npz").read_bytes()
    release(right, 0, tmp_path)
    text = (folder / f"{right.name}.ipynb").read_text("utf-8")
    assert before == (text, (folder / "data.npz").read_bytes())


def test_every_line_between_markers_is_secret_and_no_other(right):
    lines = secret_lines(right.master())
    assert "squares=distances**2" in lines
    assert 'answer("q1-gram",lambda:gram(hidden["distances"]))' in lines
    assert any("Twopointsforthesum" in line for line in lines)
    assert len(lines) == 6
    assert leaks(right.master(), student_version(right)) == []


@pytest.mark.parametrize("name", set_names(SETS))
def test_the_sets_of_the_book_do_not_leak(name):
    set_ = load_set(name)
    assert leaks(set_.master(), student_version(set_)) == []


def in_text(notebook):
    cell_of(notebook, "intro").source += f"\n\n{SOLUTION}"


def wrapped(notebook):
    cell_of(notebook, "intro").source += "\n\nsquares  =\n    distances ** 2"


def in_cell_metadata(notebook):
    cell_of(notebook, "data").metadata["note"] = SOLUTION


def in_notebook_metadata(notebook):
    notebook.metadata["history"] = {"1": [SOLUTION]}


def in_an_output(notebook):
    output = nbformat.v4.new_output("stream", text=SOLUTION)
    cell_of(notebook, "data").outputs = [output]


def an_output(notebook):
    cell_of(notebook, "data").outputs = [nbformat.v4.new_output("stream", text="1")]


def a_count(notebook):
    cell_of(notebook, "data").execution_count = 3


def a_picture(notebook):
    cell_of(notebook, "q2")["attachments"] = {"a.png": {"image/png": "aGVsbG8="}}


def a_marker(notebook):
    cell_of(notebook, "q1-gram").source += "\n    ### END SOLUTION"


def a_misspelt_marker(notebook):
    cell_of(notebook, "q1-gram-test").source += "\n### BEGIN HIDEN TESTS"


def a_hidden_line(notebook):
    cell_of(notebook, "q1-gram-test").source += '\nanswer("q1-gram", 3)'


def a_hidden_input(notebook):
    cell_of(notebook, "q1-gram-test").source += '\ngram(hidden["distances"])'


def a_rubric(notebook):
    cell_of(notebook, "q2").source += "\n\n**Marks.** Two points for the sum, one for the reason."


LEAKS = {
    in_text: "line squares=distances**2",
    wrapped: "line squares=distances**2",
    in_cell_metadata: "line squares=distances**2",
    in_notebook_metadata: "line squares=distances**2",
    in_an_output: "line squares=distances**2",
    an_output: "Cell 2 has an output",
    a_count: "Cell 2 has an output or an execution count",
    a_picture: "Cell 6 has a picture",
    a_marker: "the marker '# END SOLUTION'",
    a_misspelt_marker: "the marker '# BEGIN HIDEN TESTS'",
    a_hidden_line: 'a hidden check: answer("q1-gram", 3)',
    a_hidden_input: "a hidden check: gram(hidden",
    a_rubric: "line **Marks.**Twopoints",
}


@pytest.mark.parametrize("plant", LEAKS, ids=lambda plant: plant.__name__)
def test_a_leak_is_seen(right, plant):
    released = student_version(right)
    plant(released)
    assert any(LEAKS[plant] in fault for fault in leaks(right.master(), released))


def test_a_solution_in_an_open_cell_is_seen(tmp_path):
    master = small.master()
    cell_of(master, "intro").source += "\n\n" + "\n".join(small.GRAM.splitlines()[3:6])
    set_ = small.written(tmp_path, master)
    found = leaks(set_.master(), student_version(set_))
    assert any("Most of the solution of q1-gram" in fault for fault in found)


@pytest.mark.parametrize(
    ("broken", "words"),
    [
        (ClearSolutions, "It shows the line squares=distances**2"),
        (ClearHiddenTests, "It shows a hidden check"),
        (ClearOutput, "Cell 2 has an output"),
    ],
)
def test_a_converter_that_does_nothing_is_noticed(tmp_path, monkeypatch, broken, words):
    master = small.master()
    cell_of(master, "data").outputs = [nbformat.v4.new_output("stream", text="1")]
    set_ = small.written(tmp_path / "sets", master)
    monkeypatch.setattr(broken, "preprocess", lambda self, notebook, extra: (notebook, extra))
    with pytest.raises(SetError) as failure:
        release(set_, 0, tmp_path / "out")
    assert words in str(failure.value)
    assert not (tmp_path / "out").exists()


def spoil(grade_id, old, new):
    """Return a change of the text of a cell of the master."""

    def change(master):
        cell = cell_of(master, grade_id)
        assert old in cell.source
        cell.source = cell.source.replace(old, new)

    return change


def about(name, **fields):
    """Return a change of the nbgrader metadata of a cell of the master."""
    return lambda master: cell_of(master, name).metadata.nbgrader.update(fields)


FORMS = {
    "The id data stands on several cells": about("intro", grade_id="data"),
    "Cell 1 has no nbgrader id": lambda master: master.cells[0].metadata.clear(),
    "(q1-gram-test) is marked but has no points": about("q1-gram-test", points=0),
    "(q1-gram-test) must be locked": about("q1-gram-test", locked=False),
    "(q1-gram) must be open": about("q1-gram", locked=True),
    "(q1-gram) must hold a whole region SOLUTION": spoil("q1-gram", "SOLUTION", "SOLUTON"),
    "(q1-gram-test) must hold a whole region HIDDEN TESTS": spoil(
        "q1-gram-test", "### BEGIN HIDDEN TESTS\n", ""
    ),
    "(q2) must hold a whole region SOLUTION": spoil("q2", "### END SOLUTION", ""),
    "must hold a whole region SOLUTION": lambda master: cell_of(master, "q2").update(
        source="Done."
    ),
    "must hold a whole region HIDDEN TESTS": lambda master: cell_of(master, "q1-gram-test").update(
        source="assert True"
    ),
    "must hold no region SOLUTION": spoil(
        "intro", "Two", "### BEGIN SOLUTION\n\n### END SOLUTION\nTwo"
    ),
    "hands in no answer": spoil("q1-gram-test", "answer(", "print("),
    "has no rubric": spoil("q2", "**Marks.**", "Marks:"),
    "holds a MyST directive": spoil("intro", "Two", ":::{note}\nTwo\n:::\nTwo"),
    "holds a MyST role": spoil("intro", "Two", "{index}`Two`"),
    "holds a MyST label": spoil("intro", "# A", "(here)=\n# A"),
    "waits for its author": spoil("intro", "Two", "FILL IN: two"),
    "The first code cell lacks data = np.load": spoil("data", "data.npz", "other.npz"),
    "name the set '1-other'": lambda master: master.metadata.coursework.update(set="1-other"),
    "lack the minutes": lambda master: master.metadata.coursework.pop("minutes"),
}


@pytest.mark.parametrize("words", FORMS)
def test_a_fault_of_form_is_named(words):
    master = small.master()
    FORMS[words](master)
    assert any(words in fault for fault in form_faults(small.NAME, master))


def test_a_right_form_has_no_fault():
    assert form_faults(small.NAME, small.master()) == []


REFERENCES = {
    "q1-gram-test gives 0% to the master": ("-h @ squares @ h / 2", "h @ squares"),
    "q1-gram-test gives 50% to the master": ("right, wrong = -h", "wrong, right = -h"),
    "q1-gram-test has no verdict": ('"q1-gram-test": compare', '"q1-test": compare'),
    "There is a verdict on q1-test, no test": (
        '"q1-gram-test": compare',
        '"q1-test": compare',
    ),
}


@pytest.mark.parametrize("words", REFERENCES)
def test_a_wrong_verdict_stops_the_release(tmp_path, words):
    old, new = REFERENCES[words]
    assert old in small.REFERENCE
    set_ = small.written(tmp_path, reference=small.REFERENCE.replace(old, new))
    with pytest.raises(SetError) as failure:
        release(set_, 0, tmp_path / "out")
    assert words in str(failure.value)


def test_an_error_of_the_reference_stops_the_release_where_it_stands(tmp_path):
    reference = small.REFERENCE.replace('hidden(seed)["distances"]', 'hidden(seed)["D"]')
    set_ = small.written(tmp_path, reference=reference)
    with pytest.raises(KeyError, match="D") as failure:
        release(set_, 0, tmp_path / "out")
    assert str(failure.traceback[-1].path).endswith("reference.py")
    assert not (tmp_path / "out").exists()


def test_a_master_that_stops_or_is_wrong_is_not_released(tmp_path):
    for old, new, words in (
        (") / 2", ") / 3", "q1-gram-test gives 0% to the master: The values are not"),
        ("return inner", "return inner[1:]", "stops with AssertionError: One row a point."),
    ):
        master = small.master()
        spoil("q1-gram", old, new)(master)
        set_ = small.written(tmp_path / new[-2], master)
        with pytest.raises(SetError) as failure:
            release(set_, 0, tmp_path / "out")
        assert words in str(failure.value)


def test_an_untouched_release_with_points_is_refused(tmp_path, monkeypatch):
    """A comparison that always says right must not get past the release."""
    monkeypatch.setattr(checks, "compare", lambda *_, **__: checks.Verdict(1.0))
    set_ = small.written(tmp_path)
    with pytest.raises(SetError, match="gives 100% to the release"):
        release(set_, 0, tmp_path / "out")
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("table(seed, 6)", "table(5, 6)", "data(seed) is the same for two seeds"),
        ("table(seed, 6)", "table(None, 6)", "data(seed) differs from call to call"),
        ("table(seed + 10**6, 8)", "table(None, 8)", "hidden(seed) differs from call to call"),
    ],
)
def test_data_must_repeat_and_vary(tmp_path, old, new, words):
    set_ = small.written(tmp_path, reference=small.REFERENCE.replace(old, new))
    assert any(words in fault for fault in data_faults(set_, 0))


def test_data_are_plain_arrays(tmp_path):
    reference = small.REFERENCE.replace("table(seed, 6)", "np.array([None])")
    set_ = small.written(tmp_path, reference=reference)
    with pytest.raises(ValueError, match="Object arrays cannot be saved"):
        release(set_, 0, tmp_path / "out")


def test_a_set_is_found_by_its_name(right, tmp_path, capsys):
    folder = right.path.parent
    assert set_names(folder) == [small.NAME]
    assert load_set(small.NAME, folder) == right
    assert main(["release", "1-other", "--sets", str(folder)]) == 2
    assert f"Sets there: {small.NAME}" in capsys.readouterr().err
    (folder / small.NAME / f"{small.NAME}.ipynb").write_text("{", "utf-8")
    with pytest.raises(SetError, match="cannot be read as a notebook"):
        right.master()


def test_a_reference_must_be_whole(tmp_path):
    with pytest.raises(SetError, match=r"does not define hidden, verdicts"):
        _ = small.written(tmp_path, reference="def data(seed):\n    return {}\n").reference
    (tmp_path / small.NAME / "reference.py").unlink()
    with pytest.raises(SetError, match=r"has no .*reference\.py"):
        _ = load_set(small.NAME, tmp_path).reference


def test_the_command_line_says_what_there_is(tmp_path, capsys):
    for arguments, code in ((["--help"], 0), (["forget"], 2), ([], 2)):
        with pytest.raises(SystemExit) as ended:
            main(arguments)
        assert ended.value.code == code
        told = capsys.readouterr()
        assert "release" in told.out + told.err
    assert main(["course", str(tmp_path), "--seed", "-1"]) == 2
    assert "The seed -1 is below 0" in capsys.readouterr().err
