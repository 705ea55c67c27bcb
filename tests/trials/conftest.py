"""What the trials share: seeds that no writer looked at, and a chapter's own cells."""

import nbformat
import numpy as np
import pytest

from tests.test_project import CHAPTERS

SEEDS = [*range(100, 120), *range(2000, 2020), *range(30_000, 30_020)]
ALL = 57 / 60
"""The share of the seeds for which a sentence holds that says all."""


@pytest.fixture(scope="module")
def chapter(request):
    """Run the cells that define what a module's sentences are about; `NEEDED` names them."""
    number, needed = request.module.__name__[-2:], request.module.NEEDED
    [path] = [path for path in CHAPTERS if path.stem.startswith(f"{number}-")]
    cells = nbformat.read(path, as_version=4).cells
    sources = [cell.source for cell in cells if cell.cell_type == "code"]
    for text in needed:
        assert sum(text in source for source in sources) == 1, f"{path.name}: not one {text!r}"
    namespace = {}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("kmds_figures.sliders.frame_slider", lambda *args, **options: None)
        for source in sources:
            if any(text in source for text in needed):
                exec(source, namespace)
    return namespace


def sentences(*rows, fixture="chapter"):
    """Return a nightly test of sentences, each with a function that tells whether it holds.

    The function is given a fixture, the chapter or what was drawn from it, and a seed. The last of
    a row is the share of the seeds for which it must hold.
    """

    @pytest.mark.nightly
    @pytest.mark.parametrize(("sentence", "holds", "share"), rows)
    def holds_on_fresh_seeds(request, sentence, holds, share):
        given = request.getfixturevalue(fixture)
        found = np.mean([holds(given, seed) for seed in SEEDS])
        assert found >= share, f"{sentence}: {found:.2f} of the seeds"

    return holds_on_fresh_seeds
