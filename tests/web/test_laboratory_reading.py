"""The laboratory reads the tables that people paste."""

import gzip
import pickle
from itertools import product

import numpy as np
import pytest

from kmds_figures.laboratory import laboratory
from kmds_lib import distances, load_eurodist
from tests.web.laboratory_helpers import REJECTED, TABLES, csv_text, read, run_laboratory


@pytest.fixture(scope="module")
def found():
    """Return the first and the repaired table of each text."""
    readings = "given.map(({ text, press, metric }) => m.readAndCorrect(text, press, metric))"
    parsed = run_laboratory(readings, given=list(TABLES.values()))
    return dict(zip(TABLES, parsed, strict=True))


@pytest.mark.parametrize("name", TABLES)
def test_laboratory_reads_table(found, name):
    expected, first, last = TABLES[name], found[name]["first"], found[name]["last"]
    if "entry" in expected:
        assert first["fault"]["entry"] == expected["entry"]
    assert last["fault"] is None
    assert last["kind"] == expected.get("kind", "dissimilarities")
    assert (last["names"] or []) == expected.get("names", [])
    assert (last["groups"] or []) == expected.get("groups", [])
    np.testing.assert_allclose(last["table"], expected["numbers"], rtol=0, atol=1e-9)


def test_rejected_tables_are_explained():
    found = read([text for _, text in REJECTED.values()])
    for parsed, (message, text) in zip(found, REJECTED.values(), strict=True):
        assert message in parsed["fault"]["sentence"], text


def triangle(lower, diagonal, titled, place, end):
    """Return the tab-separated text of a triangle, as a spreadsheet copies it."""
    names, numbers = list("abcd"), [[0, 3, 4, 5], [3, 0, 5, 6], [4, 5, 0, 7], [5, 6, 7, 0]]
    rows = []
    for i, row in enumerate(numbers):
        cells = [str(x) if (j < i) == lower else "" for j, x in enumerate(row)]
        cells[i] = names[i] if place == "diagonal" else diagonal
        before, behind = ([names[i]] if place == each else [] for each in ("before", "behind"))
        rows.append([*before, *cells, *behind])
    before, behind = ([""] if place == each else [] for each in ("before", "behind"))
    above = [[*before, *names, *behind]] if titled else []
    lines = ["\t".join(row) for row in above + rows]
    return "\n".join(line.rstrip("\t") if end is None else line + end for line in lines)


def test_triangles_of_spreadsheets_are_read():
    places = ["before", "behind", "diagonal", "nowhere"]
    kinds = list(product([True, False], ["0", "", "-"], [True, False], places, [None, "", "\t"]))
    texts = [triangle(*kind) for kind in kinds]
    expected = TABLES["tabs"]["numbers"]
    for (*_, titled, place, _), parsed in zip(kinds, read(texts), strict=True):
        names = None if place == "nowhere" and not titled else list("abcd")
        found = [parsed[key] for key in ("kind", "table", "names")]
        assert found == ["dissimilarities", expected, names]


def test_too_many_rows_or_columns_are_rejected():
    wide = "1," * 10_000 + "1\n" + "2," * 10_000 + "1"
    columns, rows = (each["fault"]["sentence"] for each in read([wide, "1 2\n" * 2001]))
    assert "10001 columns of numbers" in columns
    assert "2001 objects; the laboratory takes up to 2000" in rows


def test_a_saved_table_is_read_again():
    texts = ["1 2\n3 4\n5 7", "x,y\n1,2\n3,4\n5,7", "1990 1 2\n1991 3 4", "0 3 4\n3 0 5\n4 5 0"]
    found = run_laboratory("texts.flatMap(m.readAgain)", texts=texts)
    for (table, parsed), first in zip(found, ["0", "1990"] * len(texts), strict=True):
        assert (parsed["table"], parsed["names"][0]) == (table, first)


def test_titles_of_columns_above_numbered_rows_are_no_question():
    (parsed,) = read(["height weight\n1 170 65\n2 180 80\n3 165 55"])
    assert (parsed["columns"], parsed["alternatives"]) == (["height", "weight"], [])


def test_last_column_of_names_and_maps_of_two_points():
    texts = ["a,b,c\n0,3,x\n3,0,4", "name,a,b\nx,0,3\ny,3,1\nz,9,1"]
    reports = run_laboratory("texts.map(m.reportOn)", texts=texts)
    (notes, head, report), (none, _, fraction) = reports
    assert notes == ["The names were read from \u201cc\u201d."]
    assert head == "The distance between two points is always exact."
    assert report == head.lower()
    assert none == []
    assert "explained fraction" in fraction


