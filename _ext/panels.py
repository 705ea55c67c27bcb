"""Panels that stand side by side in a picture, one above the other on a phone.

They are told apart by the white between them: rows first, then the panels of each row. Where
nothing stands left of a panel it shares the scale of the first one, and gets it. In the caption
"left" becomes "top".
"""

import re
from itertools import pairwise

import numpy as np
from PIL import Image, ImageOps

INK = 250
MARGIN = 12
# A row of so many points keeps, on a screen of 390, the smallest numbers of an axis above 11.
ROW = 590
CAPTION = re.compile(r"(?<=</picture>)\s*<figcaption>.*?</figcaption>", re.DOTALL)
# "Left: a map", "Right, its spectrum", "onto the left one"; no right angle, no left eigenvector.
SIDE = re.compile(r"\b(left|right)\b(?=(?:[:,]| one\b)[^<>]*<)", re.IGNORECASE)
PLACES = {"left": "top", "right": "bottom", "Left": "Top", "Right": "Bottom"}


def ink_runs(image, axis):
    """Return start and end of each run of columns (axis 0) or rows (1) that hold ink."""
    ink = (np.asarray(image.convert("L")) < INK).any(axis=axis)
    return np.flatnonzero(np.diff(ink, prepend=False, append=False)).reshape(-1, 2)


def plots_of(runs, length):
    """Return the runs that are as long as a plot."""
    return [(start, end) for start, end in runs if end - start > 0.12 * length]


def bands_of(image):
    """Return the rows of panels of a picture, cut in the widest white between two of them."""
    found, cuts = ink_runs(image, 1), [0]
    plots = plots_of(found, image.height)
    for (_, above), (below, _) in pairwise(plots):
        between = found[(found[:, 0] >= above) & (found[:, 1] <= below)].ravel()
        edges = np.array([above, *between, below]).reshape(-1, 2)
        widest = edges[np.argmax(edges[:, 1] - edges[:, 0])]
        cuts.append(int(widest.sum()) // 2)
    cuts.append(image.height)
    return [image.crop((0, top, image.width, bottom)) for top, bottom in pairwise(cuts)]


def panels_of(image):
    """Return the panels of a row from left to right, each with a scale."""
    found = ink_runs(image, 0)
    plots = plots_of(found, image.width)
    gaps = [(end, min(found[found[:, 0] >= end, 0])) for _, end in plots[:-1]]
    cuts = [0, *(sum(gap) // 2 for gap in gaps), image.width]
    scale = image.crop((0, 0, plots[0][0], image.height)) if plots else None
    panels = []
    for i, (first, _) in enumerate(plots):
        panel = image.crop((cuts[i], 0, cuts[i + 1], image.height))
        shares = i > 0 and gaps[i - 1][1] == first
        panels.append(joined([scale, panel], 0) if shares else panel)
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
    bands = [panels_of(band) for band in bands_of(image.convert("RGB"))]
    widest = max((panel.width for band in bands for panel in band), default=1)
    across = max(1, ROW * density // widest)
    if across >= max(map(len, bands)):
        return None
    rows = [band[i : i + across] for band in bands for i in range(0, len(band), across)]
    return joined([trimmed(joined(row, 0)) for row in rows], 1)


def name_places(text):
    """Have the captions of stacked pictures say where a panel stands, wide and on a phone."""

    def both(side):
        return (
            f'<span class="side-by-side">{side[1]}</span>'
            f'<span class="stacked">{PLACES[side[1]]}</span>'
        )

    return CAPTION.sub(lambda caption: SIDE.sub(both, caption[0]), text)
