"""The status page says what is true of this build."""

import re
from datetime import UTC, datetime, timedelta

from tests.pages.conftest import HTML, ROOT, article_of, source_of

PAGE = "chapters/build-report.html"
RUN = re.compile(
    r'<a [^>]*href="([\w-]+)\.html"[^>]*>.*?</td>.*?</td>.*?</td>\s*<td><p>([\d.]+)', re.S
)
PIN = re.compile(r'<span class="pre">([\w.-]+)</span></code></p></td>\s*<td[^>]*><p>([\w.]+)<')


def test_every_chapter_has_its_time():
    table = source_of(PAGE).partition('id="how-long-the-chapters-take"')[2]
    times = dict(RUN.findall(table.partition("</table>")[0]))
    chapters = {path.stem for path in (ROOT / "chapters").glob("[0-9][0-9]-*.ipynb")}
    assert chapters <= set(times)
    assert all(float(times[name]) > 0 for name in chapters)


def test_every_pin_is_listed():
    lines = (ROOT / "requirements.txt").read_text("utf-8").splitlines()
    pins = {tuple(line.split("==")) for line in lines if line and not line.startswith("#")}
    assert set(PIN.findall(source_of(PAGE))) == pins


def test_the_date_is_that_of_the_build():
    said = re.search(r"on (\d{1,2} \w+ \d{4})", source_of(PAGE))[1]
    built = datetime.fromtimestamp((HTML / PAGE).stat().st_mtime, UTC)
    assert abs(datetime.strptime(said, "%d %B %Y").replace(tzinfo=UTC) - built) < timedelta(2)


def test_no_substitution_is_left():
    assert "{{" not in article_of(PAGE)
