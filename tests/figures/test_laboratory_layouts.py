"""Tables in the dress of other programs are read; files and texts without one are named."""

import json

import numpy as np
import pytest

from kmds_figures.laboratory import laboratory
from kmds_lib import distances, load_eurodist
from tests.figures.test_explorers import run_node
from tests.figures.test_laboratory import read

NAMES = ["Ada", "Bo", "Cleo", "Dan"]
D = distances(np.random.default_rng(2).normal(size=(4, 2))).round(2)
MARKDOWN = "\n".join(
    [
        "| | **" + "** | **".join(NAMES) + "** |",
        "|:--|" + "--:|" * 4,
        *(f"| {n} | " + " | ".join(map(str, row)) + " |" for n, row in zip(NAMES, D, strict=True)),
    ]
)


def test_a_table_of_markdown_keeps_names_and_numbers(tmp_path):
    (found,) = read(tmp_path, [MARKDOWN])
    assert (found["wrong"], found["kind"]) == (None, "dissimilarities")
    assert found["names"] == NAMES
    np.testing.assert_array_equal(found["table"], D)


@pytest.mark.parametrize("write", [str, repr, lambda table: json.dumps(table.tolist())])
def test_what_numpy_prints_is_read(tmp_path, write):
    roads = load_eurodist().distances
    with np.printoptions(threshold=10_000):
        texts = [write(table) for table in (D, 1e7 * D, roads, roads.astype(int))]
    for table, found in zip((D, 1e7 * D, roads, roads), read(tmp_path, texts), strict=True):
        assert found["wrong"] is None
        np.testing.assert_allclose(found["table"], table, rtol=1e-7)


def test_a_print_with_numbers_left_out_is_refused(tmp_path):
    (found,) = read(tmp_path, [str(np.zeros((100, 100)))])
    assert "NumPy left numbers out" in found["wrong"]["sentence"]


PROSE = [
    "In 2019 we asked 40 people how alike the drinks are. They answered from 1 to 9.",
    "Dear colleague,\nthe table will follow tomorrow, with all the numbers. Best wishes, Ada.",
]
TABLES = [
    "Hook of Holland\nNew York .5\nRio de Janeiro .7 .8",
    "name,a,b,said\nu,1,2,It was fine. I liked it very much indeed and came again.\n"
    "v,3,1,No.\nw,5,5,Yes it is what I had hoped for.",
]


def test_prose_is_refused_as_such_and_tables_with_words_are_not(tmp_path):
    for text, found in zip(PROSE, read(tmp_path, PROSE), strict=True):
        assert "reads as prose" in found["wrong"]["sentence"], text
    for text, found in zip(TABLES, read(tmp_path, TABLES), strict=True):
        assert found["wrong"] is None, text


def test_files_of_spreadsheets_get_a_sentence_of_their_own(tmp_path):
    begins = [b"PK\x03\x04 xl/", b"\xd0\xcf\x11\xe0\xa1", b"%PDF-1.7", b"a,b\n1,2"]
    files = [list(mark) for mark in begins]
    script = f"""const files = {json.dumps(files)};
    console.log(JSON.stringify(files.map((bytes) => m.noText(Uint8Array.from(bytes)))))"""
    new, old, printed, plain = run_node(tmp_path, laboratory(), script)
    assert new == old
    assert "save the sheet with the table as CSV" in new
    assert "This is a PDF" in printed
    assert plain is None
