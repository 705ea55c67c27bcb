"""The laboratory reads what people paste, fits it as the library does, and says what is so."""

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
    smacof,
)
from tests.figures.laboratory import ask, off, read, run_python, written

ROOT = Path(__file__).resolve().parents[2]


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
SHAPES = [{}, {"first_row": 0}, {"first_row": 0, "whole": True}]


def test_what_r_prints_is_read_whole():
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
    printed = [
        (D, names, printed_by_r(D, names, width, **shape))
        for (D, names), width, shape in itertools.product(cases, [48, 80, 1000], SHAPES)
    ]
    found = read([text for _, _, text in printed])
    for (D, names, text), reading in zip(printed, found, strict=True):
        assert reading["wrong"] is None, text
        assert (reading["kind"], reading["names"]) == ("dissimilarities", names), text
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


def marked(table, form, separator, mark):
    """Return the text of a table whose numbers have other marks."""

    def cell(number):
        text = form.format(number)
        if mark == "swap":
            return text.translate(str.maketrans(",.", ".,"))
        return text if mark == 1 else text.replace(",", mark).replace(".", mark)

    return "\n".join(separator.join(map(cell, row)) for row in table)


def test_thousands_and_decimals_keep_their_size():
    roads, cases = load_eurodist().distances, []
    for form, separator, note, mark in MARKS:
        table = roads / (1000 if form == "{:.3f}" else 1)
        cases.append((table, note, marked(table, form, separator, mark)))
    found = read([text for _, _, text in cases])
    for (table, note, text), reading in zip(cases, found, strict=True):
        assert reading["wrong"] is None, text
        np.testing.assert_allclose(reading["table"], table)
        assert note in reading["said"], text
        assert ("thousands" in reading["said"]) == ("thousands" in note or "Points" in note), text


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
def test_what_was_written_is_read(layout):
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
    for text, (D, names), reading in zip(texts, expected, read(texts), strict=True):
        assert reading["wrong"] is None, text
        assert reading["kind"] == kind, text
        np.testing.assert_array_equal(reading["table"], D, err_msg=text)
        assert reading["names"] == names, text


@pytest.mark.parametrize("write", [str, repr, lambda table: json.dumps(table.tolist())])
def test_what_numpy_prints_is_read(write):
    roads = load_eurodist().distances
    D = distances(np.random.default_rng(2).normal(size=(4, 2))).round(2)
    with np.printoptions(threshold=10_000):
        texts = [write(table) for table in (D, 1e7 * D, roads, roads.astype(int))]
    *found, cut = read([*texts, str(np.zeros((100, 100)))])
    for table, reading in zip((D, 1e7 * D, roads, roads), found, strict=True):
        assert reading["wrong"] is None
        np.testing.assert_allclose(reading["table"], table, rtol=1e-7)
    assert "NumPy left numbers out" in cut["wrong"]["sentence"]


def test_a_table_that_was_saved_is_read_again():
    texts = ["1 2\n3 4\n5 7", "x,y\n1,2\n3,4\n5,7", "1990 1 2\n1991 3 4", "0 3 4\n3 0 5\n4 5 0"]
    again = """texts.map((text) => m.readTable(text)).flatMap(({ table, columns }) => {
      const header = table[0].map((_, c) => columns[c] || `x${c + 1}`);
      const years = table.map((_, i) => String(1990 + i));
      return [null, years].map((names) => [table, m.readTable(m.csvOf(header, names, table))]);
    })"""
    found = ask(again, texts=texts)
    for (table, reading), first in zip(found, ["0", "1990"] * len(texts), strict=True):
        assert (reading["table"], reading["names"][0]) == (table, first)


def test_a_large_table_between_spaces_is_read_as_quickly():
    D = distances(np.random.default_rng(5).normal(size=(400, 3))).round(3)
    least = """[",", " "].map((separator) => {
      const words = text.replaceAll(",", separator);
      const once = () => {
        const before = process.cpuUsage();
        m.readTable(words);
        const { user, system } = process.cpuUsage(before);
        return user + system;
      };
      return Math.min(once(), once(), once());
    })"""
    commas, spaces = ask(least, text=written(D))
    assert spaces < 5 * commas


