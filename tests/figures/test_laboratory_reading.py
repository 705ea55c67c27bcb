"""The laboratory reads the tables that people paste."""

import itertools
import json
import re
from pathlib import Path

import numpy as np
import pytest

from kmds_figures.laboratory import laboratory
from kmds_lib import distances, load_eurodist
from tests.figures.laboratory_helpers import TABLES, csv_text, named_csv, read, run_laboratory

ROOT = Path(__file__).resolve().parents[2]
READ_ALL = """given.map(({ text, press = [], metric = "euclidean", as = "auto" }) => {
  const offered = (reading) => [...m.repairsOf(reading), ...m.unfitRepairs(reading, metric)];
  const pressed = (reading, button) =>
    offered(reading).find(({ words }) => words === button).mend();
  const first = m.readTables(text, { as });
  return { first, last: press.reduce(pressed, first) };
})"""


@pytest.fixture(scope="module")
def found():
    """Return the first and the repaired reading of each text."""
    return dict(zip(TABLES, run_laboratory(READ_ALL, given=list(TABLES.values())), strict=True))


@pytest.mark.parametrize("name", TABLES)
def test_laboratory_reads_table(found, name):
    expected, first, last = TABLES[name], found[name]["first"], found[name]["last"]
    if "entry" in expected:
        assert first["wrong"]["entry"] == expected["entry"]
    if "rejected" in expected:
        assert expected["rejected"] in first["wrong"]["sentence"]
        return
    assert last["wrong"] is None
    assert last["kind"] == expected.get("kind", "dissimilarities")
    assert (last["names"] or []) == expected.get("names", [])
    assert (last["groups"] or []) == expected.get("groups", [])
    np.testing.assert_allclose(last["table"], expected["numbers"], rtol=0, atol=1e-9)


def test_too_many_rows_or_columns_are_rejected():
    wide = "1," * 10_000 + "1\n" + "2," * 10_000 + "1"
    columns, rows = (each["wrong"]["sentence"] for each in read([wide, "1 2\n" * 2001]))
    assert "10001 columns of numbers" in columns
    assert "2001 rows; the laboratory takes up to 2000" in rows


def test_a_part_of_too_many_rows_is_spread_evenly():
    text = "id,x,y\n" + "\n".join(f"p{i},{i},{i % 7}" for i in range(5001))
    offers = "m.repairsOf(m.readTable(text)).map(({ mend }) => mend())"
    (found,) = run_laboratory(offers, text=text)
    kept = [x for x, _ in found["table"]]
    assert len(kept) == 1999
    assert set(np.diff(kept)) == {2, 3}
    assert found["names"] == [f"p{i}" for i in kept]


def printed_by_r(D, names, width=80, first_row=1, whole=False):
    """Return a matrix as R prints `dist`, in blocks of columns that fit the width."""
    n = len(D)
    rows, columns = range(first_row, n), range(n if whole or not first_row else n - 1)

    def cell(i, j):
        return f"{D[i, j]:g}" if whole or j < i or (j == i and not first_row) else ""

    wide = [max(len(names[j]), *(len(cell(i, j)) for i in rows)) for j in columns]
    margin = max(len(names[i]) for i in rows)
    blocks, reach = [[]], margin
    for j in columns:
        if blocks[-1] and reach + 1 + wide[j] > width:
            blocks.append([])
            reach = margin
        blocks[-1].append(j)
        reach += 1 + wide[j]
    lines = []
    for block in blocks:
        lines.append(" " * margin + "".join(f" {names[j]:>{wide[j]}}" for j in block))
        for i in rows:
            cells = "".join(f" {cell(i, j):>{wide[j]}}" for j in block)
            lines.append(f"{names[i]:<{margin}}{cells}")
    return "\n".join(lines) + "\n"


def test_matrices_printed_by_r_are_read():
    roads, rng = load_eurodist(), np.random.default_rng(3)
    cars = ["Mazda RX4", "Mazda RX4 Wag", "Datsun 710", "Hornet 4 Drive", "Fiat 128"]
    few, many = (distances(rng.normal(size=(n, 3))).round(3) for n in (5, 30))
    cases = [
        (roads.distances, list(roads.labels)),
        (few, cars),
        (many, [str(i + 1) for i in range(30)]),
        (few[:2, :2], ["1", "2"]),
    ]
    shapes = [{}, {"first_row": 0}, {"first_row": 0, "whole": True}]
    printed = [
        (D, names, printed_by_r(D, names, width, **shape))
        for (D, names), width, shape in itertools.product(cases, [48, 1000], shapes)
    ]
    found = read([text for _, _, text in printed])
    for (D, names, text), reading in zip(printed, found, strict=True):
        assert reading["wrong"] is None, text
        assert (reading["kind"], reading["names"]) == ("dissimilarities", names), text
        np.testing.assert_allclose(reading["table"], D, atol=6e-6)


