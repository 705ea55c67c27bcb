"""The tables of local minima and of shuffled dissimilarities equal recomputations of rows."""

import numpy as np
import pandas as pd
import pytest

from tools import shuffled_stress, stress_minima
from tools.stress_minima import LOSSES, SEEDS, reach, reach_all


@pytest.fixture(scope="module")
def minima():
    return pd.read_csv(stress_minima.TABLE, comment="#").set_index(["loss", "seed"])


@pytest.fixture(scope="module")
def shuffles():
    table = pd.read_csv(shuffled_stress.TABLE, comment="#")
    return table.set_index(["colours", "dimensions", "transform", "shuffle"]).stress


def test_minima_have_a_row_for_each_loss_and_seed(minima):
    assert list(minima.index) == [(loss, seed) for loss in LOSSES for seed in range(SEEDS)]


@pytest.mark.parametrize("loss", ["weights 0", "weights -1", "ordinal"])
def test_rate_equals_a_recomputation(minima, loss):
    smallest = reach(loss) / minima.classical[loss, 3]
    losses = reach_all(loss, 3)
    higher = np.sum(losses > stress_minima.MARGIN * smallest)
    gross = np.sum(losses > stress_minima.GROSS * smallest)
    # A few starts near the boundary between two minima may end differently on other processors.
    assert abs(higher - minima.higher[loss, 3]) <= 3
    assert abs(gross - minima.gross[loss, 3]) <= 3


def test_shuffles_have_a_row_for_each_case(shuffles):
    count = shuffled_stress.SHUFFLES + 1
    rows = [(*case, shuffle) for case in shuffled_stress.CASES for shuffle in range(count)]
    assert list(shuffles.index) == rows


@pytest.mark.parametrize("case", shuffled_stress.CASES[::3])
@pytest.mark.parametrize("shuffle", [0, 41])
def test_stress_equals_a_recomputation(shuffles, case, shuffle):
    found = shuffled_stress.smallest(*case, shuffle)
    np.testing.assert_allclose(found, shuffles[(*case, shuffle)], atol=0.005)
