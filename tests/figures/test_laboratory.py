"""The laboratory reads what people paste, fits it as the library does, and says what is so."""

import contextlib
import io
import itertools
import json
import re
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from scipy.spatial.distance import pdist, squareform

from kmds_figures.laboratory import laboratory
from kmds_lib import (
    RBF,
    classical_scaling,
    distances,
    kernel_mds,
    kernel_pca,
    kruskal_stress,
    leave_one_out,
    load_eurodist,
    pca,
    procrustes_align,
    similarities_to_dissimilarities,
    smacof,
)
from tests.figures.test_explorers import run_node

ROOT = Path(__file__).resolve().parents[2]
HALF = [[0, 0.5, 0.7], [0.5, 0, 0.8], [0.7, 0.8, 0]]
SQUARES = [
    ("    1   2\n2 0.5\n3 0.7 0.8\n", ["1", "2", "3"]),
    ("  434 445\n445 0.5\n465 0.7 0.8\n", ["434", "445", "465"]),
    ("0\n.5 0\n.7 .8 0", None),
    (".5\n.7 .8", None),
    ("a,,,\nb,.5,,\nc,.7,.8,", ["a", "b", "c"]),
    (",a,b,c\na,,.5,.7\nb,,,.8\nc,,,", ["a", "b", "c"]),
    ("a,b,c\n0,.5,.7\n.5,0,.8\n.7,.8,0", ["a", "b", "c"]),
    ("x;a;b;c\na;0;0,5;0,7\nb;0,5;0;0,8\nc;0,7;0,8;0", ["a", "b", "c"]),
    ("0 0,5 0,7\n0,5 0 0,8\n0,7 0,8 0", None),
    ('"a b"\t0\t.5\t.7\r\n"c"\t.5\t0\t.8\r\n"d, e"\t.7\t.8\t0\r\n', ["a b", "c", "d, e"]),
    (",1990,2000,2010\n1990,0,.5,.7\n2000,.5,0,.8\n2010,.7,.8,0", ["1990", "2000", "2010"]),
    ("\ufeff# km\n0,.5,.7\n\n.5,0,.8\n.7,.8,0\n", None),
    ("1990,0,.5,.7\n2000,.5,0,.8\n2010,.7,.8,0", ["1990", "2000", "2010"]),
    ("1990,2000,2010\n0,.5,.7\n.5,0,.8\n.7,.8,0", ["1990", "2000", "2010"]),
    (
        "1990\t2000\t2010\n1990\t0\t.5\t.7\n2000\t.5\t0\t.8\n2010\t.7\t.8\t0",
        ["1990", "2000", "2010"],
    ),
    ("1990;2000;2010\n1990;0\n2000;0,5;0\n2010;0,7;0,8;0", ["1990", "2000", "2010"]),
    ("a\nb,.5\nc,.7,.8", ["a", "b", "c"]),
    ("Hook of Holland\nNew York .5\nRio .7 .8", ["Hook of Holland", "New York", "Rio"]),
    ("US\nNA .5\nEU .7 .8", ["US", "NA", "EU"]),
    ("a,b,c\n\n.5\n.7,.8", ["a", "b", "c"]),
    ("a;b;c\n;.5;.7\n;;.8\n;;", ["a", "b", "c"]),
    ("\t.5\t.7\n\t\t.8\n\t\t", None),
    ("x,0,.5,.7\nx,.5,0,.8\ny,.7,.8,0", ["x", "x", "y"]),
    ("0,5\n0,7 0,8", None),
    ('"a, b" 0 5E-1 7E-1\n"c" 5E-1 0 .8\n"d, e" .7 .8 0', ["a, b", "c", "d, e"]),
    ("0\t5,0E-01\t7,0E-01\n5,0E-01\t0\t8,0E-01\n7,0E-01\t8,0E-01\t0", None),
    ('"a" "0,00"\n"b" "0,50" "0,00"\n"c" "0,70" "0,80" "0,00"', ["a", "b", "c"]),
]


def read(tmp_path, texts, **options):
    """Return what the laboratory makes of texts."""
    script = (
        f"const [texts, options] = {json.dumps([texts, options])};\n"
        "console.log(JSON.stringify(texts.map((text) => m.readTable(text, options))))"
    )
    return run_node(tmp_path, laboratory(), script)


def test_square_tables_are_read_in_every_form(tmp_path):
    found = read(tmp_path, [text for text, _ in SQUARES])
    for (text, names), reading in zip(SQUARES, found, strict=True):
        assert reading["wrong"] is None, text
        assert reading["kind"] == "dissimilarities", text
        assert reading["table"] == HALF, text
        assert reading["names"] == names, text


def printed_by_r(D, names, width=80, first_row=1, whole=False):
    """Return a table as R prints `dist`, its names left and its numbers right, columns wrapped."""
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


CARS = ["Mazda RX4", "Mazda RX4 Wag", "Datsun 710", "Hornet 4 Drive", "Fiat 128"]


@pytest.mark.parametrize("shape", [{}, {"first_row": 0}, {"first_row": 0, "whole": True}])
@pytest.mark.parametrize("width", [48, 80, 1000])
def test_what_r_prints_is_read_whole(tmp_path, shape, width):
    roads = load_eurodist()
    rng = np.random.default_rng(3)
    few, many = (distances(rng.normal(size=(n, 3))).round(3) for n in (5, 30))
    cases = [
        (roads.distances, list(roads.labels)),
        (few, CARS),
        (many, [str(i + 1) for i in range(30)]),
        (few[:3, :3], ["a", "b", "c"]),
        (few[:2, :2], ["1", "2"]),
    ]
    found = read(tmp_path, [printed_by_r(D, names, width, **shape) for D, names in cases])
    for (D, names), reading in zip(cases, found, strict=True):
        assert reading["wrong"] is None, names
        assert reading["kind"] == "dissimilarities", names
        assert reading["names"] == names
        np.testing.assert_allclose(reading["table"], D, atol=6e-6)


