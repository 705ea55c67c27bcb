"""Interactive figures and pictures of the built pages.

Sliders and explorers stand in the pages as HTML that shows their first state without a script,
and _static/figures.js moves them; Jupyter's widget manager is not needed. Pictures of cells get
their size on the page, and are loaded when they come near.

The gallery of the preface names chapters, a panel of the explorer of each and the states to play;
the drawing and all that moves it come from the chapter's page.
"""

import base64
import hashlib
import html
import json
import re
import subprocess
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from importlib import import_module
from pathlib import Path

from html_postprocess import NODE, rewrite_pages, root_of, when_written
from PIL import Image
from sphinx.errors import ExtensionError
from subplot_stacking import name_places, stacked

from kmds_figures.explorers import SHARED_MODULE, SHARED_STYLE

PRERENDER = Path(__file__).parent / "prerender.mjs"
STATE = re.compile(
    r'<script type="application/vnd\.jupyter\.widget-state\+json">(.*?)</script>', re.DOTALL
)
VIEW = re.compile(
    r'<script type="application/vnd\.jupyter\.widget-view\+json">(.*?)</script>', re.DOTALL
)
FRAME = re.compile(
    r'<img class="kmds-frame" alt="(?P<alt>[^"]*)" width="(?P<width>\d+)" height="(?P<height>\d+)"'
    r'.*?max-width:(?P<widest>\d+)px.*? src="data:image/(?P<kind>\w+);base64,(?P<data>[^"]+)">'
)
PICTURE = re.compile(r'<img (?P<rest>[^>]*?src="(?P<source>[^":?]*_images/[^"?]+)"[^>]*)>')
# Sphinx links a picture whose size it is told to the picture alone.
LINKED = re.compile(
    r'<a class="reference internal image-reference" href="[^"]*_images/[^"]*">'
    r"\s*(<img [^>]*>)\s*</a>"
)
OPENED = re.compile(r'(<div class="kmds-explorer" data-name=")(\w+)"')
# Empty lines, comments on lines of their own, and indentation.
SPARE = re.compile(r"^(?:[ \t]*(?:/\*(?:[^*]|\*(?!/))*\*/|//.*)?\n)*[ \t]*", re.MULTILINE)
STYLED = re.compile(r' style="width: (\d+)px; height: (\d+)px;"')
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


def reference(value):
    """Return the key of the model that a trait names."""
    return value.removeprefix("IPY_MODEL_")


def frames_below(models, key):
    """Return the frames of a stack, those of a stack of stacks row by row."""
    model = models[key]
    if model["model_name"] == "StackModel":
        children = map(reference, model["state"]["children"])
        return [frame for child in children for frame in frames_below(models, child)]
    frame = FRAME.fullmatch(model["state"].get("value") or "")
    if not frame:
        raise ExtensionError(f"A slider of this page turns over a {model['model_name']}.")
    return [frame]


def store_frame(app, root, frame):
    """Write the picture of a frame under the name of its content; return its address."""
    data = base64.b64decode(frame["data"])
    name = f"frame-{hashlib.sha256(data).hexdigest()[:20]}.{frame['kind']}"
    path = Path(app.outdir) / "_images" / name
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(data)
    return f"{root}_images/{name}"


def range_html(name, slider):
    """Return the row of one slider: its name, its track and the value on show."""
    labels, index = slider["_options_labels"], slider["index"]
    label, value = html.escape(slider["description"]), html.escape(labels[index])
    return (
        f'<label for="{name}">{label}</label>'
        f'<input type="range" id="{name}" min="0" max="{len(labels) - 1}" value="{index}" '
        f'aria-valuetext="{value}" autocomplete="off"><output for="{name}">{value}</output>'
    )


