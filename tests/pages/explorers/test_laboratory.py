"""The laboratory, driven in the browser: its numbers, its words, and what it says of bad input."""

import csv
import re
import xml.etree.ElementTree as ET
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import expect
from scipy.spatial import procrustes
from scipy.spatial.distance import squareform

from kmds_lib import classical_scaling, kruskal_stress, load_eurodist, smacof
from kmds_lib._linalg import procrustes_align
from tests.figures.laboratory_helpers import TABLES, csv_text, run_python
from tests.figures.test_core import axes_determined
from tests.pages.conftest import HTML, source_of
from tests.pages.explorers.conftest import Shown, drag_by_finger, drawn_numbers, time_on_a_phone
from tests.pages.test_links import leads_nowhere

pytestmark = pytest.mark.slow

PATH = "chapters/laboratory.html"
# A wrong formula is caught without a browser; what is chosen, shown and saved is one fit.
CASES = [
    ("roads", "stress", {"dimensions": "3"}),
    ("colours", "kernel MDS", {"kernel": "Exponential"}),
    ("colours", "stress", {"transform": "ordinal"}),
    ("irises", "PCA", {"metric": "gower"}),
    ("digits", "kernel PCA", {"kernel": "RBF", "metric": "standardised"}),
]


class Explorer(Shown):
    """The laboratory of an open tab, and what it says."""

    name = "laboratory"

    def started(self):
        """Wait until it is started, and its first map drawn."""
        super().started()
        self.settled()

    def settled(self):
        """Wait until no work is under way."""
        expect(self.part("busy")).to_be_hidden(timeout=20_000)

    def press(self, name):
        """Press a button, and wait for what it does."""
        self.button(name).click()
        self.settled()

    def tap(self, name):
        """Tap a button, and wait for what it does."""
        self.button(name).tap()
        self.settled()

    def unfold(self, name):
        """Open a fold by its class."""
        self.figure.locator(f"details.{name}").evaluate("(fold) => { fold.open = true; }")

    def fill(self, text):
        """Put a text into the field, which is unfolded first."""
        self.unfold("kl-own")
        self.part("text").evaluate("(box, text) => { box.value = text; }", text)

    def paste(self, text):
        """Put a text into the field, and have it read."""
        self.fill(text)
        self.press("read it")

    def choose(self, sample, method, choices):
        """Press sample and method, and make some choices."""
        self.press(sample)
        self.press(method)
        for name, value in choices.items():
            if name == "dimensions":
                self.press(value)
            else:
                self.figure.locator(f'[data-choice="{name}"]').select_option(value)
            self.settled()

    def save(self, name, path):
        """Press a button that saves a file, and return where it is."""
        with self.page.expect_download() as found:
            self.button(name).click()
        found.value.save_as(path)
        return path

    def drawing(self, path):
        """Return the map as it is saved for other programs."""
        return self.save("map as SVG", path).read_text("utf-8")

    def said(self):
        """Return what is said of the table."""
        return self.part("said").inner_text()

    def places(self):
        """Return where the marks of the map are."""
        marks = self.figure.locator(".kl-points path")
        return np.array([move[:2] for move in drawn_numbers(marks, "transform")])


@pytest.fixture
def lab(explorer):
    """Show the laboratory in its first state."""
    explorer.settled()
    return explorer


def linked(lab, open_tab):
    """Open the laboratory in a tab of its own, by the link to what is shown."""
    return Explorer(open_tab(PATH + lab.page.evaluate("location.search")))


def points_of(path):
    """Return names and coordinates of a file of points."""
    header, *rows = csv.reader(path.read_text("utf-8").splitlines())
    assert header[0] == "name"
    return [row[0] for row in rows], np.array([row[1:] for row in rows], dtype=float)


def figures_of(report):
    """Return the numbers that stand in a report, by name."""
    found = re.findall(r"(explained fraction|negative mass|stress-1) ([\d.]+\d)", report)
    return {name: float(value) for name, value in found}


