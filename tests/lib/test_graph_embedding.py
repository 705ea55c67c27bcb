"""Locally linear embedding and Laplacian eigenmaps: definitions, scikit-learn, new objects."""

from functools import partial

import numpy as np
import pytest
from scipy import linalg
from sklearn.manifold import LocallyLinearEmbedding
from sklearn.manifold._locally_linear import barycenter_weights

from kmds_lib import _lle
from kmds_lib._classical_scaling import classical_scaling
from kmds_lib._gram import distances, distances_from_gram
from kmds_lib._laplacian_eigenmaps import laplacian_eigenmaps
from kmds_lib._linalg import canonical_signs
from kmds_lib._lle import locally_linear_embedding
from kmds_lib.datasets import swiss_roll
from kmds_lib.results import FewerComponentsWarning
from tests.lib.conftest import assert_same_columns, refused, ring, sample, with_memory

ROLL = swiss_roll(400, seed=1)[0]
LINE = np.arange(5.0)[:, None]

lle_from_distances = partial(locally_linear_embedding, metric="precomputed")
normalized_or_not = pytest.mark.parametrize("normalized", [True, False])


def assert_same_axes(ours, theirs, tolerance):
    assert_same_columns(ours, theirs, rtol=0, atol=tolerance * np.abs(theirs).max())


# Locally linear embedding


@pytest.mark.parametrize("n", [100, 400])
def test_lle_equals_scikit_learn(n):
    X, new = ROLL[:n], swiss_roll(9, seed=3)[0]
    fit = locally_linear_embedding(X, 3, n_neighbors=12)
    peer = LocallyLinearEmbedding(n_components=3, n_neighbors=12, eigen_solver="dense").fit(X)
    assert_same_axes(fit.points, np.sqrt(n) * peer.embedding_, 1e-6)
    assert fit.costs.sum() == pytest.approx(peer.reconstruction_error_, rel=1e-6)
    signs = np.sign(np.einsum("ir,ir->r", fit.points, peer.embedding_))
    expected = np.sqrt(n) * signs * peer.transform(new)
    assert np.allclose(fit.transform(new), expected, rtol=0, atol=1e-5)
    assert (fit.transform(X) == fit.points).all()
    assert fit.solver == ("krylov" if n > 300 else "dense")
    assert fit.residual < 1e-10


@pytest.mark.parametrize("block_entries", [2**20, 5000])
@pytest.mark.parametrize(("p", "k"), [(3, 60), (3, 4), (70, 60)])
def test_lle_weights_in_blocks_equal_their_definition(p, k, block_entries, monkeypatch):
    """Solve C w = 1 for each object on its own, with scikit-learn and from dissimilarities."""
    monkeypatch.setattr(_lle, "BLOCK_ENTRIES", block_entries)
    X, new = sample(90, p), sample(8, p, seed=1)
    fit = locally_linear_embedding(X, n_neighbors=k)
    index = fit.weights.indices.reshape(90, k)
    weights = fit.weights.data.reshape(90, k)
    assert np.allclose(weights, barycenter_weights(X, X, index), rtol=1e-9, atol=1e-12)
    other = lle_from_distances(distances(X), n_neighbors=k)
    assert np.allclose(other.weights.data.reshape(90, k), weights, rtol=1e-8, atol=1e-10)
    nearest = np.sort(np.argsort(distances(new, X), axis=1)[:, :k], axis=1)
    placed = np.einsum("ij,ijk->ik", barycenter_weights(new, X, nearest), fit.points[nearest])
    assert np.allclose(fit.transform(new), placed, rtol=1e-8, atol=1e-9)


@pytest.mark.parametrize(("n", "precomputed"), [(1500, False), (500, True)])
def test_lle_with_many_neighbours_needs_little_memory(n, precomputed):
    X = swiss_roll(n, seed=0)[0]
    data, metric = (distances(X), "precomputed") if precomputed else (X, "euclidean")
    fit, peak = with_memory(locally_linear_embedding, data, n_neighbors=200, metric=metric)
    assert fit.points.shape == (n, 2)
    assert peak < 100e6 + (data.nbytes if precomputed else 0)  # which the fit keeps a copy of


