"""Write a resolved page of the book as Markdown that needs no directives, roles or labels.

What a notebook viewer shows: headings, emphasis, links, lists, tables, code, quotes, formulas
between dollars, and `<details>`. Numbers and titles are those that the book's own build gave.
"""

import html
import re
from urllib.parse import urljoin

from docutils import nodes
from sphinx_proof.nodes import NODE_TYPES

SPECIAL = re.compile(r"([\\`*_\[\]<~$])")
LIST_START = re.compile(r"^(\d+)([.)] )|^([-+#>] )")
SILENT = {"index", "target", "comment", "substitution_definition", "colspec"}


def quote(text):
    """Return Markdown as a quoted block."""
    return "\n".join(f"> {line}".rstrip() for line in text.split("\n"))


def folded(summary, text):
    """Return Markdown that opens on a click, in every viewer that knows `<details>`."""
    return f"<details>\n<summary>{html.escape(summary)}</summary>\n\n{text}\n\n</details>"


def one_line(formula):
    """Return a formula without line breaks, which viewers mistake for those of quotes.

    The transpose sign is written out as the book's own macro sets it.
    """
    return re.sub(r"\\top(?![A-Za-z])", r"\\mathsf{T}", " ".join(formula.split()))


def needs_rows(formula):
    """Tell whether a formula has line breaks of its own, outside any environment."""
    inner, flat = re.compile(r"\\begin\{(\w+\*?)\}(?:(?!\\begin).)*?\\end\{\1\}"), formula
    while inner.search(flat):
        flat = inner.sub("", flat)
    return "\\\\" in flat or re.search(r"(?<!\\)&", flat) is not None


