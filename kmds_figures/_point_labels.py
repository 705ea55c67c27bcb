"""Names of points in a map, each on the side of its point where it overlaps least."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes

FONT_SIZE = 11  # in typographic points


def _overlap(boxes: np.ndarray, box: np.ndarray) -> float:
    """Return the total area of overlap of `box` (left, bottom, right, top) with `boxes`."""
    low, high = np.maximum(boxes[:, :2], box[:2]), np.minimum(boxes[:, 2:], box[2:])
    return float(np.prod(np.maximum(high - low, 0), axis=1).sum())


def _choose_sides(points: np.ndarray, labels: Sequence[str]) -> list[tuple[int, int]]:
    """Return the side of its point on which each label overlaps least, crowded points first.

    `points` are in typographic points on the page. A side is a pair of -1, 0 or 1: the
    horizontal and the vertical direction from the point to its label.
    """
    sides = [(1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, 1), (1, -1), (-1, -1)]
    taken = np.hstack([points - 4, points + 4])
    low, high = points.min(axis=0) - 2 * FONT_SIZE, points.max(axis=0) + 2 * FONT_SIZE
    gaps = np.linalg.norm(points[:, None] - points[None], axis=2)
    chosen = [(0, 0)] * len(points)
    for i in np.argsort(np.sort(gaps, axis=1)[:, : min(4, len(points))].sum(axis=1)):
        extent = np.array([0.58 * FONT_SIZE * len(labels[i]), 1.2 * FONT_SIZE])
        costs = []
        for rank, side in enumerate(sides):
            centre = points[i] + np.array(side) * (extent / 2 + 5)
            box = np.hstack([centre - extent / 2, centre + extent / 2])
            outside = np.maximum(low - box[:2], 0).sum() + np.maximum(box[2:] - high, 0).sum()
            costs.append((_overlap(taken, box) + 5 * outside + 0.5 * rank, rank, box))
        _, rank, box = min(costs, key=lambda cost: cost[:2])
        chosen[i], taken = sides[rank], np.vstack([taken, box])
    return chosen


def write_labels(ax: Axes, points: np.ndarray, labels: Sequence[Any]) -> None:
    """Write each label on the side of its point where it overlaps least."""
    horizontal = {-1: "right", 0: "center", 1: "left"}
    vertical = {-1: "top", 0: "center", 1: "bottom"}
    labels = [str(text) for text in labels]
    room = 72 / ax.figure.dpi * np.asarray(ax.get_window_extent().size)
    spread = np.ptp(points, axis=0)
    scale = (room / (1.24 * np.where(spread > 0, spread, 1))).min()
    sides = _choose_sides(points * scale, labels)
    for point, text, (right, up) in zip(points, labels, sides, strict=True):
        ax.annotate(
            text,
            point,
            xytext=(5 * right, 5 * up),
            textcoords="offset points",
            ha=horizontal[right],
            va=vertical[up],
            fontsize=FONT_SIZE,
        )
