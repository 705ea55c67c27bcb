"""Probabilistic PCA, its dual and the GP-LVM: closed forms, likelihoods and optimisation."""

import numpy as np
import pytest
from scipy.optimize import approx_fprime

from kmds_lib._gplvm import dual_probabilistic_pca, gplvm
from kmds_lib._gplvm_likelihood import LatentModel
from kmds_lib._pca import pca
from kmds_lib._probabilistic_pca import gaussian_log_likelihood, probabilistic_pca
from kmds_lib.kernels import RBF, Exponential, Linear
from kmds_lib.results import FewerComponentsWarning, NotConvergedWarning
from tests.lib.conftest import correlated, refused, sample

X = correlated()


test_invalid_gaussian_is_named = refused(
    (lambda: gaussian_log_likelihood(X, np.zeros(3), np.eye(5)), "columns"),
    (lambda: gaussian_log_likelihood(X, np.zeros(5), np.triu(np.ones((5, 5)))), "symmetric"),
    (lambda: gaussian_log_likelihood(X, np.zeros(5), np.ones((5, 5))), "not positive definite"),
)


def test_ill_conditioned_covariance_is_accepted():
    X = np.array([[1e10, 1e-10], [-1e10, 3e-10]])
    value = gaussian_log_likelihood(X, np.zeros(2), np.diag([1e20, 1e-20]))
    assert value == pytest.approx(-0.5 * (4 * np.log(2 * np.pi) + 2 + 10))


@pytest.mark.parametrize(("n", "p", "k"), [(30, 5, 2), (30, 5, 5), (8, 20, 3)], ids=str)
def test_ppca_likelihood_equals_the_likelihood_of_its_gaussian(n, p, k):
    X = correlated(n, p)
    model = probabilistic_pca(X, k)
    direct = gaussian_log_likelihood(X, model.mean, model.covariance)
    assert model.log_likelihood() == pytest.approx(direct, rel=1e-12)
    assert model.log_likelihood(X) == pytest.approx(direct, rel=1e-14)


@pytest.mark.parametrize("k", [2, 5])
def test_transform_is_the_posterior_mean(k):
    X, X_new = correlated(), correlated(seed=8)
    model = probabilistic_pca(X, k)
    M = model.W.T @ model.W + model.noise_variance * np.eye(k)
    expected = np.linalg.solve(M, model.W.T @ (X_new - model.mean).T).T
    assert np.allclose(model.transform(X_new), expected, rtol=1e-10, atol=1e-12)
    assert np.allclose(model.transform(X), model.points, rtol=1e-10, atol=1e-12)


def test_sample_has_the_mean_and_covariance_of_the_model():
    model = probabilistic_pca(correlated(), 2)
    draw = model.sample(200_000, seed=1)
    scale = np.trace(model.covariance)
    assert np.abs(draw.mean(axis=0) - model.mean).max() < 0.02 * np.sqrt(scale)
    assert np.abs(np.cov(draw.T) - model.covariance).max() < 0.02 * scale


def test_likelihood_of_rank_deficient_data_is_unbounded():
    flat = correlated(p=2) @ np.ones((2, 5)) * np.arange(1, 6) + correlated(p=2)[:, :1]
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


def test_isotropic_data_gives_zero_w():
    X = np.vstack([np.eye(3), -np.eye(3)])
    model = probabilistic_pca(X, 1)
    assert model.noise_variance == pytest.approx(1 / 3)
    assert np.abs(model.W).max() < 1e-7


def column_log_likelihood(X, covariance):
    """Return the log-likelihood of the centred columns under a Gaussian over the objects."""
    columns = (X - X.mean(axis=0)).T
    return gaussian_log_likelihood(columns, np.zeros(len(X)), covariance)


@pytest.mark.parametrize(("n", "p", "k"), [(12, 4, 2), (6, 9, 2), (10, 10, 3)])
def test_dual_agrees_with_shrunk_pca_and_its_likelihood(n, p, k):
    X = correlated(n, p)
    dual, fit = dual_probabilistic_pca(X, k), pca(X, k)
    shrink = np.sqrt(1 / p - dual.noise_variance / fit.eigenvalues)
    assert np.allclose(dual.points, fit.points * shrink, rtol=1e-12, atol=1e-14)
    discarded = fit.spectrum().eigenvalues[k:] / p
    assert dual.noise_variance == pytest.approx(discarded.mean(), rel=1e-10)
    direct = column_log_likelihood(X, dual.covariance)
    assert dual.log_likelihood() == pytest.approx(direct, rel=1e-10)


def test_dual_without_noise_has_unbounded_likelihood():
    dual = dual_probabilistic_pca(correlated(n=6, p=3), 3)
    assert dual.noise_variance == 0
    with pytest.raises(ValueError, match="unbounded"):
        dual.log_likelihood()


def arc():
    """Return noisy points near a curve in five dimensions."""
    rng = np.random.default_rng(0)
    t = np.linspace(-1.5, 1.5, 40)
    curve = np.column_stack([3 * t, t**2, np.sin(2 * t)]) @ rng.standard_normal((3, 5))
    return curve + 0.1 * rng.standard_normal((40, 5)) + 3


