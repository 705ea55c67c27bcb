"""Columns of the laboratory: they colour the map, name its points, and grow along arrows."""

import numpy as np
import pytest
from sklearn.datasets import load_iris

from tests.figures.laboratory import ask, run_python

X = load_iris().data
GROWN = """{
  const columns = X[0].map((_, c) => ({ title: `c${c}`, values: X.map((row) => row[c]) }));
  const points = m.fromRows(Y);
  return { found: columns.map(({ values }) => m.propertyVector(points, k, values)),
    order: m.arrowsOf(points, k, columns).map(({ title }) => title) };
}"""


@pytest.mark.parametrize("k", [1, 2, 3])
def test_an_arrow_is_the_regression_of_its_column_on_the_map(k):
    rng = np.random.default_rng(k)
    Y = rng.normal(size=(30, k)) * [5, 1, 0.1][:k] + 7
    columns = Y @ rng.normal(size=(k, 10)) + rng.normal(size=(30, 10)) * np.arange(10) + 100
    columns[:, 9] = 4.5
    found = ask(GROWN, Y=Y, X=columns, k=k)
    A = np.column_stack([np.ones(30), Y])
    slopes = np.linalg.lstsq(A, columns, rcond=None)[0]
    grown = A @ slopes
    for c, arrow in enumerate(found["found"][:9]):
        direction = slopes[1:, c] / np.linalg.norm(slopes[1:, c])
        np.testing.assert_allclose(arrow["direction"], direction, atol=1e-8)
        share = grown[:, c].var() / columns[:, c].var()
        assert arrow["rSquared"] == pytest.approx(share, abs=1e-9)
    assert found["found"][9]["rSquared"] == 0
    shares = [arrow["rSquared"] for arrow in found["found"]]
    assert found["order"] == [f"c{c}" for c in np.argsort(shares)[::-1][:8]]


def test_a_map_on_a_line_has_arrows_along_it():
    Y = np.column_stack([np.arange(6.0), np.zeros(6)])
    (arrow,) = ask(GROWN, Y=Y, X=Y[:, :1] ** 2, k=2)["found"]
    assert arrow["direction"] == [1, 0]
    assert arrow["rSquared"] == pytest.approx(np.corrcoef(Y[:, 0], Y[:, 0] ** 2)[0, 1] ** 2)


GROUPED = """columns.map((values) => {
  const { kinds, of, look } = m.groupsBy({ values });
  return { kinds, at: values.map((_, i) => of(i)), looks: kinds.map((_, g) => look(g)) };
})"""


def test_numbers_colour_by_value_or_in_five_classes_of_like_size():
    many = X[:, 0].tolist()
    few = [3, 1, 2, 2, 1]
    one = [2.5] * 8
    skewed = [0.0] * 60 + list(range(1, 41))
    classes, values, alone, heap = ask(GROUPED, columns=[many, few, one, skewed])
    assert np.bincount(classes["at"]).min() >= 20
    order = np.argsort(many)
    assert (np.diff(np.array(classes["at"])[order]) >= 0).all()
    assert len({look["d"] for look in classes["looks"]}) == 5
    assert classes["kinds"][0] == f"{min(many):g} to 5"
    assert (values["kinds"], values["at"]) == (["1", "2", "3"], [2, 0, 1, 1, 0])
    assert (alone["kinds"], alone["at"]) == (["2.5"], [0] * 8)
    assert len(heap["kinds"]) == len(set(heap["kinds"])) == len(set(heap["at"]))
    assert heap["kinds"][0] == "0"


def test_a_column_is_chosen_by_a_key_and_else_what_is_usual():
    asked = ["n0", "w12", "none", "auto", "x1", 7, None, "n0<b>"]
    clean = """asked.map((colour) => m.cleanChoices({ colour, arrows: "yes" }, "points", 5))"""
    found = ask(clean, asked=asked)
    assert [each["colour"] for each in found] == ["n0", "w12", "none", *["auto"] * 5]
    assert not any(each["arrows"] for each in found)


def test_the_python_gives_the_r_squared_of_the_arrows(tmp_path):
    rows = "\n".join(",".join(map(str, row)) for row in X.tolist())
    arrowed = """{
      const reading = m.readTable(text);
      const { points, choices } = fitted(reading, { method: "pca", arrows: true });
      const arrows = m.arrowsOf(points, 2, m.columnsIn(reading));
      return { python: m.pythonCode(reading, choices), arrows,
        csv: m.tableCsv(reading), said: m.arrowWords(arrows, 4) };
    }"""
    found = ask(arrowed, text=f"a,b,c,d\n{rows}")
    names = run_python(tmp_path, found["csv"], found["python"])
    expected = dict(zip("abcd", names["r_squared"], strict=True))
    assert [arrow["title"] for arrow in found["arrows"]] == sorted("abcd", key=expected.get)[::-1]
    for arrow in found["arrows"]:
        assert arrow["rSquared"] == pytest.approx(expected[arrow["title"]], abs=1e-9)
        assert f"{arrow['title']} {arrow['rSquared']:.2f}" in found["said"]
