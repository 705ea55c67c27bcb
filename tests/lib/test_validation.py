"""Input checks: which data they refuse, accept unchanged, or repair in a copy."""

import sys
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from scipy.spatial.distance import squareform

from kmds_lib._numbers import as_numbers
from kmds_lib._parameters import check_number
from kmds_lib._validation import as_dissimilarities, as_gram, as_new_rows, as_points
from tests.lib.conftest import refused

TRIANGLE = np.array([[0.0, 3.0, 4.0], [3.0, 0.0, 5.0], [4.0, 5.0, 0.0]])


def changed(M, *entries):
    M = np.array(M, dtype=complex if any(isinstance(v, complex) for *_, v in entries) else float)
    for i, j, value in entries:
        M[i, j] = value
    return M


BAD_DISSIMILARITIES = {
    "nan": (changed(TRIANGLE, (0, 1, np.nan), (1, 0, np.nan)), r"D\[0, 1\] is nan \(2 such"),
    "infinite": (changed(TRIANGLE, (1, 2, np.inf), (2, 1, np.inf)), r"D\[1, 2\] is inf"),
    "negative": (changed(TRIANGLE, (0, 2, -4), (2, 0, -4)), r"D\[0, 2\] = -4 is negative"),
    "asymmetric": (changed(TRIANGLE, (0, 2, 4.5)), r"not symmetric: D\[0, 2\] = 4.5"),
    "diagonal": (changed(TRIANGLE, (1, 1, 1)), r"D\[1, 1\] = 1, but an object is at distance 0"),
    "not square": (TRIANGLE[:2], "square"),
    "condensed": (squareform(TRIANGLE), r"shape \(3,\).* scipy\.spatial\.distance\.squareform"),
    "three dimensions": (TRIANGLE[None], "3 dimensions .* one row for each object"),
    "text": ([["0", "1"], ["1", "0"]], "real numbers"),
    "none": (np.array([[0, None], [None, 0]], dtype=object), r"D\[0, 1\] is nan \(2 such"),
    "number as text": (np.array([[0, "1"], ["1", 0]], dtype=object), "not a real number"),
    "beyond floats": ([[0, 10**400], [10**400, 0]], "beyond the range"),
    "too small": (1e-62 * TRIANGLE, "Choose another unit"),
    "missing": (
        pd.DataFrame({"a": [0, pd.NA], "b": [1, 0]}),
        r"D\[1, 0\] is nan, but D\[0, 1\] = 1",
    ),
    "empty": (np.empty((0, 0)), "at least 1"),
}


@pytest.mark.parametrize("case", BAD_DISSIMILARITIES)
def test_bad_dissimilarities_are_refused(case):
    D, message = BAD_DISSIMILARITIES[case]
    with pytest.raises(ValueError, match=message):
        as_dissimilarities(D)


@pytest.mark.parametrize("n", [901, 1101])
@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf, 7.0])
def test_one_bad_entry_among_many_is_found(n, value):
    D = np.ones((n, n)) - np.eye(n)
    for place in ((0, n - 1), (n - 1, 0), (450, 451)):
        D[place] = value
        with pytest.raises(ValueError, match=r"D\[\d+, \d+\]"):
            as_dissimilarities(D)
        D[place] = 1.0


CHECKS = [as_dissimilarities, as_gram, as_points]


@pytest.mark.parametrize("check", CHECKS)
def test_accepted_input_is_converted_to_float64_without_a_copy(check):
    for dtype in ("u1", "i2", "i8", "f4", "f8", "O", bool):
        assert check(np.array([[0, 1], [1, 0]], dtype=dtype)).dtype == np.float64
    for container in (TRIANGLE.tolist(), pd.DataFrame(TRIANGLE), np.asfortranarray(TRIANGLE)):
        assert np.array_equal(check(container), TRIANGLE)
    assert check(TRIANGLE) is TRIANGLE