@pytest.mark.parametrize(("sample", "method", "choices"), CASES)
def test_the_python_does_the_same(lab, tmp_path, sample, method, choices):
    lab.choose(sample, method, choices)
    table = lab.save("table as CSV", tmp_path / "table.csv").read_text("utf-8")
    found = run_python(tmp_path, table, lab.part("python").text_content())
    fit = found["fit"]
    names, points = points_of(lab.save("points as CSV", tmp_path / "points.csv"))
    said = figures_of(lab.part("report").inner_text())
    assert len(names) == len(points)
    assert lab.button(method).is_hidden() == (choices.get("metric") == "gower")
    k = fit.points.shape[1]
    if method == "stress":
        delta = fit.disparities
        assert kruskal_stress(points, delta) == pytest.approx(fit.stress, rel=2e-3)
        assert said["stress-1"] == pytest.approx(fit.stress, abs=1e-3)
        turned = procrustes_align(points, target=fit.points).points
        assert np.abs(turned - fit.points).max() < 2e-2 * np.abs(fit.points).max()
        return
    assert said["explained fraction"] == pytest.approx(fit.explained, abs=5.1e-4)
    assert said["negative mass"] == pytest.approx(fit.negative_mass, abs=5.1e-4)
    assert axes_determined(fit.spectrum().eigenvalues, k)
    assert np.abs(points[:, :k] - found["points"]).max() < 1e-9 * np.abs(fit.points).max()


def test_words_lead_to_sections_that_stand(lab):
    script = source_of(PATH).partition('<script type="text/plain">')[2]
    sections = set(re.findall(r'"(\d\d-[\w-]+\.html#[\w-]+)"', script))
    assert len(sections) > 15
    words = lab.figure.locator('[data-part="out"] a')
    links = words.evaluate_all("all => all.map((a) => a.getAttribute('href'))")
    assert len(links) >= 5
    assert [link for link in {*links, *sections} if leads_nowhere(HTML / PATH, link)] == []
    assert set(words.evaluate_all("all => all.map((a) => a.target)")) == {"_blank"}
    told = " ".join(lab.part("report").locator("a").all_inner_texts())
    assert told == "explained fraction negative mass stress-1"


def test_hover_tap_and_list_show_the_neighbours(lab):
    lab.part("map").scroll_into_view_if_needed()
    near = lab.part("near")
    lab.part("look").select_option(label="Paris")
    assert near.inner_text().startswith("Paris: nearest in the table Calais (280)")
    lab.page.mouse.move(*lab.centre(lab.figure.locator(".kl-points path").first))
    expect(near).to_contain_text("Athens: nearest in the table Rome (817)")
    assert (
        lab.figure.locator(".kl-nearest").count() == lab.figure.locator(".kl-worst").count() == 3
    )


def test_keys_zoom_and_turn_the_map(lab):
    map_ = lab.figure.locator(".kl-map")
    seen = [lab.places()]
    for key in ("+", "ArrowLeft", "-", "0"):
        map_.press(key)
        seen.append(lab.places())
    assert len(np.unique(seen[:3], axis=0)) == 3
    np.testing.assert_array_equal(seen[-1], seen[0])
    lab.press("3")
    flat = lab.places()
    map_.press("ArrowRight")
    turned = lab.places()
    assert (turned != flat).any()
    x, y = lab.centre(map_)
    lab.drag((x, y), (x + 30, y - 10), (x + 60, y - 20))
    assert (lab.places() != turned).any()


SVG = "{http://www.w3.org/2000/svg}"
NAMED = [f"object {i}, " + "of a long name " * (i % 4) for i in range(1, 10)]
NAMED_TABLE = "name,a,b,c,kind\n" + "\n".join(
    f'"{name.strip()}",{i % 3},{(i * i) % 7},{(5 * i) % 4},{"odd" if i % 2 else "even"}'
    for i, name in enumerate(NAMED)
)


def places_of(drawing):
    """Return where a saved drawing has the marks of its objects, y upwards."""
    layer = next(g for g in drawing.iter(f"{SVG}g") if g.get("class") == "kl-points")
    found = [re.findall(r"-?[\d.]+", path.get("transform"))[:2] for path in layer]
    return np.array(found, dtype=float) * [1, -1]


def agree_as_drawn(places, points):
    """Whether places are points up to one scale and a shift: no turn, no mirror."""
    places, points = places - places.mean(axis=0), points - points.mean(axis=0)
    scale = (places * points).sum() / (points**2).sum()
    assert scale > 0
    np.testing.assert_allclose(places, scale * points, atol=0.02)


