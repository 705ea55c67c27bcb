"""A new attack every night: random input of hard kinds, against formulas of another making.

Runs in `make nightly`, with the day as its seed. A failure names the seed in its brackets; to see
it again: ATTACK_SEED=740000 .venv/bin/python -m pytest -m nightly tests/lib/test_attack.py
"""

import os
from datetime import UTC, datetime

import numpy as np
import pytest
from scipy.spatial.distance import cdist

from kmds_lib import (
    RBF,
    DampedCosine,
    Exponential,
    Linear,
    Polynomial,
    Power,
    classical_scaling,
    distance_correlation,
    distance_covariance,
    distances_from_gram,
    energy_distance,
    hsic,
    is_euclidean,
    kernel_mds_from_points,
    kernel_pca,
    kernel_pca_from_gram,
    mmd,
    permutation_test,
)
from kmds_lib._eigen import solve
from kmds_lib.embedding import FewerComponentsWarning
from kmds_lib.kernels import DefinitenessWarning

FIRST = int(os.environ.get("ATTACK_SEED", datetime.now(UTC).toordinal()))
pytestmark = [
    pytest.mark.nightly,
    pytest.mark.filterwarnings(
        f"ignore::{FewerComponentsWarning.__module__}.FewerComponentsWarning"
    ),
    pytest.mark.filterwarnings(f"ignore::{DefinitenessWarning.__module__}.DefinitenessWarning"),
]


def draws(count):
    """Parametrize a test by so many seeds from the night's own on."""
    return pytest.mark.parametrize("seed", [1000 * FIRST + i for i in range(count)])


# Structured spectra

SPECTRA = {
    "flat": lambda rng, m: np.ones(m),
    "geometric": lambda rng, m: 10.0 ** -np.linspace(0, rng.uniform(1, 12), m),
    "a pair and noise": lambda rng, m: np.r_[2.0, 2.0, 1e-3 * rng.random(m)][:m],
    "low rank": lambda rng, m: np.r_[np.sort(rng.random(3))[::-1], np.zeros(m)][:m],
    "near copies": lambda rng, m: 1 + 1e-9 * rng.standard_normal(m),
    "half negative": lambda rng, m: rng.standard_normal(m),
    "large negative": lambda rng, m: np.where(np.arange(m) % 2, -1e3, 1.0) * rng.random(m),
    "negative alone": lambda rng, m: -0.1 - rng.random(m),
}


def centred_matrix(values, rng):
    """A matrix with these eigenvalues and a zero one for the vector of ones."""
    n = len(values) + 1
    Q = np.linalg.qr(np.column_stack([np.ones(n), rng.standard_normal((n, n - 1))]))[0][:, 1:]
    B = (Q * values) @ Q.T
    return 0.5 * B + 0.5 * B.T


@pytest.mark.parametrize("kind", SPECTRA)
@draws(12)
def test_structured_spectra(kind, seed):
    rng = np.random.default_rng(seed)
    n = int(rng.choice([2, 3, 17, 120, 301, 450]))
    unit, k = 10.0 ** rng.uniform(-50, 50), int(rng.integers(1, min(n, 20)))
    values = np.asarray(SPECTRA[kind](rng, n - 1))
    B = centred_matrix(values, rng)
    expected = np.sort(np.append(values, 0.0))[::-1][:k]
    size = np.abs(values).max()
    shift = rng.standard_normal(n)
    for M, is_centred in ((B, False), (B + shift + shift[:, None], True)):
        pairs = solve(unit * M, k, centred=is_centred)
        np.testing.assert_allclose(pairs.values / unit, expected, rtol=0, atol=1e-9 * size + 1e-12)
        V = pairs.vectors
        np.testing.assert_allclose(V.T @ V, np.eye(k), atol=1e-9)
        gap = B @ V - V * (pairs.values / unit)
        assert np.abs(gap).max() < 1e-8 * (size + np.abs(shift).max())
    fit = kernel_pca_from_gram(unit * B, k)
    kept = expected[expected > 1e-9 * size]
    assert len(fit.eigenvalues) >= len(kept)
    np.testing.assert_allclose(fit.eigenvalues[: len(kept)] / unit, kept, atol=1e-9 * size)
    if values.min() >= 0:
        D = distances_from_gram(unit * B)
        assert is_euclidean(D, tol=1e-7)
        scaled = classical_scaling(D, k).eigenvalues / unit
        np.testing.assert_allclose(scaled[: len(kept)], kept, atol=1e-7 * size)


