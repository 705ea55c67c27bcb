"""Manifold methods: against scikit-learn, closed forms and brute force; graphs that fall apart."""

import sys
import warnings
from functools import partial

import cvxpy
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import linalg
from sklearn.manifold import Isomap, LocallyLinearEmbedding
from sklearn.manifold._locally_linear import barycenter_weights
from sklearn.neighbors import kneighbors_graph

from kmds_lib import _graph_embedding, _lle, _neighbor_graph
from kmds_lib._additive_constant import additive_constant
from kmds_lib._classical_scaling import classical_scaling
from kmds_lib._embedding import FewerComponentsWarning
from kmds_lib._fast import nearest_neighbors
from kmds_lib._fast.nearest_neighbors import Objects
from kmds_lib._gram import distances, distances_from_gram, gram_from_distances
from kmds_lib._isomap import isomap
from kmds_lib._laplacian_eigenmaps import laplacian_eigenmaps
from kmds_lib._linalg import canonical_signs
from kmds_lib._lle import locally_linear_embedding
from kmds_lib._mvu import maximum_variance_unfolding
from kmds_lib._neighbor_graph import symmetric_graph
from kmds_lib.datasets import load_eurodist, swiss_roll
from tests.lib.conftest import assert_same_columns, refusals, ring, sample

ROLL = swiss_roll(400, seed=1)[0]

LINE = np.arange(5.0)[:, None]
TWO = np.concatenate([np.arange(6.0), 20 + np.arange(4.0)])[:, None]
GRID = np.stack(np.meshgrid(np.arange(6.0), np.arange(5.0)), -1).reshape(-1, 2)


def same_up_to_signs(ours, theirs, tolerance):
    assert_same_columns(ours, theirs, rtol=0, atol=tolerance * np.abs(theirs).max())


def by_hand(D, k):
    """Nearest neighbours of each object, ties in the order of the data."""
    found = np.zeros((len(D), len(D)), dtype=bool)
    for i, row in enumerate(D):
        others = [j for j in range(len(D)) if j != i]
        others.sort(key=lambda j: (round(row[j], 8), j))
        found[i, others[:k]] = True
    return found


# Neighbours


@pytest.mark.parametrize("p", [3, 20])
@pytest.mark.parametrize("chunk", [2**22, 100])
def test_neighbours_equal_scikit_learn(p, chunk, monkeypatch):
    monkeypatch.setattr(nearest_neighbors, "BLOCK_ENTRIES", chunk)
    X, new = sample(p=p), sample(11, p, seed=1)
    D, D_new = distances(X), distances(new, X)
    for objects, other in ((Objects(X, False), new), (Objects(D, True), D_new)):
        near = objects.nearest(4)
        assert near.has_sorted_indices
        assert np.allclose(near.toarray(), kneighbors_graph(X, 4, mode="distance").toarray())
        first = np.argsort(D_new, axis=1)[:, :4]
        found = objects.nearest(4, other)
        assert (np.sort(first) == found.indices.reshape(11, 4)).all()
        assert np.allclose(
            found.data, D_new[np.arange(11)[:, None], np.sort(first, axis=1)].ravel()
        )


@pytest.mark.parametrize("k", [1, 2, 3, 5, 8, 28, 29])
def test_ties_go_to_the_first_objects(k):
    D = distances(GRID)
    padded = np.column_stack([GRID, np.zeros((30, 20))])
    for objects in (Objects(GRID, False), Objects(padded, False), Objects(D, True)):
        assert ((objects.nearest(k).toarray() > 0) == by_hand(D, k)).all()


def test_ties_that_rounding_hides_go_to_the_first_objects():
    X = ring(48)
    for objects in (Objects(X, False), Objects(distances(X), True)):
        assert ((objects.nearest(3).toarray() > 0) == by_hand(distances(X), 3)).all()


def test_a_tie_beyond_the_lookahead_of_the_tree_is_resolved():
    X = np.concatenate([[[0.0, 0.0]], ring(12), [[40.0, 0.0]]])
    assert (Objects(X, False).nearest(3).indices[:3] == [1, 2, 3]).all()
    assert (Objects(X[1:], False).nearest(3, X[:1]).indices == [0, 1, 2]).all()


def test_objects_that_coincide_are_joined_by_edges_of_length_zero():
    X = np.repeat([[0.0], [1.0], [3.0]], [6, 1, 1], axis=0)
    near = Objects(X, False).nearest(2)
    assert near.indices.reshape(-1, 2)[:3].tolist() == [[1, 2], [0, 2], [0, 1]]
    assert near.nnz == 16
    graph = symmetric_graph(near)
    assert graph.nnz > np.count_nonzero(graph.toarray())
    fit = isomap(X, 1, n_neighbors=6)
    assert np.allclose(np.ptp(fit.points[:6]), 0)
    assert np.allclose(np.abs(np.diff(fit.points[5:], axis=0)).ravel(), [1, 2])


