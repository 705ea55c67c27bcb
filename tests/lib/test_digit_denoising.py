"""The table of the comparison of denoising methods equals a recomputation of one of its rows."""

import numpy as np
import pytest

from tools.digit_denoising import COLUMNS, NOISES, STARTS, TABLE, rows


@pytest.fixture(scope="module")
def table():
    lines = [line for line in TABLE.read_text("utf-8").splitlines() if line[0] != "#"]
    assert lines[0].split(",") == COLUMNS
    return np.array([line.split(",") for line in lines[1:]], dtype=float)


def test_table_has_a_row_for_each_start_and_noise(table):
    expected = [[start, sigma] for start in STARTS for sigma in NOISES]
    np.testing.assert_array_equal(table[:, :2], expected)


def test_row_equals_a_recomputation(table):
    stored = table[NOISES.index(0.3)]
    (found,) = rows(STARTS[0], noises=(0.3,))
    is_error = np.array(["error" in name for name in COLUMNS])
    is_count = np.array(["correct" in name or "regression" in name for name in COLUMNS])
    np.testing.assert_allclose(np.array(found)[is_error], stored[is_error], rtol=0, atol=2e-6)
    # One image may be tied up to rounding on another processor.
    np.testing.assert_allclose(np.array(found)[is_count], stored[is_count], rtol=0, atol=1)
    settings = ~is_error & ~is_count
    np.testing.assert_array_equal(np.array(found)[settings], stored[settings])
