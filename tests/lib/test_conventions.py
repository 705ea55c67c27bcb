"""The rows of the conventions page: names, signs and scales of other programs.

Python programs are run. Rows about R are compared with the values that R printed, in
``data/reference_values.json``. Rows that were read in a source compute what that source computes.
Each row of the page has an entry in one of the tables below, or a test that begins with its
number.
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
from sklearn.datasets import load_digits, load_iris
from sklearn.decomposition import PCA, KernelPCA
from sklearn.gaussian_process import kernels as gp
from sklearn.kernel_approximation import Nystroem
from sklearn.manifold import MDS, ClassicalMDS
from sklearn.manifold import smacof as sk_smacof
from sklearn.metrics import pairwise
from sklearn.preprocessing import KernelCenterer, StandardScaler
from sklearn.svm import SVC

import kmds_lib as km
from kmds_lib import RBF, distances, gram_from_distances
from kmds_lib.results import FewerComponentsWarning, NotConvergedWarning
from kmds_lib.sklearn import ClassicalScaling, KernelMDS, Stress
from tests.lib.conftest import CASES, assert_same_columns, sample

PAGE = Path(__file__).parents[2] / "chapters" / "conventions.md"
ROW = re.compile(r"^\| \[(\w+)\]\{#conventions-(\w+) \.row-number\} ", re.MULTILINE)

X = sample(30, 4, seed=3) @ np.diag([4.0, 3.0, 2.0, 1.0]) + 5.0
D = distances(X)
Y, Z = X[:12, :1], X[12:, :1] + 1
COV = np.cov(X.T, bias=True)
IRIS = load_iris().data
IRIS_PAIR = IRIS[:50], IRIS[50:100]
TRAIN, NEW = IRIS[::2], IRIS[1::2]
SK_PRECOMPUTED = KernelPCA(2, kernel="precomputed").fit_transform
ROOT_N = np.sqrt(len(TRAIN))
ROADS = km.load_eurodist().distances
ROAD_GRAM = gram_from_distances(ROADS)
PAIRS = np.triu_indices(len(ROADS), 1)
R = {name: case["output"] for name, case in CASES.items()}
SWISS = np.transpose(list(R["swiss_data"].values()))
KERNLAB, CMDSCALE, WCMDSCALE = (
    R[name] for name in ("iris_kernlab_rbf", "eurodist_cmdscale_k2", "eurodist_wcmdscale")
)


def leading(M, k):
    """Return the k largest eigenvalues and their eigenvectors."""
    values, vectors = np.linalg.eigh(M)
    return values[: -k - 1 : -1], vectors[:, : -k - 1 : -1]


def scaled_axes(B, k):
    """Return eigenvectors times roots of eigenvalues."""
    values, vectors = leading(B, k)
    return vectors * np.sqrt(values)


def kernel_values():
    """Return the eigenvalues of a centred kernel matrix, in descending order."""
    return np.linalg.eigvalsh(km.center_gram(RBF(0.05)(X)))[::-1]


def rbf_mds():
    return km.kernel_mds(D, RBF(0.05))


def road_fit():
    return km.classical_scaling(ROADS)


def road_spectrum():
    return road_fit().spectrum()


def iris_kernel_pca():
    return km.kernel_pca(TRAIN, RBF(0.2), 4)


def sklearn_smacof(loss, normalized):
    """Return our loss of the map by scikit-learn's SMACOF, and the stress that it reports."""
    options = {"n_init": 1, "max_iter": 300, "eps": 1e-9, "normalized_stress": normalized}
    points, stress = sk_smacof(ROADS, metric=True, init=road_fit().points, **options)
    return loss(points), stress