def test_the_graph_is_exactly_symmetric():
    for p in (3, 20):
        graph = symmetric_graph(Objects(sample(200, p), False).nearest(5))
        assert (graph.toarray() == graph.toarray().T).all()
        peer = kneighbors_graph(sample(200, p), 5, mode="distance").toarray()
        assert np.allclose(graph.toarray(), np.maximum(peer, peer.T))


def test_components_are_named_with_the_neighbourhood_that_joins_them():
    message = r"n_neighbors = 2 falls into 2 components, of sizes 6, 4; object 0 .* object 6 in"
    for call in (isomap, laplacian_eigenmaps):
        with pytest.raises(ValueError, match=message + r".*n_neighbors = 4 is the smallest"):
            call(TWO, 1, n_neighbors=2)
        assert call(TWO, 1, n_neighbors=4).graph.shape == (10, 10)
    pairs = np.add.outer(10.0 * np.arange(6), [0, 1]).reshape(-1, 1)
    with pytest.raises(ValueError, match=r"6 components, of sizes 2, 2, 2, 2, 2, \.\.\.; object"):
        isomap(pairs, 1, n_neighbors=1)


@settings(max_examples=40, deadline=None)
@given(
    st.integers(0, 10**6),
    st.integers(1, 3),
    st.sampled_from([_neighbor_graph.components, _neighbor_graph.closed_groups]),
)
def test_the_neighbourhood_named_is_the_smallest(seed, k, groups):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((25, 2)) + 6 * rng.integers(0, 4, (25, 1))
    objects = Objects(X, False)
    if len(groups(objects.nearest(k))) > 1:
        count = _neighbor_graph._joining_count(objects, k, groups)
        assert len(groups(objects.nearest(count))) == 1
        assert all(len(groups(objects.nearest(j))) > 1 for j in range(k, count))


def test_groups_closed_under_taking_neighbours_are_refused():
    tight = np.array([[0.0], [0.1], [0.25], [3.0], [3.1], [3.25], [1.6]])
    assert len(_neighbor_graph.components(Objects(tight, False).nearest(2))) == 1
    with pytest.raises(ValueError, match=r"2 groups closed .* of sizes 3, 3; object 0 .*t 3"):
        locally_linear_embedding(tight, 1, n_neighbors=2)
    assert locally_linear_embedding(tight, 1, n_neighbors=3).points.shape == (7, 1)


# Isomap


@pytest.mark.parametrize("n", [90, 400])
def test_isomap_equals_scikit_learn(n):
    X, new = swiss_roll(n, seed=2)[0] / (1 if n == 400 else 3), swiss_roll(9, seed=3)[0]
    new = new / (1 if n == 400 else 3)
    fit = isomap(X, 3, n_neighbors=8)
    peer = Isomap(n_components=3, n_neighbors=8).fit(X)
    same_up_to_signs(fit.points, peer.embedding_, 1e-8)
    same_up_to_signs(fit.transform(new), peer.transform(new), 1e-8)
    assert np.allclose(fit.geodesics, peer.dist_matrix_, rtol=1e-12)
    assert fit.residual < 1e-10


def test_isomap_is_classical_scaling_of_the_geodesic_distances():
    fit = isomap(ROLL, 3, n_neighbors=7)
    scaled = classical_scaling(fit.geodesics, 3)
    assert np.allclose(fit.points, scaled.points, rtol=0, atol=1e-8)
    assert np.allclose(fit.gram, gram_from_distances(fit.geodesics), atol=1e-9 * fit.gram.max())
    assert np.allclose(fit.spectrum().eigenvalues, scaled.spectrum().eigenvalues)
    assert fit.negative_mass == pytest.approx(scaled.negative_mass)
    assert fit.negative_mass > 0.01
    assert fit.explained == pytest.approx(scaled.explained)
    assert np.allclose(fit.transform(ROLL), fit.points, rtol=0, atol=1e-8)


def test_landmarks_place_the_others_by_gower():
    X = sample(80)
    chosen = [3, 70, 11, 42, 5, 29]
    fit = isomap(X, 3, n_neighbors=79, landmarks=chosen)
    assert (fit.landmarks == chosen).all()
    assert fit.geodesics.shape == (6, 80)
    assert np.allclose(distances(fit.points), distances(X), atol=1e-9)
    few = isomap(X[chosen], 3, n_neighbors=5)
    assert np.allclose(fit.points[chosen], few.points, rtol=0, atol=1e-10)
    assert np.allclose(fit.gram, few.gram)
    assert np.allclose(fit.spectrum().eigenvalues, few.spectrum().eigenvalues, atol=1e-10)
    assert np.allclose(fit.transform(X), fit.points, rtol=0, atol=1e-9)
    assert fit.points.shape == (80, 3)


@pytest.mark.parametrize("step", [0.1, 0.3, 0.7, 1 / 3])
def test_of_landmarks_tied_for_the_farthest_the_first_is_taken(step):
    grid = np.indices((5, 6)).reshape(2, -1).T
    exact = isomap(grid, 2, n_neighbors=4, landmarks=8).landmarks
    assert np.array_equal(isomap(step * grid, 2, n_neighbors=4, landmarks=8).landmarks, exact)