def test_lle_gram_is_the_pseudo_inverse_of_the_cost():
    fit = locally_linear_embedding(sample(50, 4), 3, n_neighbors=5)
    W, E, K = fit.weights.toarray(), fit.cost_matrix.toarray(), fit.gram
    assert np.allclose(E, (np.eye(50) - W).T @ (np.eye(50) - W), atol=1e-12)
    assert (canonical_signs(fit.points) == fit.points).all()
    assert np.allclose(K, linalg.pinvh(E, rtol=1e-10), atol=1e-8 * K.max())
    assert (K == K.T).all()
    assert np.abs(K.sum(axis=0)).max() < 1e-9 * K.max()
    values = linalg.eigvalsh(K)
    assert np.allclose(fit.eigenvalues, values[:-4:-1], rtol=1e-8)
    assert np.allclose(fit.spectrum().eigenvalues, np.append(values[:0:-1], 0), rtol=1e-6)
    assert fit.negative_mass == 0
    assert fit.explained == pytest.approx(values[-3:].sum() / values.sum(), rel=1e-7)
    scaled = classical_scaling(distances_from_gram(K), 3).points
    assert_same_axes(fit.points * np.sqrt(fit.eigenvalues / 50), scaled, 1e-6)


def test_lle_without_regularization_needs_few_neighbours():
    X = sample(40, 5)
    fit = locally_linear_embedding(X, n_neighbors=5, regularization=0)
    differences = X[fit.weights.indices.reshape(40, 5)[7]] - X[7]
    w = np.linalg.solve(differences @ differences.T, np.ones(5))
    assert np.allclose(fit.weights.data.reshape(40, 5)[7], w / w.sum(), rtol=1e-9)
    new = sample(1, 5, seed=1)[0]
    near = np.argsort(np.linalg.norm(X - new, axis=1))[:5]
    w = np.linalg.solve((X[near] - new) @ (X[near] - new).T, np.ones(5))
    placed = fit.transform([*X, new])
    assert np.allclose(placed[40], w @ fit.points[near] / w.sum(), rtol=1e-9)
    assert np.array_equal(placed[:40], fit.points)  # local matrices of these rows are singular
    with pytest.raises(ValueError, match=r"object 0 is singular \(40 such objects\).*larger"):
        locally_linear_embedding(X, n_neighbors=6, regularization=0)
    line = np.arange(20.0)[:, None]
    for lost_in_rounding in (1e-20, 1e-13):
        with pytest.raises(ValueError, match="larger regularization"):
            locally_linear_embedding(line, 1, n_neighbors=5, regularization=lost_in_rounding)


@pytest.mark.parametrize("regularization", [0.0, 1e-3, 1.2, 1.25])
def test_lle_rejects_matrices_singular_after_regularization(regularization):
    D = [[0, 1, 1, 2], [1, 0, 3, 1], [1, 3, 0, 1], [2, 1, 1, 0]]
    with pytest.raises(ValueError, match=r"object 0 and its neighbours are not Euclidean"):
        lle_from_distances(D, 1, n_neighbors=2, regularization=regularization)
    fit = lle_from_distances(D, 1, n_neighbors=2, regularization=1.3)
    assert np.allclose(fit.weights.toarray()[0], [0, 0.5, 0.5, 0])


def test_lle_rejects_new_objects_that_are_not_euclidean():
    X = sample(30, 2)
    fit = lle_from_distances(distances(X), n_neighbors=4)
    new = distances(sample(3, 2, seed=1), X)
    new[1, np.argsort(new[1])[:2]] /= 100
    with pytest.raises(ValueError, match=r"row 1 of new and its neighbours are not Euclid"):
        fit.transform(new)


def test_lle_accepts_rounded_distances():
    """Use four digits: local Gram matrices are indefinite by less than the regularization."""
    D = distances(ROLL[:100] / 10)
    fit, exact = (lle_from_distances(E, n_neighbors=8) for E in (D.round(4), D))
    assert np.allclose(fit.weights.toarray(), exact.weights.toarray(), atol=0.2)
    with pytest.raises(ValueError, match="not Euclidean"):
        lle_from_distances(D.round(4), n_neighbors=8, regularization=0)


@pytest.mark.parametrize("k", [4, 9])
@pytest.mark.parametrize("metric", ["euclidean", "precomputed"])
@pytest.mark.parametrize("method", [locally_linear_embedding, laplacian_eigenmaps])
def test_rows_of_coincident_objects_get_the_mean_of_their_points(method, metric, k):
    X = np.concatenate([np.zeros((6, 2)), sample(20, 2)])
    data = X if metric == "euclidean" else distances(X) + 1e-9 * np.eye(26)
    fit = method(data, n_neighbors=k, metric=metric)
    mean = fit.points[:6].mean(axis=0)
    with pytest.warns(UserWarning, match="Row 0 of new .* training objects 0, 1, 2, 3, 4, ..., "):
        assert np.allclose(fit.transform(data[:6]), mean, atol=1e-12)
    assert np.allclose(fit.transform(data[6:]), fit.points[6:], atol=1e-12)


