"""The explorers of kernels in chapters 6 to 8: questions answered, numbers compared."""

import json
import re
import warnings

import numpy as np
import pytest
from scipy.spatial.distance import squareform

from kmds_lib import (
    center_gram,
    classical_scaling,
    distances,
    kernel_mds,
    kernel_pca,
    procrustes_align,
)
from kmds_lib.kernels import RBF, DampedCosine, Exponential, Linear, Polynomial, Power
from tests.pages.conftest import PHONE
from tests.pages.explorers.conftest import Shown, drag_by_finger, drawn_numbers, time_on_a_phone

pytestmark = pytest.mark.slow

MATRIX, COMPONENTS = "chapters/06-kernels.html", "chapters/07-kernel-pca.html"
WIDTH = "chapters/08-kernel-mds.html"
NUMBER = r"\u2212?\d+\.\d+"
FAMILIES = {
    one.__name__: one for one in (Linear, Polynomial, RBF, Exponential, DampedCosine, Power)
}


class Explorer(Shown):
    """An explorer on a page, and what it shows."""

    def __init__(self, tab):
        self.name = "width_explorer" if tab.path == WIDTH else "kernel_explorer"
        super().__init__(tab)
        self.first = json.loads(
            self.figure.locator('script[type="application/json"]').text_content()
        )

    def numbers(self, name):
        """Return the numbers in a part's words."""
        found = re.findall(NUMBER, self.part(name).inner_text())
        return [float(number.replace("\u2212", "-")) for number in found]

    def press(self, kind, value):
        """Press a button, by the keyboard."""
        self.figure.locator(f'[data-{kind}="{value}"]').press("Enter")

    def state(self):
        """Return the state, from a link to what is shown."""
        return self.first | super().state()

    def kernel(self):
        kernel = dict(self.state()["kernel"])
        return FAMILIES[kernel.pop("name")](**kernel)


