"""What every explorer has: a state in the page's address, a link to it, and a reset."""

import json
import re
from urllib.parse import parse_qs, quote, urlsplit

import pytest
from matplotlib.colors import to_rgb

from kmds_figures.explorers import SHARED_STYLE
from tests.figures.test_figures import luminance
from tests.pages.conftest import CHAPTERS, HTML, pages_with, source_of
from tests.pages.explorers.conftest import SHOW

PAGES = pages_with("kmds-explorer")
# Addresses go from hand to hand most for the laboratory: the others wait for the night.
BY_TIER = [
    pytest.param(page, marks=getattr(pytest.mark, "slow" if "laboratory" in page else "nightly"))
    for page in PAGES
]
FORMULA = re.compile(r"<mjx-container.*?</mjx-container>", re.DOTALL)
HEAVIEST = 500_000
# All that an explorer says: its words and numbers, what is typed, and what a screen reader hears.
READ = """(figure) => {
    const said = [figure.querySelector(".kx").textContent];
    for (const e of figure.querySelectorAll("input, [aria-valuetext], svg [aria-label]"))
        said.push(e.value ?? "", e.ariaValueText ?? "", e.ariaLabel ?? "");
    for (const e of figure.querySelectorAll("[aria-pressed]")) said.push(e.ariaPressed);
    return said.filter(Boolean).join("|");
}"""
# Opens an explorer with one query after the other, as if the page had been loaded with it; says
# what was then seen, and what after a reset.
OPEN_ALL = """async (figure, queries) => {
    const [module, read, show, seen] = [await moduleOf(figure), READ, SHOW, []];
    for (const query of queries) {
        show(figure, module, query);
        const shown = read(figure);
        figure.querySelector(".kx-reset").click();
        seen.push([query, shown, read(figure), location.search]);
    }
    return seen;
}""".replace("READ", READ).replace("SHOW", SHOW)
WORDS = ["x", "__proto__", "<img src=x onerror=alert(1)>", "x" * 3000, {}, {"x": 1}]
UNLINKED = "async (figure) => (await moduleOf(figure)).unlinked ?? []"
LISTS = [[], [[]], [None], ["x"], [1e308], [[1e308, -1e308]], list(range(50))]
WRONG = [None, -1, 1e308, 0.5, True, *WORDS, *LISTS]
NO_STATE = [
    "",
    "=",
    "={",
    "=null",
    "=5",
    '="x"',
    "=[1,[2]]",
    "=%",
    "=%00",
    '={"__proto__":{"x":1}}',
]
CONTROL = '.kx-handle, [role="slider"], .kx input[type="range"], .kx select[data-choice]'


# Begins an explorer once for each thing to do, does it, ends the explorer, and waits; says what
# still happened then, and how many listeners were left.
END = """async (figure) => {
    const { render } = await moduleOf(figure);
    const first = stateOf(figure);
    const begin = () => {
        const el = figure.appendChild(document.createElement("div"));
        let [heard, late] = [new Set(), 0];
        const model = modelOf(structuredClone(first), { start: first }, () => late++);
        model.on = (events) => events.split(" ").forEach((event) => heard.add(event));
        model.off = (events) => events.split(" ").forEach((event) => heard.delete(event));
        const end = render({ el, model });
        const stop = () => {
            end();
            late = 0;
            new MutationObserver((seen) => (late += seen.length))
                .observe(el, { subtree: true, childList: true, attributes: true });
        };
        return { el, stop, left: () => [heard.size, late] };
    };
    const things = ".kx-handle, input[type=range], [data-do]:not([data-do=copy]), [data-basis]";
    const act = (thing) => {
        if (thing.matches(".kx-handle"))
            thing.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight" }));
        else if (thing.matches("input")) {
            thing.stepUp();
            thing.dispatchEvent(new Event("input"));
        } else thing.click();
    };
    const count = begin();
    const all = count.el.querySelectorAll(things).length;
    count.stop();
    const begun = Array.from({ length: all }, (_, at) => {
        const one = begin();
        act(one.el.querySelectorAll(things)[at]);
        one.stop();
        return one;
    });
    await new Promise((done) => setTimeout(done, 700));
    return [count, ...begun].map(({ el, left }) => (el.remove(), left()));
}"""


# By how much of the screen a page has moved by itself.
SHIFT = """() => new Promise((done) => {
    let sum = 0;
    new PerformanceObserver((list) => list.getEntries().forEach(({ value }) => { sum += value; }))
        .observe({ type: "layout-shift", buffered: true });
    setTimeout(() => done(sum), 100);
})"""


def explorers_of(tab):
    """Return the explorers of a page by name, started by being looked at."""
    figures = tab.figures(".kx")
    return {figure.get_attribute("data-name"): figure for figure in figures}


