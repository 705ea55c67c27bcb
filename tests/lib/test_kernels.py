"""Kernels: values, accuracy, symmetry, definiteness, sums and products, user-defined kernels."""

import math
import pickle
from functools import partial

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
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
    center_gram,
    choose_theta,
    distances,
    kernel_pca,
)
from kmds_lib.kernels import DefinitenessWarning, IsotropicKernel, Multiple, Product, Sum
from tests.lib.conftest import Cauchy, difficult_points, refused, sample, with_memory


def test_kernels_without_profile_refuse_to_give_one():
    for kernel in (Linear(), Polynomial(2), Linear() + RBF(0.2), 2.0 * Linear()):
        assert not kernel.isotropic
        for method in (kernel.profile, kernel.inverse_profile):
            with pytest.raises(ValueError, match="has no profile"):
                method(1.0)


def test_kernel_matrix_needs_no_second_large_array():
    X = sample(2000, 10)
    K, peak = with_memory(RBF(0.1), X)
    assert peak < 1.35 * K.nbytes


@pytest.mark.parametrize("dimension", [1, 2, 3, 11])
def test_damped_cosine_is_definite_up_to_a_dimension(dimension):
    edge = 2.0 / math.tan(math.pi / (2 * dimension))
    assert DampedCosine(edge, 2.0).definiteness.max_dimension == dimension
    below = DampedCosine(edge * (1 - 1e-6), 2.0).definiteness.max_dimension if edge > 0.1 else 0
    assert below == dimension - 1
    assert DampedCosine(edge, 0.0).definiteness.max_dimension == math.inf


def test_definiteness_of_sums_products_and_multiples():
    rbf, power, cosine, unknown = RBF(1.0), Power(1.0), DampedCosine(1.0, 1.0), Power(3.0)
    assert str(rbf.definiteness) == "positive definite in every dimension"
    assert str((rbf + cosine).definiteness) == "positive definite up to dimension 2"
    assert str((rbf * cosine).definiteness) == "positive definite up to dimension 2"
    assert (2.0 * power).definiteness == power.definiteness
    assert (power + cosine).definiteness.kind == "conditionally positive definite"
    assert (power + cosine).definiteness.max_dimension == 2
    for kernel in (power * rbf, power * power, unknown, unknown + rbf):
        assert str(kernel.definiteness) == "not known to be definite"
    assert str(Definiteness(0, 1)) == "conditionally positive definite up to dimension 1"
    with pytest.raises(ValueError, match="positive <= conditional"):
        Definiteness(2, 1)


@pytest.mark.parametrize("left", [RBF(0.2), Linear(), Polynomial(2)], ids=repr)
@pytest.mark.parametrize("right", [Exponential(0.1), Linear(), Polynomial(2)], ids=repr)
def test_translation_invariance_is_stated_correctly(left, right):
    X = sample(30, 4)
    for kernel in (left, 3.0 * left, left + right, left * right):
        K, moved = kernel(X), kernel(X + 1.0)
        assert np.allclose(K, moved, atol=1e-12) is kernel.isotropic
        unchanged = np.allclose(center_gram(K), center_gram(moved), atol=1e-11)
        assert unchanged is kernel.translation_invariant


@pytest.mark.parametrize(
    "kernel",
    [RBF(0.3), Exponential(0.7), Power(0.8), 2.5 * RBF(0.3), 0.5 * (3.0 * Power(0.8))],
    ids=repr,
)
def test_inverse_profile_inverts_the_profile(kernel):
    delta = np.linspace(0.0, 5.0, 21)
    values = kernel.profile(delta)
    before = values.copy()
    assert_allclose(kernel.inverse_profile(values), delta, rtol=1e-9, atol=1e-12)
    assert_array_equal(values, before)
    assert np.all(np.isfinite(kernel.inverse_profile([-0.5, 0.0, 3.5])))
    assert kernel.inverse_profile(kernel.profile(2.0)) == pytest.approx(2.0)
    beyond = kernel.inverse_profile([kernel.profile(0.0) + 1.0, -np.inf])
    assert beyond[0] == 0.0
    assert beyond[1] > 40