def test_files_are_read_in_the_encodings_of_spreadsheets():
    text = "Z\u00fcrich;0;1\nBern;1;0"
    kinds = ["utf-8", "utf-8-sig", "utf-16", "utf-16-be", "windows-1252"]
    marks = {"utf-16-be": b"\xfe\xff"}
    files = [list(marks.get(kind, b"") + text.encode(kind)) for kind in kinds]
    texts = ask("files.map((bytes) => m.textOf(Uint8Array.from(bytes)))", files=files)
    for found in texts:
        assert found.removeprefix("\ufeff") == text


def test_files_of_spreadsheets_get_a_sentence_of_their_own():
    begins = [b"PK\x03\x04 xl/", b"\xd0\xcf\x11\xe0\xa1", b"%PDF-1.7", b"a,b\n1,2"]
    said = "files.map((bytes) => m.noText(Uint8Array.from(bytes)))"
    new, old, printed, plain = ask(said, files=list(map(list, begins)))
    assert new == old
    assert "save the sheet with the table as CSV" in new
    assert "This is a PDF" in printed
    assert plain is None


MISSING = """{
  const reading = m.repairsOf(m.readTable(text))[0].mend();
  const fit = fitted(reading, { method: "classical", transform: "ordinal" }, { patchy: true });
  const request = { ...reading, choices: fit.choices };
  const { clouds } = m.runNow(m.stabilityJob({ request, points: fit.points }));
  const [csv, python] = [m.tableCsv(reading), m.pythonCode(reading, fit.choices)];
  return { ...reading, ...fit, method: fit.choices.method, moved: clouds.length, csv, python };
}"""


def test_missing_dissimilarities_are_left_to_stress_as_the_library_leaves_them(tmp_path):
    rng = np.random.default_rng(4)
    D = distances(rng.normal(size=(9, 2))) * rng.uniform(0.9, 1.1, (9, 9))
    D = (D + D.T).round(3)
    for i, j in [(0, 4), (2, 7), (3, 8)]:
        D[i, j] = D[j, i] = np.nan
    D[5, 6] = np.nan  # its other direction is there
    found = ask(MISSING, text=written(D).replace("nan", "NA"))
    assert (found["method"], found["wrong"], found["moved"]) == ("stress", None, 9)
    assert "3 of 36 dissimilarities are missing" in found["said"]
    D[5, 6] = D[6, 5]
    expected = smacof(D, n_components=2, weights=~np.isnan(D), tol=1e-9)
    assert found["stress"] == pytest.approx(expected.stress, abs=1e-4)
    assert off(found["points"], expected.points) < 1e-2
    fit = run_python(tmp_path, found["csv"], found["python"])["fit"]
    assert fit.stress == pytest.approx(found["stress"], abs=1e-4)


def test_distances_are_not_asked_about():
    rng = np.random.default_rng(11)
    points = [distances(rng.normal(size=(12, k))) for k in (1, 2, 5)]
    spread = rng.uniform(1, 2, (12, 12))
    tables = [*points, (spread + spread.T) * (1 - np.eye(12)), load_eurodist().distances]
    slip = points[1].copy()
    slip[0, 1] = slip[1, 0] = 5 * slip.max()
    tables += [slip, points[0].round(3)]
    offers = "texts.map((text) => m.repairsOf(m.readTable(text)))"
    assert ask(offers, texts=list(map(written, tables))) == [[]] * len(tables)


METRICS = ["cityblock", "correlation", "cosine", "braycurtis", "jaccard", "gower"]
MEASURED = """{
  const reading = m.readTable(text);
  return metrics.map((metric) => {
    const fit = fitted(reading, { method: "pca", metric });
    const [csv, python] = [m.tableCsv(reading, fit.choices), m.pythonCode(reading, fit.choices)];
    return { ...fit, csv, python, report: m.report(fit, reading, "", link) };
  });
}"""


