"""Kernel values: symmetric or refused, with digits where the profile hardly falls, finite."""

import functools
import math
import operator

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from mypy import api
from numpy.testing import assert_allclose, assert_array_max_ulp
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
    mmd,
    nystroem,
    permutation_test,
)
from kmds_lib.kernels import IsotropicKernel
from kmds_lib.kernels.algebra import Multiple, Product, Sum
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


@pytest.mark.parametrize("n", [3, 40, 127, 129, 300])
@pytest.mark.parametrize("kernel", [Tilted(0.1), Tilted(1e-6), 2 * Tilted(0.1)])
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


@pytest.mark.parametrize("kernel", [Tilted(1e-12), Tilted(0.0), Polynomial(9)])
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
    assert_allclose(found, exact_fall(kernel, delta), rtol=1e-8, atol=0)
    scaled = -(3.0 * kernel).r_less_sill(delta)
    assert_allclose(scaled, 3 * found, rtol=1e-15)
    both = found + exact_fall(other, delta)
    assert_allclose(-(kernel + other).r_less_sill(delta), both, rtol=1e-8)
    product = found + kernel.sill * exact_fall(other, delta) if kernel.sill else found
    assert_allclose(-(kernel * other).r_less_sill(delta), product, rtol=1e-8)


@pytest.mark.parametrize(
    "kernel", [*SMALL, Cauchy(), 0.5 * RBF(0.1) + Cauchy(), RBF(2.0) * DampedCosine(1.0, 1.0)]
)
def test_the_fall_of_a_profile_is_what_it_is_called(kernel):
    delta = np.linspace(0.0, 9.0, 50)
    expected = kernel.profile(delta) - kernel.profile(0.0)
    assert_allclose(kernel.r_less_sill(delta), expected, rtol=0, atol=1e-14)
    assert_allclose(kernel.r_less_sill_of_squares(delta**2), expected, atol=1e-14)
    less = kernel.less_sill(X)
    assert_allclose(less, kernel.profile(D) - kernel.sill, rtol=0, atol=1e-13)
    assert_allclose(kernel.less_sill(X[:5], X), less[:5], rtol=0, atol=1e-13)


@pytest.mark.parametrize("theta", [1e-10, 1e-18, 1e-60])
def test_a_wide_kernel_is_classical_scaling(theta):
    flat, unit = classical_scaling(D, 3), np.sqrt(2 * theta)
    for fit in (
        kernel_mds(D, RBF(theta), 3),
        kernel_mds_from_points(X, RBF(theta), 3),
        kernel_mds(D, 0.5 * RBF(theta) + 0.5 * RBF(theta), 3),
        kernel_pca(X, RBF(theta), 3),
    ):
        assert_allclose(fit.points / unit, flat.points, rtol=0, atol=1e-7)
        assert fit.explained == pytest.approx(1.0, abs=1e-8)
        assert fit.spectrum().explained[0] == pytest.approx(flat.spectrum().explained[0])
        assert_allclose(fit.kernel_diagonal, 1.0)
        assert_allclose(fit.column_means, 1.0, atol=1e-8)
    fits = [kernel_mds(D, RBF(theta), 3), kernel_mds_from_points(X, RBF(theta), 3)]
    for fit, new in zip(fits, (D, X), strict=True):
        assert_allclose(fit.feature_distances / unit, D, rtol=1e-7, atol=1e-9)
        assert_allclose(fit.transform(new), fit.points, rtol=0, atol=1e-7 * unit)
        assert_array_max_ulp(fit.gram, RBF(theta).profile(fit.dissimilarities))
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


def test_samples_that_coincide_are_no_constant_kernel():
    same = np.ones((6, 2))
    assert mmd(same, same, RBF(1.0)) == 0.0
    assert mmd(same, same, Polynomial(2)) == 0.0


def test_a_common_shift_costs_statistics_of_the_linear_kernel_no_digits():
    x, y = X[:20], X[20:]
    expected = mmd(x, y, Linear())
    assert mmd(x + 1e8, y + 1e8, Linear()) == pytest.approx(expected, rel=1e-6)
    expected = hsic(x, y, Linear(), Linear())
    assert hsic(x + 1e8, y - 1e8, Linear(), Linear()) == pytest.approx(expected, rel=1e-6)


