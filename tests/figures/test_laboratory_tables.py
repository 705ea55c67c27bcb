"""Tables that people bring, as files: what is said, what is offered, and the map by NumPy."""

import json
import tomllib
from pathlib import Path

import numpy as np
import pytest
from scipy.spatial.distance import pdist, squareform

from kmds_figures.laboratory import laboratory
from kmds_lib import distances
from tests.figures.test_explorers import run_node

FOLDER = Path(__file__).with_name("tables")
EXPECTED = tomllib.loads((FOLDER / "expected.toml").read_text("utf-8"))["table"]
MAPPED = """const found = %s.map(([bytes, presses, metric]) => {
  const reading = m.readTables(m.textOf(Uint8Array.from(bytes)));
  const repairs = [...m.repairsOf(reading), ...m.unfitRepairs(reading, metric)];
  const button = (last, wanted) => [...m.repairsOf(last), ...m.unfitRepairs(last, metric)]
    .find(({ words }) => words === wanted);
  const press = ([last], wanted) => {
    const found = button(last, wanted);
    return [found?.mend() ?? last, found?.metric ?? metric];
  };
  const [last, chosen] = presses.reduce(press, [reading, metric]);
  const { kind, table, names, texts, wrong } = last;
  const sentence = reading.wrong?.sentence ?? reading.said;
  const said = { sentence, after: last.said, kind, table, names,
    asked: repairs.map(({ why }) => why).filter(Boolean).join(" "),
    buttons: repairs.map(({ words }) => words), metric: chosen };
  if (wrong) return said;
  const choices = m.cleanChoices({ method: "classical", metric: chosen }, kind, table.length);
  const fit = m.runNow(m.fitJob({ kind, table, texts, choices }));
  return { ...said, points: Array.from(fit.points), spectrum: Array.from(fit.spectrum) };
});
console.log(JSON.stringify(found));"""


def mapped(tmp_path, cases):
    """Return what the laboratory says and maps of files and of the buttons that are pressed."""
    return run_node(tmp_path, laboratory(), MAPPED % json.dumps(cases))


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


def presses(each):
    """Return the buttons that are pressed, one after the other."""
    given = each.get("press", [])
    return [given] if isinstance(given, str) else given


@pytest.fixture(scope="module")
def found(tmp_path_factory):
    cases = [
        [
            list((FOLDER / each["file"]).read_bytes()),
            presses(each),
            each.get("metric", "euclidean"),
        ]
        for each in EXPECTED
    ]
    return mapped(tmp_path_factory.mktemp("tables"), cases)


def test_every_file_has_its_entry():
    files = {path.name for path in FOLDER.iterdir()} - {"expected.toml"}
    assert files == {each["file"] for each in EXPECTED}
    assert len(files) >= 40


@pytest.mark.parametrize("at", range(len(EXPECTED)), ids=[each["file"] for each in EXPECTED])
def test_a_table_gets_its_sentence_its_buttons_and_its_map(found, at):
    expected, said = EXPECTED[at], found[at]
    assert said["sentence"] == expected["sentence"]
    assert said["asked"] == expected.get("asked", "")
    assert said["buttons"] == expected.get("buttons", [])
    if "press" in expected:
        assert said["after"] == expected["after"]
    if "numbers" not in expected:
        assert "points" not in said
        return
    assert said["kind"] == expected["kind"]
    assert said["names"] == expected.get("names", said["names"])
    np.testing.assert_allclose(said["table"], expected["numbers"], rtol=0, atol=1e-9)
    assert said["metric"] == expected.get("mapped_by", expected.get("metric", "euclidean"))
    D = dissimilarities_of(expected["kind"], expected["numbers"], said["metric"])
    points, values = classical_map(D)
    size = np.abs(values).max() or 1
    np.testing.assert_allclose(said["spectrum"], values, rtol=0, atol=1e-12 * size)
    shown = np.reshape(said["points"], (len(values), -1))
    gaps, wanted = distances(shown), distances(points)
    np.testing.assert_allclose(gaps, wanted, rtol=0, atol=1e-7 * np.sqrt(size))
