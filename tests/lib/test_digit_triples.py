"""The table of the 120 triples of digits, and what Chapter 8 says about it."""

import numpy as np
import pytest

from tools.digit_triples import KERNELS, STARTS, TABLE, TRIPLES, columns, row

SAMPLE = [0, 155, 223, 359]


@pytest.fixture(scope="module")
def table():
    lines = [line for line in TABLE.read_text("utf-8").splitlines() if line[0] != "#"]
    assert lines[0].split(",") == columns()
    return np.array([line.split(",") for line in lines[1:]], dtype=float)


def test_table_has_a_row_for_each_triple_and_start(table):
    expected = [[*triple, start] for triple in TRIPLES for start in STARTS]
    np.testing.assert_array_equal(table[:, :4], expected)


@pytest.mark.parametrize("index", SAMPLE)
def test_row_equals_a_recomputation(table, index):
    triple, start = tuple(table[index, :3].astype(int)), int(table[index, 3])
    found = row(triple, start)
    # One image may be near the boundary between two classes on another processor.
    np.testing.assert_allclose(found[:-2], table[index, :-2], rtol=0, atol=1)
    np.testing.assert_allclose(found[-2:], table[index, -2:], rtol=0, atol=2e-6)


def gains(table):
    """Return the gain over classical scaling by triple for each kernel and for the chosen one."""
    new, held_out = table[:, 4:10], table[:, 10:16]
    chosen = new[np.arange(len(new)), held_out.argmax(axis=1)]
    totals = np.column_stack([new, chosen]).reshape(-1, len(STARTS), 7).sum(axis=1)
    return dict(zip([*KERNELS, "chosen"], (totals - totals[:, :1]).T, strict=True))


def correlations(table, measure):
    """Return the correlation of a measure with the gain for theta = 0.4, for each start."""
    names = columns()
    gain = table[:, names.index("new 0.4")] - table[:, names.index("new linear")]
    pairs = [(measure[i :: len(STARTS)], gain[i :: len(STARTS)]) for i in range(len(STARTS))]
    return [np.corrcoef(*pair)[0, 1] for pair in pairs]


def difference(table, kind):
    """Return the difference of two columns, for theta = 0.4 and for the linear kernel."""
    names = columns()
    return table[:, names.index(f"{kind} 0.4")] - table[:, names.index(f"{kind} linear")]


def test_best_width_and_cross_validation(table):
    gain = gains(table)
    means = {name: each.mean() for name, each in gain.items()}
    assert max(means, key=means.get) == "0.4"
    assert means["0.4"] == pytest.approx(8.41, abs=0.01)
    assert means["chosen"] == pytest.approx(6.24, abs=0.01)
    large_losses = [np.sum(gain[name] <= -12) for name in ("0.4", "chosen")]
    assert large_losses == [6, 4]
    assert np.sum(gain["chosen"] < 0) == 35


def test_correlations_with_the_gain(table):
    advantage = correlations(table, difference(table, "held out"))
    increase = correlations(table, difference(table, "share"))
    np.testing.assert_allclose(advantage, [0.50, 0.54, 0.50], atol=0.006)
    np.testing.assert_allclose(increase, [0.42, 0.28, 0.44], atol=0.006)


@pytest.mark.weekly
@pytest.mark.parametrize("shift", [45, 90, 117])
def test_moved_starts(shift):
    moved = np.array([row(triple, start + shift) for triple in TRIPLES for start in STARTS])
    check_moved(moved)


def check_moved(moved):
    gain = gains(moved)
    assert 10.4 < gain["0.4"].mean() < 11.8
    assert 8.4 < gain["chosen"].mean() < 9.6
    assert np.sum(gain["chosen"] <= -12) <= 2
    advantage = correlations(moved, difference(moved, "held out"))
    assert min(advantage) > 0.03
    assert max(advantage) < 0.70
    increase = correlations(moved, difference(moved, "share"))
    assert min(increase) > -0.03
    assert max(increase) < 0.66
