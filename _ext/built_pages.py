"""Change the pages of the book once they are written; other extensions here build on it."""

from pathlib import Path

PACKAGES = Path(__file__).parent / "browser" / "node_modules"


def is_finished(app, exception):
    """Say whether HTML pages were written."""
    return exception is None and app.builder.format == "html"


def read_pages(app):
    """Yield the path and the text of each page."""
    for path in sorted(Path(app.outdir).rglob("*.html")):
        if "_static" not in path.relative_to(app.outdir).parts:
            yield path, path.read_text("utf-8")


def rewrite_pages(app, change):
    """Replace the text of each page by ``change(path, text)``, where that differs."""
    for path, text in read_pages(app):
        changed = change(path, text)
        if changed != text:
            path.write_text(changed, "utf-8")


def root_of(app, path):
    """Return the way from a page to the root of the site: "" or "../"."""
    return "../" * (len(path.relative_to(app.outdir).parts) - 1)
