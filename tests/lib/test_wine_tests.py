"""The table of the tests of the wines equals a recomputation of some of its rows."""

import pytest

from tools.wine_tests import COMPARISONS, PAIRS, TABLE, row_of_pair, row_of_varieties

PAIR_SAMPLE = [0, 57]
COMPARISON_SAMPLE = [0, 3, 38]


@pytest.fixture(scope="module")
def rows():
    lines = [line for line in TABLE.read_text("utf-8").splitlines() if line[0] != "#"]
    assert lines[0] == "statistic,variable,other,p-value"
    assert len(lines) == 1 + len(PAIRS) + len(COMPARISONS)
    return lines[1:]


@pytest.mark.parametrize("index", PAIR_SAMPLE)
def test_row_of_a_pair_equals_a_recomputation(rows, index):
    assert row_of_pair(*PAIRS[index]) == rows[index]


@pytest.mark.parametrize("index", COMPARISON_SAMPLE)
def test_row_of_a_comparison_equals_a_recomputation(rows, index):
    assert row_of_varieties(*COMPARISONS[index]) == rows[len(PAIRS) + index]
