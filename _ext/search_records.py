"""Write the search index: one record for each section, theorem, function and term.

A record has kind, title, anchor, text and synonyms, and leads to the block itself. Only records of
pages that a build writes are published, so `make book` deletes the doctrees, and a build writes
all pages. Formulas are converted to text in which only subscripts and superscripts are marked.
"""

import json
import re
from pathlib import Path
from textwrap import shorten

from docutils import nodes
from pylatexenc import latex2text, latexwalker
from pylatexenc.latex2text import MacroTextSpec, SpecialsTextSpec
from pylatexenc.macrospec import MacroStandardArgsParser, SpecialsSpec, std_macro
from sphinx import addnodes

from _ext.event_order import STORE_RECORDS
from _ext.internals import disable_search, is_exercise_node, is_solution_node, is_theorem, kind_of
from _ext.written_pages import on_pages_written

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
    "sec-kernel-width": ["bandwidth"],
    "wide-kernels": ["large bandwidth"],
    "narrow-kernels": ["small bandwidth"],
    "ch-stress": ["metric MDS", "isoMDS", "sklearn.manifold.MDS"],
    "ch-dependence": ["two-sample test", "independence test"],
    "additive-constants": ["Cailliez", "Lingoes"],
    "positive-definite-kernels": ["Mercer", "Mercer's theorem"],
    "sec-laplace-beltrami": ["arch", "horseshoe", "Guttman effect"],
    "laboratory": ["lab", "own data", "your own data"],
    "isomap": ["sklearn.manifold.Isomap"],
    "locally-linear-embedding": ["LLE", "sklearn.manifold.LocallyLinearEmbedding"],
    "laplacian-eigenmaps": ["spectral embedding", "sklearn.manifold.SpectralEmbedding"],
    "t-sne": ["UMAP", "sklearn.manifold.TSNE"],
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
# Characters for private use that begin and end subscripts and superscripts, as in search.ts.
SCRIPTS = {"_": "\ue002%s\ue003", "^": "\ue004%s\ue005"}
# A space that the text of a formula leaves before a full stop or a comma.
SPACE_BEFORE_END = re.compile(r" (?=[.,]$)")
FRACTIONS = ("frac", "tfrac", "dfrac")
BINOMIALS = ("binom", "tbinom")
# Commands whose argument is written as it is, and those that pylatexenc does not know.
WRITTEN_PLAINLY = ("mathbf", "mathcal", "mathrm", "boldsymbol", "operatorname", "underbrace")
SYMBOLS = {"ne": "≠", "top": "T", "colon": ":"} | {
    name: name for name in ("arg", "cot", "det", "Pr")
}


def fraction(node, l2tobj):
    """Return a fraction with a slash, and with brackets where they are needed."""
    parts = [l2tobj.nodelist_to_text([part]) for part in node.nodeargs]
    return "/".join(part if len(part) == 1 else f"({part})" for part in parts)


def formula_parser():
    """Return a function that parses TeX, with subscripts and superscripts as commands."""
    context = latexwalker.get_default_latex_context_db()
    macros = [std_macro(name, False, 2) for name in FRACTIONS + BINOMIALS]
    macros += [std_macro(name, False, 1) for name in WRITTEN_PLAINLY]
    scripts = [SpecialsSpec(mark, MacroStandardArgsParser("{")) for mark in SCRIPTS]
    context.add_context_category("book", macros, specials=scripts, prepend=True)
    return lambda tex: latexwalker.LatexWalker(tex, latex_context=context).get_latex_nodes()[0]


class SpacedText(latex2text.LatexNodes2Text):
    """Converter of TeX that leaves the space behind the name of a symbol."""

    def macro_node_to_text(self, node):
        """Return the text of a command."""
        space = "" if node.nodeargs else node.macro_post_space
        return super().macro_node_to_text(node) + space


def formula_converter():
    """Return the object that writes parsed formulas as text."""
    context = latex2text.get_default_latex_context_db()
    written = dict.fromkeys(FRACTIONS, fraction) | dict.fromkeys(BINOMIALS, "(%s choose %s)")
    written |= dict.fromkeys(WRITTEN_PLAINLY, "%s") | SYMBOLS
    macros = [MacroTextSpec(name, text) for name, text in written.items()]
    specials = [SpecialsTextSpec(mark, text) for mark, text in SCRIPTS.items()]
    specials.append(SpecialsTextSpec("''", "''"))
    context.add_context_category("book", macros, specials=specials, prepend=True)
    return SpacedText(latex_context=context, strict_latex_spaces=True)


PARSE, CONVERTER = formula_parser(), formula_converter()
MINUS_AND_BAR = str.maketrans("-\u0305", "−\u0304")


def plain_tex(tex):
    """Return a formula as readable plain text."""
    text = CONVERTER.nodelist_to_text(PARSE(tex)).translate(MINUS_AND_BAR)
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
        if is_theorem(node):
            kind = kind_of(node)
            return kind, f"{kind.title()} {self.number(node)} {plain_text(node[0])}", node[1:]
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
        """Add the text of a node to the list ``text``, and blocks within it to the records.

        A displayed formula and the words that follow it continue the sentence.
        """
        if isinstance(node, NOT_INDEXED):
            return
        if isinstance(node, nodes.math_block):
            formula = SPACE_BEFORE_END.sub("", plain_tex(node.astext()))
            end = "" if formula.endswith(".") else " …"
            text[-1:] = [f"{' '.join(text[-1:]).removesuffix(' …')} {formula}{end}"]
        elif isinstance(node, nodes.TextElement):
            words = plain_text(node)
            if words[:1].islower() and isinstance(node.previous_sibling(), nodes.math_block):
                words = f"{text.pop().removesuffix(' …')} {words}"
            text.append(words)
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
    """Return the ids of a block; a block of a term or a function has them in its first line."""
    return node.get("ids") or node[0]["ids"]


def anchor(node):
    """Return the id of a block, or an empty string for a whole page."""
    return "" if isinstance(node.parent, nodes.document) else ids_of(node)[0]


def store_records(app, doctree, docname):
    """Store the records of one page."""
    if app.builder.format != "html":
        return
    collector = RecordCollector(app, docname)
    collector.collect(doctree, [])
    app.search_records[docname] = [
        (kind, title, anchor, "\n".join(" ".join(part.split()) for part in text), names)
        for kind, title, anchor, text, names in collector.records
    ]


def publish_records(app):
    """Write the records of all pages as one script, which also loads over file://."""
    pages = {
        docname: [app.env.titles[docname].astext(), records]
        for docname, records in sorted(app.search_records.items())
    }
    content = {"pages": pages, "spellings": SPELLINGS}
    text = json.dumps(content, ensure_ascii=False, separators=(",", ":"))
    (Path(app.outdir) / "_static" / "search-records.js").write_text(
        f"bookSearch.setRecords({text});\n", "utf-8"
    )


def add_search_page(app, config):
    """Add the search page to the build."""
    config.html_additional_pages["search"] = "search.html"


def setup(app):
    """Register the extension."""
    app.search_records = {}
    app.connect("config-inited", add_search_page)
    app.connect("builder-inited", lambda app: disable_search(app.builder))
    app.connect("doctree-resolved", store_records, priority=STORE_RECORDS)
    on_pages_written(app, publish_records)
