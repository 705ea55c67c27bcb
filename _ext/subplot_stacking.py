"""Stack the subplots of a picture for a phone.

Subplots are separated by white columns over the full height of the picture. A subplot without tick
labels shares the y axis of the first one, whose labels are copied. A grid of subplots with
titles is split into its rows first, so that it is read row by row.
"""

from itertools import pairwise

import numpy as np
from PIL import Image, ImageOps

INK_LEVEL = 250  # grey level below which a pixel is not background
CLEAR = "#fff0"  # between and around subplots
MARGIN = 20  # pixels around a subplot without tick labels
ROW_MARGIN = 35  # pixels above and below a row
# Width of a row in CSS pixels; on a screen of 390 px, tick labels are then at least 11 px high.
ROW_WIDTH = 590
UNLABELLED_ROW_WIDTH = 620  # without tick labels, for two maps side by side


def ink_runs(image):
    """Return start and end of each run of columns that are not blank."""
    ink = (np.asarray(image.convert("L")) < INK_LEVEL).any(axis=0)
    return np.flatnonzero(np.diff(ink, prepend=False, append=False)).reshape(-1, 2)


def split_subplots(image):
    """Return the subplots of a picture from left to right, each with tick labels."""
    runs = ink_runs(image)
    plots = [(start, end) for start, end in runs if end - start > 0.115 * image.width]
    gaps = [(end, min(runs[runs[:, 0] >= end, 0])) for _, end in plots[:-1]]
    cuts = [0, *(sum(gap) // 2 for gap in gaps), image.width]
    labels = image.crop((0, 0, plots[0][0], image.height)) if plots else None
    subplots = []
    for i, (first, _) in enumerate(plots):
        shares_axis = i > 0 and gaps[i - 1][1] == first
        subplot = image.crop((first if shares_axis else cuts[i], 0, cuts[i + 1], image.height))
        gap = Image.new("RGBA", (first - cuts[i], 1), CLEAR)
        subplots.append(join([labels, subplot, gap], 0) if shares_axis else subplot)
    return subplots


def row_edges(image):
    """Return top and end of each row of subplots, cut at the largest gaps, which are above titles.

    Without titles, there is one row.
    """
    runs = ink_runs(image.transpose(Image.Transpose.TRANSPOSE))
    plots = [i for i, (start, end) in enumerate(runs) if end - start > 0.12 * image.height]
    cuts = [0]
    for first, last in pairwise(plots):
        after = first + np.argmax(runs[first + 1 : last + 1, 0] - runs[first:last, 1])
        if after + 1 < last:
            cuts.append((runs[after, 1] + runs[after + 1, 0]) // 2)
    return pairwise([*cuts, image.height])


def trim_subplot(plot):
    """Return a subplot without tick labels and without blank edges, except for a margin."""
    ink = plot.crop(ImageOps.invert(plot.convert("L")).getbbox())
    return ImageOps.expand(ink, MARGIN, CLEAR)


def join(images, axis):
    """Return one image of images side by side (axis 0) or one above the other (axis 1)."""
    sizes = np.array([image.size for image in images])
    size = sizes.max(axis=0)
    size[axis] = sizes[:, axis].sum()
    whole = Image.new("RGBA", size.tolist(), CLEAR)
    for image, before in zip(images, np.cumsum(sizes[:, axis]) - sizes[:, axis], strict=True):
        whole.paste(image, (int(before), 0) if axis == 0 else (0, int(before)))
    return whole


def trim(row):
    """Return a row with equal margins above and below it, which separate it from others."""
    _, top, _, bottom = ImageOps.invert(row.convert("L")).getbbox() or (0, 0, *row.size)
    ink = row.crop((0, top, row.width, bottom))
    return ImageOps.expand(ink, (0, ROW_MARGIN), CLEAR)


def stack_subplots(image, density):
    """Return a picture for a phone, or None if all subplots fit into one row.

    ``density`` is the number of pixels of the picture per CSS pixel.
    """
    image = image.convert("RGBA")
    columns, row_width = split_subplots(image), ROW_WIDTH
    edges = row_edges(image)
    subplots = [plot.crop((0, top, plot.width, end)) for top, end in edges for plot in columns]
    if len(ink_runs(image)) == len(columns):
        subplots, row_width = list(map(trim_subplot, subplots)), UNLABELLED_ROW_WIDTH
    widest = max((subplot.width for subplot in subplots), default=1)
    per_row = max(1, row_width * density // widest)
    if per_row >= len(columns):
        return None
    if len(subplots) == 3:  # no row with an empty half
        per_row = 1
    rows = [join(subplots[i : i + per_row], 0) for i in range(0, len(subplots), per_row)]
    stacked = join(list(map(trim, rows)), 1)
    if image.getchannel("A").getextrema()[0] == 255:
        stacked.putalpha(255)  # margins without edges in the dark theme
    return stacked
