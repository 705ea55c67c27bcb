"""Compare both computations of chapter 5's explorer with the library."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from kmds_figures.explorers import pca_vs_scaling_explorer
from kmds_lib import canonical_signs, classical_scaling, distances, pca, procrustes_align
from tests.web.node import decimals_in, evaluate

WIDGET = pca_vs_scaling_explorer()
PRESETS = WIDGET.presets
PLAIN = {"signs": [1, 1, 1, 1], "agree": False}


def compute(*cases):
    """Return the explorer's results for pairs of points and a state."""
    expression = """cases.map(([points, state]) => m.judged(
      m.computeBoth(points, state), (found) => m.scoresVerdict(found, state.agree)))"""
    return evaluate(WIDGET, expression, cases=cases)


def rows(entries):
    return np.reshape(entries, (-1, 2))


def random_points(count):
    """Return point sets of 4 to 20 points."""
    rng = np.random.default_rng(3)
    for n in rng.integers(4, 21, count):
        spread = rng.uniform(0.1, 0.5, 2) @ [[1, 0.2], [0.3, 1]]
        yield np.clip(rng.normal(size=(n, 2)) * spread, -1.3, 1.3).round(2)


def test_explorer_computes_pca_and_scaling():
    inputs = [*random_points(15), *(np.array(PRESETS[name]) for name in ("unequal", "irises"))]
    for X, found in zip(inputs, compute(*((X, PLAIN) for X in inputs)), strict=True):
        n, X_c = len(X), X - X.mean(axis=0)
        U = canonical_signs(np.linalg.eigh(X_c.T @ X_c / n)[1][:, ::-1])
        scaled = classical_scaling(distances(X))
        spectrum = scaled.spectrum().eigenvalues
        assert_allclose(found["variances"], pca(X).variances, rtol=1e-10)
        assert_allclose(rows(found["axes"]), U, atol=1e-9)
        assert_allclose(rows(found["scores"]), X_c @ U, atol=1e-9)
        assert_allclose(rows(found["second"]), scaled.points, atol=1e-9)
        assert_allclose(found["values"], spectrum, atol=1e-12 * spectrum[0])
        assert_allclose(decimals_in(found["said"])[-2:], spectrum[:2], atol=6e-5)
        assert (found["zeros"], found["rank"], found["equal"]) == (n - 2, 2, False)
        same_sign = np.sign(np.sum(X_c @ U * scaled.points, axis=0))
        assert found["differ"] == same_sign.tolist()
        gap = np.abs(X_c @ U - scaled.points).max()
        assert found["differences"]["asComputed"] == pytest.approx(gap, abs=1e-9)
        assert max(found["differences"]["withEqualSigns"], found["differences"]["rotated"]) < 1e-9


def test_signs_are_flipped_to_agree_or_as_given():
    X, signs = PRESETS["irises"], [-1, 1, 1, -1]
    states = [PLAIN, PLAIN | {"agree": True}, PLAIN | {"signs": signs}]
    plain, agreeing, flipped = compute(*((X, state) for state in states))
    assert_allclose(agreeing["second"], agreeing["scores"], atol=1e-9)
    for name, own in (("axes", signs[:2]), ("scores", signs[:2]), ("second", signs[2:])):
        np.testing.assert_array_equal(rows(flipped[name]), rows(plain[name]) * own)


def test_no_axis_flips_while_a_point_is_dragged():
    base, path = np.array(PRESETS["unequal"]), np.linspace(-1.2, 1.2, 49)
    steps = [np.vstack([base[:-1], [x, -0.4 * x - 0.3]]).round(2) for x in path]
    shown = evaluate(WIDGET, "m.drag(steps, state)", steps=steps, state=PLAIN)
    assert np.abs(np.diff(shown, axis=0)).max() < 0.2


def test_equal_eigenvalues_need_a_rotation():
    (found,) = compute((PRESETS["equal"], PLAIN | {"agree": True}))
    first, second = rows(found["scores"]), rows(found["second"])
    assert found["equal"]
    assert found["differences"]["withEqualSigns"] > 0.5
    assert np.abs(procrustes_align(second, target=first).points - first).max() < 1e-12
    assert found["differences"]["rotated"] < 1e-12
    assert_allclose(decimals_in(found["said"])[1], np.abs(first - second).max(), atol=0.006)


def test_collinear_and_coincident_points_have_fewer_axes():
    rng = np.random.default_rng(8)
    inputs = [np.array(PRESETS["line"])]
    for n in (4, 9, 20) * 5:
        start, direction = rng.integers(-40, 41, 2), rng.integers(1, 10, 2)
        inputs.append((start + np.outer(rng.permutation(n), direction)) / 100)
        inputs.append(np.tile(rng.uniform(-1.3, 1.3, 2).round(2), (n, 1)))
    cases = [(X, PLAIN | {"agree": True}) for X in inputs]
    for X, found in zip(inputs, compute(*cases), strict=True):
        rank = min(1, len(np.unique(X, axis=0)) - 1)
        assert (found["rank"], found["zeros"]) == (rank, len(X) - rank)
        assert not any(found["variances"][rank:])
        for name in ("scores", "second"):
            assert not rows(found[name])[:, rank:].any()
        assert_allclose(found["second"], found["scores"], atol=1e-9)
