"""Disparities, ties, missing entries and new objects of SMACOF and Sammon's mapping."""

import pickle
import warnings

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.optimize import minimize, nnls
from scipy.spatial.distance import squareform
from scipy.stats import binom
from sklearn.isotonic import IsotonicRegression

from kmds_lib import distances, sammon, smacof
from kmds_lib._disparities import tie_starts
from kmds_lib._fast import point_placement
from kmds_lib._rounding import rounding_tolerance
from kmds_lib.results import DegenerateWarning, NotConvergedWarning
from tests.lib.conftest import (
    EQUAL_GROUPS,
    TRANSFORMS,
    each_transform,
    on_line,
    random_distances,
    random_weights,
    sample,
)

# Ties and disparities

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


# Degenerate fits


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


# Missing entries


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