class Markdown:
    """The Markdown of one page, with numbers from Sphinx's `env` and links from its address."""

    def __init__(self, env, docname, url):
        self.url, self.docname = url, docname
        self.numbers = env.toc_fignumbers.get(docname, {})
        self.sections = env.toc_secnumbers.get(docname, {})
        self.figure_name = env.config.numfig_format["figure"]

    def number(self, kind, node):
        """Return the number of a figure, formula, theorem or exercise, or nothing."""
        found = (self.numbers.get(kind, {}).get(name) for name in node["ids"])
        return ".".join(map(str, next(filter(None, found), ())))

    def section_number(self, section, depth):
        """Return what stands before the title of a section."""
        names = [""] if depth == 1 else [f"#{name}" for name in section["ids"]]
        found = next(filter(None, map(self.sections.get, names)), ())
        return ".".join(map(str, found)) + ". " if found else ""

    def inline(self, node):
        """Return the Markdown of what stands inside a paragraph."""
        return "".join(map(self.span, node.children))

    def span(self, node):
        """Return the Markdown of one inline node."""
        name = type(node).__name__
        if name in SILENT:
            return ""
        if isinstance(node, nodes.Text):
            return SPECIAL.sub(r"\\\1", str(node).replace("\n", " "))
        if name == "math":
            return f"${one_line(node.astext())}$"
        if name in ("literal", "problematic"):
            ticks = "``" if "`" in node.astext() else "`"
            return f"{ticks}{node.astext()}{ticks}"
        if name in ("reference", "number_reference"):
            return self.link(node)
        if name in ("emphasis", "title_reference"):
            return f"*{self.inline(node)}*"
        if name == "strong":
            return f"**{self.inline(node)}**"
        if name == "raw":
            return self.bare(node)
        if name == "inline":
            text = self.inline(node)
            return self.round(text) if "bibtex-citation" in node["classes"] else text
        raise NotImplementedError(
            f"{self.docname}: no Markdown is known for {name!r} inside a paragraph "
            f"({node.astext()[:60]!r}); add it to {__name__}.py"
        )

    def link(self, node):
        """Return a link to the published page, whatever it leads to."""
        place = node.get("refuri") or f"#{node['refid']}"
        text = re.sub(r"^Fig\. ", "Figure ", self.inline(node))
        return f"[{text}]({urljoin(self.url, place).replace(')', '%29')})"

    def bare(self, node):
        """Return the words of a piece of HTML."""
        words = re.sub(r"<(script|style)\b.*?</\1>", "", node.astext(), flags=re.DOTALL)
        words = html.unescape(re.sub(r"<[^>]+>", "", words))
        if "exercise-kind" in node.astext():
            kind, _, stars = words.strip().rpartition(" ")
            return f" ({kind}, {stars})" if kind else f" ({stars})"
        return SPECIAL.sub(r"\\\1", words)

    @staticmethod
    def round(text):
        """Return a citation with round brackets, which no viewer takes for a link."""
        return text.replace("\\[", "(").replace("\\]", ")")

    def blocks(self, children):
        """Return the Markdown of some blocks, with empty lines between them."""
        return "\n\n".join(filter(None, map(self.block, children)))

    def block(self, node):
        """Return the Markdown of one block."""
        name = type(node).__name__
        if name in SILENT:
            return ""
        if isinstance(node, tuple(NODE_TYPES.values())):
            return quote(self.theorem(node))
        write = getattr(self, f"block_{name}", None)
        if write is None:
            raise NotImplementedError(
                f"{self.docname}: no Markdown is known for the block {name!r} "
                f"({node.astext()[:60]!r}); add it to {__name__}.py"
            )
        return write(node)

    def block_paragraph(self, node):
        """Write a paragraph, which no viewer may take for a list."""
        return LIST_START.sub(r"\1\\\2\3", self.inline(node).strip())

    def block_math_block(self, node):
        """Write a formula on one line, with the book's number."""
        formula = one_line(node.astext())
        if not node["nowrap"] and needs_rows(formula):
            formula = rf"\begin{{aligned}} {formula} \end{{aligned}}"
        number = self.number("displaymath", node) if node.get("label") else ""
        tag = rf" \tag{{{number}}}" if number else ""
        return f"$${formula}{tag}$$"

    def block_literal_block(self, node):
        """Write code that is only shown."""
        language = node.get("language", "")
        language = "python" if language in ("ipython3", "ipython") else language
        return f"```{language}\n{node.astext()}\n```"

    def block_block_quote(self, node):
        """Write a quotation."""
        return quote(self.blocks(node.children))

    def block_raw(self, node):
        """Write the words of a piece of HTML, and nothing for a script."""
        return self.bare(node).strip()

    def block_transition(self, node):
        """Write a line across the page."""
        return "---"

    def block_bullet_list(self, node):
        """Write a list."""
        return self.items(node, lambda place: "- ")

    def block_enumerated_list(self, node):
        """Write a numbered list."""
        first = node.get("start", 1)
        return self.items(node, lambda place: f"{first + place}. ")

    def items(self, node, marker):
        """Write the items of a list; those with several blocks have empty lines between them."""
        texts, loose = [], any(len(item.children) > 1 for item in node.children)
        for place, item in enumerate(node.children):
            start = marker(place)
            text = self.blocks(item.children).replace("\n", "\n" + " " * len(start))
            texts.append(start + re.sub(r"\n +(?=\n)", "\n", text))
        return ("\n\n" if loose else "\n").join(texts)

    def block_table(self, node):
        """Write a table, after its caption."""
        rows = [[self.cell(entry) for entry in row.children] for row in node.findall(nodes.row)]
        lines = ["| " + " | ".join(row) + " |" for row in rows]
        lines.insert(1, "|" + ":--|" * len(rows[0]))
        titles = [f"**{self.inline(title)}**" for title in node.findall(nodes.title)]
        return "\n\n".join([*titles, "\n".join(lines)])

    def cell(self, entry):
        """Return what stands in one cell of a table, on one line, without bars."""
        text = " ".join(self.inline(part).strip() for part in entry.children)
        words = re.split(r"(\$[^$]*\$)", text)
        words[::2] = [word.replace("|", r"\|") for word in words[::2]]
        words[1::2] = [
            formula.replace(r"\|", r"\Vert ").replace("|", r"\vert ") for formula in words[1::2]
        ]
        return "".join(words)

    def block_admonition(self, node):
        """Write a box, folded where the book folds it."""
        title, *rest = node.children
        if "dropdown" in node["classes"]:
            return folded(title.astext(), self.blocks(rest))
        return quote(f"**{self.inline(title)}**\n\n{self.blocks(rest)}")

    def block_concept_check(self, node):
        """Write a question, and below each choice, folded, whether and why it is right."""
        question, *choices, _ = node.children
        texts = [self.block(question)]
        for words, why in (choice.children for choice in choices):
            texts += [self.inline(words), folded("Right or wrong?", self.blocks(why.children))]
        return quote("\n\n".join(texts))

    def block_proof_node(self, node):
        """Write a proof."""
        box = node[0]
        if isinstance(box[0], nodes.title):
            return folded(box[0].astext(), self.blocks(box.children[1:]))
        text = self.blocks(box.children)
        return quote(re.sub(r"^Proof\.", "**Proof.**", text))

    def theorem(self, node):
        """Return a theorem, a definition or their like, with number and title."""
        title, *rest = node.children
        head = f"{node['realtype'].title()} {self.number(node['countertype'], node)}".strip()
        return f"**{head}{self.inline(title).rstrip()}.**\n\n" + self.blocks(
            child for part in rest for child in part.children
        )

    def caption(self, figure):
        """Return the caption of a figure, with its number."""
        text = "".join(self.inline(caption) for caption in figure.findall(nodes.caption))
        name = self.figure_name % self.number("figure", figure)
        return f"**{name.replace('Fig.', 'Figure')}.** {text.strip()}"