@pytest.mark.parametrize("isotropic", [True, False])
@pytest.mark.parametrize("k", [1, 3])
def test_gplvm_gradient_equals_finite_differences(isotropic, k):
    rng = np.random.default_rng(k)
    model = LatentModel(rng.standard_normal((9, 4)), isotropic)
    for _ in range(3):
        parameters = np.append(rng.standard_normal(9 * k), rng.uniform(-1, 1, 2))
        by_steps = approx_fprime(parameters, lambda at: model.loss(at)[0], 1e-7)
        stated = model.loss(parameters)[1]
        assert np.allclose(stated, by_steps, rtol=1e-4, atol=2e-5 * np.abs(stated).max())


@pytest.mark.parametrize("kernel", [RBF(0.5), Linear()], ids=repr)
def test_gplvm_likelihood_equals_the_likelihood_of_its_covariance(kernel):
    X = 10 * arc()
    fit = gplvm(X, 2, kernel)
    stated = column_log_likelihood(X, fit.covariance)
    assert fit.log_likelihood() == pytest.approx(stated, rel=1e-9)
    assert fit.log_likelihood() == fit.log_likelihoods[-1]
    assert np.all(np.diff(fit.log_likelihoods) >= 0)
    assert fit.converged


def test_gplvm_with_linear_kernel_is_the_dual():
    X = 100 * correlated(n=30, p=8)
    dual = dual_probabilistic_pca(X, 2)
    start = 50 * sample(30, 2)
    for fit in (gplvm(X, 2, Linear()), gplvm(X, 2, Linear(), init=start)):
        assert fit.converged
        assert fit.kernel == Linear()
        assert fit.log_likelihood() == pytest.approx(dual.log_likelihood(), abs=1e-3)
        scale = np.abs(dual.covariance).max()
        assert np.allclose(fit.covariance, dual.covariance, atol=2e-3 * scale)
        assert np.allclose(np.abs(fit.points), np.abs(dual.points), atol=4e-3 * scale**0.5)
        assert fit.noise_variance == pytest.approx(dual.noise_variance, rel=1e-3)


def test_theta_determines_the_unit_of_the_latent_space():
    X = arc()
    near, wide = gplvm(X, 2, RBF(0.5)), gplvm(X, 2, RBF(8.0))
    assert wide.log_likelihood() == pytest.approx(near.log_likelihood(), rel=1e-9)
    assert np.allclose(wide.points * 4, near.points, rtol=1e-9)
    assert wide.kernel.kernel == RBF(8.0)


@pytest.mark.parametrize("factor", [2.0**-100, 2.0**100])
def test_gplvm_is_equivariant_to_scaling(factor):
    X = arc()
    fit, other = gplvm(X, 2), gplvm(factor * X, 2)
    assert np.allclose(other.points, fit.points, rtol=1e-9)
    shift = other.log_likelihood() + X.size * np.log(factor)
    assert shift == pytest.approx(fit.log_likelihood(), rel=1e-9)
    assert other.noise_variance == pytest.approx(factor**2 * fit.noise_variance, rel=1e-9)
    assert other.kernel.factor == pytest.approx(factor**2 * fit.kernel.factor, rel=1e-9)


def test_gplvm_points_are_on_their_principal_axes():
    fit = gplvm(arc(), 2)
    assert np.allclose(fit.points.mean(axis=0), 0, atol=1e-12)
    products = fit.points.T @ fit.points
    assert np.allclose(products, np.diag(np.diag(products)), atol=1e-10 * products.max())
    assert np.all(np.diff(np.diag(products)) < 0)
    largest = np.abs(fit.points).argmax(axis=0)
    assert np.all(fit.points[largest, range(2)] > 0)


def test_gplvm_warns_if_it_has_not_converged():
    X = arc()
    with pytest.warns(NotConvergedWarning, match=r"stopped after 3 iterations.*init=fit\."):
        fit = gplvm(X, 2, max_iter=3)
    assert not fit.converged
    assert len(fit.log_likelihoods) == 4


def test_gplvm_noise_has_a_lower_bound():
    t = np.linspace(-1, 1, 12)
    X = np.column_stack([t, t**2, t**3])
    fit = gplvm(X, 1)
    floor = 1e-6 * np.mean((X - X.mean(axis=0)) ** 2)
    assert fit.noise_variance == pytest.approx(floor, rel=1e-9)


ARC = arc()


test_invalid_gplvm_input_is_named = refused(
    (lambda: gplvm(ARC, 2, Exponential(1.0)), "kernel is Exponential"),
    (lambda: gplvm(ARC, 2, init=np.ones((40, 1))), r"init has .*40, 1\): give shape \(40, 2"),
    (lambda: gplvm(ARC, 2, Linear(), init=np.full((40, 2), 1e20)), "init is so large"),
)


def test_gplvm_of_equal_rows_raises_an_error():
    with pytest.warns(FewerComponentsWarning), pytest.raises(ValueError, match="rows of X are eq"):
        gplvm(np.full((6, 3), 0.1))
