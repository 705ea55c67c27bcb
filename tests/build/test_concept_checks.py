"""Every chapter asks two to four questions, and says of each answer why it is right or wrong."""

import re

import nbformat
import pytest

from tests.build.test_project import CHAPTERS

QUESTION = re.compile(r":::\{concept-check\} (.+?)\n(.+?)\n:::", re.DOTALL)
CHOICE = re.compile(r"^- \[(.)\] (.+?)\n\n((?:  .+\n?)+)", re.MULTILINE)


def questions(path):
    """Return question and choices (mark, words, reason) of each check of a chapter."""
    cells = nbformat.read(path, as_version=4).cells
    text = "\n\n".join(cell.source for cell in cells if cell.cell_type == "markdown")
    return [(question, CHOICE.findall(body + "\n")) for question, body in QUESTION.findall(text)]


@pytest.mark.parametrize(
    "path", [path for path in CHAPTERS if path.stem[:2].isdigit()], ids=lambda path: path.stem
)
def test_chapter_asks_and_explains(path):
    asked = questions(path)
    assert 2 <= len(asked) <= 4
    for question, choices in asked:
        assert len(choices) == 3, question
        assert [mark for mark, *_ in choices].count("x") == 1, question
        reasons = [reason.split() for *_, reason in choices]
        assert min(map(len, reasons)) >= 10, question
        assert len({" ".join(reason) for reason in reasons}) == 3, question


def test_the_right_answer_has_no_usual_place():
    places = [
        [mark for mark, *_ in choices].index("x")
        for path in CHAPTERS
        for _, choices in questions(path)
    ]
    assert max(places.count(place) for place in range(3)) < 0.5 * len(places)
