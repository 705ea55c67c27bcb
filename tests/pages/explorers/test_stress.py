"""SMACOF on the road table under the reader's hand."""

import re

import numpy as np
import pytest

from kmds_figures.explorers import stress_explorer
from tests.pages.explorers.conftest import Shown

pytestmark = pytest.mark.slow

PATH = "chapters/09-stress.html"
WIDGET = stress_explorer()
LABELS, BEST = WIDGET.labels, np.array(WIDGET.best)
N = len(LABELS)
LEAST = "Stress 6.71: the least known."
PAIR = r"(-?[\d.]+) (-?[\d.]+)"
UNIT = 52 / 340  # 1000 km as a share of the map's width


class Explorer(Shown):
    """The explorer on a page, and what it says."""

    name = "stress_explorer"
    RESULT = """(() => {
        const [best, D] = [m.fromRows(state.best), m.fromPairs(state.table, state.labels.length)];
        const [data, paths] = [{ best, D, least: m.rawStress(best, 2, D) }, {}];
        const recall = (run) => (paths[run] ??= m.pathOf(run, data));
        const found = m.resultOf({ ...state, held: false }, data, recall);
        const words = m.sentence(state, found, state.labels);
        const stresses = found.path.stresses.slice(0, found.steps + 1);
        return { ...found, stresses, ends: found.ends.map(({ stress }) => stress), words };
    })()"""

    def figures(self):
        """Return raw stress and stress-1."""
        return [
            float(self.part("worst").locator("td").nth(at).inner_text().split()[0])
            for at in (6, 7)
        ]

    def worst(self):
        """Return the three springs farthest from their length, with both lengths."""
        return self.rows("worst")[:3]

    def city(self, name):
        """Return where on the screen a city stands."""
        return self.centre(self.figure.locator(".kx-spot").nth(LABELS.index(name)))

    def carry(self, name, point):
        """Drag a city to a point of the map, in 1000 km, by the mouse."""
        plane = self.figure.locator(".kx-plane")
        start, middle = np.array([self.city(name), self.centre(plane)])
        unit = UNIT * plane.bounding_box()["width"]
        end = middle + unit * np.array([point[0], -point[1]])
        self.drag(start, (2 * start + end) / 3, (start + 2 * end) / 3, end)

    def lines(self, kind):
        """Return how many springs of a kind are drawn, thinnest first; others' come first."""
        paths = self.figure.locator(f".kx-spring.kx-{kind}").all()
        counts = [path.get_attribute("d").count("M") for path in paths]
        return np.reshape(counts, (2, 3))

    def trace(self, kind):
        """Return the stresses that a curve of the trace shows, from its heights."""
        drawn = self.part("trace").locator(f".kx-trace-{kind}").get_attribute("d")
        curves = [np.array(re.findall(PAIR, curve), float) for curve in drawn.split("M")[1:]]
        for curve in curves:
            steps = 10 ** (3 * (curve[:, 0] - 34) / 298) - 1
            np.testing.assert_allclose(steps, np.arange(len(curve)), rtol=0.002, atol=0.002)
        return [2000 * (5 / 2000) ** ((curve[:, 1] - 6) / 120) for curve in curves]


def stress_of(banner):
    return float(re.search(r"[Ss]tress (\d+\.\d\d)", banner)[1])


def is_right(explorer):
    """Check figures, worst springs and words of what is on show; return what it comes to."""
    found = explorer.result()
    expected = [found["stress"], found["stress1"]]
    for shown, value, unit in zip(explorer.figures(), expected, (0.01, 0.0001), strict=True):
        assert abs(shown - value) <= 0.501 * unit
    for (name, *lengths), spring in zip(explorer.worst(), found["springs"], strict=False):
        assert name == f"{LABELS[spring['i']]}–{LABELS[spring['j']]}"
        expected = 1000 * np.array([spring["table"], spring["map"]])
        assert np.abs(np.array(lengths, float) - expected).max() <= 0.501
    return found


def test_rome_is_freed_by_a_hand_and_not_by_steps(explorer):
    stuck = stress_of(explorer.banner())
    assert explorer.banner().startswith("Stuck")
    assert "Rome is 2312 km from its place" in explorer.banner()
    named = [name for name, *_ in explorer.worst()]
    assert named == ["Athens–Rome", "Cherbourg–Rome", "Calais–Rome"]
    explorer.button("one step").click()
    explorer.button("run again").click()
    assert stress_of(explorer.banner()) == stuck
    home = BEST[LABELS.index("Rome")]
    explorer.carry("Rome", home)
    assert "You moved Rome" in explorer.banner()
    left = np.reshape(explorer.state()["run"][1:], (N, 2)) / 1000
    assert np.abs(left[LABELS.index("Rome")] - home).max() < 0.05
    is_right(explorer)
    explorer.button("run").click()
    assert explorer.banner().startswith(LEAST)
    assert len(explorer.rows("ends")) == 2