def silent(work, *arguments, **options):
    """Call the library where it is known that the kernel is none in the plane."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return work(*arguments, **options)


on_matrix = pytest.mark.parametrize("tab", [MATRIX], indirect=True)
on_components = pytest.mark.parametrize("tab", [COMPONENTS], indirect=True)
on_width = pytest.mark.parametrize("tab", [WIDTH], indirect=True)


def drag_to(explorer, mark, x, y):
    """Drag the mark of a data point to a place of the plane, by the mouse."""
    plane = explorer.figure.locator(".kx-plane")
    middle, start = explorer.centre(plane), explorer.centre(mark)
    unit = 50 * plane.bounding_box()["width"] / 340
    goal = middle[0] + unit * x, middle[1] - unit * y
    explorer.drag(start, (goal[0] - 9, goal[1] + 9), goal)


@on_matrix
def test_one_point_that_leaves_the_row_shows_that_k_is_no_kernel(explorer):
    explorer.press("preset", "line")
    explorer.press("kernel", "DampedCosine")
    assert "proves nothing" in explorer.banner()
    drag_to(explorer, explorer.figure.locator(".kx-plane .kx-data").nth(7), -0.2, 1.0)
    assert "No kernel" in explorer.banner()
    assert explorer.figure.locator(".kx-bar-minus").count() > 0
    state = explorer.state()
    assert np.abs(np.subtract(state["points"][7], [-0.2, 1.0])).max() < 0.05
    values = np.linalg.eigvalsh(silent(DampedCosine(0.6, 3.0), state["points"]))[::-1]
    expected = [*values[:4].round(2), round(values[-1], 3)]
    np.testing.assert_allclose(explorer.numbers("values"), expected, rtol=0, atol=1e-9)
    assert f"{np.sum(values < 0)} negative" in explorer.part("values").inner_text()


CENTRED = ("rings", "RBF", 3), ("clusters", "Polynomial", 2), ("moons", "Exponential", 1)


@on_components
@pytest.mark.parametrize(("preset", "name", "component"), CENTRED)
def test_scores_of_x_are_those_of_the_library(explorer, preset, name, component):
    explorer.press("preset", preset)
    explorer.press("kernel", name)
    explorer.press("component", component)
    state, kernel, r = explorer.state(), explorer.kernel(), component - 1
    fit = kernel_pca(state["points"], kernel, n_components=4)
    cross = kernel([state["test"]], state["points"])
    expected = {
        "all": fit.transform([state["test"]])[0, r],
        "fit": (cross @ fit.coefficients)[0, r],
    }
    for centring, score in expected.items():
        explorer.press("centring", centring)
        found = explorer.numbers("read")[:2]
        wanted = np.abs([score, fit.offsets[r]])
        np.testing.assert_allclose(np.abs(found), wanted, rtol=0, atol=0.00051)
    explorer.press("component", 1)
    explorer.press("centring", "none")
    values, vectors = np.linalg.eigh(kernel(state["points"]))
    score = (cross @ vectors)[0, -1] / np.sqrt(values[-1])
    assert abs(explorer.numbers("read")[0]) == pytest.approx(abs(score), abs=0.00051)


def crossed(explorer, kind):
    """Return the places of the plane through which lines of a kind run, one array a level."""
    lines = explorer.figure.locator(f".kx-plane .kx-line.{kind}")
    return [np.reshape(path, (-1, 2)) / [50, -50] for path in drawn_numbers(lines, "d")]


def lines_run_where(explorer, value, size):
    """Check that each line runs where a function has its level."""
    for kind, sign in (("kx-under", -1), ("kx-over", 1)):
        for share, places in zip((0.25, 0.5, 0.75), crossed(explorer, kind), strict=True):
            if len(places):
                off = np.abs(value(places) - sign * share * size)
                assert off.max() < 0.04 * size, (kind, share)
    (zero,) = crossed(explorer, "kx-zero")
    assert not len(zero) or np.abs(value(zero)).max() < 0.04 * size
    return sum(map(len, crossed(explorer, "kx-over") + crossed(explorer, "kx-under")))


@on_components
@pytest.mark.parametrize(
    ("preset", "name", "component"), [("clusters", "RBF", 1), ("moons", "Polynomial", 3)]
)
def test_lines_run_where_the_component_has_their_value(explorer, preset, name, component):
    explorer.press("preset", preset)
    explorer.press("kernel", name)
    explorer.press("component", component)
    state, r = explorer.state(), component - 1
    fit = kernel_pca(state["points"], explorer.kernel(), n_components=4)
    side = np.sign(explorer.numbers("read")[0] / fit.transform([state["test"]])[0, r])
    size = np.abs(fit.points[:, r]).max()
    assert abs(explorer.numbers("read")[-1] - size) < 0.0051
    assert lines_run_where(explorer, lambda at: side * fit.transform(at)[:, r], size) > 100
    explorer.press("centring", "fit")
    kernel, points = explorer.kernel(), state["points"]

    def forgotten(at):
        return side * (kernel(at, points) @ fit.coefficients)[:, r]

    lines_run_where(explorer, forgotten, size)


def squares(panel, selector, n):
    """Return the part of a matrix that each path of some covers, as tables of truth."""
    cell = 240 // n
    tables = []
    for path in drawn_numbers(panel.locator(selector), "d"):
        table = np.zeros((n, n), dtype=bool)
        for x, y, width, *_ in np.reshape(path, (-1, 5)):
            i, j = int(y / cell), int(x / cell)
            table[i, j : j + int(width / cell)] = True
        tables.append(table)
    return tables


@on_components
@pytest.mark.parametrize("name", ["RBF", "DampedCosine"])
def test_map_matrix_and_bars_are_those_of_the_library(explorer, name):
    explorer.press("preset", "moons")
    explorer.press("kernel", name)
    state, kernel = explorer.state(), explorer.kernel()
    K, n = silent(kernel, state["points"]), len(state["points"])
    fit = silent(kernel_pca, state["points"], kernel, n_components=2)
    right = fit.transform([state["test"]])
    seen = silent(kernel, [state["test"]], state["points"]) @ fit.coefficients
    explorer.press("centring", "fit")
    panel = explorer.part("map")
    marks = drawn_numbers(panel.locator(".kx-data, g.kx-p3"), "transform")
    ends = [drawn_numbers(panel.locator(".kx-gap"), end)[0][0] for end in ("x1", "y1", "x2", "y2")]
    drawn = distances([*marks, ends[:2]])
    expected = distances(np.concatenate([fit.points, seen, right]))
    unit = drawn.max() / expected.max()
    np.testing.assert_allclose(drawn, unit * expected, rtol=0, atol=0.3)
    np.testing.assert_allclose(ends[2:], marks[-1], rtol=0, atol=0.11)
    HKH = center_gram(K)
    values = np.linalg.eigvalsh(HKH)[::-1]
    part = np.digitize(np.abs(HKH) / np.abs(HKH).max(), [0.05, 0.25, 0.5, 0.75])
    for selector, sign in ((".kx-under", -1), (".kx-over", 1)):
        for level, table in enumerate(squares(explorer.part("matrix"), selector, n), 1):
            assert ((part == level) & (sign * HKH > 0) == table).all()
    (hatched,) = squares(explorer.part("matrix"), 'path[fill^="url"]', n)
    assert (hatched == ((part > 0) & (HKH < 0))).all()
    bars = explorer.part("spectrum")
    negative = np.sum(values < -1e-12)
    assert bars.locator('rect[fill^="url"]').count() == negative
    assert bars.locator(".kx-bar-minus").count() == negative
    assert bars.locator(".kx-bar-kept").count() == 2
    heights = np.ravel(drawn_numbers(bars.locator("rect[class]"), "height"))
    sizes = np.abs(values[np.abs(values) > 1e-12])
    np.testing.assert_allclose(heights[:4], sizes[:4] / sizes[0] * heights[0], rtol=1e-6)
    explorer.press("edit", "next")
    cross = drawn_numbers(explorer.part("matrix").locator(".kx-cross"), "d")[0]
    assert cross[1] == 240 // n


@on_components
def test_nothing_turns_over_while_a_point_is_dragged(explorer):
    explorer.press("preset", "moons")
    chosen = explorer.figure.get_by_role("slider", name="chosen point")
    scores, places = [], []
    for _ in range(30):
        chosen.press("ArrowRight")
        scores.append(explorer.numbers("read")[0])
        marks = explorer.part("map").locator(".kx-data")
        places.append(drawn_numbers(marks, "transform"))
    assert np.abs(np.diff(scores)).max() < 0.1
    assert np.abs(np.diff(places, axis=0)[:, 1:]).max() < 25


@on_components
def test_points_are_placed_by_hand(explorer):
    test = explorer.figure.get_by_role("slider", name="test point x")
    test.press("PageUp")
    explorer.press("edit", "add")
    state = explorer.state()
    assert len(state["points"]) == 37
    assert state["points"][-1] == state["test"]
    values = np.linalg.eigvalsh(center_gram(explorer.kernel()(state["points"])))[::-1]
    np.testing.assert_allclose(explorer.numbers("values")[:4], values[:4], atol=0.0051)
    explorer.press("edit", "next")
    chosen = explorer.figure.get_by_role("slider", name="chosen point")
    assert float(chosen.get_attribute("aria-valuenow")) == state["points"][0][0]
    for _ in range(32):
        explorer.press("edit", "remove")
    assert explorer.figure.locator('[data-edit="remove"]').is_disabled()
    assert len(explorer.state()["points"]) == 5


@pytest.mark.timed
@on_components
def test_sixty_points_follow_the_hand_on_a_slow_processor(explorer):
    test = explorer.figure.get_by_role("slider", name="test point x")
    for _ in range(24):
        test.press("ArrowLeft")
        explorer.press("edit", "add")
    assert len(explorer.state()["points"]) == 60
    assert explorer.figure.locator('[data-edit="add"]').is_disabled()
    assert time_on_a_phone(test) <= 50


def test_a_finger_drags_a_point_and_puts_x_elsewhere(open_tab):
    tab = open_tab(COMPONENTS, **PHONE)
    explorer = Explorer(tab)
    mark = explorer.figure.locator(".kx-plane .kx-data").nth(30)
    before, (x, y) = explorer.state(), explorer.centre(mark)
    drag_by_finger(tab, (x, y), (x - 10, y + 30), (x - 20, y + 60))
    after = explorer.state()
    moved = np.subtract(after["points"], before["points"])
    assert np.count_nonzero(moved.any(axis=1)) == 1
    assert moved.min() < -0.5
    plane = explorer.figure.locator(".kx-plane").bounding_box()
    tab.page.touchscreen.tap(plane["x"] + 20, plane["y"] + plane["height"] - 30)
    assert explorer.state()["test"][0] < -2.5


def shown_width(explorer):
    """Return theta, the table, and the library's fit at this width."""
    state = explorer.state()
    return squareform(state["upper"]), FAMILIES[state["kernel"]](state["theta"])