def seen_in(lab, drawing, look):
    """Return what a function sees in a saved drawing, whose root it is given."""
    script = f"""(drawing) => {{
        const host = document.body.appendChild(document.createElement("div"));
        host.innerHTML = drawing;
        const seen = ({look})(host.firstChild);
        host.remove();
        return seen;
    }}"""
    return lab.page.evaluate(script, drawing)


# How many words touch one another, and how many run over the edge.
OVERLAPS = """(root) => {
    const boxes = [...root.querySelectorAll("text")].map((text) => text.getBBox());
    const touching = boxes.flatMap((a, i) => boxes.slice(0, i).filter((b) =>
        a.x < b.x + b.width && b.x < a.x + a.width &&
        a.y + 2 < b.y + b.height && b.y + 2 < a.y + a.height));
    const [, , width, height] = root.getAttribute("viewBox").split(" ").map(Number);
    const outside = boxes.filter((a) =>
        a.x < 0 || a.x + a.width > width || a.y + a.height > height);
    return [touching.length, outside.length];
}"""


def test_labels_on_the_map_do_not_overlap(lab):
    map_ = lab.figure.locator(".kl-map")
    assert map_.locator(".kl-labels text").count() >= 18
    assert map_.evaluate(OVERLAPS) == [0, 0]


@pytest.mark.parametrize("presses", [[], ["turn", "flip"], ["stress", "turn"], ["kernel MDS"]])
def test_picture_coordinates_and_link_are_one_map(lab, open_tab, tmp_path, presses):
    for name in presses:
        lab.press(name)
    drawing = ET.fromstring(lab.drawing(tmp_path / "map.svg"))
    _, points = points_of(lab.save("points as CSV", tmp_path / "points.csv"))
    agree_as_drawn(places_of(drawing), points)
    agree_as_drawn(lab.places() * [1, -1], points)
    other = linked(lab, open_tab)
    _, again = points_of(other.save("points as CSV", tmp_path / "again.csv"))
    np.testing.assert_allclose(again, points, atol=2e-3 * np.abs(points).max())


def test_a_saved_picture_has_whole_names_its_legend_and_its_font(lab, tmp_path):
    lab.paste(NAMED_TABLE)
    text = lab.drawing(tmp_path / "map.svg")
    drawing = ET.fromstring(text)
    words = ["".join(text.itertext()) for text in drawing.iter(f"{SVG}text")]
    assert {name.strip() for name in NAMED} <= set(words)
    assert {"odd", "even"} <= set(words)
    assert seen_in(lab, text, OVERLAPS) == [0, 0]
    assert "@font-face" in text
    assert "url(data:font/woff2;base64," in text
    png = lab.save("map as PNG", tmp_path / "map.png").read_bytes()
    assert b"pHYs" + (11811).to_bytes(4, "big") * 2 + b"\x01" in png
    width = int.from_bytes(png[16:20], "big")
    assert abs(width - float(drawing.get("width")) * 300 / 96) <= 0.5


def test_a_picture_is_saved_for_paper_in_the_dark_too(lab, tmp_path):
    light = lab.drawing(tmp_path / "light.svg")
    lab.tab.look(theme="dark")
    dark = lab.drawing(tmp_path / "dark.svg")
    assert lab.page.evaluate("document.documentElement.dataset.theme") == "dark"
    lab.tab.look(theme="light")
    assert dark == light
    assert seen_in(lab, light, OVERLAPS) == [0, 0]


FIGURES = Path(__file__).parents[2] / "figures"
ARRESTS = (FIGURES / "published/arrests.csv").read_text("utf-8")

# The names that a segment of an arrow crosses, and how many names and segments there are.
CROSSED = """(root) => {
    const boxes = [...root.querySelectorAll(".kl-labels text")].map((text) => text.getBBox());
    const d = root.querySelector(".kl-arrows path").getAttribute("d");
    const lines = [...d.matchAll(/M([^L]+)L([^LM]+)(?:L([^LM]+))?/g)].flatMap(([, ...places]) => {
        const points = places.filter(Boolean).map((place) => place.split(" ").map(Number));
        return points.slice(1).map((point, k) => [points[k], point]);
    });
    const crosses = ([[a, b], [c, e]], { x, y, width, height }) =>
        Array.from({ length: 401 }, (_, k) => k / 400).some((t) => {
            const [u, v] = [a + t * (c - a) - x, b + t * (e - b) - y];
            return 0 < u && u < width && 2 < v && v < height - 2;
        });
    const found = boxes.filter((box) => lines.some((line) => crosses(line, box)));
    return [found.length, boxes.length, lines.length];
}"""


