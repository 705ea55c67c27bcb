"""Tables of published studies, and the maps that were published of them.

The numbers are facts of the studies: colours (Ekman 1954); water voles (Corbet, Cummins, Hedges
and Krzanowski 1970) and votes in the US Congress (Romesburg 1984), both as HSAUR3 has them, whose
chapter on multidimensional scaling prints the eigenvalues and the figure that are compared here.
Arrests in the United States (McNeil 1977, R's USArrests) are the table of the test of arrows in
the browser.
"""

from pathlib import Path

import numpy as np
import pytest

from kmds_figures.laboratory.samples import samples
from kmds_lib import procrustes_align
from tests.figures.laboratory import ask

FOLDER = Path(__file__).with_name("published")


def mapped(text, **asked):
    """Return the names of a table and its map."""
    fit = "{ const one = m.readTable(text); return { ...one, ...fitted(one, asked) }; }"
    found = ask(fit, text=text, asked=asked)
    assert found["wrong"] is None
    points = np.reshape(found["points"], (len(found["table"]), -1))
    return found | {"points": points, "spectrum": np.array(found["spectrum"])}


VOLES = [0.736, 0.263, 0.149, 0.0699, 0.0296, 0.0193, 0]
VOLES += [-0.0114, -0.0128, -0.0285, -0.0425, -0.0526, -0.0741, -0.110]


def test_water_voles_have_the_eigenvalues_of_the_handbook():
    found = mapped((FOLDER / "watervoles.csv").read_text("utf-8"))
    np.testing.assert_allclose(found["spectrum"], VOLES, atol=5.1e-4)
    assert found["goodness"][0] == pytest.approx(0.625, abs=5e-4)
    at = dict(zip(found["names"], found["points"], strict=True))
    assert max(at, key=lambda name: abs(at[name][1])) == "Yugoslavia"
    ordered = sorted(at, key=lambda name: abs(at[name][0]))
    assert {"Pyrenees II", "North Spain", "South Spain"} == set(ordered[-3:])


# Read off the handbook's figure 20.3, whose names stand beside their points.
VOTING = [[-8.4, 0.9], [-7.4, 7.9], [6.1, -1.5], [3.5, 5.2], [-7.2, -4.2], [-3.3, -2.6]]
VOTING += [[-9.7, -1.1], [6.3, 1.0], [6.3, 0.3], [4.3, -0.9], [4.3, -0.4], [3.4, 1.0]]
VOTING += [[-4.5, -6.2], [0.8, -0.9], [3.9, 2.2]]


def test_votes_fall_along_party_lines_as_in_the_handbook():
    text = (FOLDER / "voting.csv").read_text("utf-8")
    found = mapped(text, method="stress", transform="ordinal")
    laid = procrustes_align(found["points"], target=VOTING, scaling=True).points
    assert np.linalg.norm(laid - VOTING, axis=1).max() < 0.2 * np.abs(VOTING).max()
    parties = np.array([name[-2] for name in found["names"]])
    middles = {party: found["points"][parties == party].mean(axis=0) for party in "RD"}
    nearer = {
        name: min("RD", key=lambda party: np.linalg.norm(point - middles[party]))
        for name, point in zip(found["names"], found["points"], strict=True)
    }
    assert [name for name, party in nearer.items() if name[-2] != party] == ["Rinaldo(R)"]


def test_colours_go_round_in_the_order_of_their_wavelengths():
    text = next(sample["text"] for sample in samples() if sample["name"] == "colours")
    found = mapped(text, method="stress", transform="ordinal")
    assert found["stress"] < 0.03
    angles = np.unwrap(np.arctan2(*found["points"].T))
    turns = np.diff(angles)
    assert (np.sign(turns) == np.sign(turns[0])).all()
    assert 0.6 < abs(angles[-1] - angles[0]) / (2 * np.pi) < 1