test_profiles_without_inverse_are_refused = refused(
    *(
        (partial(Kernel.inverse_profile, kernel, [0.5]), "has no inverse profile in closed form")
        for kernel in (DampedCosine(1.0, 1.0), RBF(1.0) + RBF(2.0), RBF(1.0) * RBF(2.0))
    )
)


class Overlap(Kernel):
    """A user-defined kernel: the intersection of two histograms."""

    definiteness = Definiteness(math.inf, math.inf)

    def evaluate(self, X, Y):
        return np.minimum(X[:, None], Y).sum(axis=2)


class Matches(Kernel):
    """A user-defined kernel that states no definiteness and returns integers."""

    def evaluate(self, X, Y):
        return (X[:, None] == Y).sum(axis=2)


@pytest.mark.parametrize("n", [1, 15, 16, 17, 128, 129, 300])
@pytest.mark.parametrize("kernel", [Overlap(), Cauchy(), Overlap() + Cauchy()], ids=repr)
def test_user_defined_kernel_needs_one_method(kernel, n):
    X, Y = np.abs(sample(n, 4)), np.abs(sample(9, 4, seed=1))
    K = kernel(X)
    expected = np.minimum(X[:, None], X).sum(axis=2) * ("Overlap" in repr(kernel))
    expected = expected + ("Cauchy" in repr(kernel)) / (1 + cdist(X, X) ** 2)
    assert_allclose(K, expected, rtol=1e-12)
    assert np.array_equal(K, K.T)
    assert_allclose(kernel(X, Y), kernel(np.vstack([X, Y]))[:n, n:], rtol=1e-12)
    assert_allclose(kernel.diagonal(X), np.diag(K), rtol=1e-12)
    assert kernel.definiteness.positive == math.inf


def test_kernel_of_unknown_definiteness_warns_when_used():
    X = np.round(sample(60, 4))
    with pytest.warns(DefinitenessWarning, match=r"Matches\(\) is not known to be definite"):
        K = Matches()(X)
    assert K.dtype == float
    assert np.array_equal(np.diag(K), np.full(len(X), 4.0))
    with pytest.warns(DefinitenessWarning):
        fit = kernel_pca(X, Matches(), n_components=2)
    assert_allclose(fit.transform(X), fit.points, atol=1e-10)


def test_incomplete_kernels_are_refused():
    with pytest.raises(TypeError, match="evaluate"):
        Kernel()
    with pytest.raises(TypeError, match=r"method '?r'?"):
        IsotropicKernel()

    class Flat(Kernel):
        definiteness = Definiteness(math.inf, math.inf)

        def __init__(self, scale):
            self.scale = scale

        def evaluate(self, X, Y):
            return X[:, 0] * self.scale

    for call in (Flat(2.0), lambda X: Flat(2.0)(X, X), Flat(2.0).diagonal):
        with pytest.raises(ValueError, match=r"evaluate of Flat\(scale=2.0\) returned shape"):
            call(sample(60, 4))


def test_kernels_are_immutable_and_compared_by_value():
    assert RBF(1.0) == RBF(1.0)
    assert RBF(1.0) + Linear() == RBF(1.0) + Linear()
    assert repr(2 * RBF(1.0)) == "Multiple(factor=2.0, kernel=RBF(theta=1.0))"
    assert pickle.loads(pickle.dumps(2 * RBF(1.0) + Linear())) == 2 * RBF(1.0) + Linear()
    with pytest.raises(AttributeError):
        RBF(1.0).theta = 2.0
    assert sum([RBF(0.1)]) == RBF(0.1)
    for wrong in (1, 0.5, True, "a", None):
        with pytest.raises(TypeError):
            wrong + RBF(1.0)
        with pytest.raises(TypeError):
            RBF(1.0) + wrong


