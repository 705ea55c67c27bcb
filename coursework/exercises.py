"""Exercises of the book's chapters, in plain Markdown: no directives, no roles.

What a role points at is said in words: a theorem by its title and chapter, an equation by itself
where it is one line. The rest says FILL IN.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

import nbformat
from nbformat.notebooknode import NotebookNode

from coursework.form import FILL_IN
from coursework.sets import SetError

CHAPTERS = Path(__file__).resolve().parents[1] / "chapters"
# A block, gated or not; code cells stand in the text between marks.
BLOCK = re.compile(
    r"^(?P<fence>:{3,}|`{3,})\{(?P<kind>exercise|solution)(?P<gated>-start)?\}"
    r" *(?P<title>[^\n]*)\n(?P<options>(?::[\w-]+:[^\n]*\n)*)(?(gated)(?P=fence)\n)(?P<body>.*?)\n"
    r"(?P=fence)(?(gated)\{(?P=kind)-end\}\n(?P=fence))$",
    re.MULTILINE | re.DOTALL,
)
CODE = "\x00"
FORM = (
    "must begin with the two lines `:::{exercise} Its title (Proof and code, ★★)` and "
    "`:label: ex-4-its-name`, with one to three stars"
)
HEAD = re.compile(r"^(?P<title>.*) \((?P<kind>[^()]+), (?P<stars>★{1,3})\)$")
ROLE = re.compile(r"\{(?P<role>[a-z]+(?::[a-z]+)?)\}`(?P<text>[^`]*)`")
LINK = re.compile(r"(?<!!)\[(?P<text>[^\]]*)\]\((?:#|[\w/.-]+\.(?:ipynb|md))[^)]*\)")
# What stands under a label, and what it is called.
TARGETS = {
    r"\((?P<label>ch-[\w-]+)\)=\s*\n#": "{where}",
    r"\((?P<label>(?!ch-)[\w-]+)\)=\s*\n#+ (?P<title>.*)": "“{title}” of {where}",
    r"\$\$\n?(?P<title>[^\n&$]+?)[ .,;]*\n?\$\$ \((?P<label>[\w-]+)\)": (
        "the formula ${title}$ of {where}"
    ),
    r"[:`]{3,}\{(?:prf:)?(?P<kind>[\w-]+?)(?:-start)?\} (?P<title>.*?)(?: \([^()]*★\))?\n"
    r":label: (?P<label>\S+)": "the {kind} “{title}” of {where}",
}


@dataclass
class Exercise:
    """An exercise with its solution; both are cells, each "markdown" or "code" and its text."""

    label: str
    title: str
    kind: str  # what it asks for: "Proof", "Code", "Explore" or several of them
    stars: int
    chapter: NotebookNode = field(repr=False)
    statement: list[tuple[str, str]] = field(default_factory=list)
    solution: list[tuple[str, str]] = field(default_factory=list)


class Book:
    """The chapters of the book, read once."""

    def __init__(self, chapters: Path = CHAPTERS) -> None:
        self._notebooks = {
            path: nbformat.read(path, as_version=4) for path in sorted(chapters.glob("*.ipynb"))
        }

    @cached_property
    def exercises(self) -> dict[str, Exercise]:
        """All exercises by their labels, in the order of the book."""
        found: dict[str, Exercise] = {}
        for path, notebook in self._notebooks.items():
            try:
                self._read(notebook, found)
            except SetError as error:
                raise SetError(f"{path.name}: {error}") from error
        return found

    def exercise(self, label: str) -> Exercise:
        """Return the exercise with a label."""
        if label not in self.exercises:
            number = re.match(r"ex-\w+-", label)
            near = [known for known in self.exercises if number and known.startswith(number[0])]
            hint = (
                f"Those of its chapter: {', '.join(near)}." if near else "Labels begin with ex-."
            )
            raise SetError(f"The book has no exercise {label!r}. {hint}")
        return self.exercises[label]

    def plain(self, text: str) -> str:
        """Return a text with every role and link turned into words."""
        text = ROLE.sub(lambda found: self._words(found["role"], found["text"]), text)
        text = re.sub(r"(?:^|[.?!] |\n\n)the\b", lambda the: the[0][:-3] + "The", text)
        return LINK.sub(lambda found: found["text"], text)

    def _read(self, notebook: NotebookNode, found: dict[str, Exercise]) -> None:
        """Collect the exercises of one chapter, with their solutions."""
        marked = (
            f"{CODE}{cell.source}{CODE}" if cell.cell_type == "code" else cell.source
            for cell in notebook.cells
        )
        for block in BLOCK.finditer("\n".join(marked)):
            title, cells = block["title"].strip(), list(self._cells(block["body"]))
            head = HEAD.match(title)
            label = re.search(r"^:label: *(\S+)", block["options"], re.MULTILINE)
            if block["kind"] == "solution" and title in found:
                found[title].solution = cells
            elif block["kind"] == "solution":
                raise SetError(f"the solution of {title!r} follows no exercise of this label.")
            elif head is None or label is None:
                raise SetError(f"the exercise {title!r} {FORM}.")
            else:
                found[label[1]] = Exercise(
                    label[1], head["title"], head["kind"], len(head["stars"]), notebook, cells
                )

    def _cells(self, body: str) -> Iterator[tuple[str, str]]:
        """Yield the cells of a block; every second part between the marks is code."""
        for position, part in enumerate(body.split(CODE)):
            text = part.strip("\n")
            if position % 2:
                yield "code", text
            elif text.strip():
                yield "markdown", self.plain(re.sub(r"^\*\*Coursework\.\*\*\s*", "", text))

    def _words(self, role: str, text: str) -> str:
        """Return what a role says, in words."""
        explicit = re.match(r"(?P<shown>.*?)\s*<(?P<target>[^<>]*)>$", text)
        if explicit and "%s" not in explicit["shown"]:
            return explicit["shown"]
        if role in ("index", "term", "abbr"):
            return text
        target = explicit["target"] if explicit else text
        return self._targets.get(target, f"({FILL_IN}: {target} in words)")

    @cached_property
    def _targets(self) -> dict[str, str]:
        """What each label of the chapters is called in words."""
        targets: dict[str, str] = {}
        for path, notebook in self._notebooks.items():
            number = re.match(r"\d+", path.name)
            where = f"Chapter {int(number[0])}" if number else "the errata"
            source = "\n".join(cell.source for cell in notebook.cells)
            for pattern, words in TARGETS.items():
                for found in re.finditer(pattern, source):
                    targets[found["label"]] = words.format(where=where, **found.groupdict())
        return targets