def test_encodings_of_files_are_recognised():
    texts = {
        "utf-8": "Z\u00fcrich;0;1",
        "utf-8-sig": "Z\u00fcrich;0;1",
        "utf-16": "Z\u00fcrich;0;1",
        "utf-16-be": "Z\u00fcrich;0;1",
        "windows-1252": "Z\u00fcrich;0;1\nGen\u00e8ve;1;0",
        "windows-1251": "\u041c\u043e\u0441\u043a\u0432\u0430;0;1\n\u041e\u043c\u0441\u043a;1;0",
        "shift_jis": "\u3042\u304a\u3082\u308a;0;1\n\u6771\u4eac;1;0",
        "gb18030": "\u5317\u4eac;0;1\n\u4e0a\u6d77;1;0",
    }
    files = [list(text.encode(encoding)) for encoding, text in texts.items()]
    found = run_laboratory("files.map((bytes) => m.textOf(Uint8Array.from(bytes)))", files=files)
    assert [each["text"].removeprefix("\ufeff") for each in found] == list(texts.values())
    for encoding, each in zip(texts, found, strict=True):
        named = encoding.replace("18030", " 18030") in each["note"].lower()
        assert named != encoding.startswith("utf")


def test_kinds_of_files_are_recognised():
    binary = {
        b"PK\x03\x04 xl/": "Excel",
        b"PK\x03\x04 table.csv": "zip",
        b"%PDF-1.7": "PDF",
        pickle.dumps(np.eye(3)): "pickle",
        gzip.compress(b"RDX3\n"): ".rds",
        b"\x89PNG\r\n": "PNG",
        "a,b".encode("utf-32"): "UTF-32",
        b"\x00\x00\x00\x18ftypheic": "zero bytes",
    }
    messages = "files.map((bytes) => m.binaryFileReason(Uint8Array.from(bytes)) ?? null)"
    texts = [b"a,b\n1,2", b"BMI,age\n21,30", b"RDX 1\nx 2"]
    found = run_laboratory(messages, files=list(map(list, [*binary, *texts])))
    rejected, plain = found[: len(binary)], found[len(binary) :]
    assert all(kind in message for kind, message in zip(binary.values(), rejected, strict=True))
    assert plain == [None] * len(texts)


def test_examples_of_layouts_are_read():
    readings = "m.EXAMPLES.map(([name, text]) => [name, m.readTable(text)])"
    found = dict(run_laboratory(readings))
    assert all(each["fault"] is None and not each["alternatives"] for each in found.values())
    matrices = [each["table"] for each in found.values() if each["kind"] == "dissimilarities"]
    assert len(matrices) == len(found) - 1
    np.testing.assert_array_equal(matrices, [[[0, 3, 4], [3, 0, 5], [4, 5, 0]]] * len(matrices))
    assert {tuple(each["names"] or []) for each in found.values()} == {("Ada", "Bo", "Cleo"), ()}


def test_distances_are_not_taken_for_similarities():
    rng = np.random.default_rng(11)
    matrices = [distances(rng.normal(size=(12, k))) for k in (1, 2, 5)]
    spread = rng.uniform(1, 2, (12, 12))
    matrices += [(spread + spread.T) * (1 - np.eye(12)), load_eurodist().distances]
    outlier = matrices[1].copy()
    outlier[0, 1] = outlier[1, 0] = 5 * outlier.max()
    texts = list(map(csv_text, [*matrices, outlier]))
    offers = "texts.map((text) => m.correctionsOf(m.readTable(text)))"
    assert run_laboratory(offers, texts=texts) == [[]] * len(texts)


def test_samples_are_read():
    samples = {sample["name"]: sample["text"] for sample in laboratory().samples}
    readings = dict(zip(samples, read(list(samples.values())), strict=True))
    assert all(parsed["fault"] is None for parsed in readings.values())
    roads = load_eurodist()
    np.testing.assert_array_equal(readings["roads"]["table"], roads.distances)
    assert tuple(readings["roads"]["names"]) == roads.labels
    shapes = {name: np.shape(parsed["table"]) for name, parsed in readings.items()}
    assert (shapes["irises"], shapes["digits"]) == ((150, 4), (200, 64))
    assert len(set(readings["irises"]["groups"])) == 3
