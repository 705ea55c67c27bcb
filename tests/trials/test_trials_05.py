"""Sentences of Chapter 5 about drawn data, tried on seeds not looked at before."""

import numpy as np
import pytest

from kmds_lib import classical_scaling, distances, pca
from tests.trials.conftest import sentences

pytestmark = pytest.mark.nightly

NEEDED = ("import matplotlib", "iris = load_iris()", "counts = np.array(", "def outlier_cosines(")


def scores_agree_on_strange_data(_, seed):
    rng = np.random.default_rng(seed)
    answers = rng.integers(0, 2, size=(200, 3))
    strange = np.hstack([answers, rng.standard_cauchy(size=(200, 3))])
    by_pca = pca(strange, n_components=6).points
    by_scaling = classical_scaling(distances(strange), n_components=6).points
    return np.all(np.abs(by_pca - by_scaling) < 1e-8 * np.abs(by_pca).max(axis=0))


def spectra_agree_at_every_size(chapter, seed):
    X, p = chapter["X"], chapter["p"]
    order = np.random.default_rng(seed).permutation(len(X))
    for count in chapter["counts"]:
        part = X[order[:count]] - X[order[:count]].mean(axis=0)
        of_S, of_B = (np.linalg.eigvalsh(A)[::-1] for A in (part.T @ part, part @ part.T))
        both = min(p, count)
        if np.abs(of_S[:both] - of_B[:both]).max() > 1e-9 * of_S[0]:
            return False
        if np.sum(of_B > 1e-9 * of_B[0]) != min(p, count - 1):
            return False
    return True


def eight_points_have_seven_positive_eigenvalues(_, seed):
    tall = np.random.default_rng(seed).normal(size=(8, 50))
    values = np.linalg.eigvalsh(np.cov(tall.T))
    return np.sum(values > 1e-10 * values[-1]) == 7


def points_at_the_largest_outlier(removed):
    def holds(chapter, seed):
        return chapter["outlier_cosines"](seed)[removed] > 0.9

    return holds


test_sentence_holds_on_fresh_seeds = sentences(
    ("Scores agree on Cauchy data.", scores_agree_on_strange_data, 1),
    ("One spectrum at every size.", spectra_agree_at_every_size, 1),
    ("Seven are positive.", eight_points_have_seven_positive_eigenvalues, 1),
    ("Axis 1 mostly points at the largest.", points_at_the_largest_outlier(0), 0.85),
    ("After its removal at the next one.", points_at_the_largest_outlier(1), 0.75),
)
