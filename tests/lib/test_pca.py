"""PCA: agreement with scikit-learn, the spectrum, and rounding errors."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.decomposition import PCA

from kmds_lib._linalg import canonical_signs
from kmds_lib._pca import discarded_sum, pca
from kmds_lib.results import FewerComponentsWarning
from tests.lib.conftest import correlated, sample


@pytest.mark.parametrize(("n", "p"), [(40, 6), (8, 50), (700, 3), (400, 600)])
def test_pca_agrees_with_scikit_learn(n, p):
    X = correlated(n, p)
    fit, peer = pca(X, 3), PCA(3, svd_solver="full").fit(X)
    scores = canonical_signs(peer.transform(X))
    assert np.allclose(fit.points, scores, rtol=0, atol=1e-9 * np.abs(scores).max())
    assert np.allclose(fit.variances, peer.explained_variance_ * (n - 1) / n, rtol=1e-10)
    assert fit.explained == pytest.approx(peer.explained_variance_ratio_.sum(), rel=1e-10)
    assert np.allclose(fit.mean, peer.mean_)
    assert np.allclose(fit.axes.T @ fit.axes, np.eye(3), atol=1e-10)
    assert fit.residual < 1e-10
    assert fit.pairs.scale == pytest.approx(fit.eigenvalues[0], rel=1e-10)
    assert fit.solver.endswith("p x p" if p <= n else "n x n")
    assert fit.negative_mass == 0
    centred, spectrum = X - X.mean(axis=0), fit.spectrum()
    B = np.linalg.eigvalsh(centred @ centred.T)[::-1]
    assert spectrum.eigenvalues.shape == (n,)
    assert np.allclose(spectrum.eigenvalues, B, rtol=0, atol=1e-9 * B[0])
    assert np.count_nonzero(spectrum.eigenvalues) == min(n - 1, p)


@settings(deadline=None, max_examples=30)
@given(st.integers(2, 25), st.integers(1, 25), st.integers(0, 2**32 - 1))
def test_all_components_reconstruct_the_data(n, p, seed):
    X = sample(n, p, seed)
    fit = pca(X, min(n - 1, p))
    assert np.allclose(fit.inverse_transform(fit.points), X, rtol=0, atol=1e-12 * np.abs(X).max())
    assert np.allclose(fit.transform(X), fit.points, rtol=0, atol=1e-12 * np.abs(X).max() * n)
    assert fit.explained == pytest.approx(1)
    assert fit.explained <= 1


@pytest.mark.parametrize(("n", "p"), [(40, 6), (8, 50)])
def test_points_far_from_the_origin_keep_their_digits(n, p):
    near = np.round(correlated(n, p) * 2**10) / 2**10
    far = near + 2.0**27
    fit, moved = pca(near, 2), pca(far, 2)
    assert np.allclose(moved.points, fit.points, rtol=0, atol=1e-13 * np.abs(fit.points).max())
    assert np.allclose(moved.transform(far), moved.points, rtol=0, atol=1e-12)
    assert np.allclose(moved.mean, fit.mean + 2.0**27, rtol=1e-15)


@pytest.mark.parametrize("k", [3, 4, 6])
def test_small_eigenvalues_keep_their_digits(k):
    """Use singular values that range over ten orders of magnitude, too many for X^T X."""
    rng = np.random.default_rng(0)
    s = 10.0 ** (-2.0 * np.arange(6))
    V = np.linalg.qr(np.column_stack([np.ones(30), rng.standard_normal((30, 6))]))[0][:, 1:]
    U = np.linalg.qr(rng.standard_normal((6, 6)))[0]
    fit = pca(V * s @ U.T, k)
    assert fit.solver == "svd"
    assert np.allclose(np.sqrt(fit.eigenvalues), s[:k], rtol=1e-5)
    assert np.allclose(np.sqrt(fit.eigenvalues)[:4], s[:4][:k], rtol=1e-9)
    assert discarded_sum(fit) == pytest.approx(np.square(s[k:]).sum(), rel=1e-6)


def test_rank_deficient_data_gives_fewer_components():
    line = np.outer(np.arange(10.0), [1.0, 2.0, 3.0]) + 5
    with pytest.warns(FewerComponentsWarning, match="only 1"):
        fit = pca(line, 3)
    assert fit.points.shape == (10, 1)
    assert fit.axes.shape == (3, 1)
    assert fit.explained == pytest.approx(1)
    assert np.count_nonzero(fit.spectrum().eigenvalues) == 1
    assert np.allclose(fit.inverse_transform(fit.points), line)


def test_a_column_in_another_unit_adds_no_component():
    """Rounding errors of temperatures exceed n times the machine precision, relative to spread."""
    celsius = np.array([36.4, 36.9, 37.2, 36.6, 38.1, 37.0, 36.8, 39.2, 37.5, 36.5])
    kelvin_and_rankine = np.column_stack([celsius + 273.15, 1.8 * celsius + 491.67])
    with pytest.warns(FewerComponentsWarning, match="only 1"):
        pca(kelvin_and_rankine, 2)


def test_wrong_number_of_columns_raises_an_error():
    fit = pca(correlated(40, 6))
    with pytest.raises(ValueError, match=r"Y has shape \(5, 5\): give \(5, 2\), a score"):
        fit.inverse_transform(np.eye(5))


@pytest.mark.parametrize(("n", "p"), [(900, 400), (400, 900)])
def test_residual_bounds_the_residuals_of_both_product_matrices(n, p):
    """Use a steep spectrum, for which one product has a larger error than the other."""
    rng = np.random.default_rng(1)
    X = rng.standard_normal((n, p)) * 0.001
    X[:, :4] += rng.standard_normal((n, 4)) * [100, 30, 1, 0.2]
    fit = pca(X, 4)
    assert fit.solver.startswith("krylov")
    centred = X - X.mean(axis=0)
    largest = fit.eigenvalues[0]
    scores = centred @ (centred.T @ fit.pairs.vectors) - fit.pairs.vectors * fit.eigenvalues
    axes = centred.T @ (centred @ fit.axes) - fit.axes * fit.eigenvalues
    worst = max(np.linalg.norm(scores, axis=0).max(), np.linalg.norm(axes, axis=0).max())
    assert worst / largest <= fit.residual < 1e-10
