"""Explorers reject input that they cannot draw, also in links."""

import numpy as np
import pytest

from _ext.interactive_figures import draw
from kmds_figures import explorers
from kmds_figures.explorers import (
    bandwidth_explorer,
    isomap_explorer,
    kernel_explorer,
    ppca_explorer,
    rotation_explorer,
    truncated_svd_explorer,
)
from kmds_lib import swiss_roll
from kmds_lib.kernels import RBF, Linear, Polynomial
from tests.web.node import evaluate

WIDGETS = [getattr(explorers, name) for name in explorers.__all__ if name.islower()]
ROLL, SHEET = swiss_roll(50)
X = np.random.default_rng(0).normal(size=(42, 6))
CONSTANT = np.where(np.arange(6) == 4, 1.0, X)
IMAGE = np.linspace(0, 1, 600).reshape(20, 30)
OBSERVED = np.ones(IMAGE.shape)
D = np.abs(np.subtract.outer(np.arange(20.0), np.arange(20.0)))
VALID = {
    kernel_explorer: {},
    ppca_explorer: {"X": X},
    isomap_explorer: {"points": ROLL, "sheet": SHEET},
    truncated_svd_explorer: {"image": IMAGE, "observed": OBSERVED},
    rotation_explorer: {"points": [[1, 0], [0, 1], [1, 1]]},
    bandwidth_explorer: {"D": D},
}
INVALID = [
    (kernel_explorer, {"points": np.zeros((4, 2))}, "5 to 60 points"),
    (kernel_explorer, {"points": np.full((9, 2), 3.0)}, r"points\[0, 1\] = 3"),
    (kernel_explorer, {"kernel": RBF(1000.0)}, "theta = 1000"),
    (kernel_explorer, {"kernel": Polynomial(2, scale=0.5)}, "scale"),
    (ppca_explorer, {"X": X[:29]}, r"\(29, 6\); give 30 to 300 objects"),
    (ppca_explorer, {"X": CONSTANT}, "Column 4 of X is constant"),
    (ppca_explorer, {"groups": [0, 1]}, "each of the 42"),
    (ppca_explorer, {"group_names": ["a", "b"]}, "give 1 group_names"),
    (ppca_explorer, {"object_name": "two words"}, "not a word"),
    (isomap_explorer, {"points": np.ones((50, 2))}, r"\(50, 2\); pass 40 to 200 points"),
    (isomap_explorer, {"sheet": np.ones((49, 2))}, r"\(49, 2\)"),
    (isomap_explorer, {"n_points": 39}, "n_points = 39"),
    (truncated_svd_explorer, {"image": IMAGE[:7]}, r"\(7, 30\); give 8 to 100 rows"),
    (truncated_svd_explorer, {"image": 2 * IMAGE}, "from 0 to 2"),
    (truncated_svd_explorer, {"observed": OBSERVED[:, 1:]}, r"\(20, 29\)"),
    (truncated_svd_explorer, {"observed": 0 * OBSERVED}, "rows 0 and 0"),
    (rotation_explorer, {"angle": 181}, "at most 180"),
    (bandwidth_explorer, {"D": D[:5, :5]}, "6 to 60"),
    (bandwidth_explorer, {"D": np.zeros((7, 7))}, "equal"),
    (bandwidth_explorer, {"names": "abcd"}, "names"),
]


@pytest.mark.parametrize(("factory", "change", "message"), INVALID)
def test_invalid_input_is_rejected(factory, change, message):
    with pytest.raises(ValueError, match=message):
        factory(**VALID[factory] | change)


def test_kernels_without_sliders_are_rejected():
    with pytest.raises(TypeError, match="give one of Linear"):
        kernel_explorer(kernel=RBF(1.0) + Linear())


def with_first(value, first):
    """Replace a number or a word, in a list the first, and in a dictionary that of each value."""
    if isinstance(value, dict):
        return {name: with_first(each, first) for name, each in value.items()}
    if isinstance(value, list):
        return [with_first(value[0] if value else 0, first), *value[1:]]
    return first


def wrong_values(value):
    """Yield values of a wrong type, out of range, and of a wrong length."""
    script = "<img src=x onerror=alert(1)>"
    yield from (with_first(value, first) for first in (None, 1e308, -1e308, script))
    if isinstance(value, list):
        yield from (script, {}, 10 * value, [*value, 7])
    if isinstance(value, int):
        yield value + 0.5


@pytest.mark.parametrize("create", WIDGETS)
def test_wrong_values_in_a_link_show_the_first_state(create):
    widget = create(**VALID.get(create, {}))
    first = widget.start | {"start": widget.start}
    linked = widget.start.keys() - evaluate(widget, "m.default.linksOmit ?? []")
    wrong = [first | {name: value} for name in linked for value in wrong_values(first[name])]
    states = [first, *wrong]
    drawn, *others = draw([{"explorer": widget.script, "state": state} for state in states])
    for state, other in zip(wrong, others, strict=True):
        assert other == drawn, {name: state[name] for name in linked}
