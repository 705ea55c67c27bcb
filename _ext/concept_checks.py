"""Questions with a few choices, each of which opens and says why it is right or wrong.

    :::{concept-check} Which of these tables has points?
    - [x] The first.

      Its Gram matrix has no negative eigenvalue.
    - [ ] The second.

      It breaks the triangle inequality.
    :::

A choice is a `<details>` element, so that it opens without a script, by keyboard too.
"""

from string import ascii_lowercase

from docutils import nodes
from sphinx.util.docutils import SphinxDirective

MARKS = {"[x] ": True, "[ ] ": False}


class concept_check(nodes.General, nodes.Element):
    """A question, its choices and the letter of the right one."""


class choice(nodes.General, nodes.Element):
    """One choice: its words, and what is said to who takes it."""


class choice_words(nodes.General, nodes.TextElement):
    """What is read before a choice is taken."""


class ConceptCheck(SphinxDirective):
    """The directive: the question is its argument, a list of choices its content."""

    required_arguments = 1
    final_argument_whitespace = True
    has_content = True

    def run(self):
        """Return the question with its choices."""
        box = concept_check(ids=[f"check-{self.env.new_serialno('concept-check')}"])
        question = nodes.paragraph(classes=["concept-question"], ids=[f"{box['ids'][0]}-question"])
        words, problems = self.parse_inline(self.arguments[0])
        question += [nodes.strong("", "Check. "), *words]
        given = nodes.Element()
        self.state.nested_parse(self.content, self.content_offset, given)
        items = [item for part in given for item in part if isinstance(item, nodes.list_item)]
        choices = [self.choice(*pair) for pair in zip(ascii_lowercase, items, strict=False)]
        right = [made["letter"] for made in choices if made["right"]]
        if len(right) != 1 or len(given) != 1:
            raise self.error("Give one list of choices, one of them marked [x].")
        answer = nodes.paragraph("", f"Answer: ({right[0]})", classes=["concept-answer"])
        box += [question, *choices, answer]
        return [box, *problems]

    def choice(self, letter, item):
        """Turn an item of the list into a choice."""
        words, *why = item.children
        mark = words[0].astext()[:4] if words.children else ""
        if mark not in MARKS or not why:
            raise self.error(f"Choice ({letter}) needs '[x] ' or '[ ] ' before it, and a reason.")
        words[0] = nodes.Text(f"({letter}) {words[0].astext()[4:]}")
        why[0].insert(0, nodes.strong("", "Right. " if MARKS[mark] else "No. "))
        made = choice(letter=letter, right=MARKS[mark])
        made += choice_words("", "", *words.children)
        made += nodes.container("", *why, classes=["choice-why"])
        return made


def visit_check(self, node):
    """Open the group of choices, named by its question."""
    name = node["ids"][0]
    self.body.append(
        f'<div class="concept-check" id="{name}" role="group" aria-labelledby="{name}-question">\n'
    )


def depart_check(self, node):
    """Close the group with the line that reads out what a choice says."""
    self.body.append('<p class="visually-hidden" role="status"></p>\n</div>\n')


def visit_choice(self, node):
    """Open a choice; only one of a question stands open."""
    name, kind = node.parent["ids"][0], "right" if node["right"] else "wrong"
    self.body.append(f'<details class="choice {kind}" name="{name}-choices">\n')


def depart_choice(self, node):
    """Close a choice."""
    self.body.append("</details>\n")


def visit_words(self, node):
    """Open what is read before a choice is taken."""
    self.body.append("<summary>")


def depart_words(self, node):
    """Close it."""
    self.body.append("</summary>\n")


def setup(app):
    """Register the extension."""
    app.add_directive("concept-check", ConceptCheck)
    app.add_node(concept_check, html=(visit_check, depart_check))
    app.add_node(choice, html=(visit_choice, depart_choice))
    app.add_node(choice_words, html=(visit_words, depart_words))
    return {"parallel_read_safe": True, "parallel_write_safe": True}
