"""MMD, HSIC, energy statistics and permutation tests: definitions, identities, rounding."""

from itertools import permutations, product

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy import stats

from kmds_lib._gram import distances
from kmds_lib._hsic import distance_correlation, distance_covariance, hsic
from kmds_lib._mmd import energy_distance, mmd
from kmds_lib._permutation import permutation_test
from kmds_lib.kernels import RBF, Exponential, Linear, Polynomial, Power
from tests.lib.conftest import difficult_points, refused, sample

KERNELS = [RBF(0.3), Polynomial(2), Power(0.5)]
ESTIMATORS = ["V", "U"]


def two_samples(m=7, n=5, p=2, shift=0.7, seed=0):
    rng = np.random.default_rng(seed)
    return rng.standard_normal((m, p)), rng.standard_normal((n, p)) + shift


def pairs(n=6, seed=0):
    rng = np.random.default_rng(seed)
    x = rng.standard_normal((n, 2))
    return x, x[:, :1] ** 2 + 0.3 * rng.standard_normal((n, 1))


def hsic_by_definition(K, L, estimator):
    """Average over index tuples, all of them for V and those without repeats for U."""
    n = len(K)

    def tuples(size):
        if estimator == "U":
            return list(permutations(range(n), size))
        return list(product(range(n), repeat=size))

    one = np.mean([K[i, j] * L[i, j] for i, j in tuples(2)])
    two = np.mean([K[i, j] * L[q, r] for i, j, q, r in tuples(4)])
    cross = np.mean([K[i, j] * L[i, q] for i, j, q in tuples(3)])
    return one + two - 2 * cross


@pytest.mark.parametrize("estimator", ESTIMATORS)
@pytest.mark.parametrize("kernel", KERNELS, ids=repr)
def test_mmd_agrees_with_its_definition(kernel, estimator):
    def mean_within(points):
        K = kernel(points)
        return K[~np.eye(len(K), dtype=bool)].mean() if estimator == "U" else K.mean()

    x, y = two_samples()
    expected = mean_within(x) + mean_within(y) - 2 * kernel(x, y).mean()
    assert mmd(x, y, kernel, estimator=estimator) == pytest.approx(expected, rel=1e-10)
    K, second = kernel(np.vstack([x, y])), np.arange(12) >= 7
    found = mmd(K, second, "precomputed", estimator=estimator)
    assert found == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize("estimator", ESTIMATORS)
@pytest.mark.parametrize("kernel", KERNELS, ids=repr)
def test_hsic_agrees_with_its_definition(kernel, estimator):
    x, y = pairs()
    K, L = kernel(x), RBF(0.8)(y)
    expected = hsic_by_definition(K, L, estimator)
    for arguments in ((x, y, kernel, RBF(0.8)), (L, K, "precomputed", "precomputed")):
        assert hsic(*arguments, estimator=estimator) == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize("estimator", ESTIMATORS)
@pytest.mark.parametrize("exponent", [0.5, 1.0, 2.0])
def test_energy_statistics_are_kernel_statistics(exponent, estimator):
    x, y = two_samples(m=6, n=6)
    kernel = Power(exponent)
    options = {"exponent": exponent, "estimator": estimator}
    by_kernel = mmd(x, y, kernel, estimator=estimator)
    assert energy_distance(x, y, **options) == pytest.approx(by_kernel, rel=1e-12)
    pooled = distances(np.vstack([x, y]))
    by_distances = energy_distance(pooled, np.arange(12) >= 6, "precomputed", **options)
    assert by_distances == pytest.approx(by_kernel, rel=1e-9)
    by_kernel = hsic(x, y, kernel, kernel, estimator=estimator)
    assert distance_covariance(x, y, **options) == pytest.approx(by_kernel, rel=1e-12)
    by_distances = distance_covariance(distances(x), distances(y), "precomputed", **options)
    assert by_distances == pytest.approx(by_kernel, rel=1e-9)
    lengths = hsic(x, x, kernel, kernel, estimator=estimator)
    lengths *= hsic(y, y, kernel, kernel, estimator=estimator)
    cosine = distance_correlation(x, y, **options)
    assert cosine == pytest.approx(by_kernel / lengths**0.5, rel=1e-10)


@pytest.mark.parametrize("estimator", ESTIMATORS)
def test_range_of_distance_correlation(estimator):
    x, y = pairs(n=30)
    assert 0 < distance_correlation(x, y, estimator=estimator) < 1
    for constant in (np.ones(30), np.tile([0.3, 0.1 + 0.2], 15)):  # to rounding
        assert distance_correlation(x, constant, estimator=estimator) == 0.0


