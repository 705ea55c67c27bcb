"""Give folded proofs a title, every block its own id, and exercises titles without brackets."""

import re

from docutils import nodes
from sphinx_exercise.nodes import is_exercise_node, is_solution_node
from sphinx_proof.nodes import proof_node

# What ends the title of an exercise: "Both constants by hand (Code, ★★)".
KIND = re.compile(r" \((\w[\w ]*), ([★*]{1,3})\)$")
STARS = ("one star", "two stars", "three stars")
SHARED_IDS = (["exercise-content"], ["proof-content"], ["solution-content"])


def title_proofs(app, doctree):
    """Repair the proof, exercise and solution blocks of one page, in place."""
    for block in doctree.findall(proof_node):
        box = block[0]
        box["ids"].clear()
        box["classes"].append("proof-text")
        opening = next(box.findall(nodes.Text))
        words = nodes.Text(opening.removeprefix("Proof. "))
        if "dropdown" in box["classes"]:
            opening.parent.replace(opening, words)
            box.insert(0, nodes.title("", "Proof"))
        else:
            opening.parent.replace(opening, [nodes.emphasis("", "Proof."), nodes.Text(" "), words])
    for content in doctree.findall(nodes.section):
        if content["ids"] in SHARED_IDS:
            content["ids"] = [f"{content.parent['ids'][0]}-content"]


def split_title(parts):
    """Take the brackets and the kind of exercise off the end of a title, given as nodes."""
    *_, opening = (i for i, part in enumerate(parts) if part == " (")
    words = parts[opening + 1 : -1]
    kind = KIND.search(words[-1]) if isinstance(words[-1], nodes.Text) else None
    if kind:
        words[-1] = nodes.Text(words[-1][: kind.start()])
    return [*parts[:opening], nodes.Text(" \N{MIDDLE DOT} "), *words], kind


def title_exercises(app, doctree, docname):
    """Set the titles of exercises and solutions without brackets in brackets."""
    for block in doctree.findall(lambda node: is_exercise_node(node) or is_solution_node(node)):
        title = block[0]
        if is_solution_node(block):
            # "Solution to" and a link to " Exercise 4.5 (Title)"
            title.insert(1, nodes.Text(" "))
            title = title[-1]
            title[0] = nodes.Text(title[0].lstrip())
        if title.children and title[-1] == ")":
            title.children, kind = split_title(title.children)
            if kind and title is block[0]:
                title += difficulty(*kind.groups())


def difficulty(kind, stars):
    """Return the kind of exercise with its stars, which are read out as words."""
    words = f'<span role="img" aria-label="{STARS[len(stars) - 1]}">{"★" * len(stars)}</span>'
    return nodes.raw("", f' <span class="exercise-kind">{kind} {words}</span>', format="html")


def setup(app):
    """Register the extension."""
    app.connect("doctree-read", title_proofs)
    app.connect("doctree-resolved", title_exercises)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
