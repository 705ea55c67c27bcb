"""Maximum variance unfolding compared with closed forms and another solver."""

import sys

import cvxpy
import numpy as np
import pytest
from scipy import linalg

from kmds_lib import distances, distances_from_gram, maximum_variance_unfolding
from kmds_lib.results import FewerComponentsWarning
from tests.lib.conftest import refused, sample

LINE = np.arange(5.0)[:, None]
TWO_GROUPS = np.concatenate([np.arange(6.0), 20 + np.arange(4.0)])[:, None]
NOT_EUCLIDEAN = np.array([[0, 1, 3], [1, 0, 1], [3, 1, 0.0]])


def test_unfolding_straightens_a_bent_path():
    along = np.cumsum([0, 1.6, 1.5, 1.4, 1.3, 1.2, 1.1, 1.0, 0.9])
    angle = np.cumsum([0, 0.5, 0.6, 0.4, 0.5, 0.6, 0.4, 0.5])
    steps = np.diff(along)[:, None] * np.column_stack([np.cos(angle), np.sin(angle)])
    X = np.concatenate([np.zeros((1, 2)), np.cumsum(steps, axis=0)])
    fit = maximum_variance_unfolding(X, 1, n_neighbors=1, constraints="edges", tolerance=1e-6)
    expected = np.outer(along - along.mean(), along - along.mean())
    assert np.allclose(fit.gram, expected, atol=1e-3 * expected.max())
    assert np.allclose(np.ptp(fit.points), 10, rtol=1e-3)
    assert fit.violation < 1e-3
    assert fit.explained > 0.999
    assert np.abs(fit.gram.sum(axis=0)).max() < 1e-10 * expected.max()
    assert np.allclose(fit.spectrum().eigenvalues, linalg.eigvalsh(fit.gram)[::-1], atol=1e-9)


def test_unfolding_solves_the_program_of_the_paper():
    X = sample(14, 3)
    fit = maximum_variance_unfolding(X, n_neighbors=3, tolerance=1e-6)
    near = fit.graph.toarray() > 0
    i, j = np.nonzero(np.triu(near | (near.astype(int) @ near > 0), 1))
    squares = np.square(X[i] - X[j]).sum(axis=1)
    K = cvxpy.Variable((14, 14), PSD=True)
    equal = [K[a, a] + K[b, b] - 2 * K[a, b] == d2 for a, b, d2 in zip(i, j, squares, strict=True)]
    problem = cvxpy.Problem(cvxpy.Maximize(cvxpy.trace(K)), [*equal, cvxpy.sum(K) == 0])
    problem.solve(solver="CLARABEL")
    assert np.trace(fit.gram) == pytest.approx(problem.value, rel=1e-3)
    errors = np.abs(np.square(distances_from_gram(fit.gram + 1e-6 * np.eye(14)))[i, j] - squares)
    assert errors.max() < 1e-2
    assert fit.violation == pytest.approx(errors.max() / squares.mean(), abs=1e-5)
    other = maximum_variance_unfolding(
        distances(100 * X), n_neighbors=3, tolerance=1e-6, metric="precomputed"
    )
    assert np.allclose(other.points, 100 * fit.points, rtol=0, atol=0.1)
    assert other.violation == pytest.approx(fit.violation, rel=0.1)


def test_unfolding_has_no_transform():
    fit = maximum_variance_unfolding(LINE, 1, n_neighbors=1)
    assert fit.solver == "SCS, then dense"
    with pytest.raises(NotImplementedError, match="no formula for new objects"):
        fit.transform(LINE)


def test_unfolding_of_two_objects():
    fit = maximum_variance_unfolding([[0.0], [3.0]], 1, n_neighbors=1)
    assert np.allclose(np.abs(fit.points), 1.5, atol=1e-2)


@pytest.mark.parametrize("n", [2, 6])
@pytest.mark.parametrize("constraints", ["edges", "two_steps"])
def test_unfolding_of_coincident_objects_has_no_axis(n, constraints):
    with pytest.warns(FewerComponentsWarning, match="no positive eigenvalue"):
        fit = maximum_variance_unfolding(
            np.ones((n, 2)), 1, n_neighbors=min(3, n - 1), constraints=constraints
        )
    assert fit.points.shape == (n, 0)
    assert (fit.explained, fit.negative_mass) == (1, 0)


def test_unfolding_needs_cvxpy(monkeypatch):
    monkeypatch.setitem(sys.modules, "cvxpy", None)
    with pytest.raises(ImportError, match=r'needs cvxpy, .* pip install "kmds_lib\[unfolding\]"'):
        maximum_variance_unfolding(LINE, 1, n_neighbors=1)


def unfold(X=LINE, **options):
    return maximum_variance_unfolding(X, 1, n_neighbors=2, **options)


test_invalid_input_and_solver_failures = refused(
    (lambda: unfold(TWO_GROUPS), "2 components"),
    (lambda: unfold(NOT_EUCLIDEAN, metric="precomputed"), "No points have the constrained dist"),
    (lambda: unfold(tolerance=1e-30), r"status .* take a larger tolerance than 1e-30"),
)
