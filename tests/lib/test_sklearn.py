"""The estimators: scikit-learn's own checks, pipelines, and held-out rows in a grid search."""

import subprocess
import sys
from inspect import Parameter, signature

import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.metrics import pairwise_distances
from sklearn.model_selection import GridSearchCV, StratifiedKFold, cross_val_score
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import estimator_checks_generator

from kmds_lib import (
    RBF,
    Exponential,
    Linear,
    Polynomial,
    Power,
    choose_theta,
    classical_scaling,
    distances,
    kernel_mds,
    kernel_pca,
    landmark_scaling,
    smacof,
)
from kmds_lib.sklearn import ClassicalScaling, KernelMDS, LandmarkScaling, Stress


def mixture(theta):
    """Return a kernel; a function of a module can be pickled."""
    return 0.5 * RBF(theta) + 0.5 * RBF(10 * theta)


def observed(D):
    """Return weights of 1 for pairs with both entries, and 0 for others."""
    seen = ~np.isnan(D)
    return (seen & seen.T).astype(float)


def largest_gap(x, y):
    """Return the Chebyshev distance; a function of a module can be pickled."""
    return np.abs(x - y).max()


ESTIMATORS = [
    ClassicalScaling(additive="cailliez", metric="cityblock"),
    ClassicalScaling(metric="precomputed"),
    KernelMDS(),
    KernelMDS(metric="precomputed"),
    KernelMDS(kernel=mixture, theta="scale", metric=largest_gap),
    KernelMDS(theta=0.5, kernel=Exponential),
    LandmarkScaling(landmarks=5, choose="farthest"),
    LandmarkScaling(metric="precomputed"),
    Stress(),
    Stress(disparities="interval"),
    Stress(metric="precomputed", weights=observed),
]
CHECKS = [pair for estimator in ESTIMATORS for pair in estimator_checks_generator(estimator)]


@pytest.mark.parametrize(
    ("estimator", "function"),
    [
        (ClassicalScaling, classical_scaling),
        (KernelMDS, kernel_mds),
        (LandmarkScaling, landmark_scaling),
        (Stress, smacof),
    ],
)
def test_estimators_have_the_defaults_of_the_functions(estimator, function):
    own, other = signature(estimator).parameters, signature(function).parameters
    for name in own.keys() & other.keys():
        if other[name].default is not Parameter.empty:
            assert own[name].default == other[name].default, name


def name_of(value):
    """Return a name without memory addresses, which differ between workers."""
    return getattr(getattr(value, "func", value), "__name__", type(value).__name__)


@pytest.mark.parametrize(("estimator", "check"), CHECKS, ids=name_of)
def test_scikit_learn_estimator_checks(estimator, check, monkeypatch):
    monkeypatch.setenv("SCIPY_ARRAY_API", "1")  # without it one check is skipped
    check(estimator)


@pytest.fixture(scope="module")
def flowers():
    X, y = load_iris(return_X_y=True)
    return X[:, :3], y


@pytest.mark.parametrize("metric", ["euclidean", "precomputed"])
def test_estimators_agree_with_the_functions(flowers, metric):
    X, _ = flowers
    train, new = X[::2], X[1::20]
    D, D_new = distances(train), distances(new, train)
    given, given_new = (train, new) if metric == "euclidean" else (D, D_new)
    wrapped = kernel_pca if metric == "euclidean" else kernel_mds
    landmarks = landmark_scaling(given, 2, metric=metric, landmarks=9, choose="farthest", seed=4)
    pairs = [
        (ClassicalScaling(additive="lingoes"), classical_scaling(D, additive="lingoes"), D_new),
        (KernelMDS(theta=0.2, kernel=Exponential), wrapped(given, Exponential(0.2)), given_new),
        (
            LandmarkScaling(landmarks=9, choose="farthest", random_state=4),
            landmarks,
            given_new if metric == "euclidean" else D_new[:, landmarks.landmarks],
        ),
        (
            Stress(1, disparities="polynomial", init="random", n_init=2, random_state=4),
            smacof(D, 1, transform="polynomial", init="random", n_init=2, seed=4),
            D_new,
        ),
        (Stress(weights=1 / (1 + D), tol=1e-3), smacof(D, weights=1 / (1 + D), tol=1e-3), D_new),
    ]
    for estimator, fit, fit_new in pairs:
        estimator.set_params(metric=metric).fit(given)
        np.testing.assert_array_equal(estimator.embedding_, fit.points)
        np.testing.assert_array_equal(estimator.transform(given_new), fit.transform(fit_new))
        if isinstance(estimator, Stress):
            assert (estimator.stress_, estimator.n_iter_) == (fit.stress, fit.n_iter)
        else:
            np.testing.assert_array_equal(estimator.eigenvalues_, fit.eigenvalues)
            shares = estimator.explained_variance_ratio_
            np.testing.assert_array_equal(shares, fit.explained_variance_ratio)


