"""Stack the subplots of a picture for a phone.

Subplots are separated by white columns over the full height of the picture. A subplot without tick
labels shares the y axis of the first one, whose labels are copied. A grid of subplots without any
tick labels is also split into its rows, so that it is read row by row.
"""

import numpy as np
from PIL import Image, ImageOps

INK_LEVEL = 250  # grey level below which a pixel is not background
MARGIN = 20  # pixels above and below a row
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
    plots = [(start, end) for start, end in runs if end - start > 0.12 * image.width]
    gaps = [(end, min(runs[runs[:, 0] >= end, 0])) for _, end in plots[:-1]]
    cuts = [0, *(sum(gap) // 2 for gap in gaps), image.width]
    labels = image.crop((0, 0, plots[0][0], image.height)) if plots else None
    subplots = []
    for i, (first, _) in enumerate(plots):
        shares_axis = i > 0 and gaps[i - 1][1] == first
        subplot = image.crop((first if shares_axis else cuts[i], 0, cuts[i + 1], image.height))
        white = Image.new("RGB", (first - cuts[i], 1), "white")
        subplots.append(join([labels, subplot, white], 0) if shares_axis else subplot)
    return subplots


def split_grid(image):
    """Return the subplots of a picture without tick labels, row by row."""
    turn = Image.Transpose.TRANSPOSE
    rows = [row.transpose(turn) for row in split_subplots(image.transpose(turn))]
    subplots = [subplot for row in rows for subplot in split_subplots(row)]
    inks = [plot.crop(ImageOps.invert(plot.convert("L")).getbbox()) for plot in subplots]
    return [ImageOps.expand(ink, MARGIN, "white") for ink in inks]


def join(images, axis):
    """Return one image of images side by side (axis 0) or one above the other (axis 1)."""
    sizes = np.array([image.size for image in images])
    size = sizes.max(axis=0)
    size[axis] = sizes[:, axis].sum()
    whole = Image.new("RGB", tuple(map(int, size)), "white")
    for image, before in zip(images, np.cumsum(sizes[:, axis]) - sizes[:, axis], strict=True):
        whole.paste(image, (int(before), 0) if axis == 0 else (0, int(before)))
    return whole


def trim(row):
    """Return a row without the white above and below it, except for the margin."""
    _, top, _, bottom = ImageOps.invert(row.convert("L")).getbbox()
    return row.crop((0, max(0, top - MARGIN), row.width, min(row.height, bottom + MARGIN)))


def stack_subplots(image, density):
    """Return a picture for a phone, or None if all subplots fit into one row.

    ``density`` is the number of pixels of the picture per CSS pixel.
    """
    image = image.convert("RGB")
    subplots, row_width = split_subplots(image), ROW_WIDTH
    if len(ink_runs(image)) == len(subplots):
        subplots, row_width = split_grid(image), UNLABELLED_ROW_WIDTH
    widest = max((subplot.width for subplot in subplots), default=1)
    per_row = max(1, row_width * density // widest)
    if per_row >= len(subplots):
        return None
    rows = [join(subplots[i : i + per_row], 0) for i in range(0, len(subplots), per_row)]
    return join(list(map(trim, rows)), 1)
