"""Extreme and invalid input to every public function: a correct result or a clear error."""

import linecache
import re
import warnings
from functools import partial
from inspect import signature
from typing import Literal, get_args, get_origin, get_type_hints

import numpy as np
import pandas as pd
import pytest

import kmds_lib
from kmds_lib import (
    RBF,
    DampedCosine,
    Linear,
    Polynomial,
    Power,
    additive_constant,
    center_gram,
    classical_scaling,
    critchley_scaling,
    distance_correlation,
    distance_covariance,
    distances,
    distances_from_gram,
    energy_distance,
    gram_from_distances,
    hsic,
    isomap,
    kernel_mds,
    kernel_pca,
    kernel_pca_from_gram,
    landmark_scaling,
    laplacian_eigenmaps,
    locally_linear_embedding,
    mmd,
    nystroem,
    pca,
    principal_angles,
    probabilistic_pca,
    procrustes_align,
    sammon,
    smacof,
)
from kmds_lib.kernels import DefinitenessWarning
from kmds_lib.results import FewerComponentsWarning
from tests.lib.conftest import refused, sample

X = sample(20, 3)
D = distances(X)
K = center_gram(X @ X.T)
MANIFOLDS = {"isomap": isomap, "lle": locally_linear_embedding, "laplacian": laplacian_eigenmaps}
CHOICES = ["random", "farthest"]
OF_ONE_ARRAY = """pca probabilistic_pca dual_probabilistic_pca gplvm squared_distances distances
canonical_signs similarity_invariants classical_scaling gram_from_distances is_euclidean
additive_constant center_gram distances_from_gram nearest_psd kernel_pca_from_gram"""
BAD = {
    "nan": np.full((3, 3), np.nan),
    "complex": np.zeros((2, 2), dtype=complex),
    "masked": np.ma.masked_equal(np.zeros((2, 2)), 1.0),
    "ragged": [[0.0, 1.0], [1.0]],
    "one dimension": np.zeros(3),
    "none": None,
    "too large": np.array([[0.0, 1.7e308], [1.7e308, 0.0]]),
}
FUNCTIONS = {
    **{name: getattr(kmds_lib, name) for name in OF_ONE_ARRAY.split()},
    "kernel": RBF(1.0),
    "kernel_pca": lambda X: kernel_pca(X, RBF(1.0)),
    "procrustes_align": lambda Y: procrustes_align(Y, target=Y),
    "principal_angles": lambda U: principal_angles(U, U),
    "kernel_mds": lambda D: kernel_mds(D, RBF(1.0)),
    "critchley_scaling": lambda D: critchley_scaling(D, 0.5),
    "lingoes": lambda D: additive_constant(D, "lingoes"),
    "mmd": lambda X: mmd(X, np.eye(2), RBF(1.0)),
    "mmd of K": lambda K: mmd(K, np.arange(4) >= 2, "precomputed"),
    "energy_distance": lambda X: energy_distance(np.eye(2), X),
    "hsic": lambda X: hsic(X, np.eye(2), RBF(1.0), RBF(1.0)),
    "distance_covariance": lambda X: distance_covariance(np.eye(2), X),
    "distance_correlation of D": lambda D: distance_correlation(D, D, "precomputed"),
    "smacof": lambda D: smacof(D, 1),
    "sammon": lambda D: sammon(D, 1),
    "landmark_scaling of D": lambda D: landmark_scaling(D, 1, metric="precomputed", seed=0),
    **{
        f"landmark_scaling, {c}": partial(landmark_scaling, n_components=1, choose=c, seed=0)
        for c in CHOICES
    },
    **{
        f"nystroem, {c}": lambda X, c=c: nystroem(X, Linear(), 1, choose=c, seed=0)
        for c in CHOICES
    },
    **{
        f"{name} of {metric}": partial(fit, n_neighbors=1, metric=metric)
        for name, fit in MANIFOLDS.items()
        for metric in ("euclidean", "precomputed")
    },
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_bad_input_is_refused(name):
    for bad in BAD.values():
        with pytest.raises(ValueError, match=r"[A-Z]\b.*(is|has|holds|contains)"):
            FUNCTIONS[name](bad)


@pytest.mark.parametrize("factor", [1e-59, 1e58])
def test_inner_products_of_accepted_data_are_accepted(factor):
    B = gram_from_distances(D * factor)
    fits = [classical_scaling(D), kernel_pca_from_gram(B), kernel_pca(X * factor, Linear())]
    for fit in fits[1:]:
        assert np.allclose(fit.points / factor, fits[0].points, rtol=0, atol=1e-10)
    assert np.allclose(fits[1].transform(B) / factor, fits[0].points, rtol=0, atol=1e-10)
    assert np.allclose(distances_from_gram(B) / factor, D, rtol=0, atol=1e-7)
    found = mmd(B, np.arange(20) > 9, "precomputed")
    assert found / factor**2 == pytest.approx(mmd(X[:10], X[10:], Linear()), rel=1e-10)


@pytest.mark.parametrize("factor", [1e-25, 1e25])
def test_kernel_values_outside_the_range_are_refused(factor):
    for call in (
        lambda: kernel_pca(X * factor**2, Polynomial(3, offset=0.0)),
        lambda: kernel_mds(D * factor**2, factor**4 * Power(2.0)),
        lambda: critchley_scaling(D * factor, 3.0),
    ):
        with pytest.raises(ValueError, match=r"underflows|overflows|range of the library"):
            call()


test_new_objects_too_far_away_are_refused = refused(
    (lambda: classical_scaling(D).transform(1e61 * D), "largest entry of new"),
    (lambda: pca(X).transform(1e61 * X), "largest entry of new"),
)


def test_new_objects_may_be_arbitrarily_close():
    assert np.isfinite(classical_scaling(D).transform(1e-200 * D)).all()
    assert np.isfinite(pca(X).transform(1e-200 * X)).all()


ON_DISSIMILARITIES = {
    "classical_scaling": classical_scaling,
    "lingoes": partial(classical_scaling, additive="lingoes"),
    "kernel_mds": lambda D, *k: kernel_mds(D, RBF(0.1), *k),
    "critchley_scaling": lambda D, *k: critchley_scaling(D, 0.5, *k),
    "landmark_scaling of D": partial(landmark_scaling, metric="precomputed", seed=0),
    "smacof": smacof,
    "sammon": sammon,
    **{
        f"{name} of D": partial(fit, n_neighbors=8, metric="precomputed")
        for name, fit in MANIFOLDS.items()
    },
}
ON_POINTS = {
    "pca": pca,
    "probabilistic_pca": probabilistic_pca,
    "kernel_pca": lambda X, *k: kernel_pca(X, Polynomial(2), *k),
    "landmark_scaling": partial(landmark_scaling, seed=0),
    "nystroem": lambda X, *k: nystroem(X, RBF(0.1), *k, seed=0),
    **{name: partial(fit, n_neighbors=8) for name, fit in MANIFOLDS.items()},
}
WITHOUT_KERNEL = [
    name
    for name in ON_DISSIMILARITIES | ON_POINTS
    if name not in ("kernel_mds", "kernel_pca", "nystroem")
]
FITS = [
    *((fit, D, distances(X[:3] + 0.1, X)) for fit in ON_DISSIMILARITIES.values()),
    *((fit, X, X[:3] + 0.1) for fit in ON_POINTS.values()),
    (kernel_pca_from_gram, K, K[:3]),
]
each_fit = pytest.mark.parametrize(
    ("fit", "data", "new"), FITS, ids=[*ON_DISSIMILARITIES, *ON_POINTS, "kernel_pca_from_gram"]
)


VALID = {
    **{"X": X, "Y": X, "U": X, "V": X, "target": X, "D": D, "K": K, "K_new": K, "G": X @ X.T},
    **{"S": np.exp(-D), "M": K, "mean": np.zeros(3), "covariance": np.eye(3), "mu": 0.5, "n": 9},
    **{"kernel": RBF(0.1), "kernel_x": RBF(0.1), "kernel_y": RBF(0.1), "how": "one-minus"},
    **{"fit": pca, "statistic": "energy_distance", "coordinates": [[50.0, 8.0]]},
    **{"theta": 1.0, "alpha": 1.0, "omega": 1.0, "beta": 1.0, "degree": 2},
}
WRONG = {int: 0, float: np.nan, bool: "yes", Literal: "?"}


def wrong_parameters():
    """Yield each public function with a parameter and a value that its type hint excludes."""
    for name in sorted(set(kmds_lib.__all__) - {"Definiteness"}):
        function = getattr(kmds_lib, name)
        for parameter, hint in get_type_hints(function).items() if callable(function) else ():
            kinds = [get_origin(kind) or kind for kind in (hint, *get_args(hint))]
            for kind in WRONG:
                if kind in kinds and parameter not in ("seed", "return"):
                    yield name, parameter, WRONG[kind]


@pytest.mark.parametrize(("name", "parameter", "wrong"), [*wrong_parameters()])
def test_parameters_of_public_functions_are_checked(name, parameter, wrong):
    function = getattr(kmds_lib, name)
    parameters = signature(function).parameters.values()
    needed = [p.name for p in parameters if p.default is p.empty and p.kind not in (2, 4)]
    valid = {each: VALID[each] for each in needed}
    if "n_neighbors" in signature(function).parameters and parameter != "radius":
        valid["n_neighbors"] = 8
    with pytest.raises(ValueError, match=rf"^{parameter} (=|is) {re.escape(repr(wrong))}"):
        function(**valid | {parameter: wrong})


@each_fit
def test_impossible_numbers_of_components_are_refused(fit, data, new):
    for k in (20, 1.5, True):  # every parameter refuses 0 in the test above
        with pytest.raises(ValueError, match=f"n_components = {k}"):
            fit(data, k)


@pytest.mark.parametrize("unit", [1e-50, 1e50])
@pytest.mark.parametrize("name", WITHOUT_KERNEL)
def test_shapes_of_maps_do_not_depend_on_the_unit(name, unit):
    fit, data = (ON_POINTS[name], X) if name in ON_POINTS else (ON_DISSIMILARITIES[name], D)
    ours, theirs = fit(unit * data).points, fit(data).points
    np.testing.assert_allclose(ours / np.ptp(ours), theirs / np.ptp(theirs), atol=1e-4)


@each_fit
def test_fits_are_independent_of_their_input_array(fit, data, new):
    given, rows = data.copy(), new.copy()
    found, fresh = fit(given), fit(data)
    expected = fresh.transform(new)
    assert np.array_equal(found.transform(rows), expected)
    assert np.array_equal(given, data)
    assert np.array_equal(rows, new)
    given[:] = 0
    assert np.array_equal(found.points, fresh.points)
    assert np.array_equal(found.transform(rows), expected)
    if hasattr(fresh, "spectrum"):
        assert np.array_equal(found.spectrum().eigenvalues, fresh.spectrum().eigenvalues)
    if hasattr(fresh, "dissimilarities"):
        assert np.array_equal(found.dissimilarities, fresh.dissimilarities)
    assert fresh.transform(new[:0]).shape == (0, 2)


SAME = np.full((7, 3), 0.1)
COINCIDING = [
    *((classical_scaling, np.zeros((n, n)), np.ones((2, n))) for n in (10, 400)),
    (lambda D: kernel_mds(D, RBF(1.0)), np.zeros((4, 4)), np.ones((2, 4))),
    *(
        (lambda X, kernel=kernel: kernel_pca(X, kernel), SAME, np.zeros((2, 3)))
        for kernel in (RBF(0.5), Linear(), Power(1.0), Polynomial(2))
    ),
    (pca, SAME, SAME[:2]),
    (partial(landmark_scaling, landmarks=4, choose="farthest"), SAME, np.ones((2, 3))),
    (partial(isomap, n_neighbors=4), SAME, SAME[:2]),
]


@pytest.mark.parametrize(("fit", "data", "new"), COINCIDING)
def test_coinciding_objects_have_no_components(fit, data, new):
    with pytest.warns(FewerComponentsWarning, match="no positive eigenvalue"):
        found = fit(data)
    assert found.points.shape == (len(data), 0)
    assert found.transform(new).shape == (2, 0)
    assert (found.explained, found.negative_mass) == (1, 0)


def test_inverse_of_a_fit_without_components_is_the_mean():
    with pytest.warns(FewerComponentsWarning):
        fit, kernel_fit = pca(SAME), kernel_pca(SAME, RBF(1.0))
    assert np.array_equal(fit.inverse_transform(fit.points), SAME)
    assert np.allclose(kernel_fit.preimage(kernel_fit.points, n_neighbors=3), SAME)


@pytest.mark.parametrize(
    "call",
    [
        lambda: pca(np.outer(range(5), [1.0, 2.0])),
        lambda: probabilistic_pca(np.outer(range(5), [1.0, 2.0])),
        lambda: critchley_scaling(np.zeros((4, 4)), 0.5),
        lambda: landmark_scaling(np.zeros((4, 2)), 1),
        lambda: nystroem(np.eye(5), DampedCosine(0.1, 1.0)),
        lambda: DampedCosine(0.1, 1.0)(np.eye(5)),
        lambda: kernel_mds(1 - np.eye(5), Power(3.0)),
    ],
)
def test_warnings_point_to_the_line_of_the_caller(call):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        call()
    assert caught
    for warning in caught:
        assert issubclass(warning.category, (FewerComponentsWarning, DefinitenessWarning))
        assert warning.filename == __file__
        assert "lambda" in linecache.getline(warning.filename, warning.lineno)


SEEDED = {
    "landmark_scaling": partial(landmark_scaling, X, landmarks=5),
    "nystroem": partial(nystroem, X, RBF(0.1), landmarks=5),
    "smacof": partial(smacof, D, init="random", max_iter=2000),
    "sammon": partial(sammon, D, init="random", max_iter=2000),
    "permutation_test": partial(kmds_lib.permutation_test, energy_distance, X, X + 1),
    "sample": lambda seed: probabilistic_pca(X).sample(2, seed=seed),
    "swiss_roll": partial(kmds_lib.swiss_roll, 9),
    "rings": partial(kmds_lib.rings, 5, noise=0.1),
    "three_clusters": partial(kmds_lib.three_clusters, 5),
    "two_clusters_and_outliers": partial(kmds_lib.two_clusters_and_outliers, 5),
}


@pytest.mark.parametrize("name", SEEDED)
def test_seed_determines_the_result(name):
    def values(seed):
        found = SEEDED[name](seed=seed)
        found = found[0] if isinstance(found, tuple) else found
        return getattr(found, "points", getattr(found, "permuted", found))

    for same in (np.int64(3), np.array(3), np.random.default_rng(3)):
        assert np.array_equal(values(same), values(3))
    for other in (4, None):
        assert not np.array_equal(values(other), values(3))
    for seed, shown in ((-1, "-1"), (1.5, "1.5"), ("a", "'a'"), (np.nan, "nan"), ([1, -2], "")):
        with pytest.raises(ValueError, match=f"seed is {shown}.*give a whole number >= 0"):
            SEEDED[name](seed=seed)


def test_numbers_may_be_arrays_without_dimensions():
    assert RBF(np.array(3)) == RBF(3.0)
    with pytest.raises(ValueError, match=r"X is a single number, 3; .* such as \[\[3\]\]"):
        pca(np.array(3))
    with pytest.raises(ValueError, match=r"X is None, which is not a real number"):
        pca(np.array(None))


VECTOR = sample(20, 1, seed=4)[:, 0]
OF_TWO_SAMPLES = {
    "hsic": lambda x, y: hsic(x, y, RBF(0.5), Linear()),
    "distance_covariance": distance_covariance,
    "distance_correlation": distance_correlation,
    "mmd": lambda x, y: mmd(x, y, RBF(0.5)),
    "energy_distance": energy_distance,
    "permutation_test": lambda x, y: (
        kmds_lib.permutation_test(distance_covariance, x, y, n_permutations=19, seed=0).p_value
    ),
}


@pytest.mark.parametrize("name", OF_TWO_SAMPLES)
def test_vectors_are_one_column(name):
    call, column = OF_TWO_SAMPLES[name], VECTOR[:, None]
    for x, y in ((X[:, 0], VECTOR), (pd.Series(X[:, 0], name="a"), pd.Series(VECTOR, name="b"))):
        expected = call(X[:, :1], column)
        assert call(x, y) == call(x, column) == call(list(x), y) == expected
    with pytest.raises(ValueError, match=r"[XY] (has|holds)"):
        call(X[:, 0], VECTOR[:1])


@pytest.mark.parametrize(
    ("fit", "expected"),
    [
        (lambda X: pca(X, 1), 1.5),
        (lambda X: classical_scaling(distances(X), 1), 1.5),
        (lambda X: kernel_pca(X, RBF(1.0), 1), np.sqrt(2 - 2 * np.exp(-2.25))),
        (lambda X: kernel_pca_from_gram(X @ X.T, 1), 1.5),
        (lambda X: kernel_mds(distances(X), Power(1.0), 1), np.sqrt(3)),
        (lambda X: critchley_scaling(distances(X), 0.5, 1), np.sqrt(1.5)),
        (lambda X: landmark_scaling(X, 1), 1.5),
        (lambda X: nystroem(X, Linear(), 1), 1.5),
    ],
)
def test_two_objects_are_the_minimum(fit, expected):
    pair = np.array([[0.0], [1.5]])
    assert np.ptp(fit(pair).points) == pytest.approx(expected, rel=1e-12)
    with pytest.raises(ValueError, match="at least 2"):
        fit(pair[:1])
