"""Set titles and links of theorems, proofs, exercises and solutions, and fold some of them.

Blocks with the class `dropdown` become `<details>` elements, which need no script. The exercises
of each page are listed in a script, with which readers keep a record of those that they have done.
"""

import json
import re
from pathlib import Path

from docutils import nodes

from _ext.event_order import FOLD_BLOCKS, LINK_BLOCKS
from _ext.internals import is_exercise_node, is_solution_node, is_theorem, kind_of, proof_node
from _ext.written_pages import on_pages_written, writes

# The kind and the difficulty at the end of the title of an exercise: "By hand (Code, ★★)".
KIND = re.compile(r" \((\w[\w ]*), ([★*]{1,3})\)$")
STARS = ("one star", "two stars", "three stars")
# Ids that sphinx-exercise and sphinx-proof give to every block.
DUPLICATE_IDS = (["exercise-content"], ["proof-content"], ["solution-content"])


def set_proof_titles(app, doctree):
    """Set the titles of proofs and make the ids of all blocks unique, in place."""
    for block in doctree.findall(proof_node):
        box = block[0]
        box["ids"].clear()
        box["classes"].append("proof-text")
        opening = next(box.findall(nodes.Text))
        rest = nodes.Text(opening.removeprefix("Proof. "))
        if "dropdown" in box["classes"]:
            opening.parent.replace(opening, rest)
            box.insert(0, nodes.title("", "Proof"))
        else:
            opening.parent.replace(opening, [nodes.emphasis("", "Proof."), nodes.Text(" "), rest])
    for content in doctree.findall(nodes.section):
        if content["ids"] in DUPLICATE_IDS:
            content["ids"] = [f"{content.parent['ids'][0]}-content"]


def split_title(parts):
    """Return the nodes of a title without its parentheses, and the kind of exercise."""
    *_, opening = (i for i, part in enumerate(parts) if part == " (")
    title = parts[opening + 1 : -1]
    kind = KIND.search(title[-1]) if isinstance(title[-1], nodes.Text) else None
    if kind:
        title[-1] = nodes.Text(title[-1][: kind.start()])
    return [*parts[:opening], nodes.Text(" \N{MIDDLE DOT} "), *title], kind


def set_exercise_titles(app, doctree, docname):
    """Write the titles of exercises and solutions after a dot, not in parentheses."""
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
    """Return the kind of exercise with its stars, which screen readers read out as words."""
    rating = f'<span role="img" aria-label="{STARS[len(stars) - 1]}">{"★" * len(stars)}</span>'
    return nodes.raw("", f' <span class="exercise-kind">{kind} {rating}</span>', format="html")


def link_blocks(app, doctree, docname):
    """Add a link to itself to the title of each block."""
    if app.builder.format != "html":
        return
    for block in doctree.findall(lambda node: is_theorem(node) or is_exercise_node(node)):
        kind = kind_of(block) or "exercise"
        link = f'<a class="headerlink" href="#{block["ids"][0]}" title="Link to this {kind}">#</a>'
        block[0] += nodes.raw("", link, format="html")


class fold(nodes.General, nodes.Element):
    """A block that is closed until the reader clicks on its title."""


class fold_title(nodes.Part, nodes.TextElement):
    """The title of a block that can be folded."""


def without_links(title):
    """Yield the children of a title without links, because a click opens the block."""
    for child in title.children:
        yield (
            nodes.inline("", "", *child.children) if isinstance(child, nodes.reference) else child
        )


def fold_blocks(app, doctree, docname):
    """Replace the blocks with the class `dropdown`, in place."""
    if app.builder.format != "html":
        return
    blocks = [
        node for node in doctree.findall(nodes.Element) if "dropdown" in node.get("classes", [])
    ]
    for block in blocks:
        title, *content = block.children
        folded = fold("", fold_title("", "", *without_links(title)), *content)
        folded["ids"], folded["classes"] = block["ids"], block["classes"]
        block.replace_self(folded)


def open_fold(translator, node):
    """Write the start of a block."""
    translator.body.append(translator.starttag(node, "details", CLASS="admonition"))


def open_title(translator, node):
    """Write the start of a title."""
    translator.body.append(translator.starttag(node, "summary", "", CLASS="admonition-title"))


def write_exercises(app):
    """Write the list of exercises of all pages as one script."""
    pages = {
        f"{docname}{app.builder.out_suffix}": list(numbers["exercise"])
        for docname, numbers in sorted(app.env.toc_fignumbers.items())
        if "exercise" in numbers
    }
    text = json.dumps(pages, separators=(",", ":"))
    path = Path(app.outdir) / "_static" / "exercises.js"
    path.write_text(f"window.bookExercises = {text};\n", "utf-8")


def setup(app):
    """Register the extension."""
    app.add_js_file("exercises.js", loading_method="defer")
    app.add_node(fold, html=(open_fold, writes("</details>\n")))
    app.add_node(fold_title, html=(open_title, writes("</summary>\n")))
    app.connect("doctree-read", set_proof_titles)
    app.connect("doctree-resolved", set_exercise_titles)
    app.connect("doctree-resolved", link_blocks, priority=LINK_BLOCKS)
    app.connect("doctree-resolved", fold_blocks, priority=FOLD_BLOCKS)
    on_pages_written(app, write_exercises)
