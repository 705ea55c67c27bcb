"""Descent and losses of SMACOF and Sammon's mapping, compared with general minimisers."""

import warnings
from functools import partial

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy.optimize import minimize
from scipy.spatial.distance import cdist, pdist, squareform
from sklearn.isotonic import IsotonicRegression

from kmds_lib._classical_scaling import classical_scaling
from kmds_lib._disparities import DegenerateWarning
from kmds_lib._gram import distances
from kmds_lib._losses import kruskal_stress, raw_stress, sstress, strain
from kmds_lib._smacof import sammon, smacof
from kmds_lib.results import NotConvergedWarning
from tests.lib.conftest import (
    EQUAL_GROUPS,
    TRANSFORMS,
    each_transform,
    on_line,
    random_distances,
    random_weights,
    refused,
    sample,
    with_memory,
)


def ones_except(n, entries, value):
    """Return weights of one, except for some entries and their transposes."""
    W = np.ones((n, n))
    W[entries] = W.T[entries] = value
    return W


# The Guttman transform and the minimum


@pytest.mark.parametrize("W", [np.ones((12, 12)), random_weights(12, 1), random_weights(12, 1, 0)])
def test_first_step_is_the_guttman_transform(W):
    D, X = random_distances(), sample(12, 2, seed=2)
    d = distances(X)
    R = W * np.divide(D, d, out=np.zeros_like(d), where=d > 0)
    L, LX = np.diag(W.sum(0)) - W, np.diag(R.sum(0)) - R
    with pytest.warns(NotConvergedWarning, match="Stopped after 1 step, before"):
        fit = smacof(D, init=X, max_iter=1, weights=W)
    assert_allclose(fit.points, np.linalg.pinv(L) @ LX @ X, atol=1e-12)


def project(d, delta, w, transform):
    """Return the disparities by scikit-learn's isotonic regression or by least squares."""
    if transform == "ordinal":
        fitted, order = np.zeros_like(d), np.argsort(delta)
        order = order[w[order] > 0]
        rank = np.arange(len(order))
        fitted[order] = IsotonicRegression().fit(rank, d[order], w[order]).predict(rank)
        return fitted
    powers = {"ratio": [1], "interval": [0, 1], "polynomial": [0, 1, 2]}[transform]
    A, root = np.column_stack([delta**p for p in powers]), np.sqrt(w)
    return A @ np.linalg.lstsq(root[:, None] * A, root * d, rcond=None)[0]


def loss_by_definition(x, D, transform, W):
    pairs = np.triu_indices(len(D), 1)
    d, delta, w = pdist(x.reshape(len(D), -1)), D[pairs], W[pairs]
    if transform == "identity":
        return 2 * np.sum(w * (d - delta) ** 2)
    dhat = project(d, delta, w, transform)
    return 2 * np.sum(w * delta**2) * np.sum(w * (d - dhat) ** 2) / np.sum(w * dhat**2)


@pytest.mark.parametrize("weighted", [False, True])
@each_transform
def test_smacof_minimises_the_stress_of_the_definition(transform, weighted):
    D = random_distances(10)
    W = random_weights(10, 3) if weighted else None
    X = classical_scaling(D).points + 0.1 * sample(10, 2, seed=4)
    loss = partial(
        loss_by_definition, D=D, transform=transform, W=np.ones_like(D) if W is None else W
    )
    fit = smacof(D, weights=W, transform=transform, init=X, tol=1e-9)
    assert fit.history[0] == pytest.approx(loss(X.ravel()), rel=1e-9)
    assert fit.raw_stress == pytest.approx(loss(fit.points.ravel()), rel=1e-7)
    minimum = minimize(loss, fit.points.ravel(), method="BFGS", options={"gtol": 1e-9}).fun
    assert fit.raw_stress <= minimum * (1 + 1e-6)


