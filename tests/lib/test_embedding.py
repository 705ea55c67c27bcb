"""The spectrum, its measures of fit, and the warning about missing components."""

import dataclasses
import inspect
from functools import partial

import numpy as np
import pytest
from scipy.sparse.csgraph import shortest_path
from sklearn.neighbors import kneighbors_graph

import kmds_lib
from kmds_lib import RBF, Power
from kmds_lib._eigen import Eigenpairs
from kmds_lib._embedding import count_components, keep_positive
from kmds_lib.results import FewerComponentsWarning, Spectrum
from kmds_lib.sklearn import Stress
from tests.lib.conftest import noisy, random_symmetric, sample


def test_spectrum_ignores_rounding_errors_and_checks_its_input():
    spectrum = Spectrum(np.array([1.0, 1e-16, -1e-16]))
    assert spectrum.negative_mass == 0
    for k in (0, 4, 1.5):
        with pytest.raises(ValueError, match="n_components"):
            spectrum.goodness_of_fit(k)


@pytest.mark.parametrize("n", [5, 400])
def test_no_positive_eigenvalue_is_reported(n):
    with pytest.warns(FewerComponentsWarning, match=r"coincide, or the centred matrix is neg"):
        fit = kmds_lib.kernel_pca_from_gram(-np.eye(n), 2)
    assert fit.points.shape == (n, 0)


def test_positive_is_relative_to_the_largest_absolute_eigenvalue():
    values = np.array([3.0, 1e-9])
    assert len(keep_positive(Eigenpairs(values, np.eye(10, 2), 0.0, "dense", 3.0)).values) == 2
    with pytest.warns(FewerComponentsWarning):
        assert len(keep_positive(Eigenpairs(values, np.eye(10, 2), 0.0, "", 1e6)).values) == 1


X, D, K = sample(40, 6), noisy(40), random_symmetric(40)
PATHS = shortest_path(kneighbors_graph(X, 6, mode="distance"), directed=False)
UNFOLDING = partial(kmds_lib.maximum_variance_unfolding, n_neighbors=4, tolerance=1e-2)
H, HALF = np.eye(40) - 1 / 40, np.eye(20) - 1 / 20
ON_SPECTRA = {
    "pca": (kmds_lib.pca, X, H @ X @ X.T @ H),
    "probabilistic_pca": (kmds_lib.probabilistic_pca, X, H @ X @ X.T @ H),
    "classical_scaling": (kmds_lib.classical_scaling, D, -0.5 * H @ D**2 @ H),
    "critchley_scaling": (partial(kmds_lib.critchley_scaling, mu=0.7), D, -0.5 * H @ D**1.4 @ H),
    "kernel_pca": (partial(kmds_lib.kernel_pca, kernel=RBF(0.1)), X, H @ RBF(0.1)(X) @ H),
    "kernel_pca, indefinite": (
        partial(kmds_lib.kernel_pca, kernel=Power(3)),
        X,
        -H @ kmds_lib.distances(X) ** 3 @ H,
    ),
    "kernel_pca_from_gram": (kmds_lib.kernel_pca_from_gram, K, H @ K @ H),
    "kernel_mds": (partial(kmds_lib.kernel_mds, kernel=RBF(0.1)), D, H @ np.exp(-0.1 * D**2) @ H),
    "landmark_scaling": (
        partial(kmds_lib.landmark_scaling, metric="precomputed", landmarks=np.arange(40)),
        D,
        -0.5 * H @ D**2 @ H,
    ),
    "nystroem": (
        partial(kmds_lib.nystroem, kernel=RBF(0.1), landmarks=np.arange(40)),
        X,
        H @ RBF(0.1)(X) @ H,
    ),
    "isomap": (partial(kmds_lib.isomap, n_neighbors=6), X, -0.5 * H @ PATHS**2 @ H),
    "isomap, landmarks": (
        partial(kmds_lib.isomap, n_neighbors=6, landmarks=np.arange(0, 40, 2)),
        X,
        -0.5 * HALF @ PATHS[::2, ::2] ** 2 @ HALF,
    ),
    "maximum_variance_unfolding": (UNFOLDING, X[:15], UNFOLDING(X[:15]).gram),
}
MODELS = (kmds_lib.dual_probabilistic_pca, kmds_lib.gplvm)
WITHOUT_SPECTRUM = {
    "smacof": kmds_lib.smacof,
    "sammon": kmds_lib.sammon,
    "Stress": lambda D, n_components: Stress(n_components, metric="precomputed").fit(D),
    "locally_linear_embedding": partial(kmds_lib.locally_linear_embedding, n_neighbors=9),
    "laplacian_eigenmaps": partial(kmds_lib.laplacian_eigenmaps, n_neighbors=9),
}