@pytest.mark.parametrize(
    ("dimensions", "turns"), [("2 dimensions", 0), ("2 dimensions", 3), ("3", 0)]
)
def test_no_arrow_crosses_a_name(lab, tmp_path, dimensions, turns):
    lab.paste(ARRESTS)
    lab.figure.locator('[data-choice="metric"]').select_option("standardised")
    lab.settled()
    lab.press(dimensions)
    for _ in range(turns):
        lab.press("turn")
    lab.press("arrows of the columns")
    crossed, named, segments = lab.figure.locator(".kl-map").evaluate(CROSSED)
    assert (crossed, segments) == (0, 12)
    assert named > 20
    drawing = lab.drawing(tmp_path / "map.svg")
    assert seen_in(lab, drawing, OVERLAPS) == [0, 0]
    assert seen_in(lab, drawing, CROSSED) == [0, 50 + 4, 12]


def test_a_solid_map_has_axes_and_a_link_keeps_its_view(lab, open_tab):
    lab.press("3")
    assert lab.figure.locator(".kl-axis").all_text_contents() == ["1", "2", "3"]
    lab.press("1, 3")
    assert lab.figure.locator(".kl-axis").all_text_contents() == ["1", "3"]
    np.testing.assert_allclose(linked(lab, open_tab).places(), lab.places(), atol=0.1)
    lab.press("whole map")
    assert "%22camera%22%3Anull" in lab.page.evaluate("location.search")


PASTE_TEN_MEGABYTES = """(box) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text", "1 2 3 4 5 6 7 8 9 0\\n".repeat(500_000));
    box.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true }));
}"""


def test_hostile_pastes_end_in_a_sentence_and_a_working_page(lab):
    lab.part("text").evaluate(PASTE_TEN_MEGABYTES)
    assert "more than 6 million characters" in lab.said()
    expect(lab.part("out")).to_be_hidden()
    lab.paste(TABLES["a true minus"]["text"])
    assert lab.figure.locator(".kl-wrong").inner_text() == "\u25b6 \u22121"
    lab.paste("Ada,0,3,4\n<i>Bo</i>,3,0,5\nCleo,4,5,0")
    assert "3 objects" in lab.said()
    assert "<i>Bo</i>" in lab.figure.locator(".kl-labels").text_content()
    assert lab.figure.locator(".kl-points path").count() == 3


def test_a_matrix_without_distances_has_a_map_where_none_are_needed(lab):
    lab.press("classical scaling")
    lab.paste("1 3 0\n3 1 0\n0 0 1")
    assert "similarities" in lab.said()
    banner = lab.figure.locator(".kx-banner")
    for method in ("kernel MDS", "classical scaling"):
        lab.press(method)
        expect(banner).to_contain_text("No map.")
        expect(banner).to_contain_text("K[1, 0] = -4 is negative, so K gives no distances")
        expect(lab.part("answer")).to_be_hidden()
    lab.press("kernel PCA")
    expect(banner).to_contain_text("The map holds")
    expect(lab.part("answer")).to_be_visible()
    assert lab.figure.locator(".kl-points path").count() == 3
    assert lab.part("report").inner_text().startswith("Kernel PCA of the given matrix of 3 obj")


def test_a_map_stands_where_one_without_an_object_does_not(lab):
    lab.paste("\n".join(["0 0 0 0 5"] * 4 + ["5 5 5 5 0"]))
    lab.press("stress")
    lab.press("How stable is it?")
    expect(lab.part("stable")).to_contain_text("With one object left out there is no map. All")
    assert "Stress-1" in lab.figure.locator(".kx-banner").inner_text()
    expect(lab.part("answer")).to_be_visible()


