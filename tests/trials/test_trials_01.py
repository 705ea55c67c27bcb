"""Sentences of Chapter 1 about drawn data, tried on seeds not looked at before."""

import numpy as np

from tests.trials.conftest import ALL, sentences

NEEDED = (
    "rng = np.random.default_rng(1)",
    "flowers = load_iris().data",
    "lam4, V4 = np.linalg.eigh(S4)",
)


def best_sample_comes_near(chapter, seed):
    samples = np.random.default_rng(seed).normal(size=(20_000, 4))
    first = chapter["V4"][:, 0]
    across = samples - np.outer(samples @ first, first)
    best = [chapter["best_quotient"](drawn) for drawn in (samples, across)]
    return np.all(best >= 0.99 * chapter["lam4"][:2])


test_sentence_holds_on_fresh_seeds = sentences(
    ("The best of 20 000 comes within one per cent.", best_sample_comes_near, ALL),
)
