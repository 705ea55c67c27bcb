"""Each row of the Rosetta page, under its number: other programs' names, signs and scales.

Python peers are run. R's rows are compared with the values in ``data/reference_values.json``. Rows that
were read in a source compute what that source computes.
"""

import re
import warnings
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.optimize import isotonic_regression
from scipy.spatial import procrustes
from scipy.spatial.distance import pdist, squareform
from scipy.stats import energy_distance
from sklearn.datasets import load_digits
from sklearn.decomposition import PCA, KernelPCA
from sklearn.gaussian_process import kernels as gp
from sklearn.kernel_approximation import Nystroem
from sklearn.manifold import MDS, ClassicalMDS, Isomap, LocallyLinearEmbedding
from sklearn.manifold import smacof as sk_smacof
from sklearn.metrics import pairwise
from sklearn.preprocessing import KernelCenterer, StandardScaler
from sklearn.svm import SVC

import kmds_lib
from kmds_lib import (
    RBF,
    DampedCosine,
    Exponential,
    Linear,
    Polynomial,
    Power,
    additive_constant,
    center_cross_gram,
    center_gram,
    classical_scaling,
    critchley_scaling,
    distance_correlation,
    distance_covariance,
    distances,
    gaussian_log_likelihood,
    gram_from_distances,
    hsic,
    isomap,
    kernel_mds,
    kernel_pca,
    kruskal_stress,
    landmark_scaling,
    locally_linear_embedding,
    pca,
    probabilistic_pca,
    procrustes_align,
    raw_stress,
    sammon,
    smacof,
)
from kmds_lib._embedding import FewerComponentsWarning, NotConvergedWarning
from kmds_lib.sklearn import ClassicalScaling, KernelMDS, Stress
from tests.lib.conftest import CASES, assert_same_columns, sample

PAGE = Path(__file__).parents[2] / "chapters" / "conventions.md"
ROW = re.compile(r"^\| \[(\w+)\]\{#conventions-(\w+) \.row-number\} ", re.MULTILINE)


@pytest.fixture
def odd_even(iris):
    """Odd rows of iris to fit, even rows as new points."""
    return iris[::2], iris[1::2]


@pytest.fixture
def X():
    return sample(30, 4, seed=3) @ np.diag([4.0, 3.0, 2.0, 1.0]) + 5.0


def test_every_row_has_a_test_and_every_test_a_row():
    rows = ROW.findall(PAGE.read_text("utf-8"))
    assert len(rows) > 50
    assert all(shown.lower() == anchor for shown, anchor in rows)
    tests = [name.split("_")[1] for name in globals() if re.match(r"test_[a-z]\d+_", name)]
    assert sorted(tests) == sorted(anchor for _, anchor in rows)


def test_c1_williams_letters(X):
    H = np.eye(len(X)) - 1 / len(X)
    B = H @ (-0.5 * distances(X) ** 2) @ H
    values, vectors = np.linalg.eigh(B)
    his = vectors[:, :-3:-1] * np.sqrt(values[:-3:-1])
    assert_same_columns(classical_scaling(distances(X)).points, his, atol=1e-8)


def test_c2_torgerson_entry_by_entry(eurodist):
    squares = eurodist**2
    rows, columns = squares.mean(axis=1)[:, None], squares.mean(axis=0)
    products = 0.5 * (rows + columns - squares.mean() - squares)
    assert_allclose(products, gram_from_distances(eurodist), rtol=1e-9, atol=1e-3)


def test_c3_gower_lengths(eurodist):
    fit = classical_scaling(eurodist, 3)
    assert_allclose(np.sum(fit.points**2, axis=0), fit.eigenvalues, rtol=1e-10)


def test_c4_cmdscale_x(eurodist, oracle):
    theirs = np.array(oracle("eurodist_cmdscale_k2")["x_minus_double_centred_D2"])
    assert_allclose(theirs, -2 * gram_from_distances(eurodist), rtol=1e-8, atol=1e-3)


def test_c5_cmdscale_eig(eurodist, oracle):
    theirs = oracle("eurodist_cmdscale_k2")["eig"]
    ours = classical_scaling(eurodist).spectrum().eigenvalues
    assert len(theirs) == len(eurodist)
    assert_allclose(ours, theirs, rtol=1e-8, atol=1e-4)


