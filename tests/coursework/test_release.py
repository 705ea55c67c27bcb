"""A release holds no solution, is graded rightly at both ends, and says so when it is not."""

import re

import nbformat
import numpy as np
import pytest
from nbgrader.preprocessors import ClearHiddenTests, ClearOutput, ClearSolutions

from coursework import checks
from coursework.__main__ import main
from coursework.release import find_leaks, release, secret_lines
from coursework.sets import SetError, load_set, set_names
from coursework.student import student_version
from coursework.validate_master import master_errors
from tests.coursework import example_set
from tests.coursework.example_set import cell_of

pytestmark = pytest.mark.slow

SOLUTION = "squares = distances**2"


@pytest.fixture
def right(tmp_path):
    """Write a set as it should be."""
    return example_set.written(tmp_path / "sets")


def test_a_right_set_is_released(right, tmp_path, capsys):
    arguments = ["--sets", str(right.path.parent), "--out", str(tmp_path)]
    assert main(["release", right.name, *arguments]) == 0
    assert "the master has full marks" in capsys.readouterr().out
    folder = tmp_path / right.name
    assert sorted(path.name for path in folder.iterdir()) == [f"{right.name}.ipynb", "data.npz"]
    text = (folder / f"{right.name}.ipynb").read_text("utf-8")
    notebook = nbformat.reads(text, as_version=4)
    assert "raise NotImplementedError()" in cell_of(notebook, "q1-gram").source
    assert cell_of(notebook, "q4").source == "YOUR ANSWER HERE"
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
    assert any("Twoforthesum" in line for line in lines)
    assert len(lines) == 14
    assert find_leaks(right.master(), student_version(right)) == []


def adds(name, text):
    """Return a change: a text behind that of a cell."""
    return lambda notebook: cell_of(notebook, name).update(
        source=f"{cell_of(notebook, name).source}\n{text}"
    )


def sets(name, **fields):
    """Return a change of the fields of a cell."""
    return lambda notebook: cell_of(notebook, name).update(fields)


def printed(text):
    """Return the output of a cell that printed a text."""
    return [nbformat.v4.new_output("stream", text=text)]


LINE = "line squares=distances**2"
LEAKS = {
    "in a text": (adds("intro", SOLUTION), LINE),
    "broken over lines": (adds("intro", "squares  =\n    distances ** 2"), LINE),
    "in the metadata of a cell": (
        lambda notebook: cell_of(notebook, "imports").metadata.update(note=SOLUTION),
        LINE,
    ),
    "in the metadata": (lambda notebook: notebook.metadata.update(old={"1": [SOLUTION]}), LINE),
    "in an output": (sets("imports", outputs=printed(SOLUTION)), LINE),
    "any output": (sets("imports", outputs=printed("1")), "Cell 2 has an output"),
    "a count": (sets("imports", execution_count=3), "Cell 2 has an output or an execution count"),
    "a picture": (
        sets("q4", attachments={"a.png": {"image/png": "aGVsbG8="}}),
        "Cell 11 has a picture",
    ),
    "a marker": (adds("q1-gram", "### END SOLUTION"), "the marker '# END SOLUTION'"),
    "a misspelt marker": (
        adds("q1-gram-test", "### BEGIN HIDEN TESTS"),
        "the marker '# BEGIN HIDEN TESTS'",
    ),
    "a hidden line": (
        adds("q1-gram-test", 'answer("q1-gram", 3)'),
        'a hidden check: answer("q1-gram", 3)',
    ),
    "a hidden input": (
        adds("q1-gram-test", 'gram(hidden["distances"])'),
        "a hidden check: gram(hidden",
    ),
    "a rubric": (
        adds("q4", "**Marks.** Two for the sum, two for the reason."),
        "line **Marks.**Twofor",
    ),
}


@pytest.mark.parametrize(("plant", "words"), LEAKS.values(), ids=LEAKS)
def test_a_leak_is_seen(right, plant, words):
    released = student_version(right)
    plant(released)
    assert any(words in fault for fault in find_leaks(right.master(), released))