# Laplacian eigenmaps


@pytest.mark.parametrize("n", [70, 400])
@pytest.mark.parametrize("weights", ["heat", "binary"])
@normalized_or_not
def test_laplacian_minimises_the_cost_under_its_constraints(n, weights, normalized):
    fit = laplacian_eigenmaps(ROLL[:n], 3, n_neighbors=9, weights=weights, normalized=normalized)
    W, L, Y = fit.weights.toarray(), fit.cost_matrix.toarray(), fit.points
    T = np.diag(W.sum(axis=1)) if normalized else np.eye(n)
    assert np.allclose(L, np.diag(W.sum(axis=1)) - W)
    assert np.allclose(fit.degrees, W.sum(axis=1))
    values, V = linalg.eigh(L, T)
    assert np.allclose(fit.costs, values[1:4], rtol=1e-8)
    assert_same_axes(Y, V[:, 1:4], 1e-6)
    assert np.allclose(Y.T @ T @ Y, np.eye(3), atol=1e-9)
    assert np.abs(Y.T @ T @ np.ones(n)).max() < 1e-9
    assert (canonical_signs(Y) == Y).all()
    for y, cost in zip(Y.T, fit.costs, strict=True):
        assert (W * np.square(y[:, None] - y)).sum() / 2 == pytest.approx(cost, rel=1e-8)
    assert fit.residual < 1e-10
    inverse = np.append(1 / values[1:], 0)
    assert np.allclose(fit.spectrum().eigenvalues, inverse, rtol=1e-7, atol=1e-9)
    assert fit.solver == ("krylov" if n > 300 else "dense")


def test_heat_and_binary_weights():
    X = sample(40)
    fit = laplacian_eigenmaps(X, n_neighbors=5)
    edges = fit.graph.tocoo().data
    assert fit.t == pytest.approx(np.square(edges).mean())
    assert np.allclose(fit.weights.tocoo().data, np.exp(-np.square(edges) / fit.t))
    wide = laplacian_eigenmaps(X, n_neighbors=5, t=1e12)
    binary = laplacian_eigenmaps(X, n_neighbors=5, weights="binary")
    assert (wide.t, binary.t) == (1e12, None)
    assert np.allclose(wide.weights.toarray(), binary.weights.toarray())
    assert set(binary.weights.data) == {1.0}


@normalized_or_not
def test_laplacian_gram_is_the_commute_time_kernel(normalized):
    fit = laplacian_eigenmaps(LINE, 2, n_neighbors=1, weights="binary", normalized=normalized)
    K = fit.gram
    assert np.allclose(K, linalg.pinvh(fit.cost_matrix.toarray()), atol=1e-12)
    # The resistance between two nodes of a path is the number of edges between them.
    squares = np.square(distances_from_gram(K))
    assert np.allclose(squares, np.abs(LINE - LINE.T), atol=1e-10)
    masses = fit.degrees if normalized else np.ones(5)
    centring = np.eye(5) - np.outer(np.ones(5), masses) / masses.sum()
    weighted = np.sqrt(masses)[:, None] * (centring @ K @ centring.T) * np.sqrt(masses)
    values, V = linalg.eigh(weighted)
    assert np.allclose(fit.spectrum().eigenvalues, values[::-1], atol=1e-10)
    assert np.allclose(fit.eigenvalues, values[:-3:-1])
    assert np.allclose(np.abs(fit.points), np.abs(V[:, :-3:-1]) / np.sqrt(masses)[:, None])


@normalized_or_not
def test_new_objects_are_placed_by_the_eigenvector_equation(normalized):
    X, new = sample(40), (2.5 if normalized else 0.7) * sample(12, seed=1)
    fit = laplacian_eigenmaps(X, 2, n_neighbors=6, normalized=normalized, t=1.5)
    for y, row in zip(fit.transform(new), distances(new, X), strict=True):
        near = np.argsort(row)[:6]
        w = np.exp(-np.square(row[near]) / 1.5)
        divisor = w.sum() * (1 - fit.costs) if normalized else w.sum() - fit.costs
        assert np.allclose(y, w @ fit.points[near] / divisor, rtol=1e-9)