def test_slight_asymmetry_is_averaged_in_a_copy():
    D = TRIANGLE.copy()
    D[0, 1] += 2e-9
    before = D.copy()
    fixed = as_dissimilarities(D)
    assert np.array_equal(D, before)
    assert np.array_equal(fixed, fixed.T)
    assert fixed[0, 1] == pytest.approx(3 + 1e-9, abs=1e-15)
    assert np.array_equal(as_gram(-D), -fixed)  # a Gram matrix may be negative


@pytest.mark.parametrize(
    "entries",
    [
        [(1, 1, 1e-9)],
        [(0, 1, -1e-9), (1, 0, -1e-9)],
        [(0, 1, 0.0), (1, 0, -1e-9)],
        [(1, 1, 1e-9), (0, 1, 0.0), (1, 0, -1e-9)],
    ],
)
def test_slightly_wrong_entries_become_zero(entries):
    fixed = as_dissimilarities(changed(TRIANGLE, *entries))
    assert not fixed.diagonal().any()
    assert fixed.min() == 0
    assert np.array_equal(fixed, fixed.T)
    assert np.allclose(fixed, changed(TRIANGLE, *entries), rtol=0, atol=1e-8)


def test_asymmetry_in_the_last_place_is_ignored():
    K = changed(TRIANGLE, (0, 2, np.nextafter(4.0, 5.0)))
    assert as_gram(K) is K
    assert as_dissimilarities(K) is K


@pytest.mark.parametrize("factor", [1e-60, 1e59])
def test_tolerances_are_relative(factor):
    assert as_dissimilarities(TRIANGLE * factor).max() == 5 * factor
    with pytest.raises(ValueError, match="not symmetric"):
        as_dissimilarities(changed(TRIANGLE, (0, 1, 3.001)) * factor)


def test_limits_of_size_and_shape_are_accepted():
    assert as_gram([[1.0]]) == 1.0
    assert as_dissimilarities([[0.0]]) == 0.0
    assert as_points([[1e60], [-1e60]]).shape == (2, 1)
    assert as_points(np.full((10, 10), 1e-60)).min() == 1e-60


test_input_beyond_the_limits_is_refused = refused(
    (lambda: as_gram(-1e-122 * TRIANGLE), r"from 1e-120 to 1e\+120\. Choose another unit"),
    (lambda: as_points(np.empty((3, 0))), "at least 1 row and 1 column"),
    (lambda: as_points([[1.0], [np.nan]]), r"X\[1, 0\] is nan"),
    (lambda: as_points([[1.0], [-1.1e60]]), r"largest entry of X is 1\.1e"),
    (lambda: as_points(np.full((10, 10), 9e-61)), r"largest entry of X is 9e-61"),
    (lambda: as_new_rows(np.ones(3), 3, "D_new"), r"np\.reshape\(D_new, \(1, -1\)\)"),
    (lambda: as_numbers("1.5", "delta"), "delta .*dtype.* Convert"),
    (lambda: as_numbers(np.array(["2001-01-01"], dtype="M8[D]"), "delta"), "dtype.* times"),
    (lambda: as_numbers([np.ma.masked_equal([1.0, 2.0], 2.0)], "delta"), "delta .*masked"),
    (lambda: as_numbers([1.0, 2j], "delta"), "delta .*complex"),
    (lambda: as_numbers([[1.0], [1.0, 2.0]], "delta"), "delta .*ragged"),
)


NOT_NUMBERS = [True, np.True_, -1.0, np.nan, np.inf, "1", None, 1j, 10**400]
NOT_NUMBERS += [np.float16("inf"), np.float32("nan"), np.float32(-1), np.longdouble("1e4000")]


def test_parameters_are_finite_real_numbers():
    for value in NOT_NUMBERS:
        with pytest.raises(ValueError, match="theta is"):
            check_number(value, "theta")
    assert check_number(0, "noise") == 0.0
    assert check_number(sys.float_info.max, "noise") == sys.float_info.max
    assert check_number(2, "theta", positive=True) == 2.0
    for value in (1, Fraction(1, 2), np.float16(0.5), np.float32(0.5), np.int8(3)):
        assert type(check_number(value, "theta")) is float