MARKS = [
    ("{:,.0f}", "\t", "part thousands", 1),
    ("{:,.2f}", "\t", "part thousands", 1),
    ('"{:,.0f}"', ",", "part thousands", 1),
    ("{:,.2f}", ";", "Decimal commas were understood. Points were taken to part", "swap"),
    ("{:,.0f}", ";", "", "\u202f"),
    ("{:,.0f}", "\t", "", "\u00a0"),
    ("{:,.0f}", ";", "", "'"),
    ("{:,.0f}", ";", "", " "),
    ("{:.3f}", ";", "Decimal commas", ","),
    ("{:.3f}", "\t", "Decimal commas", ","),
]


@pytest.mark.parametrize(("form", "separator", "note", "mark"), MARKS)
def test_thousands_and_decimals_keep_their_size(tmp_path, form, separator, note, mark):
    roads = load_eurodist().distances / (1000 if form == "{:.3f}" else 1)

    def cell(number):
        text = form.format(number)
        if mark == "swap":
            return text.translate(str.maketrans(",.", ".,"))
        return text if mark == 1 else text.replace(",", mark).replace(".", mark)

    text = "\n".join(separator.join(map(cell, row)) for row in roads)
    (reading,) = read(tmp_path, [text])
    assert reading["wrong"] is None
    np.testing.assert_allclose(reading["table"], roads)
    assert note in reading["said"]
    assert ("thousands" in reading["said"]) == ("thousands" in note or "Points" in note)


TRIANGLES = [
    ("1\n2 1\n3 2 1\n4 3 2 1", "auto", "dissimilarities", 5),
    ("1\n1 1\n1 1 1", "auto", "dissimilarities", 4),
    ("1\n.5 1\n.2 .3 1", "auto", "gram", 3),
    ("4\n-1 9\n2 3 16", "auto", "gram", 3),
    ("4\n1 9\n2 3 16", "auto", "dissimilarities", 4),
    ("4\n1 9\n2 3 16", "gram", "gram", 3),
    ("1\n.5 1\n.2 .3 1", "dissimilarities", "dissimilarities", 4),
    ("0\n1 0\n2 3 0", "auto", "dissimilarities", 3),
    ("1 2 3\n4 5\n6", "auto", "dissimilarities", 4),
    ("0 1 2\n0 3\n0", "auto", "dissimilarities", 3),
]


@pytest.mark.parametrize(("text", "told", "kind", "n"), TRIANGLES)
def test_a_triangle_has_a_diagonal_or_not(tmp_path, text, told, kind, n):
    (found,) = read(tmp_path, [text], **{"as": told})
    assert (found["kind"], len(found["table"])) == (kind, n)
    assert found["wrong"] is None
    assert np.array_equal(found["table"], np.transpose(found["table"]))
    if text.startswith("1 2 3"):
        assert found["table"][0] == [0, 1, 2, 3]


ROWS = [[0, 3, 4], [3, 0, 5], [4, 5, 0]]
COUNTED = [
    ('"","V1","V2","V3"\n"1",0,3,4\n"2",3,0,5\n"3",4,5,0', "dissimilarities"),
    (",0,1,2\n0,0,3,4\n1,3,0,5\n2,4,5,0", "dissimilarities"),
    (",x,y,z\n0,1,3,4\n1,7,1.5,6\n2,4,5,2", "points"),
    ("id,x,y,z\n1,1,3,4\n2,7,1.5,6\n3,4,5,2", "points"),
    ('"x" "y" "z"\n"1" 1 3 4\n"2" 7 1.5 6\n"3" 4 5 2', "points"),
    ("x,y,z\n1,1,3\n2,3,1\n3,4,5", "points"),
]


def test_a_column_that_counts_the_rows_is_no_measurement(tmp_path):
    found = read(tmp_path, [text for text, _ in COUNTED])
    for (text, kind), reading in zip(COUNTED, found, strict=True):
        assert reading["kind"] == kind, text
        assert np.shape(reading["table"]) == (3, 3), text
        if kind == "dissimilarities":
            assert reading["table"] == ROWS, text


MARKS_OF_PEOPLE = [
    "1,0,1\n0,1,0\n1,0,1\n0,1,0",
    "3,1,2\n1,4,5\n4,2,3\n5,3,1",
    "1,2,0,4\n2,0,3,5\n3,4,5,0",
    "1,0,1,1\n0,1,0,1\n1,1,1,0",
]


def test_points_that_are_symmetric_by_chance_stay_points(tmp_path):
    for text, reading in zip(MARKS_OF_PEOPLE, read(tmp_path, MARKS_OF_PEOPLE), strict=True):
        rows = [[float(number) for number in line.split(",")] for line in text.split("\n")]
        assert (reading["kind"], reading["table"], reading["names"]) == ("points", rows, None)


SEPARATED = [",", "\t", ";", " ", ";,", "\t,", " ,"]
NAMES = {
    "plain": [f"{letter}x" for letter in "abcdefg"],
    "odd": ["Hook of Holland", "New York", "Z\u00fcrich", "Rio 2", "\u6771\u4eac", "S, o", "O'H"],
    "quotes": ['the "e"', '"f"', "g", "h;i", "j\tk", "l", "m"],
    "years": [str(year) for year in range(1990, 2025, 5)],
    "none": None,
}
LAYOUTS = ["square", "gram", "lower", "lower with diagonal", "upper", "stepped", "points"]


def written_out(D, layout, separator, names, head):
    """Return a table as a text in one of the ways that people write it."""
    comma = separator.endswith(",") and len(separator) == 2
    one = np.ones_like(D)
    blank = {"lower": np.triu(one), "lower with diagonal": np.triu(one, 1), "upper": np.tril(one)}
    empty = blank.get(layout, 0 * one)

    def quoted(cell):
        return '"{}"'.format(cell.replace('"', '""')) if set(cell) & set(' ,;\t"') else cell

    def number(i, j):
        word = f"{D[i, j]:_.2f}" if comma else f"{D[i, j]:.2f}"
        return "" if empty[i, j] else word.translate(str.maketrans("_.", ".,") if comma else {})

    lines = []
    if head:
        over = [f"c{j}" for j in range(len(D[0]))] if layout == "points" else names
        lines.append([""] * bool(names) + [quoted(name) for name in over])
    for i, row in enumerate(D):
        cells = [number(i, j) for j in range(i + 1 if layout == "stepped" else len(row))]
        lines.append([quoted(names[i]), *cells] if names else cells)
    return "\n".join(separator[0].join(cells) for cells in lines)