@pytest.mark.parametrize(
    ("metric", "params"),
    [
        ("braycurtis", None),
        ("euclidean", {"w": np.array([1.0, 2.0, 0.5])}),
        ("seuclidean", {"V": np.array([1.0, 2.0, 4.0])}),
        (largest_gap, None),
    ],
)
def test_metrics_of_the_library(flowers, metric, params):
    train, new = flowers[0][::2], flowers[0][1::20]
    D, D_new = (distances(train, Y, metric=metric, **(params or {})) for Y in (None, new))
    fits = [
        (ClassicalScaling(2, additive="cailliez"), classical_scaling(D, additive="cailliez")),
        (KernelMDS(2, theta=0.3), kernel_mds(D, RBF(0.3))),
    ]
    for estimator, fit in fits:
        estimator.set_params(metric=metric, metric_params=params).fit(train)
        np.testing.assert_array_equal(estimator.embedding_, fit.points)
        np.testing.assert_allclose(estimator.transform(new), fit.transform(D_new.T), atol=1e-9)


@pytest.mark.parametrize("kernel", [RBF, mixture])
def test_rules_for_theta(flowers, kernel):
    X = flowers[0]
    for rule in ("median", "scale"):
        for given, metric in ((X, "euclidean"), (distances(X), "precomputed")):
            fit = KernelMDS(kernel=kernel, theta=rule, metric=metric).fit(given)
            assert fit.theta_ == choose_theta(given, kernel, rule, metric=metric)
    assert KernelMDS(theta=0.3).fit(X).theta_ == 0.3


def test_preimages_in_a_pipeline(flowers):
    X, _ = flowers
    scaling = KernelMDS(8).fit(X)
    places = scaling.transform(X[:5])
    np.testing.assert_array_equal(
        scaling.inverse_transform(places), scaling.result_.preimage(places)
    )
    back = make_pipeline(StandardScaler(), KernelMDS(20)).fit(X)
    np.testing.assert_allclose(back.inverse_transform(back.transform(X)), X, atol=0.2)
    few = KernelMDS(3).set_output(transform="pandas").fit(X[:4])
    np.testing.assert_allclose(few.inverse_transform(few.transform(X[:4])), X[:4], atol=1e-6)
    assert not hasattr(KernelMDS(metric="precomputed"), "inverse_transform")
    assert not hasattr(KernelMDS(metric="cityblock"), "inverse_transform")


def test_missing_dissimilarities_have_weight_zero(flowers):
    rng = np.random.default_rng(3)
    D = distances(flowers[0][::5])
    lost = np.triu(rng.random(D.shape) < 0.3, 1)
    holed = np.where(lost | lost.T, np.nan, D)
    fit = Stress(weights=observed, metric="precomputed").fit(holed)
    by_hand = smacof(holed, weights=observed(holed))
    np.testing.assert_array_equal(fit.embedding_, by_hand.points)
    np.testing.assert_array_equal(fit.transform(holed[:3]), by_hand.transform(holed[:3]))
    for allowed_only_with_weights in (Stress(metric="precomputed"), Stress(weights=observed)):
        with pytest.raises(ValueError, match="NaN"):
            allowed_only_with_weights.fit(holed)
    with pytest.raises(ValueError, match="weights"):
        Stress(weights=np.ones_like, metric="precomputed").fit(holed)
    model = make_pipeline(fit, KNeighborsClassifier(5))
    assert cross_val_score(model, holed, flowers[1][::5], error_score="raise").mean() > 0.8


