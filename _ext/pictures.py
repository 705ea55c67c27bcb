"""Compress pictures, set their size, and load them when they come near.

PNGs become lossless WebP. A picture whose subplots are together wider than a phone gets a second
version, in which they are stacked.
"""

import hashlib
from concurrent.futures import ThreadPoolExecutor
from html import escape
from pathlib import Path
from posixpath import join

from docutils import nodes
from PIL import Image
from sphinx.transforms.post_transforms import SphinxPostTransform

from _ext.subplot_stacking import stack_subplots

SHRINKAGE = 1.2  # of pictures, so that their text is about as large as a caption


def save_webp(picture, path, density):
    """Save a picture as lossless WebP; return its path and its size in CSS pixels."""
    path.parent.mkdir(parents=True, exist_ok=True)
    picture.save(path, lossless=True, quality=60)
    return path, *(round(side / density) for side in picture.size)


def convert(source, folder):
    """Return the WebP versions of a PNG, wide and stacked or None, each (path, width, height)."""
    name = hashlib.sha256(source.read_bytes()).hexdigest()[:32]
    with Image.open(source) as picture:
        density = 2 if picture.info.get("dpi", (96, 96))[0] > 200 else 1  # per CSS pixel
        wide = save_webp(picture, folder / f"{name}.webp", SHRINKAGE * density)
        narrow = stack_subplots(picture, density)
    return wide, narrow and save_webp(narrow, folder / f"{name}-stacked.webp", SHRINKAGE * density)


class CompressPictures(SphinxPostTransform):
    """Replace the PNGs of a page by WebP, and load all but its first picture lazily."""

    default_priority = 200
    formats = ("html",)

    def run(self, **kwargs):
        """Run the transform."""
        pictures = list(self.document.findall(nodes.image))
        for node in pictures[1:]:
            node["loading"] = "lazy"
        wanted = [node for node in pictures if node["uri"].endswith(".png")]
        sources = [Path(self.env.srcdir, node["uri"]) for node in wanted]
        folder = Path(self.env.doctreedir) / "images"
        with ThreadPoolExecutor() as pool:
            found = list(pool.map(lambda source: convert(source, folder), sources))
        for node, (wide, narrow) in zip(wanted, found, strict=True):
            node["uri"], node["size"] = self.register(wide[0]), wide[1:]
            node["candidates"] = {"*": node["uri"]}
            if narrow:
                node["stacked"] = (self.register(narrow[0]), *narrow[1:])

    def register(self, path):
        """Add a picture to the pictures of the page; return its URI."""
        uri = str(path)
        self.env.images.add_file(self.env.docname, uri)
        return uri


def picture_url(translator, uri):
    """Return the URL of a picture from the page that is written."""
    builder = translator.builder
    if uri in builder.env.images:
        builder.images[uri] = builder.env.images[uri][1]
    return join(builder.imgpath, builder.images[uri]) if uri in builder.images else uri


def size_html(size):
    """Return the attributes with the size of a picture, if it is known."""
    return ' width="{}" height="{}"'.format(*size) if all(size) else ""


def visit_image(self, node):
    """Write a picture with its size, and with the stacked version for phones if there is one."""
    # A notebook gives the size of a figure before it is shrunk.
    given = [node.get(side, "").removesuffix("px") for side in ("width", "height")]
    size = node.get("size", given)
    loading = ' loading="lazy"' if node.get("loading") == "lazy" else ""
    classes = [*node["classes"], *([f"align-{node['align']}"] if "align" in node else [])]
    named = f' class="{" ".join(classes)}"' if classes else ""
    html = (
        f'<img{named} alt="{escape(node.get("alt", ""))}" src="{picture_url(self, node["uri"])}"'
        f"{size_html(size)}{loading}>"
    )
    if stacked := node.get("stacked"):
        source, *size = stacked
        html = (
            f'<picture><source media="screen and (max-width: 576px)" '
            f'srcset="{picture_url(self, source)}"{size_html(size)}>{html}</picture>'
        )
    self.body.append(html)
    raise nodes.SkipNode


def setup(app):
    """Register the extension."""
    app.add_post_transform(CompressPictures)
    app.add_node(nodes.image, override=True, html=(visit_image, None))
