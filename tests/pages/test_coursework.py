"""Problem sets on the built site: the releases are there, and no file contains a solution."""

import html
import re

import nbformat
import pytest

from coursework.compare_answers import MESSAGES_FILE
from coursework.sets import HIDDEN, SETS_DIR, SOLUTION, is_test, lines_by_kind, load_set, set_names
from coursework.student_version import npz_bytes
from tests.pages.conftest import HTML, ROOT, source_of

NAMES = set_names(SETS_DIR)
TEXTS = {".html", ".js", ".json", ".ipynb", ".md", ".txt", ".py", ".xml", ".svg", ".css", ".map"}
BASE64 = re.compile(r"[A-Za-z0-9+/=\\]{300,}")
MIN_LETTERS = 20  # shorter lines may occur elsewhere by chance


def letters(text):
    """Return the letters and digits of a text, which markup and line breaks do not change."""
    return re.sub(r"[\W_]+", "", text)


def lines_in(lines, text, is_page=True):
    """Return the lines that a page or another file contains in any form."""
    text = BASE64.sub(" ", text)
    found = letters(html.unescape(re.sub(r"<[^<>]*>", "", text)) if is_page else text)
    return [line for line in lines if letters(line) in found]


@pytest.fixture(scope="module")
def secret_lines():
    """Return the lines of solutions, hidden tests and references that the book does not show."""
    paths = [path for ending in ("*.md", "*.py") for path in (ROOT / "chapters").rglob(ending)]
    paths += (ROOT / "kmds_lib").rglob("*.py")
    sources = [path.read_text("utf-8") for path in paths]
    for path in (ROOT / "chapters").rglob("*.ipynb"):
        sources += [cell.source for cell in nbformat.read(path, as_version=4).cells]
    public, lines = letters("\n".join(sources)), set()
    for name in NAMES:
        for cell in load_set(name).master().cells:
            for kind in (SOLUTION, HIDDEN):
                lines.update(lines_by_kind(cell.source)[kind])
    for path in (*SETS_DIR.glob("*/reference.py"), MESSAGES_FILE):
        lines.update(path.read_text("utf-8").splitlines())
    lines = {line.strip() for line in lines if len(letters(line)) >= MIN_LETTERS}
    return sorted(line for line in lines if letters(line) not in public)


@pytest.mark.slow
def test_no_file_of_the_site_contains_a_solution(secret_lines):
    assert len(secret_lines) > 40 * len(NAMES)
    files = [path for path in HTML.rglob("*") if path.suffix in TEXTS]
    assert any(path.name == "search-records.js" for path in files)
    assert any(path.match("_sources/chapters/coursework/*/*.ipynb") for path in files)
    for path in files:
        text = path.read_text("utf-8", "replace")
        assert lines_in(secret_lines, text, path.suffix == ".html") == [], path


def test_downloads_are_the_releases():
    page = source_of("chapters/coursework.html")
    links = re.findall(r'href="(\.\./_downloads/[^"]+)"', page)
    saved = [(HTML / "chapters" / link).resolve().read_bytes() for link in links]
    assert len(saved) == 2 * len(NAMES)
    for name in NAMES:
        released = ROOT / "chapters" / "coursework" / name
        assert sorted(path.name for path in released.iterdir()) == [f"{name}.ipynb", "data.npz"]
        assert all(path.read_bytes() in saved for path in released.iterdir())
        assert npz_bytes(load_set(name).reference.data(0)) in saved


def test_table_and_contents_agree_with_the_masters():
    text = (ROOT / "chapters" / "coursework.md").read_text("utf-8")
    rows = [row for row in text.splitlines() if row.startswith("| [")]
    contents = (ROOT / "_toc.yml").read_text("utf-8")
    for name, row in zip(NAMES, rows, strict=True):
        master = load_set(name).master()
        hours, minutes = divmod(master.metadata.coursework.minutes, 60)
        code, proof, own = map(int, re.search(r"(\d+) \+ (\d+) \+ (\d+)", row).groups())
        title = f"{name[0]}. {master.metadata.coursework.title}"
        assert f"[{title}]" in row
        assert f'title: "{title}"' in contents
        assert re.search(rf"\| {hours} h(?: {minutes} min)? \|", row)
        marked = [cell for cell in master.cells if cell.metadata.nbgrader.grade]
        assert code == sum(cell.metadata.nbgrader.points for cell in filter(is_test, marked))
        assert proof + own == sum(cell.metadata.nbgrader.points for cell in marked) - code
