"""Nearest neighbours and neighbour graphs, and the input checks of all methods that use them."""

import re
import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse.csgraph import minimum_spanning_tree
from sklearn.manifold import Isomap
from sklearn.neighbors import kneighbors_graph

from kmds_lib import _nearest_neighbors, _neighbor_graph, landmark_scaling
from kmds_lib._gram import distances
from kmds_lib._isomap import isomap
from kmds_lib._laplacian_eigenmaps import laplacian_eigenmaps
from kmds_lib._lle import locally_linear_embedding
from kmds_lib._nearest_neighbors import TrainingObjects
from kmds_lib._neighbor_graph import symmetric_graph
from kmds_lib.sklearn import ClassicalScaling
from tests.lib.conftest import assert_same_columns, ring, sample

LINE = np.arange(5.0)[:, None]
TWO_GROUPS = np.concatenate([np.arange(6.0), 20 + np.arange(4.0)])[:, None]
GRID = np.stack(np.meshgrid(np.arange(6.0), np.arange(5.0)), -1).reshape(-1, 2)

FITS = {
    "isomap": lambda X, **options: isomap(X, 1, **{"n_neighbors": 2, **options}),
    "lle": lambda X, **options: locally_linear_embedding(X, 1, **{"n_neighbors": 2, **options}),
    "laplacian": lambda X, **options: laplacian_eigenmaps(X, 1, **{"n_neighbors": 2, **options}),
}


def first_nearest(D, k):
    """Return the mask of the k nearest objects, by sorting; ties in the order of the data."""
    mask = np.zeros_like(D, dtype=bool)
    for i, row in enumerate(D):
        others = [j for j in range(len(D)) if j != i]
        others.sort(key=lambda j: (round(row[j], 8), j))
        mask[i, others[:k]] = True
    return mask


@pytest.mark.parametrize("p", [3, 20])
@pytest.mark.parametrize("block_entries", [2**22, 100])
def test_nearest_neighbours_equal_scikit_learn(p, block_entries, monkeypatch):
    monkeypatch.setattr(_nearest_neighbors, "BLOCK_ENTRIES", block_entries)
    X, new = sample(p=p), sample(11, p, seed=1)
    D, D_new = distances(X), distances(new, X)
    for objects, other in ((TrainingObjects(X, False), new), (TrainingObjects(D, True), D_new)):
        near = objects.nearest(4)
        assert near.has_sorted_indices
        assert np.allclose(near.toarray(), kneighbors_graph(X, 4, mode="distance").toarray())
        expected = np.sort(np.argsort(D_new, axis=1)[:, :4], axis=1)
        found = objects.nearest(4, other)
        assert (expected == found.indices.reshape(11, 4)).all()
        assert np.allclose(found.data, np.take_along_axis(D_new, expected, axis=1).ravel())


@pytest.mark.parametrize("k", [1, 3, 8, 29])
def test_ties_go_to_the_first_objects(k):
    D = distances(GRID)
    padded = np.column_stack([GRID, np.zeros((30, 20))])
    for objects in (
        TrainingObjects(GRID, False),
        TrainingObjects(padded, False),
        TrainingObjects(D, True),
    ):
        assert ((objects.nearest(k).toarray() > 0) == first_nearest(D, k)).all()


def test_ties_up_to_rounding_go_to_the_first_objects():
    D = distances(ring(48))
    for objects in (TrainingObjects(ring(48), False), TrainingObjects(D, True)):
        assert ((objects.nearest(3).toarray() > 0) == first_nearest(D, 3)).all()


def test_ties_of_many_objects_are_found_by_the_tree():
    X = np.concatenate([[[0.0, 0.0]], ring(12), [[40.0, 0.0]]])
    assert (TrainingObjects(X, False).nearest(3).indices[:3] == [1, 2, 3]).all()
    assert (TrainingObjects(X[1:], False).nearest(3, X[:1]).indices == [0, 1, 2]).all()


def test_coincident_objects_have_edges_of_length_zero():
    X = np.repeat([[0.0], [1.0], [3.0]], [6, 1, 1], axis=0)
    near = TrainingObjects(X, False).nearest(2)
    assert near.indices.reshape(-1, 2)[:3].tolist() == [[1, 2], [0, 2], [0, 1]]
    assert near.nnz == 16
    graph = symmetric_graph(near)
    assert graph.nnz > np.count_nonzero(graph.toarray())
    fit = isomap(X, 1, n_neighbors=6)
    assert np.allclose(np.ptp(fit.points[:6]), 0)
    assert np.allclose(np.abs(np.diff(fit.points[5:], axis=0)).ravel(), [1, 2])


