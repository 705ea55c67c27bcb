"""What an explorer cannot show is refused in words that say what to give."""

import numpy as np
import pytest

from kmds_figures.explorers import (
    clerk_explorer,
    kernel_explorer,
    model_explorer,
    neighbor_explorer,
    rank_explorer,
    turn_explorer,
    width_explorer,
)
from kmds_lib import swiss_roll
from kmds_lib.kernels import RBF, Linear, Polynomial
from tests.figures.test_explorers_kernels import cloud
from tests.figures.test_model_explorer import GROUPS, X
from tests.figures.test_rank_explorer import IMAGE, SEEN

ROLL, SHEET = swiss_roll(50)
FOURTH = np.arange(X.shape[1]) == 4
ALLOWED = {
    clerk_explorer: {},
    kernel_explorer: {},
    model_explorer: {"X": X, "groups": GROUPS},
    neighbor_explorer: {"points": ROLL, "sheet": SHEET},
    rank_explorer: {"image": IMAGE, "seen": SEEN},
    turn_explorer: {"points": [[1, 0], [0, 1], [1, 1]]},
    width_explorer: {"D": cloud()},
}
REFUSED = [
    (clerk_explorer, {"points": "square"}, "points = 'square' is unknown; use 'long'"),
    (kernel_explorer, {"points": "circle"}, "points"),
    (kernel_explorer, {"points": np.zeros((4, 2))}, "5 to 60 points"),
    (kernel_explorer, {"points": np.zeros((9, 3))}, "5 to 60 points"),
    (
        kernel_explorer,
        {"points": np.full((9, 2), 3.0)},
        r"points\[0, 1\] = 3 lies outside the plane",
    ),
    (kernel_explorer, {"kernel": RBF(1000.0)}, "theta = 1000 lies outside the slider, 0.01 to"),
    (kernel_explorer, {"kernel": Polynomial(2, scale=0.5)}, "no slider"),
    (kernel_explorer, {"asks": "why"}, "asks"),
    (kernel_explorer, {"points": np.zeros((9, 2)), "groups": [0, 1]}, "for each of the 9"),
    (model_explorer, {"X": X[:29]}, r"\(29, 6\); give 30 to 300 objects, 3 to 20 variables"),
    (model_explorer, {"X": X[:, :2]}, r"X has shape \(42, 2\)"),
    (model_explorer, {"X": np.where(FOURTH, 1.0, X)}, "Column 4 of X is constant"),
    (model_explorer, {"X": np.where(FOURTH, np.nan, X)}, "finite"),
    (model_explorer, {"groups": GROUPS[1:]}, "must hold 0, 1 or 2 for each of the 42 objects"),
    (model_explorer, {"groups": GROUPS + 1}, "groups must hold 0, 1 or 2"),
    (model_explorer, {"noun": "two words"}, "is no word"),
    (neighbor_explorer, {"points": np.ones((50, 2))}, r"\(50, 2\); pass from 40 to 200 points"),
    (neighbor_explorer, {"points": np.ones((39, 3))}, r"points has shape \(39, 3\)"),
    (neighbor_explorer, {"points": np.ones((201, 3))}, r"points has shape \(201, 3\)"),
    (neighbor_explorer, {"points": np.full((50, 3), np.nan)}, "finite"),
    (neighbor_explorer, {"sheet": np.ones((49, 2))}, r"shape \(49, 2\); pass two numbers"),
    (neighbor_explorer, {"sheet": np.ones((50, 3))}, "sheet has shape"),
    (neighbor_explorer, {"n_points": 51}, "n_points = 51 is out of range"),
    (neighbor_explorer, {"n_points": 39}, "n_points = 39 is too few; take at least 40"),
    (rank_explorer, {"image": IMAGE[:7]}, r"image has shape \(7, 30\); give 8 to 100 rows"),
    (rank_explorer, {"image": IMAGE.T, "seen": SEEN.T}, r"image has shape \(30, 20\)"),
    (rank_explorer, {"image": 2 * IMAGE}, "give shades from 0 to 1"),
    (rank_explorer, {"image": IMAGE - 0.5}, "give shades from 0 to 1"),
    (rank_explorer, {"image": np.full(IMAGE.shape, np.nan)}, "finite"),
    (rank_explorer, {"seen": SEEN[:, 1:]}, r"seen has shape \(20, 29\), image \(20, 30\)"),
    (rank_explorer, {"seen": 0 * SEEN}, "Rows 0 and 0 are seen together in no column"),
    (turn_explorer, {"asks": "circle"}, "asks = 'circle' is unknown"),
    (turn_explorer, {"angle": 181}, "at most 180"),
    (turn_explorer, {"angle": np.nan}, "angle is nan"),
    (turn_explorer, {"points": [[9, 0], [0, 1], [1, 1]]}, "choose another unit"),
    (turn_explorer, {"points": [[0, 0], [1, 1]]}, "3 to 150"),
    (width_explorer, {"D": cloud(61)}, "6 to 60"),
    (width_explorer, {"D": cloud(5)}, "6 to 60"),
    (width_explorer, {"D": np.zeros((7, 7))}, "equal"),
    (width_explorer, {"D": cloud() - 1}, "negative"),
    (width_explorer, {"groups": [0, 1]}, "groups"),
    (width_explorer, {"groups": [3] * 20}, "groups"),
    (width_explorer, {"names": "abcd"}, "names"),
]


@pytest.mark.parametrize(("factory", "change", "words"), REFUSED)
def test_what_cannot_be_shown_is_refused(factory, change, words):
    with pytest.raises(ValueError, match=words):
        factory(**ALLOWED[factory] | change)


def test_a_sum_of_kernels_has_no_sliders():
    with pytest.raises(TypeError, match="give one of Linear, Polynomial, RBF"):
        kernel_explorer(kernel=RBF(1.0) + Linear())
