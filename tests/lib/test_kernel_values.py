"""Kernel values: symmetric or refused, with digits where the profile hardly falls, finite."""

import functools
import math
import operator

import numpy as np
import pytest
from mypy import api
from scipy.spatial.distance import cdist

from kmds_lib import (
    RBF,
    DampedCosine,
    Definiteness,
    Exponential,
    Kernel,
    Linear,
    Polynomial,
    Power,
    classical_scaling,
    distance_correlation,
    distance_covariance,
    energy_distance,
    hsic,
    kernel_mds,
    kernel_mds_from_points,
    kernel_pca,
    kernel_pca_from_gram,
    mmd,
    nystroem,
    permutation_test,
)
from kmds_lib.embedding import FewerComponentsWarning
from kmds_lib.kernels import IsotropicKernel
from tests.lib.conftest import Cauchy, sample

X = sample(40, 3)
D = cdist(X, X)


class Tilted(Kernel):
    """Each value leans towards the first of its two points."""

    definiteness = Definiteness(math.inf, math.inf)

    def __init__(self, lean):
        self.lean = lean

    def evaluate(self, X, Y):
        return np.exp(-cdist(X, Y)) * (1 + self.lean * np.tanh(X[:, :1] - Y[:, 0]))


class RowShares(Kernel):
    """Each value is divided by the sum of its row, whatever else stands in the block."""

    definiteness = Definiteness(math.inf, math.inf)

    def evaluate(self, X, Y):
        K = np.exp(-cdist(X, Y))
        return K / K.sum(axis=1, keepdims=True)


class Waves(Kernel):
    """Symmetric, but it overflows."""

    definiteness = Definiteness(math.inf, math.inf)

    def evaluate(self, X, Y):
        return np.cosh(X @ Y.T)


@pytest.mark.parametrize("n", [3, 40, 127, 129, 300])
@pytest.mark.parametrize("kernel", [Tilted(0.1), RowShares(), Tilted(1e-6), 2 * Tilted(0.1)])
def test_a_kernel_that_is_not_symmetric_is_refused(kernel, n):
    points = sample(n, 3, seed=1)
    for call in (kernel, lambda X: kernel_pca(X, kernel, 1), lambda X: mmd(X, X[::-1], kernel)):
        with pytest.raises(ValueError, match=r"not symmetric: k\(x_\d+, x_\d+\) = .* but k\(x_"):
            call(points)


def test_the_refusal_names_the_worst_pair_of_those_compared():
    there, back = np.exp(-0.1) * (1 + 0.1 * np.tanh([-0.1, 0.1]))
    words = rf"Tilted\(lean=0.1\).*k\(x_0, x_1\) = {there:.6g} but k\(x_1, x_0\) = {back:.6g}"
    with pytest.raises(ValueError, match=words):
        Tilted(0.1)([[0.0], [0.1], [3.0]])


@pytest.mark.parametrize("kernel", [Tilted(1e-12), Tilted(0.0), Polynomial(9), Waves()])
def test_a_kernel_that_is_symmetric_to_rounding_is_taken(kernel):
    order = np.random.default_rng(2).permutation(300)
    points = sample(300, 3, seed=1)
    K = kernel(points)
    assert np.array_equal(K, K.T)
    assert np.allclose(kernel(points[order]), K[np.ix_(order, order)], rtol=1e-9, atol=0)


def exact_fall(kernel, delta):
    """r(0) - r(delta) from the first terms of its series, for small distances."""
    if isinstance(kernel, RBF):
        return kernel.theta * delta**2
    if isinstance(kernel, Exponential):
        return kernel.theta * delta
    if isinstance(kernel, DampedCosine):
        return kernel.alpha * delta + (kernel.omega**2 - kernel.alpha**2) * delta**2 / 2
    return delta**kernel.beta


SMALL = [
    RBF(0.3),
    Exponential(0.7),
    DampedCosine(0.0, 2.0),
    DampedCosine(1.0, 3.0),
    Power(1.3),
]


