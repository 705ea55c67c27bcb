"""The laboratory reads what people paste, and its samples are what they say."""

import json
import re
from pathlib import Path

import numpy as np
import pytest

from kmds_lib import distances, load_eurodist
from kmds_lib.explorers import laboratory
from tests.lib.test_explorers import run_node

ROOT = Path(__file__).resolve().parents[2]
R_DIST = """\
       Athens Barcelona Brussels
Barcelona 3313
Brussels 2963 1318
Hook of Holland 3030 1490 172
"""
R_BLOCKS = """\
       Athens Barcelona
Barcelona 3313
Brussels 2963 1318
Hook of Holland 3030 1490
   Brussels
Barcelona
Brussels
Hook of Holland 172
"""
ROADS = [[0, 3313, 2963, 3030], [3313, 0, 1318, 1490], [2963, 1318, 0, 172], [3030, 1490, 172, 0]]
CITIES = ["Athens", "Barcelona", "Brussels", "Hook of Holland"]
HALF = [[0, 0.5, 0.7], [0.5, 0, 0.8], [0.7, 0.8, 0]]
SQUARES = [
    (R_DIST, ROADS, CITIES),
    (R_BLOCKS, ROADS, CITIES),
    ("    1   2\n2 0.5\n3 0.7 0.8\n", HALF, ["1", "2", "3"]),
    ("  434 445\n445 0.5\n465 0.7 0.8\n", HALF, ["434", "445", "465"]),
    ("0\n.5 0\n.7 .8 0", HALF, None),
    (".5\n.7 .8", HALF, None),
    ("a,,,\nb,.5,,\nc,.7,.8,", HALF, ["a", "b", "c"]),
    (",a,b,c\na,,.5,.7\nb,,,.8\nc,,,", HALF, ["a", "b", "c"]),
    ("a,b,c\n0,.5,.7\n.5,0,.8\n.7,.8,0", HALF, ["a", "b", "c"]),
    ("x;a;b;c\na;0;0,5;0,7\nb;0,5;0;0,8\nc;0,7;0,8;0", HALF, ["a", "b", "c"]),
    ("0 0,5 0,7\n0,5 0 0,8\n0,7 0,8 0", HALF, None),
    ('"a b"\t0\t.5\t.7\r\n"c"\t.5\t0\t.8\r\n"d, e"\t.7\t.8\t0\r\n', HALF, ["a b", "c", "d, e"]),
    (",1990,2000,2010\n1990,0,.5,.7\n2000,.5,0,.8\n2010,.7,.8,0", HALF, ["1990", "2000", "2010"]),
    ("\ufeff# km\n0,.5,.7\n\n.5,0,.8\n.7,.8,0\n", HALF, None),
]


def read(tmp_path, texts, **options):
    """Return what the laboratory makes of texts."""
    script = (
        f"const [texts, options] = {json.dumps([texts, options])};\n"
        "console.log(JSON.stringify(texts.map((text) => m.readTable(text, options))))"
    )
    return run_node(tmp_path, laboratory(), script)


def test_square_tables_are_read_in_every_form(tmp_path):
    found = read(tmp_path, [text for text, _, _ in SQUARES])
    for (text, table, names), reading in zip(SQUARES, found, strict=True):
        assert reading["wrong"] is None, text
        assert reading["kind"] == "dissimilarities", text
        np.testing.assert_array_equal(reading["table"], table, err_msg=text)
        assert reading["names"] == names, text


def test_points_have_names_colours_and_columns(tmp_path):
    iris = "n,length,width,species\na,5.1,3.5,x\nb,4.9,3,x\nc,6,2,y\nd,6,2,y\ne,6,2,y"
    bare = "1 2\n2 3\n4 5\n"
    named = "Ada Lovelace 1 2 3\nBo 2 3 4\n"
    found = read(tmp_path, [iris, bare, named, "x\n1\n2\n4"])
    assert [reading["kind"] for reading in found] == ["points"] * 4
    assert found[0]["columns"] == ["length", "width"]
    assert found[0]["names"] == list("abcde")
    assert found[0]["groups"] == list("xxyyy")
    assert found[0]["said"] == (
        "5 points, 2 columns of numbers (length, width), coloured by species (2 kinds)."
    )
    assert found[1]["table"] == [[1, 2], [2, 3], [4, 5]]
    assert found[2]["names"] == ["Ada Lovelace", "Bo"]
    assert found[3]["table"] == [[1], [2], [4]]


