"""The one solver: LAPACK's pairs on every kind of spectrum, and no copy missed."""

from functools import partial

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import linalg

from kmds_lib import _eigen as eigen
from kmds_lib._eigen import halved_squares, smallest_eigenvalue, solve
from kmds_lib._fast import krylov
from kmds_lib.gram import distances, gram_from_distances
from kmds_lib.kernels import RBF, Exponential
from kmds_lib.linalg import canonical_signs
from tests.lib.conftest import ring, rotation, sample, symmetric, wigner

N = 320


def centred(K):
    H = np.eye(len(K)) - 1 / len(K)
    return H @ K @ H


SPECTRA = {
    "decaying": np.exp(-np.arange(N) / 5),
    "flat": np.linspace(1, 0.9, N),
    "cluster at the top": np.r_[1 - 1e-7 * np.arange(6), np.linspace(0.5, 0, N - 6)],
    "indefinite": np.r_[np.exp(-np.arange(N / 2) / 3), -5 * np.exp(-np.arange(N / 2) / 3)],
    "all negative": -np.linspace(1, 2, N),
    "rank two": np.r_[3.0, 2.0, np.zeros(N - 2)],
    "five copies": np.r_[np.ones(5), np.linspace(0.8, 0, N - 5)],
    "all copies": np.ones(N),
    "tail over many orders": np.logspace(0, -14, N),
}


@pytest.mark.parametrize("k", [1, 2, 5, 15])
@pytest.mark.parametrize("name", SPECTRA)
def test_spectra_known_in_advance(name, k):
    values = np.sort(SPECTRA[name])[::-1]
    M = symmetric(values)
    pairs = solve(M, k, centred=False)
    scale = np.abs(values).max()
    assert np.allclose(pairs.values, values[:k], rtol=0, atol=1e-11 * scale)
    assert np.allclose(pairs.vectors.T @ pairs.vectors, np.eye(k), atol=1e-12)
    residuals = np.linalg.norm(M @ pairs.vectors - pairs.vectors * pairs.values, axis=0)
    assert residuals.max() <= 1e-10 * max(values[0], 1e-5 * scale)
    assert pairs.residual <= 1e-10


@pytest.mark.parametrize("n", [301, 640])
def test_semicircle_has_no_gaps(n):
    M = wigner(n)
    pairs = solve(M, 3, centred=False)
    assert pairs.residual <= 1e-10
    assert np.allclose(pairs.values, np.linalg.eigvalsh(M)[-3:][::-1], rtol=1e-11)


@pytest.mark.parametrize("n", [30, 50, 500, 1500])
def test_equilateral_distances_give_every_copy(n):
    D = 1 - np.eye(n)
    pairs = solve(halved_squares(D), 4, centred=True)
    assert np.allclose(pairs.values, 0.5, rtol=1e-12)
    assert np.allclose(pairs.vectors.T @ pairs.vectors, np.eye(4), atol=1e-12)
    assert np.allclose(pairs.vectors.sum(axis=0), 0, atol=1e-10)