@on_width
def test_the_map_is_lost_between_the_limits(explorer):
    explorer.press("width", "wide")
    assert "The map of classical scaling, up to 0.01 %" in explorer.banner()
    assert explorer.figure.locator(".kx-bar-minus").count() == 0
    off = {}
    for place in (-0.5, -0.25):
        explorer.slide(place)
        D, kernel = shown_width(explorer)
        flat = classical_scaling(D).points
        aligned = procrustes_align(kernel_mds(D, kernel).points, target=flat, scaling=True)
        off[place] = round(100 * aligned.residual / np.linalg.norm(flat))
        assert f"differs by {off[place]} %" in explorer.banner()
    assert off[-0.5] < 25
    assert off[-0.25] > 70
    explorer.press("width", "narrow")
    assert "A simplex" in explorer.banner()
    assert explorer.numbers("numbers")[-2] == round(2 / (len(D) - 1), 3)


@on_width
def test_dots_and_marks_have_the_distances_on_the_map(explorer):
    D, kernel = shown_width(explorer)
    fit, upper = kernel_mds(D, kernel), np.triu_indices(len(D), 1)
    far, near = fit.feature_distances[upper], distances(fit.points)[upper]
    unit = np.sqrt(np.mean(far**2))
    found = explorer.part("map")
    marks = np.array(drawn_numbers(found.locator(".kx-data"), "transform"))
    one = drawn_numbers(found.locator(".kx-scale"), "d")[0][3]
    np.testing.assert_allclose(distances(marks)[upper] / one, near / unit, rtol=0, atol=2e-3)
    shepard = explorer.part("feature")
    left, bottom, right, top = drawn_numbers(shepard.locator(".kx-dash"), "d")[0]
    dots = np.reshape(drawn_numbers(shepard.locator(".kx-dots"), "d")[0], (-1, 3))
    across, up = (dots[:, 0] - left) / (right - left), (bottom - dots[:, 1]) / (bottom - top)
    np.testing.assert_allclose(up * far, across * near, rtol=0, atol=1e-3)
    assert (up <= across + 1e-3).all()
    against = explorer.part("delta")
    dots = np.reshape(drawn_numbers(against.locator(".kx-dots"), "d")[0], (-1, 3))
    curve = np.reshape(drawn_numbers(against.locator(".kx-curve"), "d")[0], (-1, 2))
    height = curve[0, 1] - np.interp(dots[:, 0], *curve.T)
    np.testing.assert_allclose((curve[0, 1] - dots[:, 1]) / height, near / far, rtol=0, atol=0.01)


