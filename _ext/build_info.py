"""Replace ``{{ name }}`` on a page by a fact about this build: a version, a date or a count."""

import platform
import re
from datetime import UTC, datetime
from importlib import metadata

from _ext.site_config import ROOT, listed_packages, read_pins, read_site_config

# A placeholder in the source of a page.
PLACEHOLDER = re.compile(r"\{\{ (\w+) \}\}")


def version_table():
    """Return a table of the packages with the versions that built these pages."""
    pins = read_pins()
    rows = [
        f"| `{name}` | {pins[name]} | {metadata.version(name)} |" for name in listed_packages()
    ]
    return "\n".join(["| Package | Pinned | In this build |", "|:--|:--|:--|", *rows])


def build_info():
    """Return the text for each placeholder, by its name."""
    site, tests = read_site_config(), ROOT.glob("tests/**/*.py")
    return {
        "build_date": datetime.now(UTC).strftime("%d %B %Y").lstrip("0"),
        "book_version": site.version,
        "python_version": platform.python_version(),
        "versions": version_table(),
        "tests": str(sum(path.read_text("utf-8").count("\ndef test_") for path in tests)),
        "one_pdf": f"[one PDF]({site.pdf})",
    }


def fill_placeholders(app, docname, source):
    """Replace the placeholders in the source of a page."""
    if PLACEHOLDER.search(source[0]):
        facts = build_info()
        source[0] = PLACEHOLDER.sub(lambda name: facts[name[1]], source[0])


def setup(app):
    """Register the extension."""
    app.connect("source-read", fill_placeholders)
