"""Write interactive figures as HTML, and set size and loading of pictures.

Sliders and explorers become HTML that shows their first state without JavaScript. With it, the
script of the pages (web/src/pages) makes them interactive. Pictures are compressed, get their size on the page and are loaded when they come near.

The gallery of the preface names a chapter, a panel of its explorer and the states to play. The
drawing and the code for it are copied from the page of the chapter.
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

from html_postprocess import NODE, WEB, on_pages_written, path_to_root, rewrite_pages
from PIL import Image
from sphinx.errors import ExtensionError
from subplot_stacking import name_positions, stack_subplots

PRERENDER = WEB / "prerender.js"
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
# Sphinx links a picture with a given size to the image file.
LINKED_PICTURE = re.compile(
    r'<a class="reference internal image-reference" href="[^"]*_images/[^"]*">'
    r"\s*(<img [^>]*>)\s*</a>"
)
EXPLORER_START = re.compile(r'(<div class="kmds-explorer" data-name=")(\w+)"')
SIZE_STYLE = re.compile(r' style="width: (\d+)px; height: (\d+)px;"')
PREFACE = "chapters/preface"
THUMBNAIL = re.compile(
    r'(<a class="thumb kx" href="(.*?)" data-panel="(.*?)"[^>]*?)\s+aria-label="(.*?)"></a>'
)
EXPLORER = re.compile(
    r'<div class="kmds-explorer" data-name="\w+" data-explorer="(\w+)">'
    r'<div [^>]*class="kx (kx-[\w-]+)"(.*?)(<script type="application/json">.*?</script>)',
    re.DOTALL,
)
DRAWING = r'data-part="{}"[^>]*><(svg|canvas)(.*?</\1>)'
COVER_BOX = 'preserveAspectRatio="xMidYMid slice"'


def model_key(value):
    """Return the key of the model that the value of a trait refers to."""
    return value.removeprefix("IPY_MODEL_")


def frames_of(models, key):
    """Return the frames of a stack, or of a stack of stacks in row-major order."""
    model = models[key]
    if model["model_name"] == "StackModel":
        children = map(model_key, model["state"]["children"])
        return [frame for child in children for frame in frames_of(models, child)]
    frame = FRAME.fullmatch(model["state"].get("value") or "")
    if not frame:
        raise ExtensionError(
            f"A slider must show images of frame_slider or frame_grid, not {model['model_name']}."
        )
    return [frame]


def store_frame(app, root, frame):
    """Write the picture of a frame under a name with its digest; return its URL."""
    data = base64.b64decode(frame["data"])
    name = f"frame-{hashlib.sha256(data).hexdigest()[:20]}.{frame['kind']}"
    path = Path(app.outdir) / "_images" / name
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(data)
    return f"{root}_images/{name}"


def range_html(name, slider):
    """Return the HTML of one slider with its label and its value."""
    labels, index = slider["_options_labels"], slider["index"]
    label, value = html.escape(slider["description"]), html.escape(labels[index])
    return (
        f'<label for="{name}">{label}</label>'
        f'<input type="range" id="{name}" min="0" max="{len(labels) - 1}" value="{index}" '
        f'aria-valuetext="{value}" autocomplete="off"><output for="{name}">{value}</output>'
    )


def slider_html(app, root, key, models, children):
    """Return the HTML of sliders and of the frame for their initial values."""
    *sliders, stack = children
    sliders = [models[slider]["state"] for slider in sliders]
    frames = frames_of(models, stack)
    initial = 0
    for slider in sliders:
        initial = initial * len(slider["_options_labels"]) + slider["index"]
    first = frames[initial]
    sources = [store_frame(app, root, frame) for frame in frames]
    state = {
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
        f'src="{sources[initial]}" loading="lazy">'
        f"{state_script(state)}</div>"
    )


def script_element(kind, text, attributes=""):
    """Return a script element that the browser does not run."""
    inner = text.replace("</script", r"<\/script")
    return f'<script type="{kind}"{attributes}>{inner}</script>'


def state_script(state):
    """Return the state of a figure as a script element for the script of the pages."""
    return script_element(
        "application/json", json.dumps(state, ensure_ascii=False, separators=",:")
    )


def explorer_html(state):
    """Return the HTML of an explorer: its first drawing and its state."""
    module, _, kind = state["_anywidget_id"].rpartition(".")
    script = getattr(import_module(module), kind).script
    name = re.sub(r"(?<!^)(?=[A-Z])", "_", kind).lower()
    values = {trait: state[trait] for trait in state["start"]}
    return (
        f'<div class="kmds-explorer" data-name="{name}" data-explorer="{script}">'
        f"{draw_explorer(script, json.dumps(values | {'start': state['start']}))}"
        f"{state_script(values)}</div>"
    )


def number_explorers(text):
    """Return a page with a number added to the name of an explorer that occurs again."""
    seen = Counter()

    def open_explorer(match):
        seen[match[2]] += 1
        number = f"-{seen[match[2]]}" if seen[match[2]] > 1 else ""
        return f'{match[1]}{match[2]}{number}"'

    return EXPLORER_START.sub(open_explorer, text)


@cache
def draw_explorer(script, state):
    """Return the HTML of an explorer in its first state, drawn by its module under Node."""
    request = json.dumps([{"explorer": script, "state": json.loads(state)}])
    run = subprocess.run([NODE, PRERENDER], input=request, capture_output=True, text=True)
    if run.returncode:
        raise ExtensionError(f"Node could not draw an explorer: {run.stderr[-2000:]}")
    return json.loads(run.stdout)[0]


def widget_html(app, root, key, models):
    """Return the HTML of one widget."""
    model = models.get(key)
    if model is None:
        raise ExtensionError(
            f"The page has no state for its widget {key}; execute the notebook again."
        )
    state = model["state"]
    if model["model_name"] == "AnyModel":
        return explorer_html(state)
    children = [model_key(child) for child in state.get("children", [])]
    names = [models[child]["model_name"] for child in children]
    if names[-1:] != ["StackModel"] or set(names[:-1]) != {"SelectionSliderModel"}:
        raise ExtensionError(
            f"Static pages cannot show a {model['model_name']} of {', '.join(names)}. "
            "Use frame_slider, frame_grid or an explorer."
        )
    return slider_html(app, root, key, models, children)


def place_widgets(app, path, text):
    """Replace the widgets of one page by HTML and remove their Jupyter state."""
    states = [json.loads(state)["state"] for state in STATE.findall(text)]
    models = {key: model for state in states for key, model in state.items()}
    root = path_to_root(app, path)
    text = VIEW.sub(
        lambda view: widget_html(app, root, json.loads(view[1])["model_id"], models),
        STATE.sub("", text),
    )
    return number_explorers(text)


def pixel_density(picture):
    """Return the number of pixels of a picture per CSS pixel."""
    return 2 if picture.info.get("dpi", (96, 96))[0] > 200 else 1


def save_webp(picture, path, density):
    """Save a picture as lossless WebP; return its name and its size in CSS pixels."""
    picture.save(path, lossless=True, quality=60)
    return path.name, *(round(side / density) for side in picture.size)


def convert_picture(path):
    """Convert a PNG to WebP, with a second version for phones if its subplots can be stacked."""
    with Image.open(path) as picture:
        density = pixel_density(picture)
        wide = save_webp(picture, path.with_suffix(".webp"), density)
        narrow = stack_subplots(picture, density)
    path.unlink()
    return path.name, (
        wide,
        narrow and save_webp(narrow, path.with_name(f"{path.stem}-stacked.webp"), density),
    )


def convert_pictures(app, names):
    """Convert PNGs; return name -> wide and stacked version, each (name, width, height)."""
    paths = [Path(app.outdir, "_images", name) for name in names if name.endswith(".png")]
    with ThreadPoolExecutor() as pool:
        return dict(pool.map(convert_picture, paths))


def picture_html(match, converted, first):
    """Return the HTML of a picture with its size; all but the first are loaded lazily."""
    folder, _, name = match["source"].rpartition("/")
    rest = SIZE_STYLE.sub(r' width="\1" height="\2"', match["rest"].rstrip(" /"))
    (new, width, height), narrow = converted.get(name, ((name, 0, 0), None))
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
    """Replace the widgets and pictures of all written pages."""
    shown = set()

    def place_figures(path, text):
        text = place_widgets(app, path, text)
        shown.update(Path(picture["source"]).name for picture in PICTURE.finditer(text))
        return text

    rewrite_pages(app, place_figures)
    converted = convert_pictures(app, shown)

    def place_pictures(path, text):
        text = LINKED_PICTURE.sub(r"\1", text)
        first = PICTURE.search(text)
        return name_positions(
            PICTURE.sub(
                lambda match: picture_html(match, converted, match.start() == first.start()), text
            )
        )

    rewrite_pages(app, place_pictures)


def thumbnail(folder, match):
    """Return a thumbnail with the drawing and the state of its explorer."""
    opening, page, panel, label = match.groups()
    for explorer in EXPLORER.finditer(Path(folder, page).read_text("utf-8")):
        if drawing := re.search(DRAWING.format(panel), explorer[3], re.DOTALL):
            break
    else:
        raise ExtensionError(f"{PREFACE}: no explorer of {page} has a panel {panel!r}.")
    opening = opening.replace('class="thumb kx"', f'class="thumb kx {explorer[2]}"')
    still = f'<span inert data-part="{panel}"><{drawing[1]} {COVER_BOX}{drawing[2]}</span>'
    named = f'{opening} data-explorer="{explorer[1]}"><span class="kx-said">{label}</span>'
    return f"{named}{still}{explorer[4]}</a>"


def write_gallery(app):
    """Write the thumbnails of the gallery."""
    path = Path(app.outdir, f"{PREFACE}.html")
    text = THUMBNAIL.sub(lambda match: thumbnail(path.parent, match), path.read_text("utf-8"))
    path.write_text(text, "utf-8")


def add_static_files(app, config):
    """Add the bundled scripts and style sheets to the build."""
    config.html_static_path.append(str(WEB / "dist"))


def update_gallery(app, env):
    """Return the page with the gallery, which is written whenever a chapter is."""
    return [PREFACE]


def setup(app):
    """Register the extension."""
    app.connect("config-inited", add_static_files)
    app.add_js_file("pages.js", loading_method="defer")
    # After the other style sheets, whose rules the explorers refine.
    app.add_css_file("explorers.css", priority=900)
    app.connect("env-get-updated", update_gallery)
    on_pages_written(app, finish_figures)
    # After the explorers are in the pages of the chapters (500).
    on_pages_written(app, write_gallery, priority=600)
    return {"parallel_read_safe": True, "parallel_write_safe": False}
