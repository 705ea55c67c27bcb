"""Which exercises each page has, for the readers' own record of what they have done."""

import json
from pathlib import Path

from built_pages import is_finished


def write_exercises(app, exception):
    """List the exercises of all pages in one script."""
    if not is_finished(app, exception):
        return
    pages = {
        f"{docname}{app.builder.out_suffix}": list(numbers["exercise"])
        for docname, numbers in sorted(app.env.toc_fignumbers.items())
        if "exercise" in numbers
    }
    text = json.dumps(pages, separators=(",", ":"))
    path = Path(app.outdir) / "_static" / "exercises.js"
    path.write_text(f"window.bookExercises = {text};\n", "utf-8")


def setup(app):
    """Register the extension."""
    app.add_js_file("exercises.js", loading_method="defer")
    app.connect("build-finished", write_exercises)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