def first_stress(D, Y, **options):
    """Return Kruskal's stress-1 of a configuration with its best disparities."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", NotConvergedWarning)
        raw = km.smacof(D, Y.shape[1], init=Y, max_iter=1, **options).history[0]
    return np.sqrt(raw / (raw + np.sum(np.square(D))))


def torgerson(squares):
    """Return the scalar products about the centroid, entry by entry."""
    rows, columns = squares.mean(axis=1)[:, None], squares.mean(axis=0)
    return 0.5 * (rows + columns - squares.mean() - squares)


# Each entry returns our numbers, theirs, and the relative and absolute tolerance.
SAME_NUMBERS = {
    "c2": lambda: (torgerson(ROADS**2), ROAD_GRAM, 1e-9, 1e-3),
    "c3": lambda: (np.sum(road_fit().points ** 2, axis=0), road_fit().eigenvalues),
    "c4": lambda: (-2 * ROAD_GRAM[:2], CMDSCALE["x_minus_double_centred_D2_first2"], 1e-8, 1e-3),
    "c5": lambda: (road_spectrum().eigenvalues, CMDSCALE["eig"], 1e-8, 1e-4),
    "c9": lambda: (1 - road_spectrum().negative_mass, WCMDSCALE["GOF"][0], 1e-7),
    "p3": lambda: (np.sqrt(km.pca(X, 3).eigenvalues), PCA(3).fit(X).singular_values_),
    "p5": lambda: (np.sqrt(km.pca(IRIS, 4).eigenvalues / 149), R["iris_prcomp"]["sdev"], 1e-8),
    "k1": lambda: (km.kernel_pca(X, RBF(0.05), 3).points.var(axis=0), kernel_values()[:3] / 30),
    "k2": lambda: (km.kernel_pca(X, km.Polynomial(1)).eigenvalues / 30, leading(COV, 2)[0], 1e-8),
    "k6": lambda: (iris_kernel_pca().eigenvalues / len(TRAIN), KERNLAB["eig_over_n"], 1e-7),
    "m1": lambda: (rbf_mds().feature_distances, np.sqrt(2 * (1 - RBF(0.05)(X))), 1e-7, 1e-7),
    "m2": lambda: (rbf_mds().explained, kernel_values()[:2].sum() / kernel_values().sum()),
    "m3": lambda: (rbf_mds().residual_sum, 2 * len(X) * kernel_values()[2:].sum()),
    "s2": lambda: sklearn_smacof(lambda Y: km.raw_stress(Y, ROADS) / 2, False),
    "s3": lambda: sklearn_smacof(lambda Y: km.kruskal_stress(Y, ROADS), True),
    "t1": lambda: (RBF(0.03)(X), np.exp(-0.03 * D**2)),
    "t3": lambda: (RBF(1 / (2 * 3.0**2))(X), gp.RBF(length_scale=3.0)(X)),
    "t4": lambda: (RBF(1 / (2 * 4.0**2))(X), np.exp(-(D**2) / (2 * 4.0**2))),
    "t6": lambda: (km.Exponential(0.4)(X), np.exp(-0.4 * squareform(pdist(X))), 1e-7),
    "t8": lambda: (km.Exponential(1 / 2.5)(X), gp.Matern(length_scale=2.5, nu=0.5)(X)),
    "t9": lambda: (km.Polynomial(3, 2.0, 0.2)(X), pairwise.polynomial_kernel(X, X, 3, 0.2, 2.0)),
    "t10": lambda: (km.Polynomial(3, 2.0, 0.2)(X), (0.2 * X @ X.T + 2.0) ** 3),
    "t11": lambda: (km.Polynomial(3)(X), (1 + X @ X.T) ** 3),
    "t12": lambda: (km.Power(1.2)(X), -(squareform(pdist(X)) ** 1.2), 1e-9, 1e-9),
    "t13": lambda: (km.Linear()(X), pairwise.linear_kernel(X)),
    "t14": lambda: (km.DampedCosine(0.3, 0.1)(X), np.exp(-0.3 * D) * np.cos(0.1 * D), 1e-7),
    "l3": lambda: (np.sqrt(km.distance_covariance(*IRIS_PAIR)), R["iris_dcov"]["dCov"]),
    "l5": lambda: (np.sqrt(km.energy_distance(Y, Z)), energy_distance(Y[:, 0], Z[:, 0]), 1e-8),
}

# The same for coordinates, which are compared up to the signs of their columns.
SAME_COLUMNS = {
    "c1": lambda: (km.classical_scaling(D).points, scaled_axes(torgerson(D**2), 2), 1e-7, 1e-8),
    "p4": lambda: (km.pca(X, 3).axes, PCA(3).fit(X).components_.T, 1e-7, 1e-8),
    "k7": lambda: (ROOT_N * iris_kernel_pca().coefficients[:2], KERNLAB["pcv_first2"], 1e-6, 1e-7),
    "k8": lambda: (ROOT_N * iris_kernel_pca().points[:2], KERNLAB["rotated_first2"], 1e-6, 1e-6),
    "m6": lambda: (rbf_mds().points, SK_PRECOMPUTED(RBF(0.05).profile(D)), 1e-7, 1e-8),
    "n4": lambda: (ROOT_N * iris_kernel_pca().transform(NEW)[:2], KERNLAB["predict_first2"], 1e-6),
}

# Rows that another test proves.
PROVED_BY = {
    "p2": ("test_pca.py", "test_pca_agrees_with_scikit_learn"),
    "p7": ("test_conventions.py", "test_p8_tipping_and_bishop"),
    "k4": ("test_kernel_pca.py", "test_scores_agree_with_scikit_learn"),
    "s1": ("test_smacof.py", "test_smacof_minimises_the_stress_of_the_definition"),
    "s4": ("test_smacof.py", "test_stress_decreases_and_results_are_consistent"),
    "s8": ("test_smacof.py", "test_first_step_is_the_guttman_transform"),
    "n3": ("test_kernel_pca.py", "test_scores_agree_with_scikit_learn"),
    "t5": ("test_conventions.py", "test_row_of_equal_numbers"),  # row k6
    "l1": ("test_graph_embedding.py", "test_lle_equals_scikit_learn"),
    "l2": ("test_neighbor_graph.py", "test_isomap_by_metric_and_radius_equals_scikit_learn"),
    "l6": ("test_kernel_tests.py", "test_hsic_agrees_with_its_definition"),
}


def test_every_row_has_a_test_and_every_test_a_row():
    rows = ROW.findall(PAGE.read_text("utf-8"))
    assert len(rows) > 50
    assert all(shown.lower() == anchor for shown, anchor in rows)
    tests = [name.split("_")[1] for name in globals() if re.match(r"test_[a-z]\d+_", name)]
    tests += [*SAME_NUMBERS, *SAME_COLUMNS, *PROVED_BY]
    assert sorted(tests) == sorted(row for _, row in rows)
    for file, name in PROVED_BY.values():
        assert f"def {name}(" in Path(__file__).with_name(file).read_text("utf-8")


@pytest.mark.parametrize("row", SAME_NUMBERS)
def test_row_of_equal_numbers(row):
    ours, theirs, rtol, atol = (*SAME_NUMBERS[row](), 1e-9, 0)[:4]
    assert_allclose(ours, theirs, rtol=rtol, atol=atol)


@pytest.mark.parametrize("row", SAME_COLUMNS)
def test_row_of_equal_columns_up_to_sign(row):
    ours, theirs, rtol, atol = (*SAME_COLUMNS[row](), 0)[:4]
    assert_same_columns(ours, theirs, rtol=rtol, atol=atol)


def test_c6_cmdscale_gof():
    theirs = CMDSCALE["GOF"]
    assert_allclose(road_spectrum().goodness_of_fit(2), theirs, rtol=1e-8)
    assert_allclose(km.classical_scaling(ROADS).explained, theirs[0], rtol=1e-8)
    assert theirs[1] - theirs[0] > 0.1


def test_c7_cmdscale_ac():
    theirs = R["eurodist_cmdscale_add"]["ac"]
    assert_allclose(km.additive_constant(ROADS), theirs, rtol=1e-7)
    assert abs(km.additive_constant(ROADS, "lingoes") / theirs - 1) > 0.1
    ours = km.classical_scaling(ROADS, additive="cailliez")
    with_constant = km.classical_scaling(ROADS + theirs * (1 - np.eye(len(ROADS))))
    assert_allclose(ours.points, with_constant.points, rtol=1e-7)


def test_c8_wcmdscale_eig():
    ours = road_spectrum().eigenvalues
    without_zero = np.delete(ours, np.argmin(np.abs(ours)))
    assert_allclose(without_zero, WCMDSCALE["eig"], rtol=1e-7)


def test_c10_wcmdscale_negaxes():
    theirs = np.array(WCMDSCALE["negaxes_first2"])
    count = theirs.shape[1]
    ours = scaled_axes(-ROAD_GRAM, count)[:2, ::-1]
    assert_same_columns(ours, theirs, atol=1e-4)
    with pytest.warns(FewerComponentsWarning):
        assert km.classical_scaling(ROADS, 20).points.shape[1] == 20 - count


def test_c11_classical_mds():
    theirs = ClassicalMDS(2, metric="precomputed").fit(ROADS)
    ours = km.classical_scaling(ROADS)
    assert_same_columns(ours.points, theirs.embedding_, rtol=1e-7, atol=1e-5)
    assert_allclose(ours.eigenvalues, theirs.eigenvalues_, rtol=1e-9)


def test_c12_mds_minimises_stress():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        theirs = MDS(
            2, metric="precomputed", init="classical_mds", n_init=1, eps=1e-9, max_iter=2000
        ).fit_transform(ROADS)
    ours, start = km.smacof(ROADS, tol=1e-7).points, km.classical_scaling(ROADS).points
    size = np.linalg.norm(ours)
    assert km.procrustes_align(theirs, target=ours).residual < 1e-3 * size
    assert km.procrustes_align(theirs, target=start).residual > 1e-2 * size


def test_c13_pcoa():
    values = np.linalg.eigvalsh(ROAD_GRAM)[::-1].clip(min=0)
    assert_allclose(values[:2].sum() / values.sum(), road_spectrum().goodness_of_fit(2)[1], 1e-9)


def test_c14_scipy_procrustes():
    rng = np.random.default_rng(8)
    moved = 3 * X @ np.linalg.qr(rng.normal(size=(4, 4)))[0] + rng.normal(size=X.shape) + 2
    theirs = procrustes(X, moved)[2]
    ours = km.procrustes_align(moved, target=X, scaling=True).residual
    assert_allclose(ours**2, theirs * np.sum((X - X.mean(axis=0)) ** 2), rtol=1e-8)


def test_p1_williams_axes():
    values, vectors = leading(gram_from_distances(D), 4)
    theirs = (X - X.mean(axis=0)).T @ vectors
    assert_allclose(np.linalg.norm(theirs, axis=0) ** 2, values, rtol=1e-9)
    fit = km.pca(X, 4)
    assert_same_columns(fit.axes * np.sqrt(fit.eigenvalues), theirs, atol=1e-8)


def test_p6_prcomp_rotation_and_x():
    theirs, fit = R["iris_prcomp"], km.pca(IRIS, 4)
    assert_same_columns(fit.axes, theirs["rotation"], atol=1e-8)
    signs = np.sign(np.sum(fit.axes * np.array(theirs["rotation"]), axis=0))[:2]
    assert_allclose((fit.points[:, :2] * signs)[:2], theirs["x2_first2"], rtol=1e-8)


def test_p8_tipping_and_bishop():
    (values, U), d, q = leading(COV, 4), 4, 2
    noise = values[q:].sum() / (d - q)
    W = U[:, :q] @ np.diag(np.sqrt(values[:q] - noise))
    fit = km.probabilistic_pca(X, q)
    assert_allclose(fit.noise_variance, noise, rtol=1e-9)
    assert_allclose(fit.W @ fit.W.T, W @ W.T, rtol=1e-8, atol=1e-9)
    assert_allclose(values[:q], km.pca(X, q).eigenvalues / len(X), rtol=1e-9)


def test_p9_sklearn_noise_variance():
    theirs, fit, factor = PCA(2).fit(IRIS), km.probabilistic_pca(IRIS, 2), 150 / 149
    assert_allclose(factor * fit.noise_variance, theirs.noise_variance_, rtol=1e-9)
    assert_allclose(factor * fit.covariance, theirs.get_covariance(), rtol=1e-8)


def test_p10_sklearn_score():
    theirs = PCA(2).fit(IRIS)
    total = km.gaussian_log_likelihood(IRIS, IRIS.mean(axis=0), theirs.get_covariance())
    assert_allclose(total / len(IRIS), theirs.score(IRIS), rtol=1e-9)
    assert km.probabilistic_pca(IRIS, 2).log_likelihood() > total


def test_k3_williams_remark_3():
    kernel, new = RBF(0.01), sample(6, 4) + 5
    values, vectors = leading(km.center_gram(kernel(X)), 2)
    theirs = kernel(new, X) @ vectors / np.sqrt(values)
    ours = km.kernel_pca(X, kernel).transform(new)
    centred = ours - ours.mean(axis=0), theirs - theirs.mean(axis=0)
    assert_same_columns(*centred, rtol=1e-8, atol=1e-10)
    assert np.abs(np.abs(ours) - np.abs(theirs)).max() > 1e-3


def test_k5_kernel_centerer():
    K, K_new = RBF(0.2)(TRAIN), RBF(0.2)(NEW, TRAIN)
    centerer = KernelCenterer().fit(K)
    assert_allclose(km.center_gram(K), centerer.transform(K), atol=1e-12)
    assert_allclose(km.center_cross_gram(K_new, K), centerer.transform(K_new), atol=1e-12)


def test_m4_critchley():
    fit, power = km.critchley_scaling(D, 0.6), km.kernel_mds(D, km.Power(1.2))
    assert_allclose(fit.points, km.classical_scaling(D**0.6).points, atol=1e-12)
    assert_allclose(power.points, np.sqrt(2) * fit.points, atol=1e-10)
    new = distances(sample(5, 4, seed=8), X)
    assert_allclose(power.transform(new), np.sqrt(2) * fit.transform(new), atol=1e-10)


def test_m5_beta_of_figure_1():
    pixels = load_digits().data[:400]
    pixels = pixels * np.sqrt(0.5 / pixels.var(axis=0).mean())
    p, beta = pixels.shape[1], 4.0
    average = np.mean(distances(pixels) ** 2)
    assert_allclose(beta / p * average, beta, rtol=1e-9)
    assert p * beta * average > 1000 * beta


def test_s5_isomds_stress():
    theirs = R["eurodist_isoMDS"]
    points = np.column_stack([theirs["axis_1"], theirs["axis_2"]])
    d = distances(points)[PAIRS][np.argsort(ROADS[PAIRS], kind="stable")]
    in_input_order = 100 * np.linalg.norm(d - isotonic_regression(d).x) / np.linalg.norm(d)
    assert_allclose(in_input_order, theirs["stress_percent_converged"], rtol=1e-4)
    primary, secondary = (
        100 * first_stress(ROADS, points, transform="ordinal", ties=ties)
        for ties in ("primary", "secondary")
    )
    assert primary == pytest.approx(5.8159, abs=5e-5)
    assert primary < 0.999 * in_input_order < in_input_order < secondary / 1.001
    assert 100 * km.smacof(ROADS, transform="ordinal").stress < primary


def test_s6_sammon_stress():
    D, theirs = distances(SWISS), R["swiss_sammon"]
    points = np.column_stack([theirs["axis_1"], theirs["axis_2"]])
    upper = np.triu_indices(len(D), 1)
    delta, d = D[upper], distances(points)[upper]
    loss = np.sum((d - delta) ** 2 / delta) / delta.sum()
    assert_allclose(loss, theirs["stress_converged"], rtol=1e-8)
    fit = km.sammon(D, init=points, tol=1e-7)
    assert_allclose(fit.history[0], loss, rtol=1e-8)
    assert fit.n_iter == 0
    assert km.sammon(D).stress < loss


def test_s7_sine_and_tangent():
    fit = km.smacof(ROADS, tol=1e-9, max_iter=5000)
    sine = np.linalg.norm(distances(fit.points) - ROADS) / np.linalg.norm(ROADS)
    assert_allclose(fit.stress, np.tan(np.arcsin(sine)), rtol=1e-6)
    ratio = km.smacof(ROADS, transform="ratio", tol=1e-9, max_iter=5000)
    assert_allclose(ratio.stress, sine, rtol=1e-6)
    d, dhat = distances(ratio.points), ratio.disparities
    assert_allclose(np.linalg.norm(d - dhat) / np.linalg.norm(d), sine, rtol=1e-6)


def test_n1_gower_formula():
    old, new = ROADS[:18, :18], ROADS[18:, :18]
    fit = km.classical_scaling(old)
    b = np.diag(gram_from_distances(old))
    formula = 0.5 * (b - new**2) @ fit.points / fit.eigenvalues
    assert_allclose(fit.transform(new), formula, rtol=1e-9)


def test_n2_classical_mds_has_no_transform():
    for theirs, ours in ((ClassicalMDS, ClassicalScaling), (MDS, Stress)):
        assert not hasattr(theirs(), "transform")
        assert hasattr(ours(), "transform")


def test_n5_landmark_mds():
    rows = np.arange(12)
    between, to_landmarks = D[:12, :12], D[:, :12]
    values, vectors = leading(gram_from_distances(between), 2)
    formula = -0.5 * (to_landmarks**2 - (between**2).mean(axis=0)) @ vectors / np.sqrt(values)
    ours = km.landmark_scaling(D, landmarks=rows, metric="precomputed").points
    assert_same_columns(ours, formula, atol=1e-8)


def test_n6_nystroem():
    peer = Nystroem(kernel="rbf", gamma=0.2, n_components=20, random_state=0).fit(TRAIN)
    landmarks = peer.components_
    mean = peer.transform(landmarks).mean(axis=0)
    axes = np.linalg.svd(peer.transform(landmarks) - mean, full_matrices=False)[2][:3].T
    theirs = (peer.transform(NEW) - mean) @ axes
    assert_same_columns(km.kernel_pca(landmarks, RBF(0.2), 3).transform(NEW), theirs, atol=1e-7)


def test_t2_rbf_kernel_gamma():
    assert_allclose(RBF(0.03)(X), pairwise.rbf_kernel(X, gamma=0.03), rtol=1e-9)
    assert_allclose(RBF(1 / X.shape[1])(X), pairwise.rbf_kernel(X), rtol=1e-9, atol=1e-300)
    with pytest.raises(TypeError):
        RBF()


def test_t7_laplacian_kernel():
    theirs = pairwise.laplacian_kernel(X, gamma=0.1)
    assert np.abs(km.Exponential(0.1)(X) - theirs).max() > 0.01
    line = X[:, :1]
    theirs = pairwise.laplacian_kernel(line, gamma=0.1)
    assert_allclose(km.Exponential(0.1)(line), theirs, rtol=1e-9)


def test_t15_gamma_scale():
    labels = np.repeat([0, 1, 2], 50)
    standard = StandardScaler().fit_transform(IRIS)
    for data, same in ((standard, True), (standard + np.arange(4), False)):
        theirs = SVC(gamma="scale").fit(data, labels)._gamma
        assert theirs == pytest.approx(1 / (data.shape[1] * data.var()))
        ours = KernelMDS(theta="scale").fit(data).theta_
        assert np.isclose(ours, theirs) == same
        assert ours == pytest.approx(1 / data.var(axis=0).sum())


def test_l4_dcor():
    theirs, pair = R["iris_dcov"], IRIS_PAIR
    assert_allclose(np.sqrt(km.distance_correlation(*pair)), theirs["dCor"], rtol=1e-9)
    assert_allclose(km.distance_correlation(*pair, estimator="U"), theirs["bcdcor"], rtol=1e-8)
