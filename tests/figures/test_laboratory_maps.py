"""The map of the laboratory lies as its reader laid it: on the screen, saved, and in Python."""

import json

import nbformat
import numpy as np
import pytest
from nbclient import NotebookClient

from _ext.site_config import read_site_config
from kmds_figures.laboratory import LIBRARY
from kmds_lib import procrustes_align
from tests.figures.laboratory import ask, run_python, written

CLOUD = np.random.default_rng(8).normal(size=(11, 3)).round(3)

TURNS = [(2, [30, 1]), (2, [-140.5, -1]), (2, [0, -1]), (3, [0, -1]), (3, [0, 1]), (2, [0, 1])]


TURNED = """cases.map(([k, turn]) => {
  const points = m.fromRows(Y).slice(0, 10 * k);
  const matrix = m.turnMatrix(turn, k);
  const rows = [0, 1, 2].map((i) => [0, 1, 2].map((j) => Number(i === j)));
  const shown = m.fromRows(m.multiply(m.toRows(points, k), m.toRows(matrix, k)));
  const again = m.layOnto(points, k, shown, { filled: k, R: rows });
  const more = m.turnedMore(turn, k, { degrees: 15 });
  return { matrix, again, more, flip: m.turnedMore(turn, k, { mirrored: true }) };
})"""


def matrix_of(k, turn):
    """Return the orthogonal matrix that a turn stands for, by its definition."""
    angle, side = np.radians(turn[0]), turn[1]
    if k == 3:
        return np.diag([side, 1, 1])
    rotation = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    return rotation @ np.diag([1, side])


def test_a_turn_is_an_orthogonal_matrix_and_is_found_again():
    all_found = ask(TURNED, cases=TURNS, Y=CLOUD)
    for (k, turn), found in zip(TURNS, all_found, strict=True):
        M = matrix_of(k, turn)
        np.testing.assert_allclose(np.reshape(found["matrix"], (k, k)), M, atol=1e-15)
        assert found["again"]["turn"] == turn
        if k == 3:
            np.testing.assert_allclose(found["again"]["R"], np.eye(3), atol=1e-12)
            assert found["flip"] == [0, -turn[1]]
            continue
        more = M @ matrix_of(2, [15, 1])
        np.testing.assert_allclose(matrix_of(2, found["more"]), more, atol=2e-3)
        flipped = M @ np.diag([-1, 1])
        np.testing.assert_allclose(matrix_of(2, found["flip"]), flipped, atol=2e-3)


def test_a_solid_map_keeps_its_axes_and_is_seen_from_another_side():
    rng = np.random.default_rng(4)
    Q = np.linalg.qr(rng.normal(size=(3, 3)))[0]
    for sign in (1, -1):
        Q[:, 0] *= sign
        laid = """m.layOnto(m.fromRows(Y), 3, m.fromRows(shown),
          { filled: 3, R: m.cameraRows([0, 1, 0, 0, 0, 1, 1, 0, 0]) })"""
        found = ask(laid, Y=CLOUD, shown=CLOUD @ Q)
        before = np.roll(np.eye(3), 1, axis=1) @ (CLOUD @ Q).T
        after = np.array(found["R"]) @ (CLOUD @ matrix_of(3, found["turn"])).T
        np.testing.assert_allclose(after, before, atol=1e-10)
        assert np.linalg.det(found["R"]) == pytest.approx(1)
        assert found["turn"][1] == np.sign(np.linalg.det(Q))


SHOWN = """{
  const reading = m.readTable(text, { as: "points" });
  const { points, choices, columns } = fitted(reading, { method: "classical", turn, dimensions });
  const k = choices.dimensions;
  const turned = m.multiply(m.toRows(points, k), m.toRows(m.turnMatrix(choices.turn, k), k));
  const saved = m.pointsCsv({ choices, columns }, null, m.fromRows(turned));
  const code = m.pythonCode(reading, choices, { columns, library });
  const csv = m.tableCsv(reading);
  return { code, csv, saved, notebook: m.notebookOf(csv, code, library) };
}"""


def python_of(table, turn, dimensions=2):
    """Return the Python, the saved points and the notebook of a turned classical map."""
    given = {"text": written(table), "turn": turn, "dimensions": dimensions, "library": LIBRARY}
    return ask(SHOWN, **given)


def saved_points(csv):
    return np.array([line.split(",")[1:] for line in csv.splitlines()[1:]], dtype=float)


LINE = np.array([[1.0], [2], [4], [9]]) @ [[1, 2]]


@pytest.mark.parametrize(
    ("table", "dimensions", "turn"),
    [
        (CLOUD, 2, [30, 1]),
        (CLOUD, 2, [-75.5, -1]),
        (CLOUD, 3, [0, -1]),
        (LINE, 2, [180, 1]),
        (LINE, 2, [180, -1]),
    ],
)
@pytest.mark.filterwarnings("ignore::kmds_lib.results.FewerComponentsWarning")
def test_python_turns_the_points_as_the_page_saves_them(tmp_path, table, dimensions, turn):
    found = python_of(table, turn, dimensions)
    names = run_python(tmp_path, found["csv"], found["code"])
    points = saved_points(found["saved"])
    np.testing.assert_allclose(names["points"], points, atol=1e-9)
    plain = names["fit"].points
    assert np.abs(plain - points).max() > 0.1
    assert procrustes_align(points, target=plain).residual == pytest.approx(0, abs=1e-9)


def test_the_python_begins_with_the_line_that_installs():
    found = python_of(CLOUD, [0, 1])
    archive = read_site_config().archive
    assert found["code"].splitlines()[0] == f'# pip install "kmds_lib @ {archive}"'
    assert found["code"].splitlines()[-1] == "points = fit.points"


def test_the_notebook_runs_and_gives_the_points_of_the_page(tmp_path):
    found = python_of(CLOUD, [30, -1])
    notebook = nbformat.reads(found["notebook"], as_version=4)
    nbformat.validate(notebook)
    notebook.cells.append(nbformat.v4.new_code_cell("print(points.tolist())"))
    NotebookClient(notebook, resources={"metadata": {"path": str(tmp_path)}}).execute()
    (printed,) = notebook.cells[-1].outputs
    np.testing.assert_allclose(json.loads(printed.text), saved_points(found["saved"]), atol=1e-9)
    installs = [cell.source for cell in notebook.cells if "pip install" in cell.source]
    assert len(installs) == 1
    assert installs[0].startswith("try:\n    import kmds_lib")


WRONG = [
    ({"turn": [400, 1]}, [0, 1], None),
    ({"turn": [10, 2]}, [0, 1], None),
    ({"turn": "x", "camera": [0] * 9}, [0, 1], None),
    ({"turn": [20, -1], "dimensions": 3, "camera": [5] * 9}, [0, -1], None),
    ({"turn": [20, -1]}, [20, -1], None),
]


def test_a_link_cannot_ask_for_more_than_a_turn():
    cleaned = """asked.map((each) => m.cleanChoices(each, "points", 9))"""
    found = ask(cleaned, asked=[asked for asked, _, _ in WRONG])
    for (asked, turn, camera), choices in zip(WRONG, found, strict=True):
        assert (choices["turn"], choices["camera"]) == (turn, camera), asked
