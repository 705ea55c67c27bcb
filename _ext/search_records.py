"""What the search page looks through: sections, theorems, functions, terms, each with its link.

Sphinx's own index knows pages only, so that a hit opens a long page at its top. Here each block
that has an anchor is one record: its kind, title, page, anchor and sentences. The records of a
page are kept beside its doctree, so that a build that writes some pages can publish all.
Formulas are written as plain text, which the list of what was found can show.
"""

import json
import re
from pathlib import Path
from textwrap import shorten

from docutils import nodes
from html_postprocess import when_written
from sphinx import addnodes
from sphinx_exercise.nodes import is_exercise_node, is_solution_node
from sphinx_proof.nodes import NODE_TYPES

HERE = Path(__file__).parent
THEOREMS = tuple(NODE_TYPES.values())
SILENT = (
    nodes.raw,
    nodes.literal_block,
    nodes.Invisible,
    nodes.image,
    addnodes.index,
    addnodes.toctree,
)
LETTERS = {
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
NAMES = {"log", "exp", "min", "max", "det", "sin", "cos", "tan", "cot", "lim", "sup", "inf", "arg"}
BELOW = dict(zip("0123456789ijknpmxt+-", "₀₁₂₃₄₅₆₇₈₉ᵢⱼₖₙₚₘₓₜ₊₋", strict=True))
ABOVE = dict(zip("0123456789nkpT+-ᵀ()", "⁰¹²³⁴⁵⁶⁷⁸⁹ⁿᵏᵖᵀ⁺⁻ᵀ⁽⁾", strict=True))
WRAPPED = re.compile(
    r"\\(?:text|operatorname\*?|math\w+|boldsymbol|bar|hat|tilde|big|Big)\s*\{([^{}]*)\}"
)
FRACTION = re.compile(r"\\[td]?frac\s*(?:\{([^{}]*)\}|(\w))\s*(?:\{([^{}]*)\}|(\w))")
SCRIPT = re.compile(r"([_^])(?:\{([^{}]*)\}|([^\s(]))")


def fraction(match):
    """Write a fraction with a slash."""
    above, below = match[1] or match[2] or "", match[3] or match[4] or ""
    return "/".join(part if len(part) == 1 else f"({part})" for part in (above, below))


def script(match):
    """Write an index or a power with raised or lowered signs, where there are some."""
    signs = BELOW if match[1] == "_" else ABOVE
    inner = (match[2] if match[2] is not None else match[3]).strip()
    if all(sign in signs for sign in inner):
        return "".join(signs[sign] for sign in inner)
    return match[1] + (inner if len(inner) == 1 else f"({inner})")


def plain_tex(tex):
    """Return a formula as text that a person can read."""
    text, before = re.sub(r"\\(begin|end|label|tag)\{[^{}]*\}", " ", tex), None
    text = re.sub(r"\\([A-Za-z]+)", lambda m: LETTERS.get(m[1], m[0]), text.replace(r"\|", "‖"))
    while text != before:
        before = text
        text = FRACTION.sub(fraction, WRAPPED.sub(r"\1", text))
        text = SCRIPT.sub(script, text)
    text = re.sub(r"\\sqrt\s*\{([^{}]*)\}", r"√(\1)", text)
    text = re.sub(r"\\sqrt\s*", "√", text)
    text = re.sub(r"\\([A-Za-z]+)", lambda m: m[1] if m[1] in NAMES else " ", text)
    text = re.sub(r"\\[,;:!]|\\\\|[{}&~]", " ", text).replace("\\", "")
    return " ".join(text.split())


def words(node):
    """Return the words of a title or a paragraph."""
    if isinstance(node, nodes.Text):
        return str(node)
    if isinstance(node, nodes.math):
        return plain_tex(node.astext())
    if isinstance(node, SILENT):
        return ""
    return "".join(map(words, node.children))


class Reader:
    """Reads the records of one page."""

    def __init__(self, app, docname):
        self.sections = app.env.toc_secnumbers.get(docname, {})
        kinds = app.env.toc_fignumbers.get(docname, {})
        self.numbers = {name: kinds[kind][name] for kind in kinds for name in kinds[kind]}
        self.records = []

    def number(self, node):
        """Return the number of a block as text, or nothing."""
        return ".".join(map(str, self.numbers.get(node["ids"][0], ())))

    def head(self, node):
        """Return kind, title and content of a node that is a record, or None."""
        if isinstance(node, nodes.section) and isinstance(node[0], nodes.title):
            name = "" if isinstance(node.parent, nodes.document) else f"#{node['ids'][0]}"
            number = ".".join(map(str, self.sections.get(name, ())))
            return "section", f"{number} {words(node[0])}", node[1:]
        if not node.get("ids") and not isinstance(
            node, nodes.definition_list_item | addnodes.desc
        ):
            return None
        if isinstance(node, THEOREMS):
            return (
                node["realtype"],
                f"{node['realtype'].title()} {self.number(node)} {words(node[0])}",
                node[1:],
            )
        if is_exercise_node(node):
            return "exercise", f"Exercise {self.number(node)} {words(node[0])}", node[1:]
        if is_solution_node(node):
            return "solution", words(node[0]), node[1:]
        if isinstance(node, nodes.figure):
            return "figure", f"Fig. {self.number(node)}", node[-1:]
        if isinstance(node, nodes.citation):
            return "work", shorten(words(node[1]), 90, placeholder=" …"), node[1:]
        if isinstance(node, nodes.definition_list_item) and node[0]["ids"]:
            return "term", words(node[0]), node[1:]
        if isinstance(node, addnodes.desc) and node[0]["ids"]:
            return node["objtype"], node[0]["fullname"], node[1:]
        return None

    def read(self, node, text):
        """Add the words of a node to a text, and its blocks to the records."""
        if isinstance(node, SILENT):
            return
        if isinstance(node, nodes.math_block):
            text.append(plain_tex(node.astext()))
        elif isinstance(node, nodes.TextElement):
            text.append(words(node))
        elif head := self.head(node):
            kind, title, content = head
            text = []
            self.records.append((kind, " ".join(title.split()), anchor(node), text))
            for child in content:
                self.read(child, text)
        else:
            for child in node.children:
                self.read(child, text)


def anchor(node):
    """Return the id by which a block is reached; a page is reached without one."""
    if isinstance(node.parent, nodes.document):
        return ""
    return (node.get("ids") or node[0]["ids"])[0]


def store_of(app, docname):
    """Return the file that keeps the records of a page."""
    return Path(app.doctreedir) / "search" / f"{docname}.json"


def keep_records(app, doctree, docname):
    """Store the records of one page."""
    if app.builder.format != "html":
        return
    reader = Reader(app, docname)
    reader.read(doctree, [])
    records = [
        (kind, title, place, "\n".join(" ".join(part.split()) for part in text))
        for kind, title, place, text in reader.records
    ]
    path = store_of(app, docname)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(records, ensure_ascii=False), "utf-8")


def publish_records(app):
    """Write the records of all pages as one script, which also opens from a folder."""
    pages = {
        docname: [
            app.env.titles[docname].astext(),
            json.loads(store_of(app, docname).read_text("utf-8")),
        ]
        for docname in sorted(app.env.found_docs)
        if store_of(app, docname).is_file()
    }
    text = json.dumps(pages, ensure_ascii=False, separators=(",", ":"))
    (Path(app.outdir) / "_static" / "search-records.js").write_text(
        f"bookSearch.fill({text});\n", "utf-8"
    )


def replace_search(app):
    """Let the book's own page take the place of Sphinx's search."""
    app.builder.search = False


def add_search_page(app, config):
    """Announce the search page and its script."""
    config.html_additional_pages["search"] = "search.html"
    config.html_static_path.append(str(HERE / "search"))


def setup(app):
    """Register the extension."""
    app.connect("config-inited", add_search_page)
    app.connect("builder-inited", replace_search)
    # When `blocks` has set the titles (500), before it folds them (610).
    app.connect("doctree-resolved", keep_records, priority=550)
    when_written(app, publish_records)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