@pytest.mark.parametrize("kernel", SMALL, ids=repr)
def test_the_fall_of_a_profile_keeps_its_digits(kernel):
    delta = np.array([0.0, 1e-30, 1e-12, 1e-9])
    found, other = -kernel.r_less_sill(delta), RBF(5.0)
    np.testing.assert_allclose(found, exact_fall(kernel, delta), rtol=1e-8, atol=0)
    scaled = -(3.0 * kernel).r_less_sill(delta)
    np.testing.assert_allclose(scaled, 3 * found, rtol=1e-15)
    both = found + exact_fall(other, delta)
    np.testing.assert_allclose(-(kernel + other).r_less_sill(delta), both, rtol=1e-8)
    product = found + kernel.sill * exact_fall(other, delta) if kernel.sill else found
    np.testing.assert_allclose(-(kernel * other).r_less_sill(delta), product, rtol=1e-8)


@pytest.mark.parametrize(
    "kernel", [*SMALL, Cauchy(), 0.5 * RBF(0.1) + Cauchy(), RBF(2.0) * DampedCosine(1.0, 1.0)]
)
def test_the_fall_of_a_profile_is_what_it_is_called(kernel):
    delta = np.linspace(0.0, 9.0, 50)
    expected = kernel.profile(delta) - kernel.profile(0.0)
    np.testing.assert_allclose(kernel.r_less_sill(delta), expected, rtol=0, atol=1e-14)
    np.testing.assert_allclose(kernel.r_less_sill_of_squares(delta**2), expected, atol=1e-14)
    less = kernel.less_sill(X)
    np.testing.assert_allclose(less, kernel.profile(D) - kernel.sill, rtol=0, atol=1e-13)
    np.testing.assert_allclose(kernel.less_sill(X[:5], X), less[:5], rtol=0, atol=1e-13)


@pytest.mark.parametrize("theta", [1e-10, 1e-18, 1e-60])
def test_a_wide_kernel_is_classical_scaling(theta):
    flat, unit = classical_scaling(D, 3), np.sqrt(2 * theta)
    for fit in (
        kernel_mds(D, RBF(theta), 3),
        kernel_mds_from_points(X, RBF(theta), 3),
        kernel_mds(D, 0.5 * RBF(theta) + 0.5 * RBF(theta), 3),
        kernel_pca(X, RBF(theta), 3),
    ):
        np.testing.assert_allclose(fit.points / unit, flat.points, rtol=0, atol=1e-7)
        assert fit.explained == pytest.approx(1.0, abs=1e-8)
        assert fit.spectrum().explained[0] == pytest.approx(flat.spectrum().explained[0])
        np.testing.assert_allclose(fit.kernel_diagonal, 1.0)
        np.testing.assert_allclose(fit.column_means, 1.0, atol=1e-8)
    fits = [kernel_mds(D, RBF(theta), 3), kernel_mds_from_points(X, RBF(theta), 3)]
    for fit, new in zip(fits, (D, X), strict=True):
        np.testing.assert_allclose(fit.feature_distances / unit, D, rtol=1e-7, atol=1e-9)
        np.testing.assert_allclose(fit.transform(new), fit.points, rtol=0, atol=1e-7 * unit)
        np.testing.assert_array_max_ulp(fit.gram, RBF(theta).profile(fit.dissimilarities))
        assert fit.residual_sum == pytest.approx(0, abs=1e-6 * theta * 40**2)


