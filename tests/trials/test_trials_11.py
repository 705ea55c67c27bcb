"""Sentences of Chapter 11 about drawn data, tried on seeds that their writer did not look at.

Each row of `SENTENCES` is a sentence of the chapter, a function of a seed and the chapter's own
functions, which tells whether the sentence holds there, and the share of the seeds on which it
must.
"""

import numpy as np
import pytest

from tests.trials.conftest import ALL

pytestmark = pytest.mark.weekly

SEEDS = [*range(1000, 1020), *range(2000, 2020), *range(3000, 3020)]
MOST, USUAL = 0.8, 0.6
MAPS = ("width_ratio", "wide_cloud"), ("gap_ratio", "uneven_line"), ("largest_hole", "square")
SIZES, GAPS, HOLES = MAPS


@pytest.fixture(scope="module")
def ratio(chapter):
    """Return a measure on a map over the same measure on the data; each trial runs once."""
    seen = {}

    def of(trial, method, seed):
        if (trial, seed) not in seen:
            measure, draw = (chapter[name] for name in trial)
            seen[trial, seed] = chapter["map_over_data"](measure, draw, seed)
        return seen[trial, seed][method]

    return of


def leaps(chapter, seed):
    found = chapter["leap"](seed)
    return found is None or found[0] > 1.5 > found[1]


def apart(chapter, seed):
    points, _ = chapter["swiss_roll"](400, seed=seed)
    return chapter["largest_angle"](points, 8) > 10


def one_grape(chapter, seed):
    chapter["wine"], chapter["grape"] = chapter["load_wine"](return_X_y=True)
    found = chapter["wine_sample"](seed)
    return found["eigenmaps"] > found["the table"]


def pulled_apart(chapter, seed):
    held = {"constraints": "edges", "tolerance": 1e-3}
    method = chapter["maximum_variance_unfolding"]
    return chapter["stretch"](seed, 12, method, **held)[0] > 1.05


def narrower_far_away(chapter, seed):
    X = chapter["wide_cloud"](np.random.default_rng(seed))
    X[60:, 1] += 6
    count = chapter["enough_neighbors"](X)
    Y = chapter["laplacian_eigenmaps"](X, n_neighbors=count).points
    return chapter["width_ratio"](Y) < 1


def widens_with_25(chapter, seed):
    X = chapter["square"](np.random.default_rng(seed))
    Y = chapter["laplacian_eigenmaps"](X, n_neighbors=25).points
    return chapter["largest_hole"](Y) > chapter["largest_hole"](X)


def narrower_with_25(chapter, seed):
    X = chapter["square"](np.random.default_rng(seed))
    few, many = (chapter["isomap"](X, n_neighbors=count).points for count in (6, 25))
    return chapter["largest_hole"](many) < chapter["largest_hole"](few)


SENTENCES = [
    (
        "some four rolls in five begin without a short circuit",
        lambda chapter, seed: chapter["leap"](seed) is not None,
        0.7,
    ),
    (
        "on more rolls than not LLE keeps over four fifths of the width",
        lambda chapter, seed: chapter["two_on_a_roll"](seed)[1] > 0.8,
        0.5,
    ),
    (
        "Isomap misses at most a hundredth of a sheet",
        lambda chapter, seed: chapter["two_on_a_roll"](seed)[0] < 0.01,
        ALL,
    ),
    ("the wide cloud is drawn narrower once it is twice as far away", narrower_far_away, MOST),
    ("with 25 neighbours eigenmaps widen the largest hole", widens_with_25, ALL),
    ("with 25 neighbours Isomap widens the largest hole less", narrower_with_25, ALL),
    ("the first short circuit multiplies the negative mass by 1.5 at least", leaps, ALL),
    ("LLE and Laplacian eigenmaps differ by more than 10 degrees", apart, ALL),
    (
        "an end cloud lies farther off on Isomap's map, round the corner",
        lambda chapter, seed: chapter["stretch"](seed, 30, chapter["isomap"])[0] > 1,
        ALL,
    ),
    ("more often than not MVU errs there by a twentieth", pulled_apart, 0.5),
    ("the second grape is wider on the map of Laplacian eigenmaps", one_grape, ALL),
]
OF_MAPS = [
    ("Isomap errs upwards in sizes", SIZES, "Isomap", lambda r: r > 1, MOST),
    ("LLE errs upwards in sizes, if to both sides", SIZES, "LLE", lambda r: r > 1, USUAL),
    ("eigenmaps shrink the dense", SIZES, "Laplacian eigenmaps", lambda r: r > 1.5, ALL),
    ("t-SNE makes clouds more equal", SIZES, "t-SNE", lambda r: r < 1, ALL),
    ("Isomap keeps gaps on a line", GAPS, "Isomap", lambda r: abs(r - 1) < 0.15, ALL),
    ("LLE makes gaps equal", GAPS, "LLE", lambda r: r < 0.6, ALL),
    ("eigenmaps make gaps equal", GAPS, "Laplacian eigenmaps", lambda r: r < 0.6, ALL),
    ("t-SNE makes gaps more equal", GAPS, "t-SNE", lambda r: r < 1, ALL),
    ("Isomap widens the largest hole", HOLES, "Isomap", lambda r: r > 1, ALL),
    ("eigenmaps widen the largest hole", HOLES, "Laplacian eigenmaps", lambda r: r > 1, ALL),
    ("t-SNE widens the largest hole", HOLES, "t-SNE", lambda r: r > 1, ALL),
]


@pytest.mark.parametrize(("sentence", "holds", "share"), SENTENCES, ids=lambda row: None)
def test_the_sentence_holds_on_fresh_seeds(chapter, sentence, holds, share):
    found = np.mean([holds(chapter, seed) for seed in SEEDS])
    assert found >= share, f"{sentence}: {found:.2f} of the seeds"


@pytest.mark.parametrize(("sentence", "trial", "method", "holds", "share"), OF_MAPS)
def test_the_warning_holds_on_fresh_seeds(ratio, sentence, trial, method, holds, share):
    found = np.mean([holds(ratio(trial, method, seed)) for seed in SEEDS])
    assert found >= share, f"{sentence}: {found:.2f} of the seeds"
