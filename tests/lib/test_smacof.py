"""SMACOF and Sammon's mapping against definitions and minimisers, and on every odd input."""

import pickle
import warnings
from functools import partial

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize, nnls
from scipy.spatial.distance import cdist, pdist, squareform
from scipy.stats import binom
from sklearn.isotonic import IsotonicRegression

from kmds_lib._classical_scaling import classical_scaling
from kmds_lib._disparities import DegenerateWarning, disparities_of
from kmds_lib._embedding import NotConvergedWarning
from kmds_lib._fast.stress import Stress, Table
from kmds_lib._fast.stress_descent import quasi_newton
from kmds_lib._gram import distances
from kmds_lib._losses import kruskal_stress, raw_stress, sstress, strain
from kmds_lib._smacof import sammon, smacof
from tests.lib.conftest import refusals, sample, with_memory

TRANSFORMS = ["identity", "ratio", "interval", "polynomial", "ordinal"]


def table(n=12, seed=0, p=4):
    X = sample(n, p, seed=seed)
    return cdist(X, X)


def random_weights(n, seed, missing=0.2):
    """Return symmetric weights, some of them zero; a ring of ones keeps the objects linked."""
    rng = np.random.default_rng(seed)
    W = np.triu(rng.uniform(0.1, 3, (n, n)) * (rng.uniform(size=(n, n)) > missing), 1)
    W[np.arange(n - 1), np.arange(1, n)] = 1.0
    return W + W.T


def one_step(D, X, **options):
    with pytest.warns(NotConvergedWarning, match="Stopped after 1 steps"):
        return smacof(D, X.shape[1], init=X, max_iter=1, **options)


@pytest.mark.parametrize("missing", [0.0, 0.3])
def test_weighted_guttman_step_by_pseudo_inverse(missing):
    D, W = table(), random_weights(12, 1, missing)
    X = sample(12, 2, seed=2)
    d = distances(X)
    R = W * np.divide(D, d, out=np.zeros_like(d), where=d > 0)
    V, B = np.diag(W.sum(0)) - W, np.diag(R.sum(0)) - R
    expected = np.linalg.pinv(V) @ B @ X
    np.testing.assert_allclose(one_step(D, X, weights=W).points, expected, atol=1e-12)


def loss_of(D, transform, W, shape):
    """Return the loss as the definition says, minimised over the disparities by other means."""
    pairs = np.triu_indices(len(D), 1)
    delta = D[pairs]
    w = np.ones_like(delta) if W is None else W[pairs]
    total = np.sum(w * delta**2)

    def projected(d):
        if transform == "ordinal":
            order = np.argsort(delta)
            out = np.empty_like(d)
            weight = w[order]
            seen = weight > 0
            fitted = IsotonicRegression().fit(
                np.arange(seen.sum()), d[order][seen], sample_weight=weight[seen]
            )
            out[order[seen]] = fitted.predict(np.arange(seen.sum()))
            out[order[~seen]] = 0
            return out
        powers = {"ratio": [1], "interval": [0, 1], "polynomial": [0, 1, 2]}[transform]
        A = np.column_stack([delta**p for p in powers])
        root = np.sqrt(w)
        return A @ np.linalg.lstsq(root[:, None] * A, root * d, rcond=None)[0]

    def loss(x):
        d = pdist(x.reshape(shape))
        if transform == "identity":
            return 2 * np.sum(w * (d - delta) ** 2)
        fitted = projected(d)
        return 2 * total * np.sum(w * (d - fitted) ** 2) / np.sum(w * fitted**2)

    return loss


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("transform", TRANSFORMS)
def test_start_and_minimum_by_the_definition(transform, weighted):
    D = table(10)
    W = random_weights(10, 3) if weighted else None
    X = classical_scaling(D).points + 0.1 * sample(10, 2, seed=4)
    loss = loss_of(D, transform, W, X.shape)
    fit = smacof(D, weights=W, transform=transform, init=X, tol=1e-9)
    if W is not None:
        total = np.sum(W * D**2)
        assert np.nansum(W * fit.disparities**2) == pytest.approx(total, rel=1e-9)
    assert fit.history[0] == pytest.approx(loss(X.ravel()), rel=1e-9)
    assert fit.raw_stress == pytest.approx(loss(fit.points.ravel()), rel=1e-7)
    lower = minimize(loss, fit.points.ravel(), method="BFGS", options={"gtol": 1e-9}).fun
    assert fit.raw_stress <= lower * (1 + 1e-6)


