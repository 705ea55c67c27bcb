"""Write the previews that references show on hover: excerpts of the pages that they link to.

There is one script for each page, with its excerpts, which `web/writePreviews.ts` takes from the
written pages. A browser loads it when the pointer first rests on a link to that page.
"""

from _ext.event_order import WRITE_PREVIEWS
from _ext.node import run_node
from _ext.written_pages import on_pages_written


def write_previews(app):
    """Write one script of excerpts for each page."""
    pages = [f"{docname}{app.builder.out_suffix}" for docname in sorted(app.env.found_docs)]
    run_node("writePreviews.ts", {"folder": str(app.outdir), "pages": pages})


def setup(app):
    """Register the extension."""
    on_pages_written(app, write_previews, priority=WRITE_PREVIEWS)