def test_functions_accept_a_share_or_ask_for_a_whole_number():
    public = {
        name
        for name in kmds_lib.__all__
        if inspect.isfunction(getattr(kmds_lib, name))
        and "n_components" in inspect.signature(getattr(kmds_lib, name)).parameters
    }
    accept = {name for name in ON_SPECTRA if "," not in name} | {fit.__name__ for fit in MODELS}
    assert public == accept | WITHOUT_SPECTRUM.keys() - {"Stress"}
    for fit in WITHOUT_SPECTRUM.values():
        with pytest.raises(ValueError, match=r"n_components = 0.9 is a share, .* 1 to 39\.$"):
            fit(D, n_components=0.9)


@pytest.mark.filterwarnings("ignore::kmds_lib.results.DefinitenessWarning")
@pytest.mark.parametrize("name", ON_SPECTRA)
def test_shares_of_the_axes_and_a_share_as_number_of_components(name):
    fit, data, B = ON_SPECTRA[name]
    values = np.linalg.eigvalsh(B)[::-1]
    shares = values / np.abs(values).sum()
    found = fit(data, n_components=4)
    np.testing.assert_allclose(found.explained_variance_ratio, shares[:4], rtol=1e-9)
    embedding = getattr(found, "principal", found)
    assert embedding.explained == pytest.approx(shares[:4].sum(), rel=1e-9)
    assert embedding.negative_mass == pytest.approx(-shares.clip(max=0).sum(), rel=1e-9)
    spectrum = embedding.spectrum()
    np.testing.assert_allclose(spectrum.explained_variance_ratio, shares, rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(spectrum.explained, np.cumsum(shares), rtol=1e-9)
    cumulative = np.cumsum(shares)
    for share in (0.05, 0.3, 0.9 * cumulative.max(), 0.999 * cumulative.max()):
        found = fit(data, n_components=share)
        assert found.points.shape[1] == np.flatnonzero(cumulative >= share)[0] + 1
        assert found.explained_variance_ratio.sum() >= share - 1e-12
    if cumulative.max() < 0.99:
        with pytest.warns(FewerComponentsWarning, match="n_components = 0.99 cannot be reached"):
            found = fit(data, n_components=0.99)
        assert found.points.shape[1] == np.sum(shares > 1e-12)


def test_share_in_the_models_equals_the_share_of_pca():
    t = np.linspace(-1, 1, 12)
    curve = np.column_stack([t, t**2, t**3])
    k = kmds_lib.pca(curve, 0.6).points.shape[1]
    for model in (kmds_lib.dual_probabilistic_pca, kmds_lib.gplvm):
        np.testing.assert_array_equal(model(curve, 0.6).points, model(curve, k).points)
    shares = kmds_lib.pca(curve, k).explained_variance_ratio
    dual = kmds_lib.dual_probabilistic_pca(curve, k)
    np.testing.assert_allclose(dual.explained_variance_ratio, shares)


def test_share_that_is_reached_exactly():
    exact = Spectrum(np.array([6.0, 3.0, 1.0, 0.0]))
    assert [count_components(share, 3, lambda: exact) for share in (0.6, 0.9, 0.95)] == [1, 2, 3]


def test_fits_are_frozen():
    fit = kmds_lib.classical_scaling([[0.0, 2.0], [2.0, 0.0]], 1)
    with pytest.raises(dataclasses.FrozenInstanceError):
        fit.points = None
    assert fit.spectrum() is fit.spectrum()
