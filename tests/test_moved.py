"""A link into an earlier edition leads to what it named, on whatever page that stands now."""

import json
import pydoc
import re
from pathlib import Path

import pytest

from tests.test_coverage import CHAPTERS, ROOT, labels_of

SCRIPT = (ROOT / "_static" / "moved.js").read_text("utf-8")
MOVED = json.loads(re.search(r"MOVED = (\{.*?^\})", SCRIPT, re.M | re.S)[1])
EARLIER = {}
for line in (Path(__file__).parent / "labels-0.2.0.txt").read_text("utf-8").splitlines():
    page, label = line.split()
    EARLIER.setdefault(page, set()).add(label)


def ids_of(page):
    """Return the labels of a page as its addresses have them."""
    labels = labels_of(next(CHAPTERS.glob(f"{page}.*")))
    return labels | {f"equation-{label}" for label in labels}


@pytest.mark.parametrize("page", EARLIER)
def test_every_label_is_kept_or_forwarded(page):
    gone = EARLIER[page] - ids_of(page)
    moved = {place.partition("#")[2] for place in MOVED if place.startswith(f"{page}#")}
    assert gone == {label.removeprefix("equation-") for label in moved}


def test_a_forwarded_label_leads_to_one_that_exists():
    for place in MOVED.values():
        page, label = place.split("#")
        is_of_library = label.startswith("kmds_lib.")
        assert pydoc.locate(label) if is_of_library else label in ids_of(page), place
