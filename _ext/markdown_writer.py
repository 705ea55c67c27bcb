"""Write a resolved page of the book as Markdown without directives, roles or labels.

The Markdown uses only features that every notebook viewer supports: headings, emphasis, links,
lists, tables, code, quotes, formulas between dollar signs, and `<details>`.
"""

import html
import re
from urllib.parse import urljoin

from bs4 import BeautifulSoup
from docutils import nodes

from _ext.internals import content_of, counter_of, is_citation, is_theorem, kind_of, proof_node

SPECIAL = {ord(sign): f"\\{sign}" for sign in r"\`*_[]<~$"}
# The beginning of a line that Markdown would read as an item of a list, a title or a quote.
LIST_START = re.compile(r"^(\d+)([.)] )|^([-+#>] )")
# The macro for the transpose sign, and an environment without others in it.
TRANSPOSE = re.compile(r"\\top(?![A-Za-z])")
INNERMOST = re.compile(r"\\begin\{(\w+\*?)\}(?:(?!\\begin).)*?\\end\{\1\}")
IGNORED = {"index", "target", "comment", "substitution_definition", "colspec"}


def quote(text):
    """Return Markdown as a quoted block."""
    return "\n".join(f"> {line}".rstrip() for line in text.split("\n"))


def folded(summary, text):
    """Return Markdown in a `<details>` element, which opens with a click."""
    return f"<details>\n<summary>{html.escape(summary)}</summary>\n\n{text}\n\n</details>"


def one_line(formula):
    """Return a formula on one line, because line breaks would end a quote.

    The macro for the transpose sign, which is defined only in the book, is expanded.
    """
    return TRANSPOSE.sub(r"\\mathsf{T}", " ".join(formula.split()))


def needs_aligned(formula):
    """Return True if a formula has line breaks or & outside any environment."""
    flat, inner = formula, 1
    while inner:
        flat, inner = INNERMOST.subn("", flat)
    return "\\\\" in flat or "&" in flat.replace(r"\&", "")


