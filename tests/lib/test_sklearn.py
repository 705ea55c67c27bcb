"""The estimators: scikit-learn's own checks, pipelines, and held-out rows in a grid search."""

import pickle
import subprocess
import sys

import numpy as np
import pandas as pd
import pytest
import scipy
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.metrics import pairwise_distances
from sklearn.model_selection import GridSearchCV, StratifiedKFold
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import Pipeline
from sklearn.utils.estimator_checks import parametrize_with_checks

from kmds_lib import (
    RBF,
    Exponential,
    Linear,
    classical_scaling,
    distances,
    kernel_mds,
    kernel_mds_from_points,
)
from kmds_lib.sklearn import ClassicalScaling, KernelMDS

ARRAY_API = tuple(map(int, scipy.__version__.split(".")[:2])) >= (1, 14)
ESTIMATORS = [
    ClassicalScaling(),
    ClassicalScaling(metric="precomputed"),
    KernelMDS(),
    KernelMDS(metric="precomputed"),
    KernelMDS(theta=0.5, kernel=Exponential),
]


@parametrize_with_checks(ESTIMATORS)
def test_scikit_learns_own_checks(estimator, check, monkeypatch):
    if ARRAY_API:
        monkeypatch.setenv("SCIPY_ARRAY_API", "1")  # without it one check is skipped
    check(estimator)


@pytest.fixture(scope="module")
def flowers():
    X, y = load_iris(return_X_y=True)
    return X[:, :3], y


@pytest.mark.parametrize("metric", ["euclidean", "precomputed"])
def test_estimators_are_the_functions(flowers, metric):
    X, _ = flowers
    train, new = X[::2], X[1::2]
    D, D_new = distances(train), distances(new, train)
    given, given_new = (train, new) if metric == "euclidean" else (D, D_new)
    scaling, fit = ClassicalScaling(3, metric=metric).fit(given), classical_scaling(D, 3)
    np.testing.assert_array_equal(scaling.embedding_, fit.points)
    np.testing.assert_array_equal(scaling.eigenvalues_, fit.eigenvalues)
    np.testing.assert_array_equal(scaling.transform(given_new), fit.transform(D_new))
    wrapped = kernel_mds_from_points if metric == "euclidean" else kernel_mds
    scaling = KernelMDS(3, theta=0.2, kernel=Exponential, metric=metric).fit(given)
    fit = wrapped(given, Exponential(0.2), 3)
    np.testing.assert_array_equal(scaling.embedding_, fit.points)
    np.testing.assert_array_equal(scaling.transform(given_new), fit.transform(given_new))
    assert scaling.result_.explained == fit.explained


def test_any_callable_makes_the_kernel(flowers):
    X, _ = flowers
    mixed = KernelMDS(2, theta=0.1, kernel=lambda theta: RBF(theta) + 0.01 * Linear()).fit(X)
    expected = kernel_mds_from_points(X, RBF(0.1) + 0.01 * Linear(), 2)
    np.testing.assert_array_equal(mixed.embedding_, expected.points)


def test_a_fit_does_not_follow_its_input(flowers):
    X = flowers[0].copy()
    for estimator in (ClassicalScaling(), KernelMDS()):
        estimator.fit(X)
        expected = estimator.transform(flowers[0][:5])
        X[:] = 0.0
        np.testing.assert_array_equal(estimator.transform(flowers[0][:5]), expected)
        X[:] = flowers[0]


def test_names_frames_and_copies(flowers):
    frame = pd.DataFrame(flowers[0], columns=["a", "b", "c"])
    estimator = KernelMDS(2).set_output(transform="pandas").fit(frame)
    assert list(estimator.transform(frame).columns) == ["kernelmds0", "kernelmds1"]
    assert list(estimator.feature_names_in_) == ["a", "b", "c"]
    with pytest.raises(ValueError, match="feature names"):
        estimator.transform(frame[["c", "b", "a"]])
    again = pickle.loads(pickle.dumps(estimator))
    np.testing.assert_array_equal(again.transform(frame), estimator.transform(frame))
    assert clone(estimator).kernel is RBF


def pipeline(metric):
    steps = [("scale", KernelMDS(2, metric=metric)), ("near", KNeighborsClassifier(5))]
    return Pipeline(steps)


@pytest.mark.parametrize("metric", ["euclidean", "precomputed"])
def test_grid_search_over_theta_places_held_out_rows_by_transform(flowers, metric):
    X, y = flowers
    given = X if metric == "euclidean" else pairwise_distances(X)
    grid, folds = [0.001, 0.1, 5.0], StratifiedKFold(3, shuffle=True, random_state=0)
    search = GridSearchCV(pipeline(metric), {"scale__theta": grid}, cv=folds, error_score="raise")
    scores = search.fit(given, y).cv_results_["mean_test_score"]
    by_hand = []
    for theta in grid:
        parts = []
        for train, held_out in folds.split(X, y):
            fit = kernel_mds(distances(X[train]), RBF(theta), 2)
            near = KNeighborsClassifier(5).fit(fit.points, y[train])
            new = fit.transform(distances(X[held_out], X[train]))
            parts.append(near.score(new, y[held_out]))
        by_hand.append(np.mean(parts))
    np.testing.assert_allclose(scores, by_hand, atol=1e-12)
    assert search.best_params_ == {"scale__theta": grid[int(np.argmax(by_hand))]}
    assert max(scores) - min(scores) > 0.1


@pytest.mark.parametrize("estimator", [ClassicalScaling(2), KernelMDS(2)], ids=repr)
def test_held_out_rows_have_no_part_in_the_fit(flowers, estimator):
    X, _ = flowers
    train, new = X[::2], X[1::2]
    estimator.fit(train)
    placed, points = estimator.transform(new), estimator.embedding_.copy()
    np.testing.assert_allclose(estimator.transform(new[3:4]), placed[3:4], atol=1e-12)
    estimator.transform(new + 1e3)
    np.testing.assert_array_equal(estimator.embedding_, points)
    np.testing.assert_array_equal(estimator.transform(new), placed)
    np.testing.assert_allclose(estimator.transform(train), points, atol=1e-10)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda X: ClassicalScaling(metric="cityblock").fit(X), "metric = 'cityblock' is unknown"),
        (lambda X: ClassicalScaling(metric="precomputed").fit(X), "shape"),
        (lambda X: ClassicalScaling(0).fit(X), "n_components = 0"),
        (lambda X: KernelMDS(theta=-1.0).fit(X), "theta is -1.0"),
        (lambda X: KernelMDS(metric="precomputed", kernel=lambda _: Linear()).fit(-X), "Negative"),
        (
            lambda X: KernelMDS(metric="precomputed", kernel=lambda _: Linear()).fit(distances(X)),
            "isotropic",
        ),
        (lambda X: KernelMDS().fit(np.ma.masked_greater(X, 5.0)), "masked"),
        (lambda X: KernelMDS().fit(X).transform(np.ma.masked_greater(X, 5.0)), "masked"),
    ],
)
def test_what_is_refused(flowers, call, message):
    with pytest.raises(ValueError, match=message):
        call(flowers[0])


def test_the_library_does_without_scikit_learn():
    code = "import sys, kmds_lib; sys.exit('sklearn' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