def move(figure):
    """Move something of an explorer by a key."""
    before = figure.evaluate(READ)
    control = figure.locator(CONTROL).filter(visible=True).first
    control.press("ArrowRight")
    if figure.evaluate(READ) == before:
        control.press("ArrowLeft")
    assert figure.evaluate(READ) != before


def alike(one, other):
    """Say whether two values are of one kind in JSON; a page leaves others aside by itself."""
    number = (int, float)
    return type(one) is type(other) or (isinstance(one, number) and isinstance(other, number))


def asked(tab):
    """Return the states in the address of a page."""
    query = tab.page.evaluate("location.search").removeprefix("?")
    return parse_qs(query, keep_blank_values=True)


@pytest.mark.slow
@pytest.mark.parametrize("path", PAGES)
def test_the_address_shows_what_its_reader_saw(open_tab, path):
    first = open_tab(path)
    figures = explorers_of(first)
    untouched = {name: figure.evaluate(READ) for name, figure in figures.items()}
    assert asked(first) == {}
    assert first.page.evaluate(SHIFT) <= 0.05
    for figure in figures.values():
        move(figure)
    assert asked(first).keys() == figures.keys()
    second = open_tab(f"{path}{first.page.evaluate('location.search')}")
    name, top = next(iter(figures)), "e => e.getBoundingClientRect().top"
    second.page.locator(f'[data-name="{name}"][data-alive]').wait_for()
    assert -1 <= second.page.locator(f'[data-name="{name}"]').evaluate(top) < 300
    for name, figure in explorers_of(second).items():
        assert figure.evaluate(READ) == figures[name].evaluate(READ) != untouched[name]
        figure.get_by_role("button", name="reset").click()
        assert figure.evaluate(READ) == untouched[name]
        assert name not in asked(second)


@pytest.mark.parametrize("page", [page for page in CHAPTERS if page in PAGES])
def test_each_explorer_poses_a_question_before_anything_else(page):
    text = source_of(page)
    explorers = re.findall(r'<div class="kmds-explorer".*?<div [^>]*>(.{400})', text, re.DOTALL)
    assert explorers
    for start in explorers:
        assert re.match(r'\s*<p class="kx-question">.*?\?</p>', start), start[:200]


# What each chapter's explorer says before any script runs, and how often it draws something.
BEFORE = {
    "01": ("Variances 3.10 and 0.58, covariance 1.29.", "<svg", 1),
    "02": ("Rank 8: error 10.1 %.", "url(data:image/bmp;base64,", 1),
    "03": ("Euclidean, in two dimensions: no eigenvalue is negative.", "kx-handle", 4),
    "04": ("Not Euclidean: 9 of 21 eigenvalues are negative", 'class="kx-spot', 21),
    "05": ("The same scores, but for the sign of axis 1.", 'class="kx-spot', 20),
    "06": ("A kernel: no points of the plane", 'class="kx-data"', 30),
    "07": ("Component 1 holds 51.5 % of the variance.", 'class="kx-data"', 72),
    "08": ("Between the limits.", 'class="kx-data"', 50),
    "09": ("Stuck: stress 41.63, the least known is 6.71.", 'class="kx-spot', 21),
    "10": ("It lands at (1.50, −0.90) and stands 1.20 above the map.", "<svg", 2),
    "11": ("The roll unrolls: none of 287 edges is a short circuit.", "kx-grain", 33),
    "12": ("Chance seldom deals this: p = 9/1000.", 'class="kx-spot', 30),
    "13": ("Too little noise: 14.34 nats below the best for k = 2.", 'class="kx-data"', 178),
}


@pytest.mark.parametrize("page", CHAPTERS)
def test_an_explorer_is_small_and_says_its_first_state_without_a_script(page):
    number = page.removeprefix("chapters/")[:2]
    said, drawn, count = BEFORE[number]
    explorer = source_of(page).partition('class="kmds-explorer"')[2]
    figure = explorer.partition('<script type="text/plain">')[0]
    assert f"<strong>{said}" in re.sub("</?i>", "", figure)
    assert figure.count(drawn) == count
    most = 80_000 if number in ("06", "07", "08") else 60_000
    assert len(explorer.partition("</script></div>")[0].encode()) < most


def test_the_map_of_the_laboratory_stands_without_javascript(open_tab):
    page = open_tab("chapters/laboratory.html", java_script_enabled=False).page
    points = page.locator(".kl-points > path")
    assert points.count() == 21
    assert all(point.is_visible() for point in points.all())
    assert page.locator(".kl-frame > text").text_content() == "1000 km, both ways"
    assert page.locator(".kl button").filter(visible=True).count() == 0


