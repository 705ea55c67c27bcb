"""Compare chapter 12's explorer with the library."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.stats import chi2

from kmds_figures.explorers import permutation_explorer
from kmds_lib import center_gram, distance_covariance, energy_distance, hsic, mmd
from kmds_lib.kernels import RBF, Power
from tests.web.node import decimals_in, evaluate

WIDGET = permutation_explorer()
N, N_PERMUTATIONS = 30, 999
RNG = np.random.default_rng(12)
HALF = list(range(15, 30))
FEW = [0, 4, 5, 11, 20, 22, 29]
NORMAL = RNG.normal(size=(N, 2)).round(2)
BENT = np.column_stack([NORMAL[:, 0], 0.5 * NORMAL[:, 0] ** 2 + 0.3 * NORMAL[:, 1]]).round(2)
TIED = np.tile([[-3.3, -1.8], [3.3, 1.8]], (N // 2, 1))


def state(test, kernel, points, second=HALF, **parameters):
    """Return a state of the widget."""
    given = {"test": test, "kernel": kernel, "points": points, "second": second}
    return {"exponent": 1.0, "theta": 0.5} | given | parameters


STATES = [
    state("two-sample", "distance", NORMAL),
    state("two-sample", "distance", BENT, FEW, exponent=0.4),
    state("two-sample", "distance", TIED),
    state("two-sample", "RBF", BENT, FEW),
    state("two-sample", "RBF", WIDGET.presets["wide"], theta=8.0),
    state("independence", "distance", NORMAL),
    state("independence", "distance", BENT, exponent=1.6),
    state("independence", "RBF", BENT, FEW, theta=2.0),
    state("independence", "RBF", WIDGET.presets["cross"]),
]


def compute(states):
    """Return the permutations, and the explorer's results for each state."""
    return evaluate(WIDGET, "m.permutationTests(n, states)", n=N, states=states)


def in_second(one):
    return np.isin(np.arange(N), one["second"])


def statistic_of(one):
    """Return the library's statistic of a state, with its arguments and options."""
    pairs = one["test"] == "independence"
    if one["kernel"] == "distance":
        statistic = distance_covariance if pairs else energy_distance
        return statistic, (), {"exponent": one["exponent"]}
    return (hsic if pairs else mmd), (RBF(one["theta"]),) * (1 + pairs), {}


def permuted_data(one, order):
    """Return both sides of the data under a permutation."""
    X, order = np.array(one["points"]), np.array(order)
    if one["test"] == "independence":
        return X[:, :1], X[order, 1:]
    second = np.isin(np.arange(N), order[one["second"]])
    return X[~second], X[second]


def trace_matrices(one):
    """Return HKH and the matrix A whose trace with it is the statistic."""
    X, second = np.array(one["points"]), in_second(one)
    k = RBF(one["theta"]) if one["kernel"] == "RBF" else Power(one["exponent"])
    if one["test"] == "independence":
        return center_gram(k(X[:, :1])), center_gram(k(X[:, 1:])) / N**2
    c = np.where(second, -1 / second.sum(), 1 / (~second).sum())
    return center_gram(k(X)), np.outer(c, c)


def compare(one, found, permutations):
    """Compare one state with the library, to 1e-9 of the largest value."""
    statistic, arguments, options = statistic_of(one)
    close = {"rtol": 0, "atol": 1e-9 * max(found["permuted"])}
    data = permuted_data(one, np.arange(N))
    assert_allclose(found["observed"], statistic(*data, *arguments, **options), **close)
    expected = [
        statistic(*permuted_data(one, order), *arguments, **options) for order in permutations[:20]
    ]
    assert_allclose(found["permuted"][:20], expected, **close)
    reached = np.array(found["permuted"]) >= found["observed"] - 1e-10 * max(found["permuted"])
    assert found["count"] == reached.sum()
    assert found["p"] == pytest.approx((1 + reached.sum()) / (1 + N_PERMUTATIONS), abs=1e-12)
    assert_allclose(decimals_in(found["said"])[:2], [found["p"], found["observed"]], rtol=0.05)
    assert np.sum(found["bars"], axis=1).tolist() == [N_PERMUTATIONS, found["count"]]
    M, A = trace_matrices(one)
    lam, V = np.linalg.eigh(M)
    terms = (lam * np.sum(V * (A @ V), axis=0))[::-1]
    assert_allclose(found["contributions"], terms, **close)
    X, second = np.array(one["points"]), in_second(one)
    shift = np.linalg.norm(X[second].mean(axis=0) - X[~second].mean(axis=0))
    plain = [found["plain"]["meanDistance"], found["plain"]["correlation"]]
    assert_allclose(plain, [shift, np.corrcoef(X.T)[0, 1]], atol=1e-12)
    if one["test"] == "independence":
        cosine = np.sum(M * A) / np.linalg.norm(M) / np.linalg.norm(A)
        assert found["alignment"] == pytest.approx(cosine, abs=1e-9)


def test_permutation_explorer_agrees_with_the_library():
    permutations, all_found = compute(STATES)
    for one, found in zip(STATES, all_found, strict=True):
        compare(one, found, permutations)


def test_permutations_are_uniform():
    permutations, _ = compute([])
    assert len(permutations) == N_PERMUTATIONS
    assert (np.sort(permutations, axis=1) == np.arange(N)).all()
    counts = np.array([np.bincount(place, minlength=N) for place in np.transpose(permutations)])
    statistic = np.sum((counts - N_PERMUTATIONS / N) ** 2) / (N_PERMUTATIONS / N)
    low, high = chi2((N - 1) ** 2).ppf([1e-4, 1 - 1e-4])
    assert low < statistic < high


def significant_presets(test, kernel, **parameters):
    """Return the names of the presets that a test rejects at the 5% level."""
    presets = WIDGET.presets
    _, all_found = compute([state(test, kernel, X, **parameters) for X in presets.values()])
    return {name for name, found in zip(presets, all_found, strict=True) if found["p"] <= 0.05}


def test_presets_differ_in_mean_spread_or_dependence():
    for kernel in ("distance", "RBF"):
        assert significant_presets("two-sample", kernel) == {"shift", "wide", "cross"}
    assert significant_presets("two-sample", "distance", exponent=2.0) == {"shift"}
    assert "cross" in significant_presets("independence", "RBF", theta=WIDGET.theta)
    assert "cross" not in significant_presets("independence", "distance")