def test_c6_cmdscale_gof(eurodist, oracle):
    fit = classical_scaling(eurodist)
    theirs = oracle("eurodist_cmdscale_k2")["GOF"]
    assert_allclose(fit.spectrum().goodness_of_fit(2), theirs, rtol=1e-8)
    assert_allclose(fit.explained, theirs[0], rtol=1e-8)
    assert theirs[1] - theirs[0] > 0.1


def test_c7_cmdscale_ac(eurodist, oracle):
    theirs = oracle("eurodist_cmdscale_add")["ac"]
    assert_allclose(additive_constant(eurodist), theirs, rtol=1e-7)
    assert abs(additive_constant(eurodist, "lingoes") / theirs - 1) > 0.1


def test_c8_wcmdscale_eig(eurodist, oracle):
    theirs = oracle("eurodist_wcmdscale")["eig"]
    ours = classical_scaling(eurodist).spectrum().eigenvalues
    kept = np.delete(ours, np.argmin(np.abs(ours)))
    assert len(theirs) == len(eurodist) - 1
    assert_allclose(kept, theirs, rtol=1e-7)


def test_c9_wcmdscale_gof(eurodist, oracle):
    fit = classical_scaling(eurodist)
    assert_allclose(1 - abs(fit.negative_mass), oracle("eurodist_wcmdscale")["GOF"][0], rtol=1e-7)


def test_c10_wcmdscale_negaxes(eurodist, oracle):
    values, vectors = np.linalg.eigh(gram_from_distances(eurodist))
    theirs = np.array(oracle("eurodist_wcmdscale")["negaxes"])
    negative = np.flatnonzero(values < -1.0)[::-1]
    ours = vectors[:, negative] * np.sqrt(-values[negative])
    assert_same_columns(ours, theirs, atol=1e-4)
    fewer = len(eurodist) - 1 - len(negative)
    with pytest.warns(FewerComponentsWarning):
        assert classical_scaling(eurodist, len(eurodist) - 1).points.shape[1] == fewer


def test_c11_classical_mds(eurodist):
    theirs = ClassicalMDS(2, metric="precomputed").fit(eurodist)
    ours = classical_scaling(eurodist)
    assert_same_columns(ours.points, theirs.embedding_, rtol=1e-7, atol=1e-5)
    assert_allclose(ours.eigenvalues, theirs.eigenvalues_, rtol=1e-9)


def test_c12_mds_is_least_stress(eurodist):
    start = classical_scaling(eurodist).points
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        theirs = MDS(
            2, metric="precomputed", init="classical_mds", n_init=1, eps=1e-9, max_iter=2000
        ).fit_transform(eurodist)
    ours = smacof(eurodist, init="classical", tol=1e-7).points
    size = np.linalg.norm(ours)
    assert procrustes_align(theirs, target=ours).residual < 1e-3 * size
    assert procrustes_align(theirs, target=start).residual > 1e-2 * size


def test_c13_pcoa(eurodist):
    values = np.linalg.eigvalsh(gram_from_distances(eurodist))[::-1].clip(min=0)
    share = (values / values.sum())[:2].sum()
    assert_allclose(share, classical_scaling(eurodist).spectrum().goodness_of_fit(2)[1], rtol=1e-9)


def test_c14_scipy_procrustes(X):
    rng = np.random.default_rng(8)
    moved = 3 * X @ np.linalg.qr(rng.normal(size=(4, 4)))[0] + rng.normal(size=X.shape) + 2
    _, _, theirs = procrustes(X, moved)
    ours = procrustes_align(moved, target=X, scaling=True).residual
    assert_allclose(ours**2, theirs * np.sum((X - X.mean(axis=0)) ** 2), rtol=1e-8)


def test_p1_williams_axes(X):
    values, vectors = np.linalg.eigh(gram_from_distances(distances(X)))
    his = (X - X.mean(axis=0)).T @ vectors[:, :-5:-1]
    assert_allclose(np.linalg.norm(his, axis=0) ** 2, values[:-5:-1], rtol=1e-9)
    fit = pca(X, 4)
    assert_same_columns(fit.axes * np.sqrt(fit.eigenvalues), his, atol=1e-8)


def test_p2_explained_variance(X):
    n, fit = len(X), pca(X, 3)
    theirs = PCA(3).fit(X).explained_variance_
    assert_allclose(fit.eigenvalues / (n - 1), theirs, rtol=1e-9)
    assert_allclose(fit.variances, theirs * (n - 1) / n, rtol=1e-9)