def test_a_row_without_a_cosine_is_left_out_below_the_banner(lab):
    lab.paste(TABLES["a text without words"]["text"])
    metric = lab.figure.locator('[data-choice="metric"]')
    expect(lab.part("unfit")).to_be_hidden()
    metric.select_option("cosine")
    expect(lab.figure.locator(".kx-banner")).to_contain_text("Row 1 holds zeros alone")
    metric.select_option("cityblock")
    expect(lab.part("unfit")).to_be_hidden()
    metric.select_option("cosine")
    lab.press("leave out 1 row")
    assert "1 row of zeros alone was left out: B." in lab.said()
    assert metric.input_value() == "cosine"
    assert lab.figure.locator(".kl-points path").count() == 3
    expect(lab.part("unfit")).to_be_hidden()


def test_a_long_list_is_offered_the_distance_of_amounts(lab):
    lab.paste(TABLES["species in a long list"]["text"])
    metric = lab.figure.locator('[data-choice="metric"]')
    assert metric.input_value() == "euclidean"
    lab.press("Bray\u2013Curtis distance")
    assert metric.input_value() == "braycurtis"
    assert "Bray\u2013Curtis distances" in lab.part("report").inner_text()
    expect(lab.part("repairs")).to_be_hidden()


# Drops a text, or a file of it where it has a name.
DROP = """(figure, [text, name]) => {
    const dataTransfer = new DataTransfer();
    if (name) dataTransfer.items.add(new File([text], name));
    else dataTransfer.setData("text", text);
    const target = figure.querySelector(".kl");
    target.dispatchEvent(new DragEvent("drop", { dataTransfer, bubbles: true }));
}"""


def test_columns_are_offered_where_a_table_has_some(lab, tmp_path):
    assert not lab.part("colour").is_visible()
    lab.press("irises")
    before = lab.places()
    lab.part("colour").select_option(label="petal length")
    assert len(lab.part("legend").locator("svg").all()) == 5
    assert lab.figure.locator(".kl-points .kl-q4").count() >= 20
    lab.part("labels").select_option(label="species")
    assert {"setosa", "virginica"} <= set(
        lab.figure.locator(".kl-labels text").all_text_contents()
    )
    lab.press("arrows of the columns")
    titles = lab.figure.locator(".kl-property").all_text_contents()
    assert sorted(titles) == ["petal length", "petal width", "sepal length", "sepal width"]
    assert "petal length 1.00, sepal length 0.96" in lab.part("grown").inner_text()
    assert lab.places().shape == before.shape
    drawing = lab.drawing(tmp_path / "map.svg")
    assert "5.4 to 6.9" in drawing
    assert not re.search(r'"(color|oklab)\(', drawing)
    assert "r_squared" in lab.part("python").inner_text()
    lab.press("roads")
    assert lab.part("grown").text_content() == ""
    assert not lab.part("colour").is_visible()


def test_a_map_is_kept_beside_the_next_one(lab):
    lab.unfold("kl-compare")
    lab.press("keep this map")
    assert "m\u00b2 = 0.000" in lab.part("compared").inner_text()
    lab.press("stress")
    assert lab.figure.locator(".kl-others circle").count() == 21
    own = classical_scaling(load_eurodist().distances).points
    fit = smacof(load_eurodist().distances, tol=1e-6)
    expected = procrustes(fit.points, own)[2]
    assert f"m\u00b2 = {expected:.3f}" in lab.part("compared").inner_text()
    lab.press("end the comparison")
    assert lab.part("compared").text_content() == ""
    lab.part("second").fill("0 1\n1 0")
    lab.press("compare")
    assert "This table has 2 objects, and the map has 21." in lab.part("unlike").inner_text()


JUDGES = {"ada": -1, "bo": 0, "cleo": 1}


def test_judges_are_listed_and_compared(lab):
    D = np.array([[0, 3, 4, 5], [3, 0, 5, 6], [4, 5, 0, 7], [5, 6, 7, 0]])
    tables = (f"# {name}\n{csv_text(D + e * (1 - np.eye(4)))}" for name, e in JUDGES.items())
    lab.paste("\n\n".join(tables))
    assert "It is the mean of 3 tables." in lab.said()
    assert "ada 19 %, cleo 19 %, bo 0 %" in lab.part("judges").inner_text()
    lab.unfold("kl-compare")
    lab.press("cleo")
    assert "Hollow marks: cleo, by classical scaling" in lab.part("compared").inner_text()
    lab.press("reset")
    assert lab.part("judges").text_content() == ""


