"""The printed book is whole, leads where it says, and looks like a book.

Each check is a function of what was read, so that a planted fault can be shown to it.
"""

import re
import subprocess
from urllib.parse import unquote

import pytest
from sphinx_external_toc.parsing import parse_toc_yaml

from tests.build.conftest import letters
from tests.pages.conftest import ROOT, Tab, article_of
from tools.pdf import ADDRESS, COLUMN, TARGET, planned_pages

pytestmark = pytest.mark.slow

SCRIPT = (ROOT / "tools" / "pdf.js").read_text("utf-8")
RAW = ("HBox(children", "VBox(children", "<kmds_lib", "Text(value", "HTML(value", "Stack(children")
FORMULA = re.compile(r'<(span|div) class="math.*?</\1>|<mjx-container.*?</mjx-container>', re.S)
FORMULA_GAP = re.compile(r"\s\s+|\s+(?=[:,/])")


def words(fragment):
    """Return the words of a piece of HTML up to its first formula."""
    return letters(re.sub(r"<[^>]+>|&#?\w+;", "", FORMULA.split(fragment)[0]).replace("#", ""))


PARTS = [page["docname"] for page in planned_pages()]
CHAPTERS = [name for name in PARTS if re.match(r"chapters/\d\d-", name)]
PAGES = {name: article_of(f"{name}.html") for name in PARTS}


def starts(printed):
    """Return the first page of each part, from the bookmarks of the highest level."""
    titles = {words(re.search(r"<h1.*?</h1>", PAGES[name], re.S)[0]): name for name in PARTS}
    marks = {letters(text): page for depth, text, page in printed.bookmarks if depth == 0}
    return {name: marks[title] for title, name in titles.items()}


def spans(printed):
    """Return the pages of each part, blank ones at its end included."""
    first = list(starts(printed).items())
    ends = [page for _, page in first[1:]] + [len(printed.pages)]
    return {name: range(page, end) for (name, page), end in zip(first, ends, strict=True)}


def half_empty_pages(depths, starts):
    """Name the pages whose text ends in the upper half, but for the last of each part."""
    ends = [*starts[1:], len(depths)]
    last = {end - 1 for end in ends}
    return [
        number + 1
        for number, depth in enumerate(depths)
        if depth < 424 and number not in last and number >= starts[0]
    ]


def missing(needles, haystack):
    """Name what does not stand in a text."""
    return [needle for needle in needles if needle not in haystack]


def foreign_links(links, places):
    """Name the links that lead to this machine or to no place in the file."""
    wrong = []
    for page, link in links:
        address = str(link["/A"].get("/URI", "")) if "/A" in link else ""
        if "127.0.0.1" in address or "localhost" in address:
            wrong.append((page + 1, address))
        elif not address and target(link) not in places:
            wrong.append((page + 1, target(link)))
    return wrong


def target(link):
    """Return the name of the place that a link leads to."""
    place = link["/A"].get("/D") if "/A" in link else link.get("/Dest")
    return unquote(str(place).lstrip("/"))


def loose_fonts(listing):
    """Name the fonts that a listing of pdffonts says are not in the file."""
    rows = [line.split() for line in listing.splitlines()[2:]]
    return [row[0] for row in rows if row[-5] != "yes"]


def wrong_bookmarks(bookmarks, texts):
    """Name the bookmarks whose words do not stand on their page; a formula is no word."""
    return [
        (title, page + 1)
        for depth, title, page in bookmarks
        if missing(map(letters, FORMULA_GAP.split(title)), texts[page])
    ]


def test_order_is_that_of_the_site():
    toc = [str(name) for name in parse_toc_yaml(ROOT / "_toc.yml")]
    assert [name for name in toc if name in PARTS] == PARTS
    on_the_site = re.compile(
        r"chapters/(api/.*|coursework/.*|laboratory|benchmarks|coverage|status)"
    )
    assert set(toc) - set(PARTS) == set(filter(on_the_site.fullmatch, toc))