@settings(max_examples=60, deadline=None)
@given(
    seed=st.integers(0, 10**6),
    transform=st.sampled_from(TRANSFORMS),
    ties=st.sampled_from(["primary", "secondary"]),
    weighted=st.booleans(),
    rounded=st.booleans(),
    n=st.integers(4, 70),
)
def test_stress_decreases_and_results_are_consistent(seed, transform, ties, weighted, rounded, n):
    D = random_distances(n, seed)
    D = np.ceil(D) if rounded else D
    np.fill_diagonal(D, 0)
    W = random_weights(n, seed) if weighted else None
    options = {"init": "random", "seed": seed, "max_iter": 40}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", NotConvergedWarning)
        warnings.simplefilter("ignore", DegenerateWarning)
        fit = smacof(D, weights=W, transform=transform, ties=ties, **options)
    assert (np.diff(fit.history) < 0).all()
    assert fit.n_iter <= 40
    weights = np.ones_like(D) - np.eye(n) if W is None else W
    d, dhat = distances(fit.points), np.nan_to_num(fit.disparities)
    raw, size = np.sum(weights * (d - dhat) ** 2), np.sum(weights * d**2)
    assert fit.raw_stress == pytest.approx(raw, rel=1e-9, abs=1e-9 * size)
    assert fit.stress == pytest.approx(np.sqrt(raw / size), rel=1e-6, abs=1e-9)
    assert (dhat >= 0).all()
    assert np.sum(weights * dhat**2) == pytest.approx(np.sum(weights * D**2), rel=1e-9)
    assert_allclose(fit.points.mean(axis=0), 0, atol=1e-9)
    if transform == "ordinal":
        delta, dhat = D[weights > 0], dhat[weights > 0]
        order = np.lexsort((dhat, delta))
        assert (np.diff(dhat[order]) >= -1e-12).all()
        tied = np.diff(delta[order]) == 0
        if ties == "secondary":
            assert np.abs(np.diff(dhat[order])[tied]).max(initial=0) < 1e-12


@pytest.mark.parametrize("weighted", [False, True])
@each_transform
def test_stress_per_point_is_the_share_of_its_pairs(transform, weighted):
    D = random_distances(50)
    W = random_weights(50, 4) if weighted else np.ones((50, 50)) - np.eye(50)
    fit = smacof(D, weights=W if weighted else None, transform=transform)
    losses = np.nansum(W * (distances(fit.points) - fit.disparities) ** 2, axis=1)
    assert_allclose(fit.stress_per_point, losses / losses.sum(), rtol=1e-9)
    perfect = smacof([[0, 2], [2, 0]], 1, transform=transform)
    assert perfect.stress_per_point.sum() in (0, pytest.approx(1))


# Saddles, local minima and convergence


@pytest.mark.parametrize(
    ("fit", "D", "saddle", "minimum"),
    [
        (smacof, EQUAL_GROUPS, 0.2021, 0.1811),
        (smacof, 1e-40 * EQUAL_GROUPS, 0.2021, 0.1811),
        (smacof, 1e40 * EQUAL_GROUPS, 0.2021, 0.1811),
        (partial(smacof, transform="ratio"), EQUAL_GROUPS, 0.1981, 0.1782),
        (partial(smacof, n_components=3), 1 - np.eye(10), 0.2641, 0.2318),
        (sammon, EQUAL_GROUPS, 0.0495, 0.0407),
    ],
)
def test_descent_leaves_saddles_of_equal_dissimilarities(fit, D, saddle, minimum):
    # On some processors rounding leaves the saddle before the perturbation does.
    found = fit(D)
    assert found.stress == pytest.approx(minimum, abs=1e-4)
    assert found.stress < saddle - 0.005
    assert found.converged
    assert (np.diff(found.history) < 0).all()
    random = fit(D, init="random", n_init=20, seed=1)
    assert found.stress == pytest.approx(random.stress, rel=1e-4)


def test_descent_leaves_the_saddle_of_points_on_a_line():
    D = 1e6 * random_distances(12, p=2)  # the perturbation is relative to the points
    line = np.column_stack([smacof(D, 1).points, np.zeros(12)])
    fit = smacof(D, init=line)
    assert (fit.nudged, fit.converged) == (True, True)
    assert fit.stress < 1e-4 < kruskal_stress(line, D)
    assert fit.history[0] == pytest.approx(raw_stress(line, D))
    with pytest.warns(NotConvergedWarning):
        stopped = smacof(D, init=line, max_iter=fit.n_iter - 5)
    assert (stopped.nudged, stopped.converged) == (True, False)
    assert stopped.n_iter <= fit.n_iter - 5


def test_history_leaves_out_larger_values_beside_a_saddle():
    D = random_distances(12, p=3)
    plane = np.column_stack([smacof(D).points, np.zeros(12)])
    fit = smacof(D, 3, init=plane)
    assert fit.nudged
    assert (np.diff(fit.history) < 0).all()


def test_descent_stays_at_local_minima(eurodist):
    for tol in (1e-3, 1e-5, 1e-8):
        fit = smacof(eurodist, tol=tol)
        assert not fit.nudged
        assert not smacof(eurodist, init=fit.points, tol=tol).nudged
    rng = np.random.default_rng(0)
    fits = [smacof(eurodist, init=rng.standard_normal((21, 2)) * 1000) for _ in range(50)]
    assert max(fit.stress for fit in fits) > 2 * smacof(eurodist).stress
    assert not any(fit.nudged for fit in fits)


# Starts and weights


