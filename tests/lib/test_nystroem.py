"""Landmark scaling and the Nyström method: identities, choice of landmarks, blocks, errors."""

from functools import partial

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.spatial.distance import cdist, squareform

from kmds_lib import (
    RBF,
    Linear,
    Polynomial,
    Power,
    _kernel_pca_result,
    classical_scaling,
    distances,
    landmark_scaling,
    nystroem,
)
from kmds_lib.results import FewerComponentsWarning
from tests.lib.conftest import refused, with_memory

SPREAD = np.array([5.0, 4.0, 3.0, 2.0, 1.0])


def sample(n=400, seed=0):
    return np.random.default_rng(seed).standard_normal((n, 5)) * SPREAD + 3


X, X_NEW = sample(), sample(30, seed=1)
ROWS = np.array([7, 300, 12, 55, 111, 4, 260, 399, 0, 31])
D = distances(X)
scale_distances = partial(landmark_scaling, metric="precomputed")


def test_nystroem_landmark_scaling_and_gower_agree():
    for k in (1, 5):
        by_points = landmark_scaling(X, k, landmarks=ROWS)
        by_distances = scale_distances(D, k, landmarks=ROWS)
        by_columns = scale_distances(D[:, ROWS], k, landmarks=ROWS)
        by_kernel = nystroem(X, Linear(), k, landmarks=ROWS)
        gower = classical_scaling(D[np.ix_(ROWS, ROWS)], k)
        placed = gower.transform(D[:, ROWS])
        for fit in (by_points, by_distances, by_columns, by_kernel):
            assert_allclose(fit.points, placed, rtol=0, atol=1e-12 * np.abs(X).max())
            assert_array_equal(fit.landmarks, ROWS)
            assert_allclose(fit.eigenvalues, by_points.eigenvalues, rtol=1e-12)
        D_new = distances(X_NEW, X[ROWS])
        for fit, new in ((by_points, X_NEW), (by_kernel, X_NEW), (by_distances, D_new)):
            found = fit.transform(new)
            assert_allclose(found, gower.transform(D_new), rtol=0, atol=1e-12 * 20)


@pytest.mark.parametrize("kernel", [RBF(0.02), Power(1.0), Polynomial(2)], ids=repr)
def test_nystroem_is_landmark_scaling_of_feature_distances(kernel):
    K = kernel(X)
    lengths = np.diagonal(K)
    feature = np.sqrt(np.maximum(lengths[:, None] + lengths - 2 * K, 0))
    fit = nystroem(X, kernel, 4, landmarks=ROWS)
    other = scale_distances(feature, 4, landmarks=ROWS)
    assert_allclose(
        fit.points, other.points, rtol=0, atol=1e-12 * np.abs(fit.points).max() * len(ROWS)
    )


def test_objects_are_projected_on_the_span_of_landmarks():
    flat = X.copy()
    flat[ROWS, 2:] = 1.0
    with pytest.warns(FewerComponentsWarning, match="only 2 positive"):
        fit = landmark_scaling(flat, 4, landmarks=ROWS)
    assert fit.points.shape == (len(X), 2)
    assert_allclose(distances(fit.points), distances(flat[:, :2]), atol=1e-11)
    assert np.abs(distances(fit.points) - distances(flat)).max() > 1


@pytest.mark.parametrize("entries", [1, 700])
def test_block_size_does_not_change_the_result(monkeypatch, entries):
    whole = nystroem(X, RBF(0.02), 3, landmarks=12, seed=5)
    monkeypatch.setattr(_kernel_pca_result, "BLOCK_ENTRIES", entries)
    fit = nystroem(X, RBF(0.02), 3, landmarks=12, seed=5)
    assert_allclose(fit.points, whole.points, rtol=0, atol=1e-12)
    assert_allclose(fit.transform(X_NEW), whole.transform(X_NEW), atol=1e-12)


def test_same_objects_are_chosen_by_points_and_by_distances():
    for choose in ("random", "farthest"):
        options = {"landmarks": 12, "choose": choose, "seed": 5}
        by_points, by_distances = (
            landmark_scaling(X, 3, **options),
            scale_distances(D, 3, **options),
        )
        assert_array_equal(by_distances.landmarks, by_points.landmarks)
        assert_allclose(by_distances.points, by_points.points, rtol=0, atol=1e-11)


def test_landmarks_are_distinct_if_points_coincide():
    few = np.repeat(X[:3], 5, axis=0)
    fit = landmark_scaling(few, 2, landmarks=9, choose="farthest", seed=0)
    assert len(np.unique(fit.landmarks)) == 9
    assert len(np.unique(few[fit.landmarks], axis=0)) == 3
    assert_allclose(distances(fit.points), distances(few), atol=1e-11)


def plain_farthest(D, first, m):
    """Compute farthest first by its definition, from the whole distance matrix."""
    rows = [first]
    while len(rows) < m:
        rows.append(int(D[:, rows].min(axis=1).argmax()))
    return rows


