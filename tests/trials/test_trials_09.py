"""Sentences of Chapter 9 about random starts and shuffled tables, tried on seeds not seen before.

A seed draws the starts, or deals the dissimilarities anew. Shares are of sixty seeds, three blocks
of twenty.
"""

import numpy as np
import pytest

from tests.trials.conftest import ALL, SEEDS

pytestmark = pytest.mark.weekly

NEEDED = (
    "europe = load_eurodist()",
    '"strain": spectral.points',
    "def random_ends(",
    "def smacof_by_hand(",
    "by_hand, history =",
    "fit = smacof(roads)",
    "def random_runs(",
    "nonlinear = sammon(roads)",
    "def weighted_map(",
    "HUNDREDTHS",
)


@pytest.fixture(scope="module")
def stops(chapter):
    """Return for each seed the stresses at which a hundred random starts stop, over the least."""
    least = chapter["least_stress"]
    return [
        np.array([run.raw_stress for run in chapter["random_runs"](seed)]) / least
        for seed in SEEDS
    ]


def test_about_one_start_in_seven_is_stuck(stops):
    assert 1 / 8 < np.mean(np.concatenate(stops) > 1.01) < 1 / 6


def test_every_seed_has_starts_that_are_stuck(stops):
    assert np.mean([(ends > 1.01).any() for ends in stops]) == 1


def test_no_start_is_lower_than_the_classical_one_and_the_stuck_stop_far_above(stops):
    ends = np.concatenate(stops)
    assert ends.min() > 1 - 1e-4
    assert ends[ends < 1.01].max() < 1 + 1e-5
    assert np.mean(ends[ends > 1.01] > 5) > 0.99


def test_sammon_is_stuck_more_often(chapter, stops):
    caught = []
    for seed, ends in zip(SEEDS, stops, strict=True):
        draws = np.random.default_rng(seed).normal(size=(25, chapter["n"], 2))
        fits = [chapter["sammon"](chapter["roads"], init=draw, tol=1e-4) for draw in draws]
        stuck = [fit.stress > 1.01 * chapter["nonlinear"].stress for fit in fits]
        caught.append(np.mean(stuck) > np.mean(ends > 1.01))
    assert np.mean(caught) >= ALL


def test_sstress_of_five_cities_has_a_trap_in_the_plane_and_none_was_met_with_all(chapter):
    random_ends, five, least = chapter["random_ends"], chapter["of_five"], chapter["least"]
    met = [random_ends(five, 20, seed)[-1][1] / least for seed in SEEDS]
    assert np.mean(np.isclose(met, 4.28, rtol=0.01)) >= ALL
    everywhere = [random_ends(chapter["roads"], 3, seed)[-1][1] for seed in SEEDS]
    assert np.allclose(everywhere, chapter["all_cities"][0], rtol=1e-3)


@pytest.mark.parametrize("transform", ["ratio", "ordinal"])
def test_fourteen_colours_without_structure_do_not_come_near_a_tenth(chapter, transform):
    ends = [chapter["shuffled_stress"](chapter["ekman"], transform, seed) for seed in SEEDS]
    assert min(ends) > 0.15


def test_seven_colours_without_structure_come_below_a_tenth(chapter):
    few = chapter["ekman"][::2, ::2]
    ends = [chapter["shuffled_stress"](few, "ordinal", seed) for seed in SEEDS]
    assert np.mean(np.array(ends) < 0.1) > 0.2
