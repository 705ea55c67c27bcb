"""Multiple-choice questions: each choice opens and explains why it is right or wrong.

    :::{concept-check} Which of these distance matrices is Euclidean?
    - [x] The first.

      Its Gram matrix has no negative eigenvalue.
    - [ ] The second.

      It violates the triangle inequality.
    :::

A choice is a `<details>` element, so it opens with the mouse or keyboard, without JavaScript.
"""

from string import ascii_lowercase

from docutils import nodes
from sphinx.util.docutils import SphinxDirective

from _ext.written_pages import writes

MARKS = {"[x] ": True, "[ ] ": False}


class concept_check(nodes.General, nodes.Element):
    """A question with its choices and the letter of the right one."""


class choice(nodes.General, nodes.Element):
    """A choice: its text and the reason why it is right or wrong."""


class choice_text(nodes.General, nodes.TextElement):
    """The text of a choice."""


class ConceptCheck(SphinxDirective):
    """The directive `concept-check`: its argument is the question, its content the choices."""

    required_arguments = 1
    final_argument_whitespace = True
    has_content = True

    def run(self):
        """Return the question with its choices."""
        box = concept_check(ids=[f"check-{self.env.new_serialno('concept-check')}"])
        question = nodes.paragraph(classes=["concept-question"], ids=[f"{box['ids'][0]}-question"])
        text, messages = self.parse_inline(self.arguments[0])
        question += [nodes.strong("", "Check. "), *text]
        content = nodes.Element()
        self.state.nested_parse(self.content, self.content_offset, content)
        items = [item for part in content for item in part if isinstance(item, nodes.list_item)]
        choices = [self.make_choice(*pair) for pair in zip(ascii_lowercase, items, strict=False)]
        right = [choice["letter"] for choice in choices if choice["right"]]
        if len(right) != 1 or len(content) != 1:
            raise self.error(
                f"A concept check needs one list of choices with exactly one [x]; this one has "
                f"{len(right)} choices marked [x] and {len(content)} blocks."
            )
        answer = nodes.paragraph("", f"Answer: ({right[0]})", classes=["concept-answer"])
        box += [question, *choices, answer]
        return [box, *messages]

    def make_choice(self, letter, item):
        """Return the choice for an item of the list."""
        text, *reason = item.children
        mark = text[0].astext()[:4] if text.children else ""
        if mark not in MARKS or not reason:
            raise self.error(
                f"Choice ({letter}) must begin with '[x] ' or '[ ] ' and be followed by a reason "
                "in a paragraph of its own."
            )
        text[0] = nodes.Text(f"({letter}) {text[0].astext()[4:]}")
        reason[0].insert(0, nodes.strong("", "Right. " if MARKS[mark] else "No. "))
        made = choice(letter=letter, right=MARKS[mark])
        made += choice_text("", "", *text.children)
        made += nodes.container("", *reason, classes=["choice-why"])
        return made


def visit_check(self, node):
    """Write the start of the group, which is labelled by its question."""
    name = node["ids"][0]
    self.body.append(
        f'<div class="concept-check" id="{name}" role="group" aria-labelledby="{name}-question">\n'
    )


def visit_choice(self, node):
    """Write the start of a choice; the shared name lets only one choice be open."""
    name, kind = node.parent["ids"][0], "right" if node["right"] else "wrong"
    self.body.append(f'<details class="choice {kind}" name="{name}-choices">\n')


def setup(app):
    """Register the extension."""
    app.add_directive("concept-check", ConceptCheck)
    # The live region announces the reasons.
    end = '<p class="visually-hidden" role="status"></p>\n</div>\n'
    app.add_node(concept_check, html=(visit_check, writes(end)))
    app.add_node(choice, html=(visit_choice, writes("</details>\n")))
    app.add_node(choice_text, html=(writes("<summary>"), writes("</summary>\n")))
