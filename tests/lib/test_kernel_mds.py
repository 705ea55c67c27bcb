"""Kernel MDS: equivalence with classical scaling and kernel PCA, definiteness, wide kernels."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_max_ulp
from scipy.spatial.distance import cdist

from kmds_lib._classical_scaling import classical_scaling
from kmds_lib._kernel_mds import kernel_mds
from kmds_lib._kernel_pca import kernel_pca, kernel_pca_from_gram
from kmds_lib.kernels import RBF, Exponential, Linear, Power
from tests.lib.conftest import Cauchy, refused, sample


def euclidean(n=40, p=3, seed=0):
    X = sample(n, p, seed)
    D = cdist(X, X)
    np.fill_diagonal(D, 0.0)
    return X, D


@pytest.mark.parametrize("kernel", [RBF(0.4), Exponential(0.7), Power(1.3)], ids=repr)
def test_kernel_mds_classical_scaling_and_kernel_pca_agree(kernel):
    X, D = euclidean()
    fit = kernel_mds(D, kernel, n_components=3)
    scaled = classical_scaling(fit.feature_distances, 3)
    assert_allclose(fit.points, scaled.points, atol=1e-10)
    components = kernel_pca(X, kernel, n_components=3)
    assert_allclose(fit.points, components.points, atol=1e-10)
    assert fit.explained == pytest.approx(components.explained, rel=1e-10)
    X_new = sample(6, 3, seed=5)
    new = fit.transform(cdist(X_new, X))
    assert_allclose(new, components.transform(X_new), atol=1e-10)
    assert_allclose(fit.transform(D), fit.points, atol=1e-10)
    assert_allclose(components.dissimilarities, D, atol=1e-13)


@pytest.mark.parametrize("theta", [1e-10, 1e-60])
def test_wide_kernel_keeps_the_digits(theta):
    X, D = euclidean()
    limit, unit = classical_scaling(D, 3), np.sqrt(2 * theta)
    fits = [kernel_mds(D, RBF(theta), 3), kernel_pca(X, RBF(theta), 3)]
    for fit, new in zip(fits, (D, X), strict=True):
        assert_allclose(fit.points / unit, limit.points, rtol=0, atol=1e-7)
        assert fit.explained == pytest.approx(1.0, abs=1e-8)
        assert fit.spectrum().explained[0] == pytest.approx(limit.spectrum().explained[0])
        assert_allclose(fit.kernel_diagonal, 1.0)
        assert_allclose(fit.column_means, 1.0, atol=1e-8)
        assert_allclose(fit.feature_distances / unit, D, rtol=1e-7, atol=1e-9)
        assert_allclose(fit.transform(new), fit.points, rtol=0, atol=1e-7 * unit)
        assert_array_max_ulp(fit.gram, RBF(theta).profile(fit.dissimilarities))
        assert fit.residual_sum == pytest.approx(0, abs=1e-6 * theta * 40**2)


D = euclidean()[1]


test_invalid_input_is_named = refused(
    (lambda: kernel_mds(D, Linear()), "isotropic"),
    (lambda: kernel_mds(1e-10 * D, Cauchy()), "constant to rounding: the kernel does not"),
    (lambda: kernel_mds(D, RBF(1.0)).transform(D[:, :3]), "new has shape"),
)


def test_fit_to_a_kernel_matrix_has_no_dissimilarities():
    X, D = euclidean()
    fit = kernel_pca_from_gram(RBF(0.1)(X))
    assert_allclose(fit.feature_distances, kernel_mds(D, RBF(0.1)).feature_distances, atol=1e-7)
    with pytest.raises(AttributeError, match="use feature_distances"):
        fit.shepard()
