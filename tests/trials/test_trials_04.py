"""Sentences of Chapter 4 about drawn data and random starts, tried on fresh seeds."""

import numpy as np
from scipy.optimize import minimize

from tests.trials.conftest import sentences

NEEDED = (
    "europe = load_eurodist()",
    "H = np.eye(n)",
    "def eigen_map(k):",
)


def descends_to_the_least_strain(chapter, seed):
    for k in (1, 2, 3):
        start = np.random.default_rng(seed).normal(size=(chapter["n"], k))
        run = minimize(chapter["strain_and_slope"], start.ravel(), jac=True)
        found, best = run.x.reshape(start.shape), chapter["eigen_map"](k)
        least = chapter["strain"](best, chapter["B_roads"])
        same_gram = np.abs(found @ found.T - best @ best.T).max() < 1e-4
        if abs(run.fun / least - 1) > 1e-6 or not same_gram:
            return False
    return True


def ends_at_no_less_raw_stress(chapter, seed):
    for k in (2, 3):
        shape = (chapter["n"], k)
        starts = [chapter["eigen_map"](k), np.random.default_rng(seed).normal(size=shape)]
        ours, theirs = chapter["descend"](chapter["raw_stress"], starts)
        if theirs.fun < (1 - 1e-6) * ours.fun:
            return False
    return True


def strain_wins_on_inner_products(chapter, seed):
    by_strain, by_stress = chapter["one_trial"]("inner products", seed)
    return by_strain < by_stress


def stress_wins_on_distances(chapter, seed):
    by_strain, by_stress = chapter["one_trial"]("distances", seed)
    return by_stress < by_strain


test_sentence_holds_on_fresh_seeds = sentences(
    ("A minimiser ends at our value and Gram matrix.", descends_to_the_least_strain, 1),
    ("No random start ends at less raw stress, k = 2 and 3.", ends_at_no_less_raw_stress, 1),
    ("Strain wins on errors of inner products.", strain_wins_on_inner_products, 0.95),
    ("Stress wins on errors of distances.", stress_wins_on_distances, 0.95),
)
