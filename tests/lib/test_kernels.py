"""Kernels: values, exact symmetry, far-away points, definiteness and its algebra."""

import itertools
import math
import tracemalloc

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.distance import cdist
from sklearn.metrics import pairwise

from kmds_lib.kernels import (
    RBF,
    DampedCosine,
    DefinitenessWarning,
    Exponential,
    Linear,
    Polynomial,
    Power,
)

ISOTROPIC = [
    RBF(0.3),
    Exponential(0.7),
    DampedCosine(alpha=3.0, omega=0.5),
    Power(1.0),
    Power(2.0),
    0.5 * RBF(0.1) + 2.0 * Exponential(1.0),
    RBF(0.2) * Exponential(0.4),
]
DOT_PRODUCT = [Linear(), Polynomial(2), Polynomial(3, offset=0.5, scale=0.1), Linear() + RBF(0.2)]


def points(n=60, p=4, seed=0):
    return np.random.default_rng(seed).normal(size=(n, p))


def lowest_centred(K):
    """Smallest eigenvalue of HKH, relative to the largest modulus."""
    H = np.eye(len(K)) - 1 / len(K)
    eigenvalues = np.linalg.eigvalsh(H @ K @ H)
    return eigenvalues[0] / np.abs(eigenvalues).max()


@pytest.mark.parametrize("kernel", ISOTROPIC, ids=repr)
@pytest.mark.parametrize("n", [1, 2, 60, 700])
def test_gram_is_the_profile_of_the_distances(kernel, n):
    X = points(n)
    K = kernel(X)
    np.testing.assert_allclose(K, kernel.profile(cdist(X, X)), rtol=0, atol=3e-13)
    np.testing.assert_allclose(kernel(X, X), K, rtol=0, atol=3e-13)
    assert np.array_equal(K, K.T)
    assert np.array_equal(np.diag(K), kernel.diagonal(X))
    assert np.array_equal(kernel.diagonal(X), np.full(n, kernel.profile(0.0)))


@pytest.mark.parametrize("kernel", DOT_PRODUCT, ids=repr)
def test_dot_product_kernels_are_symmetric_and_consistent(kernel):
    X = points()
    K = kernel(X)
    assert np.array_equal(K, K.T)
    np.testing.assert_allclose(kernel(X, X[:7]), K[:, :7], rtol=1e-13, atol=1e-13)
    np.testing.assert_allclose(kernel.diagonal(X), np.diag(K), rtol=1e-13)
    assert not kernel.isotropic
    with pytest.raises(ValueError, match="has no profile"):
        kernel.profile(1.0)


def test_scikit_learn_agrees_on_the_kernels_we_share():
    X, Y = points(seed=1), points(9, seed=2)
    pairs = [
        (Linear(), pairwise.linear_kernel, {}),
        (Polynomial(3, 0.5, 0.2), pairwise.polynomial_kernel, {"coef0": 0.5, "gamma": 0.2}),
        (RBF(0.4), pairwise.rbf_kernel, {"gamma": 0.4}),
    ]
    for ours, theirs, arguments in pairs:
        np.testing.assert_allclose(ours(X), theirs(X, **arguments), rtol=1e-12)
        np.testing.assert_allclose(ours(X, Y), theirs(X, Y, **arguments), rtol=1e-12)
    line = X[:, :1]
    np.testing.assert_allclose(
        Exponential(0.4)(line), pairwise.laplacian_kernel(line, gamma=0.4), rtol=1e-12
    )


@pytest.mark.parametrize("kernel", ISOTROPIC, ids=repr)
def test_points_far_from_the_origin_lose_no_digit(kernel):
    X = np.round(points(), 6) + 1e8
    exact = kernel.profile(cdist(X, X))
    np.testing.assert_allclose(kernel(X), exact, rtol=0, atol=1e-13)
    np.testing.assert_allclose(kernel(X, X[:5]), exact[:, :5], rtol=0, atol=1e-13)


def test_near_duplicates_beside_far_clusters_keep_their_distance():
    X = np.vstack([points(5) * 1e-7, points(5) * 1e-7 + 1e3])
    np.testing.assert_allclose(Power(1.0)(X), -cdist(X, X), rtol=1e-8)


def test_wide_values_of_theta_reach_both_limits():
    X = points()
    off_diagonal = ~np.eye(len(X), dtype=bool)
    assert np.all(RBF(1e6)(X)[off_diagonal] == 0.0)
    np.testing.assert_allclose(RBF(1e-9)(X), 1 - 1e-9 * cdist(X, X) ** 2, rtol=0, atol=1e-14)


def test_gram_needs_no_second_array_of_its_size():
    X = points(2000, 10)
    tracemalloc.start()
    K = RBF(0.1)(X)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 1.35 * K.nbytes


def test_input_is_left_alone_and_integers_do_not_overflow():
    X = np.array([[0, 200], [250, 3]], dtype=np.uint8)
    before = X.copy()
    assert Linear()(X)[1, 1] == 250**2 + 9
    np.testing.assert_allclose(Power(2.0)(X)[0, 1], -(250**2 + 197**2), rtol=1e-14)
    assert np.array_equal(X, before)


@given(
    st.integers(2, 30),
    st.integers(1, 5),
    st.integers(0, 10_000),
    st.floats(1e-3, 10),
    st.floats(0.05, 2),
)
@settings(max_examples=40, deadline=None)
def test_stated_guarantees_hold_on_random_points(n, p, seed, theta, beta):
    X = points(n, p, seed)
    for kernel in (RBF(theta), Exponential(theta), RBF(theta) * Polynomial(2)):
        assert kernel.definiteness.positive == math.inf
        K = kernel(X)
        assert np.linalg.eigvalsh(K)[0] >= -1e-12 * n * np.abs(K).max()
    for kernel in (Power(beta), Power(beta) + RBF(theta)):
        assert kernel.definiteness.positive == 0
        assert kernel.definiteness.conditional == math.inf
        assert lowest_centred(kernel(X)) >= -1e-12 * n