def charted(panel, path):
    """Return a curve of a chart, by the numbers beside its axes."""
    ticks = panel.locator('text[text-anchor="middle"], text[text-anchor="end"]')
    words = ticks.all_text_contents()
    at = zip(drawn_numbers(ticks, "x"), drawn_numbers(ticks, "y"), strict=True)
    numbers = [(*x, *y, float(w)) for (x, y), w in zip(at, words, strict=True) if w[0].isdigit()]
    across = sorted((x, w) for x, y, w in numbers if y == max(y for _, y, _ in numbers))
    up = sorted((y - 4, w) for x, y, w in numbers if x == min(x for x, _, _ in numbers))
    places = np.reshape(drawn_numbers(panel.locator(path), "d")[0], (-1, 2))
    axes = [np.polyfit(*np.transpose(known), 1) for known in (across, up)]
    return np.column_stack([np.polyval(a, v) for a, v in zip(axes, places.T, strict=True)])


@on_width
@pytest.mark.parametrize(("name", "power"), [("RBF", 2), ("Exponential", 1)])
def test_curves_and_bars_are_those_of_the_library(explorer, name, power):
    explorer.press("kernel", name)
    explorer.press("width", "median")
    D, kernel = shown_width(explorer)
    n, upper = len(D), np.triu_indices(len(D), 1)
    assert kernel.theta == float(f"{0.5 / np.median(D[upper]) ** power:.3g}")
    wide = classical_scaling(D if power == 2 else np.sqrt(D))
    values = np.linalg.eigvalsh(center_gram(kernel.profile(D)))[::-1]
    gamma = np.append(0, np.cumsum(values) / np.abs(values).sum())
    limit = wide.spectrum().eigenvalues
    limits = np.append(0, np.cumsum(limit) / np.abs(limit).sum())
    chart = explorer.part("gamma")
    for path, expected in ((".kx-gamma", gamma), (".kx-wide", limits)):
        ks, found = charted(chart, path).T
        np.testing.assert_allclose(ks, np.arange(n), rtol=0, atol=0.02)
        np.testing.assert_allclose(found, expected[:n], rtol=0, atol=2e-3)
    ends = charted(chart, ".kx-narrow")
    np.testing.assert_allclose(ends, [[0, 0], [n - 1, 1]], rtol=0, atol=0.02)
    mark = drawn_numbers(chart.locator(".kx-two"), "d")[0]
    curve = np.reshape(drawn_numbers(chart.locator(".kx-gamma"), "d")[0], (-1, 2))
    assert mark[:2] == list(curve[2])
    far = np.sqrt(2 * (1 - kernel.profile(D)))
    unit = np.sqrt(np.mean(far[upper] ** 2))
    delta, height = charted(explorer.part("delta"), ".kx-curve").T
    exact = np.sqrt(2 * (1 - kernel.profile(np.maximum(delta, 0)))) / unit
    np.testing.assert_allclose(height[1:], exact[1:], rtol=0, atol=0.01)
    expected = [far[upper].min(), far[upper].max(), unit, *gamma[[1, 2, 5]]]
    np.testing.assert_allclose(explorer.numbers("numbers")[-6:], expected, rtol=0, atol=0.00051)
    assert f"its limits are {limits[2]:.3f} for wide" in explorer.banner()
    ratio = far[upper].max() / far[upper].min()
    assert f"is {ratio:.2f} times the smallest" in explorer.banner()
    bars = explorer.part("spectrum").locator("rect[class]")
    heights = np.ravel(drawn_numbers(bars, "height"))
    np.testing.assert_allclose(heights[:6] / heights[0], values[:6] / values[0], rtol=1e-6)
    assert len(heights) == n - 1


@on_width
def test_the_map_neither_flips_nor_jumps_while_the_width_moves(explorer):
    explorer.slide(-2.0)
    field = explorer.figure.locator(".kx-range input")
    places = []
    for _ in range(24):
        field.press("ArrowRight")
        places.append(drawn_numbers(explorer.part("map").locator(".kx-data"), "transform"))
    assert np.abs(np.diff(places, axis=0)).max() < 15
