"""Give collapsed proofs the title that their toggle button needs, and every block its own id."""

from docutils import nodes
from sphinx_proof.nodes import proof_node

SHARED_IDS = (["exercise-content"], ["proof-content"], ["solution-content"])


def title_proofs(app, doctree):
    """Repair the proof, exercise and solution blocks of one page, in place."""
    for block in doctree.findall(proof_node):
        box = block[0]
        box["ids"].clear()
        box["classes"].append("proof-text")
        if "dropdown" in box["classes"]:
            opening = next(box.findall(nodes.Text))
            opening.parent.replace(opening, nodes.Text(opening.removeprefix("Proof. ")))
            box.insert(0, nodes.title("", "Proof"))
    for content in doctree.findall(nodes.section):
        if content["ids"] in SHARED_IDS:
            content["ids"] = [f"{content.parent['ids'][0]}-content"]


def setup(app):
    """Register the extension."""
    app.connect("doctree-read", title_proofs)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
