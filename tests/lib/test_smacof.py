"""SMACOF, Sammon's mapping and the losses, compared with definitions and general minimisers."""

import pickle
import warnings
from functools import partial

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy.optimize import minimize, nnls
from scipy.spatial.distance import cdist, pdist, squareform
from scipy.stats import binom
from sklearn.isotonic import IsotonicRegression

from kmds_lib._classical_scaling import classical_scaling
from kmds_lib._disparities import DegenerateWarning, tie_starts
from kmds_lib._embedding import NotConvergedWarning
from kmds_lib._fast import point_placement, stress
from kmds_lib._gram import distances
from kmds_lib._losses import kruskal_stress, raw_stress, sstress, strain
from kmds_lib._rounding import rounding_tolerance
from kmds_lib._smacof import sammon, smacof
from tests.lib.conftest import refused, sample, with_memory

TRANSFORMS = ["identity", "ratio", "interval", "polynomial", "ordinal"]
each_transform = pytest.mark.parametrize("transform", TRANSFORMS)


def random_distances(n=12, seed=0, p=4):
    X = sample(n, p, seed=seed)
    return cdist(X, X)


def random_weights(n, seed, missing=0.2):
    """Return symmetric weights, some of them zero; a path of ones connects the objects."""
    rng = np.random.default_rng(seed)
    W = np.triu(rng.uniform(0.1, 3, (n, n)) * (rng.uniform(size=(n, n)) > missing), 1)
    W[np.arange(n - 1), np.arange(1, n)] = 1.0
    return W + W.T


def ones_except(n, entries, value):
    """Return weights of one, except for some entries and their transposes."""
    W = np.ones((n, n))
    W[entries] = W.T[entries] = value
    return W


def on_line(*positions):
    return np.abs(np.subtract.outer(positions, positions)).astype(float)


# The Guttman transform and the minimum


@pytest.mark.parametrize("missing", [0.0, 0.3])
def test_first_step_is_the_guttman_transform(missing):
    D, W, X = random_distances(), random_weights(12, 1, missing), sample(12, 2, seed=2)
    d = distances(X)
    R = W * np.divide(D, d, out=np.zeros_like(d), where=d > 0)
    L, LX = np.diag(W.sum(0)) - W, np.diag(R.sum(0)) - R
    with pytest.warns(NotConvergedWarning, match="Stopped after 1 steps"):
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


MEANS_OF_FIVE = np.ceil(5 * random_distances(15)) / 5