@settings(max_examples=60, deadline=None)
@given(
    seed=st.integers(0, 10**6),
    transform=st.sampled_from(TRANSFORMS),
    ties=st.sampled_from(["primary", "secondary"]),
    weighted=st.booleans(),
    whole=st.booleans(),
    n=st.integers(4, 70),
)
def test_never_rises_and_says_what_it_found(seed, transform, ties, weighted, whole, n):
    D = table(n, seed)
    if whole:
        D = np.ceil(D)
    np.fill_diagonal(D, 0)
    W = random_weights(n, seed) if weighted else None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", NotConvergedWarning)
        fit = smacof(
            D, weights=W, transform=transform, ties=ties, init="random", seed=seed, max_iter=40
        )
    assert (np.diff(fit.history) < 0).all()
    assert fit.n_iter <= 40
    weights = np.ones_like(D) - np.eye(n) if W is None else W
    d, disparities = distances(fit.points), np.nan_to_num(fit.disparities)
    raw, size = np.sum(weights * (d - disparities) ** 2), np.sum(weights * d**2)
    assert fit.raw_stress == pytest.approx(raw, rel=1e-9, abs=1e-9 * size)
    assert fit.stress == pytest.approx(np.sqrt(raw / size), rel=1e-6, abs=1e-9)
    assert (disparities >= 0).all()
    assert np.sum(weights * disparities**2) == pytest.approx(np.sum(weights * D**2), rel=1e-9)
    np.testing.assert_allclose(fit.points.mean(axis=0), 0, atol=1e-9)
    if transform == "ordinal":
        check_order(D, disparities, weights > 0, ties)


def check_order(D, disparities, seen, ties):
    """Larger dissimilarities have no smaller disparities; equal ones the same if secondary."""
    delta, fitted = D[seen], disparities[seen]
    order = np.lexsort((fitted, delta))
    assert (np.diff(fitted[order]) >= -1e-12).all()
    if ties == "secondary":
        same = np.diff(delta[order]) == 0
        assert np.abs(np.diff(fitted[order])[same]).max(initial=0) < 1e-12


def test_secondary_ties_share_the_weighted_mean_of_their_distances():
    D, W = np.ceil(2 * table(10)), random_weights(10, 3)
    np.fill_diagonal(D, 0)
    fit = smacof(D, weights=W, transform="ordinal", ties="secondary", tol=1e-9)
    i, j = np.nonzero(np.triu(W))
    delta, w, d = D[i, j], W[i, j], distances(fit.points)[i, j]
    levels = np.unique(delta)
    assert len(levels) < len(delta)
    totals = [w[delta == level].sum() for level in levels]
    means = [np.average(d[delta == level], weights=w[delta == level]) for level in levels]
    nearest = IsotonicRegression().fit(levels, means, sample_weight=totals).predict(delta)
    fitted = fit.disparities[i, j]
    assert np.allclose(
        fitted / np.linalg.norm(fitted), nearest / np.linalg.norm(nearest), atol=1e-4
    )


def least_place(X, row, weights):
    """Return the least stress of one new point, by a general minimiser from 40 starts."""
    seen = ~np.isnan(row)
    X, row, weights = X[seen], row[seen], weights[seen]

    def loss(y):
        d = np.linalg.norm(y - X, axis=1)
        off = d - row
        return np.sum(weights * off**2), 2 * (weights * off / d) @ (y - X)

    starts = np.random.default_rng(0).uniform(-1, 1, (40, X.shape[1]))
    return min(minimize(loss, 2 * np.ptp(X) * start, jac=True).fun for start in starts)


@pytest.mark.parametrize("solver", [smacof, sammon])
@pytest.mark.parametrize("k", [1, 2, 3])
def test_new_objects_get_the_place_of_least_stress(solver, k):
    for seed in range(4):
        D = table(14, seed)
        fit = solver(D[:10, :10], k, n_init=5, seed=0)
        new = D[10:, :10].copy()
        new[0, 3] = np.nan
        places = fit.transform(new)
        assert places.shape == (4, k)
        for row, place in zip(new, places, strict=True):
            weights = 1 / row if solver is sammon else np.ones(10)
            least = least_place(fit.points, row, weights)
            loss = np.nansum(weights * (np.linalg.norm(fit.points - place, axis=1) - row) ** 2)
            assert loss <= least * (1 + 1e-6)


