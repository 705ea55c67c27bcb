"""Numbers, letters of parts and short prefixes stay on the line of the word beside them."""

import pytest
from line_breaks import without_breaks


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("in Chapter\n4 and Theorem 12.4", "in Chapter\u00a04 and Theorem\u00a012.4"),
        ("(a) Compute it. (b) ", "(a)\u00a0Compute it. (b)\u00a0"),
        ("a small p-value", "a small p-\u2060value"),
        ("the map of part (b) is not well-known", "the map of part (b) is not well-known"),
    ],
)
def test_breaks_are_prevented(text, expected):
    assert without_breaks(text) == expected