@pytest.mark.parametrize("write", [str, repr, lambda table: json.dumps(table.tolist())])
def test_matrices_printed_by_numpy_are_read(write):
    roads = load_eurodist().distances
    D = distances(np.random.default_rng(2).normal(size=(4, 2))).round(2)
    with np.printoptions(threshold=10_000):
        texts = [write(table) for table in (D, 1e7 * D, roads)]
    *found, shortened = read([*texts, str(np.zeros((100, 100)))])
    for table, reading in zip((D, 1e7 * D, roads), found, strict=True):
        assert reading["wrong"] is None
        np.testing.assert_allclose(reading["table"], table, rtol=1e-7)
    assert "NumPy left numbers out" in shortened["wrong"]["sentence"]


# A format, a separator of cells, and what takes the place of the comma or the point.
MARKS = [
    ("{:,.2f}", "\t", ",."),
    ("{:,.0f}", ",", ",."),
    ("{:,.2f}", ";", ".,"),
    ("{:,.0f}", ";", "\u202f."),
    ("{:,.0f}", "\t", "\u00a0."),
    ("{:,.0f}", ";", "'."),
    ("{:,.0f}", ";", " ."),
    ("{:.3f}", ";", ".,"),
    ("{:.3f}", "\t", ".,"),
]


def test_thousands_and_decimal_marks_are_told_apart():
    roads, cases = load_eurodist().distances, []
    for form, separator, marks in MARKS:
        table = roads / (1000 if form == "{:.3f}" else 1)
        swap = str.maketrans(",.", marks)
        quote = '"' if separator == "," else ""
        rows = ([quote + form.format(x).translate(swap) + quote for x in row] for row in table)
        cases.append((table, "\n".join(separator.join(row) for row in rows)))
    found = read([text for _, text in cases])
    for (table, text), reading in zip(cases, found, strict=True):
        assert reading["wrong"] is None, text
        np.testing.assert_allclose(reading["table"], table, err_msg=text)


SEPARATORS = [",", "\t", ";", " ", ";,", "\t,", " ,"]  # the second character marks decimals
NAMES = {
    "plain": [f"{letter}x" for letter in "abcdefg"],
    "odd": ["Hook of Holland", "New York", "Z\u00fcrich", "Rio 2", "\u6771\u4eac", "S, o", "O'H"],
    "quoted": ['the "e"', '"f"', "g", "h;i", "j\tk", "l", "m"],
    "years": [str(year) for year in range(1990, 2025, 5)],
    "none": None,
}
LAYOUTS = ["square", "gram", "lower", "lower with diagonal", "upper", "stepped", "points"]
HALVES = ("lower", "lower with diagonal", "upper")


def written_out(D, layout, separator, names, header):
    """Return a matrix as text in one of the layouts that people use."""
    decimal_comma = separator.endswith(",") and len(separator) == 2
    ones = np.ones_like(D)
    blanks = {
        "lower": np.triu(ones),
        "lower with diagonal": np.triu(ones, 1),
        "upper": np.tril(ones),
    }
    blank = blanks.get(layout, 0 * ones)

    def quoted(cell):
        return '"{}"'.format(cell.replace('"', '""')) if set(cell) & set(' ,;\t"') else cell

    def number(i, j):
        if blank[i, j]:
            return ""
        if decimal_comma:
            return f"{D[i, j]:_.2f}".translate(str.maketrans("_.", ".,"))
        return f"{D[i, j]:.2f}"

    lines = []
    if header:
        titles = [f"c{j}" for j in range(len(D[0]))] if layout == "points" else names
        lines.append([""] * bool(names) + [quoted(title) for title in titles])
    for i, row in enumerate(D):
        width = i + 1 if layout == "stepped" else len(row)
        cells = [number(i, j) for j in range(width)]
        lines.append([quoted(names[i]), *cells] if names else cells)
    return "\n".join(separator[0].join(cells) for cells in lines)


def is_ambiguous(layout, separator, kind, header):
    """Return True if a text could be more than one table, or none."""
    if separator[0] == " " and (header or layout in HALVES or kind == "quoted"):
        return True
    if header and kind == "none" and layout != "points":
        return True
    half_with_years = layout in HALVES and not header
    return kind == "years" and (layout in ("points", "stepped") or half_with_years)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_layouts_are_read(layout):
    rng = np.random.default_rng(LAYOUTS.index(layout))
    texts, expected = [], []
    for separator, (kind, names), header in itertools.product(SEPARATORS, NAMES.items(), (0, 1)):
        if is_ambiguous(layout, separator, kind, header):
            continue
        n = rng.integers(4, 8)
        upper = np.triu(rng.uniform(1, 9e3, size=(n, n)).round(2), 1)
        D = upper + upper.T + (9e5 * np.eye(n) if layout == "gram" else 0)
        D = rng.normal(scale=3e3, size=(n, 2)).round(2) if layout == "points" else D
        texts.append(written_out(D, layout, separator, names and names[:n], header))
        expected.append((D, names and names[:n]))
    kind = layout if layout in ("points", "gram") else "dissimilarities"
    for text, (D, names), reading in zip(texts, expected, read(texts), strict=True):
        assert reading["wrong"] is None, text
        assert (reading["kind"], reading["names"]) == (kind, names), text
        np.testing.assert_array_equal(reading["table"], D, err_msg=text)


