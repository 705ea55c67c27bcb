"""A master begun from exercises of the book is right in form, and becomes a set when filled in."""

import ast
import re

import nbformat
import pytest
from nbformat.v4 import new_markdown_cell, new_notebook

from coursework.__main__ import main
from coursework.exercises import CHAPTERS, Book
from coursework.form import DIRECTIVES, FILL_IN, form_faults
from coursework.new import GIVEN, _unbound, begin, begun
from coursework.release import release
from coursework.sets import SetError, load_set
from tests.coursework.trial import cell_of

BOOK = Book()
FORMULA = re.compile(r"\$[^$]+\$")


def test_the_book_is_read_whole():
    stored = "".join(path.read_text("utf-8") for path in CHAPTERS.glob("*.ipynb"))
    heads = re.findall(r"\{exercise(?:-start)?\} ", stored)
    assert len(BOOK.exercises) == len(heads) > 100
    for label, exercise in BOOK.exercises.items():
        assert exercise.label == label
        assert exercise.statement, label
        assert exercise.solution, label
        assert exercise.stars in (1, 2, 3)


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("(Proof, ★★)", "(Proof)", "the exercise 'One (Proof)' must begin with the two lines"),
        (":label: ex-1-one\n", "", "the exercise 'One (Proof, ★★)' must begin"),
        ("{solution} ex-1-one", "{solution} ex-1-won", "the solution of 'ex-1-won' follows no"),
    ],
)
def test_a_form_that_cannot_be_read_is_named(tmp_path, old, new, says):
    text = ":::{exercise} One (Proof, ★★)\n:label: ex-1-one\nProve it.\n:::\n\n"
    text += ":::{solution} ex-1-one\nIt holds.\n:::"
    notebook = new_notebook(cells=[new_markdown_cell(text.replace(old, new))])
    nbformat.write(notebook, tmp_path / "01-one.ipynb")
    with pytest.raises(SetError, match=re.escape(f"01-one.ipynb: {says}")):
        _ = Book(tmp_path).exercises


@pytest.mark.slow
@pytest.mark.parametrize("label", BOOK.exercises)
def test_any_exercise_begins_a_master(label):
    """Nothing is left to repair but what a person has to write."""
    master = begun("9-trial", [BOOK.exercise(label)])
    nbformat.validate(master)
    faults = form_faults("9-trial", master)
    assert faults
    unwritten = [fault for fault in faults if f"waits for its author: {FILL_IN}" in fault]
    assert unwritten == faults
    for cell in master.cells:
        if cell.cell_type == "code":
            ast.parse(cell.source)
        assert not any(pattern.search(cell.source) for pattern in DIRECTIVES.values())


def test_no_argument_of_a_skeleton_hides_what_its_code_uses():
    for exercise in BOOK.exercises.values():
        code = "\n".join(text for kind, text in exercise.solution if kind == "code")
        assert GIVEN not in _unbound(code), exercise.label


@pytest.mark.parametrize("label", ["ex-1-ellipse", "ex-4-root", "ex-7-leaveout", "ex-12-cdf"])
def test_every_word_and_formula_is_carried_over(label):
    exercise = BOOK.exercise(label)
    master = begun("9-trial", [exercise])
    carried = "\n".join(cell.source for cell in master.cells)
    raw = "\n".join(cell.source for cell in exercise.chapter.cells)
    body = raw[raw.index(f":label: {label}\n") :]
    statement = body[: re.search(r"^:::(?:\{exercise-end\})?$", body[60:], re.MULTILINE).end()]
    formulas = FORMULA.findall(statement)
    assert formulas
    assert all(formula in carried for formula in formulas)
    for _, text in [*exercise.statement, *exercise.solution]:
        assert all(line.strip() in carried for line in text.splitlines())


def test_roles_become_words():
    said = BOOK.plain(
        "{prf:ref}`thm-strain`; {ref}`ch-gram`; {ref}`so <ch-gram>`; {eq}`eq-ellipse`; "
        "{index}`roots <square root>`; {term}`kernel`; {ref}`ex-2-weyl`; [here](#ch-kmds); "
        "{cite:t}`gower1966`; {numref}`fig-fold`; {eq}`eq-mmd-u`"
    ).split("; ")
    assert said[0] == "The theorem “Classical scaling minimises strain” of Chapter 4"
    assert said[1:3] == ["Chapter 3", "so"]
    assert re.fullmatch(r"the formula \$.* = 4\$ of Chapter 1", said[3])
    assert said[4:6] == ["roots", "kernel"]
    assert said[6] == "the exercise “The nearest PSD matrix, a second way” of Chapter 2"
    assert said[7] == "here"
    # What has no short name waits for its author, and a release is refused until then.
    waiting = ("gower1966", "fig-fold", "eq-mmd-u")
    assert said[8:] == [f"({FILL_IN}: {target} in words)" for target in waiting]


