"""The progress bar: there in a terminal, silent elsewhere, and never needed."""

import sys
import time

from kmds_lib._progress import progress


def slow(n):
    for i in range(n):
        time.sleep(0.6)
        yield i


def test_passes_the_items_on_without_tqdm(monkeypatch):
    monkeypatch.setitem(sys.modules, "tqdm.auto", None)
    assert list(progress(range(3), "starts")) == [0, 1, 2]


def test_is_silent_where_nobody_looks(capsys):
    assert list(progress(slow(3), "starts", 3)) == [0, 1, 2]
    assert capsys.readouterr() == ("", "")


def test_shows_in_a_terminal(monkeypatch, capsys):
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    list(progress(slow(3), "starts", 3))
    assert "starts" in capsys.readouterr().err