def test_two_directions_are_drawn_before_they_are_averaged(lab):
    lab.paste(",a,b,c\na,0,4,4\nb,2,0,5\nc,4,5,0")
    picture = lab.part("skew")
    assert picture.locator("rect.kl-more").count() == picture.locator("rect.kl-less").count() == 1
    assert "from a to b, by 2 more than back" in picture.inner_text()
    lab.press("average both directions")
    assert picture.locator("rect").count() == 2
    lab.press("roads")
    assert picture.locator("rect").count() == 0


def test_no_old_verdict_stands_above_a_new_run(lab):
    lab.press("kernel MDS")
    banner, figures = lab.figure.locator(".kx-banner"), lab.part("figures")
    lab.part("width").evaluate("(w) => { w.value = 0.5; w.dispatchEvent(new Event('input')); }")
    expect(banner).to_contain_text("The figures follow when you let go.")
    assert figures.get_attribute("inert") == ""
    lab.part("width").evaluate("(w) => { w.dispatchEvent(new Event('change')); }")
    lab.settled()
    expect(banner).to_contain_text("The map holds")
    assert figures.get_attribute("inert") is None


def test_two_thousand_points_are_placed_by_landmarks(lab):
    X = np.random.default_rng(1).normal(size=(2000, 3)).round(2)
    lab.fill(csv_text(X))
    lab.button("read it").click()
    expect(lab.part("report")).to_contain_text("200 landmarks of 2000 points", timeout=60_000)
    assert lab.figure.locator(".kl-points path").count() == 2000
    expect(lab.button("How stable is it?")).to_be_hidden()
    assert "landmarks" in lab.part("about").inner_text()


def test_a_long_fit_shows_its_steps_and_stops(lab):
    """Meanwhile what is shown of another table is out of reach."""
    table = squareform(np.random.default_rng(5).uniform(1, 2, size=124_750).round(3))
    lab.press("stress")
    lab.fill(csv_text(table))
    lab.button("read it").click()
    expect(lab.part("busy")).to_contain_text("steps", timeout=20_000)
    assert lab.part("answer").get_attribute("inert") == ""
    lab.figure.locator('[data-do="stop"]').click()
    lab.settled()
    assert lab.part("answer").get_attribute("inert") is None
    assert "of 500 objects" in lab.part("report").inner_text()
    assert (
        "Stopped before the points came to rest" in lab.figure.locator(".kx-banner").inner_text()
    )
    assert int(re.search(r"\((\d+) steps\)", lab.part("report").inner_text())[1]) < 400
    assert lab.figure.locator(".kl-points path").count() == 500


def test_a_link_brings_the_choices_back(lab, open_tab):
    lab.choose("irises", "kernel PCA", {"kernel": "Power", "dimensions": "3"})
    report = lab.part("report").inner_text()
    query = lab.page.evaluate("location.search")
    assert len(query) < 600
    other = linked(lab, open_tab)
    expect(other.part("report")).to_have_text(report)
    other.open(choices={"method": 7, "dimensions": [3]})
    expect(other.part("report")).to_contain_text("21 cities in two dimensions")


def test_a_link_keeps_two_methods_on_a_sample_beside_each_other(lab, open_tab):
    lab.choose("irises", "kernel PCA", {"kernel": "Exponential"})
    lab.unfold("kl-compare")
    lab.press("keep this map")
    lab.press("stress")
    said = lab.part("compared").inner_text()
    assert "the map that was kept, by kernel PCA" in said
    other = linked(lab, open_tab)
    expect(other.part("compared")).to_have_text(said)
    assert other.figure.locator(".kl-others circle").count() == 150
    other.press("3")
    expect(other.part("compared")).to_have_text("")
    other.press("2 dimensions")
    expect(other.part("compared")).to_have_text(said)
    other.press("roads")
    expect(other.part("compared")).to_have_text("")
    assert "kept%22%3A%7B" not in other.page.evaluate("location.search")
    other.open(choices={"kept": {"method": 7, "kept": []}})
    expect(other.part("compared")).to_contain_text("the map that was kept, by classical scaling")
    lab.press("end the comparison")
    assert "kept%22%3A%7B" not in lab.page.evaluate("location.search")


