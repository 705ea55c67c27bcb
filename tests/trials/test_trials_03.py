"""Sentences of Chapter 3 about drawn data, tried on seeds not looked at before."""

import numpy as np
import pytest

from kmds_lib import center_gram, distances, gram_from_distances, is_euclidean
from tests.trials.conftest import sentences

pytestmark = pytest.mark.nightly

NEEDED = (
    "import matplotlib",
    "X = np.array([[1.0, 5.0]",
    "H = np.eye(4) - 1 / 4",
    "def to_gram(E):",
    "def count_zeros(points):",
    "def points_from_distances(table):",
)


def conversions_undo_each_other(chapter, seed):
    E = np.random.default_rng(seed).normal(size=(4, 4))
    E += E.T
    B = center_gram(E)
    np.fill_diagonal(E, 0.0)
    there, back = chapter["to_gram"], chapter["to_table"]
    return np.allclose(back(there(E)), E) and np.allclose(there(back(B)), B)


def points_leave_the_zeros_counted(chapter, seed):
    rng = np.random.default_rng(seed)
    plane, cloud, wide = (rng.normal(size=(10, p)) for p in (2, 3, 50))
    plane[:3] = [[0, 0], [1, 1], [2, 2]]
    clouds = (cloud, cloud @ np.diag([1.0, 1.0, 0.0]), plane, wide)
    return [chapter["count_zeros"](points) for points in clouds] == [7, 8, 8, 1]


def criterion_is_the_triangle_inequality(_, seed):
    for a, b, c in np.random.default_rng(seed).uniform(size=(1000, 3)):
        B = gram_from_distances([[0, a, b], [a, 0, c], [b, c, 0]])
        if (np.linalg.eigvalsh(B)[0] > -1e-12) != (2 * max(a, b, c) <= a + b + c):
            return False
    return True


def round_trip_has_no_unit(chapter, seed):
    table = distances(np.random.default_rng(seed).normal(scale=0.1, size=(20, 4)))
    for scale in (1e-3, 1, 1e3, 1e9):
        found = chapter["points_from_distances"](scale * table)
        if found.shape != (20, 4) or np.abs(distances(found) / scale - table).max() > 1e-8:
            return False
    return True


def rounded_maps_pass_a_hundredth(_, seed):
    rng = np.random.default_rng(seed)
    tables = [distances(rng.uniform(0, 1000, size=(20, 2))).round() for _ in range(500)]
    return all(not is_euclidean(T) and is_euclidean(T, tol=0.01) for T in tables)


test_sentence_holds_on_fresh_seeds = sentences(
    ("The two conversions undo each other.", conversions_undo_each_other, 1),
    ("7, 8, 8 and 1 eigenvalues are zero.", points_leave_the_zeros_counted, 1),
    ("The criterion errs on no triangle.", criterion_is_the_triangle_inequality, 1),
    ("The round trip works in any unit.", round_trip_has_no_unit, 1),
    ("A tolerance of 0.01 accepts rounded maps.", rounded_maps_pass_a_hundredth, 1),
)
