"""The kernel laboratories of chapters 6 to 8: their questions answered, their numbers compared."""

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
from tests.book.conftest import PHONE, Reader, drag_by_finger, drawn_numbers, time_on_a_phone
from tests.book.explorers.conftest import Shown

pytestmark = pytest.mark.slow

MATRIX, COMPONENTS = "chapters/06-kernels.html", "chapters/07-kernel-pca.html"
WIDTH = "chapters/08-kernel-mds.html"
NUMBER = r"\u2212?\d+\.\d+"
FAMILIES = {
    one.__name__: one for one in (Linear, Polynomial, RBF, Exponential, DampedCosine, Power)
}


class Laboratory(Shown):
    """An explorer on a page, and what it shows."""

    def __init__(self, tab):
        self.tab, self.page = tab, tab.page
        (self.figure,) = tab.figures(".kx")
        self.name = self.figure.get_attribute("data-name")
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


@pytest.fixture(scope="module")
def tab(request, chromium, site):
    tab = Reader(chromium, site, request.param)
    yield tab
    assert tab.problems == tab.foreign == []
    tab.context.close()


@pytest.fixture
def laboratory(tab):
    found = Laboratory(tab)
    found.figure.locator(".kx-reset").press("Enter")
    assert found.state() == found.first
    return found


