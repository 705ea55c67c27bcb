"""Kernel PCA: agreement with scikit-learn, centring, new points and pre-images."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.datasets import load_wine
from sklearn.decomposition import KernelPCA as PeerKernelPCA

from kmds_lib._classical_scaling import classical_scaling
from kmds_lib._gram import center_cross_gram, center_gram, distances, distances_from_gram
from kmds_lib._kernel_mds import kernel_mds
from kmds_lib._kernel_pca import kernel_pca, kernel_pca_from_gram
from kmds_lib.kernels import RBF, Exponential, Linear, Polynomial, Power
from tests.lib.conftest import Cauchy, refused, with_memory


def sample(n=80, p=5, seed=0):
    return np.random.default_rng(seed).normal(size=(n, p)) @ np.diag(1.0 / np.arange(1, p + 1))


@pytest.mark.parametrize("n", [60, 700])
@pytest.mark.parametrize(
    "kernel",
    [RBF(0.3), Polynomial(3, 0.5, 0.2), Exponential(0.5), Power(1.0), RBF(0.2) + Linear()],
    ids=repr,
)
def test_scores_agree_with_scikit_learn(kernel, n):
    X, X_new = sample(n), sample(30, seed=1)
    K, K_new = kernel(X), kernel(X_new, X)
    fit, by_gram = kernel_pca(X, kernel, n_components=4), kernel_pca_from_gram(K, n_components=4)
    peer = PeerKernelPCA(4, kernel="precomputed", eigen_solver="dense").fit(K)
    assert_allclose(fit.eigenvalues, peer.eigenvalues_, rtol=1e-9)
    scores = peer.transform(K)
    signs = np.sign(np.einsum("ir,ir->r", fit.points, scores))
    size = np.abs(scores).max()
    assert_allclose(fit.points * signs, scores, atol=1e-8 * size)
    assert_allclose(fit.transform(X_new) * signs, peer.transform(K_new), atol=1e-8 * size)
    assert_allclose(by_gram.points, fit.points, atol=1e-9 * size)
    assert_allclose(by_gram.transform(K_new), fit.transform(X_new), atol=1e-9 * size)


LINE = np.linspace(0.0, 1.0, 200)[:, None]
LONG_LINE = np.linspace(0.0, 1.0, 1200)[:, None]
WINE = load_wine().data


@pytest.mark.parametrize(
    ("X", "kernel", "k"),
    [
        (LINE + 5.0, RBF(1.0), 7),
        (LONG_LINE, RBF(1.0), 7),
        (WINE, Polynomial(3), 12),
        (sample(700, 6) * 10.0 ** -np.arange(6), Linear(), 6),
    ],
    ids=["line off the origin", "long line", "wine", "stretched"],
)
def test_transform_is_accurate_for_small_eigenvalues(X, kernel, k):
    """Test eigenvectors that are centred to a few digits only."""
    K = kernel(X)
    feature = distances_from_gram(center_gram(K))
    pairs = [
        (kernel_pca(X, kernel, k), X),
        (kernel_pca_from_gram(K, k), K),
        (classical_scaling(feature, k), feature),
    ]
    if kernel.isotropic:
        pairs.append((kernel_mds(distances(X), kernel, k), distances(X)))
    for fit, data in pairs:
        error = np.linalg.norm(fit.transform(data) - fit.points, axis=0)
        error /= np.linalg.norm(fit.points, axis=0)
        unavoidable = np.finfo(float).eps * fit.eigenvalues[0] / fit.eigenvalues
        assert np.all(error <= 30 * unavoidable + 1e-13)
        assert np.all(np.abs(fit.points.mean(axis=0)) <= 1e-15 * np.abs(fit.points).max(axis=0))


def test_coefficients_offsets_and_squared_radii():
    X, X_new = sample(), sample(20, seed=1)
    kernel = RBF(0.3)
    K, K_new = kernel(X), kernel(X_new, X)
    fit = kernel_pca(X, kernel, n_components=3)
    alpha = fit.coefficients
    assert_allclose(alpha.sum(axis=0), 0, atol=1e-13)
    assert_allclose(alpha.T @ center_gram(K) @ alpha, np.eye(3), atol=1e-12)
    assert_allclose(center_cross_gram(K_new, K) @ alpha, fit.transform(X_new))
    constant = K_new @ alpha - fit.transform(X_new)
    assert_allclose(constant, np.tile(fit.offsets, (20, 1)), atol=1e-12)
    assert np.abs(fit.offsets).max() > 1e-3
    assert_allclose(fit.squared_radii, np.diag(center_gram(K)), atol=1e-14)


@pytest.mark.parametrize("kernel", [Linear(), RBF(0.3), Exponential(1.0)], ids=repr)
def test_points_far_from_the_origin_keep_their_digits(kernel):
    near = np.round(sample(), 6)
    far = near + 1e8
    exact = far - 1e8
    fit, expected = kernel_pca(far, kernel, 3), kernel_pca(exact, kernel, 3)
    assert_allclose(fit.points, expected.points, atol=1e-11)
    assert_allclose(fit.transform(far[:5]), expected.transform(exact[:5]), atol=1e-11)


@pytest.mark.parametrize(("kernel", "mebibytes"), [(RBF(0.02), 9), (Exponential(0.1), 24)])
def test_transform_needs_the_memory_in_its_docstring(kernel, mebibytes):
    X = sample(3000, 20)
    fit = kernel_pca(X, kernel)
    scores, peak = with_memory(fit.transform, X)
    assert peak - scores.nbytes < mebibytes * 2**20


@pytest.mark.parametrize("kernel", [RBF(0.2), Exponential(0.3), Power(1.0)], ids=repr)
def test_preimages_of_training_scores_are_the_points(kernel):
    X = sample(30, 3)
    fit = kernel_pca(X, kernel, n_components=29)
    assert_allclose(fit.preimage(fit.points), X, atol=1e-5)
    assert fit.preimage(np.empty((0, 29))).shape == (0, 3)


@pytest.mark.parametrize(
    ("kernel", "p", "k", "neighbours"),
    [(2.0 * RBF(0.2), 3, 6, 10), (Exponential(0.3), 12, 20, 5), (Power(1.0), 2, 4, 1)],
    ids=repr,
)
def test_preimages_are_placed_by_least_squares(kernel, p, k, neighbours):
    X = sample(700, p)
    fit = kernel_pca(X, kernel, k)
    scores = fit.transform(sample(900, p, seed=1))
    preimages = fit.preimage(scores, neighbours)
    feature = np.square(fit.points - scores[800]).sum(axis=1)
    feature += fit.squared_radii - np.square(fit.points).sum(axis=1)
    near = np.argsort(feature)[:neighbours]
    squares = kernel.inverse_profile(fit.kernel_diagonal[near] - feature[near] / 2) ** 2
    mean = X[near].mean(axis=0)
    right = np.square(X[near] - mean).sum(axis=1) - squares
    placed = mean + np.linalg.lstsq(2 * (X[near] - mean), right - right.mean(), rcond=1e-10)[0]
    assert_allclose(preimages[800], placed, atol=1e-10)


def test_memory_of_preimages_is_bounded():
    fit = kernel_pca(sample(500), RBF(0.3), n_components=4)
    scores = fit.transform(sample(20_000, seed=1))
    preimages, peak = with_memory(fit.preimage, scores)
    assert peak < preimages.nbytes + 20e6


X = sample()


test_invalid_input_is_named = refused(
    (lambda: kernel_pca(X, "rbf"), "kernel_pca_from_gram"),
    (lambda: kernel_pca(1e-10 * X, Cauchy()), "constant to rounding: the kernel does not"),
    (lambda: kernel_pca(1e-12 * X, Polynomial(2)), "constant to rounding"),
    (lambda: kernel_pca(X, Polynomial(6)).transform(1e59 * X), "Row 0 of new is so far"),
    (
        lambda: kernel_pca(X, RBF(1.0)).preimage(np.zeros((1, 3))),
        "Y has 3 columns, but the fit has 2 components.*score",
    ),
    (lambda: kernel_pca(X, RBF(1.0)).preimage(np.zeros((1, 2)), 81), "n_neighbors = 81"),
    (lambda: kernel_pca(X, Linear()).preimage(np.zeros((1, 2))), "no inverse profile"),
    (lambda: kernel_pca_from_gram(np.eye(4)).transform(np.ones((2, 3))), "new has shape"),
    (lambda: kernel_pca_from_gram(np.eye(3), 1).preimage([[0.0]]), "not made from points"),
)