def test_power_kernel_crosses_at_two():
    X = points(200, 5)
    for beta in (0.5, 1.0, 1.5, 2.0):
        assert lowest_centred(Power(beta)(X)) > -1e-12
    for beta in (2.2, 3.0):
        with pytest.warns(DefinitenessWarning, match="not known to be definite"):
            K = Power(beta)(X)
        assert lowest_centred(K) < -1e-5
    assert np.linalg.eigvalsh(Power(1.0)(X))[0] < 0


@pytest.mark.parametrize("dimension", range(1, 12))
def test_damped_cosine_bound(dimension):
    edge = 2.0 / math.tan(math.pi / (2 * dimension))
    assert DampedCosine(edge, 2.0).definiteness.max_dimension == dimension
    below = DampedCosine(edge * (1 - 1e-6), 2.0).definiteness.max_dimension if edge > 0.1 else 0
    assert below == dimension - 1
    assert DampedCosine(edge, 0.0).definiteness.max_dimension == math.inf


@pytest.mark.parametrize(("alpha", "positive"), [(0.3, False), (1.733, True)])
def test_damped_cosine_on_a_grid_in_space(alpha, positive):
    grid = np.array(list(itertools.product(range(10), repeat=3)), dtype=float)
    kernel = DampedCosine(alpha, 1.0)
    if positive:
        assert np.linalg.eigvalsh(kernel(grid))[0] == pytest.approx(0.6504, abs=1e-4)
    else:
        with pytest.warns(DefinitenessWarning, match="up to dimension 1"):
            K = kernel(grid)
        assert np.linalg.eigvalsh(K)[0] == pytest.approx(-36.187, abs=1e-3)


def test_definiteness_algebra():
    rbf, power, cosine, wild = RBF(1.0), Power(1.0), DampedCosine(1.0, 1.0), Power(3.0)
    assert str(rbf.definiteness) == "positive definite in every dimension"
    assert str((rbf + cosine).definiteness) == "positive definite up to dimension 2"
    assert str((rbf * cosine).definiteness) == "positive definite up to dimension 2"
    assert str((2.0 * power).definiteness) == (
        "conditionally positive definite in every dimension"
    )
    assert (power + cosine).definiteness.kind == "conditionally positive definite"
    assert (power + cosine).definiteness.max_dimension == 2
    for kernel in (power * rbf, power * power, wild, wild + rbf):
        assert str(kernel.definiteness) == "not known to be definite"
    assert (rbf + Linear()).shift_free
    assert not (rbf * Linear()).shift_free
    assert not Polynomial(2).shift_free


@pytest.mark.parametrize("kernel", [RBF(0.3), Exponential(0.7), Power(0.8)], ids=repr)
def test_inverse_profile(kernel):
    delta = np.linspace(0.0, 5.0, 21)
    np.testing.assert_allclose(
        kernel.squared_distance_at(kernel.profile(delta)), delta**2, rtol=1e-9, atol=1e-12
    )
    assert np.all(np.isfinite(kernel.squared_distance_at([-0.5, 0.0, 1.5])))


def test_profile_leaves_its_input_alone():
    delta = np.linspace(0.0, 5.0, 21)
    before = delta.copy()
    for kernel in ISOTROPIC:
        kernel.profile(delta)
    np.testing.assert_array_equal(delta, before)


def test_kernels_are_values():
    assert RBF(1.0) == RBF(1.0)
    assert RBF(1.0) + Linear() == RBF(1.0) + Linear()
    assert repr(2 * RBF(1.0)) == "Multiple(factor=2.0, kernel=RBF(theta=1.0))"
    with pytest.raises(AttributeError):
        RBF(1.0).theta = 2.0
    for wrong in ("a", None):
        with pytest.raises(TypeError):
            RBF(1.0) + wrong


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: RBF(0.0), "theta is 0.0"),
        (lambda: RBF(math.nan), "theta is nan"),
        (lambda: RBF("1"), "theta is '1'"),
        (lambda: Exponential(-1.0), "theta is -1.0"),
        (lambda: Power(0), "beta is 0"),
        (lambda: DampedCosine(-1.0, 1.0), "alpha is -1.0"),
        (lambda: DampedCosine(1.0, math.inf), "omega is inf"),
        (lambda: Polynomial(0), "degree is 0"),
        (lambda: Polynomial(1.5), "degree is 1.5"),
        (lambda: Polynomial(2, offset=-1.0), "offset is -1.0"),
        (lambda: Polynomial(2, scale=0.0), "scale is 0.0"),
        (lambda: -1.0 * RBF(1.0), "factor is -1.0"),
        (lambda: RBF(1.0).profile([-1.0]), "delta has a negative"),
        (lambda: RBF(1.0).profile([math.nan]), "delta has a negative or non-finite"),
        (lambda: RBF(1.0).profile([1j]), "delta is complex or masked"),
        (lambda: RBF(1.0).profile(np.ma.masked_equal([1.0], 1.0)), "delta is complex or masked"),
        (lambda: Linear().squared_distance_at([1.0]), "no inverse profile"),
        (lambda: (RBF(1.0) + RBF(2.0)).squared_distance_at([1.0]), "no inverse profile"),
        (lambda: RBF(1.0)([[0.0, 1.0]], [[0.0]]), "X has 2 columns and Y has 1"),
        (lambda: RBF(1.0)([[0.0, math.nan]]), "X"),
    ],
)
def test_what_is_refused(make, message):
    with pytest.raises(ValueError, match=message):
        make()