@pytest.mark.parametrize("n", [4, 8])
def test_cost_of_one_places_training_objects_only(n):
    fit = laplacian_eigenmaps(ring(n), n // 2, n_neighbors=2)
    assert np.abs(fit.costs - 1).min() < 1e-12
    assert np.array_equal(fit.transform(ring(n)), fit.points)
    with pytest.raises(ValueError, match=r"Coordinate \d has the cost 1"):
        fit.transform([*ring(n), [0.9, 0.1]])


def test_training_objects_of_small_degree_keep_their_points():
    star = [[0.0, 0.0], [1.0, 0.1], [-1.0, 0.2], [0.1, 1.0], [0.2, -1.0]]
    fit = laplacian_eigenmaps(star, 4, n_neighbors=1, normalized=False, weights="binary")
    assert fit.degrees.min() < fit.costs.max()
    assert np.array_equal(fit.transform(star), fit.points)


@pytest.mark.parametrize(("normalized", "far"), [(True, 1e3), (False, 9.0)])
def test_new_objects_far_from_the_training_data_are_rejected(normalized, far):
    X = sample(30)
    fit = laplacian_eigenmaps(X, n_neighbors=5, normalized=normalized)
    with pytest.raises(ValueError, match="Row 1 of new is too far from the training data"):
        fit.transform([X[0], [far, 0, 0]])


# Both methods


@pytest.mark.parametrize(("n", "m", "k", "t"), [(40, 40, 40, 0.5), (800, 6, 6, 1.0)])
def test_weights_too_small_to_connect_the_graph_are_rejected(n, m, k, t):
    X = np.concatenate([sample(n), 8 + sample(m, seed=1)])
    with pytest.raises(ValueError, match=r"More than one eigenvalue .* zero to rounding"):
        laplacian_eigenmaps(X, n_neighbors=k, t=t)


@normalized_or_not
@pytest.mark.parametrize("small_group_first", [False, True])
def test_cost_of_the_cut_between_two_groups_is_never_missed(normalized, small_group_first):
    """The cost of the vector that separates two groups is an upper bound of the first cost."""
    groups = [np.random.default_rng(0).standard_normal((800, 3))]
    groups.insert(1 - small_group_first, 8 + np.random.default_rng(1).standard_normal((6, 3)))
    X, first = np.concatenate(groups), np.arange(806) < len(groups[0])
    for t in (0.371, 0.428, 0.611, 1.16, 2.364):
        with pytest.raises(ValueError, match="More than one eigenvalue"):
            laplacian_eigenmaps(X, n_neighbors=6, t=t, normalized=normalized)
    for t in (6.0, 9.0, 12.0):
        fit = laplacian_eigenmaps(X, n_neighbors=6, t=t, normalized=normalized)
        cut = fit.weights[first][:, ~first].sum()
        sizes = fit.degrees if normalized else np.ones(806)
        assert fit.costs[0] <= 1.001 * cut * (1 / sizes[first].sum() + 1 / sizes[~first].sum())


@pytest.mark.parametrize(
    ("method", "t"),
    [
        (locally_linear_embedding, None),
        (laplacian_eigenmaps, 1.0),
        (partial(laplacian_eigenmaps, weights="binary", normalized=False), None),
    ],
)
@pytest.mark.parametrize(("n", "metric"), [(5, "euclidean"), (400, "precomputed")])
def test_coincident_objects_have_no_axis(method, t, metric, n):
    X = np.ones((n, 2)) if metric == "euclidean" else np.zeros((n, n))
    with pytest.warns(FewerComponentsWarning, match="is 2, .* no positive .* coincide"):
        fit = method(X, n_neighbors=4, metric=metric)
    assert fit.points.shape == (n, 0)
    assert fit.costs.shape == (0,)
    assert fit.transform(X[:3]).shape == (3, 0)
    assert fit.t == t
    two_points = np.repeat([[0.0], [1.0]], 3, axis=0)
    assert method(two_points, 1, n_neighbors=3).points.shape == (6, 1)


def laplacian(X=LINE, k=1, **options):
    return laplacian_eigenmaps(X, 1, n_neighbors=k, **options)


test_invalid_parameters = refused(
    (lambda: laplacian(t=1.0, weights="binary"), "binary weights have none"),
    (
        lambda: laplacian([[0.0], [0.01], [0.02], [0.03], [5.0]], k=3, t=0.001),
        r"weights of object 4 are all zero.*larger t than 0.001",
    ),
)
