"""Write sliders and explorers as HTML that shows their first state without JavaScript.

MyST-NB hands the view of each widget to `InteractiveFigure` (an entry point in the group
`myst_nb.mime_renderers`), which returns a node with its state. The directive `explorer` adds an
explorer to a page that is not a notebook. The explorers of a page are drawn under Node by the
modules in `web/src`, and the script of the pages makes them interactive.
"""

import base64
import hashlib
import html
import json
from collections import Counter
from pathlib import Path
from posixpath import join

from bs4 import BeautifulSoup
from docutils import nodes
from sphinx.errors import ExtensionError
from sphinx.util.docutils import SphinxDirective

from _ext.internals import class_of, widget_models
from _ext.node import WEB, run_node
from kmds_figures import explorers

VIEW = "application/vnd.jupyter.widget-view+json"


class explorer(nodes.General, nodes.Element):
    """An explorer: its module `script`, its `name` in links, its `state`, and its `drawing`."""


class frame_slider(nodes.General, nodes.Element):
    """Sliders that switch between `frames`; a frame has the attributes of its image."""


class ExplorerDirective(SphinxDirective):
    """Directive for an explorer, whose argument is a call of a function in kmds_figures."""

    required_arguments = 1
    final_argument_whitespace = True

    def run(self):
        """Return the node of the explorer."""
        # Only the book's own pages contain this directive, and the build runs their code anyway.
        widget = eval(self.arguments[0], vars(explorers))
        return [explorer_node(widget.get_state())]


class InteractiveFigure:
    """Plug-in of MyST-NB for the views of widgets."""

    @staticmethod
    def handle_mime(renderer, data, inline):
        """Return the node of a widget; leave other outputs to MyST-NB."""
        if data.mime_type != VIEW:
            return None
        return [widget_node(data.content["model_id"], widget_models(renderer))]


def widget_node(key, models):
    """Return the node of a widget: an explorer, or sliders above a stack of frames."""
    model = models[key]
    if model["model_name"] == "AnyModel":
        return explorer_node(model["state"])
    *sliders, stack = [model_key(child) for child in model["state"].get("children", [None])]
    names = [models[slider]["model_name"] for slider in sliders]
    if not stack or set(names) != {"SelectionSliderModel"}:
        raise ExtensionError(
            f"Static pages cannot show a {model['model_name']} of {', '.join(names)}. "
            "Use frame_slider, frame_grid or an explorer."
        )
    states = [models[slider]["state"] for slider in sliders]
    sliders = [
        {"label": s["description"], "options": s["_options_labels"], "index": s["index"]}
        for s in states
    ]
    return frame_slider(key=key[:8], sliders=sliders, frames=frames_of(models, stack))


def explorer_node(state):
    """Return the node of an explorer, which is named after its class."""
    kind = class_of(state)
    letters = (f"_{sign.lower()}" if sign.isupper() else sign for sign in kind.__name__)
    values = {trait: state[trait] for trait in state["start"]}
    return explorer(script=kind.script, name="".join(letters).lstrip("_"), state=values)


def model_key(value):
    """Return the key of the model that the value of a trait refers to."""
    return value and value.removeprefix("IPY_MODEL_")


def frames_of(models, key):
    """Return the frames of a stack, or of a stack of stacks in row-major order."""
    model = models[key]
    if model["model_name"] == "StackModel":
        children = map(model_key, model["state"]["children"])
        return [frame for child in children for frame in frames_of(models, child)]
    frame = model["state"].get("value") or ""
    image = BeautifulSoup(frame, "html.parser", multi_valued_attributes=None).img
    if not image:
        raise ExtensionError(
            f"A slider must show images of frame_slider or frame_grid, not {model['model_name']}."
        )
    return [image.attrs]


def draw(requests):
    """Return the HTML of explorers in their first state, drawn by their modules under Node."""
    return run_node("prerender.ts", requests) if requests else []