def is_open(layout, separator, kind, head):
    """Whether a text could be more than one table, or no table."""
    half = layout in ("lower", "lower with diagonal", "upper")
    if separator[0] == " " and (head or half or kind == "quotes"):
        return True
    if head and kind == "none" and layout != "points":
        return True
    return kind == "years" and (layout in ("points", "stepped") or (half and not head))


@pytest.mark.parametrize("layout", LAYOUTS)
def test_what_was_written_is_read(tmp_path, layout):
    rng = np.random.default_rng(LAYOUTS.index(layout))
    texts, expected = [], []
    for separator, (kind, names), head in itertools.product(SEPARATED, NAMES.items(), (0, 1)):
        if is_open(layout, separator, kind, head):
            continue
        n = rng.integers(4, 8)
        upper = np.triu(rng.uniform(1, 9e3, size=(n, n)).round(2), 1)
        D = upper + upper.T + (9e5 * np.eye(n) if layout == "gram" else 0)
        D = rng.normal(scale=3e3, size=(n, 2)).round(2) if layout == "points" else D
        texts.append(written_out(D, layout, separator, names and names[:n], head))
        expected.append((D, names and names[:n]))
    kind = layout if layout in ("points", "gram") else "dissimilarities"
    assert len(texts) > 20
    for text, (D, names), reading in zip(texts, expected, read(tmp_path, texts), strict=True):
        assert reading["wrong"] is None, text
        assert reading["kind"] == kind, text
        np.testing.assert_array_equal(reading["table"], D, err_msg=text)
        assert reading["names"] == names, text


def test_a_table_that_was_saved_is_read_again(tmp_path):
    texts = ["1 2\n3 4\n5 7", "x,y\n1,2\n3,4\n5,7", "1990 1 2\n1991 3 4", "0 3 4\n3 0 5\n4 5 0"]
    script = f"""console.log(JSON.stringify({json.dumps(texts)}.map((text) => {{
      const {{ table, columns }} = m.readTable(text);
      const header = table[0].map((_, c) => columns[c] || `x${{c + 1}}`);
      const years = table.map((_, i) => String(1990 + i));
      return [null, years].map((names) => [table, m.readTable(m.csvOf(header, names, table))]);
    }})));"""
    for readings in run_node(tmp_path, laboratory(), script):
        for (table, again), names in zip(readings, ("0", "1990"), strict=True):
            assert again["table"] == table
            assert again["names"][0] == names


def test_marks_that_may_be_two_things_are_named(tmp_path):
    tabs = ["0\t2.804\n2.804\t0", "0\t2.5\n2.5\t0"]
    commas = ["0;2,804\n2,804;0", '"0","2,804"\n"2,804","0"']
    said = [reading["said"] for reading in read(tmp_path, tabs + commas)]
    assert "Points were taken to mark decimals, not thousands." in said[0]
    assert "taken" not in said[1]
    assert "Decimal commas were understood." in said[2]
    assert "Commas were taken to part thousands." in said[3]


def test_a_large_table_between_spaces_is_read_as_quickly(tmp_path):
    D = distances(np.random.default_rng(5).normal(size=(400, 3))).round(3)
    texts = [written(D, separator) for separator in (",", " ")]
    script = f"""const texts = {json.dumps(texts)};
    const once = (text) => {{
      const before = process.cpuUsage();
      m.readTable(text);
      const {{ user, system }} = process.cpuUsage(before);
      return user + system;
    }};
    const least = (text) => Math.min(once(text), once(text), once(text));
    console.log(JSON.stringify(texts.map(least)));"""
    commas, spaces = run_node(tmp_path, laboratory(), script)
    assert spaces < 5 * commas


def test_files_are_read_in_the_encodings_of_spreadsheets(tmp_path):
    text = "Z\u00fcrich;0;1\nBern;1;0"
    kinds = ["utf-8", "utf-8-sig", "utf-16", "utf-16-be", "windows-1252"]
    marks = {"utf-16-be": b"\xfe\xff"}
    files = [list(marks.get(kind, b"") + text.encode(kind)) for kind in kinds]
    script = f"""const files = {json.dumps(files)};
    console.log(JSON.stringify(files.map((bytes) => m.textOf(Uint8Array.from(bytes)))))"""
    for found in run_node(tmp_path, laboratory(), script):
        assert found.removeprefix("\ufeff") == text


REPAIRED = """const found = %s.map((text) => {
  const reading = m.readTable(text);
  const repairs = m.repairsOf(reading);
  return { wrong: reading.wrong?.sentence, share: m.skewShare(reading.table),
    repairs: repairs.map(({ words, why, mend }) => ({ words, why, ...mend() })) };
});
console.log(JSON.stringify(found));"""


def repaired(tmp_path, *texts):
    """Return what each text is refused for, and what each of its buttons makes of it."""
    return run_node(tmp_path, laboratory(), REPAIRED % json.dumps(texts))


def test_two_directions_that_differ_are_averaged_and_weighed(tmp_path):
    D = np.array([[0, 3, 9, 4], [5, 0, 2, 6], [1, 2, 0, 7], [4, 8, 7, 0]])
    (found,) = repaired(tmp_path, written(D))
    (each,) = found["repairs"]
    share = np.sum(((D - D.T) / 2) ** 2) / np.sum(D**2)
    assert found["share"] == pytest.approx(share, rel=1e-12)
    assert each["words"] == "average both directions"
    assert f"holds {100 * share:.3g} % of the sum of squares" in each["why"]
    assert each["table"] == ((D + D.T) / 2).tolist()
    assert each["wrong"] is None
    assert each["why"] in each["repaired"]
    assert each["repaired"] in each["said"]


def test_missing_answers_are_left_out_or_filled_in(tmp_path):
    text = "name,a,b,kind\nu,1,2,x\nv,,4,y\nw,3,7,x\nz,8,NA,y\nt,5,5,y\n"
    (found,) = repaired(tmp_path, text)
    assert "every entry must be a finite number" in found["wrong"]
    out, mean = found["repairs"]
    assert (out["words"], mean["words"]) == ("leave out 2 rows", "fill in the mean of the column")
    assert (out["table"], out["names"]) == ([[1, 2], [3, 7], [5, 5]], ["u", "w", "t"])
    assert out["groups"] == ["x", "x", "y"]
    assert out["said"] == (
        "3 points, 2 columns of numbers (a, b), coloured by kind (2 kinds). "
        "2 rows with cells that hold no number were left out: v, z."
    )
    X = np.array([[1, 2], [np.nan, 4], [3, 7], [8, np.nan], [5, 5]])
    np.testing.assert_allclose(mean["table"], np.where(np.isnan(X), np.nanmean(X, axis=0), X))
    assert mean["repaired"] == "2 cells without a number took the mean of the column."
    assert out["wrong"] is mean["wrong"] is None