@pytest.mark.parametrize("landmarks", [30, np.arange(30)[::-1]])
def test_all_objects_as_landmarks_are_all_objects(landmarks):
    X = sample(30, 3)
    full = isomap(X, 2, n_neighbors=5)
    fit = isomap(X, 2, n_neighbors=5, landmarks=landmarks)
    assert np.array_equal(fit.points, full.points)
    assert np.array_equal(fit.geodesics, full.geodesics[fit.landmarks])
    assert np.array_equal(fit.gram, full.gram[np.ix_(fit.landmarks, fit.landmarks)])


def test_each_landmark_is_the_farthest_from_those_before():
    fit, G = isomap(ROLL, n_neighbors=7, landmarks=12), isomap(ROLL, n_neighbors=7).geodesics
    first = [int(np.argmax(G[0]))]
    for _ in range(11):
        first.append(int(np.argmax(G[first].min(axis=0))))
    assert fit.landmarks.tolist() == first
    assert np.allclose(fit.geodesics, G[first])


@pytest.mark.parametrize("landmarks", [None, 30])
def test_isomap_takes_dissimilarities(landmarks):
    X, new = ROLL[:120] / 2, ROLL[120:130] / 2
    fit = isomap(X, n_neighbors=8, landmarks=landmarks)
    other = isomap(distances(X), n_neighbors=8, landmarks=landmarks, metric="precomputed")
    assert np.allclose(fit.points, other.points, rtol=0, atol=1e-9)
    placed = other.transform(distances(new, X))
    assert np.allclose(fit.transform(new), placed, rtol=0, atol=1e-9)


# Locally linear embedding


@pytest.mark.parametrize("n", [100, 400])
def test_lle_equals_scikit_learn(n):
    X, new = ROLL[:n], swiss_roll(9, seed=3)[0]
    fit = locally_linear_embedding(X, 3, n_neighbors=12)
    peer = LocallyLinearEmbedding(n_components=3, n_neighbors=12, eigen_solver="dense").fit(X)
    same_up_to_signs(fit.points, np.sqrt(n) * peer.embedding_, 1e-6)
    assert fit.costs.sum() == pytest.approx(peer.reconstruction_error_, rel=1e-6)
    signs = np.sign(np.einsum("ir,ir->r", fit.points, peer.embedding_))
    expected = np.sqrt(n) * signs * peer.transform(new)
    assert np.allclose(fit.transform(new), expected, rtol=0, atol=1e-5)
    assert (fit.transform(X) == fit.points).all()
    assert fit.solver == ("krylov" if n > 300 else "dense")
    assert fit.residual < 1e-10


def test_lle_weights():
    X = sample(50, 3)
    fit = locally_linear_embedding(X, n_neighbors=6, regularization=0.01)
    index = fit.weights.indices.reshape(50, 6)
    expected = barycenter_weights(X, X, index, reg=0.01)
    assert np.allclose(fit.weights.data.reshape(50, 6), expected, rtol=1e-9)
    assert np.allclose(fit.weights.sum(axis=1), 1, atol=1e-12)
    turn = linalg.qr(sample(3, 3, seed=5))[0]
    moved = locally_linear_embedding(5 * X @ turn + 100, n_neighbors=6, regularization=0.01)
    assert np.allclose(moved.weights.toarray(), fit.weights.toarray(), atol=1e-9)
    assert np.allclose(moved.points, fit.points, rtol=0, atol=1e-7)
    D = locally_linear_embedding(
        distances(X), n_neighbors=6, regularization=0.01, metric="precomputed"
    )
    assert np.allclose(D.weights.toarray(), fit.weights.toarray(), atol=1e-9)
    new = sample(7, seed=6)
    assert np.allclose(D.transform(distances(new, X)), fit.transform(new), atol=1e-7)
    assert (D.transform(distances(X)) == D.points).all()


@pytest.mark.parametrize("n", [60, 400])
def test_lle_minimises_under_its_constraints(n):
    X = ROLL[:n]
    fit = locally_linear_embedding(X, 3, n_neighbors=14)
    W, E, Y = fit.weights.toarray(), fit.cost_matrix.toarray(), fit.points
    rest = np.eye(n) - W
    assert np.allclose(E, rest.T @ rest, atol=1e-12)
    assert np.abs(E.sum(axis=1)).max() < 1e-12
    values = linalg.eigvalsh(E)
    assert np.allclose(fit.costs, values[1:4], rtol=1e-5)
    assert np.all(np.diff(fit.costs) > 0)
    assert np.allclose(Y.T @ Y, n * np.eye(3), atol=1e-8 * n)
    assert np.abs(Y.mean(axis=0)).max() < 1e-8
    assert np.square(Y - W @ Y).sum() / n == pytest.approx(fit.costs.sum(), rel=1e-6)
    assert (canonical_signs(Y) == Y).all()