def test_choose_theta_equals_the_rules_by_definition():
    X = 3 * sample(20, 2)
    X[1] = X[0]
    D = cdist(X, X)
    apart = D[np.triu_indices(20, 1)]
    typical = {"median": np.median(apart[apart > 0]), "scale": np.sqrt(np.mean(D**2)) / 2}
    assert choose_theta(X) == choose_theta(X, RBF, "median")
    for rule, delta in typical.items():
        for data, metric in ((X, "euclidean"), (X + 1e3, "euclidean"), (D, "precomputed")):
            found = choose_theta(data, rule=rule, metric=metric)
            assert found == pytest.approx(1 / (2 * delta**2), rel=1e-9)
            found = choose_theta(data, Exponential, rule, metric=metric)
            assert found == pytest.approx(1 / (2 * delta), rel=1e-9)
    assert choose_theta(np.ones((4, 2))) == 1.0


test_choose_theta_needs_a_function_of_theta = refused(
    *(
        (partial(choose_theta, points, kernel), "kernel is .*: give a function that returns a ker")
        for kernel in ("rbf", None, 3, RBF(1.0))
        for points in ([[0.0], [1.0]], [[1.0], [1.0]])
    )
)


def test_choose_theta_takes_a_column_of_a_data_frame():
    table = pd.DataFrame({"x": [0.0, 1.0, 3.0], "y": [2.0, 2.0, 5.0]})
    for column in (table["x"], table["x"].to_numpy(), [0.0, 1.0, 3.0], table[["x"]]):
        assert choose_theta(column) == pytest.approx(1 / (2 * 2.0**2))


test_invalid_rules_are_refused = refused(
    (lambda: choose_theta(np.eye(3), Power), "finds no value for this kernel"),
    (lambda: choose_theta(np.ones((3, 2)), metric="precomputed"), r"X has shape \(3, 2\)"),
)


test_invalid_arguments = refused(
    (lambda: Polynomial(2, offset=-1.0), "offset is -1.0"),
    (lambda: Polynomial(2, scale=0.0), "scale is 0.0"),
    (lambda: -1.0 * RBF(1.0), "factor is -1.0"),
    (lambda: RBF(1.0).profile([math.nan]), r"delta\[0\] is nan: give"),
    (lambda: RBF(1.0).inverse_profile([math.nan]), r"values\[0\] is nan: give"),
    (lambda: RBF(1.0)([[0.0, 1.0]], [[0.0]]), "X has 2 columns but Y has 1"),
    (lambda: Polynomial(9)([[1e40]]), r"Polynomial\(degree=9.* overflows: k\(x_0, y_0\) is inf"),
    (lambda: Polynomial(9)([[1e40]], [[1.0]]), r"overflows: k\(x_0, y_0\) is inf"),
)


class Asymmetric(Kernel):
    """A kernel that is not symmetric."""

    definiteness = Definiteness(math.inf, math.inf)

    def __init__(self, skew):
        self.skew = skew

    def evaluate(self, X, Y):
        return np.exp(-cdist(X, Y)) * (1 + self.skew * np.tanh(X[:, :1] - Y[:, 0]))


@pytest.mark.parametrize("n", [3, 129])
@pytest.mark.parametrize("kernel", [Asymmetric(0.1), Asymmetric(1e-6), 2 * Asymmetric(0.1)])
def test_asymmetric_kernel_is_refused(kernel, n):
    points = sample(n, 3, seed=1)
    for call in (kernel, lambda X: kernel_pca(X, kernel, 1)):
        with pytest.raises(ValueError, match=r"not symmetric: k\(x_\d+, x_\d+\) = .* but k\(x_"):
            call(points)


class InFloat32(Asymmetric):
    """A kernel that is computed in single precision."""

    def evaluate(self, X, Y):
        return super().evaluate(X, Y).astype(np.float32)