def silent(work, *arguments, **options):
    """Call the library where it is known that the kernel is none in the plane."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return work(*arguments, **options)


on_matrix = pytest.mark.parametrize("tab", [MATRIX], indirect=True)
on_components = pytest.mark.parametrize("tab", [COMPONENTS], indirect=True)
on_width = pytest.mark.parametrize("tab", [WIDTH], indirect=True)


def drag_to(laboratory, mark, x, y):
    """Drag the mark of a data point to a place of the plane, by the mouse."""
    plane = laboratory.figure.locator(".kx-plane")
    middle, start = laboratory.centre(plane), laboratory.centre(mark)
    unit = 50 * plane.bounding_box()["width"] / 340
    goal = middle[0] + unit * x, middle[1] - unit * y
    laboratory.drag(start, (goal[0] - 9, goal[1] + 9), goal)


@on_matrix
def test_one_point_that_leaves_the_row_shows_that_k_is_no_kernel(laboratory):
    assert "proves nothing" in laboratory.banner()
    drag_to(laboratory, laboratory.figure.locator(".kx-plane .kx-data").nth(7), -0.2, 1.0)
    assert "No kernel" in laboratory.banner()
    assert laboratory.figure.locator(".kx-bar-minus").count() > 0
    state = laboratory.state()
    assert np.abs(np.subtract(state["points"][7], [-0.2, 1.0])).max() < 0.05
    values = np.linalg.eigvalsh(silent(DampedCosine(0.6, 3.0), state["points"]))[::-1]
    expected = [*values[:4].round(2), round(values[-1], 3)]
    np.testing.assert_allclose(laboratory.numbers("values"), expected, rtol=0, atol=1e-9)
    assert f"{np.sum(values < 0)} negative" in laboratory.part("values").inner_text()


@on_components
def test_the_component_that_parts_the_rings_changes_with_the_width(laboratory):
    laboratory.press("preset", "rings")
    for place, expected in ((-1.0, 3), (-0.55, 1)):
        laboratory.slide(place)
        parts = []
        for component in (1, 2, 3, 4):
            laboratory.press("component", component)
            if "parts the circles from the squares" in laboratory.banner():
                parts.append(component)
        assert parts == [expected]
    share = float(re.search(r"[\d.]+(?= %)", laboratory.banner())[0])
    fit = kernel_pca(laboratory.state()["points"], laboratory.kernel(), n_components=4)
    assert share == pytest.approx(100 * fit.eigenvalues[3] / fit.squared_radii.sum(), abs=0.051)


CENTRED = ("rings", "RBF", 3), ("clusters", "Polynomial", 2), ("moons", "Exponential", 1)


@on_components
@pytest.mark.parametrize(("preset", "name", "component"), CENTRED)
def test_scores_of_x_are_those_of_the_library(laboratory, preset, name, component):
    laboratory.press("preset", preset)
    laboratory.press("kernel", name)
    laboratory.press("component", component)
    state, kernel, r = laboratory.state(), laboratory.kernel(), component - 1
    fit = kernel_pca(state["points"], kernel, n_components=4)
    cross = kernel([state["test"]], state["points"])
    expected = {
        "all": fit.transform([state["test"]])[0, r],
        "fit": (cross @ fit.coefficients)[0, r],
    }
    for centring, score in expected.items():
        laboratory.press("centring", centring)
        found = laboratory.numbers("read")[:2]
        wanted = np.abs([score, fit.offsets[r]])
        np.testing.assert_allclose(np.abs(found), wanted, rtol=0, atol=0.00051)
    laboratory.press("component", 1)
    laboratory.press("centring", "none")
    values, vectors = np.linalg.eigh(kernel(state["points"]))
    score = (cross @ vectors)[0, -1] / np.sqrt(values[-1])
    assert abs(laboratory.numbers("read")[0]) == pytest.approx(abs(score), abs=0.00051)


@on_components
def test_forgetting_to_centre_is_seen(laboratory):
    laboratory.press("preset", "rings")
    laboratory.slide(-1.0)
    laboratory.press("component", 3)
    laboratory.press("centring", "fit")
    assert re.search(r"moved by c = \u2212?0\.434", laboratory.banner())
    assert "x is put at a wrong place" in laboratory.banner()
    laboratory.press("component", 1)
    assert "On component 1 nobody notices: c = 0.000" in laboratory.banner()
    laboratory.press("centring", "none")
    assert "All 32 scores have one sign" in laboratory.banner()


def crossed(laboratory, kind):
    """Return the places of the plane through which lines of a kind run, one array a level."""
    lines = laboratory.figure.locator(f".kx-plane .kx-line.{kind}")
    return [np.reshape(path, (-1, 2)) / [50, -50] for path in drawn_numbers(lines, "d")]


def lines_run_where(laboratory, value, size):
    """Check that each line runs where a function has its level."""
    for kind, sign in (("kx-under", -1), ("kx-over", 1)):
        for share, places in zip((0.25, 0.5, 0.75), crossed(laboratory, kind), strict=True):
            if len(places):
                off = np.abs(value(places) - sign * share * size)
                assert off.max() < 0.04 * size, (kind, share)
    (zero,) = crossed(laboratory, "kx-zero")
    assert not len(zero) or np.abs(value(zero)).max() < 0.04 * size
    return sum(map(len, crossed(laboratory, "kx-over") + crossed(laboratory, "kx-under")))


@on_components
@pytest.mark.parametrize(
    ("preset", "name", "component"), [("clusters", "RBF", 1), ("moons", "Polynomial", 3)]
)
def test_lines_run_where_the_component_has_their_value(laboratory, preset, name, component):
    laboratory.press("preset", preset)
    laboratory.press("kernel", name)
    laboratory.press("component", component)
    state, r = laboratory.state(), component - 1
    fit = kernel_pca(state["points"], laboratory.kernel(), n_components=4)
    side = np.sign(laboratory.numbers("read")[0] / fit.transform([state["test"]])[0, r])
    size = np.abs(fit.points[:, r]).max()
    assert abs(laboratory.numbers("read")[-1] - size) < 0.0051
    assert lines_run_where(laboratory, lambda at: side * fit.transform(at)[:, r], size) > 100
    laboratory.press("centring", "fit")
    kernel, points = laboratory.kernel(), state["points"]

    def forgotten(at):
        return side * (kernel(at, points) @ fit.coefficients)[:, r]

    lines_run_where(laboratory, forgotten, size)


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
def test_map_matrix_and_bars_are_those_of_the_library(laboratory, name):
    laboratory.press("preset", "moons")
    laboratory.press("kernel", name)
    state, kernel = laboratory.state(), laboratory.kernel()
    K, n = silent(kernel, state["points"]), len(state["points"])
    fit = silent(kernel_pca, state["points"], kernel, n_components=2)
    right = fit.transform([state["test"]])
    seen = silent(kernel, [state["test"]], state["points"]) @ fit.coefficients
    laboratory.press("centring", "fit")
    panel = laboratory.part("map")
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
        for level, table in enumerate(squares(laboratory.part("matrix"), selector, n), 1):
            assert ((part == level) & (sign * HKH > 0) == table).all()
    (hatched,) = squares(laboratory.part("matrix"), 'path[fill^="url"]', n)
    assert (hatched == ((part > 0) & (HKH < 0))).all()
    bars = laboratory.part("spectrum")
    negative = np.sum(values < -1e-12)
    assert bars.locator('rect[fill^="url"]').count() == negative
    assert bars.locator(".kx-bar-minus").count() == negative
    assert bars.locator(".kx-bar-kept").count() == 2
    heights = np.ravel(drawn_numbers(bars.locator("rect[class]"), "height"))
    sizes = np.abs(values[np.abs(values) > 1e-12])
    np.testing.assert_allclose(heights[:4], sizes[:4] / sizes[0] * heights[0], rtol=1e-6)
    laboratory.press("edit", "next")
    cross = drawn_numbers(laboratory.part("matrix").locator(".kx-cross"), "d")[0]
    assert cross[1] == 240 // n


@on_components
def test_nothing_turns_over_while_a_point_is_dragged(laboratory):
    laboratory.press("preset", "moons")
    chosen = laboratory.figure.get_by_role("slider", name="chosen point")
    scores, places = [], []
    for _ in range(30):
        chosen.press("ArrowRight")
        scores.append(laboratory.numbers("read")[0])
        marks = laboratory.part("map").locator(".kx-data")
        places.append(drawn_numbers(marks, "transform"))
    assert np.abs(np.diff(scores)).max() < 0.1
    assert np.abs(np.diff(places, axis=0)[:, 1:]).max() < 25


@on_components
def test_points_are_placed_by_hand(laboratory):
    test = laboratory.figure.get_by_role("slider", name="test point x")
    test.press("PageUp")
    laboratory.press("edit", "add")
    state = laboratory.state()
    assert len(state["points"]) == 37
    assert state["points"][-1] == state["test"]
    values = np.linalg.eigvalsh(center_gram(laboratory.kernel()(state["points"])))[::-1]
    np.testing.assert_allclose(laboratory.numbers("values")[:4], values[:4], atol=0.0051)
    laboratory.press("edit", "next")
    chosen = laboratory.figure.get_by_role("slider", name="chosen point")
    assert float(chosen.get_attribute("aria-valuenow")) == state["points"][0][0]
    for _ in range(32):
        laboratory.press("edit", "remove")
    assert laboratory.figure.locator('[data-edit="remove"]').is_disabled()
    assert len(laboratory.state()["points"]) == 5


@pytest.mark.timed
@on_components
def test_sixty_points_follow_the_hand_on_a_slow_processor(laboratory):
    test = laboratory.figure.get_by_role("slider", name="test point x")
    for _ in range(24):
        test.press("ArrowLeft")
        laboratory.press("edit", "add")
    assert len(laboratory.state()["points"]) == 60
    assert laboratory.figure.locator('[data-edit="add"]').is_disabled()
    assert time_on_a_phone(test) <= 50


def test_a_finger_drags_a_point_and_puts_x_elsewhere(open_tab):
    tab = open_tab(COMPONENTS, **PHONE)
    laboratory = Laboratory(tab)
    mark = laboratory.figure.locator(".kx-plane .kx-data").nth(30)
    mark.scroll_into_view_if_needed()
    before, box = laboratory.state(), mark.bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    drag_by_finger(tab, (x, y), (x - 10, y + 30), (x - 20, y + 60))
    after = laboratory.state()
    moved = np.subtract(after["points"], before["points"])
    assert np.count_nonzero(moved.any(axis=1)) == 1
    assert moved.min() < -0.5
    plane = laboratory.figure.locator(".kx-plane").bounding_box()
    tab.page.touchscreen.tap(plane["x"] + 20, plane["y"] + plane["height"] - 30)
    assert laboratory.state()["test"][0] < -2.5


def shown_width(laboratory):
    """Return theta, the table, and the library's fit at this width."""
    state = laboratory.state()
    return squareform(state["upper"]), FAMILIES[state["kernel"]](state["theta"])


