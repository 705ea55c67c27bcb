"""Compare chapter 11's explorer with the library."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.sparse.csgraph import shortest_path

from kmds_figures.explorers import isomap_explorer
from kmds_lib import classical_scaling, distances, isomap, procrustes_align, swiss_roll
from tests.web.node import decimals_in, evaluate


def farthest_points(points, count):
    """Return indices of points, each chosen farthest from those before."""
    chosen, gap = [0], distances(points, points[[0]])[:, 0]
    while len(chosen) < count:
        chosen.append(int(np.argmax(gap)))
        gap = np.minimum(gap, distances(points, points[chosen[-1:]])[:, 0])
    return chosen


ROLL, SHEET = swiss_roll(3000, seed=0)
PART = np.flatnonzero((SHEET[:, 0] < 45) & (SHEET[:, 1] < 12))
PART = PART[farthest_points(ROLL[PART], 200)]
WIDGET = isomap_explorer(ROLL[PART], SHEET[PART])
DATA = {"points": WIDGET.points, "sheet": WIDGET.sheet}
# The numbers of points, of neighbours, and of edges to remove, beginning with the worst.
STATES = [(100, 5, 0), (100, 10, 0), (200, 7, 0), (40, 2, 0), (100, 7, 1), (100, 10, 2)]


def values_of(edges):
    return [list(edge.values()) for edge in edges]


def short_circuits(edges, paths):
    """Return the edges that are twice as long on the sheet, and their share of shortest paths."""
    upper = np.triu_indices(len(paths), 1)
    for i, j, in_space, on_sheet in edges:
        if on_sheet > 2 * in_space:
            through = paths[:, [i]] + in_space + paths[j]
            used = np.minimum(through, through.T)[upper] <= paths[upper] * (1 + 1e-10)
            yield [i, j, in_space, on_sheet, used.mean()]


def compare(found, X, sheet, n_neighbors):
    """Compare a graph, its shortest paths and its map with the library."""
    D, on_sheet = distances(X), distances(sheet)
    lengths = isomap(X, n_neighbors=n_neighbors).graph.toarray()
    for i, j in found["without"]:
        lengths[i, j] = lengths[j, i] = 0
    edges = [[i, j, D[i, j], on_sheet[i, j]] for i, j in np.argwhere(np.triu(lengths))]
    assert_allclose(values_of(found["edges"]), edges, rtol=1e-9)
    paths, upper = shortest_path(lengths), np.triu_indices(len(X), 1)
    worst, expected = values_of(found["worst"]), list(short_circuits(edges, paths))
    assert_allclose(sorted(worst), np.reshape(expected, np.shape(worst)), rtol=1e-9)
    assert [edge[4] for edge in worst] == sorted((edge[4] for edge in worst), reverse=True)
    assert_allclose(found["geodesics"], paths.ravel(), rtol=1e-9)
    if expected:
        shown = [*worst[0][2:4], 100 * worst[0][4]]
        assert_allclose(decimals_in(found["said"])[:3], shown, atol=0.06)
    fit = classical_scaling(paths)
    assert_allclose(found["mass"], fit.negative_mass, atol=1e-9)
    printed = decimals_in(found["said"])[0 if found["without"] else -1]
    assert_allclose(printed, fit.negative_mass, atol=6e-4)
    aligned = procrustes_align(fit.points, target=sheet)
    misfit = aligned.residual**2 / np.sum((sheet - sheet.mean(axis=0)) ** 2)
    assert_allclose(found["error"], misfit, atol=1e-8)
    shown = np.reshape(found["points"], (len(X), 2))
    assert_allclose(shown, aligned.points, rtol=0, atol=1e-6 * np.abs(sheet).max())
    if found["detour"]:
        ratios = np.sort(paths[upper] / on_sheet[upper])
        assert found["detour"] == pytest.approx(ratios[len(ratios) // 2])


def test_isomap_explorer_computes_isomap():
    results = "states.map((each) => m.isomapWithout(data, ...each))"
    all_found = evaluate(WIDGET, results, states=STATES, data=DATA)
    for (n, n_neighbors, count), found in zip(STATES, all_found, strict=True):
        compare(found, np.array(WIDGET.points)[:n], np.array(WIDGET.sheet)[:n], n_neighbors)
        assert len(found["without"]) == count


def test_isomap_explorer_finds_disconnected_graphs():
    graph = isomap(np.array(WIDGET.points[:60]), n_neighbors=6).graph.toarray()
    states = [
        {"n_points": 200, "n_neighbors": 2, "removed": []},
        {"n_points": 60, "n_neighbors": 6, "removed": [[0, j] for j in np.flatnonzero(graph[0])]},
    ]
    disconnected = "states.map((state) => Boolean(m.graphResult(state, data).disconnected))"
    assert evaluate(WIDGET, disconnected, states=states, data=DATA) == [True, True]