class Markdown:
    """Converter of the nodes of one page to Markdown, with the numbers of Sphinx's environment."""

    def __init__(self, env, docname, url):
        self.url, self.docname = url, docname
        self.numbers = env.toc_fignumbers.get(docname, {})
        self.sections = env.toc_secnumbers.get(docname, {})
        self.figure_name = env.config.numfig_format["figure"]

    def number(self, kind, node):
        """Return the number of a figure, formula, theorem or exercise, or an empty string."""
        found = (self.numbers.get(kind, {}).get(name) for name in node["ids"])
        return ".".join(map(str, next(filter(None, found), ())))

    def section_number(self, section, depth):
        """Return the number of a section with a full stop, or an empty string."""
        names = [""] if depth == 1 else [f"#{name}" for name in section["ids"]]
        found = next(filter(None, map(self.sections.get, names)), ())
        return ".".join(map(str, found)) + ". " if found else ""

    def inline(self, node):
        """Return the Markdown of the inline nodes within a node."""
        return "".join(map(self.span, node.children))

    def span(self, node):
        """Return the Markdown of one inline node."""
        name = type(node).__name__
        if name in IGNORED:
            return ""
        if isinstance(node, nodes.Text):
            return str(node).replace("\n", " ").translate(SPECIAL)
        if name == "math":
            return f"${one_line(node.astext())}$"
        if name in ("literal", "problematic"):
            ticks = "``" if "`" in node.astext() else "`"
            return f"{ticks}{node.astext()}{ticks}"
        if name in ("reference", "number_reference"):
            return self.link(node)
        if name in ("emphasis", "title_reference"):
            return self.marked("*", node)
        if name == "strong":
            return self.marked("**", node)
        if name == "raw":
            return self.strip_html(node)
        if name == "inline":
            text = self.inline(node)
            # The brackets of a citation could be read as a link.
            return text.replace(r"\[", "(").replace(r"\]", ")") if is_citation(node) else text
        raise NotImplementedError(
            f"{self.docname}: cannot write the inline node {name!r} as Markdown "
            f"({node.astext()[:60]!r}); add it to {__name__}.py"
        )

    def marked(self, mark, node):
        """Return emphasised text; Markdown allows no space between a mark and the text."""
        text = self.inline(node)
        return text.replace(text.strip(), f"{mark}{text.strip()}{mark}", 1)

    def link(self, node):
        """Return a link to its target on the published pages."""
        target = node.get("refuri") or f"#{node['refid']}"
        text = self.inline(node)
        if text.startswith("Fig. "):
            text = text.replace("Fig.", "Figure", 1)
        return f"[{text}]({urljoin(self.url, target).replace(')', '%29')})"

    def strip_html(self, node):
        """Return the text of a raw HTML node without scripts and styles."""
        text = BeautifulSoup(node.astext(), "html.parser").get_text()
        if "exercise-kind" in node.astext():
            kind, _, stars = text.strip().rpartition(" ")
            return f" ({kind}, {stars})" if kind else f" ({stars})"
        return text.translate(SPECIAL)

    def blocks(self, children):
        """Return the Markdown of some blocks, separated by empty lines."""
        return "\n\n".join(filter(None, map(self.block, children)))

    def block(self, node):
        """Return the Markdown of one block."""
        name = type(node).__name__
        if name in IGNORED:
            return ""
        if is_theorem(node):
            return quote(self.theorem(node))
        if isinstance(node, proof_node):
            return self.proof(node)
        write = getattr(self, f"block_{name}", None)
        if write is None:
            raise NotImplementedError(
                f"{self.docname}: cannot write the block {name!r} as Markdown "
                f"({node.astext()[:60]!r}); add it to {__name__}.py"
            )
        return write(node)

    def block_paragraph(self, node):
        """Write a paragraph, escaping a start that could be read as a list item."""
        return LIST_START.sub(r"\1\\\2\3", self.inline(node).strip())

    def block_math_block(self, node):
        """Write a formula on one line, with its number in the book."""
        formula = one_line(node.astext())
        if not node["nowrap"] and needs_aligned(formula):
            formula = rf"\begin{{aligned}} {formula} \end{{aligned}}"
        number = self.number("displaymath", node) if node.get("label") else ""
        tag = rf" \tag{{{number}}}" if number else ""
        return f"$${formula}{tag}$$"

    def block_literal_block(self, node):
        """Write a code block."""
        language = node.get("language", "")
        language = "python" if language in ("ipython3", "ipython") else language
        return f"```{language}\n{node.astext()}\n```"

    def block_block_quote(self, node):
        """Write a quotation."""
        return quote(self.blocks(node.children))

    def block_raw(self, node):
        """Write the text of a raw HTML node without scripts."""
        return self.strip_html(node).strip()

    def block_transition(self, node):
        """Write a horizontal rule."""
        return "---"

    def block_bullet_list(self, node):
        """Write a bullet list."""
        return self.items(node, lambda place: "- ")

    def block_enumerated_list(self, node):
        """Write a numbered list."""
        first = node.get("start", 1)
        return self.items(node, lambda place: f"{first + place}. ")

    def items(self, node, marker):
        """Write the items of a list, with empty lines between them if one has several blocks."""
        texts, loose = [], any(len(item.children) > 1 for item in node.children)
        for place, item in enumerate(node.children):
            start = marker(place)
            text = self.blocks(item.children).replace("\n", "\n" + " " * len(start))
            lines = [line if line.strip() else "" for line in text.split("\n")]
            texts.append(start + "\n".join(lines))
        return ("\n\n" if loose else "\n").join(texts)

    def block_table(self, node):
        """Write a table, after its caption."""
        rows = [[self.cell(entry) for entry in row.children] for row in node.findall(nodes.row)]
        lines = ["| " + " | ".join(row) + " |" for row in rows]
        lines.insert(1, "|" + ":--|" * len(rows[0]))
        titles = [f"**{self.inline(title)}**" for title in node.findall(nodes.title)]
        return "\n\n".join([*titles, "\n".join(lines)])

    def cell(self, entry):
        """Return the content of a table cell on one line, with vertical bars escaped."""
        text = " ".join(self.inline(part).strip() for part in entry.children)
        parts = text.split("$")  # formulas are between dollar signs
        parts[::2] = [part.replace("|", r"\|") for part in parts[::2]]
        parts[1::2] = [
            formula.replace(r"\|", r"\Vert ").replace("|", r"\vert ") for formula in parts[1::2]
        ]
        return "$".join(parts)

    def block_admonition(self, node):
        """Write an admonition, folded if it is folded in the book."""
        title, *rest = node.children
        if "dropdown" in node["classes"]:
            return folded(title.astext(), self.blocks(rest))
        return quote(f"**{self.inline(title)}**\n\n{self.blocks(rest)}")

    def block_concept_check(self, node):
        """Write a question, and the answer to each choice folded below the choice."""
        question, *choices, _ = node.children
        texts = [self.block(question)]
        for text, reason in (choice.children for choice in choices):
            texts += [self.inline(text), folded("Right or wrong?", self.blocks(reason.children))]
        return quote("\n\n".join(texts))

    def proof(self, node):
        """Return a proof."""
        box = node[0]
        if isinstance(box[0], nodes.title):
            return folded(box[0].astext(), self.blocks(box.children[1:]))
        text = self.blocks(box.children)
        if text.startswith("Proof."):
            text = text.replace("Proof.", "**Proof.**", 1)
        return quote(text)

    def theorem(self, node):
        """Return a theorem, definition or similar block with number and title."""
        head = f"{kind_of(node).title()} {self.number(counter_of(node), node)}".strip()
        title = self.inline(node[0]).rstrip()
        return f"**{head}{title}.**\n\n{self.blocks(content_of(node))}"

    def caption(self, figure):
        """Return the caption of a figure, with its number."""
        text = "".join(self.inline(caption) for caption in figure.findall(nodes.caption))
        name = self.figure_name % self.number("figure", figure)
        return f"**{name.replace('Fig.', 'Figure')}.** {text.strip()}"
