"""Write the search index: one record for each section, theorem, function and term.

Sphinx's own index lists only pages, so its results lead to the top of a long page. A record here
has kind, title, anchor, text and synonyms, and leads to the block itself. The records of a page
are stored with its doctree, so that a build that writes only some pages can still publish all
records. Formulas are converted to text in which only subscripts and superscripts are marked.
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
    nodes.doctest_block,
    nodes.Invisible,
    nodes.image,
    addnodes.index,
    addnodes.toctree,
)
# Other names, by the anchor of the block to which they lead.
SYNONYMS = {
    "ch-scaling": ["classical MDS", "cmdscale", "principal coordinates", "PCoA", "Torgerson"],
    "ch-pca": ["PCA", "sklearn.decomposition.PCA"],
    "ch-kpca": ["sklearn.decomposition.KernelPCA"],
    "ch-stress": ["metric MDS", "isoMDS", "sklearn.manifold.MDS"],
    "ch-dependence": ["two-sample test", "independence test"],
    "additive-constants": ["Cailliez", "Lingoes"],
    "positive-definite-kernels": ["Mercer", "Mercer's theorem"],
    "sec-laplace-beltrami": ["arch", "horseshoe", "Guttman effect"],
    "laboratory": ["lab", "own data", "your own data"],
    "isomap": ["sklearn.manifold.Isomap"],
    "locally-linear-embedding": ["LLE", "sklearn.manifold.LocallyLinearEmbedding"],
    "laplacian-eigenmaps": ["spectral embedding", "sklearn.manifold.SpectralEmbedding"],
    "t-sne-and-umap": ["UMAP", "sklearn.manifold.TSNE"],
    "term-t-SNE": ["tSNE"],
    "term-dimensionality-reduction": ["dimension reduction"],
    "term-scree-plot": ["elbow"],
}
# American and British spellings, which count as the same when the script searches.
SPELLINGS = {
    "centered": "centred", "centering": "centring", "center": "centre", "color": "colour",
    "neighbor": "neighbour", "behavior": "behaviour", "modeling": "modelling",
    "labeled": "labelled", "iz": "is", "yze": "yse",
}  # fmt: skip
SYMBOLS = {
    "alpha": "α", "beta": "β", "gamma": "γ", "delta": "δ", "Delta": "Δ", "varepsilon": "ε",
    "epsilon": "ε", "eta": "η", "theta": "θ", "kappa": "κ", "lambda": "λ", "Lambda": "Λ",
    "mu": "μ", "nu": "ν", "xi": "ξ", "pi": "π", "rho": "ρ", "sigma": "σ", "Sigma": "Σ",
    "tau": "τ", "phi": "φ", "varphi": "φ", "Phi": "Φ", "psi": "ψ", "omega": "ω", "Omega": "Ω",
    "Gamma": "Γ", "vartheta": "ϑ", "Pi": "Π", "Psi": "Ψ", "chi": "χ", "ell": "ℓ",
    "times": "×", "cdot": "·", "le": "≤", "ge": "≥", "ne": "≠", "neq": "≠", "approx": "≈",
    "equiv": "≡", "in": "∈", "to": "→", "infty": "∞", "sum": "∑", "prod": "∏", "int": "∫",
    "partial": "∂", "nabla": "∇", "top": "T", "lVert": "‖", "rVert": "‖", "lvert": "|",
    "rvert": "|", "langle": "⟨", "rangle": "⟩", "dots": "…", "ldots": "…", "cdots": "…",
    "perp": "⊥", "circ": "∘", "odot": "⊙", "otimes": "⊗", "oplus": "⊕", "mid": "|", "pm": "±",
    "succeq": "⪰", "subset": "⊂", "subseteq": "⊆", "cup": "∪", "cap": "∩", "sim": "~",
    "propto": "∝", "mapsto": "↦", "iff": "⇔", "implies": "⇒", "star": "*", "ast": "*",
    "Rightarrow": "⇒", "longrightarrow": "→", "downarrow": "↓", "angle": "∠", "lfloor": "⌊",
    "rfloor": "⌋", "colon": ":", "quad": " ", "qquad": " ",
}  # fmt: skip
# Combining characters, which follow the letter.
ACCENTS = {"hat": "\u0302", "tilde": "\u0303", "bar": "\u0304", "overline": "\u0304"}
FUNCTION_NAMES = {
    "log", "ln", "exp", "min", "max", "det", "sin", "cos", "tan", "cot", "tanh", "arctan", "lim",
    "sup", "inf", "arg", "Pr",
}  # fmt: skip
# Characters for private use that begin and end subscripts and superscripts, as in search.js.
SCRIPTS = {"_": "\ue002{}\ue003", "^": "\ue004{}\ue005"}
# In TeX: commands with an argument that is kept, fractions, subscripts and superscripts, roots,
# environments and labels, which are dropped, and names of commands.
WRAPPED = re.compile(
    r"\\(?:text|operatorname\*?|math[a-z]+|boldsymbol|underbrace)\s*(?:\{([^{}]*)\}|([^\s\\{]))"
)
ACCENTED = re.compile(r"\\(hat|tilde|bar|overline)\s*(?:\{([^{}\\]*)\}|([^\s\\{]))")
FRACTION = re.compile(r"\\[td]?frac\s*(?:\{([^{}]*)\}|(\w))\s*(?:\{([^{}]*)\}|(\w))")
BINOMIAL = re.compile(r"\\t?binom\s*(?:\{([^{}]*)\}|(\w))\s*(?:\{([^{}]*)\}|(\w))")
SCRIPT = re.compile(r"([_^])(?:\{([^{}]*)\}|([^\s(]))")
ROOT = re.compile(r"\\sqrt\s*(?:\{([^{}]*)\})?")
DROPPED = re.compile(r"\\(begin|end|label|tag)\{[^{}]*\}")
COMMAND = re.compile(r"\\([A-Za-z]+)")
SPACES = ("\\\\", r"\,", r"\;", r"\:", r"\!", "{", "}", "&", "~")
# Braces of a set, in characters for private use until the braces of TeX are removed.
SET_BRACES = str.maketrans("\ue000\ue001", "{}")


def fraction(match):
    """Return a fraction with a slash."""
    numerator, denominator = match[1] or match[2] or "", match[3] or match[4] or ""
    return "/".join(part if len(part) == 1 else f"({part})" for part in (numerator, denominator))


def accented(match):
    """Return letters with an accent."""
    return "".join(letter + ACCENTS[match[1]] for letter in match[2] or match[3])


def script(match):
    """Return a subscript or superscript between its marks."""
    return SCRIPTS[match[1]].format((match[2] if match[2] is not None else match[3]).strip())


def plain_tex(tex):
    """Return a formula as readable plain text."""
    text, before = DROPPED.sub(" ", tex), None
    text = text.replace(r"\|", "‖").replace(r"\{", "\ue000").replace(r"\}", "\ue001")
    text = COMMAND.sub(lambda name: SYMBOLS.get(name[1], name[0]), text)
    while text != before:
        before = text
        text = ACCENTED.sub(accented, WRAPPED.sub(lambda part: part[1] or part[2] or "", text))
        text = BINOMIAL.sub(lambda b: f"({b[1] or b[2]} choose {b[3] or b[4]})", text)
        text = SCRIPT.sub(script, FRACTION.sub(fraction, text))
    text = ROOT.sub(lambda root: "√" if root[1] is None else f"√({root[1]})", text)
    text = COMMAND.sub(lambda name: name[1] if name[1] in FUNCTION_NAMES else " ", text)
    for space in SPACES:
        text = text.replace(space, " ")
    text = text.replace("\\", "").replace("-", "−").translate(SET_BRACES)
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
            names = [name for id in ids_of(node) for name in SYNONYMS.get(id, [])]
            self.records.append((kind, " ".join(title.split()), anchor(node), text, names))
            for child in content:
                self.collect(child, text)
        else:
            for child in node.children:
                self.collect(child, text)


def ids_of(node):
    """Return the ids of a block, which those of terms and functions have in their first line."""
    return node.get("ids") or node[0]["ids"]


def anchor(node):
    """Return the id of a block, or an empty string for a whole page."""
    return "" if isinstance(node.parent, nodes.document) else ids_of(node)[0]


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
        (kind, title, anchor, "\n".join(" ".join(part.split()) for part in text), names)
        for kind, title, anchor, text, names in collector.records
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
    content = {"pages": pages, "spellings": SPELLINGS}
    text = json.dumps(content, ensure_ascii=False, separators=(",", ":"))
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
