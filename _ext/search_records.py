"""Write the search index: one record for each section, theorem, function and term.

Sphinx's own index lists only pages, so its results lead to the top of a long page. A record here
has kind, title, page, anchor and text, and leads to the block itself. The records of a page are
stored with its doctree, so that a build that writes only some pages can still publish all records.
Formulas are converted to plain text, so that the list of results can show them.
"""

import json
import re
from pathlib import Path
from textwrap import shorten

from docutils import nodes
from html_postprocess import on_pages_written
from sphinx import addnodes
from sphinx_exercise.nodes import is_exercise_node, is_solution_node
from sphinx_proof.nodes import NODE_TYPES

THEOREMS = tuple(NODE_TYPES.values())
NOT_INDEXED = (
    nodes.raw,
    nodes.literal_block,
    nodes.Invisible,
    nodes.image,
    addnodes.index,
    addnodes.toctree,
)
SYMBOLS = {
    "alpha": "α", "beta": "β", "gamma": "γ", "delta": "δ", "Delta": "Δ", "varepsilon": "ε",
    "epsilon": "ε", "eta": "η", "theta": "θ", "kappa": "κ", "lambda": "λ", "Lambda": "Λ",
    "mu": "μ", "nu": "ν", "xi": "ξ", "pi": "π", "rho": "ρ", "sigma": "σ", "Sigma": "Σ",
    "tau": "τ", "phi": "φ", "varphi": "φ", "Phi": "Φ", "psi": "ψ", "omega": "ω", "Omega": "Ω",
    "ell": "ℓ",
    "times": "×", "cdot": "·", "le": "≤", "ge": "≥", "ne": "≠", "neq": "≠", "approx": "≈",
    "equiv": "≡", "in": "∈", "to": "→", "infty": "∞", "sum": "∑", "prod": "∏", "int": "∫",
    "partial": "∂", "nabla": "∇", "top": "ᵀ", "lVert": "‖", "rVert": "‖", "lvert": "|",
    "rvert": "|", "langle": "⟨", "rangle": "⟩", "dots": "…", "ldots": "…", "cdots": "…",
    "perp": "⊥", "circ": "∘", "odot": "⊙", "otimes": "⊗", "oplus": "⊕", "mid": "|", "pm": "±",
    "succeq": "⪰", "subset": "⊂", "subseteq": "⊆", "cup": "∪", "cap": "∩", "sim": "~",
    "propto": "∝", "mapsto": "↦", "iff": "⇔", "implies": "⇒", "star": "*", "ast": "*",
    "quad": " ", "qquad": " ",
}  # fmt: skip
FUNCTION_NAMES = set(
    ["log", "exp", "min", "max", "det", "sin", "cos", "tan", "cot", "lim", "sup", "inf", "arg"]
)
SUBSCRIPTS = dict(zip("0123456789ijknpmxt+-", "₀₁₂₃₄₅₆₇₈₉ᵢⱼₖₙₚₘₓₜ₊₋", strict=True))
SUPERSCRIPTS = dict(zip("0123456789nkpT+-ᵀ()", "⁰¹²³⁴⁵⁶⁷⁸⁹ⁿᵏᵖᵀ⁺⁻ᵀ⁽⁾", strict=True))
# In TeX: commands with an argument that is kept, fractions, subscripts and superscripts, roots,
# environments and labels, which are dropped, and names of commands.
WRAPPED = re.compile(
    r"\\(?:text|operatorname\*?|math\w+|boldsymbol|bar|hat|tilde|big|Big)\s*\{([^{}]*)\}"
)
FRACTION = re.compile(r"\\[td]?frac\s*(?:\{([^{}]*)\}|(\w))\s*(?:\{([^{}]*)\}|(\w))")
SCRIPT = re.compile(r"([_^])(?:\{([^{}]*)\}|([^\s(]))")
ROOT = re.compile(r"\\sqrt\s*(?:\{([^{}]*)\})?")
DROPPED = re.compile(r"\\(begin|end|label|tag)\{[^{}]*\}")
COMMAND = re.compile(r"\\([A-Za-z]+)")
SPACES = ("\\\\", r"\,", r"\;", r"\:", r"\!", "{", "}", "&", "~")


def fraction(match):
    """Return a fraction with a slash."""
    numerator, denominator = match[1] or match[2] or "", match[3] or match[4] or ""
    return "/".join(part if len(part) == 1 else f"({part})" for part in (numerator, denominator))


def script(match):
    """Return a subscript or superscript in Unicode, or with _ or ^ if a character has none."""
    signs = SUBSCRIPTS if match[1] == "_" else SUPERSCRIPTS
    inner = (match[2] if match[2] is not None else match[3]).strip()
    if all(sign in signs for sign in inner):
        return "".join(signs[sign] for sign in inner)
    return match[1] + (inner if len(inner) == 1 else f"({inner})")


