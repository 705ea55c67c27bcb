"""Tables that people bring: what is said, what is offered, and the map by NumPy."""

import tomllib
from pathlib import Path

import numpy as np
import pytest
from scipy.spatial.distance import pdist, squareform

from kmds_lib import distances
from tests.figures.laboratory import ask, read

TABLES = tomllib.loads(Path(__file__).with_name("laboratory_tables.toml").read_text("utf-8"))
EXPECTED = {
    name: {"text": text, "press": each["buttons"] if "after" in each else []} | each
    for each in TABLES["table"]
    for name, text in each["texts"].items()
}
# What a sentence calls a table, and its kind.
KINDS = {
    "table of dissimilarities": "dissimilarities",
    "table of similarities": "gram",
    " points, ": "points",
}
MAPPED = """given.map(({ text, press, metric = "euclidean", as = "auto" }) => {
  const offered = (reading) => [...m.repairsOf(reading), ...m.unfitRepairs(reading, metric)];
  const pressed = ([reading, chosen], wanted) => {
    const button = offered(reading).find(({ words }) => words === wanted);
    return [button.mend(), button.metric ?? chosen];
  };
  const first = m.readTables(text, { as });
  const [last, chosen] = press.reduce(pressed, [first, metric]);
  const asked = offered(first).map(({ why }) => why).filter(Boolean).join(" ");
  const buttons = offered(first).map(({ words }) => words);
  const fit = last.wrong ? null : fitted(last, { method: "classical", metric: chosen });
  return { first, asked, buttons, last, metric: chosen, fit };
})"""


def dissimilarities_of(kind, numbers, metric):
    """Return the dissimilarities of a table, by their definitions."""
    table = np.array(numbers, dtype=float)
    if kind == "gram":
        squares = np.diag(table)
        return np.sqrt(squares[:, None] + squares - 2 * table)
    return squareform(pdist(table, metric)) if kind == "points" else table


def classical_map(D, k=2):
    """Return points and spectrum of classical scaling, with NumPy alone."""
    H = np.eye(len(D)) - 1 / len(D)
    values, V = np.linalg.eigh(-0.5 * H @ D**2 @ H)
    kept = np.maximum(values[::-1][:k], 0)
    return V[:, ::-1][:, :k] * np.sqrt(kept), values[::-1]


@pytest.fixture(scope="module")
def found():
    """What the laboratory says and maps of each text and of the buttons that are pressed."""
    assert len(EXPECTED) == sum(len(each["texts"]) for each in TABLES["table"])
    given = list(EXPECTED.values())
    all_found = ask(MAPPED, given=given)
    return dict(zip(EXPECTED, all_found, strict=True))


@pytest.mark.parametrize("name", EXPECTED)
def test_a_table_gets_its_sentence_its_buttons_and_its_map(found, name):
    expected, said = EXPECTED[name], found[name]
    first, last, wrong = said["first"], said["last"], said["first"]["wrong"]
    assert (wrong["sentence"] if wrong else first["said"]) == expected["sentence"]
    assert (wrong and wrong["entry"]) == expected.get("entry")
    assert said["asked"] == expected.get("asked", "")
    assert said["buttons"] == expected.get("buttons", [])
    if "after" in expected:
        assert last["said"] == expected["after"]
        assert last.get("made") == expected.get("made")
    if "report" in expected:
        assert last["repaired"] == expected["report"]
    assert (last["wrong"] is None) == ("numbers" in expected)
    if last["wrong"]:
        return
    assert last["kind"] == next(kind for words, kind in KINDS.items() if words in last["said"])
    assert (last["names"] or []) == expected.get("names", [])
    assert (last["groups"] or []) == expected.get("groups", [])
    np.testing.assert_allclose(last["table"], expected["numbers"], rtol=0, atol=1e-9)
    assert said["metric"] == expected.get("mapped_by", expected.get("metric", "euclidean"))
    D = dissimilarities_of(last["kind"], expected["numbers"], said["metric"])
    points, values = classical_map(D)
    size = np.abs(values).max() or 1
    np.testing.assert_allclose(said["fit"]["spectrum"], values, rtol=0, atol=1e-12 * size)
    if len(values) > 2 and values[1] > 1e-9 * size and values[1] - values[2] < 1e-9 * size:
        return  # the plane of the map is open
    shown = np.reshape(said["fit"]["points"], (len(values), -1))
    gaps, wanted = distances(shown), distances(points)
    np.testing.assert_allclose(gaps, wanted, rtol=0, atol=1e-7 * np.sqrt(size))


def test_too_much_is_refused():
    wide = "1," * 10_000 + "1\n" + "2," * 10_000 + "1"
    columns, rows = (each["wrong"]["sentence"] for each in read([wide, "1 2\n" * 2001]))
    assert "10001 columns of numbers" in columns
    assert "2001 rows; the laboratory takes up to 2000" in rows
