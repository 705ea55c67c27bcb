"""The bundle of each widget runs on its own, as in Jupyter."""

import json
import subprocess

import pytest

from _ext.node import NODE, PACKAGES
from kmds_figures import explorers
from kmds_figures.explorers import Explorer, explorer
from kmds_figures.laboratory import laboratory
from tests.web.test_invalid_input import VALID

WIDGETS = [getattr(explorers, name) for name in explorers.__all__ if name.islower()]
SCRIPT = """
import { readFileSync } from "node:fs";
const [linkedom] = process.argv.slice(1);
const { bundle, state } = JSON.parse(readFileSync(0, "utf8"));
const { document } = (await import(linkedom)).parseHTML("<html><body><div></div></body></html>");
globalThis.document = document;
const source = Buffer.from(bundle).toString("base64");
const widget = (await import(`data:text/javascript;base64,${source}`)).default;
const el = document.querySelector("div");
const model = { get: (name) => state[name], set() {}, save_changes() {}, on() {}, off() {} };
widget.render({ el, model });
process.stdout.write(el.outerHTML);
"""


def test_each_explorer_has_a_factory():
    assert len(WIDGETS) == len(Explorer.__subclasses__()) - 1  # without the laboratory


@pytest.mark.parametrize("create", [*WIDGETS, laboratory])
def test_bundle_draws_the_initial_state(create):
    widget = create(**VALID.get(create, {}))
    request = {"bundle": widget._esm, "state": widget.start | {"start": widget.start}}
    linkedom = (PACKAGES / "linkedom" / "worker.js").as_uri()
    command = [NODE, "--input-type=module", "--eval", SCRIPT, linkedom]
    run = subprocess.run(
        command, input=json.dumps(request), capture_output=True, text=True, timeout=60
    )
    assert run.returncode == 0, run.stderr[-2000:]
    assert 'class="kx ' in run.stdout
    assert "<svg" in run.stdout or "<canvas" in run.stdout
    assert ".kx" in widget._css


def test_missing_bundles_are_reported_with_the_command_to_run(monkeypatch, tmp_path):
    monkeypatch.setattr(explorer, "BUNDLES", tmp_path)
    with pytest.raises(FileNotFoundError, match="Run `make bundles`"):
        laboratory()
