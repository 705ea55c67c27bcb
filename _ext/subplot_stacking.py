"""Panels that stand side by side in a picture, one above the other on a phone.

They are told apart by the white between them, over the whole height. Where nothing stands left of
a panel it shares the scale of the first one, and gets it. In the caption "left" becomes "top".
"""

import re

import numpy as np
from PIL import Image, ImageOps

INK = 250
MARGIN = 20
# A row of so many points keeps, on a screen of 390, the smallest numbers of an axis above 11.
ROW = 590
CAPTION = re.compile(r"(?<=</picture>)\s*<figcaption>.*?</figcaption>", re.DOTALL)
# "Left: a map", "Right, its spectrum", "onto the left one"; no right angle, no left eigenvector.
SIDE = re.compile(r"\b(left|right)\b(?=(?:[:,]| one\b)[^<>]*<)", re.IGNORECASE)
PLACES = {"left": "top", "right": "bottom", "Left": "Top", "Right": "Bottom"}


def ink_runs(image):
    """Return start and end of each run of columns that hold ink."""
    ink = (np.asarray(image.convert("L")) < INK).any(axis=0)
    return np.flatnonzero(np.diff(ink, prepend=False, append=False)).reshape(-1, 2)


def panels_of(image):
    """Return the panels of a picture from left to right, each with a scale."""
    found = ink_runs(image)
    plots = [(start, end) for start, end in found if end - start > 0.12 * image.width]
    gaps = [(end, min(found[found[:, 0] >= end, 0])) for _, end in plots[:-1]]
    cuts = [0, *(sum(gap) // 2 for gap in gaps), image.width]
    scale = image.crop((0, 0, plots[0][0], image.height)) if plots else None
    panels = []
    for i, (first, _) in enumerate(plots):
        shares = i > 0 and gaps[i - 1][1] == first
        panel = image.crop((first if shares else cuts[i], 0, cuts[i + 1], image.height))
        white = Image.new("RGB", (first - cuts[i], 1), "white")
        panels.append(joined([scale, panel, white], 0) if shares else panel)
    return panels


def joined(images, axis):
    """Return images side by side (axis 0) or one above the other (axis 1)."""
    sizes = np.array([image.size for image in images])
    size = sizes.max(axis=0)
    size[axis] = sizes[:, axis].sum()
    whole = Image.new("RGB", tuple(map(int, size)), "white")
    for image, before in zip(images, np.cumsum(sizes[:, axis]) - sizes[:, axis], strict=True):
        whole.paste(image, (int(before), 0) if axis == 0 else (0, int(before)))
    return whole


def trimmed(row):
    """Return a row without the white above and below it."""
    _, top, _, bottom = ImageOps.invert(row.convert("L")).getbbox()
    return row.crop((0, max(0, top - MARGIN), row.width, min(row.height, bottom + MARGIN)))


def stacked(image, density):
    """Return a picture for a phone, or None where its panels need not stack."""
    panels = panels_of(image.convert("RGB"))
    widest = max((panel.width for panel in panels), default=1)
    across = max(1, ROW * density // widest)
    if across >= len(panels):
        return None
    rows = [joined(panels[i : i + across], 0) for i in range(0, len(panels), across)]
    return joined(list(map(trimmed, rows)), 1)


def name_places(text):
    """Have the captions of stacked pictures say where a panel stands, wide and on a phone."""

    def both(side):
        return (
            f'<span class="side-by-side">{side[1]}</span>'
            f'<span class="stacked">{PLACES[side[1]]}</span>'
        )

    return CAPTION.sub(lambda caption: SIDE.sub(both, caption[0]), text)