@pytest.mark.parametrize("unit", [1e-12, 1e-30, 1e-55])
def test_statistics_of_samples_in_small_units_are_those_of_means(unit):
    x, y = X[:20], X[20:] + 1.5
    expected = 2 * np.sum((x.mean(axis=0) - y.mean(axis=0)) ** 2)
    assert mmd(x * unit, y * unit, RBF(1.0)) / unit**2 == pytest.approx(expected, rel=1e-9)
    test = permutation_test(mmd, x * unit, y * unit, RBF(1.0), n_permutations=99, seed=0)
    assert test.p_value == 0.01
    found = hsic(x * unit, y * unit, RBF(1.0), Exponential(1.0))
    assert found / unit**3 == pytest.approx(2 * hsic(x, y, Linear(), Power(1.0)), rel=1e-9)


@pytest.mark.parametrize(
    "call",
    [
        lambda: kernel_mds(1e-10 * D, Cauchy()),
        lambda: kernel_pca(1e-10 * X, Cauchy()),
        lambda: kernel_pca(1e-12 * X, Polynomial(2)),
        lambda: kernel_mds_from_points(1e-12 * X, Polynomial(2)),
        lambda: mmd(1e-12 * X, 1e-12 * X[::-1] + 1e-11, Polynomial(2)),
        lambda: permutation_test(mmd, 1e-12 * X, 1e-12 * X + 1e-11, Cauchy()),
        lambda: hsic(X, 1e-12 * X, RBF(1.0), Polynomial(2)),
    ],
)
def test_a_kernel_that_is_constant_to_rounding_is_refused(call):
    with pytest.raises(ValueError, match="constant to rounding: the kernel does not tell"):
        call()


def test_objects_that_coincide_are_no_constant_kernel():
    same = np.ones((6, 2))
    assert mmd(same, same, RBF(1.0)) == 0.0
    assert mmd(same, same, Polynomial(2)) == 0.0
    for call in (
        lambda: kernel_mds(np.zeros((6, 6)), RBF(1.0)),
        lambda: kernel_pca(same, Polynomial(2)),
        lambda: kernel_pca_from_gram(np.ones((6, 6))),
    ):
        with pytest.warns(FewerComponentsWarning, match="all objects coincide"):
            call()


def test_a_common_shift_costs_statistics_of_the_linear_kernel_no_digits():
    x, y = X[:20], X[20:]
    expected = mmd(x, y, Linear())
    assert mmd(x + 1e8, y + 1e8, Linear()) == pytest.approx(expected, rel=1e-6)
    expected = hsic(x, y, Linear(), Linear())
    assert hsic(x + 1e8, y - 1e8, Linear(), Linear()) == pytest.approx(expected, rel=1e-6)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (
            lambda: Polynomial(9)(X * 1e40),
            r"Polynomial\(degree=9.* overflows: k\(x_0, y_0\) is inf",
        ),
        (lambda: Polynomial(9)(X[:2] * 1e40, X), r"overflows: k\(x_0, y_0\) is"),
        (lambda: Waves()(X * 1e3), r"Waves\(\) overflows"),
        (lambda: mmd(X * 1e40, X, Polynomial(9)), "the matrix of kernel overflows"),
    ],
)
def test_values_that_overflow_are_refused(call, words):
    with pytest.raises(ValueError, match=words):
        call()


@pytest.mark.parametrize("kernel", [RBF, "rbf", None, lambda X, Y: X @ Y.T])
@pytest.mark.parametrize(
    "call",
    [
        lambda kernel: kernel_mds(D, kernel),
        lambda kernel: kernel_mds_from_points(X, kernel),
        lambda kernel: kernel_pca(X, kernel),
        lambda kernel: nystroem(X, kernel),
        lambda kernel: mmd(X, X, kernel),
        lambda kernel: hsic(X, X, kernel, kernel),
    ],
)
def test_what_is_no_kernel_is_told_what_one_is(call, kernel):
    with pytest.raises(ValueError, match=r"a kernel object with its parameters, such as RBF\(1"):
        call(kernel)