def test_a_missing_dissimilarity_costs_the_fewest_rows(tmp_path):
    D = distances(np.random.default_rng(8).normal(size=(6, 2))).round(3)
    D[[2, 0, 2, 5, 4, 2], [0, 2, 5, 2, 2, 4]] = np.nan
    (found,) = repaired(tmp_path, written(D).replace("nan", ""))
    _, each = found["repairs"]
    kept = [0, 1, 3, 4, 5]
    assert each["words"] == "leave out 1 row"
    assert each["table"] == D[np.ix_(kept, kept)].tolist()
    assert each["names"] == [str(i) for i in kept]
    assert each["wrong"] is None


MISSING = """const reading = m.repairsOf(m.readTable(%s))[0].mend();
const { kind, table } = reading;
const asked = { method: "classical", transform: "ordinal" };
const choices = m.cleanChoices(asked, kind, table.length, { patchy: true });
const { points, target, stress } = m.runNow(m.fitJob({ kind, table, choices }));
const clouds = m.runNow(m.stabilityJob({ request: { kind, table, choices }, points })).clouds;
const { said, wrong } = reading;
console.log(JSON.stringify({ method: choices.method, said, wrong, stress,
  moved: clouds.length, points: Array.from(points), csv: m.tableCsv(reading),
  python: m.pythonCode(reading, choices) }));"""


