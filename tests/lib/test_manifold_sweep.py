"""The stored experiments on manifold methods equal a recomputation of some of their rows."""

import numpy as np
import pandas as pd
import pytest

from tools.manifold_sweep import (
    PLANE_DATA,
    TABLE,
    digit_sample,
    leap,
    map_over_data,
    map_points,
    narrowest_group,
    neighbors_kept,
    one_turn,
    outside_neighbors,
    sheet_missed,
    width_explained,
)


@pytest.fixture(scope="module")
def table():
    return pd.read_csv(TABLE).set_index(["experiment", "method", "parameter", "seed"]).value


@pytest.mark.parametrize("experiment", PLANE_DATA)
@pytest.mark.parametrize("method", ["Isomap", "LLE", "Laplacian eigenmaps"])
def test_ratio_equals_a_recomputation(table, experiment, method):
    for count in PLANE_DATA[experiment][2][::2]:
        found = map_over_data(experiment, method, count, seed=7)
        np.testing.assert_allclose(found, table[experiment, method, count, 7], rtol=1e-3)


@pytest.mark.parametrize("experiment", PLANE_DATA)
def test_ratio_of_tsne_is_on_the_same_side_of_one(table, experiment):
    found = map_over_data(experiment, "t-SNE", 5, seed=7)
    assert (found > 1) == (table[experiment, "t-SNE", 5, 7] > 1)


@pytest.mark.parametrize("count", [5, 9])
def test_leap_equals_a_recomputation(table, count):
    mass, shorts = leap(count, seed=3)
    np.testing.assert_allclose(mass, table["negative mass", "Isomap", count, 3], rtol=1e-3)
    assert shorts == table["short circuits", "Isomap", count, 3]


def test_roll_equals_a_recomputation(table):
    points, places = one_turn(seed=4)
    local, along = (map_points(points, method, 6, 4) for method in ("LLE", "Isomap"))
    found = width_explained(local, places), sheet_missed(along, places)
    expected = table["width of the sheet", "LLE", 6, 4], table["sheet missed", "Isomap", 6, 4]
    np.testing.assert_allclose(found, expected, rtol=1e-3)


@pytest.mark.parametrize("method", ["Isomap", "LLE", "Laplacian eigenmaps"])
def test_digits_equal_a_recomputation(table, method):
    X, labels = digit_sample(seed=11)
    outside = outside_neighbors(X, labels, 5)
    assert outside == table["outside neighbours", "LLE", 5, 11]
    for count in (5, 12):
        kept = table["neighbours kept", method, count, 11]
        Y = map_points(X, method, count, 11)
        if np.isnan(kept):
            assert Y is None
            continue
        # Two neighbours may be at nearly the same distance.
        np.testing.assert_allclose(neighbors_kept(Y, X), kept, atol=0.005)
        width = table["narrowest digit", method, count, 11]
        np.testing.assert_allclose(narrowest_group(Y, labels), width, rtol=1e-3, atol=1e-4)