@on_width
@pytest.mark.parametrize("place", [-4.0, -1.0, 0.5, 3.0])
@pytest.mark.parametrize("name", ["RBF", "Exponential"])
def test_one_width_shows_what_the_library_finds(laboratory, name, place):
    laboratory.press("kernel", name)
    laboratory.slide(place)
    D, kernel = shown_width(laboratory)
    assert kernel.theta == pytest.approx(10**place, rel=0.01)
    fit = kernel_mds(D, kernel)
    far = fit.feature_distances[np.triu_indices(len(D), 1)]
    gammas = [kernel_mds(D, kernel, n_components=k).explained for k in (1, 2, 5)]
    expected = [far.min(), far.max(), np.sqrt(np.mean(far**2)), *gammas]
    np.testing.assert_allclose(laboratory.numbers("numbers")[-6:], expected, rtol=0, atol=0.00051)


@on_width
def test_the_map_is_lost_between_the_limits(laboratory):
    laboratory.press("width", "wide")
    assert "The map of classical scaling, up to 0.01 %" in laboratory.banner()
    assert laboratory.figure.locator(".kx-bar-minus").count() == 0
    off = {}
    for place in (-0.5, -0.25):
        laboratory.slide(place)
        D, kernel = shown_width(laboratory)
        flat = classical_scaling(D).points
        aligned = procrustes_align(kernel_mds(D, kernel).points, target=flat, scaling=True)
        off[place] = round(100 * aligned.residual / np.linalg.norm(flat))
        assert f"differs by {off[place]} %" in laboratory.banner()
    assert off[-0.5] < 25
    assert off[-0.25] > 70
    laboratory.press("width", "narrow")
    assert "A simplex" in laboratory.banner()
    assert laboratory.numbers("numbers")[-2] == round(2 / (len(D) - 1), 3)