@pytest.mark.parametrize("fit", [isomap, laplacian_eigenmaps])
def test_disconnected_graph_error_names_components(fit):
    message = r"n_neighbors = 2 falls into 2 components, of sizes 6, 4; object 0 .* object 6 in"
    with pytest.raises(ValueError, match=message + r".*n_neighbors = 4 is the smallest"):
        fit(TWO_GROUPS, 1, n_neighbors=2)
    assert fit(TWO_GROUPS, 1, n_neighbors=4).graph.shape == (10, 10)
    pairs = np.add.outer(10.0 * np.arange(6), [0, 1]).reshape(-1, 1)
    with pytest.raises(ValueError, match=r"6 components, of sizes 2, 2, 2, 2, 2, \.\.\.; object"):
        fit(pairs, 1, n_neighbors=1)


@settings(max_examples=40, deadline=None)
@given(
    st.integers(0, 10**6),
    st.integers(1, 3),
    st.sampled_from([_neighbor_graph.components, _neighbor_graph.closed_groups]),
)
def test_suggested_number_of_neighbours_is_the_smallest(seed, k, find_groups):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((25, 2)) + 6 * rng.integers(0, 4, (25, 1))
    objects = TrainingObjects(X, False)
    if len(find_groups(objects.nearest(k))) > 1:
        enough = _neighbor_graph._smallest_connecting_k(objects, k, find_groups)
        assert len(find_groups(objects.nearest(enough))) == 1
        assert all(len(find_groups(objects.nearest(j))) > 1 for j in range(k, enough))


def test_lle_rejects_groups_closed_under_neighbours():
    X = np.array([[0.0], [0.1], [0.25], [3.0], [3.1], [3.25], [1.6]])
    assert len(_neighbor_graph.components(TrainingObjects(X, False).nearest(2))) == 1
    with pytest.raises(ValueError, match=r"2 groups closed .* of sizes 3, 3; object 0 .*t 3"):
        locally_linear_embedding(X, 1, n_neighbors=2)
    assert locally_linear_embedding(X, 1, n_neighbors=3).points.shape == (7, 1)


@pytest.mark.parametrize("name", FITS)
def test_invalid_input(name):
    fit, D = FITS[name], distances(LINE)
    for call, message in (
        (lambda: fit(LINE, n_neighbors=5), "n_neighbors = 5 is out of range .* from 1 to 4"),
        (lambda: fit(LINE, n_neighbors=None), "n_neighbors and radius are both missing"),
        (lambda: fit(LINE, radius=1.0), r"n_neighbors = 2 and radius = 1.0: give one of the two"),
        (lambda: fit(LINE, n_neighbors=None, radius=-1), "radius is -1: give a finite number > 0"),
        (lambda: fit(LINE + 1, metric="braycurtis").transform([[-1.0]]), r"X\[0, 0\] = -1 is neg"),
        (lambda: fit(LINE, metric="seuclidean"), r"metric_params=\{'V': ...\}"),
        (lambda: fit(LINE, metric_params=3), "metric_params is 3: give"),
        (lambda: fit(LINE).transform([[1.0, 2.0]]), "2 column"),
        (lambda: fit(D, metric="precomputed").transform([[1.0, 2.0]]), "5 training objects"),
    ):
        with pytest.raises(ValueError, match=message):
            call()


METRICS = [
    ("cityblock", None),
    ("seuclidean", {"V": np.array([1.0, 4.0, 0.25])}),
    (lambda x, y: np.abs(x - y).sum(), None),
]


@pytest.mark.parametrize("name", FITS)
@pytest.mark.parametrize(("metric", "params"), METRICS)
def test_metric_by_name_equals_its_dissimilarities(name, metric, params):
    X, new = sample(40, 3), sample(7, 3, seed=1)
    by_metric = {"metric": metric, **(params or {})}
    options = {"n_neighbors": 6} | ({"regularization": 10.0} if name == "lle" else {})
    fit = FITS[name](X, metric=metric, metric_params=params, **options)
    other = FITS[name](distances(X, **by_metric), metric="precomputed", **options)
    assert np.allclose(fit.points, other.points, rtol=0, atol=1e-12)
    placed = other.transform(distances(new, X, **by_metric))
    assert np.allclose(fit.transform(new), placed, rtol=0, atol=1e-12)
    assert np.allclose(fit.transform(X), fit.points, rtol=0, atol=1e-9)