@pytest.mark.parametrize("estimator", ESTIMATORS)
def test_permuted_hsic_is_the_hsic_of_permuted_pairs(estimator):
    x, y = pairs(n=300)
    options = {"estimator": estimator, "n_permutations": 3, "seed": 7}
    result = permutation_test(hsic, x, y, RBF(0.3), RBF(2.0), **options)
    rng = np.random.default_rng(7)
    for value in result.permuted:
        again = hsic(x, y[rng.permutation(300)], RBF(0.3), RBF(2.0), estimator=estimator)
        assert value == pytest.approx(again, rel=1e-8, abs=1e-15)
    observed = hsic(x, y, RBF(0.3), RBF(2.0), estimator=estimator)
    assert result.statistic == pytest.approx(observed, rel=1e-12)


@pytest.mark.parametrize("estimator", ESTIMATORS)
def test_permuted_energy_distance_equals_the_distance_of_new_labels(estimator):
    x, y = two_samples(m=20, n=12)
    options = {"estimator": estimator, "n_permutations": 130, "seed": 3}
    result = permutation_test(energy_distance, x, y, **options)
    rng, second = np.random.default_rng(3), np.arange(32) >= 20
    labels = [rng.permuted(np.tile(second, (size, 1)), axis=1) for size in (128, 2)]
    D = distances(np.vstack([x, y]))
    again = [
        energy_distance(D, row, "precomputed", estimator=estimator) for row in np.vstack(labels)
    ]
    assert result.permuted == pytest.approx(np.array(again), rel=1e-9, abs=1e-13)
    assert result.statistic == pytest.approx(energy_distance(x, y, estimator=estimator))


@pytest.mark.parametrize(
    ("statistic", "arguments", "options"),
    [
        (hsic, (), {"kernel_x": RBF(0.3), "kernel_y": Linear(), "estimator": "U"}),
        (distance_covariance, (), {"exponent": 0.7}),
        (mmd, (RBF(0.3),), {"estimator": "U"}),
    ],
)
def test_statistic_can_be_given_by_name(statistic, arguments, options):
    x, y = pairs(n=9)
    x = x[:, :1]
    by_function, by_name = (
        permutation_test(each, x, y, *arguments, n_permutations=99, seed=2, **options)
        for each in (statistic, statistic.__name__)
    )
    assert by_name.statistic == statistic(x, y, *arguments, **options) == by_function.statistic
    assert np.array_equal(by_name.permuted, by_function.permuted)


def test_ties_increase_the_p_value():
    """Use data with two values: many permutations give the same statistic up to rounding."""
    x, y = np.array([[0.1]] * 6 + [[0.7]] * 2), np.array([[0.1]] * 2 + [[0.7]] * 6)
    law = stats.hypergeom(16, 8, 8)
    exact = law.cdf(2) + law.sf(5)
    result = permutation_test(energy_distance, x, y, n_permutations=3999, seed=0)
    assert result.p_value == pytest.approx(exact, abs=3 * (exact * (1 - exact) / 4000) ** 0.5)
    same = permutation_test(energy_distance, x[:6], y[:2], n_permutations=19, seed=0)
    assert same.p_value == 1.0


def test_statistics_do_not_change_their_input():
    x, y = two_samples(m=8, n=8)
    D, E, K = distances(x), distances(y), RBF(1.0)(np.vstack([x, y]))
    kept = [one.copy() for one in (D, E, K)]
    distance_correlation(D, E, "precomputed", estimator="U")
    permutation_test(mmd, K, np.arange(16) >= 8, "precomputed", estimator="U", n_permutations=2)
    hsic(D, E, "precomputed", "precomputed")
    for before, after in zip(kept, (D, E, K), strict=True):
        assert np.array_equal(before, after)


X, Y = two_samples(m=8, n=8)
D = distances(X)
HALF = np.arange(8) >= 4


