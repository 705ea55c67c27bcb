"""What chapter 11's explorer shows agrees with the library."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.sparse.csgraph import shortest_path

from kmds_figures.explorers import neighbor_explorer
from kmds_lib import classical_scaling, distances, isomap, procrustes_align, swiss_roll
from tests.figures.under_node import ask


def thinned(points, count):
    """Return points chosen one by one, each the farthest from those before, as in chapter 11."""
    taken, gap = [0], distances(points, points[[0]])[:, 0]
    while len(taken) < count:
        taken.append(int(np.argmax(gap)))
        gap = np.minimum(gap, distances(points, points[taken[-1:]])[:, 0])
    return taken


MANY, ON_SHEET = swiss_roll(3000, seed=0)
TURN = np.flatnonzero((ON_SHEET[:, 0] < 45) & (ON_SHEET[:, 1] < 12))
TURN = TURN[thinned(MANY[TURN], 200)]
WIDGET = neighbor_explorer(MANY[TURN], ON_SHEET[TURN])
DATA = {"points": WIDGET.points, "sheet": WIDGET.sheet}
# Numbers of points and of neighbours, and how many edges are cut of those that are most to blame.
STATES = [(100, 5, 0), (100, 6, 0), (100, 7, 0), (100, 10, 0), (200, 7, 0), (183, 12, 0)]
STATES += [(40, 2, 0), (60, 2, 0), (150, 2, 0), (77, 3, 0), (100, 7, 1), (100, 10, 2)]
FOUND = """{
  const memory = {};
  return asked.map(([n_points, n_neighbors, count]) => {
    const state = { n_points, n_neighbors, cut: [] };
    const whole = m.graphResult(state, data, memory);
    state.cut = whole.worst.slice(0, count).map(({ i, j }) => [i, j]);
    const found = m.graphResult(state, data, memory);
    return { ...found, cut: state.cut, before: whole.mass, words: m.verdict(found) };
  });
}"""


def as_shown(edges):
    return [list(edge.values()) for edge in edges]


def test_the_neighbor_explorer_computes_what_the_library_does():
    all_found = ask(WIDGET, FOUND, asked=STATES, data=DATA)
    for state, found in zip(STATES, all_found, strict=True):
        n, k, count = state
        compare(found, np.array(WIDGET.points)[:n], np.array(WIDGET.sheet)[:n], k)
        assert len(found["cut"]) == count
        head, reason = found["words"]["head"], found["words"]["reason"]
        assert head.startswith("The roll unrolls") == (found["missed"] < 0.1)
        said = [f"the negative mass is {found['mass']:.3f}"]
        if count:
            said += [f"it was {found['before']:.3f}", "edge 6–17" if count == 1 else "2 edges"]
        elif found["worst"]:
            i, j, space, there, share = found["worst"][0].values()
            said += [f"Edge {i}–{j} is {space:.1f} long in space and {there:.1f} on the sheet"]
            said += [f"{100 * share:.1f} % of all shortest paths"]
        else:
            far = found["missed"] > 1
            said += ["than one point would" if far else f"misses {100 * found['missed']:.1f} %"]
        if found["detour"]:
            assert head == "No edge is a short circuit, and yet the map is not the sheet."
            said += [f"the median path is {found['detour']:.2f} times as long as on the sheet"]
        assert [words for words in said if words not in reason] == [], (state, reason)


def compare(found, X, sheet, k):
    """Compare a graph, its paths and its map with the library."""
    n, D, on_sheet = len(X), distances(X), distances(sheet)
    lengths = isomap(X, n_neighbors=k).graph.toarray()
    for i, j in found["cut"]:
        lengths[i, j] = lengths[j, i] = 0
    edges = [[i, j, D[i, j], on_sheet[i, j]] for i, j in np.argwhere(np.triu(lengths))]
    assert_allclose(as_shown(found["edges"]), edges, rtol=1e-9)
    paths, upper = shortest_path(lengths), np.triu_indices(n, 1)
    blamed = []
    for i, j, space, there in edges:
        if there > 2 * space:
            over = paths[:, [i]] + space + paths[j]
            reached = np.minimum(over, over.T)[upper] <= paths[upper] * (1 + 1e-10)
            blamed.append([i, j, space, there, reached.mean()])
    worst = as_shown(found["worst"])
    assert_allclose(sorted(worst), np.reshape(blamed, np.shape(worst)), rtol=1e-9)
    assert [row[4] for row in worst] == sorted((row[4] for row in worst), reverse=True)
    assert_allclose(found["geodesics"], paths.ravel(), rtol=1e-9)
    fit = classical_scaling(paths)
    assert_allclose(found["mass"], fit.negative_mass, atol=1e-9)
    aligned = procrustes_align(fit.points, target=sheet)
    missed = aligned.residual**2 / np.sum((sheet - sheet.mean(axis=0)) ** 2)
    assert_allclose(found["missed"], missed, atol=1e-8)
    shown = np.reshape(found["points"], (n, 2))
    assert_allclose(shown, aligned.points, rtol=0, atol=1e-6 * np.abs(sheet).max())
    assert (found["detour"] is None) == (bool(blamed) or missed < 0.1)
    if found["detour"]:
        ratios = np.sort(paths[upper] / on_sheet[upper])
        assert found["detour"] == pytest.approx(ratios[len(ratios) // 2])


def test_a_graph_in_pieces_is_told_as_the_library_tells_it():
    state = {"n_points": 200, "n_neighbors": 2, "cut": []}
    with pytest.raises(ValueError, match="falls into") as told:
        isomap(WIDGET.points, n_neighbors=2)
    said = ask(WIDGET, "m.verdict(m.graphResult(state, data))", state=state, data=DATA)
    assert (said["holds"], said["head"]) == (False, "With κ = 2 there is no map.")
    assert said["reason"] == str(told.value)


def test_a_view_of_the_roll_turns_and_tilts():
    views = [[0, 0], [90, 0], [0, 90], [35, 20]]
    seen = "views.map((view) => m.seenFrom(axes, view))"
    side, left, above, other = np.array(ask(WIDGET, seen, views=views, axes=np.eye(3)))
    np.testing.assert_allclose(side, [[1, 0, 0], [0, 0, 1], [0, -1, 0]], atol=1e-12)
    np.testing.assert_allclose(left, [[0, 0, -1], [1, 0, 0], [0, -1, 0]], atol=1e-12)
    np.testing.assert_allclose(above, [[1, 0, 0], [0, -1, 0], [0, 0, -1]], atol=1e-12)
    np.testing.assert_allclose(other @ other.T, np.eye(3), atol=1e-12)


def test_who_cuts_the_graph_apart_is_told_so():
    graph = isomap(np.array(WIDGET.points[:60]), n_neighbors=6).graph.toarray()
    cut = [[0, j] for j in np.flatnonzero(graph[0])]
    state = {"n_points": 60, "n_neighbors": 6, "cut": cut}
    found = ask(WIDGET, "m.graphResult(state, data).apart", state=state, data=DATA)
    assert found == "Without the edges that you cut the graph falls apart."


def test_neighbor_explorer_keeps_six_digits():
    points, sheet = swiss_roll(50)
    widget = neighbor_explorer(points * 1e-6, sheet * 1e4)
    np.testing.assert_allclose(
        widget.points, points * 1e-6, atol=1e-5 * np.abs(points).max() * 1e-6
    )
    np.testing.assert_allclose(widget.sheet, sheet * 1e4, atol=1e-5 * np.abs(sheet).max() * 1e4)
