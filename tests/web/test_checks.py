import numpy as np
import pytest

from kmds_figures.checks import agree, at_least, at_most, differ


@pytest.mark.parametrize(
    ("found", "expected"),
    [
        ([0.0, -2e-8], 0),
        ([np.nan, 0.0], 0),
        ([1 + 1e-7j], 1),
        ([[1.0, 1.0]], [[1.0], [1.0]]),
        (1.0, [1.0, 1.0]),
        ([], 0),
        (np.uint8([1]), np.uint8([255])),
    ],
)
def test_agree_fails_on_differences_nan_and_shapes(found, expected):
    with pytest.raises(AssertionError, match="distances"):
        agree("distances", found, expected)


@pytest.mark.parametrize(
    ("gap", "printed"),
    [(81.2, "80"), (6.04, "6"), (0.0028, "0.003"), (3.2e7, "3e7"), (4.7e-6, "5e-6")],
)
def test_differ_prints_one_digit(gap, printed, capsys):
    differ("Each mean", [gap, 0.0], by=1e-6)
    differ("Both means", [gap, 0.0], [0.0, 0.0], by=1e-6)
    lines = [f"≠ Each mean differs from 0 by {printed}", f"≠ Both means differ by {printed}"]
    assert capsys.readouterr().out.splitlines() == lines


@pytest.mark.parametrize("gap", [0.01, np.nan])
def test_differ_fails_without_a_difference(gap):
    with pytest.raises(AssertionError, match="means"):
        differ("means", gap, by=0.01)


def test_bounds_are_printed_without_rounding_errors(capsys):
    at_most("Each step", [-1.0, 1e-12], 0)
    at_most("Each move", [3.0, 12.774], 12.7749)
    at_least("Each gain", [[0.3], [0.08]], 0.08)
    lines = [
        "✓ Each step is at most 0",
        "✓ Each move is at most 12.8",
        "✓ Each gain is at least 0.08",
    ]
    assert capsys.readouterr().out.splitlines() == lines


@pytest.mark.parametrize("found", [[0.0, 2e-8], [np.nan, -1.0]])
def test_at_most_fails_on_larger_entries_and_nan(found):
    with pytest.raises(AssertionError, match="steps"):
        at_most("steps", found, 0)


@pytest.mark.parametrize("found", [[1.0, 0.0799], [np.nan, 1.0]])
def test_at_least_fails_on_smaller_entries_and_nan(found):
    with pytest.raises(AssertionError, match="gains"):
        at_least("gains", found, 0.08)