@pytest.mark.parametrize("metric", ["euclidean", "cityblock", "cosine"])
def test_isomap_by_metric_and_radius_equals_scikit_learn(metric):
    X, new = sample(80, 3), sample(6, 3, seed=1)
    radius = 1.1 * np.sort(distances(X, metric=metric), axis=1)[:, 7].max()
    for ours, theirs in (
        ({"radius": radius}, {"radius": radius, "n_neighbors": None}),
        ({"n_neighbors": 9}, {"n_neighbors": 9}),
    ):
        fit, peer = isomap(X, metric=metric, **ours), Isomap(metric=metric, **theirs).fit(X)
        assert np.allclose(fit.geodesics, peer.dist_matrix_, rtol=1e-12, atol=1e-13)
        assert_same_columns(fit.points, peer.embedding_, rtol=0, atol=1e-7)
        assert_same_columns(fit.transform(new), peer.transform(new), rtol=0, atol=1e-7)


@pytest.mark.parametrize("name", FITS)
@pytest.mark.parametrize("p", [2, 20])
def test_radius_graph_joins_all_objects_within_the_radius(name, p):
    X = np.pad(GRID / 3, ((0, 0), (0, p - 2)))
    fit = FITS[name](X, n_neighbors=None, radius=np.sqrt(2) / 3)
    D = distances(GRID)
    assert np.array_equal(fit.graph.toarray() > 0, (D > 0) & (D < 1.5))
    assert np.allclose(fit.transform(X), fit.points, rtol=0, atol=1e-9)
    assert fit.transform(X[:0]).shape == (0, 1)
    inner = X[[7, 8, 9]] + 0.1 * np.eye(1, p)
    few = FITS[name](X, n_neighbors=None, radius=0.34).transform(inner)
    assert np.isfinite(few).all()
    far = "Row 1 of new has no neighbour .* radius = 0.471405"
    with pytest.raises(ValueError, match=far):
        fit.transform([X[0], X[0] + 9])


def test_lle_by_radius_equals_the_definition():
    X = sample(50, 3)
    fit = locally_linear_embedding(X, radius=1.5)
    D = distances(X)
    for i in range(50):
        near = np.flatnonzero((D[i] < 1.5) & (D[i] > 0))
        Z = X[near] - X[i]
        C = Z @ Z.T
        w = np.linalg.solve(C + 1e-3 * np.trace(C) * np.eye(len(near)), np.ones(len(near)))
        assert np.allclose(fit.weights.toarray()[i, near], w / w.sum(), rtol=1e-9)


@pytest.mark.parametrize("name", FITS)
def test_error_of_disconnected_graph_gives_the_smallest_radius(name):
    X = np.concatenate([sample(20, 2), np.add(sample(15, 2, seed=1), [9.0, 0.0])])
    longest = minimum_spanning_tree(distances(X)).max()
    with pytest.raises(ValueError, match="with radius = 2 falls into") as error:
        FITS[name](X, n_neighbors=None, radius=2)
    radius = float(re.search(r"radius = (\S+) is the smallest", str(error.value))[1])
    assert radius == pytest.approx(longest, rel=1e-9)
    assert FITS[name](X, n_neighbors=None, radius=radius).points.shape == (35, 1)


KNN = kneighbors_graph(sample(30, 3), 5, mode="distance")


def test_dense_neighbour_graphs_are_recognised():
    graph = KNN.maximum(KNN.T).toarray()
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        isomap(graph, metric="precomputed", n_neighbors=20)
    assert any("does not accept neighbour graphs" in str(found.message) for found in caught)


@pytest.mark.parametrize(
    "call",
    [
        lambda: isomap(KNN, metric="precomputed", n_neighbors=5),
        lambda: isomap(distances(LINE), 1, metric="precomputed", n_neighbors=2).transform(KNN),
        lambda: landmark_scaling(KNN, metric="precomputed"),
        lambda: ClassicalScaling().fit(KNN),
    ],
)
def test_sparse_matrices_are_refused_with_advice(call):
    with pytest.raises(ValueError, match=r"is a sparse matrix.*toarray\(\).* scikit-learn"):
        call()


@pytest.mark.parametrize("name", FITS)
def test_two_objects_are_enough(name):
    fit = FITS[name]([[0.0], [3.0]], n_neighbors=1)
    expected = {"isomap": 1.5, "lle": 1.0, "laplacian": np.exp(1) ** 0.5 / 2**0.5}[name]
    assert np.allclose(fit.points.ravel(), [expected, -expected])
    assert fit.spectrum().eigenvalues.shape == (2,)
    assert fit.gram.shape == (2, 2)
