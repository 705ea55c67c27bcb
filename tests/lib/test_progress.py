"""The progress bar appears in terminals and notebooks, only for slow loops."""

import io
import sys
import time

import pytest
from tqdm.notebook import tqdm_notebook

from kmds_lib._progress import progress


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.fixture(autouse=True)
def bars_allowed(monkeypatch):
    monkeypatch.delenv("TQDM_DISABLE", raising=False)


def use_terminal(monkeypatch):
    """Replace the standard error stream by a terminal, and return it."""
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    return terminal


def run(steps=20, delay=-1):
    return progress(range(steps), steps, "work", delay=delay)


def test_bar_appears_only_in_a_terminal(monkeypatch):
    terminal = use_terminal(monkeypatch)
    assert list(run()) == list(range(20))
    assert "work:   0%" in terminal.getvalue()
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    assert list(run()) == list(range(20))
    assert sys.stderr.getvalue() == ""


def test_bar_appears_after_the_delay(monkeypatch):
    terminal, start = use_terminal(monkeypatch), time.monotonic()
    for step in run(40, delay=0.5):
        assert terminal.getvalue() == "" or time.monotonic() - start > 0.5
        if step in (19, 30):
            time.sleep(0.5)
    assert "20/40" in terminal.getvalue()
    assert "31/40" in terminal.getvalue()


def test_bar_is_removed_if_the_loop_is_left(monkeypatch):
    terminal, steps = use_terminal(monkeypatch), run()
    next(iter(steps))
    before = terminal.getvalue()
    steps.close()
    assert len(terminal.getvalue()) > len(before)


def test_loop_runs_without_tqdm(monkeypatch):
    monkeypatch.setitem(sys.modules, "tqdm.auto", None)
    assert list(run()) == list(range(20))


@pytest.mark.parametrize(("variable", "expected"), [("", [False]), ("1", [])])
def test_notebook_shows_a_bar_unless_disabled(monkeypatch, variable, expected):
    disabled = []

    class Notebook(tqdm_notebook):
        def __init__(self, **options):
            disabled.append(options["disable"])

        def update(self):
            pass

        def close(self):
            pass

    monkeypatch.setenv("TQDM_DISABLE", variable)
    monkeypatch.setattr("tqdm.auto.tqdm", Notebook)
    assert list(run()) == list(range(20))
    assert disabled == expected
