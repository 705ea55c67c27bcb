"""The bundle of each widget runs on its own, as in Jupyter."""

from pathlib import Path

import pytest

from _ext.node import run_node
from kmds_figures.explorers import Explorer, explorer
from kmds_figures.laboratory import laboratory
from tests.web.test_invalid_input import VALID, WIDGETS


def test_each_explorer_has_a_factory():
    assert len(WIDGETS) == len(Explorer.__subclasses__()) - 1  # without the laboratory


@pytest.mark.parametrize("create", [*WIDGETS, laboratory])
def test_bundle_draws_the_initial_state(create):
    widget = create(**VALID.get(create, {}))
    request = {"bundle": widget._esm, "state": widget.start | {"start": widget.start}}
    drawn = run_node(Path(__file__).with_name("drawBundle.js"), request)
    assert 'class="kx ' in drawn
    assert "<svg" in drawn or "<canvas" in drawn
    assert ".kx" in widget._css


def test_missing_bundles_are_reported_with_the_command_to_run(monkeypatch, tmp_path):
    monkeypatch.setattr(explorer, "BUNDLES", tmp_path)
    with pytest.raises(FileNotFoundError, match="Run `make bundles`"):
        laboratory()
