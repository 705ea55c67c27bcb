"""What chapter 11's explorer shows agrees with the library."""

import json

import numpy as np
import pytest

from kmds_figures.explorers import neighbor_explorer
from kmds_lib import (
    distances,
    isomap,
    procrustes_align,
    swiss_roll,
)
from tests.figures.test_explorers import run_node


def test_the_neighbor_explorer_computes_what_the_library_does(tmp_path):
    widget = neighbor_explorer(*swiss_roll(160, noise=0.3, seed=3))
    points, sheet = np.array(widget.points), np.array(widget.sheet)
    rng = np.random.default_rng(7)
    states = [
        [int(n), int(k)]
        for n, k in zip(rng.integers(60, 161, 14), rng.integers(3, 13, 14), strict=True)
    ]
    data = json.dumps({"points": widget.points, "sheet": widget.sheet})
    script = f"""
    const memory = {{}};
    say({json.dumps(states)}.map(([n_points, n_neighbors]) => {{
      const state = {{ n_points, n_neighbors, cut: [] }};
      const found = m.graphResult(state, {data}, memory);
      const ends = (edges) => edges.map(({{ i, j }}) => [i, j]);
      return {{ ...found, edges: ends(found.edges), short: ends(found.short) }};
    }}));
    """
    for (n, k), found in zip(states, run_node(tmp_path, widget, script), strict=True):
        X, places = points[:n], sheet[:n]
        fit = isomap(X, n_neighbors=k)
        edges = np.argwhere(np.triu(fit.graph.toarray()))
        np.testing.assert_array_equal(found["edges"], edges)
        bad = [e for e in edges if distances(places)[tuple(e)] > 2 * distances(X)[tuple(e)]]
        np.testing.assert_array_equal(found["short"], np.reshape(bad, np.shape(found["short"])))
        np.testing.assert_allclose(
            np.reshape(found["geodesics"], (n, n)), fit.geodesics, rtol=1e-9
        )
        np.testing.assert_allclose(found["mass"], fit.negative_mass, atol=1e-9)
        aligned = procrustes_align(fit.points, target=places)
        spread = np.sum((places - places.mean(axis=0)) ** 2)
        np.testing.assert_allclose(found["missed"], aligned.residual**2 / spread, atol=1e-8)
        shown = np.reshape(found["points"], (n, 2))
        np.testing.assert_allclose(shown, aligned.points, rtol=0, atol=1e-6 * np.abs(places).max())


def test_a_graph_in_pieces_is_told_as_the_library_tells_it(tmp_path):
    widget = neighbor_explorer(*swiss_roll(160, noise=0.3, seed=3), n_neighbors=2)
    data = json.dumps({"points": widget.points, "sheet": widget.sheet})
    state = {"n_points": 160, "n_neighbors": 2, "cut": []}
    script = f"say(m.verdict(m.graphResult({json.dumps(state)}, {data})));"
    with pytest.raises(ValueError, match="falls into") as told:
        isomap(widget.points, n_neighbors=2)
    said = run_node(tmp_path, widget, script)
    assert said == {
        "holds": False,
        "head": "With κ = 2 there is no map.",
        "reason": str(told.value),
    }


def test_a_view_of_the_roll_turns_and_tilts(tmp_path):
    views = [[0, 0], [90, 0], [0, 90], [35, 20]]
    axes = np.eye(3).tolist()
    script = f"say({views}.map((view) => m.seenFrom({axes}, view)))"
    side, left, above, other = np.array(
        run_node(tmp_path, neighbor_explorer(*swiss_roll(40)), script)
    )
    np.testing.assert_allclose(side, [[1, 0, 0], [0, 0, 1], [0, -1, 0]], atol=1e-12)
    np.testing.assert_allclose(left, [[0, 0, -1], [1, 0, 0], [0, -1, 0]], atol=1e-12)
    np.testing.assert_allclose(above, [[1, 0, 0], [0, -1, 0], [0, 0, -1]], atol=1e-12)
    np.testing.assert_allclose(other @ other.T, np.eye(3), atol=1e-12)


def test_who_cuts_the_graph_apart_is_told_so(tmp_path):
    widget = neighbor_explorer(*swiss_roll(60, seed=1), n_neighbors=6)
    data = json.dumps({"points": widget.points, "sheet": widget.sheet})
    graph = isomap(np.array(widget.points), n_neighbors=6).graph.toarray()
    cut = [[int(min(0, j)), int(max(0, j))] for j in np.flatnonzero(graph[0])]
    state = json.dumps({"n_points": 60, "n_neighbors": 6, "cut": cut})
    found = run_node(tmp_path, widget, f"say(m.graphResult({state}, {data}).apart);")
    assert found == "Without the edges that you cut the graph falls apart."


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"points": np.ones((50, 2))}, r"points has shape \(50, 2\); pass from 40 to 200 points"),
        ({"points": np.ones((39, 3))}, r"points has shape \(39, 3\)"),
        ({"points": np.ones((201, 3))}, r"points has shape \(201, 3\)"),
        ({"points": np.full((50, 3), np.nan)}, "finite"),
        ({"sheet": np.ones((49, 2))}, r"sheet has shape \(49, 2\); pass two numbers"),
        ({"sheet": np.ones((50, 3))}, "sheet has shape"),
        ({"n_points": 51}, "n_points = 51 is out of range"),
        ({"n_points": 39}, "n_points = 39 is too few; take at least 40"),
        ({"n_neighbors": 16}, "n_neighbors = 16 is out of range"),
        ({"n_neighbors": 1}, "n_neighbors = 1 is too few; take at least 2"),
    ],
)
def test_neighbor_explorer_refuses_other_rolls(change, why):
    points, sheet = swiss_roll(50)
    with pytest.raises(ValueError, match=why):
        neighbor_explorer(**({"points": points, "sheet": sheet} | change))


def test_neighbor_explorer_keeps_six_digits():
    points, sheet = swiss_roll(50)
    widget = neighbor_explorer(points * 1e-6, sheet * 1e4)
    np.testing.assert_allclose(
        widget.points, points * 1e-6, atol=1e-5 * np.abs(points).max() * 1e-6
    )
    np.testing.assert_allclose(widget.sheet, sheet * 1e4, atol=1e-5 * np.abs(sheet).max() * 1e4)