@pytest.mark.parametrize("diagonal", [0.0, 1.0])
def test_classical_start_fills_missing_pairs_by_shortest_paths(diagonal):
    D, W = random_distances(8), ones_except(8, (2, 5), 0.0)
    D[2, 5] = D[5, 2] = np.nan
    np.fill_diagonal(W, diagonal)
    fit = smacof(D, weights=W)
    assert_array_equal(np.isnan(fit.disparities), W + np.eye(8) == 0)
    assert len(fit.shepard().delta) == 27
    filled = D.copy()
    filled[2, 5] = filled[5, 2] = np.nanmin(D[2] + D[5])
    d, w = distances(classical_scaling(filled).points), W * (1 - np.eye(8))
    loss = np.nansum(w * D**2) - np.nansum(w * d * D) ** 2 / np.sum(w * d**2)
    assert fit.history[0] == pytest.approx(loss, rel=1e-10)


def test_best_of_several_starts_is_returned():
    D = random_distances(25, p=6)
    fit = smacof(D, n_init=8, seed=0)
    assert len(fit.local_minima) == 8
    assert fit.stress == pytest.approx(fit.local_minima.min(), rel=1e-5)
    assert fit.local_minima[0] == pytest.approx(smacof(D).stress, rel=1e-12)
    assert len(np.unique(fit.local_minima.round(4))) > 1


def test_axes_without_positive_eigenvalue_start_with_noise():
    D = ones_except(4, (0, 1), 1.9) - np.eye(4)
    fit = smacof(D, 3, seed=0)
    assert fit.points.shape == (4, 3)
    assert fit.stress < kruskal_stress(classical_scaling(D).points, D)
    line = on_line(*range(60))
    for seed in range(3):
        relative = smacof(line, 2, seed=seed, tol=1e-9).history[0] / np.sum(line**2)
        assert 1e-8 < relative < 1e-5


def test_coincident_points_of_the_start_separate():
    X = np.zeros((6, 2))
    X[4:] = [[-1.0, 1.0], [1.0, 2.0]]
    fit = smacof(random_distances(6), init=X)
    assert np.isfinite(fit.points).all()
    assert fit.history[-1] < fit.history[0]
    assert len(np.unique(fit.points.round(6), axis=0)) > 3


@pytest.mark.parametrize("unit", [1e-100, 1e-3, 1e59])
@each_transform
def test_given_start_may_have_any_scale(eurodist, unit, transform):
    start = classical_scaling(eurodist).points / 1000
    near = smacof(eurodist / 1000, init=start, transform=transform)
    far = smacof(eurodist / 1000, init=unit * start, transform=transform)
    assert far.stress == pytest.approx(near.stress, rel=1e-5)
    assert far.converged


@pytest.mark.parametrize("ratio", [1e-8, 1e-13])
def test_sammon_fits_or_rejects_very_small_dissimilarities(ratio):
    X = sample(12, 3)
    X[1] = X[0]
    D = cdist(X, X)
    D[0, 1] = D[1, 0] = ratio
    fit = sammon(D, tol=1e-7)
    D[0, 1] = D[1, 0] = 1e-6
    assert fit.stress == pytest.approx(sammon(D, tol=1e-7).stress, rel=1e-5)
    for lost in (3e-16, 1e-14 * ratio, 1e-310):
        D[0, 1] = D[1, 0] = lost
        message = r"1\] = .*, too small beside the largest, |range too widely"
        with pytest.raises(ValueError, match=message):
            sammon(D)


@pytest.mark.parametrize("bridge", [1e-16, 1e-30])
def test_weights_lost_in_rounding_are_rejected(bridge):
    W = ones_except(30, np.s_[:15, 15:], bridge)
    with pytest.raises(ValueError, match="weights range too widely"):
        smacof(random_distances(30), weights=W)


# Sammon's mapping, losses and memory


def test_sammon_is_smacof_with_reciprocal_weights():
    D = random_distances(20)
    fit, weighted = sammon(D), smacof(D, weights=1 / (D + np.eye(20)) - np.eye(20))
    assert_allclose(fit.points, weighted.points, atol=1e-10)
    delta, d = squareform(D), pdist(fit.points)
    assert fit.stress == pytest.approx(np.sum((d - delta) ** 2 / delta) / delta.sum(), rel=1e-10)
    assert fit.history[-1] == fit.stress
    assert_allclose(fit.stress_per_point, weighted.stress_per_point, rtol=1e-9)
    assert_array_equal(fit.shepard().target, delta)


def test_sstress_and_strain_by_their_definitions(eurodist):
    Y = classical_scaling(eurodist).points
    expected = 2 * np.sum((pdist(Y) ** 2 - squareform(eurodist) ** 2) ** 2)
    assert sstress(Y, eurodist) == pytest.approx(expected, rel=1e-12)
    spectrum = classical_scaling(eurodist).spectrum().eigenvalues
    assert strain(Y + 1000, eurodist) == pytest.approx(np.sum(spectrum[2:] ** 2), rel=1e-8)