@on_width
def test_keys_and_mouse_move_the_width(laboratory):
    field = laboratory.figure.locator(".kx-range input")
    places = []
    for key in ("Home", "ArrowRight", "End"):
        field.press(key)
        places.append(laboratory.state()["theta"])
    assert places == [1e-4, 1.12e-4, 1e3]
    field.scroll_into_view_if_needed()
    box = field.bounding_box()
    page, middle = laboratory.tab.page, box["y"] + box["height"] / 2
    curve = laboratory.part("delta").locator(".kx-curve")
    before = curve.get_attribute("d")
    page.mouse.move(box["x"] + box["width"] - 8, middle)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] / 2, middle)
    page.mouse.up()
    assert 0.1 < laboratory.state()["theta"] < 1
    assert curve.get_attribute("d") != before


@on_width
def test_dots_and_marks_have_the_distances_on_the_map(laboratory):
    D, kernel = shown_width(laboratory)
    fit, upper = kernel_mds(D, kernel), np.triu_indices(len(D), 1)
    far, near = fit.feature_distances[upper], distances(fit.points)[upper]
    unit = np.sqrt(np.mean(far**2))
    found = laboratory.part("map")
    marks = np.array(drawn_numbers(found.locator(".kx-data"), "transform"))
    one = drawn_numbers(found.locator(".kx-scale"), "d")[0][3]
    np.testing.assert_allclose(distances(marks)[upper] / one, near / unit, rtol=0, atol=2e-3)
    shepard = laboratory.part("feature")
    left, bottom, right, top = drawn_numbers(shepard.locator(".kx-dash"), "d")[0]
    dots = np.reshape(drawn_numbers(shepard.locator(".kx-dots"), "d")[0], (-1, 3))
    across, up = (dots[:, 0] - left) / (right - left), (bottom - dots[:, 1]) / (bottom - top)
    np.testing.assert_allclose(up * far, across * near, rtol=0, atol=1e-3)
    assert (up <= across + 1e-3).all()
    against = laboratory.part("delta")
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
def test_curves_and_bars_are_those_of_the_library(laboratory, name, power):
    laboratory.press("kernel", name)
    laboratory.press("width", "median")
    D, kernel = shown_width(laboratory)
    n, upper = len(D), np.triu_indices(len(D), 1)
    assert kernel.theta == float(f"{0.5 / np.median(D[upper]) ** power:.3g}")
    wide = classical_scaling(D if power == 2 else np.sqrt(D))
    values = np.linalg.eigvalsh(center_gram(kernel.profile(D)))[::-1]
    gamma = np.append(0, np.cumsum(values) / np.abs(values).sum())
    limit = wide.spectrum().eigenvalues
    limits = np.append(0, np.cumsum(limit) / np.abs(limit).sum())
    chart = laboratory.part("gamma")
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
    delta, height = charted(laboratory.part("delta"), ".kx-curve").T
    exact = np.sqrt(2 * (1 - kernel.profile(np.maximum(delta, 0)))) / unit
    np.testing.assert_allclose(height[1:], exact[1:], rtol=0, atol=0.01)
    assert f"its limits are {limits[2]:.3f} for wide" in laboratory.banner()
    ratio = far[upper].max() / far[upper].min()
    assert f"is {ratio:.2f} times the smallest" in laboratory.banner()
    bars = laboratory.part("spectrum").locator("rect[class]")
    heights = np.ravel(drawn_numbers(bars, "height"))
    np.testing.assert_allclose(heights[:6] / heights[0], values[:6] / values[0], rtol=1e-6)
    assert len(heights) == n - 1


@on_width
def test_the_map_neither_flips_nor_jumps_while_the_width_moves(laboratory):
    laboratory.slide(-2.0)
    field = laboratory.figure.locator(".kx-range input")
    places = []
    for _ in range(24):
        field.press("ArrowRight")
        places.append(drawn_numbers(laboratory.part("map").locator(".kx-data"), "transform"))
    assert np.abs(np.diff(places, axis=0)).max() < 15


@pytest.mark.timed
@on_width
def test_the_map_moves_as_quickly_as_the_hand(laboratory):
    field = laboratory.figure.locator(".kx-range input")
    assert time_on_a_phone(field, first=-1, step=0.05) <= 50