test_invalid_input_is_named = refused(
    (lambda: mmd(X, Y[:, :1], RBF(1.0)), "X has 2 columns but Y has 1"),
    (lambda: mmd(X[:1], Y, RBF(1.0)), r"X has shape \(1, 2\).*at least 2"),
    (lambda: mmd(1e59 * X, Y, Polynomial(9)), "matrix of kernel.*inf"),
    (lambda: hsic(X, 1e40 * X, RBF(1.0), Polynomial(2)), "matrix of kernel_y.*another unit"),
    (lambda: mmd(1e-12 * X, 1e-12 * X + 1e-11, Polynomial(2)), "constant to rounding"),
    (lambda: mmd(D, HALF.astype(int), "precomputed"), "8 booleans"),
    (lambda: mmd(D, np.arange(8) >= 7, "precomputed"), "True for 1 of 8"),
    (lambda: mmd(D, np.ma.array(HALF, mask=HALF), "precomputed"), "Y is a masked array"),
    (lambda: energy_distance(X, Y, exponent=2.1), r"exponent is 2.1.*\(0, 2\]"),
    (lambda: hsic(X, Y[:7], RBF(1.0), RBF(1.0)), "X has 8 objects and Y has 7"),
    (lambda: hsic(X, Y, "precomputed", RBF(1.0)), r"X has shape \(8, 2\)"),
    (lambda: distance_covariance(X[:3], Y[:3], estimator="U"), "at least 4"),
    (lambda: permutation_test(np.var, X, Y), "distance_correlation, distance_covariance"),
)


def test_smallest_samples():
    assert mmd([[0.0], [1.0]], [[2.0], [3.0]], Linear(), estimator="U") == pytest.approx(3.5)
    x, y = pairs(n=4)
    expected = hsic_by_definition(distances(x), distances(y), "U")
    assert distance_covariance(x, y, estimator="U") == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize("size", [0.7, 1e50, 1e-50])
def test_u_centred_matrix_of_zeros_has_no_correlation(size):
    offsets = size * np.random.default_rng(0).random(6)
    other = distances(sample(6, 2, seed=1))
    for M in (np.full((6, 6), size), offsets + offsets[:, None]):
        D = M * (1 - np.eye(6))
        assert distance_correlation(D, other, "precomputed", estimator="U") == 0
        test = permutation_test(
            distance_covariance, D, other, "precomputed", estimator="U", n_permutations=99, seed=0
        )
        assert (test.statistic, test.p_value) == (0, 1)


@pytest.mark.parametrize("unit", [1e-12, 1e-55])
def test_statistics_in_small_units_are_accurate(unit):
    x, y = two_samples(m=20, n=20, p=3, shift=1.5)
    expected = 2 * np.sum((x.mean(axis=0) - y.mean(axis=0)) ** 2)
    assert mmd(x * unit, y * unit, RBF(1.0)) / unit**2 == pytest.approx(expected, rel=1e-9)
    test = permutation_test(mmd, x * unit, y * unit, RBF(1.0), n_permutations=99, seed=0)
    assert test.p_value == 0.01
    found = hsic(x * unit, y * unit, RBF(1.0), Exponential(1.0))
    assert found / unit**3 == pytest.approx(2 * hsic(x, y, Linear(), Power(1.0)), rel=1e-9)


def test_translations_do_not_reduce_accuracy():
    x, y = two_samples(m=20, n=20, p=3, shift=0.0)
    expected = mmd(x, y, Linear())
    assert mmd(x + 1e8, y + 1e8, Linear()) == pytest.approx(expected, rel=1e-6)
    expected = hsic(x, y, Linear(), Linear())
    assert hsic(x + 1e8, y - 1e8, Linear(), Linear()) == pytest.approx(expected, rel=1e-6)


@given(st.integers(0, 2**32 - 1))
def test_statistics_at_the_limits_of_their_ranges(seed):
    rng = np.random.default_rng(seed)
    x = 10.0 ** rng.uniform(-20, 20) * difficult_points(rng, int(rng.integers(4, 20)))
    assume((x != x[0]).any())
    again, theta = x[rng.permutation(len(x))], 1 / np.square(x).max()
    for kernel in (RBF(theta), Power(rng.uniform(0.1, 2)), Linear()):
        assert 0 <= mmd(x, again, kernel) <= 1e-13 * np.abs(kernel(x)).max()
    assert energy_distance(x, again) >= 0
    for estimator in ("V", "U"):
        found = distance_correlation(x, rng.uniform(0.1, 9) * x, estimator=estimator)
        # The U-centred matrix is zero if all distances are equal.
        assert 1 - 1e-9 < found <= 1 or (estimator == "U" and found == 0)
    first, second = np.repeat(x, len(x), axis=0), np.tile(again, (len(x), 1))
    assert distance_covariance(first, second) >= 0
    assert 0 <= distance_correlation(first, second) < 1e-12
    assert 0 <= hsic(first, second, RBF(theta), Exponential(theta**0.5)) < 1e-12