def test_chapters_have_as_many_pages_as_their_words_fill(printed):
    for name, pages in spans(printed).items():
        text = re.sub(r"<details class=\"[^\"]*hide.*?</details>", "", PAGES[name], flags=re.S)
        amount = len(re.sub(r"<[^>]+>", "", text).split())
        pictures = text.count("<figure")
        assert amount / 600 + pictures / 4 <= len(pages), name
        assert len(pages) <= 3 + amount / 110 + pictures, name


@pytest.mark.parametrize("name", CHAPTERS)
def test_every_caption_is_printed(printed, name):
    text = "".join(printed.letters[page] for page in spans(printed)[name])
    shown = re.sub(r'<span class="stacked">\w+</span>', "", PAGES[name])
    captions = re.findall(r"<figcaption>(.*?)</figcaption>", shown, re.S)
    starts_of = [words(caption)[:40] for caption in captions if "caption-number" in caption]
    assert len(starts_of) >= 5
    assert missing(starts_of, text) == []
    assert missing([starts_of[0].replace("Fig", "Fog")], text)


def is_moving(text, figure):
    """Say whether a figure of a page is a slider or an explorer."""
    return "kmds-" in re.search(rf'<figure[^>]* id="{figure}".*?</figure>', text, re.S)[0]


@pytest.mark.parametrize("name", CHAPTERS)
def test_moving_figures_say_where_they_move(printed, name):
    pages = spans(printed)[name]
    addresses = [str(k["/A"]["/URI"]) for n, k in printed.links if n in pages and "/A" in k]
    figures = re.findall(r'<figure[^>]* id="([^"]+)".*?</figure>', PAGES[name], re.S)
    moving = re.findall(r'<div class="kmds-(?:slider|explorer)"', PAGES[name])
    wanted = [f"{name}.html#{figure}" for figure in figures if is_moving(PAGES[name], figure)]
    assert len(wanted) == len(moving) >= 1
    assert [w for w in wanted if not any(a.endswith(f"/{w}") for a in addresses)] == []


@pytest.mark.parametrize("name", CHAPTERS)
def test_solutions_stand_at_the_end_with_links_both_ways(printed, name):
    text = "".join(printed.letters[page] for page in spans(printed)[name])
    exercises = re.findall(r'class="exercise admonition" id="([^"]+)"', PAGES[name])
    solutions = re.findall(r'class="[^"]*\bsolution\b[^"]*" id="([^"]+)"', PAGES[name])
    assert len(exercises) == len(solutions) >= 5
    for number in range(1, len(exercises) + 1):
        exercise = f"Exercise{int(name[9:11])}{number}"
        back = text.rindex(f"Solutionto{exercise}")
        assert text.index(exercise) < back
        assert text.rindex("Summary") < back
    for identifier in exercises + solutions:
        assert printed.places[f"{name}#{identifier}"] in spans(printed)[name]


def test_bookmarks_lead_to_their_words(printed):
    assert len(printed.bookmarks) > 150
    assert wrong_bookmarks(printed.bookmarks, printed.letters) == []
    shifted = [(depth, title, page - 1) for depth, title, page in printed.bookmarks[1:]]
    assert len(wrong_bookmarks(shifted, printed.letters)) > 100


def contents(printed):
    """Return the numbers that the contents name, and those of the pages they lead to."""
    pages = range(2, starts(printed)[PARTS[0]])
    named = [
        int(line.split()[-1])
        for page in pages
        for line in printed.pages[page][:-1]
        if re.search(r"\s\d+$", line)
    ]
    links = [target(link) for page, link in printed.links if page in pages]
    names = [name for name, before in zip(links, [None, *links], strict=False) if name != before]
    return named, [printed.places[name] + 1 for name in names]


def test_contents_name_the_right_pages(printed):
    named, led = contents(printed)
    assert len(named) > 150
    assert named == led


def test_the_index_names_pages_that_hold_its_words(printed):
    pages = spans(printed)["genindex"]
    text = "\n".join(line for page in pages for line in printed.pages[page])
    entry = re.search(r"Cailliez\D*?, (\d+)", text)
    assert "cailliez" in printed.letters[int(entry[1]) - 1].lower()