def test_p3_singular_values(X):
    assert_allclose(np.sqrt(pca(X, 3).eigenvalues), PCA(3).fit(X).singular_values_, rtol=1e-9)


def test_p4_components_in_rows(X):
    assert_same_columns(pca(X, 3).axes, PCA(3).fit(X).components_.T, atol=1e-8)


def test_p5_prcomp_sdev(iris, oracle):
    ours = np.sqrt(pca(iris, 4).eigenvalues / (len(iris) - 1))
    assert_allclose(ours, oracle("iris_prcomp_cmdscale")["sdev"], rtol=1e-8)


def test_p6_prcomp_rotation_and_x(iris, oracle):
    theirs, fit = oracle("iris_prcomp_cmdscale"), pca(iris, 4)
    assert_same_columns(fit.axes, theirs["rotation"], atol=1e-8)
    signs = np.sign(np.sum(fit.axes * np.array(theirs["rotation"]), axis=0))[:2]
    assert_allclose((fit.points[:, :2] * signs)[:5], theirs["x2_first5"], rtol=1e-8)


def test_p7_np_cov(X):
    Xc = X - X.mean(axis=0)
    assert_allclose(np.cov(X.T, bias=True), Xc.T @ Xc / len(X), rtol=1e-10)
    assert_allclose(np.cov(X.T), Xc.T @ Xc / (len(X) - 1), rtol=1e-10)


def test_p8_tipping_and_bishop(X):
    values, U = np.linalg.eigh(np.cov(X.T, bias=True))
    values, U, d, q = values[::-1], U[:, ::-1], 4, 2
    noise = values[q:].sum() / (d - q)
    W = U[:, :q] @ np.diag(np.sqrt(values[:q] - noise))
    fit = probabilistic_pca(X, q)
    assert_allclose(fit.noise_variance, noise, rtol=1e-9)
    assert_allclose(fit.W @ fit.W.T, W @ W.T, rtol=1e-8, atol=1e-9)
    assert_allclose(values[:q], pca(X, q).eigenvalues / len(X), rtol=1e-9)


def test_p9_sklearn_noise_variance(iris):
    theirs, fit, factor = PCA(2).fit(iris), probabilistic_pca(iris, 2), 150 / 149
    assert_allclose(factor * fit.noise_variance, theirs.noise_variance_, rtol=1e-9)
    assert_allclose(factor * fit.covariance, theirs.get_covariance(), rtol=1e-8)


def test_p10_sklearn_score(iris):
    theirs = PCA(2).fit(iris)
    total = gaussian_log_likelihood(iris, iris.mean(axis=0), theirs.get_covariance())
    assert_allclose(total / len(iris), theirs.score(iris), rtol=1e-9)
    assert probabilistic_pca(iris, 2).log_likelihood() > total


def test_k1_schoelkopf_scale(X):
    values, M = np.linalg.eigvalsh(center_gram(RBF(0.01)(X))), len(X)
    fit = kernel_pca(X, RBF(0.01), 3)
    assert_allclose(fit.eigenvalues, values[:-4:-1], rtol=1e-8)
    # his normalisation of alpha: (eigenvalue of K) * alpha . alpha = 1
    alpha = fit.coefficients
    assert_allclose(fit.eigenvalues * np.sum(alpha**2, axis=0), 1, rtol=1e-8)
    assert_allclose(np.mean(fit.points**2, axis=0), values[:-4:-1] / M, rtol=1e-8)


def test_k2_cornell_scale(X):
    fit = kernel_pca(X, Polynomial(1), 3)
    covariance = np.linalg.eigvalsh(np.cov(X.T, bias=True))[:0:-1]
    assert_allclose(fit.eigenvalues / len(X), covariance, rtol=1e-8)


def test_k3_williams_remark_3(X):
    kernel, new = RBF(0.01), sample(6, 4) + 5
    values, vectors = np.linalg.eigh(center_gram(kernel(X)))
    his = kernel(new, X) @ vectors[:, :-3:-1]
    ours = kernel_pca(X, kernel).transform(new)
    shifted = his / np.sqrt(values[:-3:-1])
    assert_same_columns(
        ours - ours.mean(axis=0), shifted - shifted.mean(axis=0), rtol=1e-8, atol=1e-10
    )
    constant = np.abs(ours) - np.abs(shifted)
    assert np.abs(constant).max() > 1e-3


