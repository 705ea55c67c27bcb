"""Leave-one-out maps compared with a loop over classical scaling."""

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose

from kmds_lib import (
    classical_scaling,
    distances,
    leave_one_out,
    load_eurodist,
    pca,
    procrustes_align,
    smacof,
)
from tests.lib.conftest import refused, sample

ROADS = load_eurodist().distances
CLOUD = sample(9, 4, seed=2)


def test_moves_and_influence_equal_a_loop():
    full = classical_scaling(ROADS).points
    n = len(ROADS)
    squares = np.full((n, n), np.nan)
    for i in range(n):
        rest = np.delete(np.arange(n), i)
        others = classical_scaling(ROADS[np.ix_(rest, rest)]).points
        aligned = procrustes_align(others, target=full[rest]).points
        squares[i, rest] = np.sum((aligned - full[rest]) ** 2, axis=1)
    radius = np.sqrt(np.mean(np.sum(full**2, axis=1)))
    found = leave_one_out(ROADS, classical_scaling, metric="precomputed")
    assert_allclose(found.moves, np.sqrt(np.nanmean(squares, axis=0)) / radius, rtol=1e-9)
    assert_allclose(found.influence, np.sqrt(np.nanmean(squares, axis=1)) / radius, rtol=1e-9)
    assert np.argmax(found.influence) == load_eurodist().labels.index("Athens")
    assert np.array_equal(np.isnan(found.clouds).all(axis=2), np.eye(n, dtype=bool))


def test_max_left_out_limits_the_objects_left_out():
    found = leave_one_out(CLOUD, pca, max_left_out=4)
    assert found.left_out.tolist() == [0, 2, 4, 6]
    assert found.clouds.shape == (4, 9, 2)
    assert np.isfinite(found.moves).all()
    assert leave_one_out(CLOUD, pca, max_left_out=1).moves[0] == 0


def test_start_from_map_starts_each_fit_at_the_full_map():
    starts = []

    def fit(D, init="classical"):
        starts.append(init)
        return smacof(D, init=init)

    found = leave_one_out(ROADS, fit, metric="precomputed", start_from_map=True, max_left_out=3)
    assert isinstance(starts[0], str)
    for start, i in zip(starts[1:], found.left_out, strict=True):
        assert_allclose(start, np.delete(found.points, i, axis=0))


def test_maps_with_fewer_axes_get_columns_of_zeros():
    # Without the last point, the points are on a line.
    bent = np.array([[0.0, 0.0], [1.0, 0.0], [3.0, 0.0], [7.0, 0.0], [2.0, 1.0]])
    with pytest.warns(UserWarning, match="only 1 positive"):
        found = leave_one_out(bent, pca)
    assert found.clouds.shape == (5, 5, 2)
    line = procrustes_align(np.pad(bent[:4, :1], ((0, 0), (0, 1))), target=found.points[:4])
    assert_allclose(found.clouds[4, :4], line.points, atol=1e-12)


def test_weights_and_missing_entries_equal_a_loop_over_smacof():
    rng = np.random.default_rng(0)
    lost = np.triu(rng.random(ROADS.shape) < 0.1, 1)
    lost |= lost.T
    W = np.where(lost, 0.0, 1 / (1 + ROADS))
    D = np.where(lost, np.nan, ROADS)
    full = smacof(D, weights=W).points
    for given in (D, np.where(lost, -1.0, ROADS), np.where(np.triu(lost), np.nan, ROADS)):
        found = leave_one_out(given, smacof, metric="precomputed", weights=W, max_left_out=4)
        assert_allclose(found.points, full)
        for cloud, i in zip(found.clouds, found.left_out, strict=True):
            rest = np.delete(np.arange(len(D)), i)
            part = np.ix_(rest, rest)
            others = smacof(D[part], weights=W[part]).points
            assert_allclose(cloud[rest], procrustes_align(others, target=full[rest]).points)
    by_function = leave_one_out(
        D, lambda M: smacof(M, weights=1.0 - np.isnan(M)), metric="precomputed", max_left_out=2
    )
    assert_allclose(by_function.points, smacof(D, weights=1.0 - lost).points)
    of_points = leave_one_out(
        CLOUD, lambda X, weights: smacof(distances(X), weights=weights), weights=1 + np.eye(9)
    )
    assert_allclose(of_points.points, smacof(distances(CLOUD), weights=1 + np.eye(9)).points)


def test_message_names_the_object_left_out():
    chain = 1.0 - (np.abs(np.subtract.outer(range(5), range(5))) > 1)
    D = distances(np.arange(5.0)[:, None])
    with pytest.raises(ValueError, match=r"Without object 1: .* split the objects"):
        leave_one_out(D, smacof, metric="precomputed", weights=chain)


def test_rounding_errors_are_judged_as_in_the_fits():
    single = (ROADS * (1 + 1e-5 * np.triu(np.ones_like(ROADS)))).astype(np.float32)
    np.fill_diagonal(single, [1e-3, np.nan] + [0] * 19)
    W = np.where(np.eye(21) > 0, np.nan, 1.0)
    for fit, options in ((classical_scaling, {}), (smacof, {}), (smacof, {"weights": W})):
        found = leave_one_out(single, fit, metric="precomputed", max_left_out=2, **options)
        assert_allclose(found.points, fit(single, **options).points, rtol=1e-5, atol=0.01)
        rest = np.arange(1, 21)
        others = fit(single[np.ix_(rest, rest)]).points
        aligned = procrustes_align(others, target=found.points[rest]).points
        assert_allclose(found.clouds[0, rest], aligned, rtol=1e-5, atol=0.01)


HOLED = np.where(np.eye(9, k=1) + np.eye(9, k=-1) > 0, np.nan, distances(CLOUD))
FRAME = pd.DataFrame(distances(CLOUD), index=list("abcdefghi"), columns=list("abcdefghi"))


test_invalid_input = refused(
    (lambda: leave_one_out(HOLED, classical_scaling, metric="precomputed"), r"D\[0, 1\] is"),
    (lambda: leave_one_out(HOLED[:5], smacof, metric="precomputed"), "X has shape.*square"),
    (
        lambda: leave_one_out(FRAME, smacof, metric="precomputed", weights=FRAME.iloc[::-1, ::-1]),
        "weights has the columns of X in another order",
    ),
    (
        lambda: leave_one_out(FRAME, smacof, metric="precomputed", weights=np.ones((5, 5))),
        r"weights has shape \(5, 5\): give \(9, 9\)",
    ),
    (lambda: leave_one_out(CLOUD, pca, weights=np.triu(HOLED)), r"weights\[0, 1\] is nan"),
    (
        lambda: leave_one_out(np.triu(HOLED) + np.tril(FRAME), smacof, metric="precomputed"),
        r"X\[0, 1\] is nan, but X\[1, 0\] = ",
    ),
    (lambda: leave_one_out(CLOUD, "pca"), "fit is 'pca': give a function"),
    (lambda: leave_one_out(CLOUD, np.mean), r"fit returns float64.*\(9, k\): give a function"),
    (lambda: leave_one_out(CLOUD, lambda X: pca(X[:4])), r"points of shape \(9, k\)"),
)
