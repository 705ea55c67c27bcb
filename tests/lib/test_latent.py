"""Probabilistic PCA and its dual: closed forms against brute force, peers and oracles."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize
from scipy.stats import multivariate_normal
from sklearn.datasets import load_iris
from sklearn.decomposition import PCA

from kmds_lib.embedding import FewerComponentsWarning
from kmds_lib.latent import (
    dual_probabilistic_pca,
    gaussian_log_likelihood,
    probabilistic_pca,
)
from kmds_lib.principal import pca


def sample(n=30, p=5, seed=0):
    rng = np.random.default_rng(seed)
    return rng.standard_normal((n, p)) @ rng.standard_normal((p, p)) + rng.standard_normal(p)


def model_log_likelihood(X, W, noise_variance):
    covariance = W @ W.T + noise_variance * np.eye(len(W))
    return gaussian_log_likelihood(X, X.mean(axis=0), covariance)


def test_gaussian_log_likelihood_equals_scipy():
    X = sample()
    covariance = np.cov(X.T)
    expected = multivariate_normal(np.zeros(5), covariance).logpdf(X).sum()
    assert gaussian_log_likelihood(X, np.zeros(5), covariance) == pytest.approx(
        expected, rel=1e-12
    )


@pytest.mark.parametrize(
    ("mean", "covariance", "word"),
    [
        (np.zeros(3), np.eye(5), "columns"),
        (np.zeros(5), np.eye(4), "columns"),
        (np.zeros(5), np.triu(np.ones((5, 5))), "symmetric"),
        (np.zeros(5), np.ones((5, 5)), "not positive definite"),
        (np.zeros(5), -np.eye(5), "not positive definite"),
        (np.zeros(5), np.zeros((5, 5)), "not positive definite"),
        (np.zeros(5), np.full((5, 5), np.nan), "nan"),
    ],
)
def test_gaussian_log_likelihood_refuses(mean, covariance, word):
    with pytest.raises(ValueError, match=word):
        gaussian_log_likelihood(sample(), mean, covariance)


def test_badly_scaled_covariance_is_not_called_singular():
    X = np.array([[1e10, 1e-10], [-1e10, 3e-10]])
    value = gaussian_log_likelihood(X, np.zeros(2), np.diag([1e20, 1e-20]))
    assert value == pytest.approx(-0.5 * (4 * np.log(2 * np.pi) + 2 + 10))


@pytest.mark.parametrize("unit", [1e-20, 1e-5, 1e5, 1e20])
def test_another_unit_shifts_the_log_likelihood(unit):
    X, mean, covariance = sample(), np.full(5, 1e-3), np.cov(sample().T)
    value = gaussian_log_likelihood(X, mean, covariance)
    scaled = gaussian_log_likelihood(unit * X, unit * mean, unit**2 * covariance)
    assert scaled == pytest.approx(value - X.size * np.log(unit), rel=1e-12)


@pytest.mark.parametrize("k", [1, 2, 3, 4, 5])
def test_closed_form_equals_the_gaussian_likelihood(k):
    X = sample()
    model = probabilistic_pca(X, k)
    direct = gaussian_log_likelihood(X, model.mean, model.covariance)
    assert model.log_likelihood() == pytest.approx(direct, rel=1e-12)
    assert model.log_likelihood(X) == pytest.approx(direct, rel=1e-14)


@pytest.mark.parametrize("k", [1, 2, 3])
def test_scikit_learn_after_converting_its_divisor(k):
    """scikit-learn divides by n - 1: scale its model by (n - 1)/n and it is ours."""
    X = load_iris().data
    n = len(X)
    model, peer = probabilistic_pca(X, k), PCA(k).fit(X)
    assert model.noise_variance == pytest.approx(peer.noise_variance_ * (n - 1) / n, rel=1e-10)
    assert np.allclose(model.covariance, peer.get_covariance() * (n - 1) / n, rtol=1e-10)
    unconverted = gaussian_log_likelihood(X, model.mean, model.covariance * n / (n - 1))
    assert unconverted / n == pytest.approx(peer.score(X), rel=1e-12)
    assert model.log_likelihood() / n > peer.score(X)


def test_oracle_iris(oracle, iris):
    expected = oracle("sk_iris_PPCA")
    n = len(iris)
    model = probabilistic_pca(iris, 2)
    scaled = model.covariance * n / (n - 1)
    assert model.noise_variance * n / (n - 1) == pytest.approx(
        expected["noise_variance"], rel=1e-9
    )
    assert np.allclose(scaled, expected["covariance"], rtol=1e-9)
    mean_log_likelihood = gaussian_log_likelihood(iris, model.mean, scaled) / n
    assert mean_log_likelihood == pytest.approx(expected["mean_loglik"], rel=1e-9)


def test_printed_forms_of_ek_are_less_likely():
    """Without the root, or with all eigenvalues averaged, the likelihood drops (Ek 61, 62)."""
    X = sample()
    model = probabilistic_pca(X, 2)
    variances, axes = model.principal.variances, model.principal.axes
    rootless = axes * (variances - model.noise_variance)
    assert model_log_likelihood(X, rootless, model.noise_variance) < model.log_likelihood() - 1
    all_averaged = np.trace(np.cov(X.T, bias=True)) / 5
    W = axes * np.sqrt(np.maximum(variances - all_averaged, 0))
    assert model_log_likelihood(X, W, all_averaged) < model.log_likelihood() - 1


@settings(deadline=None, max_examples=25)
@given(st.integers(0, 2**32 - 1), st.floats(1e-6, 1.0))
def test_no_perturbation_of_the_model_is_more_likely(seed, size):
    X = sample(seed=3)
    model = probabilistic_pca(X, 2)
    rng = np.random.default_rng(seed)
    W = model.W + size * rng.standard_normal(model.W.shape)
    noise_variance = model.noise_variance * np.exp(size * rng.standard_normal())
    assert model_log_likelihood(X, W, noise_variance) <= model.log_likelihood() + 1e-9


def test_rotating_the_latent_space_changes_nothing():
    X = sample()
    model = probabilistic_pca(X, 2)
    R = np.linalg.qr(np.random.default_rng(0).standard_normal((2, 2)))[0]
    rotated = model_log_likelihood(X, model.W @ R, model.noise_variance)
    assert rotated == pytest.approx(model.log_likelihood(), rel=1e-12)


def test_transform_is_the_posterior_mean():
    X, X_new = sample(), sample(seed=8)
    model = probabilistic_pca(X, 2)
    M = model.W.T @ model.W + model.noise_variance * np.eye(2)
    expected = np.linalg.solve(M, model.W.T @ (X_new - model.mean).T).T
    assert np.allclose(model.transform(X_new), expected, rtol=1e-10, atol=1e-12)
    assert np.allclose(model.transform(X), model.points, rtol=1e-10, atol=1e-12)
    assert np.allclose(model.posterior_covariance, model.noise_variance * np.linalg.inv(M))


def test_without_noise_the_posterior_mean_is_the_whitened_score():
    X = sample(p=2)
    model = probabilistic_pca(X, 2)
    assert model.noise_variance == 0
    assert np.allclose(model.points.T @ model.points / len(X), np.eye(2))
    assert np.allclose(model.covariance, np.cov(X.T, bias=True))


def test_sample_has_the_moments_of_the_model():
    model = probabilistic_pca(sample(), 2)
    draw = model.sample(200_000, seed=1)
    scale = np.trace(model.covariance)
    assert np.abs(draw.mean(axis=0) - model.mean).max() < 0.02 * np.sqrt(scale)
    assert np.abs(np.cov(draw.T) - model.covariance).max() < 0.02 * scale
    assert np.array_equal(model.sample(4, seed=2), model.sample(4, seed=2))


def test_rank_deficient_data_has_no_likelihood():
    flat = sample(p=2) @ np.ones((2, 5)) * np.arange(1, 6) + sample(p=2)[:, :1]
    rank = np.linalg.matrix_rank(flat - flat.mean(axis=0))
    model = probabilistic_pca(flat, int(rank))
    assert model.noise_variance == 0
    with pytest.raises(ValueError, match="unbounded"):
        model.log_likelihood()
    with pytest.raises(ValueError, match="not positive definite"):
        model.log_likelihood(flat)
    with pytest.warns(FewerComponentsWarning):
        fewer = probabilistic_pca(flat, 5)
    assert fewer.W.shape == (5, rank)
    assert np.isfinite(fewer.points).all()


def test_more_variables_than_points():
    X = sample(n=8, p=20)
    model = probabilistic_pca(X, 3)
    variances = np.linalg.eigvalsh(np.cov(X.T, bias=True))[::-1]
    assert model.noise_variance == pytest.approx(variances[3:].sum() / 17, rel=1e-10)
    direct = gaussian_log_likelihood(X, model.mean, model.covariance)
    assert model.log_likelihood() == pytest.approx(direct, rel=1e-10)


def test_isotropic_data_leaves_no_signal():
    X = np.vstack([np.eye(3), -np.eye(3)])
    model = probabilistic_pca(X, 1)
    assert model.noise_variance == pytest.approx(1 / 3)
    assert np.abs(model.W).max() < 1e-7


def dual_log_likelihood(X, Z, noise_variance):
    """Columns of the centred data as draws of a Gaussian over the objects."""
    columns = (X - X.mean(axis=0)).T
    covariance = Z @ Z.T + noise_variance * np.eye(len(X))
    return gaussian_log_likelihood(columns, np.zeros(len(X)), covariance)


@pytest.mark.parametrize(("n", "p", "k"), [(12, 4, 2), (6, 9, 2), (10, 10, 3)])
def test_dual_closed_form_equals_the_gaussian_likelihood(n, p, k):
    X = sample(n, p)
    dual = dual_probabilistic_pca(X, k)
    direct = dual_log_likelihood(X, dual.points, dual.noise_variance)
    assert dual.log_likelihood() == pytest.approx(direct, rel=1e-10)
    columns = (X - X.mean(axis=0)).T
    stated = gaussian_log_likelihood(columns, np.zeros(n), dual.covariance)
    assert stated == pytest.approx(direct, rel=1e-10)


def test_dual_points_are_shrunk_classical_scaling():
    X = sample(n=20, p=6)
    dual, fit = dual_probabilistic_pca(X, 2), pca(X, 2)
    shrink = np.sqrt(1 / 6 - dual.noise_variance / fit.eigenvalues)
    assert np.allclose(dual.points, fit.points * shrink, rtol=1e-12, atol=1e-14)
    B = (X - X.mean(axis=0)) @ (X - X.mean(axis=0)).T
    discarded = np.linalg.eigvalsh(B / 6)[::-1][2:]
    assert dual.noise_variance == pytest.approx(discarded.mean(), rel=1e-10)


@settings(deadline=None, max_examples=25)
@given(st.integers(0, 2**32 - 1), st.floats(1e-6, 1.0))
def test_no_perturbation_of_the_dual_is_more_likely(seed, size):
    X = sample(n=12, p=5, seed=5)
    dual = dual_probabilistic_pca(X, 2)
    rng = np.random.default_rng(seed)
    Z = dual.points + size * rng.standard_normal(dual.points.shape)
    noise_variance = dual.noise_variance * np.exp(size * rng.standard_normal())
    assert dual_log_likelihood(X, Z, noise_variance) <= dual.log_likelihood() + 1e-9


def test_an_optimiser_finds_the_dual_maximum():
    X = sample(n=7, p=6, seed=2)
    dual = dual_probabilistic_pca(X, 2)

    def loss(parameters):
        return -dual_log_likelihood(X, parameters[:-1].reshape(7, 2), np.exp(parameters[-1]))

    start = np.random.default_rng(0).standard_normal(15)
    found = minimize(loss, start, method="L-BFGS-B", options={"maxiter": 2000, "ftol": 1e-14})
    assert -found.fun == pytest.approx(dual.log_likelihood(), abs=1e-4)
    Z = found.x[:-1].reshape(7, 2)
    assert np.allclose(Z @ Z.T, dual.points @ dual.points.T, atol=1e-2 * np.abs(Z @ Z.T).max())


def test_dual_mean_by_columns_is_the_best_mean():
    X = sample(n=9, p=5)
    dual = dual_probabilistic_pca(X, 2)
    one = np.ones(9)
    solved = np.linalg.solve(dual.covariance, np.column_stack([one, X]))
    generalised = (one @ solved[:, 1:]) / (one @ solved[:, 0])
    assert np.allclose(generalised, X.mean(axis=0), rtol=1e-10)


def test_dual_with_no_noise_left_has_no_likelihood():
    dual = dual_probabilistic_pca(sample(n=6, p=3), 3)
    assert dual.noise_variance == 0
    with pytest.raises(ValueError, match="unbounded"):
        dual.log_likelihood()
