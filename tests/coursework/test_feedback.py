"""Feedback pages: what students write is rendered without active content."""

import re

import pytest

from coursework import feedback

# Only tags are dangerous: their text may stay, escaped.
DANGEROUS = re.compile(
    r"<[^>]*\b(script|iframe|style|form|input|svg|onerror|onload|src|href)\b", re.IGNORECASE
)


@pytest.mark.parametrize(
    "text",
    [
        "<script>alert(1)</script>",
        "<img src=x onerror=alert(1)>",
        "<img src='https://example.org/who.png'>",
        "<a href='javascript:alert(1)'>x</a>",
        "<form action='https://example.org'><input></form>",
        "<svg onload=alert(1)>",
        "<p style='position: fixed'>x</p>",
    ],
)
def test_active_content_is_removed(text):
    assert DANGEROUS.search(text)
    assert not DANGEROUS.search(feedback.safe_markdown({}, text))


def test_very_long_text_is_not_rendered():
    shown = feedback.safe_markdown({}, "<b>" + 3_000_000 * "$")
    assert shown.startswith("<pre>&lt;b&gt;$$")
    assert len(shown) < 2 * feedback.MAX_TEXT_LENGTH
