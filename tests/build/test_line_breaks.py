"""Numbers, letters of parts and short prefixes stay on the line of the word beside them."""

import pytest
from docutils import nodes
from line_breaks import without_breaks


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("in Chapter\n4 and Theorem 12.4", "in Chapter\u00a04 and Theorem\u00a012.4"),
        ("(a) Compute it. (b) ", "(a)\u00a0Compute it. (b)\u00a0"),
        ("two p-values, not well-known", "two <p-values>, not well-known"),
        ("the map of part (b) is not", "the map of part (b) is not"),
    ],
)
def test_breaks_are_prevented(text, expected):
    parts = without_breaks(text)
    written = [str(p) if isinstance(p, nodes.Text) else f"<{p.astext()}>" for p in parts]
    assert "".join(written) == expected
