import numpy as np
import pytest

from kmds_figures.checks import agree, differ


def test_agreement_is_one_line_without_rounding_noise(capsys):
    agree("roads", [1e-9, -1e-12], within=1e-6)
    agree("a pair", [[1.0, 2.0]], np.array([[1.0, 2.0]]))
    assert capsys.readouterr().out == "roads: agree within 1e-6\na pair: agree within 1e-8\n"


@pytest.mark.parametrize(
    ("found", "expected"),
    [
        ([0.0, 2e-8], 0),
        ([0.0, -2e-8], 0),
        ([np.nan, 0.0], 0),
        ([1 + 1e-7j], 1),
        ([[1.0, 1.0]], [[1.0], [1.0]]),
        ([1.0, 1.0], [1.0]),
        (1.0, [1.0, 1.0]),
        ([], 0),
        (np.uint8([1]), np.uint8([255])),
    ],
)
def test_what_does_not_agree_is_no_agreement(found, expected):
    with pytest.raises(AssertionError, match="roads"):
        agree("roads", found, expected)


@pytest.mark.parametrize(
    ("gap", "printed"),
    [(81.2, "80"), (6.04, "6"), (0.0028, "0.003"), (3.2e7, "3e7"), (4.7e-6, "5e-6")],
)
def test_a_difference_has_one_digit(gap, printed, capsys):
    differ("mean forgotten", [gap, 0.0], by=1e-6)
    assert capsys.readouterr().out == f"mean forgotten: differ by {printed}, more than 1e-6\n"


@pytest.mark.parametrize("gap", [0.01, 0.009, np.nan])
def test_a_difference_must_be_there(gap):
    with pytest.raises(AssertionError, match="mean"):
        differ("mean forgotten", gap, by=0.01)