def test_farthest_first_agrees_with_its_definition():
    fit = landmark_scaling(X, 2, landmarks=15, choose="farthest", seed=2)
    assert list(fit.landmarks) == plain_farthest(cdist(X, X), fit.landmarks[0], 15)
    kernel = Polynomial(2)
    K = kernel(X)
    feature = np.diagonal(K)[:, None] + np.diagonal(K) - 2 * K
    fit = nystroem(X, kernel, 2, landmarks=15, choose="farthest", seed=2)
    assert list(fit.landmarks) == plain_farthest(feature, fit.landmarks[0], 15)
    longer = nystroem(X, kernel, 2, landmarks=25, choose="farthest", seed=2)
    assert_array_equal(longer.landmarks[:15], fit.landmarks)


def test_farthest_first_is_accurate_for_a_wide_kernel():
    """Use a kernel that is 1 to rounding, although 1 - exp(-1e-18 d^2) increases with d."""
    fit = nystroem(X, RBF(1e-18), 2, landmarks=15, choose="farthest", seed=2)
    assert list(fit.landmarks) == plain_farthest(cdist(X, X), fit.landmarks[0], 15)


def test_only_rows_of_landmarks_are_read():
    holes = np.full_like(D, np.nan)
    holes[ROWS] = D[ROWS]
    fit = scale_distances(holes, 3, landmarks=ROWS)
    whole = scale_distances(D, 3, landmarks=ROWS)
    assert_array_equal(fit.points, whole.points)


def test_default_number_of_landmarks():
    assert len(landmark_scaling(X, seed=0).landmarks) == 200
    assert len(nystroem(X[:50], RBF(0.02), seed=0).landmarks) == 50


def test_landmark_fit_is_stored():
    rows = ROWS.copy()
    fit = landmark_scaling(X, 3, landmarks=rows)
    rows[:] = 0
    assert_array_equal(fit.landmarks, ROWS)
    assert_allclose(fit.points[ROWS], fit.landmark_fit.points, rtol=0, atol=1e-12 * 40)
    of_kernel = nystroem(X, RBF(0.02), 3, landmarks=ROWS)
    assert of_kernel.kernel == RBF(0.02)
    assert of_kernel.landmark_fit.preimage(of_kernel.points[:2], n_neighbors=5).shape == (2, 5)


def test_distances_to_landmarks_are_computed_in_blocks():
    many = sample(40_000)
    options = {"landmarks": 250, "choose": "farthest", "seed": 0}
    _, peak = with_memory(nystroem, many, RBF(0.01), 2, **options)
    assert peak < 30 * 2**20 < many.shape[0] * 250 * 8


def test_invalid_entry_is_named():
    holes = X.copy()
    holes[399, 2] = np.nan
    for call in (landmark_scaling, partial(nystroem, kernel=RBF(1.0))):
        with pytest.raises(ValueError, match=r"^X\[399, 2\] is nan"):
            call(holes, landmarks=10, seed=0)
    for bad, message in ((np.nan, "is nan"), (-1.0, "= -1 is negative")):
        bad_D = D.copy()
        bad_D[ROWS[3], 222] = bad
        with pytest.raises(ValueError, match=rf"^X\[landmarks\]\.T\[222, 3\] {message}"):
            scale_distances(bad_D, 2, landmarks=ROWS)
    with pytest.raises(ValueError, match=r"^X\[222, 3\] = -1 is negative"):
        scale_distances(bad_D.T[:, ROWS], 2, landmarks=ROWS)


@pytest.mark.parametrize(
    ("landmarks", "message"),
    [
        ([0, 0, 1], "holds 0 twice"),
        ([0, 1, 400], "holds 400: rows are numbered from 0 to 399"),
        ([0.0, 1.0, 2.0], "dtype float64"),
        (401, "landmarks = 401 is out of range"),
        ("all", "landmarks = 'all'"),
        ([3, 4], "n_components = 2 needs at least 3 landmarks instead of 2"),
    ],
)
def test_invalid_landmarks_are_named(landmarks, message):
    for call in (
        lambda: landmark_scaling(X, landmarks=landmarks),
        lambda: nystroem(X, RBF(1.0), landmarks=landmarks),
        lambda: scale_distances(D, landmarks=landmarks),
    ):
        with pytest.raises(ValueError, match=message):
            call()


test_invalid_options_are_named = refused(
    (lambda: nystroem(X, RBF), r"kernel is the class RBF\(theta\): give a kernel object"),
    (lambda: scale_distances(squareform(D)), r"scipy\.spatial\.distance\.squareform\(X\)"),
    (lambda: scale_distances(D[:, :9]), "the 9 row numbers"),
    (
        lambda: scale_distances(D[:, :9], landmarks=range(1, 10)),
        r"^X\[landmarks\]\[.*(symmetric|distance 0)|X\[landmarks\] is not symmetric",
    ),
    (
        lambda: scale_distances(pd.DataFrame(D[:, :9]), landmarks=range(1, 10)),
        r"^X\.iloc\[landmarks\] is not symmetric|^X\.iloc\[landmarks\]\[.*distance 0",
    ),
)


def test_row_of_a_new_object_that_is_too_far_away_is_named(monkeypatch):
    of_kernel = nystroem(X, Polynomial(6), landmarks=ROWS)
    monkeypatch.setattr(_kernel_pca_result, "BLOCK_ENTRIES", 20)
    far = X[:5].copy()
    far[3] *= 1e59
    with pytest.raises(ValueError, match=r"^Row 3 of new is so far"):
        of_kernel.transform(far)