@pytest.mark.parametrize("transform", TRANSFORMS)
def test_fitted_objects_are_placed_where_they_are(transform):
    D = table(15, p=3)
    fit = smacof(D, transform=transform, n_init=10, seed=0, tol=1e-9)
    own = D + np.diag(np.full(15, np.nan))
    places = fit.transform(own)
    off = np.linalg.norm(places - fit.points, axis=1)
    assert np.median(off) < 1e-4
    targets = fit.disparities / (1 - fit.stress**2 * (transform != "identity"))
    others = ~np.eye(15, dtype=bool)
    for i in np.flatnonzero(off > 1e-4):
        gaps = [
            np.linalg.norm(fit.points - y, axis=1) - targets[i] for y in (places[i], fit.points[i])
        ]
        here, there = (np.sum(gap[others[i]] ** 2) for gap in gaps)
        assert here < there


def test_a_zero_puts_the_new_object_of_sammon_on_the_old_one():
    D = table(12)
    fit = sammon(D)
    np.testing.assert_allclose(fit.transform(D), fit.points, atol=1e-6)


test_bad_new_objects = refusals(
    (
        lambda: smacof(FIVE).transform(np.ones((2, 4))),
        r"new has shape \(2, 4\), but the fit has 5 training objects",
    ),
    (lambda: smacof(FIVE).transform(-np.ones((1, 5))), r"new\[0, 0\] = -1 is negative"),
    (lambda: smacof(FIVE).transform(np.full((1, 5), np.inf)), "is inf"),
    (
        lambda: smacof(FIVE).transform([np.ones(5), np.full(5, np.nan)]),
        "Row 1 of new has no observed entry",
    ),
    (lambda: smacof(FIVE).transform(np.ones(5)), "1 dimension"),
)


def test_a_start_that_is_left_behind_warns_of_nothing():
    """Another start of this place creeps for more than a thousand steps to a higher end."""
    rng = np.random.default_rng(1166)
    rng.integers(4, 30), rng.integers(1, 4)
    D = squareform(pdist(rng.standard_normal((6, 5))) * (1 + 0.2 * rng.random(15)))
    fit = smacof(D[:5, :5], 3)
    with warnings.catch_warnings():
        warnings.simplefilter("error", NotConvergedWarning)
        place = fit.transform(D[5:, :5])[0]
    least = least_place(fit.points, D[5, :5], np.ones(5))
    assert np.sum((np.linalg.norm(fit.points - place, axis=1) - D[5, :5]) ** 2) <= least + 1e-9


@pytest.mark.parametrize("transform", TRANSFORMS)
@pytest.mark.parametrize("weighted", [False, True])
def test_stress_per_point_by_its_definition(transform, weighted):
    D, W = table(50), random_weights(50, 4) if weighted else np.ones((50, 50)) - np.eye(50)
    fit = smacof(D, weights=W if weighted else None, transform=transform)
    losses = np.nansum(W * (distances(fit.points) - fit.disparities) ** 2, axis=1)
    np.testing.assert_allclose(fit.stress_per_point, losses / losses.sum(), rtol=1e-9)
    assert np.ptp(fit.stress_per_point) > 0.001


def test_stress_per_point_of_sammon_and_of_a_perfect_fit():
    D = table(20)
    fit = sammon(D)
    errors = (distances(fit.points) - D) ** 2 / (D + np.eye(20))
    np.testing.assert_allclose(fit.stress_per_point, errors.sum(0) / errors.sum(), rtol=1e-9)
    perfect = smacof([[0, 2], [2, 0]], 1)
    assert perfect.stress_per_point.sum() in (0, pytest.approx(1))


def groups_apart(n_each=3):
    """Return three groups; all dissimilarities differ, those between groups are the larger."""
    n = 3 * n_each
    noise = np.triu(np.random.default_rng(0).uniform(size=(n, n)), 1)
    part = np.repeat(np.arange(3), n_each)
    return (np.where(part[:, None] == part, 1.0, 3.0) + noise + noise.T) * (1 - np.eye(n))