def test_a_saved_table_is_read_again():
    texts = ["1 2\n3 4\n5 7", "x,y\n1,2\n3,4\n5,7", "1990 1 2\n1991 3 4", "0 3 4\n3 0 5\n4 5 0"]
    again = """texts.map((text) => m.readTable(text)).flatMap(({ table, columns }) => {
      const header = table[0].map((_, c) => columns[c] || `x${c + 1}`);
      const years = table.map((_, i) => String(1990 + i));
      return [null, years].map((names) => [table, m.readTable(m.csvOf(header, names, table))]);
    })"""
    found = run_laboratory(again, texts=texts)
    for (table, reading), first in zip(found, ["0", "1990"] * len(texts), strict=True):
        assert (reading["table"], reading["names"][0]) == (table, first)


def test_files_of_spreadsheets_are_decoded_or_rejected():
    text = "Z\u00fcrich;0;1\nBern;1;0"
    encodings = ["utf-8", "utf-8-sig", "utf-16", "windows-1252"]
    files = [list(text.encode(encoding)) for encoding in encodings]
    decoded = "files.map((bytes) => m.textOf(Uint8Array.from(bytes)))"
    for found in run_laboratory(decoded, files=[*files, [0xFE, 0xFF, *text.encode("utf-16-be")]]):
        assert found.removeprefix("\ufeff") == text
    binary = [b"PK\x03\x04 xl/", b"\xd0\xcf\x11\xe0\xa1", b"%PDF-1.7", b"a,b\n1,2"]
    messages = "files.map((bytes) => m.noText(Uint8Array.from(bytes)) ?? null)"
    *rejected, plain = run_laboratory(messages, files=list(map(list, binary)))
    assert all(rejected)
    assert plain is None


def test_distances_are_not_taken_for_similarities():
    rng = np.random.default_rng(11)
    matrices = [distances(rng.normal(size=(12, k))) for k in (1, 2, 5)]
    spread = rng.uniform(1, 2, (12, 12))
    matrices += [(spread + spread.T) * (1 - np.eye(12)), load_eurodist().distances]
    outlier = matrices[1].copy()
    outlier[0, 1] = outlier[1, 0] = 5 * outlier.max()
    texts = list(map(csv_text, [*matrices, outlier]))
    offers = "texts.map((text) => m.repairsOf(m.readTable(text)))"
    assert run_laboratory(offers, texts=texts) == [[]] * len(texts)


RATERS = [distances(X).round(3) for X in np.random.default_rng(4).normal(size=(3, 5, 3))]
OBJECTS = ["Ada", "Bo", "Cleo", "Dan", "Eve"]
SEVERAL = {
    "blank lines": "\n\n".join(named_csv(D, OBJECTS) for D in RATERS),
    "titles": "\n\n".join(f"# rater {j}\n{named_csv(D, OBJECTS)}" for j, D in enumerate(RATERS)),
    "slices of R": "\n\n".join(
        f", , rater {j}\n\n" + named_csv(D, OBJECTS).replace(",", " ")
        for j, D in enumerate(RATERS)
    ),
    "without names": "\n\n".join(map(csv_text, RATERS)),
}


@pytest.mark.parametrize("form", SEVERAL)
def test_several_matrices_are_averaged(form):
    found = run_laboratory("m.readTables(text)", text=SEVERAL[form])
    assert found["wrong"] is None
    np.testing.assert_allclose(found["table"], np.mean(RATERS, axis=0), atol=1e-12)


def test_raters_may_order_the_objects_differently():
    order = [3, 0, 4, 1, 2]
    other = named_csv(RATERS[1][np.ix_(order, order)], [OBJECTS[i] for i in order])
    text = f"{named_csv(RATERS[0], OBJECTS)}\n\n{other}"
    found = run_laboratory("m.readTables(text)", text=text)
    np.testing.assert_allclose(found["table"], (RATERS[0] + RATERS[1]) / 2, atol=1e-12)


def test_samples_are_read():
    samples = {sample["name"]: sample for sample in laboratory().samples}
    found = read([sample["text"] for sample in samples.values()])
    readings = dict(zip(samples, found, strict=True))
    assert all(reading["wrong"] is None for reading in found)
    roads = load_eurodist()
    np.testing.assert_array_equal(readings["roads"]["table"], roads.distances)
    assert tuple(readings["roads"]["names"]) == roads.labels
    assert readings["dinner"]["kind"] == "gram"
    colours = np.array(readings["colours"]["table"])
    page = (ROOT / "chapters" / "09-stress.ipynb").read_text("utf-8")
    hundredths = re.search(r'HUNDREDTHS = \\"\\"\\"(.*?)\\"\\"\\"', page, re.DOTALL)[1]
    printed = [int(number) for number in re.findall(r"\b\d+\b", hundredths)]
    np.testing.assert_allclose(colours[np.tril_indices(14, -1)], 1 - np.array(printed) / 100)
    assert np.shape(readings["irises"]["table"]) == (150, 4)
    assert len(set(readings["irises"]["groups"])) == 3
    assert np.shape(readings["digits"]["table"]) == (200, 64)