def test_lle_gram_is_the_pseudo_inverse():
    fit = locally_linear_embedding(sample(50, 4), 3, n_neighbors=5)
    E, K = fit.cost_matrix.toarray(), fit.gram
    assert np.allclose(K, linalg.pinvh(E, rtol=1e-10), atol=1e-8 * K.max())
    assert (K == K.T).all()
    assert np.abs(K.sum(axis=0)).max() < 1e-9 * K.max()
    values = linalg.eigvalsh(K)
    assert np.allclose(fit.eigenvalues, values[:-4:-1], rtol=1e-8)
    assert np.allclose(fit.spectrum().eigenvalues, np.append(values[:0:-1], 0), rtol=1e-6)
    assert fit.negative_mass == 0
    assert fit.explained == pytest.approx(values[-3:].sum() / values.sum(), rel=1e-7)
    scaled = classical_scaling(distances_from_gram(K), 3).points
    same_up_to_signs(fit.points * np.sqrt(fit.eigenvalues / 50), scaled, 1e-6)


def test_without_regularization_the_weights_must_be_determined():
    X = sample(40, 5)
    fit = locally_linear_embedding(X, n_neighbors=5, regularization=0)
    i, near = 7, fit.weights.indices.reshape(40, 5)[7]
    gaps = X[near] - X[i]
    w = np.linalg.solve(gaps @ gaps.T, np.ones(5))
    assert np.allclose(fit.weights.data.reshape(40, 5)[7], w / w.sum(), rtol=1e-9)
    with pytest.raises(ValueError, match=r"object 0 is singular \(40 such objects\).*larger"):
        locally_linear_embedding(X, n_neighbors=6, regularization=0)


@pytest.mark.parametrize("regularization", [0.0, 1e-20, 1e-13])
def test_a_regularization_lost_in_rounding_is_none(regularization):
    with pytest.raises(ValueError, match="Give a larger regularization"):
        locally_linear_embedding(
            np.arange(20.0)[:, None], 1, n_neighbors=5, regularization=regularization
        )


EURODIST = load_eurodist().distances


@pytest.mark.parametrize(("k", "first", "count"), [(3, 0, 14), (7, 0, 21)])
def test_lle_refuses_a_saddle(k, first, count):
    """Where no points have the distances to the neighbours, no weights give the least error."""
    near = Objects(EURODIST, True).nearest(k)
    index = near.indices.reshape(21, k)[first]
    B = gram_from_distances(EURODIST)
    seen = np.eye(21)[index] - np.eye(21)[first]
    C = seen @ B @ seen.T
    assert linalg.eigvalsh(C + 1e-3 * np.trace(C) * np.eye(k))[0] < -0.01 * linalg.norm(C)
    message = rf"object {first} and its neighbours are not Euclidean \({count} such objects\)"
    with pytest.raises(ValueError, match=message + ".* regularization"):
        locally_linear_embedding(EURODIST, n_neighbors=k, metric="precomputed")
    constant = additive_constant(EURODIST) * (1 - np.eye(21))
    fit = locally_linear_embedding(EURODIST + constant, n_neighbors=k, metric="precomputed")
    assert np.abs(fit.weights.data).max() < 5


@pytest.mark.parametrize("regularization", [0.0, 1e-3, 1.2, 1.25])
def test_lle_refuses_what_regularization_makes_singular(regularization):
    D = [[0, 1, 1, 2], [1, 0, 3, 1], [1, 3, 0, 1], [2, 1, 1, 0]]
    options = {"n_neighbors": 2, "metric": "precomputed"}
    with pytest.raises(ValueError, match=r"object 0 and its neighbours are not Euclidean"):
        locally_linear_embedding(D, 1, regularization=regularization, **options)
    fit = locally_linear_embedding(D, 1, regularization=1.3, **options)
    assert np.allclose(fit.weights.toarray()[0], [0, 0.5, 0.5, 0])


def test_lle_places_no_new_object_by_a_saddle():
    X = sample(30, 2)
    fit = locally_linear_embedding(distances(X), n_neighbors=4, metric="precomputed")
    new = distances(sample(3, 2, seed=1), X)
    new[1, np.argsort(new[1])[:2]] /= 100
    with pytest.raises(ValueError, match=r"row 1 of new and its neighbours are not Euclid"):
        fit.transform(new)


def test_lle_takes_distances_that_were_rounded():
    """Four digits make the local Gram matrices indefinite by less than is added to them."""
    D = distances(ROLL[:100] / 10)
    options = {"n_neighbors": 8, "metric": "precomputed"}
    fit = locally_linear_embedding(D.round(4), **options)
    exact = locally_linear_embedding(D, **options)
    assert np.allclose(fit.weights.toarray(), exact.weights.toarray(), atol=0.2)
    with pytest.raises(ValueError, match="not Euclidean"):
        locally_linear_embedding(D.round(4), regularization=0, **options)