def plain_tex(tex):
    """Return a formula as readable plain text."""
    text, before = DROPPED.sub(" ", tex), None
    text = COMMAND.sub(lambda name: SYMBOLS.get(name[1], name[0]), text.replace(r"\|", "‖"))
    while text != before:
        before = text
        text = FRACTION.sub(fraction, WRAPPED.sub(r"\1", text))
        text = SCRIPT.sub(script, text)
    text = ROOT.sub(lambda root: "√" if root[1] is None else f"√({root[1]})", text)
    text = COMMAND.sub(lambda name: name[1] if name[1] in FUNCTION_NAMES else " ", text)
    for space in SPACES:
        text = text.replace(space, " ")
    text = text.replace("\\", "")
    return " ".join(text.split())


def plain_text(node):
    """Return the text of a title or a paragraph."""
    if isinstance(node, nodes.Text):
        return str(node)
    if isinstance(node, nodes.math):
        return plain_tex(node.astext())
    if isinstance(node, NOT_INDEXED):
        return ""
    return "".join(map(plain_text, node.children))


class RecordCollector:
    """Collector of the records of one page."""

    def __init__(self, app, docname):
        self.sections = app.env.toc_secnumbers.get(docname, {})
        kinds = app.env.toc_fignumbers.get(docname, {})
        self.numbers = {name: kinds[kind][name] for kind in kinds for name in kinds[kind]}
        self.records = []

    def number(self, node):
        """Return the number of a block as text, or an empty string."""
        return ".".join(map(str, self.numbers.get(node["ids"][0], ())))

    def start_of_record(self, node):
        """Return kind, title and content if the node starts a record, else None."""
        if isinstance(node, nodes.section) and isinstance(node[0], nodes.title):
            name = "" if isinstance(node.parent, nodes.document) else f"#{node['ids'][0]}"
            number = ".".join(map(str, self.sections.get(name, ())))
            return "section", f"{number} {plain_text(node[0])}", node[1:]
        if not node.get("ids") and not isinstance(
            node, nodes.definition_list_item | addnodes.desc
        ):
            return None
        if isinstance(node, THEOREMS):
            return (
                node["realtype"],
                f"{node['realtype'].title()} {self.number(node)} {plain_text(node[0])}",
                node[1:],
            )
        if is_exercise_node(node):
            return "exercise", f"Exercise {self.number(node)} {plain_text(node[0])}", node[1:]
        if is_solution_node(node):
            return "solution", plain_text(node[0]), node[1:]
        if isinstance(node, nodes.figure):
            return "figure", f"Fig. {self.number(node)}", node[-1:]
        if isinstance(node, nodes.citation):
            return "work", shorten(plain_text(node[1]), 90, placeholder=" …"), node[1:]
        if isinstance(node, nodes.definition_list_item) and node[0]["ids"]:
            return "term", plain_text(node[0]), node[1:]
        if isinstance(node, addnodes.desc) and node[0]["ids"]:
            return node["objtype"], node[0]["fullname"], node[1:]
        return None

    def collect(self, node, text):
        """Add the text of a node to the list ``text``, and blocks within it to the records."""
        if isinstance(node, NOT_INDEXED):
            return
        if isinstance(node, nodes.math_block):
            text.append(plain_tex(node.astext()))
        elif isinstance(node, nodes.TextElement):
            text.append(plain_text(node))
        elif start := self.start_of_record(node):
            kind, title, content = start
            text = []
            self.records.append((kind, " ".join(title.split()), anchor(node), text))
            for child in content:
                self.collect(child, text)
        else:
            for child in node.children:
                self.collect(child, text)


def anchor(node):
    """Return the id of a block, or an empty string for a whole page."""
    if isinstance(node.parent, nodes.document):
        return ""
    return (node.get("ids") or node[0]["ids"])[0]


def record_path(app, docname):
    """Return the path of the stored records of a page."""
    return Path(app.doctreedir) / "search" / f"{docname}.json"


def store_records(app, doctree, docname):
    """Store the records of one page."""
    if app.builder.format != "html":
        return
    collector = RecordCollector(app, docname)
    collector.collect(doctree, [])
    records = [
        (kind, title, anchor, "\n".join(" ".join(part.split()) for part in text))
        for kind, title, anchor, text in collector.records
    ]
    path = record_path(app, docname)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(records, ensure_ascii=False), "utf-8")


def publish_records(app):
    """Write the records of all pages as one script, which also loads over file://."""
    pages = {
        docname: [
            app.env.titles[docname].astext(),
            json.loads(record_path(app, docname).read_text("utf-8")),
        ]
        for docname in sorted(app.env.found_docs)
        if record_path(app, docname).is_file()
    }
    text = json.dumps(pages, ensure_ascii=False, separators=(",", ":"))
    (Path(app.outdir) / "_static" / "search-records.js").write_text(
        f"bookSearch.fill({text});\n", "utf-8"
    )


def disable_sphinx_search(app):
    """Turn off Sphinx's own search."""
    app.builder.search = False


def add_search_page(app, config):
    """Add the search page to the build."""
    config.html_additional_pages["search"] = "search.html"


def setup(app):
    """Register the extension."""
    app.connect("config-inited", add_search_page)
    app.connect("builder-inited", disable_sphinx_search)
    # After `theorem_blocks` has set the titles (500), before it folds blocks (610).
    app.connect("doctree-resolved", store_records, priority=550)
    on_pages_written(app, publish_records)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