# Kernel trees

LEAVES = [
    (
        lambda rng: RBF(10.0 ** rng.uniform(-15, 2)),
        lambda k, X, Y: np.exp(-k.theta * squares(X, Y)),
    ),
    (
        lambda rng: Exponential(10.0 ** rng.uniform(-15, 2)),
        lambda k, X, Y: np.exp(-k.theta * np.sqrt(squares(X, Y))),
    ),
    (
        lambda rng: DampedCosine(rng.uniform(0, 2), rng.uniform(0, 2)),
        lambda k, X, Y: (
            np.exp(-k.alpha * np.sqrt(squares(X, Y))) * np.cos(k.omega * np.sqrt(squares(X, Y)))
        ),
    ),
    (
        lambda rng: Power(rng.uniform(0.2, 3)),
        lambda k, X, Y: -(np.sqrt(squares(X, Y)) ** np.longdouble(k.beta)),
    ),
    (lambda rng: Linear(), lambda k, X, Y: X @ Y.T),
    (
        lambda rng: Polynomial(int(rng.integers(1, 5)), rng.uniform(0, 2), rng.uniform(0.1, 2)),
        lambda k, X, Y: (k.scale * (X @ Y.T) + k.offset) ** k.degree,
    ),
]


def squares(X, Y):
    """Squared distances from differences, in the precision of the points."""
    return np.square(X[:, None] - Y).sum(axis=2)


def tree(rng, depth):
    """A random kernel, and the same as a formula of points in long doubles."""
    if depth == 0 or rng.random() < 0.2:
        make, formula = LEAVES[rng.integers(len(LEAVES))]
        kernel = make(rng)
        return kernel, lambda X, Y: formula(kernel, X, Y)
    left, left_formula = tree(rng, depth - 1)
    kind = rng.integers(3)
    if kind == 0:
        factor = 10.0 ** rng.uniform(-3, 3)
        return factor * left, lambda X, Y: factor * left_formula(X, Y)
    right, right_formula = tree(rng, depth - 1)
    if kind == 1:
        return left + right, lambda X, Y: left_formula(X, Y) + right_formula(X, Y)
    return left * right, lambda X, Y: left_formula(X, Y) * right_formula(X, Y)


def cloud(rng, n):
    """Points of one hard kind."""
    X = rng.standard_normal((n, int(rng.integers(1, 12))))
    kinds = [
        lambda: X,
        lambda: np.repeat(X, 2, axis=0)[:n],
        lambda: X * 10.0 ** rng.uniform(-4, 1),
        lambda: X + 30.0,
        lambda: np.outer(np.arange(n), X[0]) / n,
        lambda: np.where(rng.random(X.shape) < 0.5, 0.0, 1.0),
    ]
    return kinds[rng.integers(len(kinds))]()


