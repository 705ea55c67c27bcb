"""The laboratory saves rotated maps, Python code and notebooks that reproduce the screen."""

import json

import nbformat
import numpy as np
import pytest
from nbclient import NotebookClient
from numpy.testing import assert_allclose
from sklearn.datasets import load_iris

from kmds_figures.laboratory import LIBRARY
from kmds_lib import procrustes_align
from tests.web.laboratory_helpers import csv_text, run_laboratory, run_python

CLOUD = np.random.default_rng(8).normal(size=(11, 3)).round(3)
LINE = np.array([[1.0], [2], [4], [9]]) @ [[1, 2]]
ROTATIONS = [(2, [30, 1]), (2, [-140.5, -1]), (2, [0, 1]), (3, [0, -1])]


def test_rotations_and_reflections_are_recovered():
    recovered = "cases.map((each) => m.recoverRotation(Y, R, ...each))"
    all_found = run_laboratory(recovered, cases=ROTATIONS, Y=CLOUD, R=np.eye(3))
    for (k, rotation), (Q, found) in zip(ROTATIONS, all_found, strict=True):
        degrees, sign = rotation
        c, s = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
        expected = np.array([[c, -s], [s, c]]) if k == 2 else np.eye(3)
        reflection = np.diag([1, sign] if k == 2 else [sign, 1, 1])
        assert_allclose(np.reshape(Q, (k, k)), expected @ reflection, atol=1e-15)
        assert found == rotation


def saved_map(table, rotation, dimensions=2):
    """Return the Python code, the points and the notebook that are saved of a rotated map."""
    given = (csv_text(table), LIBRARY, {"rotation": rotation, "dimensions": dimensions})
    found = run_laboratory("m.saveRotated(...given)", given=given)
    rows = [line.split(",")[1:] for line in found["saved"].splitlines()[1:]]
    return found | {"points": np.array(rows, dtype=float)}


@pytest.mark.parametrize(
    ("table", "dimensions", "rotation"),
    [(CLOUD, 2, [-75.5, -1]), (CLOUD, 3, [0, -1]), (LINE, 2, [180, 1])],
)
@pytest.mark.filterwarnings("ignore::kmds_lib.results.FewerComponentsWarning")
def test_python_code_rotates_the_map(tmp_path, table, dimensions, rotation):
    found = saved_map(table, rotation, dimensions)
    variables = run_python(tmp_path, found["csv"], found["code"])
    points, unrotated = found["points"], variables["fit"].points
    assert_allclose(variables["points"], points, atol=1e-9)
    assert np.abs(unrotated - points).max() > 0.1
    assert procrustes_align(points, target=unrotated).residual == pytest.approx(0, abs=1e-9)


def test_saved_notebook_reproduces_the_points(tmp_path):
    found = saved_map(CLOUD, [30, -1])
    notebook = nbformat.reads(found["notebook"], as_version=4)
    nbformat.validate(notebook)
    notebook.cells.append(nbformat.v4.new_code_cell("print(points.tolist())"))
    NotebookClient(notebook, resources={"metadata": {"path": str(tmp_path)}}).execute()
    (printed,) = notebook.cells[-1].outputs
    assert_allclose(json.loads(printed.text), found["points"], atol=1e-9)


def test_python_code_gives_r_squared_of_the_arrows(tmp_path):
    text = "a,b,c,d\n" + csv_text(load_iris().data)
    found = run_laboratory("m.drawArrows(text)", text=text)
    variables = run_python(tmp_path, found["csv"], found["python"])
    expected = dict(zip("abcd", variables["r_squared"], strict=True))
    assert [arrow["title"] for arrow in found["arrows"]] == sorted("abcd", key=expected.get)[::-1]
    for arrow in found["arrows"]:
        assert arrow["rSquared"] == pytest.approx(expected[arrow["title"]], abs=1e-9)


def test_numbers_are_coloured_by_value_or_in_classes():
    lengths = load_iris().data[:, 0]
    skewed = [0.0] * 60 + list(range(1, 41))
    columns = [lengths, [3, 1, 2, 2, 1], [2.5] * 8, skewed]
    found = run_laboratory("columns.map(m.groupByValue)", columns=columns)
    classes, values, constant, heap = found
    assert np.bincount(classes["groups"]).min() >= 20
    assert (np.diff(np.array(classes["groups"])[np.argsort(lengths)]) >= 0).all()
    assert (values["names"], values["groups"]) == (["1", "2", "3"], [2, 0, 1, 1, 0])
    assert (constant["names"], constant["groups"]) == (["2.5"], [0] * 8)
    assert len(heap["names"]) == len(set(heap["names"])) == len(set(heap["groups"]))


def test_invalid_choices_in_a_link_are_replaced():
    asked = [
        {"rotation": [400, 1]},
        {"rotation": "x", "camera": [0] * 9},
        {"rotation": [20, -1], "dimensions": 3, "camera": [5] * 9},
        {"rotation": [20, -1], "colour": "n0<b>", "arrows": "yes"},
    ]
    cleaned = """asked.map((each) => m.cleanChoices(each, "points", 9))"""
    found = run_laboratory(cleaned, asked=asked)
    assert [each["rotation"] for each in found] == [[0, 1], [0, 1], [0, -1], [20, -1]]
    assert [each["camera"] for each in found] == [None] * 4
    assert (found[3]["colour"], found[3]["arrows"]) == ("auto", False)