def test_missing_dissimilarities_are_left_to_stress_as_the_library_leaves_them(
    tmp_path, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(4)
    D = distances(rng.normal(size=(9, 2))) * rng.uniform(0.9, 1.1, (9, 9))
    D = (D + D.T).round(3)
    for i, j in [(0, 4), (2, 7), (3, 8)]:
        D[i, j] = D[j, i] = np.nan
    D[5, 6] = np.nan  # its other direction is there
    text = written(D).replace("nan", "NA")
    found = run_node(tmp_path, laboratory(), MISSING % json.dumps(text))
    assert (found["method"], found["wrong"], found["moved"]) == ("stress", None, 9)
    assert "3 of 36 dissimilarities are missing" in found["said"]
    D[5, 6] = D[6, 5]
    expected = smacof(D, n_components=2, weights=~np.isnan(D), tol=1e-9)
    assert found["stress"] == pytest.approx(expected.stress, abs=1e-4)
    points = np.reshape(found["points"], (9, 2))
    turned = procrustes_align(points, target=expected.points).points
    assert np.abs(turned - expected.points).max() < 1e-2 * np.abs(expected.points).max()
    (tmp_path / "table.csv").write_text(found["csv"], "utf-8")
    names = {}
    with contextlib.redirect_stdout(io.StringIO()):
        exec(compile(found["python"], "missing", "exec"), names)
    assert names["fit"].stress == pytest.approx(found["stress"], abs=1e-4)


def test_parts_that_nothing_joins_are_not_fitted_without(tmp_path):
    apart = "0,1,,\n1,0,,\n,,0,1\n,,1,0"
    (found,) = repaired(tmp_path, apart)
    assert not any("stress" in each["words"] for each in found["repairs"])


DRINKS = (
    ",coke,pepsi,water,wine\ncoke,0,80,10,12\npepsi,80,0,12,9\nwater,10,12,0,30\nwine,12,9,30,0"
)
SHARES = DRINKS.replace("80", ".8").replace("10", ".1").replace("12", ".12").replace("9", ".09")


def test_similarities_without_a_diagonal_are_asked_about(tmp_path):
    drinks, shares = repaired(tmp_path, DRINKS, SHARES.replace("30", ".3"))
    S = np.array([[0, 80, 10, 12], [80, 0, 12, 9], [10, 12, 0, 30], [12, 9, 30, 0]], float)
    (turned,) = drinks["repairs"]
    assert "wrong" not in drinks
    assert "Are these similarities?" in turned["why"]
    assert (turned["kind"], turned["wrong"]) == ("dissimilarities", None)
    np.testing.assert_allclose(turned["table"], similarities_to_dissimilarities(S, "max-minus"))
    ones = S / 100 + np.eye(4)
    by_name = {each["words"].partition(": ")[2]: each for each in shares["repairs"]}
    assert list(by_name) == ["max \u2212 s", "1 \u2212 s", "\u221a(2 \u2212 2s)"]
    for each, how in zip(by_name.values(), ["max-minus", "one-minus", "gram"], strict=True):
        table = S / 100 if how == "max-minus" else ones
        np.testing.assert_allclose(each["table"], similarities_to_dissimilarities(table, how))
        assert f'similarities_to_dissimilarities(S, "{how}")' in each["made"]


def test_distances_are_not_asked_about(tmp_path):
    rng = np.random.default_rng(11)
    points = [distances(rng.normal(size=(12, k))) for k in (1, 2, 5)]
    spread = rng.uniform(1, 2, (12, 12))
    tables = [*points, (spread + spread.T) * (1 - np.eye(12)), load_eurodist().distances]
    slip = points[1].copy()
    slip[0, 1] = slip[1, 0] = 5 * slip.max()
    tables += [slip, points[0].round(3)]
    for found in repaired(tmp_path, *map(written, tables)):
        assert found["repairs"] == []


def test_a_list_of_pairs_is_a_square_table(tmp_path):
    whole = "from,to,km\nA,B,3\nA,C,4\nB,C,5"
    both = "from;to;d\nA;B;3\nB;A;3\nA;C;4\nC;A;4\nB;C;5\nC;B;5"
    numbers = "1 2 3\n1 3 4\n2 3 5"
    mixed = "from,to,km\nA,B,3\nC,A,4\nB,C,5"
    headed = "i,j,d\n0,1,3\n0,2,4\n1,2,5"
    for found in read(tmp_path, [whole, both, numbers, headed, mixed]):
        assert (found["kind"], found["wrong"]) == ("dissimilarities", None)
        assert found["table"] == [[0, 3, 4], [3, 0, 5], [4, 5, 0]]
        assert found["names"] in (list("ABC"), list("123"), list("012"))
        assert "list of" in found["said"]
    one_way, partly, self_pairs = read(
        tmp_path,
        [
            both.replace("B;A;3", "B;A;6"),
            "from,to,d\nA,B,3\nA,C,4\nB,C,5\nA,D,6\nB,D,7",
            "from,to,s\nA,A,1\nB,B,1\nC,C,1\nA,B,.3\nA,C,.4\nB,C,.5",
        ],
    )
    assert "not symmetric" in one_way["wrong"]["sentence"]
    assert "missing" in partly["wrong"]["sentence"] or "finite" in partly["wrong"]["sentence"]
    assert self_pairs["kind"] == "gram"


ANSWERS = """age,first,second
30,agree,agree
41,agree,neutral
25,neutral,disagree
60,disagree,agree
33,agree,neutral
"""


def test_answers_that_recur_in_two_columns_are_no_list_of_pairs(tmp_path):
    more = ANSWERS.replace("\n", ",1\n")
    for reading in read(tmp_path, [ANSWERS, more]):
        assert (reading["kind"], len(reading["table"])) == ("points", 5)


def test_a_name_alone_in_the_last_rows_of_a_faulty_half_is_no_line_below(tmp_path):
    (reading,) = read(tmp_path, [",a,b,c,d\na,,-1,2,3\nb,,,2,4\nc,,,,5\nd,,,,"])
    assert reading["kind"] == "dissimilarities"
    assert reading["wrong"]["sentence"].startswith("D[a, b] = -1 is negative")
    assert reading["names"] == list("abcd")


def test_a_first_row_of_words_has_units_where_it_has_no_name(tmp_path):
    answers, units = read(
        tmp_path,
        ["id,q1,sex\np1,refused,f\np2,3,m\np3,4,f\np4,5,m", "depth,temp\nm,degC\n1,9\n3,8\n4,7"],
    )
    assert answers["names"] == ["p1", "p2", "p3", "p4"]
    assert answers["wrong"]["entry"] == [0, 0]
    assert (units["columns"], units["table"]) == (["depth", "temp"], [[1, 9], [3, 8], [4, 7]])


def test_points_with_two_columns_of_words_are_no_list_of_pairs(tmp_path):
    texts = [
        "name,kind,size\na,x,1\nb,x,2\nc,y,3",
        "1 2 3\n1 3 4\n2 5 5",
        "who,city,age\nAnn,Rome,3\nBob,Rome,4\nCy,Bonn,5\nDi,Bonn,6",
    ]
    assert [found["kind"] for found in read(tmp_path, texts)] == ["points"] * 3


METRICS = ["cityblock", "correlation", "cosine", "braycurtis", "jaccard", "gower"]
MEASURED = """const reading = m.readTable(%s);
const { kind, table, texts } = reading;
console.log(JSON.stringify(%s.map((metric) => {
  const choices = m.cleanChoices({ method: "pca", metric }, kind, table.length);
  const fit = m.runNow(m.fitJob({ kind, table, texts, choices }));
  return { metric, method: choices.method, delta: Array.from(fit.delta), goodness: fit.goodness[0],
    csv: m.tableCsv(reading, choices), python: m.pythonCode(reading, fit.choices),
    report: m.report(fit, reading, "", (_, words) => words) };
})));"""


def test_each_dissimilarity_is_scipys_and_its_python_gives_the_map(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(6)
    X = rng.poisson(0.9, (8, 4)) + np.eye(8, 4)[::-1] + np.eye(8, 4)
    kinds = list("xxyyxyxy")
    text = "name,a,b,c,d,kind\n" + "\n".join(
        f"r{i},{','.join(map(str, row))},{kinds[i]}" for i, row in enumerate(X)
    )
    script = MEASURED % (json.dumps(text), json.dumps(METRICS))
    for found in run_node(tmp_path, laboratory(), script):
        metric = found["metric"]
        assert found["method"] == "classical"
        if metric == "gower":
            gaps = [*(np.abs(np.subtract.outer(x, x)) / np.ptp(x) for x in X.T)]
            D = np.mean([*gaps, np.not_equal.outer(kinds, kinds)], axis=0)
        else:
            D = squareform(pdist(X != 0 if metric == "jaccard" else X, metric))
        np.testing.assert_allclose(np.reshape(found["delta"], (8, 8)), D, atol=1e-12)
        (tmp_path / "table.csv").write_text(found["csv"], "utf-8")
        names = {}
        with contextlib.redirect_stdout(io.StringIO()):
            exec(compile(found["python"], metric, "exec"), names)
        assert names["fit"].explained == pytest.approx(found["goodness"], abs=2e-6)
        assert " distances," in found["report"]


def test_words_are_left_out_with_their_row(tmp_path):
    script = """const choices = m.cleanChoices({ metric: "gower" }, "points", 6);
    const table = [[0], [0], [1], [1], [0], [1]];
    const texts = [{ cells: ["a", "b", "b", "c", "c", "a"] }];
    const { delta, points } = m.runNow(m.fitJob({ kind: "points", table, texts, choices }));
    const asTable = { kind: "dissimilarities", table: m.toRows(delta, 6), choices };
    const requests = [{ kind: "points", table, texts, choices }, asTable];
    const moves = requests.map((request) => m.runNow(m.stabilityJob({ request, points })).moves);
    console.log(JSON.stringify(moves))"""
    mixed, table = run_node(tmp_path, laboratory(), script)
    np.testing.assert_allclose(mixed, table, atol=1e-9)
    assert max(mixed) > 0.01


def test_rows_without_a_dissimilarity_are_named(tmp_path):
    script = """const table = [[1, 2], [0, 0], [3, -1]];
    const told = ["cosine", "braycurtis", "correlation"].map((metric) => {
      try { return m.dissimilaritiesBy(metric, table); } catch (error) { return error.message; }
    });
    console.log(JSON.stringify(told))"""
    cosine, amounts, correlation = run_node(tmp_path, laboratory(), script)
    assert cosine.startswith("Row 1 holds zeros alone")
    assert amounts.startswith("Row 2 holds a negative number")
    assert correlation.startswith("Row 1 holds one number throughout")


def test_a_repair_that_would_not_help_is_not_offered(tmp_path):
    texts = [
        "n,a,b\nu,,\nv,,\nw,,\n",
        "0 inf 4\ninf 0 inf\n4 inf 0",
        "0 3 4\n3 0 5\n4 5 0",
        "no table",
    ]
    for text, found in zip(texts, repaired(tmp_path, *texts), strict=True):
        assert found["repairs"] == [], text


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
    ("1 2\n" * 2001, "2001 rows; the laboratory takes up to 2000", None),
    ("0 km,158 km,3 km\n158 km,0 km,5 km\n3 km,5 km,0 km", "hold more than a number", None),
    ("10%,20%\n30%,40%\n50%,60%", "Leave the sign or the unit out", None),
    (",a,b,c\n", "no numbers below it", None),
    ("Ada\nBo\nCleo", "words alone", None),
    ("x,y\n1,2\n3,4,5\n6,7", "X is ragged: row 0 has 2 cells, row 1 has 3.", None),
    ("0 1 2\n1 0 3\n2 3", "D is ragged: row 2 has 2 cells, row 0 has 3.", None),
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


RNG = np.random.default_rng(8)
CLOUD = RNG.normal(size=(11, 3)).round(3)
RANDOM = np.triu(RNG.uniform(1, 9, size=(9, 9)).round(2), 1)
LINE = np.abs(np.subtract.outer(np.arange(7.0), np.arange(7.0)))


def written(table, separator=","):
    return "\n".join(separator.join(f"{x:.12g}" for x in row) for row in table)


ODD = {
    "cloud": written(CLOUD),
    "cloud twice over": written(np.vstack([CLOUD, CLOUD[:4]])),
    "huge": written(1e50 * CLOUD),
    "tiny": written(1e-50 * CLOUD),
    "one column": "x\n" + "\n".join(map(str, [1, 2, 4, 9, 7, 3.5, 8])),
    "equal points": written(np.ones((5, 2))),
    "random": written(RANDOM + RANDOM.T),
    "line": written(LINE),
    "huge distances": written(1e50 * distances(CLOUD)),
    "zeros": written(np.zeros((5, 5))),
    "two": "0 3\n3 0",
    "equilateral": "0 1 1\n1 0 1\n1 1 0",
    "asymmetric by rounding": "0 1 2\n1.000000001 0 1.5\n2 1.5 0",
    "gram": written(CLOUD @ CLOUD.T),
    "indefinite gram": "1 3 0\n3 1 0\n0 0 1",
}
FIT_ALL = """const link = (_, words) => words;
const options = {
  classical: [{}, { additive: "lingoes" }, { additive: "cailliez" }],
  stress: [{}],
  pca: [{}, { metric: "standardised" }],
  kmds: [{ kernel: "RBF" }, { kernel: "Exponential" }, { kernel: "Power", parameter: 1.5 }],
  kpca: [{ kernel: "RBF" }, { kernel: "Polynomial", parameter: 3 }],
};
const fits = [];
for (const [name, text] of Object.entries(TEXTS)) {
  const reading = m.readTable(text);
  const { kind, table, names } = reading;
  for (const method of m.methodsFor(kind))
    for (const dimensions of [2, 3])
      for (const option of options[method]) {
        const choices = m.cleanChoices({ method, dimensions, ...option }, kind, table.length);
        const about = { name, n: table.length, method, option, dimensions };
        try {
          const fit = m.runNow(m.fitJob({ kind, table, choices }));
          const { columns, goodness, negativeMass, stress } = fit;
          const [points, target] = [Array.from(fit.points), Array.from(fit.target)];
          const words = [m.report(fit, reading, "", link), m.dimensionWords(fit, link),
            ...Object.values(m.verdictOf(fit, link)).flat(), m.nearWords(fit, null, String),
            m.nearWords(fit, 0, String), m.aboutMethod(fit.choices, kind, link)].join(" ");
          const python = m.pythonCode(reading, fit.choices);
          const csv = m.csvOf(table[0].map(String), names, table);
          const saved = m.pointsCsv(fit, names);
          const figures = { columns, goodness, negativeMass, stress, points, target };
          fits.push({ ...about, ...figures, words, python, csv, saved });
        } catch (error) {
          fits.push({ ...about, error: error.message });
        }
      }
}
console.log(JSON.stringify(fits));"""
REFUSED = re.compile(r"All dissimilarities are 0|The kernel matrix (over|under)flows|K gives no")
UNREADABLE = re.compile(r"e[-+\u2212]\d|NaN|undefined|\binf|null| no dimensions")


@pytest.mark.filterwarnings("ignore::kmds_lib.embedding.FewerComponentsWarning")
def test_odd_tables_are_fitted_as_the_library_fits_them(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    script = f"const TEXTS = {json.dumps(ODD)};\n{FIT_ALL}"
    found = run_node(tmp_path, laboratory(), script)
    assert len(found) > 150
    for fit in found:
        case = f"{fit['name']}: {fit['method']} {fit['option']} {fit['dimensions']}"
        if "error" in fit:
            assert REFUSED.search(fit["error"]), case
            continue
        assert not UNREADABLE.search(fit["words"]), (case, fit["words"])
        (tmp_path / "table.csv").write_text(fit["csv"], "utf-8")
        names = {}
        with contextlib.redirect_stdout(io.StringIO()):
            exec(compile(fit["python"], case, "exec"), names)
        compare_fits(case, fit, names["fit"])


def compare_fits(case, found, expected):
    """Compare what the page found with what its Python finds: map and figures."""
    points = np.reshape(found["points"], (found["n"], -1))
    if found["stress"] is not None:
        target = np.reshape(found["target"], (found["n"], -1))
        assert kruskal_stress(points, target) == pytest.approx(found["stress"], abs=1e-9), case
    if found["method"] == "stress":
        assert found["stress"] == pytest.approx(expected.stress, abs=1e-3), case
        turned = procrustes_align(points, target=expected.points).points
        assert np.abs(turned - expected.points).max() < 2e-2 * np.abs(expected.points).max(), case
        return
    k = expected.points.shape[1]
    assert found["columns"] == k, case
    assert found["goodness"][0] == pytest.approx(expected.explained, abs=2e-6), case
    assert found["negativeMass"] == pytest.approx(expected.negative_mass, abs=1e-6), case
    assert not points[:, k:].any(), case
    header, *rows = (line.split(",") for line in found["saved"].splitlines())
    axes = max(1, k)
    assert header == ["name", *(f"y{c + 1}" for c in range(axes))], case
    np.testing.assert_array_equal(np.array(rows)[:, 1:].astype(float), points[:, :axes])
    said = {1: "one dimension:", 2: "two dimensions:", 3: "three dimensions:"}[axes]
    assert f" in {said}" in found["words"], case
    values = expected.spectrum().eigenvalues
    if k and (np.abs(np.diff(values[: k + 1])) > 1e-6 * values[0]).all():
        size = np.abs(expected.points).max()
        assert np.abs(points[:, :k] - expected.points).max() < 1e-8 * size, case


ROUGH = RANDOM + RANDOM.T
WIDE, NARROW = RBF(0.02), RBF(0.3)
LEFT_OUT = [
    (CLOUD, {"method": "pca"}, pca, 1e-9),
    (CLOUD, {"method": "kpca", "parameter": 0.3}, partial(kernel_pca, kernel=NARROW), 1e-7),
    (ROUGH, {"method": "classical"}, classical_scaling, 1e-9),
    (
        ROUGH,
        {"method": "classical", "additive": "lingoes"},
        partial(classical_scaling, additive="lingoes"),
        1e-7,
    ),
    (ROUGH, {"method": "kmds", "parameter": 0.02}, partial(kernel_mds, kernel=WIDE), 1e-7),
    (LINE, {"method": "classical"}, classical_scaling, 1e-7),
    (ROUGH, {"method": "stress"}, partial(smacof, tol=1e-7), 1e-3),
]


@pytest.mark.parametrize("dimensions", [2, 3])
@pytest.mark.parametrize(("table", "asked", "fit", "within"), LEFT_OUT)
@pytest.mark.filterwarnings("ignore::kmds_lib.embedding.FewerComponentsWarning")
def test_leaving_out_gives_the_clouds_of_the_library(
    tmp_path, table, asked, fit, within, dimensions
):
    kind = "points" if table is CLOUD else "distances"
    script = f"""const table = {json.dumps(table.tolist())};
    const asked = {json.dumps(asked | {"dimensions": dimensions})};
    const choices = m.cleanChoices(asked, "{kind}", table.length);
    const request = {{ kind: "{kind}", table, choices }};
    const {{ points }} = m.runNow(m.fitJob(request));
    const {{ clouds, moves, influence }} = m.runNow(m.stabilityJob({{ request, points }}));
    console.log(JSON.stringify([moves, influence, ...clouds].map((x) => Array.from(x))));"""
    moves, influence, *clouds = run_node(tmp_path, laboratory(), script)
    stress, metric = asked["method"] == "stress", {"points": "euclidean"}.get(kind, "precomputed")
    fit = partial(fit, n_components=dimensions)
    expected = leave_one_out(table, fit, metric=metric, from_map=stress)
    np.testing.assert_allclose(moves, expected.moves, rtol=0, atol=within)
    np.testing.assert_allclose(influence, expected.influence, rtol=0, atol=within)
    n, k = expected.points.shape
    places = np.array(clouds, dtype=float).reshape(n, n, -1)
    assert not np.nan_to_num(places[:, :, k:]).any()
    if not stress:  # whose map may be turned as a whole
        size = 10 * within * np.abs(table).max()
        np.testing.assert_allclose(places[:, :, :k], expected.clouds, rtol=0, atol=size)


CHANCE = """const choices = m.cleanChoices(%s, %s, TABLE.length);
const request = { kind: %s, table: TABLE, choices };
const found = m.runNow(m.chanceJob(request));
const tables = [...m.dealtTables(request)];
const words = m.chanceWords(found, choices.dimensions);
console.log(JSON.stringify({ ...found, own: Array.from(found.own), words, tables,
  dealt: found.dealt.map((curve) => Array.from(curve)) }));"""


def beside_chance(tmp_path, table, choices, kind="dissimilarities"):
    """Return what the laboratory says of a table beside dealt ones, and the dealt tables."""
    script = CHANCE % (json.dumps(choices), json.dumps(kind), json.dumps(kind))
    head = f"const TABLE = {json.dumps(np.asarray(table).tolist())};"
    return run_node(tmp_path, laboratory(), head + script)


def shares(D):
    values = classical_scaling(D, n_components=1).spectrum().eigenvalues
    return (values.cumsum() / np.abs(values).sum())[:6]


def test_dimensions_stand_beside_the_same_numbers_dealt_at_random(tmp_path):
    roads = load_eurodist().distances
    found = beside_chance(tmp_path, roads, {"method": "classical"})
    np.testing.assert_allclose(found["own"], shares(roads), atol=1e-8)
    lower = np.tril_indices(21, -1)
    assert len(found["tables"]) == 20
    for table, curve in zip(np.array(found["tables"]), found["dealt"], strict=True):
        np.testing.assert_array_equal(table, table.T)
        np.testing.assert_array_equal(np.sort(table[lower]), np.sort(roads[lower]))
        assert (table != roads).mean() > 0.8
        np.testing.assert_allclose(curve, shares(table), atol=1e-8)
    assert found["words"].endswith("more than in any of them.")
    shuffled = np.array(found["tables"][3])
    assert "no better than chance" in beside_chance(tmp_path, shuffled, {})["words"]


def test_stress_stands_beside_chance_too(tmp_path):
    D = distances(np.random.default_rng(2).normal(size=(12, 2))).round(3)
    found = beside_chance(tmp_path, D, {"method": "stress"})
    assert found["byStress"]
    assert found["own"][1] == pytest.approx(smacof(D, n_components=2).stress, abs=1e-4)
    assert np.array(found["dealt"])[:, 1].min() > 0.1
    assert found["words"].endswith("less than in any of them.")


def test_columns_of_points_are_dealt_each_by_itself(tmp_path):
    rng = np.random.default_rng(3)
    X = rng.normal(size=(30, 1)) @ [[1, 2, 3]] + 0.1 * rng.normal(size=(30, 3))
    found = beside_chance(tmp_path, X, {"method": "pca", "metric": "standardised"}, "points")
    for table in np.array(found["tables"]):
        np.testing.assert_array_equal(np.sort(table, axis=0), np.sort(X, axis=0))
    assert found["own"][0] > 0.95
    assert max(curve[0] for curve in found["dealt"]) < 0.8


def test_the_median_of_an_even_number_of_moves_is_their_middle(tmp_path):
    script = """const found = { moves: [0.5, 0.1, 0.2, 0.3], influence: [1, 2], chosen: [0, 1] };
    console.log(JSON.stringify(m.stabilityWords(found, String, (_, words) => words).plain));"""
    assert "moves by 25 % of" in run_node(tmp_path, laboratory(), script)


def test_the_median_rule_is_said_where_a_width_starts_at_it(tmp_path):
    kernels = ["RBF", "Exponential", "Power", "Polynomial"]
    script = f"""console.log(JSON.stringify({json.dumps(kernels)}.map((kernel) =>
      m.aboutMethod({{ method: "kpca", kernel }}, "points", (_, words) => words))));"""
    said = ["median rule" in words for words in run_node(tmp_path, laboratory(), script)]
    assert said == [True, True, False, False]


SAID = [
    ("equilateral", {"method": "classical"}, "Eigenvalues 1 and 2 are nearly equal", True),
    ("regular", {"method": "classical", "dimensions": 2}, "Eigenvalues 2 and 3 are nearly", True),
    ("cube", {"method": "classical", "dimensions": 3}, "Eigenvalues 1 and 2 are nearly", True),
    ("cloud", {"method": "classical"}, "nearly equal", False),
    ("line", {"method": "classical"}, "the last axis is empty", True),
    ("line", {"method": "classical", "dimensions": 3}, "the other axes are empty", True),
    ("line", {"method": "classical"}, "Every distance is right, to a millionth", True),
    ("random", {"method": "classical"}, "Every distance is right", False),
    ("random", {"method": "classical"}, "no points have these distances", True),
    ("random", {"method": "classical", "additive": "lingoes"}, "with the constant added", True),
    ("random", {"method": "stress"}, "of the classical start with", True),
    ("three", {"method": "stress", "transform": "ordinal"}, "perfect fit that means", True),
    ("random", {"method": "stress", "transform": "ordinal"}, "perfect fit", False),
    (
        "zeros",
        {"method": "classical"},
        "All objects fall on one point. The table holds no difference.",
        True,
    ),
    ("cloud", {"method": "classical"}, "points have these distances. Three exceed a bill", True),
    ("cloud", {"method": "kmds", "parameter": 0.01}, "digits", False),
    ("bent", {"method": "classical"}, "The map holds 99.8 % of the spectrum", True),
    ("line", {"method": "classical"}, "The map holds 100 % of the spectrum", True),
]


def test_words_come_when_they_must_and_not_else(tmp_path):
    texts = ODD | {
        "regular": written(1 - np.eye(4)),
        "cube": written(distances([[i, j, k] for i in (0, 1) for j in (0, 1) for k in (0, 1)])),
        "three": "0 2 3\n2 0 4\n3 4 0",
        "bent": written(np.vstack([np.diag([1, 0.8, 0.0573]), -np.diag([1, 0.8, 0.0573])])),
    }
    cases = [(texts[name], choices) for name, choices, _, _ in SAID]
    script = f"""const link = (_, words) => words;
    console.log(JSON.stringify({json.dumps(cases)}.map(([text, asked]) => {{
      const {{ kind, table }} = m.readTable(text);
      const choices = m.cleanChoices(asked, kind, table.length);
      const fit = m.runNow(m.fitJob({{ kind, table, choices }}));
      return [m.dimensionWords(fit, link), ...Object.values(m.verdictOf(fit, link)).flat(),
        m.nearWords(fit, null, String)].join(" ");
    }})));"""
    found = run_node(tmp_path, laboratory(), script)
    for (name, choices, words, stands), said in zip(SAID, found, strict=True):
        assert (words in said) == stands, (name, choices, said)


def test_the_classical_start_counts_positive_eigenvalues_alone(tmp_path):
    D = np.array([[0, 1, 5, 8], [1, 0, 1, 4], [5, 1, 0, 2], [8, 4, 2, 0]])
    values = classical_scaling(D, 1).spectrum().eigenvalues
    assert values[2] < -1e-3
    script = f"""const table = {json.dumps(D.tolist())};
    const asked = {{ method: "stress", dimensions: 3 }};
    const choices = m.cleanChoices(asked, "dissimilarities", 4);
    const fit = m.runNow(m.fitJob({{ kind: "dissimilarities", table, choices }}));
    console.log(JSON.stringify(fit.goodness[0]));"""
    kept = values[values > 1e-9].sum() / np.abs(values).sum()
    assert run_node(tmp_path, laboratory(), script) == pytest.approx(kept)


def test_few_disparities_are_counted_without_the_diagonal(tmp_path):
    target = np.kron(1 - np.eye(2), np.ones((4, 4))) + 0.25 * (1 - np.eye(8))
    script = f"""const target = Float64Array.from({json.dumps(target.ravel().tolist())});
    const choices = {{ method: "stress", transform: "ordinal", dimensions: 2 }};
    const fit = {{ target, choices, points: new Float64Array(16), columns: 2, stress: 0.1,
      negativeMass: 0, converged: true }};
    console.log(JSON.stringify(m.warnings(fit, (_, words) => words)));"""
    (said,) = run_node(tmp_path, laboratory(), script)
    assert said == "The disparities take two values: this may be a perfect fit that means nothing."


def test_numbers_are_written_for_readers(tmp_path):
    numbers = [0, 1e-4, -0.5, 4532, 1234567, 19538377, -3.2e-9, 1e60]
    script = f"console.log(JSON.stringify({json.dumps(numbers)}.map((x) => m.readable(x, 3))))"
    assert run_node(tmp_path, laboratory(), script) == [
        "0",
        "0.0001",
        "\u22120.5",
        "4530",
        "1230000",
        "1.95 \u00d7 10\u2077",
        "\u22123.2 \u00d7 10\u207b\u2079",
        "1 \u00d7 10\u2076\u2070",
    ]


def test_laboratory_refuses_other_samples():
    with pytest.raises(ValueError, match="sample='moons' is unknown; choose one of roads"):
        laboratory("moons")