@pytest.mark.parametrize(
    ("kernel", "theta"), [(RBF, "theta"), (Exponential, "theta"), (Power, "beta")]
)
@pytest.mark.parametrize("number", [np.float16, np.float32, np.longdouble, np.int8])
def test_parameters_are_python_floats(kernel, theta, number):
    made = kernel(number(1))
    assert type(getattr(made, theta)) is float
    assert made(X).dtype == np.float64
    assert type((number(2) * made).factor) is float
    if number is not np.int8:
        with pytest.raises(ValueError, match=f"{theta} is"):
            kernel(number("inf"))


@pytest.mark.parametrize(
    ("alpha", "omega"), [(1.0, 1e-320), (1e300, 1e-300), (1.0, 5e-324), (0.0, 0.0), (1e100, 1e-10)]
)
def test_a_damped_cosine_of_hardly_any_frequency_is_definite_everywhere(alpha, omega):
    definiteness = DampedCosine(alpha, omega).definiteness
    assert definiteness.positive == math.inf
    assert str(definiteness) == "positive definite in every dimension"
    assert DampedCosine(0.0, 1e-320).definiteness.positive == 1


SAMPLES = [sample(10, 2, seed=seed) for seed in range(400)]


@pytest.mark.parametrize("statistic", [lambda x, y: mmd(x, y, RBF(0.5)), energy_distance])
def test_squared_distances_of_samples_are_never_negative(statistic):
    rng = np.random.default_rng(3)
    assert min(np.min(statistic(x, x[rng.permutation(10)])) for x in SAMPLES) == 0.0


def test_statistics_of_permuted_samples_are_never_negative():
    x = np.repeat([[0.1], [0.7]], 4, axis=0)
    for statistic, kernel in ((energy_distance, []), (mmd, [RBF(0.5)])):
        test = permutation_test(statistic, x, x, *kernel, n_permutations=400, seed=0)
        assert test.permuted.min() == 0.0
        assert test.permuted.max() > 0


def test_a_distance_correlation_is_at_most_one_and_of_a_full_design_zero():
    for estimator in ("V", "U"):
        found = [distance_correlation(x, 3 * x + 1, estimator=estimator) for x in SAMPLES]
        assert max(found) == 1.0
        assert min(found) > 1 - 1e-12
    for x in SAMPLES:
        first, second = np.repeat(x, 10, axis=0), np.tile(x[::-1], (10, 1))
        for statistic in (distance_correlation, distance_covariance):
            assert 0 <= statistic(first, second) < 1e-12
        assert 0 <= hsic(first, second, RBF(0.5), Exponential(1.0)) < 1e-12


@pytest.mark.slow
def test_a_sum_of_kernels_has_the_type_of_a_kernel(tmp_path):
    kernels = [RBF(1.0), Linear(), Exponential(1.0)]
    assert functools.reduce(operator.add, kernels) == sum(kernels)
    text = """
import functools, operator
from typing import assert_type
from kmds_lib import RBF, Kernel, Linear
kernels: list[Kernel] = [RBF(1.0), Linear()]
assert_type(functools.reduce(operator.add, kernels), Kernel)
assert_type(RBF(1.0) + RBF(2.0), Kernel)
assert_type(2 * RBF(1.0), Kernel)
"""
    file = tmp_path / "sums.py"
    file.write_text(text)
    printed, _, status = api.run(["--strict", f"--cache-dir={tmp_path}", str(file)])
    assert status == 0, printed


class Coarse(IsotropicKernel):
    """A user's kernel that computes in float32."""

    definiteness = Definiteness(math.inf, math.inf)

    def r(self, delta):
        return 1 / (1 + np.square(delta.astype(np.float32)))


def test_a_kernel_in_single_precision_is_solved_in_double():
    fit = kernel_mds(D, Coarse(), 3)
    V = fit.pairs.vectors
    assert V.dtype == fit.eigenvalues.dtype == np.float64
    np.testing.assert_allclose(V.T @ V, np.eye(3), atol=1e-13)
    np.testing.assert_allclose(fit.eigenvalues, kernel_pca(X, Coarse(), 3).eigenvalues, rtol=1e-6)