@pytest.mark.parametrize(
    ("broken", "words"),
    [
        (ClearSolutions, "It shows the line squares=distances**2"),
        (ClearHiddenTests, "It shows a hidden check"),
        (ClearOutput, "Cell 2 has an output"),
    ],
)
def test_a_converter_that_does_nothing_is_noticed(tmp_path, monkeypatch, broken, words):
    master = example_set.master()
    cell_of(master, "imports").outputs = printed("1")
    set_ = example_set.written(tmp_path / "sets", master)
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
    "The id imports stands on several cells": about("intro", grade_id="imports"),
    "Cell 1 has no nbgrader id": lambda master: master.cells[0].metadata.clear(),
    "(q1-gram-test) is marked but has no points": about("q1-gram-test", points=0),
    "(q1-gram-test) must be locked": about("q1-gram-test", locked=False),
    "(q1-gram) must be open": about("q1-gram", locked=True),
    "(q1-gram) must hold a whole region SOLUTION": spoil("q1-gram", "SOLUTION", "SOLUTON"),
    "(q1-gram-test) must hold a whole region HIDDEN TESTS": spoil(
        "q1-gram-test", "### BEGIN HIDDEN TESTS\n", ""
    ),
    "(q4) must hold a whole region SOLUTION": spoil("q4", "### END SOLUTION", ""),
    "must hold a whole region SOLUTION": sets("q4", source="Done."),
    "must hold a whole region HIDDEN TESTS": sets("q1-gram-test", source="assert True"),
    "must hold no region SOLUTION": spoil(
        "intro", "Four", "### BEGIN SOLUTION\n\n### END SOLUTION\nFour"
    ),
    "hands in no answer": spoil("q1-gram-test", "answer(", "print("),
    "has no rubric": spoil("q4", "**Marks.**", "Marks:"),
    "holds a MyST directive": spoil("intro", "Four", ":::{note}\nFour\n:::\nFour"),
    "holds a MyST role": spoil("intro", "Four", "{index}`Four`"),
    "holds a MyST label": spoil("intro", "# A", "(here)=\n# A"),
    "holds a link into the book": spoil("intro", "Four", "[Four](#ch-gram)"),
    "waits for its author": spoil("intro", "Four", "FILL IN: four"),
    "The first code cell lacks data = np.load": spoil("imports", "data.npz", "other.npz"),
    "name the set '1-other'": lambda master: master.metadata.coursework.update(set="1-other"),
    "lack the minutes": lambda master: master.metadata.coursework.pop("minutes"),
}


@pytest.mark.parametrize("words", FORMS)
def test_a_fault_of_form_is_named(words):
    master = example_set.master()
    FORMS[words](master)
    assert any(words in fault for fault in master_errors(example_set.NAME, master))


JUDGE = "return compare(answer, -centred(distances**2) / 2, mistakes=mistakes)"
TURNED = """return compare(
        answer, distances, mistakes={"centred-twice": -centred(distances**2) / 2}
    )"""
RENAMED = '"q1-gram-test": combine', '"q1-test": together'
CHANGES = {
    "q1-gram-test gives 0% to the master": (JUDGE, "return compare(answer, distances)"),
    "q1-gram-test gives 50% to the master": (JUDGE, TURNED),
    "q1-gram-test has no verdict": RENAMED,
    "There is a verdict on q1-test, no test": RENAMED,
    "stops with AssertionError: One row a point.": ("squares.mean()) / 2", "0)[1:] / 2"),
    "data(seed) is the same for two seeds": ("table(seed, 6)", "table(5, 6)"),
    "data(seed) differs from call to call": ("table(seed, 6)", "table(None, 6)"),
    "hidden(seed) differs from call to call": ("table(seed + 10**6, 8)", "table(None, 8)"),
    "Object arrays cannot be saved": ("table(seed, 6)", "np.array([None])"),
    "'D'": ('inputs["distances"]', 'inputs["D"]'),
}


@pytest.mark.parametrize("words", CHANGES)
def test_what_is_not_right_is_not_released(tmp_path, words):
    """A change of one line, of the master or of the reference."""
    old, new = CHANGES[words]
    master = example_set.master()
    for cell in master.cells:
        cell.source = cell.source.replace(old, new)
    reference = example_set.REFERENCE.replace(old, new)
    assert old in example_set.REFERENCE + example_set.GRAM
    set_ = example_set.written(tmp_path / "sets", master, reference)
    with pytest.raises((ValueError, KeyError), match=re.escape(words)):
        release(set_, 0, tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_an_untouched_release_with_points_is_refused(tmp_path, monkeypatch):
    """A comparison that always says right must not get past the release."""
    monkeypatch.setattr(checks, "compare", lambda *_, **__: checks.Verdict(1.0))
    set_ = example_set.written(tmp_path)
    with pytest.raises(SetError, match="gives 100% to the release"):
        release(set_, 0, tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_a_set_is_found_by_its_name(right, tmp_path, capsys):
    folder = right.path.parent
    assert set_names(folder) == [example_set.NAME]
    assert load_set(example_set.NAME, folder) == right
    assert main(["release", "1-other", "--sets", str(folder)]) == 2
    assert f"Sets there: {example_set.NAME}" in capsys.readouterr().err
    (folder / example_set.NAME / f"{example_set.NAME}.ipynb").write_text("{", "utf-8")
    with pytest.raises(SetError, match="cannot be read as a notebook"):
        right.master()


def test_a_reference_must_be_whole(tmp_path):
    with pytest.raises(SetError, match=r"does not define hidden, verdicts"):
        _ = example_set.written(tmp_path, reference="def data(seed):\n    return {}\n").reference
    (tmp_path / example_set.NAME / "reference.py").unlink()
    with pytest.raises(SetError, match=r"has no .*reference\.py"):
        _ = load_set(example_set.NAME, tmp_path).reference


def test_the_command_line_says_what_there_is(tmp_path, capsys):
    for arguments, code in ((["--help"], 0), (["forget"], 2), ([], 2)):
        with pytest.raises(SystemExit) as ended:
            main(arguments)
        assert ended.value.code == code
        told = capsys.readouterr()
        assert "release" in told.out + told.err
    assert main(["course", str(tmp_path), "--seed", "-1"]) == 2
    assert "The seed -1 is below 0" in capsys.readouterr().err