@each_transform
def test_losses_agree_with_a_fit_with_missing_entries(transform):
    W = random_weights(20, 6)
    D = np.where((W == 0) & ~np.eye(20, dtype=bool), np.nan, random_distances(20))
    fit = smacof(D, weights=W, transform=transform)
    for dhat in (fit.disparities, np.nan_to_num(fit.disparities, nan=99.0)):
        losses = kruskal_stress(fit.points, dhat, weights=W), raw_stress(fit.points, dhat, W)
        assert losses == pytest.approx((fit.stress, fit.raw_stress), rel=1e-9)


def test_losses_do_not_need_connected_weights(eurodist):
    Y = classical_scaling(eurodist).points
    d = distances(Y)
    W = np.kron(np.eye(3), np.ones((7, 7)))
    assert raw_stress(Y, 0 * d, W) == pytest.approx(np.sum(W * d**2), rel=1e-12)
    assert kruskal_stress(Y, 0 * d, W) == pytest.approx(1.0, rel=1e-12)
    with pytest.raises(ValueError, match="parts of sizes 7, 7, 7"):
        smacof(eurodist, weights=W)


@pytest.mark.parametrize(
    ("fit", "limit"),
    [
        (smacof, 1.2),
        (partial(smacof, transform="interval"), 1.2),
        (partial(smacof, transform="ordinal"), 4.0),
        (partial(smacof, weights=np.ones((900, 900))), 1.2),
        (partial(smacof, weights=ones_except(900, (0, 1), 0)), 5.5),
        (sammon, 1.2),
    ],
)
def test_peak_memory_in_multiples_of_d(fit, limit):
    D = random_distances(900)
    D = (D + D.T) / 2
    with pytest.warns(NotConvergedWarning):
        _, peak = with_memory(fit, D, max_iter=2)
    assert peak < limit * D.nbytes


# Invalid input

FIVE = random_distances(5)
MISSING_PAIR = squareform([np.nan, *squareform(FIVE)[1:]])
ONE_SIDED = np.where(np.triu(np.isnan(MISSING_PAIR)), np.nan, FIVE)
ONE_PAIR = np.pad(1 - np.eye(2), (0, 2))
MISSING_MESSAGE = r"D\[0, 1\] is missing \(NaN\): give weights"


def placed(new):
    return smacof(FIVE).transform(new)


def weighted(entries, value):
    return smacof(FIVE, weights=ones_except(5, entries, value))


test_invalid_input = refused(
    (lambda: placed(np.ones((2, 4))), r"new has shape \(2, 4\), but the fit has 5 training obj"),
    (lambda: placed([np.ones(5), np.full(5, np.nan)]), "Row 1 of new has no observed entry"),
    (lambda: weighted(np.s_[:2, 2:], 0), "2 parts of sizes 2, 3"),
    (lambda: weighted((1, 3), -1), r"weights\[1, 3\] = -1 is negative"),
    (lambda: smacof(FIVE, weights=np.ones((4, 4))), r"weights has \(4, 4\)"),
    (lambda: smacof(FIVE, init=np.ones((5, 2))), "coincide"),
    (lambda: smacof(FIVE, init=np.eye(5)), r"init has shape \(5, 5\)"),
    (lambda: smacof(MISSING_PAIR, weights=np.ones((5, 5))), MISSING_MESSAGE),
    (lambda: kruskal_stress(sample(5, 2), MISSING_PAIR), r"D\[0, 1\] is nan"),
    (
        lambda: smacof(np.triu(FIVE) + np.tril(np.nan * FIVE, -1)),
        r"D\[1, 0\] is nan, but D\[0, 1\]",
    ),
    (
        lambda: smacof(ONE_SIDED, weights=1 - np.isnan(ONE_SIDED)),
        r"D\[0, 1\] is nan, but D\[1, 0\]",
    ),
    (lambda: smacof(ONE_PAIR, init=[[0, 0], [0, 0], [1, 0], [0, 1]]), "positive dissimilarity"),
    (lambda: smacof(np.zeros((4, 4))), "All observed dissimilarities are 0"),
    (lambda: sammon([[0, 0, 1], [0, 0, 1], [1, 1, 0]]), r"D\[0, 1\] = 0: Sammon"),
    (lambda: strain([[0.0], [1.0]], random_distances(3)), "Y has 2 rows"),
    (lambda: kruskal_stress([[0.0], [0.0]], [[0, 1], [1, 0]]), "coincide"),
    (lambda: raw_stress(np.eye(5), FIVE, np.eye(5)), "All weights between different objects are"),
)
