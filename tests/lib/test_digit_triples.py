"""The table of the 120 triples of digits equals a recomputation of some of its rows."""

import numpy as np
import pytest

from tools.digit_triples import STARTS, TABLE, TRIPLES, columns, row

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
