"""Sentences of Chapter 12 about drawn samples, tried on seeds not looked at before.

Shares of false alarms and of rejections are of sixty seeds, three blocks of twenty.
"""

import numpy as np
import pytest

from tests.trials.conftest import SEEDS

pytestmark = pytest.mark.weekly

NEEDED = ("def p_by_width(", "raw, variety = load_wine")


def test_memory_raises_false_alarms(chapter):
    alarms = [chapter["share_of_alarms"](memory, SEEDS) for memory in (0.0, 0.9)]
    assert alarms[0] < 0.05 + 3 * np.sqrt(0.05 * 0.95 / 60)
    assert alarms[1] > 0.5


def test_energy_distance_loses_little_for_a_mean_and_gains_much_for_a_spread(chapter):
    by_mean, by_spread = (chapter["rejections"](kind, 1.0, SEEDS) for kind in ("mean", "spread"))
    assert by_mean[1] > by_mean[0] - 0.1
    assert by_spread[0] < 0.05 + 3 * np.sqrt(0.05 * 0.95 / 60)
    assert min(by_spread[1:]) > by_spread[0] + 0.1
    assert by_spread[3] > max(by_spread[:3])
    assert by_mean[3] < 0.05 + 3 * np.sqrt(0.05 * 0.95 / 60)


def test_the_best_of_eight_widths_is_no_test(chapter):
    looked = np.array([chapter["p_by_width"](seed) for seed in SEEDS])
    assert np.mean(looked.min(axis=1) <= 0.05) > 0.08


def test_the_split_keeps_the_level_and_finds_the_bumps(chapter):
    kept, gained = (chapter["both_rules"](equal, SEEDS) for equal in (True, False))
    assert max(kept) < 0.05 + 3 * np.sqrt(0.05 * 0.95 / 60)
    assert gained[0] > gained[1]


def test_the_order_of_the_rows_matters_for_the_malic_acids_only(chapter):
    groups = np.bincount(chapter["variety"])
    acids = np.vstack([chapter["first"], chapter["second"]])
    malics = chapter["center_gram"](-chapter["distances"](acids))
    weights = np.repeat([1 / groups[0], -1 / groups[1]], groups[:2])
    sides = [
        chapter["center_gram"](-chapter["distances"](chapter[name]))
        for name in ("phenols", "colour")
    ]
    for seed in SEEDS[::20]:
        question = np.outer(weights, weights), groups[:2]
        filed, shuffled = chapter["by_runs"](15, malics, *question, seed=seed)
        assert filed > 0.1
        assert np.median(shuffled) < 0.02
        assert np.mean(shuffled >= filed) <= 0.02
        filed, shuffled = chapter["by_runs"](15, *sides, groups, seed=seed)
        assert min(filed, np.median(shuffled)) > 0.15