def drawing_request(node, **options):
    """Return the request for the drawing of an explorer."""
    state = node["state"] | {"start": node["state"]}
    return {"explorer": node["script"], "state": state} | options


def draw_explorers(app, doctree, docname):
    """Draw the explorers of a page; a number is appended to a name that occurs again."""
    if app.builder.format != "html":
        return
    found, seen = list(doctree.findall(explorer)), Counter[str]()
    for node, drawing in zip(found, draw([drawing_request(n) for n in found]), strict=True):
        seen[node["name"]] += 1
        if seen[node["name"]] > 1:
            node["name"] += f"-{seen[node['name']]}"
        node["drawing"] = drawing


def state_script(state):
    """Return the state of a figure as a script element, which the script of the pages reads."""
    text = json.dumps(state, ensure_ascii=False, separators=(",", ":"))
    text = text.replace("<", r"\u003c")
    return f'<script type="application/json">{text}</script>'


def visit_explorer(self, node):
    """Write an explorer: its drawing and its state."""
    self.body.append(
        f'<div class="kmds-explorer" data-name="{node["name"]}" data-explorer="{node["script"]}">'
        f"{node['drawing']}{state_script(node['state'])}</div>"
    )
    raise nodes.SkipNode


def store_frame(builder, frame):
    """Write the picture of a frame under a name with its digest; return its URL."""
    kind, _, text = frame["src"].removeprefix("data:image/").partition(";base64,")
    data = base64.b64decode(text)
    name = f"frame-{hashlib.sha256(data).hexdigest()[:20]}.{kind}"
    path = Path(builder.outdir, builder.imagedir, name)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    return join(builder.imgpath, name)


def range_html(name, slider):
    """Return the HTML of one slider with its label and its value."""
    options, index = slider["options"], slider["index"]
    label, value = html.escape(slider["label"]), html.escape(options[index])
    return (
        f'<label for="{name}">{label}</label>'
        f'<input type="range" id="{name}" min="0" max="{len(options) - 1}" value="{index}" '
        f'aria-valuetext="{value}" autocomplete="off"><output for="{name}">{value}</output>'
    )


def visit_frame_slider(self, node):
    """Write sliders with the frame for their initial values."""
    initial = 0
    for slider in node["sliders"]:
        initial = initial * len(slider["options"]) + slider["index"]
    sources = [store_frame(self.builder, frame) for frame in node["frames"]]
    first, frames = node["frames"][initial], zip(sources, node["frames"], strict=True)
    state = {
        "options": [slider["options"] for slider in node["sliders"]],
        "frames": [[source, frame["alt"]] for source, frame in frames],
    }
    style = dict(rule.split(":", 1) for rule in first["style"].split(";"))
    rows = "".join(
        range_html(f"slider-{node['key']}-{i}", slider) for i, slider in enumerate(node["sliders"])
    )
    self.body.append(
        f'<div class="kmds-slider"><div class="kmds-controls pst-js-only">{rows}</div>'
        f'<img class="kmds-frame" alt="{html.escape(first["alt"])}" width="{first["width"]}" '
        f'height="{first["height"]}" style="max-width:{style["max-width"]}" '
        f'src="{sources[initial]}" loading="lazy">{state_script(state)}</div>'
    )
    raise nodes.SkipNode


def add_static_files(app, config):
    """Add the bundled scripts and style sheets to the build."""
    config.html_static_path.append(str(WEB / "dist"))


def setup(app):
    """Register the extension."""
    app.add_directive("explorer", ExplorerDirective)
    app.add_node(explorer, html=(visit_explorer, None))
    app.add_node(frame_slider, html=(visit_frame_slider, None))
    app.add_js_file("pages.js", loading_method="defer")
    # After the other style sheets, whose rules it refines.
    app.add_css_file("styles.css", priority=900)
    app.connect("config-inited", add_static_files)
    app.connect("doctree-resolved", draw_explorers)