def test_asymmetry_is_judged_by_the_type_of_the_kernel():
    points = sample(30, 3, seed=1)
    assert np.allclose(InFloat32(1e-6)(points), Asymmetric(0.0)(points), atol=1e-5)
    with pytest.raises(ValueError, match=r"k\(x_.*a difference of 0.0"):
        InFloat32(0.1)(points)


@pytest.mark.parametrize("kernel", [Asymmetric(1e-12), Asymmetric(0.0), Polynomial(9)])
def test_asymmetry_from_rounding_is_accepted(kernel):
    order = np.random.default_rng(2).permutation(300)
    points = sample(300, 3, seed=1)
    K = kernel(points)
    assert np.array_equal(K, K.T)
    assert np.allclose(kernel(points[order]), K[np.ix_(order, order)], rtol=1e-9, atol=0)


@pytest.mark.parametrize("kernel", [Cauchy(), 0.5 * RBF(0.1) + Cauchy(), RBF(2.0) * Cauchy()])
def test_minus_value_at_zero_of_user_defined_profiles(kernel):
    delta, X = np.linspace(0.0, 9.0, 50), sample(40, 3)
    expected = kernel.profile(delta) - kernel.profile(0.0)
    assert_allclose(kernel.r_minus_value_at_zero(delta), expected, rtol=0, atol=1e-14)
    assert_allclose(kernel.r_minus_value_at_zero_of_squares(delta**2), expected, atol=1e-14)
    found, D = kernel.k_minus_value_at_zero(X), cdist(X, X)
    assert_allclose(found, kernel.profile(D) - kernel.value_at_zero, rtol=0, atol=1e-13)
    assert_allclose(kernel.k_minus_value_at_zero(X[:5], X), found[:5], rtol=0, atol=1e-13)


def random_kernel(rng, depth):
    """Return a random combination of kernels with random parameters."""
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
    """Return the kernel matrix by its formula, in the precision of the points."""
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


def assert_kernel_matrix(kernel, X, exact):
    """Compare values, diagonal and, for an isotropic kernel, k(x, y) - k(0)."""
    size = float(np.abs(exact).max())
    K = kernel(X)
    assert_allclose(K, exact.astype(float), rtol=0, atol=2e-12 * size)
    assert np.array_equal(K, K.T)
    assert_allclose(kernel(X, X.copy()), K, rtol=0, atol=2e-12 * size)
    assert_allclose(kernel.diagonal(X), np.diag(K), rtol=0, atol=2e-12 * size)
    if kernel.isotropic:
        assert_array_equal(kernel.diagonal(X), kernel.profile(np.zeros(len(X))))
        assert_allclose(kernel.profile(distances(X)), K, rtol=0, atol=2e-12 * size)
        expected = exact - exact[0, 0]
        atol = 1e-11 * float(np.abs(expected).max()) + 1e-18 * size
        assert_allclose(kernel.k_minus_value_at_zero(X), expected.astype(float), rtol=0, atol=atol)


@given(st.integers(0, 2**32 - 1))
@pytest.mark.filterwarnings("ignore::kmds_lib.results.FewerComponentsWarning")
@pytest.mark.filterwarnings("ignore::kmds_lib.kernels.DefinitenessWarning")
def test_random_kernels_equal_their_formulas(seed):
    rng = np.random.default_rng(seed)
    kernel, X = random_kernel(rng, 3), difficult_points(rng, int(rng.choice([5, 30, 150])))
    n, p = X.shape
    exact = by_formula(kernel, X.astype(np.longdouble))
    assert_kernel_matrix(kernel, X, exact)
    size, H = float(np.abs(exact).max()), np.eye(n) - 1 / n
    if p <= kernel.definiteness.positive:
        assert np.linalg.eigvalsh(kernel(X))[0] >= -1e-12 * n * size
    # Subtract k(0) before centring, so that no digits are lost.
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
