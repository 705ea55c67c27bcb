"""Compare maps of published data with the published maps.

The data are facts of the studies, as the R package HSAUR3 has them: water voles (Corbet, Cummins,
Hedges and Krzanowski 1970) and votes in the US Congress (Romesburg 1984). Its chapter on
multidimensional scaling prints the eigenvalues and the figure that are compared here.
"""

from pathlib import Path

import numpy as np
import pytest

from kmds_lib import procrustes_align
from tests.figures.laboratory_helpers import run_laboratory

FOLDER = Path(__file__).with_name("published")


def fit_file(name, **choices):
    """Return the laboratory's fit of a file, with its points as rows."""
    text = (FOLDER / name).read_text("utf-8")
    found = run_laboratory("fitted(m.readTable(text), choices)", text=text, choices=choices)
    return found | {"points": np.reshape(found["points"], (-1, 2))}


VOLE_EIGENVALUES = [0.736, 0.263, 0.149, 0.0699, 0.0296, 0.0193, 0]
VOLE_EIGENVALUES += [-0.0114, -0.0128, -0.0285, -0.0425, -0.0526, -0.0741, -0.110]


def test_water_voles_have_the_published_eigenvalues():
    found = fit_file("watervoles.csv")
    np.testing.assert_allclose(found["spectrum"], VOLE_EIGENVALUES, atol=5.1e-4)
    assert found["goodness"][0] == pytest.approx(0.625, abs=5e-4)


# Read off the handbook's figure 20.3, where the names are beside their points.
VOTING = [[-8.4, 0.9], [-7.4, 7.9], [6.1, -1.5], [3.5, 5.2], [-7.2, -4.2], [-3.3, -2.6]]
VOTING += [[-9.7, -1.1], [6.3, 1.0], [6.3, 0.3], [4.3, -0.9], [4.3, -0.4], [3.4, 1.0]]
VOTING += [[-4.5, -6.2], [0.8, -0.9], [3.9, 2.2]]


def test_votes_have_the_published_ordinal_map():
    found = fit_file("voting.csv", method="stress", transform="ordinal")
    aligned = procrustes_align(found["points"], target=VOTING, scaling=True).points
    assert np.linalg.norm(aligned - VOTING, axis=1).max() < 0.2 * np.abs(VOTING).max()
