"""The page that reads Williams (2000) along names all its parts, and leads somewhere."""

import re

import pytest

import kmds_lib
from tests.build.test_coverage import CHAPTERS, labels

PAGE = (CHAPTERS / "williams.md").read_text("utf-8")
ROWS = [
    tuple(cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1])
    for line in PAGE.splitlines()
    if line.startswith("| ") and "| Here |" not in line
]
EVERYTHING = [
    "Theorem 1:",
    *(f"Equation ({number}):" for number in range(1, 6)),
    *(f"Footnote {number}:" for number in range(1, 6)),
    "Remark 1:",
    "Remark 2, first half:",
    "Remark 2, second half:",
    "Remark 3:",
    "Figure 1:",
]
TOPICS = [
    "Sammon: ",
    "Nonmetric MDS",
    "regression on the",
    "The Shepard diagram",
    "Polynomial $f$",
    "Critchley: ",
]
LINK = re.compile(r"\{(?:prf:ref|numref|ref|eq)\}`([\w-]+)`")
VERDICT = re.compile(r"\*(Reproduced|Sharper|Differs)\.?\*")
CODE = re.compile(r"(?<!\})`([A-Za-z]\w+)(?:\(.*?\))?`")


def test_rows_have_two_cells():
    assert len(ROWS) > 50
    assert {len(row) for row in ROWS} == {2}


@pytest.mark.parametrize("part", EVERYTHING)
def test_part_of_the_paper_is_here(part):
    assert sum(row[0].startswith(part) for row in ROWS) in (
        (1, 2) if part == "Remark 3:" else (1,)
    )


@pytest.mark.parametrize("topic", TOPICS)
def test_topic_is_here(topic):
    assert any(topic in row[0] for row in ROWS)


@pytest.mark.parametrize(
    "section", ["1", "2.1", "2.1.1", "2.2", "2.3", "3", "4.1", "4.2", "5", "6"]
)
def test_section_has_rows(section):
    heading = rf"^##+ (Section )?{re.escape(section)}[: ]"
    after = re.split(heading, PAGE, maxsplit=1, flags=re.MULTILINE)[-1]
    assert re.search(heading, PAGE, re.MULTILINE)
    assert "| Williams | Here |" in re.split(r"^#", after, maxsplit=1, flags=re.MULTILINE)[0]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[0][:40])
def test_row_has_a_verdict_and_a_link_that_exists(row):
    here = row[1]
    assert VERDICT.search(here)
    named = LINK.findall(here)
    assert named or CODE.search(here)
    assert set(named) <= labels()


def test_functions_exist():
    named = {name for row in ROWS for name in CODE.findall(row[1])}
    assert len(named) > 10
    assert [name for name in sorted(named) if not hasattr(kmds_lib, name)] == []