def test_degenerate_ordinal_fits_are_reported():
    for n_each in (3, 5):
        with pytest.warns(DegenerateWarning, match="got only 2 different disparities"):
            smacof(groups_apart(n_each), transform="ordinal", init="random", n_init=10, seed=0)
    with warnings.catch_warnings():
        warnings.simplefilter("error", DegenerateWarning)
        for transform in TRANSFORMS[:-1]:
            smacof(groups_apart(), transform=transform)
        for D in (table(12), table(12, p=2), groups_apart() % 2, THREE_GROUPS):
            smacof(D, transform="ordinal", n_init=5, seed=0)
        line = np.abs(np.subtract.outer(np.arange(7.0), np.arange(7.0)))
        smacof(line, 1, transform="ordinal")


THREE_GROUPS = (2 - np.kron(np.eye(3), np.ones((3, 3)))) * (1 - np.eye(9))


@pytest.mark.parametrize(
    ("solver", "D", "k", "options", "saddle", "least"),
    [
        (smacof, THREE_GROUPS, 2, {}, 0.2021, 0.1811),
        (smacof, THREE_GROUPS, 2, {"transform": "ratio"}, 0.1981, 0.1782),
        (smacof, 1 - np.eye(10), 3, {}, 0.2641, 0.2318),
        (sammon, THREE_GROUPS, 2, {}, 0.0495, 0.0407),
    ],
)
def test_saddles_of_equal_dissimilarities_are_left(solver, D, k, options, saddle, least):
    fit = solver(D, k, **options)
    assert fit.stress == pytest.approx(least, abs=1e-4)
    assert fit.stress < saddle - 0.005
    # On some processors rounding leaves the saddle before the nudge does.
    assert fit.converged
    assert (np.diff(fit.history) < 0).all()
    random = solver(D, k, init="random", n_init=20, seed=1, **options)
    assert fit.stress == pytest.approx(random.stress, rel=1e-4)


def points_on_a_line(D):
    """Return a start in the plane that is a saddle on every processor: its second axis is 0."""
    return np.column_stack([smacof(D, 1).points, np.zeros(len(D))])


def test_saddle_of_points_on_a_line_is_left():
    D = table(12, p=2)
    line = points_on_a_line(D)
    fit = smacof(D, init=line)
    assert (fit.nudged, fit.converged) == (True, True)
    assert fit.stress < 1e-4 < kruskal_stress(line, D)
    assert fit.history[0] == pytest.approx(raw_stress(line, D))


@pytest.mark.parametrize("unit", [1e-40, 1e40])
def test_saddles_are_left_in_every_unit(unit):
    assert smacof(unit * THREE_GROUPS).stress == pytest.approx(0.1811, abs=1e-4)


def test_minima_stay_whatever_the_tolerance(eurodist):
    for tol in (1e-3, 1e-5, 1e-8):
        fit = smacof(eurodist, tol=tol)
        assert not fit.nudged
        assert not smacof(eurodist, init=fit.points, tol=tol).nudged
    home = smacof(eurodist, init="random", n_init=20, seed=0)
    trap = np.flatnonzero(home.local_minima > 2 * home.stress)
    assert len(trap) >= 3
    rng = np.random.default_rng(0)
    ends = [smacof(eurodist, init=rng.standard_normal((21, 2)) * 1000) for _ in range(50)]
    assert max(end.stress for end in ends) > 2 * home.stress
    assert not any(end.nudged for end in ends)


def test_a_nudge_stays_within_the_steps_allowed():
    D = table(12, p=2)
    line = points_on_a_line(D)
    steps = smacof(D, init=line).n_iter
    with pytest.warns(NotConvergedWarning):
        fit = smacof(D, init=line, max_iter=steps - 5)
    assert (fit.nudged, fit.converged) == (True, False)
    assert fit.n_iter <= steps - 5


def test_unconverged_and_converged(eurodist):
    with pytest.warns(NotConvergedWarning, match="larger max_iter"):
        fit = smacof(eurodist, max_iter=3)
    assert (fit.converged, fit.n_iter) == (False, 3)
    fit = smacof(eurodist)
    assert fit.converged
    assert smacof(eurodist, init=fit.points).n_iter == 0


def test_missing_entries_are_ignored():
    D, W = table(15), random_weights(15, 5)
    clean = smacof(D, weights=W)
    for junk in (np.nan, -7.0, 1e9, np.inf):
        other = np.where((W == 0) & ~np.eye(15, dtype=bool), junk, D)
        fit = smacof(other, weights=W)
        np.testing.assert_array_equal(fit.points, clean.points)
        assert (np.isnan(fit.dissimilarities) == ((W == 0) & ~np.eye(15, dtype=bool))).all()
    assert len(clean.shepard().delta) == np.count_nonzero(np.triu(W, 1))