def test_each_dissimilarity_is_scipys_and_its_python_gives_the_map(tmp_path):
    rng = np.random.default_rng(6)
    X = rng.poisson(0.9, (8, 4)) + np.eye(8, 4)[::-1] + np.eye(8, 4)
    kinds = list("xxyyxyxy")
    text = "name,a,b,c,d,kind\n" + "\n".join(
        f"r{i},{','.join(map(str, row))},{kinds[i]}" for i, row in enumerate(X)
    )
    found = ask(MEASURED, text=text, metrics=METRICS)
    for metric, fit in zip(METRICS, found, strict=True):
        assert fit["choices"]["method"] == "classical"
        if metric == "gower":
            gaps = [*(np.abs(np.subtract.outer(x, x)) / np.ptp(x) for x in X.T)]
            D = np.mean([*gaps, np.not_equal.outer(kinds, kinds)], axis=0)
        else:
            D = squareform(pdist(X != 0 if metric == "jaccard" else X, metric))
        np.testing.assert_allclose(np.reshape(fit["delta"], (8, 8)), D, atol=1e-12)
        again = run_python(tmp_path, fit["csv"], fit["python"])["fit"]
        assert again.explained == pytest.approx(fit["goodness"][0], abs=2e-6)
        assert " distances," in fit["report"]


def test_words_are_left_out_with_their_row():
    moves = """{
      const mixed = { kind: "points", table, texts };
      const { choices, delta, points } = fitted(mixed, { metric: "gower" });
      const alone = { kind: "dissimilarities", table: m.toRows(delta, 6) };
      return [mixed, alone].map((one) =>
        m.runNow(m.stabilityJob({ request: { ...one, choices }, points })).moves);
    }"""
    texts = [{"cells": [*"abbcca"]}]
    mixed, alone = ask(moves, table=[[0], [0], [1], [1], [0], [1]], texts=texts)
    np.testing.assert_allclose(mixed, alone, atol=1e-9)
    assert max(mixed) > 0.01


def test_rows_without_a_dissimilarity_are_named():
    told = """["cosine", "braycurtis", "correlation"].map((metric) => {
      try { return m.dissimilaritiesBy(metric, table); } catch (error) { return error.message; }
    })"""
    cosine, amounts, correlation = ask(told, table=[[1, 2], [0, 0], [3, -1]])
    assert cosine.startswith("Row 1 holds zeros alone")
    assert amounts.startswith("Row 2 holds a negative number")
    assert correlation.startswith("Row 1 holds one number throughout")


def test_samples_are_what_they_say():
    offered = {sample["name"]: sample for sample in laboratory().samples}
    found = read([sample["text"] for sample in offered.values()])
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
    **{sample["name"]: sample["text"] for sample in laboratory().samples[:3]},
}
FIT_ALL = """texts.flatMap(([name, text]) => {
  const reading = m.readTable(text);
  const { kind, table, names } = reading;
  const [csv, n] = [m.csvOf(table[0].map(String), names, table), table.length];
  const asked = m.methodsFor(kind).flatMap((method) => [2, 3].flatMap((dimensions) =>
    options[method].map((option) => ({ method, dimensions, ...option }))));
  return asked.map((choices) => {
    try {
      const fit = fitted(reading, choices);
      const words = [m.report(fit, reading, "", link), m.dimensionWords(fit, link),
        ...Object.values(m.verdictOf(fit, link)).flat(), m.nearWords(fit, null, String),
        m.nearWords(fit, 0, String), m.aboutMethod(fit.choices, kind, link)].join(" ");
      const [python, saved] = [m.pythonCode(reading, fit.choices), m.pointsCsv(fit, names)];
      return { ...fit, name, n, asked: choices, words, python, csv, saved };
    } catch (error) {
      return { name, asked: choices, error: error.message };
    }
  });
})"""
OPTIONS = {
    "classical": [{}, {"additive": "lingoes"}, {"additive": "cailliez"}],
    "stress": [{}],
    "pca": [{}, {"metric": "standardised"}],
    "kmds": [{"kernel": "RBF"}, {"kernel": "Exponential"}, {"kernel": "Power", "parameter": 1.5}],
    "kpca": [{"kernel": "RBF"}, {"kernel": "Polynomial", "parameter": 3}],
}
REFUSED = re.compile(r"All dissimilarities are 0|The kernel matrix (over|under)flows|K gives no")
UNREADABLE = re.compile(r"e[-+\u2212]\d|NaN|undefined|\binf|null| no dimensions")


