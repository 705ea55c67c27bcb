"""Drafts of problem sets from exercises of the book."""

import ast
import re

import nbformat
import pytest
from nbformat.v4 import new_markdown_cell, new_notebook

from coursework.__main__ import main
from coursework.new import CHAPTERS, create_set, draft_master, read_exercises
from coursework.sets import SetError, load_set
from coursework.validate_master import PLACEHOLDER, master_errors

NAME = "9-draft"
BOOK = read_exercises()


def test_all_exercises_of_the_book_are_read():
    source = "".join(path.read_text("utf-8") for path in CHAPTERS.glob("*.ipynb"))
    assert len(BOOK) == len(re.findall(r"\{exercise(?:-start)?\} ", source)) > 50
    assert [label for label, each in BOOK.items() if not (each.statement and each.solution)] == []


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("(Proof, ★★)", "(Proof)", "the exercise 'One (Proof)' must begin"),
        (":label: ex-1-one\n", "", "the exercise 'One (Proof, ★★)' must begin"),
        ("{solution} ex-1-one", "{solution} ex-1-won", "the solution of 'ex-1-won' follows no"),
    ],
)
def test_malformed_exercise_is_named(tmp_path, old, new, message):
    text = ":::{exercise} One (Proof, ★★)\n:label: ex-1-one\nProve it.\n:::\n\n"
    text += ":::{solution} ex-1-one\nIt holds.\n:::"
    notebook = new_notebook(cells=[new_markdown_cell(text.replace(old, new))])
    nbformat.write(notebook, tmp_path / "01-one.ipynb")
    with pytest.raises(SetError, match=re.escape(f"01-one.ipynb: {message}")):
        read_exercises(tmp_path)


def test_draft_of_every_exercise_lacks_only_the_placeholders():
    master = draft_master(NAME, BOOK)
    nbformat.validate(master)
    expected = (PLACEHOLDER, "only the book resolves")
    errors = master_errors(NAME, master)
    assert [error for error in errors if not any(words in error for words in expected)] == []
    text = "\n".join(cell.source for cell in master.cells)
    for cell in master.cells:
        if cell.cell_type == "code":
            ast.parse(cell.source)
    for label, each in BOOK.items():
        assert all(cell.strip() in text for _, cell in each.statement + each.solution), label


def test_draft_is_written_once_and_cannot_be_released(tmp_path, capsys):
    labels = list(BOOK)[:3]
    arguments = ["new", NAME, "--from", ",".join(labels), "--sets", str(tmp_path)]
    assert main(arguments) == 0
    titles = [cell.source.splitlines()[0] for cell in load_set(NAME, tmp_path).master().cells]
    assert {f"## {i}. {BOOK[label].title}" for i, label in enumerate(labels, 1)} <= {*titles}
    assert main(["release", NAME, "--sets", str(tmp_path), "--out", str(tmp_path)]) == 2
    assert PLACEHOLDER in capsys.readouterr().err
    assert main(arguments) == 2


@pytest.mark.parametrize(
    ("name", "label", "message"),
    [(NAME, "ex-0-none", "no exercise 'ex-0-none'"), ("../9", next(iter(BOOK)), "name of a set")],
)
def test_draft_with_wrong_name_or_label_writes_nothing(tmp_path, name, label, message):
    with pytest.raises(SetError, match=re.escape(message)):
        create_set(name, [label], tmp_path)
    assert not list(tmp_path.iterdir())
