"""What is true of this build, in the place of `{{ name }}`: versions, date, counts."""

import platform
import re
from datetime import UTC, datetime
from importlib import metadata

from site_config import ROOT, read_address

FACT = re.compile(r"\{\{ (\w+) \}\}")
TEST = re.compile(r"^def test_", re.MULTILINE)


def version_table():
    """Return a table of the pinned packages with the versions that built these pages."""
    lines = (ROOT / "requirements.txt").read_text("utf-8").splitlines()
    pins = [line.split("==") for line in lines if line and not line.startswith("#")]
    rows = [f"| `{name}` | {pin} | {metadata.version(name)} |" for name, pin in sorted(pins)]
    return "\n".join(["| Package | Pinned | In this build |", "|:--|:--|:--|", *rows])


def count_tests():
    """Return how many test functions stand in the test folders."""
    return sum(len(TEST.findall(path.read_text("utf-8"))) for path in ROOT.glob("tests/**/*.py"))


def facts():
    """Return the facts by their names."""
    address = read_address()
    return {
        "build_date": datetime.now(UTC).strftime("%d %B %Y").lstrip("0"),
        "book_version": address.version,
        "python_version": platform.python_version(),
        "versions": version_table(),
        "tests": str(count_tests()),
        "one_pdf": f"[one PDF]({address.pdf})",
    }


def read_again(app, env, added, changed, removed):
    """Name the pages that hold facts, where a fact has changed since they were read."""
    before, env.facts = getattr(env, "facts", {}), facts()
    env.pages_with_facts = getattr(env, "pages_with_facts", set())
    return set() if before == env.facts else env.pages_with_facts


def place_facts(app, docname, source):
    """Put the facts into the text of a page."""
    source[0], found = FACT.subn(lambda fact: app.env.facts[fact[1]], source[0])
    app.env.pages_with_facts.discard(docname)
    if found:
        app.env.pages_with_facts.add(docname)


def setup(app):
    """Register the extension."""
    app.connect("env-get-outdated", read_again)
    app.connect("source-read", place_facts)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
