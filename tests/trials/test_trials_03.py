"""Sentences of Chapter 3 about drawn data, tried on seeds not looked at before."""

import numpy as np

from kmds_lib import distances, is_euclidean
from tests.trials.conftest import sentences


def rounded_maps_pass_a_hundredth(_, seed):
    rng = np.random.default_rng(seed)
    tables = [distances(rng.uniform(0, 1000, size=(20, 2))).round() for _ in range(500)]
    return all(not is_euclidean(T) and is_euclidean(T, tol=0.01) for T in tables)


test_sentence_holds_on_fresh_seeds = sentences(
    ("A tolerance of 0.01 accepts rounded maps.", rounded_maps_pass_a_hundredth, 1),
)