def test_similarities_are_known_by_their_diagonal_or_by_word(tmp_path):
    assert read(tmp_path, ["1\n.2 1\n.3 .3 1"])[0]["kind"] == "gram"
    found = read(tmp_path, ["9 8\n8 9"], **{"as": "gram"})[0]
    assert found["kind"] == "gram"


FAULTS = [
    ("a,b,c\n0,1,2\n1,0,4\n2,3,0", "D is not symmetric: D[b, c] = 4 but D[c, b] = 3.", [1, 2]),
    ("0,\u22121,2\n\u22121,0,3\n2,3,0", "D[0, 1] = -1 is negative", [0, 1]),
    ("0,1,2\n1,0,NA\n2,3,0", "D[1, 2] is nan (1 such entries in all)", [1, 2]),
    ("0,1,2\n1,5,4\n2,4,0", "D[1, 1] = 5, but an object is at distance 0 from itself", [1, 1]),
    ("0,1,2,4\n1,0,4,4\n2,4,0,5", "D has shape (3, 4); a square matrix", None),
    ("x,y\n1,2\n3,\n4,5", "X[1, y] is nan; every entry must be a finite number", [1, 1]),
    ("1e400 2\n3 4\n5 6", "X[0, 0] is inf", [0, 0]),
    ("<table><tr><td>0</td></tr></table>", "This is HTML", None),
    ("=A1,=B1\n=A2,=B2", "formulas: paste their values", None),
    ("some words\nand more", "words alone", None),
    (" \n ", "Nothing is there to read", None),
    ("1," * 10_000 + "1\n" + "2," * 10_000 + "1", "10001 columns of numbers", None),
    ("1 2\n" * 501, "501 rows; the laboratory takes up to 500", None),
]


def test_what_is_wrong_is_said_as_the_library_says_it(tmp_path):
    found = read(tmp_path, [text for text, _, _ in FAULTS])
    for (text, words, entry), reading in zip(FAULTS, found, strict=True):
        assert words in reading["wrong"]["sentence"], text[:80]
        assert reading["wrong"]["entry"] == entry, text[:80]


def test_samples_are_what_they_say(tmp_path):
    offered = {sample["name"]: sample for sample in laboratory().samples}
    found = read(tmp_path, [sample["text"] for sample in offered.values()])
    read_as = dict(zip(offered, found, strict=True))
    assert all(reading["wrong"] is None for reading in found)
    roads = load_eurodist()
    np.testing.assert_array_equal(read_as["roads"]["table"], roads.distances)
    assert tuple(read_as["roads"]["names"]) == roads.labels
    assert read_as["dinner"]["kind"] == "gram"
    colours = np.array(read_as["colours"]["table"])
    assert read_as["colours"]["names"][::13] == ["434nm", "674nm"]
    assert colours[0, 1] == 0.14
    assert colours[12, 13] == 0.24
    page = (ROOT / "chapters" / "09-stress.ipynb").read_text("utf-8")
    hundredths = re.search(r'HUNDREDTHS = \\"\\"\\"(.*?)\\"\\"\\"', page, re.DOTALL)[1]
    printed = [int(number) for number in re.findall(r"\b\d+\b", hundredths)]
    np.testing.assert_allclose(colours[np.tril_indices(14, -1)], 1 - np.array(printed) / 100)
    assert np.shape(read_as["irises"]["table"]) == (150, 4)
    assert len(set(read_as["irises"]["groups"])) == 3
    assert np.shape(read_as["digits"]["table"]) == (200, 64)
    assert distances(read_as["digits"]["table"]).max() > 0


def test_laboratory_refuses_other_samples():
    with pytest.raises(ValueError, match="sample='moons' is unknown; choose one of roads"):
        laboratory("moons")