def slider_html(app, root, key, models, children):
    """Return sliders and the frame that they turn to, as HTML that needs no script to be seen."""
    *sliders, stack = children
    sliders = [models[slider]["state"] for slider in sliders]
    frames = frames_below(models, stack)
    at = 0
    for slider in sliders:
        at = at * len(slider["_options_labels"]) + slider["index"]
    first = frames[at]
    sources = [store_frame(app, root, frame) for frame in frames]
    turned = {
        "options": [slider["_options_labels"] for slider in sliders],
        "frames": [
            [source, html.unescape(frame["alt"])]
            for source, frame in zip(sources, frames, strict=True)
        ],
    }
    rows = "".join(range_html(f"slider-{key[:8]}-{i}", s) for i, s in enumerate(sliders))
    return (
        f'<div class="kmds-slider"><div class="kmds-controls pst-js-only">{rows}</div>'
        f'<img class="kmds-frame" alt="{first["alt"]}" width="{first["width"]}" '
        f'height="{first["height"]}" style="max-width:{first["widest"]}px" '
        f'src="{sources[at]}" loading="lazy">'
        f"{as_state(turned)}</div>"
    )


def as_script(kind, text, attributes=""):
    """Return text as a script element that the browser does not run."""
    inner = text.replace("</script", r"<\/script")
    return f'<script type="{kind}"{attributes}>{inner}</script>'


def as_state(state):
    """Return what figures.js reads of a figure."""
    return as_script("application/json", json.dumps(state, ensure_ascii=False, separators=",:"))


def as_module(text, attributes=""):
    """Return an explorer's text as a script for figures.js, without what only its readers need."""
    return as_script("text/plain", SPARE.sub("", text), attributes)


def as_style(text):
    """Return a style sheet without what only its readers need, or nothing for an empty one."""
    return f"<style>{SPARE.sub('', text)}</style>" if text else ""


def own_part(text, shared):
    """Return what follows in a text on what all explorers share."""
    if not text.startswith(shared):
        raise ExtensionError("An explorer does not begin with SHARED_MODULE and SHARED_STYLE.")
    return text[len(shared) :]


def explorer_html(state):
    """Return an explorer: what it shows first, its first state and its own part of its module.

    Module and style are those of its class as they are now, not as they were when the cell ran.
    """
    place, _, kind = state["_anywidget_id"].rpartition(".")
    explorer = getattr(import_module(place), kind)
    name = re.sub(r"(?<!^)(?=[A-Z])", "_", kind).lower()
    shown = {trait: state[trait] for trait in state["start"]}
    return (
        f'<div class="kmds-explorer" data-name="{name}">'
        f"{as_style(own_part(explorer._css, SHARED_STYLE))}"
        f"{first_look(explorer._esm, json.dumps(shown | {'start': state['start']}))}"
        f"{as_state(shown)}{as_module(own_part(explorer._esm, SHARED_MODULE))}</div>"
    )


def with_shared_module(text):
    """Return a page that holds at its end the module that all its explorers share."""
    body, end, rest = text.rpartition("</body>")
    module = as_module(SHARED_MODULE, ' id="shared-module"')
    return f"{body}{module}{end}{rest}"


def share_parts(text):
    """Put once into a page what all its explorers share: their style, and at the end their module.

    Of explorers with one name the later ones get a number.
    """
    seen = Counter()

    def open_explorer(match):
        seen[match[2]] += 1
        number = f"-{seen[match[2]]}" if seen[match[2]] > 1 else ""
        style = as_style(SHARED_STYLE) if seen.total() == 1 else ""
        return f'{style}{match[1]}{match[2]}{number}"'

    text = OPENED.sub(open_explorer, text)
    return with_shared_module(text) if seen else text


@cache
def first_look(module, state):
    """Return the HTML that an explorer draws first, computed by its own module under Node."""
    asked = json.dumps({"module": module, "state": json.loads(state)})
    run = subprocess.run([NODE, PRERENDER], input=asked, capture_output=True, text=True)
    if run.returncode:
        raise ExtensionError(f"An explorer could not be drawn: {run.stderr[-2000:]}")
    return run.stdout


def widget_html(app, root, key, models):
    """Return the HTML of one widget."""
    model = models.get(key)
    if model is None:
        raise ExtensionError(f"The state of widget {key} is missing.")
    state = model["state"]
    if model["model_name"] == "AnyModel":
        return explorer_html(state)
    children = [reference(child) for child in state.get("children", [])]
    names = [models[child]["model_name"] for child in children]
    if names[-1:] != ["StackModel"] or set(names[:-1]) != {"SelectionSliderModel"}:
        raise ExtensionError(
            f"A {model['model_name']} of {', '.join(names) or 'nothing'} is no figure that static "
            "pages can move; make it with frame_slider, frame_grid or an explorer."
        )
    return slider_html(app, root, key, models, children)