def test_values_that_overflow_are_refused():
    words = r"Polynomial\(degree=9.* overflows: k\(x_0, y_0\) is inf"
    for other in (None, X):
        with pytest.raises(ValueError, match=words):
            Polynomial(9)(X[:2] * 1e40, other)


@pytest.mark.parametrize("kernel", [RBF, "rbf", None, lambda X, Y: X @ Y.T])
@pytest.mark.parametrize(
    "call",
    [
        lambda kernel: kernel_mds(D, kernel),
        lambda kernel: kernel_mds_from_points(X, kernel),
        lambda kernel: kernel_pca(X, kernel),
        lambda kernel: nystroem(X, kernel),
    ],
)
def test_what_is_no_kernel_is_told_what_one_is(call, kernel):
    with pytest.raises(ValueError, match=r"a kernel object with its parameters, such as RBF\(1"):
        call(kernel)


@pytest.mark.parametrize("number", [np.float16, np.float32, np.longdouble, np.int8])
def test_parameters_are_python_floats(number):
    for made in (RBF(number(1)), Exponential(number(1)), Power(number(1)), number(2) * RBF(1.0)):
        assert type(next(iter(vars(made).values()))) is float
        assert made(X).dtype == np.float64


@pytest.mark.parametrize(
    ("alpha", "omega"), [(1.0, 1e-320), (1e300, 1e-300), (1.0, 5e-324), (0.0, 0.0), (1e100, 1e-10)]
)
def test_a_damped_cosine_of_hardly_any_frequency_is_definite_everywhere(alpha, omega):
    definiteness = DampedCosine(alpha, omega).definiteness
    assert definiteness.positive == math.inf
    assert str(definiteness) == "positive definite in every dimension"
    assert DampedCosine(0.0, 1e-320).definiteness.positive == 1


# Kernels and points drawn at random


def random_kernel(rng, depth):
    """Return a kernel of random parts and parameters."""
    if depth == 0 or rng.random() < 0.2:
        leaves = [
            RBF(10.0 ** rng.uniform(-15, 2)),
            Exponential(10.0 ** rng.uniform(-15, 2)),
            DampedCosine(rng.uniform(0, 2), rng.uniform(0, 2)),
            Power(rng.uniform(0.2, 3)),
            Linear(),
            Polynomial(int(rng.integers(1, 5)), rng.uniform(0, 2), rng.uniform(0.1, 2)),
        ]
        return leaves[rng.integers(len(leaves))]
    left, right = random_kernel(rng, depth - 1), random_kernel(rng, depth - 1)
    return [10.0 ** rng.uniform(-3, 3) * left, left + right, left * right][rng.integers(3)]


def by_formula(kernel, X):
    """Return the kernel matrix as the book writes it, in the precision of the points."""
    squares, products = np.square(X[:, None] - X).sum(axis=2), X @ X.T
    delta = np.sqrt(squares)
    match kernel:
        case RBF(theta):
            return np.exp(-theta * squares)
        case Exponential(theta):
            return np.exp(-theta * delta)
        case DampedCosine(alpha, omega):
            return np.exp(-alpha * delta) * np.cos(omega * delta)
        case Power(beta):
            return -(delta ** np.longdouble(beta))
        case Linear():
            return products
        case Polynomial(degree, offset, scale):
            return (scale * products + offset) ** degree
        case Multiple(factor, part):
            return factor * by_formula(part, X)
        case Sum(left, right):
            return by_formula(left, X) + by_formula(right, X)
        case Product(left, right):
            return by_formula(left, X) * by_formula(right, X)


def cloud(rng, n):
    """Return points of one hard kind."""
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


def assert_kernel_matrix(kernel, X, exact):
    """Compare values, diagonal, and what an isotropic kernel exceeds its sill by."""
    size = float(np.abs(exact).max())
    K = kernel(X)
    assert_allclose(K, exact.astype(float), rtol=0, atol=2e-12 * size)
    assert_allclose(kernel.diagonal(X), np.diag(K), rtol=0, atol=2e-12 * size)
    if kernel.isotropic:
        apart = exact - exact[0, 0]
        atol = 1e-11 * float(np.abs(apart).max()) + 1e-18 * size
        assert_allclose(kernel.less_sill(X), apart.astype(float), rtol=0, atol=atol)


