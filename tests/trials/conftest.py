"""What the trials share: seeds that no writer looked at, and a chapter's own cells."""

import ast
from contextlib import suppress

import nbformat
import numpy as np
import pytest
from tests.test_project import CHAPTERS

SEEDS = [*range(100, 120), *range(2000, 2020), *range(30_000, 30_020)]
ALL = 57 / 60
"""The share of the seeds for which a sentence holds that says all."""


DEFINED = (ast.Import, ast.ImportFrom, ast.FunctionDef)


@pytest.fixture(scope="module")
def chapter(request):
    """Return what a chapter imports and defines, and the data of the cells that `NEEDED` names."""
    number, needed = request.module.__name__[-2:], getattr(request.module, "NEEDED", ())
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
                continue
            body = [one for one in ast.parse(source).body if isinstance(one, DEFINED)]
            with suppress(NameError):  # defaults of a function may be data that is not needed
                exec(compile(ast.Module(body, []), str(path), "exec"), namespace)
    return namespace


def sentences(*rows, fixture="chapter"):
    """Return a nightly test of sentences, each with a function that tells whether it holds.

    The function is given a fixture, the chapter or what was drawn from it, and a seed. The last of
    a row is the share of the seeds for which it must hold.
    """

    @pytest.mark.weekly
    @pytest.mark.parametrize(("sentence", "holds", "share"), rows)
    def holds_on_fresh_seeds(request, sentence, holds, share):
        given = request.getfixturevalue(fixture)
        found = np.mean([holds(given, seed) for seed in SEEDS])
        assert found >= share, f"{sentence}: {found:.2f} of the seeds"

    return holds_on_fresh_seeds