def test_every_page_says_its_number(printed):
    for number, lines in enumerate(printed.pages[1:], start=2):
        assert lines[-1].split()[-1] == str(number)


def test_running_heads_name_the_chapter(printed):
    for name in CHAPTERS:
        title = words(re.search(r"<h1.*?</h1>", PAGES[name], re.S)[0])
        for page in spans(printed)[name]:
            # Raised letters of the first line may come before the head.
            assert title[:30] in letters("".join(printed.pages[page][:8])), page + 1


def test_no_widget_is_printed_raw(printed):
    text = "\n".join(line for page in printed.pages for line in page)
    assert [raw for raw in RAW if raw in text] == []
    assert text.count(r"\(") < 5


def test_only_the_end_of_a_part_is_half_empty(printed):
    first = list(starts(printed).values())
    assert half_empty_pages(printed.depths, first) == []
    assert half_empty_pages([700, 300, 700, 300, 700], [0, 4]) == [2]


def test_fonts_are_in_the_file():
    run = subprocess.run(["pdffonts", TARGET], capture_output=True, check=True, text=True)
    listing = run.stdout
    assert listing.count("\n") > 10
    assert loose_fonts(listing) == []
    assert loose_fonts(listing + "Helvetica  Type 1  WinAnsi  no  no  no  9  0\n") == ["Helvetica"]


def test_links_lead_somewhere(printed):
    assert len(printed.links) > 2000
    assert foreign_links(printed.links, printed.places) == []
    assert foreign_links([(0, {"/Dest": "nowhere"})], printed.places)
    assert foreign_links([(0, {"/A": {"/URI": "http://127.0.0.1:1/x"}})], printed.places)


def test_references_between_chapters_stay_inside(printed):
    pages = spans(printed)
    outside = [
        str(link["/A"]["/URI"])
        for _, link in printed.links
        if "/A" in link
        and re.search(
            r"/(chapters/\d\d-[\w-]+|genindex|chapters/\w+)\.html$", str(link["/A"]["/URI"])
        )
    ]
    assert [a for a in outside if a.rpartition(".io/")[2].split("/", 1)[-1][:-5] in pages] == []


def scale_of(content):
    """Return the scale of a page that Chromium printed; 1 unless something was too wide."""
    return float(re.search(rb"\nq\n([\d.]+) 0 0 \1 ", content)[1]) / 3.125


def test_no_page_was_shrunk_to_fit(printed):
    # Chromium measures in 64ths of a pixel, and rounds to the next one.
    rounding = 2 / 64 / COLUMN
    for page in printed.reader.pages:
        assert [round(float(side)) for side in page.mediabox] == [0, 0, 595, 842]
    for name, number in starts(printed).items():
        content = printed.reader.pages[number].get_contents().get_data()
        assert abs(scale_of(content) - 1) < rounding, name
    assert abs(scale_of(b"cm\nq\n3.124 0 0 3.124 1 1 cm") - 1) > rounding


def test_a_screen_reader_finds_the_structure(printed):
    root = printed.reader.trailer["/Root"]
    assert root["/MarkInfo"]["/Marked"]
    assert str(root["/Lang"]) == "en"
    assert printed.reader.metadata.title == ADDRESS.title
    assert sum("/StructParents" in page for page in printed.reader.pages) > 200


def test_the_preface_links_this_file():
    assert re.search(rf'href="https://[^"]+/{TARGET.name}"', PAGES["chapters/preface"])


WIDE = """<pre style="white-space:pre">{1}</pre>
<table style="width:{0}px"><tr><td>wide</td></tr></table>"""


def test_what_paper_would_cut_off_is_found(chromium, site):
    with Tab(chromium, site, "chapters/bibliography.html") as tab:
        page = tab.page
        page.evaluate(SCRIPT)
        page.set_viewport_size({"width": COLUMN, "height": 900})
        page.emulate_media(media="print")
        assert page.evaluate("printing.fit()") == []
        wide = WIDE.format(COLUMN + 60, "x" * 200)
        page.eval_on_selector("article.bd-article", "(e, text) => { e.innerHTML = text; }", wide)
        assert len(page.evaluate("printing.fit()")) == 2