def test_neighbours_that_coincide_with_an_object_share_its_weights():
    X = np.concatenate([np.zeros((3, 2)), sample(20, 2)])
    fit = locally_linear_embedding(X, n_neighbors=4)
    assert np.isfinite(fit.points).all()
    alone = _lle._local_weights(Objects(X, False), Objects(X, False).nearest(2), 1e-3)
    assert np.allclose(alone.data[:6], 0.5)


# Laplacian eigenmaps


@pytest.mark.parametrize("n", [70, 400])
@pytest.mark.parametrize("weights", ["heat", "binary"])
@pytest.mark.parametrize("normalized", [True, False])
def test_laplacian_minimises_under_its_constraints(n, weights, normalized):
    fit = laplacian_eigenmaps(ROLL[:n], 3, n_neighbors=9, weights=weights, normalized=normalized)
    W, L, Y = fit.weights.toarray(), fit.cost_matrix.toarray(), fit.points
    D = np.diag(W.sum(axis=1)) if normalized else np.eye(n)
    assert np.allclose(L, np.diag(W.sum(axis=1)) - W)
    assert np.allclose(fit.degrees, W.sum(axis=1))
    values, V = linalg.eigh(L, D)
    assert np.allclose(fit.costs, values[1:4], rtol=1e-8)
    same_up_to_signs(Y, V[:, 1:4], 1e-6)
    assert np.allclose(Y.T @ D @ Y, np.eye(3), atol=1e-9)
    assert np.abs(Y.T @ D @ np.ones(n)).max() < 1e-9
    assert (canonical_signs(Y) == Y).all()
    for y, cost in zip(Y.T, fit.costs, strict=True):
        pairs = (W * np.square(y[:, None] - y)).sum()
        assert pairs == pytest.approx(2 * y @ L @ y, rel=1e-9)
        assert pairs / 2 == pytest.approx(cost, rel=1e-8)
    assert fit.residual < 1e-10
    inverse = np.append(1 / values[:0:-1], 0)[np.r_[n - 2 : -1 : -1, n - 1]]
    assert np.allclose(fit.spectrum().eigenvalues, inverse, rtol=1e-7, atol=1e-9)
    assert fit.solver == ("krylov" if n > 300 else "dense")


def test_heat_weights():
    X = sample(40)
    fit = laplacian_eigenmaps(X, n_neighbors=5)
    graph = fit.graph.tocoo()
    assert fit.t == pytest.approx(np.square(graph.data).mean())
    assert np.allclose(fit.weights.tocoo().data, np.exp(-np.square(graph.data) / fit.t))
    other = laplacian_eigenmaps(10 * X, n_neighbors=5)
    assert np.allclose(other.weights.toarray(), fit.weights.toarray())
    assert laplacian_eigenmaps(X, n_neighbors=5, t=2.5).t == 2.5
    warm = laplacian_eigenmaps(X, n_neighbors=5, t=1e12)
    binary = laplacian_eigenmaps(X, n_neighbors=5, weights="binary")
    assert binary.t is None
    assert np.allclose(warm.weights.toarray(), binary.weights.toarray())
    assert set(binary.weights.data) == {1.0}


@pytest.mark.parametrize("normalized", [True, False])
def test_the_commute_time_kernel(normalized):
    fit = laplacian_eigenmaps(LINE, 2, n_neighbors=1, weights="binary", normalized=normalized)
    L, K = fit.cost_matrix.toarray(), fit.gram
    assert np.allclose(K, linalg.pinvh(L), atol=1e-12)
    squares = np.square(distances_from_gram(K))
    # Resistance between two nodes of a path: the number of edges between them.
    assert np.allclose(squares, np.abs(LINE - LINE.T), atol=1e-10)
    masses = fit.degrees if normalized else np.ones(5)
    centring = np.eye(5) - np.outer(np.ones(5), masses) / masses.sum()
    weighted = np.sqrt(masses)[:, None] * (centring @ K @ centring.T) * np.sqrt(masses)
    values, V = linalg.eigh(weighted)
    assert np.allclose(fit.spectrum().eigenvalues, values[::-1], atol=1e-10)
    assert np.allclose(fit.eigenvalues, values[:-3:-1])
    assert np.allclose(np.abs(fit.points), np.abs(V[:, :-3:-1]) / np.sqrt(masses)[:, None])


@pytest.mark.parametrize("normalized", [True, False])
@pytest.mark.parametrize("weights", ["heat", "binary"])
def test_a_training_object_without_itself_is_placed_where_it_is(normalized, weights):
    angles = 2 * np.pi * (np.arange(50) + 0.1 * np.random.default_rng(0).random(50)) / 50
    D = distances(np.column_stack([np.cos(angles), np.sin(angles)]))
    fit = laplacian_eigenmaps(
        D,
        3,
        n_neighbors=2,
        weights=weights,
        normalized=normalized,
        metric="precomputed",
    )
    others = D + 10 * np.eye(50)
    assert np.allclose(fit.transform(others), fit.points, rtol=0, atol=1e-9)
    assert (fit.transform(D) == fit.points).all()