@pytest.mark.filterwarnings("ignore::kmds_lib.results.FewerComponentsWarning")
def test_odd_tables_are_fitted_as_the_library_fits_them(tmp_path):
    found = ask(FIT_ALL, texts=list(ODD.items()), options=OPTIONS)
    assert len(found) > 150
    for fit in found:
        case = f"{fit['name']}: {fit['asked']}"
        if "error" in fit:
            assert REFUSED.search(fit["error"]), case
            continue
        assert not UNREADABLE.search(fit["words"]), (case, fit["words"])
        compare_fits(case, fit, run_python(tmp_path, fit["csv"], fit["python"])["fit"])


def compare_fits(case, found, expected):
    """Compare what the page found with what its Python finds: map and figures."""
    points = np.reshape(found["points"], (found["n"], -1))
    if found["stress"] is not None:
        target = np.reshape(found["target"], (found["n"], -1))
        assert kruskal_stress(points, target) == pytest.approx(found["stress"], abs=1e-9), case
    if found["asked"]["method"] == "stress":
        assert found["stress"] == pytest.approx(expected.stress, abs=1e-3), case
        assert off(points, expected.points) < 2e-2, case
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
    spectrum = found["spectrum"][: len(values)]
    np.testing.assert_allclose(spectrum, values, rtol=0, atol=1e-8 * np.abs(values).max())
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
@pytest.mark.filterwarnings("ignore::kmds_lib.results.FewerComponentsWarning")
def test_leaving_out_gives_the_clouds_of_the_library(table, asked, fit, within, dimensions):
    kind = "points" if table is CLOUD else "distances"
    left_out = """{
      const { choices, points } = fitted({ kind, table }, asked);
      return m.runNow(m.stabilityJob({ request: { kind, table, choices }, points }));
    }"""
    asked |= {"dimensions": dimensions}
    found = ask(left_out, kind=kind, table=table, asked=asked)
    stress, metric = asked["method"] == "stress", {"points": "euclidean"}.get(kind, "precomputed")
    fit = partial(fit, n_components=dimensions)
    expected = leave_one_out(table, fit, metric=metric, from_map=stress)
    np.testing.assert_allclose(found["moves"], expected.moves, rtol=0, atol=within)
    np.testing.assert_allclose(found["influence"], expected.influence, rtol=0, atol=within)
    n, k = expected.points.shape
    places = np.array(found["clouds"], dtype=float).reshape(n, n, -1)
    assert not np.nan_to_num(places[:, :, k:]).any()
    if not stress:  # whose map may be turned as a whole
        size = 10 * within * np.abs(table).max()
        np.testing.assert_allclose(places[:, :, :k], expected.clouds, rtol=0, atol=size)


CHANCE = """{
  const choices = m.cleanChoices(asked, kind, table.length);
  const request = { kind, table, choices };
  const found = m.runNow(m.chanceJob(request));
  return { ...found, words: m.chanceWords(found, choices.dimensions),
    tables: [...m.dealtTables(request)] };
}"""


def beside_chance(table, asked, kind="dissimilarities"):
    """Return what the laboratory says of a table beside dealt ones, and the dealt tables."""
    return ask(CHANCE, table=table, asked=asked, kind=kind)


def shares(D):
    values = classical_scaling(D, n_components=1).spectrum().eigenvalues
    return (values.cumsum() / np.abs(values).sum())[:6]


def test_dimensions_stand_beside_the_same_numbers_dealt_at_random():
    roads = load_eurodist().distances
    found = beside_chance(roads, {"method": "classical"})
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
    assert "no better than chance" in beside_chance(shuffled, {})["words"]


def test_stress_stands_beside_chance_too():
    D = distances(np.random.default_rng(2).normal(size=(12, 2))).round(3)
    found = beside_chance(D, {"method": "stress"})
    assert found["byStress"]
    assert found["own"][1] == pytest.approx(smacof(D, n_components=2).stress, abs=1e-4)
    assert np.array(found["dealt"])[:, 1].min() > 0.1
    assert found["words"].endswith("less than in any of them.")


def test_columns_of_points_are_dealt_each_by_itself():
    rng = np.random.default_rng(3)
    X = rng.normal(size=(30, 1)) @ [[1, 2, 3]] + 0.1 * rng.normal(size=(30, 3))
    found = beside_chance(X, {"method": "pca", "metric": "standardised"}, "points")
    for table in np.array(found["tables"]):
        np.testing.assert_array_equal(np.sort(table, axis=0), np.sort(X, axis=0))
    assert found["own"][0] > 0.95
    assert max(curve[0] for curve in found["dealt"]) < 0.8