@draws(200)
def test_kernel_trees(seed):
    rng = np.random.default_rng(seed)
    kernel, formula = tree(rng, 3)
    X = cloud(rng, int(rng.choice([5, 30, 150])))
    n, p = X.shape
    K, exact = kernel(X), formula(*[X.astype(np.longdouble)] * 2)
    size = float(np.abs(exact).max())
    np.testing.assert_allclose(K, exact.astype(float), rtol=0, atol=2e-12 * size)
    np.testing.assert_allclose(kernel.diagonal(X), np.diag(K), rtol=0, atol=2e-12 * size)
    H = np.eye(n) - 1 / n
    if kernel.isotropic:
        apart = exact[0, 0] - exact
        found = -kernel.less_sill(X)
        largest = float(np.abs(apart).max())
        np.testing.assert_allclose(
            found, apart.astype(float), rtol=0, atol=1e-11 * largest + 1e-18 * size
        )
        centred = -(H @ apart @ H).astype(float)
    else:
        centred = (H @ exact @ H).astype(float)
    values = np.linalg.eigvalsh(0.5 * centred + 0.5 * centred.T)[::-1]
    span = np.abs(values).max()
    if p <= kernel.definiteness.conditional:
        assert values[-1] > -1e-9 * max(span, size * n * 1e-5)
    if span <= 1e-6 * size:
        return
    for fit in (kernel_pca(X, kernel, 2), kernel_mds_from_points(X, kernel, 2)):
        kept = len(fit.eigenvalues)
        scale = max(span, size * 1e-2)
        np.testing.assert_allclose(fit.eigenvalues, values[:kept], rtol=0, atol=1e-9 * n * scale)
        assert kept == 2 or values[kept] < 1e-8 * n * scale
        if kept and fit.eigenvalues[-1] > 1e-6 * scale:
            np.testing.assert_allclose(
                fit.transform(X), fit.points, rtol=0, atol=1e-6 * np.sqrt(n * scale)
            )


# Odd input

# Null draws

TESTS = {
    "mmd": (mmd, lambda x: [RBF(1 / np.median(cdist(x, x)))]),
    "energy_distance": (energy_distance, lambda x: []),
    "hsic": (hsic, lambda x: [RBF(0.5), Exponential(1.0)]),
    "distance_covariance": (distance_covariance, lambda x: []),
    "distance_correlation": (distance_correlation, lambda x: []),
}


@pytest.mark.parametrize("name", TESTS)
@pytest.mark.parametrize("estimator", ["V", "U"])
@draws(1)
def test_null_draws_keep_level_and_range(name, estimator, seed):
    statistic, arguments = TESTS[name]
    rng, p_values, runs = np.random.default_rng(seed), [], 400
    for _ in range(runs):
        unit, n = 10.0 ** rng.uniform(-12, 3), int(rng.integers(5, 14))
        x, y = unit * rng.standard_t(2, size=(2, n, int(rng.integers(1, 4))))
        options = {"n_permutations": 19, "seed": rng, "estimator": estimator}
        test = permutation_test(statistic, x, y, *arguments(x), **options)
        p_values.append(test.p_value)
        if estimator == "V":
            assert min(test.statistic, test.permuted.min()) >= 0
        if name == "distance_correlation":
            assert max(test.statistic, test.permuted.max()) <= 1
    for level in (0.1, 0.5):
        share = np.mean(np.array(p_values) <= level + 1e-12)
        assert abs(share - level) < 5 * (level * (1 - level) / runs) ** 0.5


@draws(100)
def test_statistics_at_the_ends_of_their_ranges(seed):
    rng = np.random.default_rng(seed)
    x = 10.0 ** rng.uniform(-20, 20) * cloud(rng, int(rng.integers(4, 20)))
    again = x[rng.permutation(len(x))]
    for kernel in (RBF(1 / np.square(x).max()), Power(rng.uniform(0.1, 2)), Linear()):
        size = np.abs(kernel(x)).max()
        assert 0 <= mmd(x, again, kernel) <= 1e-13 * size
    for estimator in ("V", "U"):
        found = distance_correlation(x, rng.uniform(0.1, 9) * x, estimator=estimator)
        assert 1 - 1e-9 < found <= 1
    first, second = np.repeat(x, len(x), axis=0), np.tile(again, (len(x), 1))
    assert 0 <= distance_correlation(first, second) < 1e-12