def test_a_finger_chooses_sample_method_and_object(phone):
    phone.tap("irises")
    phone.tap("stress")
    assert "of 150 flowers in two dimensions: stress-1 0.03" in phone.part("report").inner_text()
    phone.tap("roads")
    phone.part("map").scroll_into_view_if_needed()
    phone.page.touchscreen.tap(*phone.centre(phone.figure.locator(".kl-points path").first))
    expect(phone.part("near")).to_contain_text("Athens: nearest in the table Rome (817)")
    assert phone.figure.locator(".kl-nearest").count() == 3
    assert phone.figure.locator(".kl-worst").count() == 3
    assert phone.part("look").input_value() == "0"


def pinch(lab, x, y):
    """Move two fingers apart; a browser that is kept waiting lets go of them."""
    device = lab.tab.context.new_cdp_session(lab.page)
    for kind, reach in (("touchStart", 30), ("touchMove", 45), ("touchMove", 60)):
        fingers = [{"x": x - reach, "y": y, "id": 0}, {"x": x + reach, "y": y, "id": 1}]
        device.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": fingers})
    device.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


def test_two_fingers_and_buttons_zoom(phone):
    map_ = phone.figure.locator(".kl-map")
    map_.scroll_into_view_if_needed()
    whole = np.ptp(phone.places(), axis=0)
    phone.tap("zoom in")
    np.testing.assert_allclose(np.ptp(phone.places(), axis=0), 1.4 * whole, rtol=1e-3)
    phone.tap("whole map")
    x, y = phone.centre(map_)
    for _ in range(3):
        pinch(phone, x, y)
        if np.ptp(phone.places(), axis=0)[0] > 1.01 * whole[0]:
            break
    np.testing.assert_allclose(np.ptp(phone.places(), axis=0), 2 * whole, rtol=1e-3)
    before = phone.places()
    drag_by_finger(phone.tab, (x, y), (x + 20, y + 12), (x + 40, y + 24))
    np.testing.assert_allclose(phone.places() - before, [[40, 24]] * 21, atol=0.1)
    assert phone.page.evaluate("visualViewport.scale") == 1
    phone.tap("whole map")
    np.testing.assert_allclose(np.ptp(phone.places(), axis=0), whole, rtol=1e-3)


def test_a_phone_shows_all_and_a_thumb_meets_it(phone):
    for sample in ("roads", "digits"):
        phone.tap(sample)
        phone.tap("kernel MDS")
        wide = phone.figure.locator(".kl [data-part] > *").evaluate_all(
            """all => all.filter((e) => e.getBoundingClientRect().right > 390)
                         .map((e) => e.textContent)"""
        )
        assert wide == []
        small = phone.figure.locator(".kl button, .kl select").evaluate_all(
            """all => all.filter((e) => e.offsetHeight && e.offsetHeight < 44)
                         .map((e) => e.textContent)"""
        )
        assert small == []


def test_keys_do_everything(lab, tmp_path):

    def press(control, key):
        control.focus()
        lab.page.keyboard.press(key)
        lab.settled()

    press(lab.button("colours"), "Enter")
    assert "14 colours" in lab.said()
    press(lab.button("kernel MDS"), "Space")
    theta = lab.part("parameter").inner_text()
    press(lab.part("width"), "ArrowRight")
    assert lab.part("parameter").inner_text() != theta
    press(lab.button("median rule"), "Enter")
    assert lab.part("parameter").inner_text() == theta
    press(lab.part("look"), "ArrowDown")
    expect(lab.part("near")).to_contain_text("434nm: nearest in the table")
    press(lab.button("How stable is it?"), "Space")
    expect(lab.part("stable")).to_contain_text("14 of 14 objects were left out in turn")
    assert lab.figure.locator(".kl-clouds path").count() == 14
    lab.button("points as CSV").focus()
    with lab.page.expect_download() as found:
        lab.page.keyboard.press("Enter")
    found.value.save_as(tmp_path / "points.csv")
    names, points = points_of(tmp_path / "points.csv")
    assert (names[0], points.shape) == ("434nm", (14, 2))
    reached = set()
    lab.button("roads").focus()
    for _ in range(60):
        reached.add(lab.page.evaluate("document.activeElement.textContent.trim()"))
        lab.page.keyboard.press("Tab")
    visible = lab.figure.locator(".kl button:visible:not([disabled])").all_inner_texts()
    assert set(visible) <= reached