def test_k4_kernel_pca_scale(odd_even):
    train, _ = odd_even
    theirs = KernelPCA(4, kernel="rbf", gamma=0.2, eigen_solver="dense").fit(train)
    fit = kernel_pca(train, RBF(0.2), 4)
    assert_allclose(fit.eigenvalues, theirs.eigenvalues_, rtol=1e-8)
    assert_same_columns(fit.points / np.sqrt(fit.eigenvalues), theirs.eigenvectors_, atol=1e-8)
    assert_same_columns(fit.points, theirs.transform(train), atol=1e-8)


def test_k5_kernel_centerer(odd_even):
    train, new = odd_even
    K, K_new = RBF(0.2)(train), RBF(0.2)(new, train)
    centerer = KernelCenterer().fit(K)
    assert_allclose(center_gram(K), centerer.transform(K), atol=1e-12)
    assert_allclose(center_cross_gram(K_new, K), centerer.transform(K_new), atol=1e-12)


def test_k6_kernlab_eig(odd_even, oracle):
    train, _ = odd_even
    ours = kernel_pca(train, RBF(0.2), 4).eigenvalues / len(train)
    assert_allclose(ours, oracle("iris_kernlab_rbf")["eig_over_n"], rtol=1e-7)


def test_k7_kernlab_pcv(odd_even, oracle):
    train, _ = odd_even
    ours = np.sqrt(len(train)) * kernel_pca(train, RBF(0.2), 4).coefficients
    theirs = oracle("iris_kernlab_rbf")["pcv_first5"]
    assert_same_columns(ours[:5], theirs, rtol=1e-6, atol=1e-7)


def test_k8_kernlab_rotated(odd_even, oracle):
    train, _ = odd_even
    ours = np.sqrt(len(train)) * kernel_pca(train, RBF(0.2), 4).points
    theirs = oracle("iris_kernlab_rbf")["rotated_first5"]
    assert_same_columns(ours[:5], theirs, rtol=1e-6, atol=1e-6)


def test_m1_feature_distances(X):
    K = RBF(0.05)(X)
    fit = kernel_mds(distances(X), RBF(0.05))
    assert_allclose(fit.feature_distances, np.sqrt(2 * (1 - K)), atol=1e-7)


def test_m2_gamma_is_the_explained_fraction(X):
    values = np.linalg.eigvalsh(center_gram(RBF(0.05)(X)))[::-1]
    fit = kernel_mds(distances(X), RBF(0.05))
    assert_allclose(fit.explained, values[:2].sum() / values.sum(), rtol=1e-9)


def test_m3_residual_sum(X):
    values = np.linalg.eigvalsh(center_gram(RBF(0.05)(X)))[::-1]
    fit = kernel_mds(distances(X), RBF(0.05))
    assert_allclose(fit.residual_sum, 2 * len(X) * values[2:].sum(), rtol=1e-9)


def test_m4_critchley(X):
    D = distances(X)
    ours = critchley_scaling(D, 0.6).points
    assert_same_columns(ours, classical_scaling(D**0.6).points, atol=1e-8)
    assert_same_columns(kernel_mds(D, Power(1.2)).points, np.sqrt(2) * ours, atol=1e-8)


def test_m5_beta_of_figure_1():
    pixels = load_digits().data[:400]
    pixels = pixels * np.sqrt(0.5 / pixels.var(axis=0).mean())
    p, beta = pixels.shape[1], 4.0
    average = np.mean(distances(pixels) ** 2)
    assert_allclose(beta / p * average, beta, rtol=1e-9)
    assert p * beta * average > 1000 * beta


def test_m6_kernel_pca_of_a_table(X):
    D, kernel = distances(X), RBF(0.05)
    theirs = KernelPCA(2, kernel="precomputed").fit_transform(kernel.profile(D))
    assert_same_columns(kernel_mds(D, kernel).points, theirs, atol=1e-8)


def test_s1_unordered_pairs(eurodist):
    points = sample(len(eurodist), 2, seed=1) * 1000
    once = np.sum((distances(points) - eurodist)[np.triu_indices(len(eurodist), 1)] ** 2)
    assert_allclose(raw_stress(points, eurodist) / 2, once, rtol=1e-10)


