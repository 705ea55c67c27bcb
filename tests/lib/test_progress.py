"""The progress bar: late in a terminal, silent elsewhere, and never needed."""

import io
import sys

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
    monkeypatch.setattr("kmds_lib._progress._DELAY", -1)
    for stream, seen in ((Terminal(), True), (io.StringIO(), False)):
        monkeypatch.setattr(sys, "stderr", stream)
        assert list(progress(range(20), 20, "work")) == list(range(20))
        assert ("work:   0%" in stream.getvalue()) is seen


def test_a_bar_appears_late_and_counts_what_was_done(monkeypatch):
    clock = iter(range(100))
    monkeypatch.setattr("kmds_lib._progress.monotonic", lambda: next(clock) / 10)
    stream = Terminal()
    monkeypatch.setattr(sys, "stderr", stream)
    for step in progress(range(40), 40, "work"):
        assert (stream.getvalue() != "") is (step >= 20)
    assert "20/40" in stream.getvalue()


def test_a_loop_that_is_left_takes_its_bar_with_it(monkeypatch):
    monkeypatch.setattr("kmds_lib._progress._DELAY", -1)
    stream = Terminal()
    monkeypatch.setattr(sys, "stderr", stream)
    steps = progress(range(20), 20, "work")
    next(iter(steps))
    before = stream.getvalue()
    steps.close()
    assert len(stream.getvalue()) > len(before)


def test_no_bar_without_tqdm(monkeypatch):
    monkeypatch.setattr("kmds_lib._progress._DELAY", -1)
    monkeypatch.setitem(sys.modules, "tqdm.auto", None)
    assert list(progress(range(20), 20, "work")) == list(range(20))


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
    monkeypatch.setattr("kmds_lib._progress._DELAY", -1)
    assert list(progress(range(20), 20, "work")) == list(range(20))
    assert seen == hidden