@pytest.mark.parametrize("missing", ["sklearn", "sklearn.utils"])
def test_message_without_scikit_learn_names_the_extra(missing):
    program = f"import sys; sys.modules[{missing!r}] = None; import kmds_lib.sklearn"
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert run.returncode == 1
    assert 'Install scikit-learn >= 1.6: pip install "kmds_lib[sklearn]"' in run.stderr


def test_random_states(flowers):
    def landmarks(random_state):
        scaling = LandmarkScaling(landmarks=9, random_state=random_state)
        return list(scaling.fit(flowers[0]).result_.landmarks)

    legacy, generator = np.random.RandomState, np.random.default_rng
    assert landmarks(legacy(0)) == landmarks(legacy(0)) != landmarks(legacy(1))
    assert landmarks(3) == landmarks(generator(3)) != landmarks(None)


def pipeline(metric):
    steps = [("scale", KernelMDS(2, metric=metric)), ("near", KNeighborsClassifier(5))]
    return Pipeline(steps)


@pytest.mark.parametrize(
    ("metric", "grid", "apart"),
    [
        ("euclidean", [0.001, 0.1, 5.0], 0.1),
        ("precomputed", [0.001, 0.1, 5.0], 0.1),
        ("euclidean", ["median", "scale"], 0.0),
    ],
)
def test_grid_search_over_theta_uses_transform(flowers, metric, grid, apart):
    """Check that held-out rows influence neither the fit nor the rule for theta."""
    X, y = flowers
    given = X if metric == "euclidean" else pairwise_distances(X)
    folds = StratifiedKFold(3, shuffle=True, random_state=0)
    search = GridSearchCV(pipeline(metric), {"scale__theta": grid}, cv=folds, error_score="raise")
    scores = search.fit(given, y).cv_results_["mean_test_score"]
    by_hand = []
    for theta in grid:
        parts = []
        for train, held_out in folds.split(X, y):
            width = KernelMDS(theta=theta).fit(X[train]).theta_
            fit = kernel_mds(distances(X[train]), RBF(width), 2)
            near = KNeighborsClassifier(5).fit(fit.points, y[train])
            new = fit.transform(distances(X[held_out], X[train]))
            parts.append(near.score(new, y[held_out]))
        by_hand.append(np.mean(parts))
    np.testing.assert_allclose(scores, by_hand, atol=1e-12)
    assert search.best_params_ == {"scale__theta": grid[int(np.argmax(by_hand))]}
    assert max(scores) - min(scores) >= apart


@pytest.mark.parametrize(
    ("estimator", "message"),
    [
        (ClassicalScaling(metric="manhattan"), "metric = 'manhattan' is unknown.*'precomputed'"),
        (ClassicalScaling(metric="precomputed"), "shape"),
        (ClassicalScaling(metric="seuclidean"), r"metric_params=\{'V': ...\}"),
        (Stress(metric="russellrao"), "not 0 for two equal rows .*metric='precomputed'"),
        (KernelMDS(theta="auto"), "theta = 'auto' is unknown; use 'median', 'scale' or a number"),
        (KernelMDS(kernel=RBF(0.1)), r"kernel is RBF\(theta=0.1\).*class RBF"),
        (KernelMDS(kernel=lambda t: t, theta=1.0), r"kernel is 1.0: give a kernel object"),
        (KernelMDS(kernel=lambda t: RBF(t) + Linear(), theta="scale"), "'scale'.*has no profile"),
        (KernelMDS(kernel=Polynomial, theta=1.5), r"kernel = Polynomial refuses theta = 1.5: deg"),
        (KernelMDS(kernel=Power, theta="scale"), r"theta = 'scale' finds no value.*r\(0\) = 0"),
        (Stress(random_state=-1), "random_state is -1: give a whole number >= 0"),
        (KernelMDS(metric="cityblock", kernel=lambda _: Linear(), theta=1.0), "isotropic"),
        (LandmarkScaling(metric="precomputed", landmarks=[0, 1, 2]), r"X has shape \(150, 3\)"),
    ],
)
def test_invalid_parameters_are_named(flowers, estimator, message):
    with pytest.raises(ValueError, match=message):
        estimator.fit(flowers[0])


def test_masked_input_is_refused(flowers):
    X = flowers[0]
    with pytest.raises(ValueError, match="masked"):
        KernelMDS().fit(X).transform(np.ma.masked_greater(X, 5.0))
