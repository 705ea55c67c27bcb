"""Sentences of Chapter 2 about drawn data and random starts, tried on fresh seeds."""

import numpy as np
from scipy.optimize import minimize

from tests.trials.conftest import sentences

NEEDED = (
    "photo = load_sample_image(",
    "photo_k = ",
    "G = photo",
    "signed = np.diag(",
)


def lost_pixels(chapter, seed):
    photo = chapter["photo"]
    return chapter["table_from"](np.random.default_rng(seed).random(photo.shape) < 0.5)


def search_ends_at_the_best(chapter, seed):
    start = np.random.default_rng(seed).normal(size=(chapter["n"], 8))
    return abs(chapter["alternate"](start) - chapter["error"]) < 1e-4


def descents_end_at_the_nearest(chapter, seed):
    rng = np.random.default_rng(seed)
    ends = [minimize(chapter["loss"], rng.normal(size=3 * m)).fun for m in (1, 2)]
    return np.allclose(ends, [17, 16], rtol=0, atol=1e-4)


def two_or_three_products_are_nearest(chapter, seed):
    table = lost_pixels(chapter, seed)
    errors = [chapter["error_to_truth"]("PSD", m, table) for m in range(1, 13)]
    return np.argmin(errors) + 1 in (2, 3)


def filled_gaps_come_nearer_than_the_table(chapter, seed):
    seen = np.random.default_rng(seed).random(chapter["photo"].shape) < 0.5
    table, far = chapter["table_from"](seen), []
    for k in (2, 8):
        products = chapter["filled"](k, seen)
        far.append(np.linalg.norm(products @ products.T / chapter["p"] - chapter["G"]))
    best = min(chapter["error_to_truth"]("PSD", m, table) for m in range(1, 13))
    return far[0] < 0.55 * best and far[1] < min(far[0], best / 2)


def first_number_well_second_roughly(chapter, seed):
    whole = chapter["coordinates"](chapter["G"])
    half = chapter["coordinates"](lost_pixels(chapter, seed))
    half = half * np.sign(np.sum(half * whole, axis=0))
    moved = np.sqrt(np.mean((half - whole) ** 2, axis=0)) / whole.std(axis=0)
    return moved[0] < 0.15 and 0.3 < moved[1] < 0.6


def reaches_the_bound_on_traces(_, seed):
    frames = np.linalg.qr(np.random.default_rng(seed).normal(size=(5000, 3, 3)))[0]
    traces = np.einsum("i,rij,j,rij->r", [4.0, 1.0, -3.0], frames, [3.0, 2.0, 0.0], frames)
    return 0.98 * 14 <= traces.max() <= 14


def random_change_stays_below_its_norm(chapter, seed):
    table = lost_pixels(chapter, seed)
    E = np.random.default_rng(seed).normal(size=table.shape)
    E = (E + E.T) / 2
    moves = np.linalg.eigvalsh(table + E) - np.linalg.eigvalsh(table)
    return np.abs(moves).max() < 0.99 * np.linalg.norm(E, 2)


def rule_of_thumb_is_at_most_one_off(chapter, seed):
    rng = np.random.default_rng(seed)
    for percent in (40, 50, 60, 70, 80):
        table = chapter["table_from"](rng.random(chapter["photo"].shape) < percent / 100)
        errors = [chapter["error_to_truth"]("PSD", m, table) for m in range(1, 13)]
        values = np.linalg.eigvalsh(table)
        if abs(np.sum(values > -2 * values[0]) - np.argmin(errors) - 1) > 1:
            return False
    return True


test_sentence_holds_on_fresh_seeds = sentences(
    ("A search by least squares ends at M_k.", search_ends_at_the_best, 1),
    ("A descent ends at the nearest PSD matrix.", descents_end_at_the_nearest, 0.95),
    ("Two or three products are nearest.", two_or_three_products_are_nearest, 0.95),
    ("Filled gaps halve the distance, nearly.", filled_gaps_come_nearer_than_the_table, 0.95),
    ("One number well, the second roughly.", first_number_well_second_roughly, 0.95),
    ("Twice the depth: at most one off.", rule_of_thumb_is_at_most_one_off, 0.95),
    ("Random turns come near the bound on traces.", reaches_the_bound_on_traces, 0.95),
    ("A random E stays below the bound.", random_change_stays_below_its_norm, 0.95),
)