def test_who_moves_and_who_holds_the_map_is_said():
    found = {"moves": [0.5, 0.1, 0.2, 0.3], "influence": [0.01, 0.0234], "chosen": [1, 3]}
    assert ask("m.stabilityWords(found, String, link)", found=found) == {
        "html": "2 of 4 objects were left out in turn, and each map of the others was laid on "
        "this one. ",
        "plain": "An object moves by 25 % of the map\u2019s radius (median); most of all 0, by "
        "50 %. Leaving out 3 moves the others most, by 2.3 %.",
    }


def test_a_width_starts_at_the_median_rule_and_it_is_said():
    kernels = ["RBF", "Exponential", "Power", "Polynomial"]
    about = """kernels.map((kernel) =>
      [m.aboutMethod({ method: "kpca", kernel }, "points", link), fitted(roads,
        { method: "kmds", kernel }).choices.parameter])"""
    D = load_eurodist().distances
    roads = {"kind": "dissimilarities", "table": D}
    found = ask(about, kernels=kernels, roads=roads)
    assert ["median rule" in words for words, _ in found] == [True, True, False, False]
    median = np.median(D[np.triu_indices(len(D), 1)])
    for (_, theta), power in zip(found, (2, 1), strict=False):
        assert theta * median**power == pytest.approx(0.5, rel=1e-3)


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


def test_words_come_when_they_must_and_not_else():
    texts = ODD | {
        "regular": written(1 - np.eye(4)),
        "cube": written(distances([[i, j, k] for i in (0, 1) for j in (0, 1) for k in (0, 1)])),
        "three": "0 2 3\n2 0 4\n3 4 0",
        "bent": written(np.vstack([np.diag([1, 0.8, 0.0573]), -np.diag([1, 0.8, 0.0573])])),
    }
    said = """cases.map(([text, asked]) => {
      const fit = fitted(m.readTable(text), asked);
      return [m.dimensionWords(fit, link), ...Object.values(m.verdictOf(fit, link)).flat(),
        m.nearWords(fit, null, String)].join(" ");
    })"""
    cases = [(texts[name], choices) for name, choices, _, _ in SAID]
    found = ask(said, cases=cases)
    for (name, choices, words, stands), said in zip(SAID, found, strict=True):
        assert (words in said) == stands, (name, choices, said)


def test_the_classical_start_counts_positive_eigenvalues_alone():
    D = np.array([[0, 1, 5, 8], [1, 0, 1, 4], [5, 1, 0, 2], [8, 4, 2, 0]])
    values = classical_scaling(D, 1).spectrum().eigenvalues
    assert values[2] < -1e-3
    table = {"kind": "dissimilarities", "table": D}
    start = 'fitted(table, { method: "stress", dimensions: 3 }).goodness[0]'
    kept = values[values > 1e-9].sum() / np.abs(values).sum()
    assert ask(start, table=table) == pytest.approx(kept)


def test_few_disparities_are_counted_without_the_diagonal():
    target = np.kron(1 - np.eye(2), np.ones((4, 4))) + 0.25 * (1 - np.eye(8))
    fit = {
        "choices": {"method": "stress", "transform": "ordinal", "dimensions": 2},
        "points": [0] * 16,
        "columns": 2,
        "stress": 0.1,
        "negativeMass": 0,
        "converged": True,
    }
    (said,) = ask("m.warnings({ ...fit, target }, link)", fit=fit, target=target.ravel())
    assert said == "The disparities take two values: this may be a perfect fit that means nothing."


def test_numbers_are_written_for_readers():
    numbers = [0, 1e-4, -0.5, 4532, 1234567, 19538377, -3.2e-9, 1e60]
    assert ask("numbers.map((x) => m.readable(x, 3))", numbers=numbers) == [
        "0",
        "0.0001",
        "\u22120.5",
        "4530",
        "1230000",
        "1.95 \u00d7 10\u2077",
        "\u22123.2 \u00d7 10\u207b\u2079",
        "1 \u00d7 10\u2076\u2070",
    ]