@pytest.mark.slow
def test_several_exercises_of_several_chapters(tmp_path, capsys):
    labels = "ex-4-constants,ex-5-own,ex-2-weyl,ex-11-open"
    arguments = ["new", "9-trial", "--from", labels, "--sets", str(tmp_path)]
    assert main(arguments) == 0
    assert "begun with 4 exercises" in capsys.readouterr().out
    set_ = load_set("9-trial", tmp_path)
    titles = [cell.source.splitlines()[0] for cell in set_.master().cells]
    for number, label in enumerate(labels.split(","), 1):
        assert f"## {number}. {BOOK.exercise(label).title}" in titles
    with pytest.raises(NotImplementedError, match=FILL_IN):
        set_.reference.data(0)
    assert main(["release", "9-trial", "--sets", str(tmp_path), "--out", str(tmp_path)]) == 2
    assert f"waits for its author: {FILL_IN}" in capsys.readouterr().err
    assert main(arguments) == 2
    assert "there already" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("name", "labels", "words"),
    [
        ("9-trial", ["ex-4-constant"], "Those of its chapter: ex-4-wrong-entry"),
        ("9-trial", ["constants"], "Labels begin with ex-"),
        ("9-trial", ["ex-4-root", "ex-4-root"], "named twice: ex-4-root"),
        ("../9", ["ex-4-root"], "is no name of a set"),
    ],
)
def test_what_cannot_be_begun_is_said(tmp_path, name, labels, words):
    with pytest.raises(SetError, match=re.escape(words)):
        begin(name, labels, tmp_path)
    assert not list(tmp_path.iterdir())


FILLED = '''"""Right answers."""

import numpy as np

from coursework.checks import compare


def table(seed):
    points = np.random.default_rng(seed).normal(size=(7, 2))
    return np.abs(points[:, None] - points).sum(-1) ** 2


def data(seed):
    return {"distances": table(seed)}


def hidden(seed):
    return {"given": table([seed, 1])}


def verdicts(seed, answers):
    h = np.eye(7) - 1 / 7
    lowest = np.linalg.eigvalsh(-h @ hidden(seed)["given"] ** 2 @ h / 2)[0]
    return {"q1-constants-test": compare(answers["q1-constants"], max(-lowest, 0.0))}
'''
SOLVED = '''def constants(distances):
    """Return the constant of Lingoes for a symmetric table of shape (n, n)."""
    ### BEGIN SOLUTION
    H = np.eye(len(distances)) - 1 / len(distances)
    lowest = np.linalg.eigvalsh(-0.5 * H @ distances**2 @ H)[0]
    return max(-lowest, 0.0)
    ### END SOLUTION'''


@pytest.mark.slow
def test_what_is_filled_in_can_be_released(tmp_path):
    """All places that say FILL IN are all that is missing."""
    path = begin("9-trial", ["ex-4-constants"], tmp_path)
    set_ = load_set("9-trial", tmp_path)
    master = set_.master()
    cell_of(master, "introduction").source = "# A constant\n\nWhat does a repair cost?"
    cell_of(master, "q1-constants").source = SOLVED
    test = cell_of(master, "q1-constants-test")
    test.source = re.sub(f"# Covered: {FILL_IN}.*", "# Covered: the sign.", test.source)
    covers_not = '# Not covered: the size.\nassert constants(data["distances"]) >= 0'
    test.source = re.sub(f"# Not covered: {FILL_IN}.*", covers_not, test.source)
    test.source = test.source.replace(f"  # {FILL_IN}: the input", "")
    words = cell_of(master, "q1-constants-words")
    words.source = re.sub(f"{FILL_IN}:.*", "Two points for each part.", words.source)
    nbformat.write(master, path / "9-trial.ipynb")
    (path / "reference.py").write_text(FILLED, "utf-8")
    folder = release(load_set("9-trial", tmp_path), 5, tmp_path / "out")
    assert (folder / "data.npz").is_file()