def test_texts_that_were_dropped_or_chosen_are_read_again(lab, tmp_path):
    said, matrix = lab.part("said"), "4 1 2\n1 9 3\n2 3 16"
    lab.paste("1 2\n3 4\n5 6\n7 9")
    lab.figure.evaluate(DROP, [matrix, None])
    expect(said).to_contain_text("3 objects, a square table of similarities")
    lab.part("as").select_option("points")
    expect(said).to_contain_text("3 points, 3 columns")
    lab.figure.evaluate(DROP, ["x;y\n1,5;2\n3;4\n5;7", "b.csv"])
    expect(said).to_contain_text("3 points, 2 columns of numbers (x, y)")
    lab.part("text").fill("1 2")
    lab.press("clear")
    assert lab.part("text").input_value() == ""
    lab.part("text").fill("1 2")
    lab.press("reset")
    assert [lab.part(name).input_value() for name in ("text", "as")] == ["", "auto"]
    field, path = lab.figure.locator('input[type="file"]'), tmp_path / "a.csv"
    for text, words in (("0,1\n1,0", "2 objects"), (matrix, "3 objects, a square table of sim")):
        path.write_text(text)
        with lab.page.expect_file_chooser() as chooser:
            field.click()
        chooser.value.set_files(path)
        expect(said).to_contain_text(words)
    lab.part("as").select_option("points")
    expect(said).to_contain_text("3 points, 3 columns")
    lab.press("reset")
    assert field.input_value() == ""


def test_a_table_outlives_a_reload_until_it_is_forgotten_and_no_link_holds_it(open_tab, tmp_path):
    own = Explorer(open_tab(PATH))
    own.paste("from,to,km\nA,B,3\nA,C,4\nB,D,5\nC,D,4\nB,C,2\n")
    own.press("fit by stress without them")
    assert "kept in this browser alone" in own.said()
    points = own.save("points as CSV", tmp_path / "before.csv").read_text()
    own.page.reload()
    own.started()
    assert "1 of 6 dissimilarities is missing" in own.said()
    assert "1 of 6 dissimilarities is missing" in own.part("report").inner_text()
    assert own.save("points as CSV", tmp_path / "after.csv").read_text() == points
    own.press("forget my table")
    own.page.reload()
    own.started()
    expect(own.part("said")).to_contain_text("paste it again")
    expect(own.part("said")).to_contain_text("21 cities")
    own.press("dinner table")
    assert "paste it again" not in own.said()


def test_dimensions_are_drawn_beside_chance_and_go_with_the_map(lab):
    lab.press("How many dimensions, beside chance?")
    expect(lab.part("chance")).to_contain_text("more than in any of them.", timeout=20_000)
    assert lab.part("curve").locator("circle").count() == 6
    assert lab.part("curve").locator("path.kl-band").count() == 1
    lab.press("3")
    assert lab.part("chance").inner_text() == ""
    assert lab.part("curve").locator("svg").count() == 0


def test_axes_are_written_for_readers(lab):
    texts = lab.part("spectrum").locator("text").all_text_contents()
    B = classical_scaling(load_eurodist().distances).spectrum().eigenvalues
    assert "eigenvalue (\u00d7 10\u2077)" in texts
    assert {f"{B[0] / 1e7:.3g}", f"{B[-1] / 1e7:.3g}".replace("-", "\u2212"), "0"} <= set(texts)
    lab.press("irises")
    assert "number of the eigenvalue (of 150)" in lab.part("spectrum").inner_text()
    for diagram in ("spectrum", "shepard"):
        assert not re.search(r"\de[+-]\d", lab.part(diagram).inner_text())


def test_the_code_is_copied_and_the_button_says_so(lab):
    lab.tab.context.grant_permissions(["clipboard-read", "clipboard-write"])
    lab.figure.locator('[data-do="copy"]').click()
    expect(lab.figure.locator('[data-do="copy"]')).to_have_text("copied")
    copied = lab.page.evaluate("navigator.clipboard.readText()")
    assert copied == lab.part("python").text_content()


@pytest.mark.timed
@pytest.mark.parametrize(("n", "most"), [(60, 50), (300, 200)])
def test_a_dragged_width_moves_the_map_at_once(lab, n, most):
    X = np.random.default_rng(n).normal(size=(n, 4)).round(4)
    lab.paste(csv_text(X))
    lab.press("kernel MDS")
    took = time_on_a_phone(lab.part("width"), first=0.05, step=0.05)
    assert took < most