def place_widgets(app, path, text):
    """Replace the widgets of one page and drop their state."""
    states = [json.loads(state)["state"] for state in STATE.findall(text)]
    models = {key: model for state in states for key, model in state.items()}
    root = root_of(app, path)
    text, placed = VIEW.subn(
        lambda view: widget_html(app, root, json.loads(view[1])["model_id"], models),
        STATE.sub("", text),
    )
    return share_parts(text) if placed else text


def density(picture):
    """Return how many pixels of a picture stand on one pixel of the page."""
    return 2 if picture.info.get("dpi", (96, 96))[0] > 200 else 1


def save_packed(picture, path, dots):
    """Write a picture without loss as a WebP; return its name and its size on the page."""
    picture.save(path, lossless=True, quality=60)
    return path.name, *(round(side / dots) for side in picture.size)


def pack_picture(path):
    """Pack a PNG, and once more for a phone where its panels stand side by side."""
    with Image.open(path) as picture:
        dots = density(picture)
        wide = save_packed(picture, path.with_suffix(".webp"), dots)
        narrow = stacked(picture, dots)
    path.unlink()
    return path.name, (
        wide,
        narrow and save_packed(narrow, path.with_name(f"{path.stem}-stacked.webp"), dots),
    )


def pack_pictures(app, names):
    """Pack the pictures that pages show; return name -> name, width, height, wide and stacked."""
    paths = [Path(app.outdir, "_images", name) for name in names if name.endswith(".png")]
    with ThreadPoolExecutor() as pool:
        return dict(pool.map(pack_picture, paths))


def picture_html(match, packed, first):
    """Return the tag of a picture with its size, loaded late unless it is the first."""
    folder, _, name = match["source"].rpartition("/")
    rest = STYLED.sub(r' width="\1" height="\2"', match["rest"].rstrip(" /"))
    (new, width, height), narrow = packed.get(name, ((name, 0, 0), None))
    rest = rest.replace(name, new)
    if "width" not in rest and width:
        rest += f' width="{width}" height="{height}"'
    if "loading=" not in rest and not first:
        rest += ' loading="lazy"'
    if not narrow:
        return f"<img {rest}>"
    source, width, height = narrow
    return (
        f'<picture><source media="screen and (max-width: 576px)" srcset="{folder}/{source}" '
        f'width="{width}" height="{height}"><img {rest}></picture>'
    )


def finish_figures(app):
    """Put the figures of all pages into their final form."""
    shown = set()

    def place_figures(path, text):
        text = place_widgets(app, path, text)
        shown.update(Path(picture["source"]).name for picture in PICTURE.finditer(text))
        return text

    rewrite_pages(app, place_figures)
    packed = pack_pictures(app, shown)

    def place_pictures(path, text):
        text = LINKED.sub(r"\1", text)
        first = PICTURE.search(text)
        return name_places(
            PICTURE.sub(
                lambda match: picture_html(match, packed, match.start() == first.start()), text
            )
        )

    rewrite_pages(app, place_pictures)


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


def hang_pictures(app):
    """Draw the gallery, and put into its page what all explorers share."""
    path = Path(app.outdir, f"{PREFACE}.html")
    text = THUMB.sub(lambda match: thumbnail(path.parent, match), path.read_text("utf-8"))
    text = text.replace("</head>", f"{as_style(SHARED_STYLE)}</head>", 1)
    path.write_text(with_shared_module(text), "utf-8")


def write_with_the_chapters(app, env):
    """Have the gallery written whenever a chapter is."""
    return [PREFACE]


def setup(app):
    """Register the extension."""
    app.connect("env-get-updated", write_with_the_chapters)
    when_written(app, finish_figures)
    # When the chapters have their explorers (500).
    when_written(app, hang_pictures, priority=600)
    return {"parallel_read_safe": True, "parallel_write_safe": False}
