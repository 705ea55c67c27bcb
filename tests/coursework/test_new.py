"""A master begun from exercises of the book is right in form, and becomes a set when filled in."""

import ast
import re

import nbformat
import pytest
from nbformat.v4 import new_markdown_cell, new_notebook

from coursework.__main__ import main
from coursework.new import CHAPTERS, create_set, draft_master, read_exercises
from coursework.release import release
from coursework.sets import SetError, load_set
from coursework.validate_master import PLACEHOLDER, master_errors
from tests.coursework import example_set
from tests.coursework.example_set import cell_of

BOOK = read_exercises()


def test_the_book_is_read_whole():
    npz_bytes = "".join(path.read_text("utf-8") for path in CHAPTERS.glob("*.ipynb"))
    heads = re.findall(r"\{exercise(?:-start)?\} ", npz_bytes)
    assert len(BOOK) == len(heads) > 100
    assert [label for label, each in BOOK.items() if not (each.statement and each.solution)] == []


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
        read_exercises(tmp_path)


def test_any_exercise_begins_a_master():
    """Nothing is left to repair but what a person has to write."""
    master = draft_master("9-example", BOOK)
    nbformat.validate(master)
    faults = master_errors("9-example", master)
    known = (f"waits for its author: {PLACEHOLDER}", "which only the book resolves")
    assert [fault for fault in faults if not any(words in fault for words in known)] == []
    for cell in master.cells:
        if cell.cell_type == "code":
            ast.parse(cell.source)
    carried = {line for cell in master.cells for line in cell.source.splitlines()}
    for label, each in BOOK.items():
        lines = {line for _, text in each.statement + each.solution for line in text.splitlines()}
        assert lines <= carried, label


@pytest.mark.slow
def test_several_exercises_of_several_chapters(tmp_path, capsys):
    labels = "ex-4-constants,ex-5-own,ex-2-weyl,ex-11-open"
    arguments = ["new", "9-example", "--from", labels, "--sets", str(tmp_path)]
    assert main(arguments) == 0
    assert "begun with 4 exercises" in capsys.readouterr().out
    set_ = load_set("9-example", tmp_path)
    titles = [cell.source.splitlines()[0] for cell in set_.master().cells]
    for number, label in enumerate(labels.split(","), 1):
        assert f"## {number}. {BOOK[label].title}" in titles
    with pytest.raises(NotImplementedError, match=PLACEHOLDER):
        set_.reference.data(0)
    assert main(["release", "9-example", "--sets", str(tmp_path), "--out", str(tmp_path)]) == 2
    said = capsys.readouterr().err
    assert f"waits for its author: {PLACEHOLDER}" in said
    assert "holds a MyST role" in said
    assert main(arguments) == 2
    assert "there already" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("name", "label", "words"),
    [
        ("9-example", "ex-4-constant", "ex-4-constants"),
        ("../9", "ex-4-root", "is no name of a set"),
    ],
)
def test_what_cannot_be_begun_is_said(tmp_path, name, label, words):
    with pytest.raises(SetError, match=re.escape(words)):
        create_set(name, [label], tmp_path)
    assert not list(tmp_path.iterdir())


@pytest.mark.slow
def test_what_is_filled_in_can_be_released(tmp_path):
    """All places that say FILL IN are all that is missing."""
    path = create_set("9-example", ["ex-4-constants", "ex-5-oracle"], tmp_path)
    master = load_set("9-example", tmp_path).master()
    cell_of(master, "introduction").source = "# A example_set\n\nWhat does a repair cost?"
    reference = example_set.REFERENCE
    for ours, theirs in (("q1-constants", "q1-gram"), ("q2-oracle", "q2-points")):
        for end in ("", "-test"):
            cell_of(master, ours + end).source = cell_of(example_set.master(), theirs + end).source
        words = cell_of(master, f"{ours}-words")
        words.source = re.sub(f"{PLACEHOLDER}:.*", "Two points for each part.", words.source)
        reference = reference.replace(f'"{theirs}-test"', f'"{ours}-test"')
    nbformat.write(master, path / "9-example.ipynb")
    (path / "reference.py").write_text(reference, "utf-8")
    folder = release(load_set("9-example", tmp_path), 5, tmp_path / "out")
    assert (folder / "data.npz").is_file()