def test_each_end_can_be_gone_back_to(explorer):
    explorer.button("stuck: Stockholm").click()
    assert explorer.banner().startswith("Stuck: stress 46.53")
    rows = explorer.rows("ends")
    assert [row[0] for row in rows] == ["6.71", "41.63", "46.53"]
    assert rows[2][1].startswith("Stockholm")
    for stress in (row[0] for row in rows):
        button = explorer.button(f"show the map of stress {stress}")
        button.click()
        assert stress_of(explorer.banner()) == float(stress)
        assert button.get_attribute("aria-pressed") == "true"


def test_random_starts_are_counted_where_they_end(explorer):
    explorer.button("new random start").click()
    assert explorer.banner().endswith("on the map.")
    assert explorer.state()["run"] == [12]
    explorer.button("run").click()
    assert "Of 1 random start, 1 ended here." in explorer.banner()
    explorer.button("20 at once").click()
    explorer.page.locator(".kx-banner", has_text="Of 21 random starts").wait_for()
    counts = [int(row[2]) for row in explorer.rows("ends") if row[2] != "–"]
    assert sum(counts) == 21
    assert 0.6 * 21 < counts[0] < 21
    assert explorer.state()["tried"] == [32, 21]


def test_keys_take_single_steps_which_never_raise_the_stress(explorer):
    explorer.button("classical start").click()
    slider = explorer.figure.locator('input[type="range"]')
    seen = [stress_of(explorer.banner())]
    for _ in range(4):
        slider.press("ArrowRight")
        seen.append(stress_of(explorer.banner()))
    assert explorer.state()["steps"] == 4
    explorer.button("one step").click()
    seen.append(stress_of(explorer.banner()))
    assert np.all(np.diff(seen) < 0)
    slider.press("End")
    assert explorer.banner().startswith(LEAST)
    slider.press("Home")
    assert stress_of(explorer.banner()) == seen[0]


def test_a_run_is_watched_and_stopped(open_tab):
    """By a clock of the test's own: a slow machine takes as many steps as a quick one."""
    tab = open_tab(PATH, reduced_motion="no-preference")
    explorer, clock = Explorer(tab), tab.page.clock
    clock.install(time=0)
    clock.pause_at(1000)
    explorer.button("run again").click()
    clock.run_for(1500)
    explorer.button("pause").click()
    clock.run_for(1000)
    taken = int(explorer.figure.locator(".kx-range em").inner_text().split()[0])
    assert 3 < taken < 15  # with no pause, 34
    assert explorer.state()["steps"] == taken
    explorer.button("run").click()
    clock.run_for(5000)
    assert "Stuck: stress 41.63" in explorer.banner()
    assert explorer.state() == {}


@pytest.mark.parametrize("steps", [0, 1, 7])
def test_any_map_of_a_link_is_drawn_as_it_was_computed(explorer, steps):
    rng = np.random.default_rng(steps)
    for reach in (500, 2500):
        start = rng.integers(-reach, reach, (N, 2))
        start[3] = start[4]
        explorer.open(run=[7, *start.ravel().tolist()], steps=steps, chosen=7)
        found = is_right(explorer)
        springs = np.array([[*spring.values()] for spring in found["springs"]])
        own, off = (springs[:, :2] == 7).any(axis=1), springs[:, -1]
        for kind, sign in (("pressed", -1), ("stretched", 1)):
            for drawn, some in zip(explorer.lines(kind), (~own, own), strict=True):
                counts = [np.sum(sign * off[some] >= least) for least in (0.1, 0.3, 0.8)]
                assert drawn.tolist() == [*-np.diff(counts), counts[-1]]
        (drawn,) = explorer.trace("now")
        assert len(drawn) == steps + 1
        np.testing.assert_allclose(drawn, np.clip(found["stresses"], 5, 2000), rtol=0.01)
        *_, before, now = [0, *found["stresses"]]
        assert stress_of(explorer.banner()) == round(now, 2)
        assert steps == 0 or f"took off {before - now:.2f}." in explorer.banner()


def test_curves_stand_for_the_runs_of_the_list(explorer):
    explorer.button("classical start").click()
    ends = is_right(explorer)["ends"]
    assert [stress for stress, *_ in explorer.rows("ends")] == [f"{end:.2f}" for end in ends]
    shown = explorer.trace("others")
    assert [curve[-1] for curve in shown] == pytest.approx(ends, rel=0.01)
    label = explorer.part("trace").locator("svg").get_attribute("aria-label")
    assert label.endswith("Dashed, 2 runs of the list.")


def test_a_city_is_chosen_and_the_map_stays(explorer):
    shown = explorer.worst(), explorer.figures()
    explorer.part("city").select_option(label="drag Athens")
    assert (explorer.worst(), explorer.figures()) == shown
    assert explorer.state() == {"chosen": LABELS.index("Athens")}
    assert explorer.figure.locator(".kx-handle").get_attribute("aria-label") == "Athens"
    (name,) = explorer.figure.locator(".kx-name.kx-on").all()
    assert name.text_content() == "Athens"
    (x, y), box = explorer.city("Athens"), name.bounding_box()
    away = [max(box["x"] - x, x - box["x"] - box["width"]), abs(box["y"] + box["height"] / 2 - y)]
    assert max(away) < 30