def sklearn_map(eurodist, **options):
    """Run scikit-learn's SMACOF from the classical map; give the points and the stress."""
    start = classical_scaling(eurodist).points
    return sk_smacof(
        eurodist, metric=True, init=start, n_init=1, max_iter=300, eps=1e-9, **options
    )


def test_s2_sklearn_raw_stress(eurodist):
    points, stress = sklearn_map(eurodist, normalized_stress=False)
    assert_allclose(raw_stress(points, eurodist) / 2, stress, rtol=1e-9)


def test_s3_sklearn_normalized_stress(eurodist):
    points, stress = sklearn_map(eurodist, normalized_stress=True)
    assert_allclose(kruskal_stress(points, eurodist), stress, rtol=1e-9)


def test_s4_weights(eurodist):
    W = np.random.default_rng(2).uniform(0.5, 2, size=eurodist.shape)
    W = W + W.T
    fit = smacof(eurodist, weights=W, max_iter=200, tol=1e-4)
    loss = np.sum(W * (distances(fit.points) - eurodist) ** 2)
    assert_allclose(fit.raw_stress, loss, rtol=1e-9)


def start_stress(D, X, **options):
    """Return Kruskal's stress-1 of a configuration with its best disparities."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", NotConvergedWarning)
        first = smacof(D, X.shape[1], init=X, max_iter=1, **options).history[0]
    return np.sqrt(first / (first + np.sum(np.square(D))))


def test_s5_isomds_stress(eurodist, oracle):
    theirs = oracle("eurodist_isoMDS")
    points, upper = np.array(theirs["points"]), np.triu_indices(len(eurodist), 1)
    ranked = distances(points)[upper][np.argsort(eurodist[upper], kind="stable")]
    in_input_order = 100 * np.linalg.norm(ranked - isotonic_regression(ranked).x)
    in_input_order /= np.linalg.norm(ranked)
    assert_allclose(in_input_order, theirs["stress_percent_converged"], rtol=1e-4)
    primary, secondary = (
        100 * start_stress(eurodist, points, transform="ordinal", ties=ties)
        for ties in ("primary", "secondary")
    )
    assert primary == pytest.approx(5.8159, abs=5e-5)
    assert primary < 0.999 * in_input_order < in_input_order < secondary / 1.001
    assert 100 * smacof(eurodist, transform="ordinal").stress < primary


def test_s6_sammon_stress(oracle):
    D = distances(np.array(oracle("swiss_data")["X"]))
    theirs = oracle("swiss_sammon")
    points = np.array(theirs["points"])
    upper = np.triu_indices(len(D), 1)
    delta, d = D[upper], distances(points)[upper]
    loss = np.sum((d - delta) ** 2 / delta) / delta.sum()
    assert_allclose(loss, theirs["stress_converged"], rtol=1e-8)
    fit = sammon(D, init=points, tol=1e-7)
    assert_allclose(fit.history[0], loss, rtol=1e-8)
    assert fit.n_iter == 0
    assert sammon(D).stress < loss


def test_s7_sine_and_tangent(eurodist):
    fit = smacof(eurodist, tol=1e-9, max_iter=5000)
    sine = np.linalg.norm(distances(fit.points) - eurodist) / np.linalg.norm(eurodist)
    assert_allclose(fit.stress, np.tan(np.arcsin(sine)), rtol=1e-6)
    ratio = smacof(eurodist, transform="ratio", tol=1e-9, max_iter=5000)
    assert_allclose(ratio.stress, sine, rtol=1e-6)
    d, dhat = distances(ratio.points), ratio.disparities
    assert_allclose(np.linalg.norm(d - dhat) / np.linalg.norm(d), sine, rtol=1e-6)


def test_s8_guttman_transform():
    case = CASES["BorgGroenen_smacof_p154"]
    D, Z = np.array(case["input"]["D"]), np.array(case["input"]["Z"])
    d, theirs = distances(Z), case["output"]
    ratio = np.divide(D, d, out=np.zeros_like(D), where=d > 0)
    laplacian = np.diag(ratio.sum(axis=1)) - ratio
    with pytest.warns(NotConvergedWarning):
        step = smacof(D, init=Z, max_iter=1).points
    assert_allclose(step, laplacian @ Z / 4, atol=1e-12)
    assert_allclose(step, theirs["X_after_1_step_published"], atol=1e-3)
    limit = smacof(D, init=Z, tol=1e-8).raw_stress / 2
    assert_allclose(limit, theirs["raw_stress_limit_sklearn"], rtol=1e-6)


def test_n1_gower_formula(eurodist):
    old, new = eurodist[:18, :18], eurodist[18:, :18]
    fit = classical_scaling(old)
    b = np.diag(gram_from_distances(old))
    formula = 0.5 * (b - new**2) @ fit.points / fit.eigenvalues
    assert_allclose(fit.transform(new), formula, rtol=1e-9)


def test_n2_classical_mds_has_no_transform():
    for theirs, ours in ((ClassicalMDS, ClassicalScaling), (MDS, Stress)):
        assert not hasattr(theirs(), "transform")
        assert hasattr(ours(), "transform")


def test_n3_kernel_pca_transform(odd_even):
    train, new = odd_even
    theirs = KernelPCA(4, kernel="rbf", gamma=0.2).fit(train).transform(new)
    assert_same_columns(kernel_pca(train, RBF(0.2), 4).transform(new), theirs, atol=1e-8)


def test_n4_kernlab_predict(odd_even, oracle):
    train, new = odd_even
    ours = np.sqrt(len(train)) * kernel_pca(train, RBF(0.2), 4).transform(new)
    assert_same_columns(ours[:5], oracle("iris_kernlab_rbf")["predict_first5"], rtol=1e-6)


def test_n5_landmark_mds(X):
    rows = np.arange(12)
    table, to_landmarks = distances(X[rows]), distances(X, X[rows])
    values, vectors = np.linalg.eigh(gram_from_distances(table))
    gaps = to_landmarks**2 - (table**2).mean(axis=0)
    formula = -0.5 * gaps @ vectors[:, :-3:-1] / np.sqrt(values[:-3:-1])
    ours = landmark_scaling(distances(X), landmarks=rows, metric="precomputed").points
    assert_same_columns(ours, formula, atol=1e-8)
    assert_same_columns(classical_scaling(table).transform(to_landmarks), formula, atol=1e-8)


def test_n6_nystroem(odd_even):
    train, new = odd_even
    peer = Nystroem(kernel="rbf", gamma=0.2, n_components=20, random_state=0).fit(train)
    landmarks = peer.components_
    centred = peer.transform(landmarks) - peer.transform(landmarks).mean(axis=0)
    axes = np.linalg.svd(centred, full_matrices=False)[2][:3].T
    theirs = (peer.transform(new) - peer.transform(landmarks).mean(axis=0)) @ axes
    assert_same_columns(kernel_pca(landmarks, RBF(0.2), 3).transform(new), theirs, atol=1e-7)


def test_t1_williams_theta(X):
    assert_allclose(RBF(0.03)(X), np.exp(-0.03 * distances(X) ** 2), rtol=1e-9)


def test_t2_rbf_kernel_gamma(X):
    assert_allclose(RBF(0.03)(X), pairwise.rbf_kernel(X, gamma=0.03), rtol=1e-9)
    assert_allclose(RBF(1 / X.shape[1])(X), pairwise.rbf_kernel(X), rtol=1e-9, atol=1e-300)
    with pytest.raises(TypeError):
        RBF()


def test_t3_length_scale(X):
    assert_allclose(RBF(1 / (2 * 3.0**2))(X), gp.RBF(length_scale=3.0)(X), rtol=1e-9)


def test_t4_widths(X):
    squares = distances(X) ** 2
    assert_allclose(RBF(1 / (2 * 4.0**2))(X), np.exp(-squares / (2 * 4.0**2)), rtol=1e-9)
    assert_allclose(RBF(1 / 30.0)(X), np.exp(-squares / 30.0), rtol=1e-9)


def test_t5_kernlab_sigma(odd_even, oracle):
    train, _ = odd_even
    theirs = np.array(oracle("iris_kernlab_rbf")["eig_over_n"])
    as_rate = kernel_pca(train, RBF(0.2), 4).eigenvalues / len(train)
    as_width = kernel_pca(train, RBF(1 / (2 * 0.2**2)), 4).eigenvalues / len(train)
    assert_allclose(as_rate, theirs, rtol=1e-7)
    assert np.abs(as_width / theirs - 1).max() > 0.1


def test_t6_kernlab_laplacedot(X):
    products, squares = X @ X.T, np.sum(X**2, axis=1)
    theirs = np.exp(-0.4 * np.sqrt(np.round(squares[:, None] + squares - 2 * products, 9)))
    assert_allclose(Exponential(0.4)(X), theirs, rtol=1e-7)


def test_t7_laplacian_kernel(X):
    theirs = pairwise.laplacian_kernel(X, gamma=0.1)
    assert np.abs(Exponential(0.1)(X) - theirs).max() > 0.01
    line = X[:, :1]
    assert_allclose(Exponential(0.1)(line), pairwise.laplacian_kernel(line, gamma=0.1), rtol=1e-9)


def test_t8_matern(X):
    assert_allclose(Exponential(1 / 2.5)(X), gp.Matern(length_scale=2.5, nu=0.5)(X), rtol=1e-9)


def test_t9_polynomial_kernel(X):
    theirs = pairwise.polynomial_kernel(X, degree=3, gamma=0.2, coef0=2.0)
    assert_allclose(Polynomial(3, 2.0, 0.2)(X), theirs, rtol=1e-9)


def test_t10_kernlab_polydot(X):
    scale, offset, degree = 0.2, 2.0, 3
    theirs = (scale * X @ X.T + offset) ** degree
    assert_allclose(Polynomial(degree, offset, scale)(X), theirs, rtol=1e-9)


def test_t11_williams_polynomial(X):
    assert_allclose(Polynomial(3)(X), (1 + X @ X.T) ** 3, rtol=1e-9)


def test_t12_power_exponent(X):
    assert_allclose(Power(1.2)(X), -(squareform(pdist(X)) ** 1.2), rtol=1e-9, atol=1e-9)


def test_t13_linear_kernel(X):
    assert_allclose(Linear()(X), pairwise.linear_kernel(X), rtol=1e-9)


def test_t14_damped_cosine(X):
    delta = squareform(pdist(X))
    assert_allclose(DampedCosine(0.3, 0.1)(X), np.exp(-0.3 * delta) * np.cos(0.1 * delta))


def test_t15_gamma_scale(iris):
    labels = np.repeat([0, 1, 2], 50)
    standard = StandardScaler().fit_transform(iris)
    for X, same in ((standard, True), (standard + np.arange(4), False)):
        theirs = SVC(gamma="scale").fit(X, labels)._gamma
        assert theirs == pytest.approx(1 / (X.shape[1] * X.var()))
        ours = KernelMDS(theta="scale").fit(X).theta_
        assert np.isclose(ours, theirs) == same
        assert ours == pytest.approx(1 / X.var(axis=0).sum())


def test_l1_lle_scale(oracle):
    swiss = np.array(oracle("swiss_data")["X"])
    ours = locally_linear_embedding(swiss, n_neighbors=10).points
    theirs = LocallyLinearEmbedding(n_neighbors=10, eigen_solver="dense").fit_transform(swiss)
    assert_allclose(np.linalg.norm(theirs, axis=0), 1, rtol=1e-6)
    assert_same_columns(ours / np.sqrt(len(swiss)), theirs, atol=1e-6)


def test_l2_isomap(X):
    theirs = Isomap(n_neighbors=8).fit(X).embedding_
    assert_same_columns(isomap(X, n_neighbors=8).points, theirs, atol=1e-6)


def test_l3_dcov_is_a_root(iris, oracle):
    ours = distance_covariance(iris[:50], iris[50:100])
    assert_allclose(np.sqrt(ours), oracle("iris_dcov")["dCov"], rtol=1e-9)


def test_l4_dcor(iris, oracle):
    theirs, pair = oracle("iris_dcov"), (iris[:50], iris[50:100])
    assert_allclose(np.sqrt(distance_correlation(*pair)), theirs["dCor"], rtol=1e-9)
    assert_allclose(distance_correlation(*pair, estimator="U"), theirs["bcdcor"], rtol=1e-8)


def test_l5_energy_distance(X):
    x, y = X[:12, 0], X[12:, 0] + 1
    ours = kmds_lib.energy_distance(x[:, None], y[:, None])
    assert_allclose(np.sqrt(ours), energy_distance(x, y), rtol=1e-8)


def test_l6_hsic_divisor(X):
    K, L, n = center_gram(RBF(0.05)(X)), center_gram(RBF(0.1)(X[:, ::-1])), len(X)
    first = np.sum(K * L) / (n - 1) ** 2
    ours = hsic(X, X[:, ::-1], RBF(0.05), RBF(0.1))
    assert_allclose(ours * n**2 / (n - 1) ** 2, first, rtol=1e-9)