@pytest.mark.parametrize("n", [320, 400, 480, 900])
@pytest.mark.parametrize("far", [(101, 202), (1, 2, 3, -1), (1, 2, 3, 4, 5, 6, -1)])
def test_a_few_points_far_from_a_small_cloud(far, n):
    """After the large eigenvalues, nearly equal, the next direction is almost rounding."""
    X = np.zeros((n, len(far)))
    X[far, range(len(far))] = 5.0
    X = np.column_stack([X, 0.01 * sample(n, 2)])
    k = min(len(far) + 2, n // eigen.KRYLOV_PART)
    expected = np.linalg.eigvalsh(gram_from_distances(distances(X)))[::-1][:k]
    found = solve(halved_squares(distances(X)), k, centred=True).values
    assert np.allclose(found, expected, rtol=1e-9)


@pytest.mark.parametrize("is_centred", [False, True])
@pytest.mark.parametrize("n", [40, 700])
def test_pairs_are_those_of_the_formed_matrix(is_centred, n):
    X = sample(n, 6, seed=1) * [5, 4, 3, 2, 1, 0.5]
    M = np.exp(-distances(X))
    values, vectors = np.linalg.eigh(centred(M) if is_centred else M)
    pairs = solve(M, 3, centred=is_centred)
    assert pairs.solver == ("dense" if n == 40 else "krylov")
    assert np.allclose(pairs.values, values[::-1][:3], rtol=1e-11)
    assert np.allclose(pairs.vectors, canonical_signs(vectors[:, ::-1][:, :3]), atol=1e-8)


def test_restarts_reach_the_same_pairs():
    """A flat spectrum needs more steps than the basis has room for."""
    D = distances(sample(600, 40, seed=2))
    pairs = solve(halved_squares(D), 2, centred=True)
    expected = np.linalg.eigvalsh(gram_from_distances(D))[::-1][:2]
    assert pairs.solver == "krylov"
    assert pairs.residual <= 1e-10
    assert np.allclose(pairs.values, expected, rtol=1e-12)


def test_asking_for_many_pairs_uses_lapack():
    D = distances(sample(350, 3, seed=3))
    pairs = solve(halved_squares(D), 350, centred=True)
    assert pairs.solver == "dense"
    assert np.allclose(pairs.vectors.T @ pairs.vectors, np.eye(350), atol=1e-12)


@pytest.mark.parametrize("n", [50, 500])
def test_same_input_same_output(n):
    D = distances(sample(n, 4, seed=4))
    first, second = (solve(halved_squares(D), 2, centred=True) for _ in range(2))
    assert np.array_equal(first.vectors, second.vectors)
    assert np.array_equal(first.values, second.values)


def test_memory_order_does_not_matter():
    D = distances(sample(500, 4, seed=5))
    for layout in (np.asfortranarray(D), D[::-1, ::-1]):
        found = solve(halved_squares(layout), 2, centred=True)
        assert np.allclose(found.values, solve(halved_squares(D), 2, centred=True).values)


@pytest.mark.parametrize("factor", [1e-59, 1e-30, 1e30, 1e59])
@pytest.mark.parametrize("n", [40, 350])
@pytest.mark.parametrize("positive", [True, False])
def test_values_follow_the_scale(factor, n, positive):
    """LAPACK takes over where no eigenvalue stands out."""
    solver = "krylov" if n > 300 and positive else "dense"
    values = np.r_[3.0, 2.0, np.linspace(1, 0, n - 2)] if positive else -np.linspace(1, 2, n)
    pairs = solve(symmetric(values) * factor, 2, centred=False)
    assert pairs.solver == solver
    assert np.allclose(pairs.values / factor, values[:2], rtol=1e-12)
    assert pairs.residual <= 1e-9


@pytest.mark.parametrize("n", [200, 400])
def test_the_vector_of_ones_belongs_to_a_centred_matrix(n):
    """It has eigenvalue 0, the largest but two here; the larger two are found without it."""
    K = -np.eye(n)
    K[:2, :2] += [[5, -1], [-1, 5]]
    values = solve(K, 4, centred=True).values
    assert np.allclose(values, linalg.eigvalsh(centred(K))[:-5:-1], atol=1e-12)
    assert np.allclose(values[2:], [0, -1], atol=1e-12)


def test_input_is_left_alone():
    D = distances(sample(350, 3, seed=6))
    before = D.copy()
    for is_centred in (False, True):
        for k in (2, 300):
            solve(D, k, centred=is_centred)
    assert np.array_equal(D, before)


@pytest.mark.parametrize("kernel", [RBF(0.05), RBF(1.0), Exponential(0.5)], ids=repr)
@pytest.mark.parametrize("k", [1, 5, 12])
def test_it_agrees_with_lapack(kernel, k):
    K = kernel(sample(500, 3))
    found = solve(K, k, centred=True)
    values, vectors = linalg.eigh(centred(K), subset_by_index=[500 - k, 499])
    np.testing.assert_allclose(found.values, values[::-1], rtol=1e-10)
    overlap = np.abs(np.einsum("ir,ir->r", found.vectors, vectors[:, ::-1]))
    np.testing.assert_allclose(overlap, 1.0, atol=1e-8)
    measured = centred(K) @ found.vectors - found.vectors * found.values
    assert linalg.norm(measured, axis=0).max() <= 2 * krylov.TARGET * found.values[0]
    assert found.residual <= krylov.TARGET


@pytest.mark.parametrize("theta", [0.5, 5.0, 50.0, 500.0])
@pytest.mark.parametrize("k", [1, 2, 3, 4, 9])
def test_the_pairs_of_a_circle_are_found_twice(theta, k):
    """On equally spaced points every eigenvalue but the last has multiplicity two."""
    K = RBF(theta)(ring(400))
    values = np.sort(np.fft.fft(K[0]).real[1:])[::-1][:k]
    pairs = solve(K, k, centred=True)
    np.testing.assert_allclose(pairs.values, values, rtol=1e-9)


def test_low_rank_is_exhausted_without_harm():
    X = sample(600, 2)
    values = solve(X @ X.T, 4, centred=True).values
    expected = linalg.eigvalsh(centred(X @ X.T))[::-1][:4]
    np.testing.assert_allclose(values, expected, atol=1e-10 * expected[0])


@pytest.mark.parametrize("n", [50, 400])
def test_the_vector_of_ones_is_a_pair_of_every_centred_matrix(n):
    pairs = solve(-np.eye(n), 2, centred=True)
    np.testing.assert_allclose(pairs.values, [0.0, -1.0], atol=1e-12)
    np.testing.assert_allclose(pairs.vectors[:, 0], n**-0.5, rtol=1e-10)
    assert smallest_eigenvalue(np.eye(n), centred=True) == pytest.approx(0.0, abs=1e-12)


@pytest.mark.parametrize("n", range(4, 40, 3))
@pytest.mark.parametrize("unit", [0.1, 1.0, 3.0])
def test_simplices_of_every_size(n, unit):
    """LAPACK's driver for a few pairs ends in an error on some of these."""
    for k in (1, 2, n // 2, n - 1):
        pairs = solve(halved_squares(unit * (1 - np.eye(n))), k, centred=True)
        assert np.allclose(pairs.values, unit**2 / 2, rtol=1e-12)
        assert np.allclose(pairs.vectors.T @ pairs.vectors, np.eye(k), atol=1e-12)


def test_a_line_and_three_far_points_have_a_double_eigenvalue():
    X = np.zeros((400, 4))
    X[:397, 0] = np.random.default_rng(0).uniform(-0.5, 0.5, 397)
    X[[397, 398, 399], [1, 2, 3]] = 10, 10, 9.9624
    expected = linalg.eigvalsh(X @ X.T)[::-1][:2]
    assert np.allclose(solve(X @ X.T, 2, centred=False).values, expected, rtol=1e-10)


@pytest.mark.parametrize("seed", [1131, 1486, 2270, 3132, 3645])
def test_a_copy_that_the_second_look_hardly_starts_from_is_found(seed):
    rng = np.random.default_rng(seed)
    spectrum = np.r_[np.ones(4), 0.9068, 0.85, 0.72 * rng.random(368)[6:] ** 3]
    pairs = solve(np.diag(rng.permutation(spectrum)), 4, centred=False)
    assert pairs.solver == "krylov"
    np.testing.assert_allclose(pairs.values, 1.0, rtol=1e-10)


@pytest.mark.parametrize("known", [0, 1, 3])
def test_the_sum_of_squares_is_that_of_the_eigenvalues(known):
    A, Z = wigner(320), rotation(320, 1)[:, :known]
    P = np.eye(320) - Z @ Z.T
    squares, rounding = krylov.sum_of_squares(A, Z)
    assert squares == pytest.approx(np.square(linalg.eigvalsh(P @ A @ P)).sum(), rel=1e-12)
    assert 1e-14 * squares < rounding < 1e-11 * squares


def test_a_spectrum_that_falls_needs_no_second_look():
    A = symmetric(0.5 ** np.arange(400))
    nothing, products = np.empty((400, 0)), []

    def apply(v):
        products.append(0)
        return A @ v

    twice = krylov.krylov_eigenpairs(apply, nothing, 2)
    before = len(products)
    squares = partial(krylov.sum_of_squares, A, nothing)
    once = krylov.krylov_eigenpairs(apply, nothing, 2, squares)
    assert len(products) - before <= before - 11
    assert np.array_equal(once.vectors, twice.vectors)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(
    ("tops", "k"),
    [
        ([1, 0.5, 0.5], 3),
        ([1, 1, 0.01], 2),
        ([1, 1, 1], 3),
        ([1, 0.1, 0.1], 3),
        ([1, 1e-4, 1e-4], 3),
        ([1, 1, 0.5, 0.5], 4),
    ],
)
@pytest.mark.parametrize("rest", [0.0, 1e-5, 1e-3])
def test_no_copy_is_left_out_where_the_spectrum_falls(tops, k, rest, seed):
    values = np.r_[tops, min(rest, tops[-1] / 2) * np.exp(-np.arange(400.0 - len(tops)))]
    pairs = solve(symmetric(values, seed), k, centred=False)
    assert pairs.solver == "krylov"
    np.testing.assert_allclose(pairs.values, tops[:k], rtol=1e-9)


@pytest.mark.parametrize("mean", [1.0, 1e4, 1e5, 1e6])
@pytest.mark.parametrize("seed", range(4))
def test_no_copy_is_left_out_where_the_mean_is_large(mean, seed):
    """Then the sum of squares without the mean is lost in rounding."""
    start = sample(400, 7, seed=seed)
    start[:, 0] = 1.0
    Q = np.linalg.qr(start)[0][:, 1:]
    B = (Q * [1, 0.5, 0.5, 0.1, 0.1, 0.01]) @ Q.T
    pairs = solve(0.5 * (B + B.T) + mean, 3, centred=True)
    np.testing.assert_allclose(pairs.values, [1, 0.5, 0.5], atol=1e-6)


def bound_and_truth(A, known, k, steps):
    """Return the bound of what a space leaves, and the largest eigenvalue that it has to cover."""
    search = krylov._Search(krylov.symmetric_product(A), known)
    search._start(steps)
    search.grow(steps, 0.0)
    found = search.basis @ search.ritz_coordinates[:, -k:]
    bound = search._bound_of_the_rest(k, *krylov.sum_of_squares(A, known))
    left = np.eye(len(A)) - found @ found.T - known @ known.T
    return bound, linalg.eigvalsh(left @ A @ left)[-1]


BOUNDED = {
    "copies left out": (np.r_[1, 0.5, 0.5, 0.1, np.zeros(316)], 8),
    "one copy of a small one": (np.r_[1, 0.5, 1e-3, 1e-3, np.zeros(316)], 8),
    "seen by the space": (np.r_[1, 0.9, 0.8, 0.7 ** np.arange(9, 326)], 30),
    "coupled": (np.r_[np.linspace(1, 0.9, 40), np.zeros(280)], 12),
    "negative": (np.r_[1, 0.5, 0.5, -np.ones(3), np.zeros(314)], 9),
    "flat": (np.linspace(1, 0, 320), 12),
}


@pytest.mark.parametrize("k", [1, 2, 3])
@pytest.mark.parametrize("name", BOUNDED)
@pytest.mark.parametrize("seed", range(3))
def test_nothing_that_is_left_exceeds_its_bound(name, k, seed):
    values, steps = BOUNDED[name]
    bound, truth = bound_and_truth(symmetric(values, seed), np.empty((320, 0)), k, steps)
    assert truth <= bound * (1 + 1e-9)


def test_the_bound_is_near_where_the_spectrum_falls():
    values = 0.5 ** np.arange(320)
    bound, truth = bound_and_truth(symmetric(values), np.empty((320, 0)), 2, 30)
    assert truth <= bound < 1.001 * truth


@pytest.mark.parametrize("k", [1, 2, 5])
@pytest.mark.parametrize("seed", range(5))
def test_with_one_direction_left_the_bound_is_exact(k, seed):
    values = np.r_[1.0, 0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3]
    bound, truth = bound_and_truth(symmetric(values, seed), np.empty((8, 0)), k, 7)
    assert bound == pytest.approx(truth, rel=1e-6)


@pytest.mark.parametrize("mean", [1.0, 1e5, 3e5])
@pytest.mark.parametrize("seed", range(8))
def test_the_bound_holds_where_the_sum_of_squares_is_lost_in_rounding(mean, seed):
    start = sample(400, 5, seed=seed)
    start[:, 0] = 1.0
    Q = np.linalg.qr(start)[0][:, 1:]
    B = (Q * [1, 0.5, 0.5, 0.1]) @ Q.T
    known = np.full((400, 1), 0.05)
    bound, _ = bound_and_truth(0.5 * (B + B.T) + mean, known, 2, 4)
    assert bound >= 0.5 * (1 - 1e-6)


@st.composite
def spectra(draw):
    """A spectrum with repeated, clustered, tiny and negative eigenvalues, and a number k."""
    n = draw(st.sampled_from([300, 301, 319, 320, 321, 340, 361]))
    top = draw(st.lists(st.sampled_from([1.0, 0.999999, 0.99, 0.9, 0.5]), min_size=1, max_size=9))
    floor = draw(st.sampled_from([0.0, 1e-14, 1e-6, 0.3, 0.89]))
    tail = np.linspace(floor, 0.0, n - len(top))
    if draw(st.booleans()):
        tail[-n // 4 :] = -np.linspace(0.0, draw(st.sampled_from([0.1, 1.0, 20.0])), n // 4 + 1)[
            -len(tail[-n // 4 :]) :
        ]
    border = n // eigen.KRYLOV_PART
    k = draw(st.sampled_from([1, 2, 3, len(top), border - 1, border, border + 1]))
    return np.sort(np.r_[top, tail])[::-1], k, draw(st.integers(0, 2))


@settings(max_examples=60)
@given(spectra(), st.sampled_from([1e-50, 1.0, 1e50]))
def test_the_pairs_are_those_of_lapack(spectrum, unit):
    values, k, seed = spectrum
    M = unit * symmetric(values, seed)
    pairs = solve(M, k, centred=False)
    scale = unit * np.abs(values).max()
    assert np.allclose(pairs.values, unit * values[:k], rtol=0, atol=1e-10 * scale)
    assert np.allclose(pairs.vectors.T @ pairs.vectors, np.eye(k), atol=1e-10)
    residuals = linalg.norm(M @ pairs.vectors - pairs.vectors * pairs.values, axis=0)
    assert residuals.max() <= 1e-10 * max(pairs.values[0], 1e-5 * scale)
    assert 0.5 * scale <= pairs.scale <= scale * (1 + 1e-9)
    least = smallest_eigenvalue(M, centred=False)
    assert least == pytest.approx(unit * values[-1], abs=1e-10 * scale)


@settings(max_examples=120)
@given(
    st.integers(1, 40),
    st.lists(st.sampled_from([0.0, 1.0, 1.0 + 1e-9, -1.0, 1e-12, 5.0]), min_size=40, max_size=40),
    st.integers(0, 10**6),
    st.booleans(),
)
def test_small_matrices_of_every_order(n, values, seed, is_centred):
    M = symmetric(np.array(values[:n]), seed)
    k = 1 + seed % n
    expected = linalg.eigvalsh(centred(M) if is_centred else M, driver="ev")[::-1]
    pairs = solve(M, k, centred=is_centred)
    assert np.allclose(pairs.values, expected[:k], rtol=0, atol=1e-12)
    assert pairs.vectors.shape == (n, k)
    assert np.allclose(pairs.vectors.T @ pairs.vectors, np.eye(k), atol=1e-11)
