"""The progress bar: late in a terminal, silent elsewhere, and never needed."""

import io
import sys
import time

import pytest
from tqdm.notebook import tqdm_notebook

from kmds_lib._progress import progress


@pytest.fixture(autouse=True)
def nobody_forbids_bars(monkeypatch):
    monkeypatch.delenv("TQDM_DISABLE", raising=False)


class Terminal(io.StringIO):
    def isatty(self):
        return True


def test_a_bar_in_a_terminal_and_none_elsewhere(monkeypatch):
    for stream, seen in ((Terminal(), True), (io.StringIO(), False)):
        monkeypatch.setattr(sys, "stderr", stream)
        assert list(progress(range(20), 20, "work", delay=-1)) == list(range(20))
        assert ("work:   0%" in stream.getvalue()) is seen


def test_a_bar_appears_late_and_counts_what_was_done(monkeypatch):
    stream = Terminal()
    monkeypatch.setattr(sys, "stderr", stream)
    begun = time.monotonic()
    for step in progress(range(40), 40, "work", delay=0.5):
        seen = stream.getvalue()
        assert seen == "" or time.monotonic() - begun > 0.5
        if step in (19, 30):
            time.sleep(0.5)
    assert "20/40" in stream.getvalue()
    assert "31/40" in stream.getvalue()


def test_a_loop_that_is_left_takes_its_bar_with_it(monkeypatch):
    stream = Terminal()
    monkeypatch.setattr(sys, "stderr", stream)
    steps = progress(range(20), 20, "work", delay=-1)
    next(iter(steps))
    before = stream.getvalue()
    steps.close()
    assert len(stream.getvalue()) > len(before)


def test_no_bar_without_tqdm(monkeypatch):
    monkeypatch.setitem(sys.modules, "tqdm.auto", None)
    assert list(progress(range(20), 20, "work", delay=-1)) == list(range(20))


@pytest.mark.parametrize(("variable", "hidden"), [("", [False]), ("1", [])])
def test_a_notebook_shows_it_unless_told_not_to(monkeypatch, variable, hidden):
    seen = []

    class Notebook(tqdm_notebook):
        def __init__(self, **options):
            seen.append(options["disable"])

        def update(self):
            pass

        def close(self):
            pass

    monkeypatch.setenv("TQDM_DISABLE", variable)
    monkeypatch.setattr("tqdm.auto.tqdm", Notebook)
    assert list(progress(range(20), 20, "work", delay=-1)) == list(range(20))
    assert seen == hidden