@pytest.mark.parametrize("transform", ["interval", "polynomial", "ordinal"])
@pytest.mark.parametrize("ties", ["primary", "secondary"])
@pytest.mark.parametrize(("dtype", "slack"), [(np.float64, 1), (np.float32, 20)])
def test_rounding_errors_break_no_ties(transform, ties, dtype, slack):
    """Means of ratings are equal numbers that different sums of fractions round differently."""
    rng, size = np.random.default_rng(0), 1.8 * np.finfo(dtype).eps
    for exact in (MEANS_OF_FIVE * (1 - np.eye(15)), 0.7 * (1 - np.eye(15)), EQUAL_GROUPS):
        noise = squareform(rng.uniform(-size, size, len(exact) * (len(exact) - 1) // 2))
        if (transform, dtype) == ("polynomial", np.float32) and exact is EQUAL_GROUPS:
            continue  # in float32, errors of zeros lead to another local minimum
        rounded = np.maximum(exact + noise * exact.max(), 0).astype(dtype)
        options = {"transform": transform, "ties": ties, "init": "random", "seed": 1, "tol": 1e-7}
        fit, expected = smacof(rounded, **options), smacof(exact, **options)
        assert len(np.unique(rounded)) > 2 * len(np.unique(exact))
        assert fit.stress == pytest.approx(expected.stress, abs=slack * 1e-5)
        if ties == "secondary" or transform != "ordinal":
            assert_allclose(fit.disparities, expected.disparities, atol=slack * 1e-4)
            new = fit.transform(rounded[:2])
            assert_allclose(new, fit.transform(exact[:2]), atol=slack * 1e-4)


def test_close_values_are_not_tied():
    """Among 400000 values of type float32, neighbours in order differ by their rounding."""
    values = np.sort(np.random.default_rng(0).uniform(1, 2, 400000).astype(np.float32))
    starts = tie_starts(values.astype(float), rounding_tolerance(values))
    assert len(starts) > 0.8 * len(np.unique(values))


def test_secondary_ties_get_the_weighted_mean_of_distances():
    D, W = np.ceil(2 * random_distances(10)), random_weights(10, 3)
    np.fill_diagonal(D, 0)
    fit = smacof(D, weights=W, transform="ordinal", ties="secondary", tol=1e-9)
    i, j = np.nonzero(np.triu(W))
    delta, w, d, dhat = D[i, j], W[i, j], distances(fit.points)[i, j], fit.disparities[i, j]
    levels = np.unique(delta)
    assert len(levels) < len(delta)
    totals = [w[delta == level].sum() for level in levels]
    means = [np.average(d[delta == level], weights=w[delta == level]) for level in levels]
    expected = IsotonicRegression().fit(levels, means, sample_weight=totals).predict(delta)
    unit = dhat / np.linalg.norm(dhat), expected / np.linalg.norm(expected)
    assert_allclose(*unit, atol=1e-4)


def test_polynomial_disparities_are_a_projection_on_the_cone():
    D, W = random_distances(14), random_weights(14, 8, 0.4)
    fit = smacof(D, weights=W, transform="polynomial", tol=1e-8)
    observed = np.triu(W, 1) > 0
    delta, root, d = D[observed], np.sqrt(W[observed]), distances(fit.points)[observed]
    t = (delta - delta.min()) / np.ptp(delta)
    basis = np.column_stack([binom.pmf(j, 2, t) for j in range(3)])
    expected = basis @ nnls(root[:, None] * basis, root * d)[0]
    assert_allclose(fit.disparities[observed], expected, atol=1e-7 * d.max())


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


@pytest.mark.parametrize("transform", ["identity", "ordinal"])
def test_threads_do_not_change_the_result(transform, monkeypatch):
    D = random_distances(100)
    fit = smacof(D, transform=transform)
    monkeypatch.setattr(stress, "_MIN_OBJECTS_FOR_THREADS", 1)
    assert_array_equal(smacof(D, transform=transform).points, fit.points)


# New objects


def smallest_stress(X, row, weights):
    """Return the smallest stress of one new point, by a general minimiser from 40 starts."""
    observed = ~np.isnan(row)
    X, row, weights = X[observed], row[observed], weights[observed]

    def loss(y):
        d = np.linalg.norm(y - X, axis=1)
        return np.sum(weights * (d - row) ** 2), 2 * (weights * (d - row) / d) @ (y - X)

    starts = np.random.default_rng(0).uniform(-1, 1, (40, X.shape[1]))
    return min(minimize(loss, 2 * np.ptp(X) * start, jac=True).fun for start in starts)


@pytest.mark.parametrize("solver", [smacof, sammon])
@pytest.mark.parametrize("k", [1, 2, 3])
def test_transform_minimises_the_stress_of_a_new_object(solver, k):
    for seed in range(4):
        D = random_distances(14, seed)
        fit = solver(D[:10, :10], k, n_init=5, seed=0)
        new = D[10:, :10].copy()
        new[0, 3] = np.nan
        for row, y in zip(new, fit.transform(new), strict=True):
            weights = 1 / row if solver is sammon else np.ones(10)
            loss = np.nansum(weights * (np.linalg.norm(fit.points - y, axis=1) - row) ** 2)
            assert loss <= smallest_stress(fit.points, row, weights) * (1 + 1e-6)


@pytest.mark.parametrize("own", [0.0, np.nan])
@each_transform
def test_transform_of_fitted_objects_returns_their_points(transform, own):
    """Allow other places only if their stress is smaller, since smacof moves all points."""
    D = random_distances(15, p=3)
    fit = smacof(D, transform=transform, n_init=10, seed=0, tol=1e-9)
    fit = pickle.loads(pickle.dumps(fit))  # as in another process
    placed = fit.transform(D + np.diag(np.full(15, own)))
    moved = np.linalg.norm(placed - fit.points, axis=1)
    assert np.median(moved) < 1e-4
    targets = fit.disparities / (1 - fit.stress**2 * (transform != "identity"))
    for i in np.flatnonzero(moved > 1e-4):
        others = np.arange(15) != i
        new, old = (
            np.sum((np.linalg.norm(fit.points - y, axis=1) - targets[i])[others] ** 2)
            for y in (placed[i], fit.points[i])
        )
        assert new < old


@pytest.mark.parametrize(("dtype", "own"), [(np.float64, 1e-15), (np.float32, 1e-5)])
@each_transform
def test_rounding_errors_of_own_distances_count_as_zero(transform, dtype, own):
    D = random_distances(15, p=3).astype(dtype)
    fit = smacof(D, transform=transform)
    rows = np.where(np.eye(15, k=3), np.nan, D)
    noisy = rows + np.diag(np.full(15, own, dtype))
    assert_allclose(fit.transform(noisy), fit.transform(rows), atol=1e-6)


def test_interval_scaling_places_new_objects_whatever_the_origin():
    """Ratings may begin at 0, or at 1e-16, which then does not mean that two objects are equal."""
    D = random_distances(14).round(1)
    smallest = squareform(D[:10, :10]).min()
    old, new = D[:10, :10], D[10:, :10].clip(smallest)
    new[0, 2] = smallest
    options = {"transform": "interval", "init": sample(10, 2), "tol": 1e-9}
    places = []
    for lowest, least in ((0.0, 0.0), (smallest, 0.0), (smallest, 1e-16)):
        fit = smacof((old - lowest).clip(least) * (1 - np.eye(10)), **options)
        places.append(fit.transform((new - lowest).clip(least)) / np.linalg.norm(fit.points))
    assert_allclose(places[1:], places[:1] * 2, atol=1e-6)


def test_sammon_places_duplicates_on_the_fitted_point():
    D = random_distances(12)
    fit = sammon(D)
    assert_allclose(fit.transform(D), fit.points, atol=1e-6)


def test_transform_warns_if_a_point_does_not_converge(monkeypatch):
    monkeypatch.setattr(point_placement, "_MAX_STEPS", 2)
    D = random_distances(6)
    with pytest.warns(NotConvergedWarning, match="did not converge in 2 steps"):
        smacof(D[:5, :5]).transform(D[5:, :5])


# Saddles, local minima and convergence


def three_groups(n_each=3):
    """Return different dissimilarities, which are larger between groups than within."""
    n = 3 * n_each
    noise = np.triu(np.random.default_rng(0).uniform(size=(n, n)), 1)
    group = np.repeat(np.arange(3), n_each)
    return (np.where(group[:, None] == group, 1.0, 3.0) + noise + noise.T) * (1 - np.eye(n))


@pytest.mark.parametrize(("n", "k"), [(3, 2), (4, 2), (5, 2), (5, 1), (7, 5)])
def test_ordinal_fits_of_few_objects_warn(n, k):
    """A random order of the pairs says nothing about a map, but can often be matched."""
    matched = 0
    for seed in range(10):
        order = np.random.default_rng(seed).permutation(n * (n - 1) // 2) + 1.0
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            fit = smacof(squareform(order), k, transform="ordinal", n_init=10, seed=0)
        found = [w for w in caught if w.category is DegenerateWarning]
        assert len(found) == (fit.stress <= 0.01)
        matched += len(found)
    assert k == 1 or matched >= 9


EQUAL_GROUPS = (2 - np.kron(np.eye(3), np.ones((3, 3)))) * (1 - np.eye(9))


def test_degenerate_ordinal_fits_warn():
    for n_each in (3, 5):
        with pytest.warns(DegenerateWarning, match="got only 2 different disparities"):
            smacof(three_groups(n_each), transform="ordinal", init="random", n_init=10, seed=0)
    with warnings.catch_warnings():
        warnings.simplefilter("error", DegenerateWarning)
        for transform in TRANSFORMS[:-1]:
            smacof(three_groups(), transform=transform)
        for D in (random_distances(), random_distances(p=2), three_groups() % 2, EQUAL_GROUPS):
            smacof(D, transform="ordinal", n_init=5, seed=0)
        smacof(on_line(*range(7)), 1, transform="ordinal")


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


def test_descent_stays_at_local_minima(eurodist):
    for tol in (1e-3, 1e-5, 1e-8):
        fit = smacof(eurodist, tol=tol)
        assert not fit.nudged
        assert not smacof(eurodist, init=fit.points, tol=tol).nudged
    rng = np.random.default_rng(0)
    fits = [smacof(eurodist, init=rng.standard_normal((21, 2)) * 1000) for _ in range(50)]
    assert max(fit.stress for fit in fits) > 2 * smacof(eurodist).stress
    assert not any(fit.nudged for fit in fits)


# Missing entries and starts


@pytest.mark.parametrize("transform", ["identity", "ordinal"])
def test_missing_entries_may_be_nan_none_or_na(transform):
    """Weights are 0 there by default; the diagonal may be missing, too."""
    names = list("abcdefghijklmno")
    W = random_weights(15, 2)
    lost = (W == 0) & ~np.eye(15, dtype=bool)
    D = random_distances(15)
    expected = smacof(D, weights=1.0 - lost, transform=transform)
    blank = lost | np.eye(15, dtype=bool)
    frame = pd.DataFrame(D, names, names)
    for missing in (lost, blank):
        for data in (
            np.where(missing, np.nan, D),
            np.where(missing, None, D.astype(object)),
            frame.mask(missing),
            frame.mask(missing).astype("Float64"),
            frame.astype(object).mask(missing, pd.NA),
            frame.astype(object).mask(missing, None),
        ):
            for weights in (None, 1.0 - lost, np.where(np.eye(15) > 0, np.nan, 1.0 - lost)):
                fit = smacof(data, weights=weights, transform=transform)
                assert_allclose(fit.points, expected.points, rtol=0, atol=1e-12)
    assert_allclose(smacof(D, weights=W).points, smacof(D, weights=W + 9 * np.eye(15)).points)
    placed = [
        fit.transform(rows) for rows in (frame.mask(lost), frame.astype("Float64").mask(lost))
    ]
    assert_array_equal(*placed)


def test_smacof_weights_ignore_missing_entries():
    D, W = random_distances(15), random_weights(15, 5)
    clean = smacof(D, weights=W)
    missing = (W == 0) & ~np.eye(15, dtype=bool)
    for value in (np.nan, -7.0, 1e9, np.inf):
        fit = smacof(np.where(missing, value, D), weights=W)
        assert_array_equal(fit.points, clean.points)
        assert_array_equal(np.isnan(fit.dissimilarities), missing)
    shepard = clean.shepard()
    pairs = list(zip(shepard.i, shepard.j, strict=True))
    assert pairs == [(i, j) for i in range(15) for j in range(i + 1, 15) if W[i, j] > 0]
    assert_array_equal(shepard.delta, [D[pair] for pair in pairs])
    assert_array_equal(shepard.target, [clean.disparities[pair] for pair in pairs])
    assert_allclose(shepard.fitted, [distances(clean.points)[pair] for pair in pairs])


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


# Sammon's mapping, losses and results


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