@pytest.mark.parametrize("diagonal", [0.0, 1.0])
def test_one_missing_pair_is_missing_whatever_the_diagonal_of_the_weights(diagonal):
    D, W = table(8), np.ones((8, 8))
    W[2, 5] = W[5, 2] = 0
    D[2, 5] = D[5, 2] = np.nan
    np.fill_diagonal(W, diagonal)
    fit = smacof(D, weights=W)
    np.testing.assert_array_equal(np.isnan(fit.disparities), W + np.eye(8) == 0)
    assert len(fit.shepard().delta) == 27
    filled = D.copy()
    filled[2, 5] = filled[5, 2] = np.nanmin(D[2] + D[5])
    start = classical_scaling(filled).points
    d, seen = distances(start), W * (1 - np.eye(8))
    crossed, squares = np.nansum(seen * d * D), np.sum(seen * d**2)
    loss = np.nansum(seen * D**2) - crossed**2 / squares
    assert fit.history[0] == pytest.approx(loss, rel=1e-10)


def test_classical_start_of_an_incomplete_table_follows_paths():
    line = np.abs(np.subtract.outer(np.arange(8.0), np.arange(8.0)))
    W = (line == 1).astype(float)
    fit = smacof(np.where(line <= 1, line, np.nan), 1, weights=W)
    assert fit.n_iter == 0
    np.testing.assert_allclose(distances(fit.points), line, atol=1e-9)


def test_equal_objects_in_an_incomplete_table_share_a_place():
    line = np.abs(np.subtract.outer([0.0, 0.0, 1.0, 3.0], [0.0, 0.0, 1.0, 3.0]))
    W = np.ones((4, 4)) - np.eye(4)
    W[0, 3] = W[3, 0] = 0
    fit = smacof(line, 1, weights=W)
    np.testing.assert_allclose(distances(fit.points), line, atol=1e-9)


def test_starts_and_seeds():
    D = table(25, p=6)
    fit = smacof(D, n_init=8, seed=0)
    again = smacof(D, n_init=8, seed=0)
    np.testing.assert_array_equal(fit.local_minima, again.local_minima)
    assert len(fit.local_minima) == 8
    assert fit.stress == pytest.approx(fit.local_minima.min(), rel=1e-5)
    assert fit.local_minima[0] == pytest.approx(smacof(D).stress, rel=1e-12)
    assert len(np.unique(fit.local_minima.round(4))) > 1
    assert np.ptp([smacof(D, init="random", max_iter=500).stress for _ in range(6)]) > 0


def test_axes_without_positive_eigenvalue_are_not_lost():
    D = 1 - np.eye(4)
    D[0, 1] = D[1, 0] = 1.9
    fit = smacof(D, 3, seed=0)
    assert fit.points.shape == (4, 3)
    assert fit.stress < kruskal_stress(classical_scaling(D).points, D)
    line = np.abs(np.subtract.outer(np.arange(60.0), np.arange(60.0)))
    for seed in range(3):
        off_line = smacof(line, 2, seed=seed, tol=1e-9).history[0] / np.sum(line**2)
        assert 1e-8 < off_line < 1e-5


def test_filters_of_warnings_are_left_alone(monkeypatch):
    changed = []
    monkeypatch.setattr(warnings, "simplefilter", lambda *given: changed.append(given))
    line = np.abs(np.subtract.outer(np.arange(6.0), np.arange(6.0)))
    with warnings.catch_warnings(record=True) as said:
        smacof(line, 2)
    assert (changed, said) == ([], [])


def test_equal_objects_and_perfect_tables():
    D = np.abs(np.subtract.outer([0.0, 0.0, 3.0, 4.0], [0.0, 0.0, 3.0, 4.0]))
    fit = smacof(D, 1)
    assert fit.converged
    np.testing.assert_allclose(distances(fit.points), D, atol=1e-12)
    assert sammon(1 - np.eye(4), 3).stress < 1e-12
    two = smacof([[0, 2], [2, 0]], 1)
    np.testing.assert_allclose(np.abs(two.points), 1.0)


def test_coincident_points_of_the_start_are_parted():
    D = table(6)
    X = np.zeros((6, 2))
    X[5] = [1.0, 2.0]
    X[4] = [-1.0, 1.0]
    fit = smacof(D, init=X)
    assert np.isfinite(fit.points).all()
    assert fit.history[-1] < fit.history[0]