@given(st.integers(0, 2**32 - 1))
@pytest.mark.filterwarnings("ignore::kmds_lib.embedding.FewerComponentsWarning")
@pytest.mark.filterwarnings("ignore::kmds_lib.kernels.DefinitenessWarning")
def test_random_kernels_and_their_fits_are_those_of_the_formulas(seed):
    rng = np.random.default_rng(seed)
    kernel, X = random_kernel(rng, 3), cloud(rng, int(rng.choice([5, 30, 150])))
    n, p = X.shape
    exact = by_formula(kernel, X.astype(np.longdouble))
    assert_kernel_matrix(kernel, X, exact)
    size, H = float(np.abs(exact).max()), np.eye(n) - 1 / n
    # The sill is taken away first: without it no digit is lost.
    centred = (H @ (exact - exact[0, 0] * kernel.isotropic) @ H).astype(float)
    values = np.linalg.eigvalsh(0.5 * centred + 0.5 * centred.T)[::-1]
    span = np.abs(values).max()
    if p <= kernel.definiteness.conditional:
        assert values[-1] > -1e-9 * max(span, size * n * 1e-5)
    if span <= 1e-6 * size:
        return
    scale = max(span, size * 1e-2)
    fit = kernel_pca(X, kernel, 2)
    kept = len(fit.eigenvalues)
    assert_allclose(fit.eigenvalues, values[:kept], rtol=0, atol=1e-9 * n * scale)
    assert kept == 2 or values[kept] < 1e-8 * n * scale
    if kept and fit.eigenvalues[-1] > 1e-6 * scale:
        again, atol = fit.transform(X), 1e-6 * np.sqrt(n * scale)
        assert_allclose(again, fit.points, rtol=0, atol=atol)


@given(st.integers(0, 2**32 - 1))
def test_statistics_at_the_ends_of_their_ranges(seed):
    rng = np.random.default_rng(seed)
    x = 10.0 ** rng.uniform(-20, 20) * cloud(rng, int(rng.integers(4, 20)))
    again, theta = x[rng.permutation(len(x))], 1 / np.square(x).max()
    for kernel in (RBF(theta), Power(rng.uniform(0.1, 2)), Linear()):
        assert 0 <= mmd(x, again, kernel) <= 1e-13 * np.abs(kernel(x)).max()
    assert energy_distance(x, again) >= 0
    for estimator in ("V", "U"):
        found = distance_correlation(x, rng.uniform(0.1, 9) * x, estimator=estimator)
        assert 1 - 1e-9 < found <= 1
    first, second = np.repeat(x, len(x), axis=0), np.tile(again, (len(x), 1))
    assert distance_covariance(first, second) >= 0
    assert 0 <= distance_correlation(first, second) < 1e-12
    assert 0 <= hsic(first, second, RBF(theta), Exponential(theta**0.5)) < 1e-12


GROUPS = np.repeat([[0.1], [0.7], [1.3]], 3, axis=0)
CROSSED = np.tile([[0.1], [0.4], [0.7]], (3, 1))


@pytest.mark.parametrize(
    ("statistic", "other", "kernels"),
    [
        (energy_distance, GROUPS, []),
        (mmd, GROUPS, [RBF(0.5)]),
        (hsic, CROSSED, [RBF(0.5), Exponential(1.0)]),
        (distance_covariance, CROSSED, []),
        (distance_correlation, CROSSED, []),
    ],
)
def test_statistics_of_permuted_data_keep_their_ranges(statistic, other, kernels):
    """Some arrangements make the two sides equal or independent, some the same up to unit."""
    options = {"n_permutations": 400, "seed": 0}
    permuted = permutation_test(statistic, GROUPS, other, *kernels, **options).permuted
    assert permuted.min() == 0.0
    assert 0 < permuted.max() <= 1


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
    assert_allclose(V.T @ V, np.eye(3), atol=1e-13)
    assert_allclose(fit.eigenvalues, kernel_pca(X, Coarse(), 3).eigenvalues, rtol=1e-6)
