"""The pictures of the gallery: drawings of the chapters' explorers, which can be played.

The preface names for each a chapter, a panel of its explorer and the states to play; the drawing
and all that moves it come from the chapter's page.
"""

import re
from pathlib import Path

from built_pages import is_finished
from sphinx.errors import ExtensionError
from static_figures import SHARED_MODULE, SHARED_STYLE, as_module, as_style

PREFACE = "chapters/preface"
THUMB = re.compile(
    r'(<a class="thumb kx" href="(.*?)" data-panel="(.*?)"[^>]*?)\s+aria-label="(.*?)"></a>'
)
EXPLORER = re.compile(
    r'<div class="kmds-explorer" data-name="\w+">(<style>.*?</style>)?(<div .*?)'
    r'(<script type="application/json">.*?</script><script type="text/plain">.*?</script>)',
    re.DOTALL,
)
DRAWING = r'data-part="{}"[^>]*><(svg|canvas)(.*?</\1>)'
FILLS = 'preserveAspectRatio="xMidYMid slice"'


def thumbnail(folder, match):
    """Return the link of a thumbnail with its drawing, the explorer's state and its module."""
    opening, page, panel, words = match.groups()
    explorer = EXPLORER.search(Path(folder, page).read_text("utf-8"))
    drawing = explorer and re.search(DRAWING.format(panel), explorer[2], re.DOTALL)
    if not drawing:
        raise ExtensionError(
            f"The explorer of {page} draws no {panel!r}, which the gallery shows."
        )
    still = f'<span inert data-part="{panel}"><{drawing[1]} {FILLS}{drawing[2]}</span>'
    named = f'{opening}><span class="kx-said">{words}</span>'
    return f"{explorer[1] or ''}{named}{still}{explorer[3]}</a>"


def hang_pictures(app, exception):
    """Draw the gallery, and put into its page what all explorers share."""
    if not is_finished(app, exception):
        return
    path = Path(app.outdir, f"{PREFACE}.html")
    text = THUMB.sub(lambda match: thumbnail(path.parent, match), path.read_text("utf-8"))
    text = text.replace("</head>", f"{as_style(SHARED_STYLE)}</head>", 1)
    body, end, rest = text.rpartition("</body>")
    module = as_module(SHARED_MODULE, ' id="shared-module"')
    path.write_text(f"{body}{module}{end}{rest}", "utf-8")


def write_with_the_chapters(app, env):
    """Have the gallery written whenever a chapter is."""
    return [PREFACE]


def setup(app):
    """Register the extension."""
    app.connect("env-get-updated", write_with_the_chapters)
    # After the chapters have their explorers (500).
    app.connect("build-finished", hang_pictures, priority=600)
    return {"parallel_read_safe": True, "parallel_write_safe": False}
