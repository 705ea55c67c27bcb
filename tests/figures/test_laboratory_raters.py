"""Several tables of the same objects: judges and their mean, two maps compared, two directions."""

import numpy as np
import pytest
from scipy.spatial import procrustes

from kmds_lib import classical_scaling, distances
from tests.figures.laboratory import ask, written

NAMES = ["Ada", "Bo", "Cleo", "Dan", "Eve"]
RNG = np.random.default_rng(4)
TABLES = [distances(RNG.normal(size=(5, 3))).round(3) for _ in range(3)]


def named(D, names=NAMES):
    rows = [",".join([name, *map(str, row)]) for name, row in zip(names, D.tolist(), strict=True)]
    return "\n".join([",".join(["", *names]), *rows])


def read_several(text):
    """Return what the laboratory makes of a text that holds several tables."""
    words = "{ const one = m.readTables(text); return [one, m.judgeWords(one)]; }"
    return ask(words, text=text)


FORMS = {
    "blank lines": "\n\n".join(map(named, TABLES)),
    "titles": "\n\n".join(f"# judge {j}\n{named(D)}" for j, D in enumerate(TABLES)),
    "slices of R": "\n\n".join(
        f", , judge {j}\n\n" + named(D).replace(",", " ") for j, D in enumerate(TABLES)
    ),
    "without names": "\n\n".join(map(written, TABLES)),
}


@pytest.mark.parametrize("form", FORMS)
def test_several_tables_are_one_mean_and_its_judges(form):
    found, words = read_several(FORMS[form])
    assert found["wrong"] is None
    mean = np.mean(TABLES, axis=0)
    np.testing.assert_allclose(found["table"], mean, atol=1e-12)
    assert "5 objects, a square table of dissimilarities" in found["said"]
    assert "It is the mean of 3 tables." in found["said"]
    assert found["made"] == "the mean of 3 tables"
    far = [np.linalg.norm(D - mean) / np.linalg.norm(mean) for D in TABLES]
    plain = form in ("blank lines", "without names")
    titles = [f"table {j + 1}" if plain else f"judge {j}" for j in range(3)]
    listed = [f"{titles[j]} {100 * far[j]:.0f} %" for j in np.argsort(far)[::-1]]
    assert ", ".join(listed) in words
    assert "Weighted models" in words


def test_judges_may_have_the_objects_in_another_order():
    order = [3, 0, 4, 1, 2]
    other = named(TABLES[1][np.ix_(order, order)], [NAMES[i] for i in order])
    found, _ = read_several(f"{named(TABLES[0])}\n\n{other}")
    np.testing.assert_allclose(found["table"], (TABLES[0] + TABLES[1]) / 2, atol=1e-12)


COMPARED = """{
  const found = m.laidOn(m.fromRows(Y), k, m.fromRows(Z));
  return { ...found, words: m.comparedWords(found, "the other", String) };
}"""


@pytest.mark.parametrize("k", [2, 3])
def test_two_maps_are_laid_on_one_another_as_scipy_lays_them(k):
    rng = np.random.default_rng(k)
    Y, Z = rng.normal(size=(2, 9, k))
    Z = 40 * (Y + 0.3 * Z) @ np.linalg.qr(rng.normal(size=(k, k)))[0] + 5
    found = ask(COMPARED, Y=Y, Z=Z, k=k)
    first, second, disparity = procrustes(Y, Z)
    assert found["mSquared"] == pytest.approx(disparity, abs=1e-12)
    size = np.linalg.norm(Y - Y.mean(axis=0))
    laid = second * size + Y.mean(axis=0)
    np.testing.assert_allclose(np.reshape(found["points"], (9, k)), laid, atol=1e-10)
    gaps = size * np.linalg.norm(first - second, axis=1)
    np.testing.assert_allclose(found["gaps"], gaps, atol=1e-10)
    far = ", ".join(str(i) for i in np.argsort(gaps)[::-1][:3])
    assert f"m\u00b2 = {disparity:.3f}" in found["words"]
    assert f"Farthest apart: {far}." in found["words"]


OTHER = """{
  const [{ names, table }, reading] = [own, other].map((text) => m.readTable(text));
  const request = { reading, names, count: table.length, choices: {} };
  try {
    const found = m.runNow(m.otherJob(request));
    return { ...found, columns: m.columnsAdded(reading, found.order) };
  } catch (error) {
    return { error: error.message };
  }
}"""


def compared(other):
    """Return the map of another table beside the first, or why there is none."""
    return ask(OTHER, own=named(TABLES[0]), other=other)


def test_another_table_is_mapped_and_put_in_the_order_of_the_first():
    order = [3, 0, 4, 1, 2]
    other = named(TABLES[1][np.ix_(order, order)], [NAMES[i] for i in order])
    found = compared(other)
    expected = classical_scaling(TABLES[1]).points
    np.testing.assert_allclose(
        distances(np.reshape(found["points"], (5, 2))), distances(expected), atol=1e-9
    )
    assert found["columns"] == []


def test_columns_of_another_table_come_with_it():
    other = "name,age,kind,size\nEve,5,x,1\nDan,4,y,3\nCleo,3,x,2\nBo,2,y,9\nAda,1,x,4"
    found = compared(other)
    by_title = {column["title"]: column for column in found["columns"]}
    assert by_title["age"]["values"] == [1, 2, 3, 4, 5]
    assert by_title["size"]["values"] == [4, 9, 2, 3, 1]
    assert by_title["kind"]["cells"] == [*"xyxyx"]


@pytest.mark.parametrize(
    ("other", "words"),
    [
        ("0 1 2\n1 0 3\n2 3 0", "This table has 3 objects, and the map has 5."),
        (named(TABLES[1], [*NAMES[:4], "Finn"]), "The objects of this table have other names."),
        ("some words", "No numbers were found."),
    ],
)
def test_another_table_of_other_objects_is_refused(other, words):
    assert words in compared(other)["error"]


def test_the_skew_part_is_shown_beside_its_share():
    D = np.array([[0, 3, 9, 4], [5, 0, 2, 6], [1, 2, 0, 7], [4, 8, 7, 0]])
    skew = """{
      const reading = m.readTable(text);
      const [repair] = m.repairsOf(reading);
      const after = repair.mend().skew;
      const words = m.skewWords(after, (i) => reading.names[i]);
      return [repair.skew, after, words, m.skewShare(reading.table)];
    }"""
    before, after, words, share = ask(skew, text=named(D, NAMES[:4]))
    np.testing.assert_array_equal(before, (D - D.T) / 2)
    assert before == after
    assert share == pytest.approx(np.sum(((D - D.T) / 2) ** 2) / np.sum(D**2), rel=1e-12)
    assert "from Ada to Cleo, by 8 more than back" in words
    assert ask("m.repairsOf(m.readTable(text))", text=written(TABLES[0])) == []
