"""Theorems, proofs, exercises and solutions: their titles, a link for each, and what is folded.

What has the class `dropdown` folds with the browser's own element, which needs no script. Readers
keep a record of the exercises that they have done: a script of the site lists those of each page.
"""

import json
import re
from pathlib import Path

from docutils import nodes
from html_postprocess import when_written
from sphinx_exercise.nodes import is_exercise_node, is_solution_node
from sphinx_proof.nodes import NODE_TYPES, proof_node

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


def is_linked(node):
    """Tell whether a block is one that readers point to."""
    return isinstance(node, tuple(NODE_TYPES.values())) or is_exercise_node(node)


def link_blocks(app, doctree, docname):
    """Put a link to itself behind the title of each block of one page."""
    if app.builder.format != "html":
        return
    for block in doctree.findall(is_linked):
        kind = block.get("realtype", "exercise")
        link = f'<a class="headerlink" href="#{block["ids"][0]}" title="Link to this {kind}">#</a>'
        block[0] += nodes.raw("", link, format="html")


class fold(nodes.General, nodes.Element):
    """A block that is closed until its title is clicked."""


class fold_title(nodes.Part, nodes.TextElement):
    """The title that opens and closes a block."""


def words_of(title):
    """Return what a title holds, without its links: a click on a title opens the block."""
    for child in title.children:
        yield (
            nodes.inline("", "", *child.children) if isinstance(child, nodes.reference) else child
        )


def fold_blocks(app, doctree, docname):
    """Replace the blocks of one page that have the class, in place."""
    if app.builder.format != "html":
        return
    wanted = [
        node for node in doctree.findall(nodes.Element) if "dropdown" in node.get("classes", [])
    ]
    for block in wanted:
        title, *content = block.children
        folded = fold("", fold_title("", "", *words_of(title)), *content)
        folded["ids"], folded["classes"] = block["ids"], block["classes"]
        block.replace_self(folded)


def open_fold(translator, node):
    """Write the start of a block."""
    translator.body.append(translator.starttag(node, "details", CLASS="admonition"))


def close_fold(translator, node):
    """Write the end of a block."""
    translator.body.append("</details>\n")


def open_title(translator, node):
    """Write the start of a title."""
    translator.body.append(translator.starttag(node, "summary", "", CLASS="admonition-title"))


def close_title(translator, node):
    """Write the end of a title."""
    translator.body.append("</summary>\n")


def write_exercises(app):
    """List the exercises of all pages in one script."""
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
    app.add_node(fold, html=(open_fold, close_fold))
    app.add_node(fold_title, html=(open_title, close_title))
    app.connect("doctree-read", title_proofs)
    app.connect("doctree-resolved", title_exercises)
    # After other extensions have read the titles (510 to 550).
    app.connect("doctree-resolved", link_blocks, priority=600)
    app.connect("doctree-resolved", fold_blocks, priority=610)
    when_written(app, write_exercises)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