@pytest.mark.parametrize("unit", [1e-30, 1e30])
def test_units(unit):
    D = table(20)
    for transform in TRANSFORMS:
        fit, scaled = smacof(D, transform=transform), smacof(D * unit, transform=transform)
        np.testing.assert_allclose(scaled.points / unit, fit.points, rtol=1e-4, atol=1e-4)
    W = random_weights(20, 0)
    fit, scaled = smacof(D, weights=W), smacof(D * unit, weights=W * unit)
    np.testing.assert_allclose(scaled.points / unit, fit.points, rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("unit", [1e-59, 1e-20, 1e20])
def test_random_starts_in_every_unit(unit):
    D = table(12)
    for solver in (smacof, sammon):
        options = {"init": "random", "n_init": 3, "seed": 0}
        fit, scaled = solver(D, **options), solver(D * unit, **options)
        np.testing.assert_allclose(scaled.local_minima, fit.local_minima, rtol=1e-6)
        np.testing.assert_allclose(scaled.shepard().fitted / unit, pdist(fit.points), rtol=1e-3)


@pytest.mark.parametrize("transform", TRANSFORMS)
def test_results_can_be_stored(transform):
    fit = smacof(table(7), transform=transform)
    again = pickle.loads(pickle.dumps(fit))
    np.testing.assert_array_equal(again.disparities, fit.disparities)


@pytest.mark.parametrize("ratio", [1e-8, 1e-13])
def test_wide_weights_are_fitted_or_refused(ratio):
    X = sample(12, 3)
    X[1] = X[0]
    D = cdist(X, X)
    D[0, 1] = D[1, 0] = ratio
    near = sammon(D, tol=1e-7)
    D[0, 1] = D[1, 0] = 1e-6
    assert near.stress == pytest.approx(sammon(D, tol=1e-7).stress, rel=1e-5)
    for lost in (3e-16, 1e-14 * ratio, 1e-310):
        D[0, 1] = D[1, 0] = lost
        with pytest.raises(
            ValueError, match=r"1\] = .*, too small beside the largest, |range too widely"
        ):
            sammon(D)


@pytest.mark.parametrize("bridge", [1e-16, 1e-18, 1e-30])
def test_parts_tied_by_weights_below_rounding_are_refused(bridge):
    W = np.ones((30, 30))
    W[:15, 15:] = W[15:, :15] = bridge
    with pytest.raises(ValueError, match="weights range too widely"):
        smacof(table(30), weights=W)


@pytest.mark.parametrize("weighted", [False, True])
def test_quasi_newton_turns_the_last_change_into_the_last_move(weighted):
    D, W = table(9), random_weights(9, 2, 0.0)
    table_of = Table(D, (lambda i, j: W[i:j, i:]) if weighted else None)
    stress = Stress(table_of, disparities_of(table_of, "identity", "primary"))
    rng, pairs = np.random.default_rng(0), []
    states = [stress.at(classical_scaling(D).points)]
    for _ in range(4):
        states.append(stress.at(states[-1].points + 0.1 * rng.standard_normal((9, 2))))
        old, new = states[-2:]
        pairs.append((new.points - old.points, new.slope - old.slope))
    pairs = [(move, change) for move, change in pairs if np.vdot(move, change) > 0]
    assert len(pairs) > 1
    found = -quasi_newton(stress, pairs[-1][1], pairs)
    np.testing.assert_allclose(found, pairs[-1][0], atol=1e-12)
    u, v = rng.standard_normal((2, 9, 2))
    u, v = u - u.mean(axis=0), v - v.mean(axis=0)
    there, back = (-quasi_newton(stress, x, pairs) for x in (u, v))
    assert np.vdot(v, there) == pytest.approx(np.vdot(back, u), rel=1e-9)
    assert np.vdot(u, there) > 0


def test_polynomials_are_projections_on_the_cone_of_bernstein_polynomials():
    D, W = table(14), random_weights(14, 8, 0.4)
    fit = smacof(D, weights=W, transform="polynomial", tol=1e-8)
    seen = np.triu(W, 1) > 0
    delta, w, d = D[seen], W[seen], distances(fit.points)[seen]
    t = (delta - delta.min()) / np.ptp(delta)
    basis = np.column_stack([binom.pmf(j, 2, t) for j in range(3)])
    root = np.sqrt(w)
    expected = basis @ nnls(root[:, None] * basis, root * d)[0]
    np.testing.assert_allclose(fit.disparities[seen], expected, atol=1e-7 * d.max())


@pytest.mark.parametrize("unit", [1e-100, 1e-17, 1e-3, 1e3, 1e17, 1e59])
@pytest.mark.parametrize("transform", TRANSFORMS)
def test_a_given_start_may_have_any_scale(eurodist, unit, transform):
    start = classical_scaling(eurodist).points / 1000
    near = smacof(eurodist / 1000, init=start, transform=transform)
    far = smacof(eurodist / 1000, init=unit * start, transform=transform)
    assert far.stress == pytest.approx(near.stress, rel=1e-5)
    assert far.converged


def test_sammon_is_smacof_with_weights():
    D = table(20)
    W = np.divide(1.0, D, out=np.zeros_like(D), where=D > 0)
    fit, weighted = sammon(D), smacof(D, weights=W)
    np.testing.assert_allclose(fit.points, weighted.points, atol=1e-10)
    pairs = np.triu_indices(20, 1)
    delta, d = D[pairs], distances(fit.points)[pairs]
    assert fit.stress == pytest.approx(np.sum((d - delta) ** 2 / delta) / delta.sum(), rel=1e-10)
    assert (np.diff(fit.history) < 0).all()
    assert fit.history[-1] == fit.stress
    assert fit.n_iter == len(fit.history) - 1
    np.testing.assert_array_equal(fit.shepard().target, delta)
    starts = sammon(D, n_init=4, seed=1)
    assert starts.stress == starts.local_minima.min()
    assert len(starts.local_minima) == 4


def test_losses_by_their_definitions(eurodist):
    Y = classical_scaling(eurodist).points
    pairs = np.triu_indices(21, 1)
    d, delta = pdist(Y), eurodist[pairs]
    assert raw_stress(Y, eurodist) == pytest.approx(2 * np.sum((d - delta) ** 2), rel=1e-12)
    expected = 2 * np.sum((d**2 - delta**2) ** 2)
    assert sstress(Y, eurodist) == pytest.approx(expected, rel=1e-12)
    expected = np.sqrt(np.sum((d - delta) ** 2) / np.sum(d**2))
    assert kruskal_stress(Y, eurodist) == pytest.approx(expected, rel=1e-12)
    spectrum = classical_scaling(eurodist).spectrum().eigenvalues
    assert strain(Y + 1000, eurodist) == pytest.approx(np.sum(spectrum[2:] ** 2), rel=1e-8)


@pytest.mark.parametrize("transform", TRANSFORMS)
def test_stress_of_a_fit_with_missing_entries(transform):
    W = random_weights(20, 6)
    D = np.where((W == 0) & ~np.eye(20, dtype=bool), np.nan, table(20))
    fit = smacof(D, weights=W, transform=transform)
    for seen in (fit.disparities, np.nan_to_num(fit.disparities, nan=99.0)):
        found = kruskal_stress(fit.points, seen, weights=W), raw_stress(fit.points, seen, W)
        assert found == pytest.approx((fit.stress, fit.raw_stress), rel=1e-9)
    with pytest.raises(ValueError, match=r"is nan|missing"):
        kruskal_stress(fit.points, fit.disparities)


def test_losses_need_one_pair_and_no_more(eurodist):
    """Unlike a map, they need no links between all objects, and take a table of zeros."""
    Y = classical_scaling(eurodist).points
    d = distances(Y)
    parts = np.kron(np.eye(3), np.ones((7, 7)))
    assert raw_stress(Y, 0 * d, parts) == pytest.approx(np.sum(parts * d**2), rel=1e-12)
    assert kruskal_stress(Y, 0 * d, parts) == pytest.approx(1.0, rel=1e-12)
    with pytest.raises(ValueError, match="parts of sizes 7, 7, 7"):
        smacof(eurodist, weights=parts)
    for loss in (raw_stress, kruskal_stress):
        for none in (np.zeros((21, 21)), np.eye(21)):
            with pytest.raises(ValueError, match="All weights between different objects are 0"):
                loss(Y, eurodist, none)


def test_results_are_copies(eurodist):
    D = eurodist.copy()
    fit = smacof(D, transform="interval")
    before = fit.dissimilarities.copy()
    D[:] = 0
    np.testing.assert_array_equal(fit.dissimilarities, before)
    shepard = fit.shepard()
    assert kruskal_stress(fit.points, fit.disparities) == pytest.approx(fit.stress, rel=1e-10)
    np.testing.assert_allclose(shepard.fitted, pdist(fit.points))
    np.testing.assert_array_equal(shepard.delta, squareform(before))
    np.testing.assert_array_equal(shepard.target, squareform(fit.disparities, checks=False))


def changed_weights(n, place, value):
    """Return weights of one, but for a place and its mirror image."""
    W = np.ones((n, n))
    W[place] = W.T[place] = value
    return W


@pytest.mark.parametrize(
    ("fit", "limit"),
    [
        (smacof, 1.2),
        (partial(smacof, transform="interval"), 1.2),
        (partial(smacof, transform="ordinal"), 4.0),
        (partial(smacof, weights=np.ones((900, 900))), 1.2),
        (partial(smacof, weights=changed_weights(900, (0, 1), 0)), 5.5),
        (sammon, 1.2),
    ],
)
def test_memory(fit, limit):
    D = table(900)
    D = (D + D.T) / 2
    with pytest.warns(NotConvergedWarning):
        _, peak = with_memory(fit, D, max_iter=2)
    assert peak < limit * D.nbytes


FIVE = table(5)

test_bad_parameters = refusals(
    (lambda: smacof(FIVE, weights=changed_weights(5, np.s_[:2, 2:], 0)), "2 parts of sizes 2, 3"),
    (lambda: smacof(FIVE, weights=changed_weights(5, np.s_[0], 0)), "2 parts of sizes 1, 4"),
    (
        lambda: smacof(FIVE, weights=changed_weights(5, np.s_[1, 3], -1)),
        r"weights\[1, 3\] = -1 is negative",
    ),
    (lambda: smacof(FIVE, weights=np.ones((5, 5)) + np.eye(5, k=2)), "weights is not symmetric"),
    (lambda: smacof(FIVE, weights=np.zeros((5, 5))), "5 parts"),
    (lambda: smacof(FIVE, weights=np.ones((4, 4))), r"weights has \(4, 4\)"),
    (lambda: smacof(FIVE, 5), "from 1 to 4"),
    (lambda: smacof(FIVE, transform="spline"), "'identity', 'ratio'"),
    (lambda: smacof(FIVE, ties="tertiary"), "primary"),
    (lambda: smacof(FIVE, init="best"), "classical"),
    (lambda: smacof(FIVE, init=np.ones((5, 2))), "coincide"),
    (lambda: smacof(FIVE, init=1e-200 * np.eye(5, 2)), "coincide"),
    (lambda: smacof(FIVE, init=np.eye(5)), r"init has shape \(5, 5\)"),
    (lambda: smacof(FIVE, n_init=0), "n_init = 0"),
    (lambda: smacof(FIVE, max_iter=0), "max_iter = 0"),
    (lambda: smacof(FIVE, tol=0), "tol is 0"),
)

HOLE = squareform([np.nan, *squareform(FIVE)[1:]])
ONE_PAIR = np.pad(1 - np.eye(2), (0, 2))
TWO_OF_THE_REST = [[0, 0], [0, 0], [1, 0], [0, 1]]

test_bad_tables = refusals(
    (lambda: smacof(HOLE), r"D\[0, 1\] is missing \(NaN\): give weights"),
    (lambda: smacof(HOLE, weights=np.ones((5, 5))), r"D\[0, 1\] is missing \(NaN\): give weights"),
    (lambda: smacof(FIVE + np.diag([np.nan] * 5)), r"D\[0, 0\] is nan"),
    (lambda: smacof([1.0, np.nan]), "1 dimension"),
    *(
        (
            partial(smacof, ONE_PAIR, init=TWO_OF_THE_REST, transform=one),
            "those that should be apart",
        )
        for one in TRANSFORMS
    ),
    (lambda: smacof(np.zeros((4, 4))), "All observed dissimilarities are 0"),
    (lambda: sammon([[0, 0, 1], [0, 0, 1], [1, 1, 0]]), r"D\[0, 1\] = 0: Sammon"),
    (lambda: strain([[0.0], [1.0]], table(3)), "Y has 2 rows"),
    (lambda: kruskal_stress([[0.0], [1e-200]], [[0, 1], [1, 0]]), "largest entry of Y"),
    (lambda: kruskal_stress([[0.0], [0.0]], [[0, 1], [1, 0]]), "coincide"),
)