@pytest.mark.parametrize("normalized", [True, False])
def test_new_objects_are_placed_by_the_equation_of_the_fit(normalized):
    X, new = sample(40), (2.5 if normalized else 0.7) * sample(12, seed=1)
    fit = laplacian_eigenmaps(X, 2, n_neighbors=6, normalized=normalized, t=1.5)
    D = distances(new, X)
    for y, row in zip(fit.transform(new), D, strict=True):
        near = np.argsort(row)[:6]
        w = np.exp(-np.square(row[near]) / 1.5)
        divisor = w.sum() * (1 - fit.costs) if normalized else w.sum() - fit.costs
        assert np.allclose(y, w @ fit.points[near] / divisor, rtol=1e-9)
    least = np.exp(-np.square(np.sort(D)[:, :6]) / 1.5).sum(axis=1).min()
    assert least < (0.1 if normalized else 4)


@pytest.mark.parametrize("n", [4, 8])
def test_a_cost_of_one_places_training_objects_alone(n):
    fit = laplacian_eigenmaps(ring(n), n // 2, n_neighbors=2)
    assert np.abs(fit.costs - 1).min() < 1e-12
    assert np.array_equal(fit.transform(ring(n)), fit.points)
    with pytest.raises(ValueError, match=r"Coordinate \d has the cost 1"):
        fit.transform([*ring(n), [0.9, 0.1]])


def test_a_degree_that_is_the_cost_to_rounding_is_refused():
    fit = laplacian_eigenmaps(ring(4), 2, n_neighbors=2, weights="binary", normalized=False)
    assert np.allclose(fit.costs, 2)
    with pytest.raises(ValueError, match="Row 0 of new is too far"):
        fit.transform([[0.9, 0.1]])


@pytest.mark.parametrize("normalized", [True, False])
def test_training_objects_of_small_degree_come_back(normalized):
    star = [[0.0, 0.0], [1.0, 0.1], [-1.0, 0.2], [0.1, 1.0], [0.2, -1.0]]
    fit = laplacian_eigenmaps(star, 4, n_neighbors=1, normalized=normalized, weights="binary")
    assert fit.degrees.min() < fit.costs.max()
    assert np.array_equal(fit.transform(star), fit.points)


def test_too_far_for_heat_weights():
    X = sample(30)
    fit = laplacian_eigenmaps(X, n_neighbors=5)
    with pytest.raises(ValueError, match="Row 1 of new is too far from the training data"):
        fit.transform([X[0], [1e3, 0, 0]])
    rough = laplacian_eigenmaps(X, n_neighbors=5, normalized=False)
    with pytest.raises(ValueError, match="Row 0 of new is too far"):
        rough.transform([[9.0, 0, 0]])


# Both costs


@pytest.mark.parametrize("full_from", [0.0, 2.0])
def test_full_and_sparse_routes_agree(full_from, monkeypatch):
    monkeypatch.setattr(_graph_embedding, "FULL_FROM", full_from)
    values = linalg.eigvalsh(locally_linear_embedding(ROLL, n_neighbors=9).cost_matrix.toarray())
    fit = locally_linear_embedding(ROLL, n_neighbors=9)
    assert np.allclose(fit.costs, values[1:3], rtol=1e-6)
    fit = laplacian_eigenmaps(ROLL, n_neighbors=9)
    values = linalg.eigh(fit.cost_matrix.toarray(), np.diag(fit.degrees), eigvals_only=True)
    assert np.allclose(fit.costs, values[1:3], rtol=1e-8)


def test_weights_too_small_to_join_are_refused():
    X = np.concatenate([sample(40), 8 + sample(40, seed=1)])
    with pytest.raises(ValueError, match=r"More than one eigenvalue .* zero to rounding"):
        laplacian_eigenmaps(X, n_neighbors=40, t=0.5)
    large = np.concatenate([sample(800), 8 + sample(6, seed=1)])
    with pytest.raises(ValueError, match=r"More than one eigenvalue .* zero to rounding"):
        laplacian_eigenmaps(large, n_neighbors=6, t=1.0)
    with pytest.raises(ValueError, match=r"weights of object 4 are all zero.*larger t than 0.001"):
        laplacian_eigenmaps([[0.0], [0.01], [0.02], [0.03], [5.0]], 1, n_neighbors=3, t=0.001)


def test_all_components_can_be_had():
    X = sample(12)
    for fit in (
        locally_linear_embedding(X, 11, n_neighbors=4),
        laplacian_eigenmaps(X, 11, n_neighbors=4),
    ):
        assert fit.points.shape == (12, 11)
        assert fit.explained == pytest.approx(1)


@pytest.mark.parametrize(
    ("method", "t"),
    [
        (locally_linear_embedding, None),
        (laplacian_eigenmaps, 1.0),
        (partial(laplacian_eigenmaps, weights="binary", normalized=False), None),
    ],
)
@pytest.mark.parametrize("metric", ["euclidean", "precomputed"])
@pytest.mark.parametrize("n", [5, 400])
def test_objects_that_all_coincide_have_no_cost_and_no_axis(method, t, metric, n):
    X = np.ones((n, 2)) if metric == "euclidean" else np.zeros((n, n))
    with pytest.warns(FewerComponentsWarning, match=r"2 components .* no positive .* coincide"):
        fit = method(X, n_neighbors=4, metric=metric)
    assert fit.points.shape == (n, 0)
    assert fit.costs.shape == (0,)
    assert fit.transform(X[:3]).shape == (3, 0)
    assert fit.t == t


def test_two_places_have_an_axis():
    X = np.repeat([[0.0], [1.0]], 3, axis=0)
    assert laplacian_eigenmaps(X, 1, n_neighbors=3).points.shape == (6, 1)
    assert locally_linear_embedding(X, 1, n_neighbors=3).points.shape == (6, 1)


# Maximum variance unfolding


def bent_path():
    """Return nine points on a bent wire, each nearest to the next, and their places along it."""
    along = np.cumsum([0, 1.6, 1.5, 1.4, 1.3, 1.2, 1.1, 1.0, 0.9])
    angle = np.cumsum([0, 0.5, 0.6, 0.4, 0.5, 0.6, 0.4, 0.5, 0.0])[:-1]
    steps = np.diff(along)[:, None] * np.column_stack([np.cos(angle), np.sin(angle)])
    return np.concatenate([np.zeros((1, 2)), np.cumsum(steps, axis=0)]), along


def test_unfolding_pulls_a_path_straight():
    X, along = bent_path()
    fit = maximum_variance_unfolding(X, 1, n_neighbors=1, constraints="edges", tolerance=1e-6)
    expected = np.outer(along - along.mean(), along - along.mean())
    assert np.allclose(fit.gram, expected, atol=1e-3 * expected.max())
    assert np.allclose(np.ptp(fit.points), 10, rtol=1e-3)
    assert fit.violation < 1e-3
    assert fit.explained > 0.999
    assert np.abs(fit.gram.sum(axis=0)).max() < 1e-10 * expected.max()
    assert np.allclose(fit.spectrum().eigenvalues, linalg.eigvalsh(fit.gram)[::-1], atol=1e-9)


def test_unfolding_solves_the_programme_of_the_paper():
    X = sample(14, 3)
    fit = maximum_variance_unfolding(X, n_neighbors=3, tolerance=1e-6)
    near = fit.graph.toarray() > 0
    i, j = np.nonzero(np.triu(near | (near.astype(int) @ near > 0), 1))
    kept = np.square(X[i] - X[j]).sum(axis=1)
    K = cvxpy.Variable((14, 14), PSD=True)
    equal = [K[a, a] + K[b, b] - 2 * K[a, b] == d2 for a, b, d2 in zip(i, j, kept, strict=True)]
    problem = cvxpy.Problem(cvxpy.Maximize(cvxpy.trace(K)), [*equal, cvxpy.sum(K) == 0])
    problem.solve(solver="CLARABEL")
    assert np.trace(fit.gram) == pytest.approx(problem.value, rel=1e-3)
    errors = np.abs(np.square(distances_from_gram(fit.gram + 1e-6 * np.eye(14)))[i, j] - kept)
    assert errors.max() < 1e-2
    assert fit.violation == pytest.approx(errors.max() / kept.mean(), abs=1e-5)
    other = maximum_variance_unfolding(
        distances(100 * X), n_neighbors=3, tolerance=1e-6, metric="precomputed"
    )
    assert np.allclose(other.points, 100 * fit.points, rtol=0, atol=0.1)
    assert other.violation == pytest.approx(fit.violation, rel=0.1)


def test_unfolding_says_how_it_was_solved():
    fit = maximum_variance_unfolding(LINE, 1, n_neighbors=1)
    assert fit.solver == "SCS, then dense"
    with pytest.raises(NotImplementedError, match="no formula for new objects"):
        fit.transform(LINE)
    two = maximum_variance_unfolding([[0.0], [3.0]], 1, n_neighbors=1)
    assert np.allclose(np.abs(two.points), 1.5, atol=1e-2)


@pytest.mark.parametrize("n", [2, 6, 20])
def test_unfolding_finds_no_axis_where_all_objects_coincide(n):
    for constraints in ("edges", "two_steps"):
        with pytest.warns(FewerComponentsWarning, match="no positive eigenvalue"):
            fit = maximum_variance_unfolding(
                np.ones((n, 2)), 1, n_neighbors=min(3, n - 1), constraints=constraints
            )
        assert fit.points.shape == (n, 0)
        assert (fit.explained, fit.negative_mass) == (1, 0)


def test_unfolding_leaves_the_filters_of_warnings_alone(monkeypatch):
    """They are one for all threads."""
    D = np.array([[0, 1, 3], [1, 0, 1], [3, 1, 0.0]])
    changed = []
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        monkeypatch.setattr(warnings, "simplefilter", lambda *given: changed.append(given))
        maximum_variance_unfolding(LINE, 1, n_neighbors=1)
        with pytest.raises(ValueError, match="No points have the distances to be kept"):
            maximum_variance_unfolding(D, 1, n_neighbors=2, metric="precomputed")
        with pytest.raises(ValueError, match=r"status .* take a larger tolerance than 1e-30"):
            maximum_variance_unfolding(LINE, 1, n_neighbors=2, tolerance=1e-30)
    assert (changed, said) == ([], [])


def test_unfolding_needs_cvxpy(monkeypatch):
    monkeypatch.setitem(sys.modules, "cvxpy", None)
    with pytest.raises(ImportError, match=r'needs cvxpy, .* pip install "kmds_lib\[unfolding\]"'):
        maximum_variance_unfolding(LINE, 1, n_neighbors=1)


# Input


FITS = {
    "isomap": lambda X, **options: isomap(X, 1, **{"n_neighbors": 2, **options}),
    "lle": lambda X, **options: locally_linear_embedding(X, 1, **{"n_neighbors": 2, **options}),
    "laplacian": lambda X, **options: laplacian_eigenmaps(X, 1, **{"n_neighbors": 2, **options}),
}


@pytest.mark.parametrize("name", FITS)
def test_bad_input(name):
    fit = FITS[name]
    for options, message in (
        ({"n_neighbors": 5}, "n_neighbors = 5 is out of range .* from 1 to 4"),
        ({"metric": "cosine"}, "metric = 'cosine' is unknown"),
        ({"metric": "precomputed"}, "square matrix"),
    ):
        with pytest.raises(ValueError, match=message):
            fit(LINE, **options)
    with pytest.raises(ValueError, match="not symmetric"):
        fit(np.triu(distances(LINE)), metric="precomputed")
    with pytest.raises(ValueError, match="at least 2"):
        fit([[1.0]])
    with pytest.raises(ValueError, match="2 column"):
        fit(LINE).transform([[1.0, 2.0]])
    with pytest.raises(ValueError, match="5 training objects"):
        fit(distances(LINE), metric="precomputed").transform([[1.0, 2.0]])
    with pytest.raises(ValueError, match="is negative"):
        fit(distances(LINE), metric="precomputed").transform([[1.0, 2.0, 3.0, 4.0, -1.0]])


@pytest.mark.parametrize("name", FITS)
def test_two_objects_are_enough(name):
    fit = FITS[name]([[0.0], [3.0]], n_neighbors=1)
    expected = {"isomap": 1.5, "lle": 1.0, "laplacian": np.exp(1) ** 0.5 / 2**0.5}[name]
    assert np.allclose(fit.points.ravel(), [expected, -expected])
    assert fit.spectrum().eigenvalues.shape == (2,)
    assert fit.gram.shape == (2, 2)


test_bad_parameters = refusals(
    (lambda: isomap(LINE, 2, n_neighbors=2, landmarks=2), "needs at least 3 landmarks"),
    (lambda: isomap(LINE, 1, n_neighbors=2, landmarks=6), "landmarks = 6 is out of range"),
    (lambda: isomap(LINE, 1, n_neighbors=2, landmarks=[0, 5]), "holds 5: rows .* 0 to 4"),
    (lambda: maximum_variance_unfolding(TWO, 1, n_neighbors=2), "2 components"),
    (
        lambda: maximum_variance_unfolding(LINE, 1, n_neighbors=2, constraints="all"),
        "constraints = 'all' is unknown",
    ),
    (lambda: maximum_variance_unfolding(LINE, 1, n_neighbors=2, tolerance=0), "tolerance is 0"),
    (lambda: laplacian_eigenmaps(LINE, 1, n_neighbors=1, weights="x"), "weights = 'x'"),
    (lambda: laplacian_eigenmaps(LINE, 1, n_neighbors=1, t=0), "t is 0"),
    (lambda: laplacian_eigenmaps(LINE, 1, n_neighbors=1, normalized=0), "normalized is 0"),
    (
        lambda: laplacian_eigenmaps(LINE, 1, n_neighbors=1, t=1.0, weights="binary"),
        "binary weights have none",
    ),
    (
        lambda: locally_linear_embedding(LINE, 1, n_neighbors=2, regularization=-1),
        "regularization is -1",
    ),
)


@pytest.mark.parametrize("name", FITS)
@pytest.mark.parametrize("scale", [1e-50, 1e50])
def test_units_do_not_matter(name, scale):
    X = sample(30, 2)
    fit, other = FITS[name](X, n_neighbors=9), FITS[name](scale * X, n_neighbors=9)
    factor = scale if name == "isomap" else 1.0
    assert np.allclose(other.points, factor * fit.points, rtol=0, atol=1e-7 * factor)