@pytest.mark.parametrize("reader", BY_TIER, indirect=True)
def test_no_address_breaks_an_explorer(reader):
    for name, figure in explorers_of(reader).items():
        untouched = figure.evaluate(READ)
        first = json.loads(figure.locator('script[type="application/json"]').text_content())
        unlinked = figure.evaluate(UNLINKED)
        queries = [name + query for query in NO_STATE]
        for trait, value in first.items():
            short = value[:-1] if isinstance(value, list) else value
            wrongs = [*WRONG, short, [short]]
            if trait != min(first):
                wrongs = [wrong for wrong in wrongs if wrong is None or alike(wrong, value)]
            states = [{trait: wrong, "no such trait": 1} for wrong in wrongs]
            if trait in unlinked:
                states = states[:1]
            queries += [f"{name}={quote(json.dumps(state))}" for state in states]
        seen = figure.evaluate(OPEN_ALL, [f"?{query}" for query in queries])
        for query, shown, _, _ in seen[: len(NO_STATE)]:
            assert shown == untouched, query
        for query, shown, after, left in seen:
            assert not re.search(r"NaN|undefined|Infinity|\[object", shown), query
            assert (after, left) == (untouched, ""), query
        assert figure.locator("img").count() == 0


@pytest.mark.slow
@pytest.mark.parametrize("reader", PAGES[:1], indirect=True)
def test_a_button_copies_the_link(reader):
    reader.context.grant_permissions(["clipboard-read", "clipboard-write"])
    name, figure = next(iter(explorers_of(reader).items()))
    reader.page.evaluate("location.hash = 'here'; history.replaceState(0, '', '?q=1#here')")
    for step in (lambda: None, lambda: move(figure)):
        step()
        figure.get_by_role("button", name="copy link").click()
        figure.get_by_role("button", name="link copied").wait_for()
        link = urlsplit(reader.page.evaluate("navigator.clipboard.readText()"))
        assert parse_qs(link.query).keys() == {name}
        assert link.fragment == ""
    assert asked(reader).keys() == {name, "q"}
    assert urlsplit(reader.page.url).fragment == "here"
    assert json.loads(asked(reader)[name][0]) == json.loads(parse_qs(link.query)[name][0])


def test_a_page_holds_the_core_once():
    for page in PAGES:
        text = source_of(page)
        assert text.count("export function gramFromDistances") == 1
        assert text.count("--kx-kept: #0072b2") == 1
        assert text.index("export function gramFromDistances") > text.index("</main>")


@pytest.mark.parametrize("page", CHAPTERS)
def test_chapters_are_light(page):
    text = FORMULA.sub("", source_of(page))
    assert len(text.encode()) <= HEAVIEST


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_words_of_code_without_an_element_have_its_colour(theme):
    sheet = (HTML / "_static" / "pygments.css").read_text("utf-8")
    rule = rf'html\[data-theme="{theme}"\] \.highlight(?: \.([npw]))? {{[^}}]*?(?<!-)color: (#\w+)'
    colours = dict(re.findall(rule, sheet))
    assert colours.keys() == {"", "n", "p", "w"}
    assert len(set(colours.values())) == 1


@pytest.mark.parametrize(("theme", "paper"), [(0, "#ffffff"), (1, "#14181e")])
def test_colours_of_meanings_are_seen_and_read(theme, paper):
    for meaning in ("kept", "discarded", "negative", "distance", "product"):
        colour = re.findall(rf"--kx-{meaning}: (#\w+);", SHARED_STYLE)[theme]
        written = meaning in ("negative", "distance", "product")
        dark, light = sorted(luminance(to_rgb(one)) + 0.05 for one in (colour, paper))
        assert light / dark >= (4.5 if written else 3)


@pytest.mark.weekly
@pytest.mark.parametrize("path", PAGES)
def test_an_explorer_that_was_ended_does_nothing_more(open_tab, path):
    tab = open_tab(path, reduced_motion="no-preference")
    for figure in explorers_of(tab).values():
        seen = figure.evaluate(END)
        assert len(seen) > 1
        assert seen == [[0, 0]] * len(seen)


@pytest.mark.slow
def test_a_hand_stops_a_glide(open_tab):
    tab = open_tab("chapters/01-similarity.html", reduced_motion="no-preference")
    (figure,) = tab.figures('[data-basis="eigen"]')
    handle = figure.locator(".kx-handle").first
    handle.evaluate("""(handle) => {
        handle.closest(".kx").querySelector('[data-basis="eigen"]').click();
        for (const kind of ["keydown", "keyup"])
            handle.dispatchEvent(new KeyboardEvent(kind, { key: "ArrowRight" }));
    }""")
    taken = handle.get_attribute("aria-valuetext")
    tab.page.wait_for_timeout(700)
    assert handle.get_attribute("aria-valuetext") == taken == "x 1.30, y 0.30"
