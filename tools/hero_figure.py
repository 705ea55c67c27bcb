"""Draw the figure of the preface: a distance matrix becomes a map, which a kernel then deforms.

The figure is computed with the library and written as SVG to images/idea.html, which is committed.
It is animated by CSS alone. On paper, and for readers who prefer reduced motion, it shows its last
state. No Makefile target calls this script.

Usage: python -m tools.hero_figure
"""

import warnings
from pathlib import Path

import numpy as np

from kmds_figures.figures import MEANINGS
from kmds_lib import RBF, classical_scaling, kernel_mds, procrustes_align
from kmds_lib.datasets import load_eurodist, project_equal_area
from kmds_lib.kernels import DefinitenessWarning

FIGURE = Path(__file__).resolve().parents[1] / "images" / "idea.html"
CELL_SIZE = 10
SHADES = 6
MATRIX, MAP, KERNEL_MAP = (14, 14), (380, 119), (640, 119)
"""Upper left corner of the distance matrix, and the centres of the two maps."""
MAP_RADIUS = 95
WIDTHS = (2.0, 1.0, 0.7, 0.55, 0.45, 0.38, 0.32, 0.27)
"""Bandwidths 1 / sqrt(theta) of the RBF kernel, as fractions of the largest distance."""
AT_MATRIX, LEAVE_MATRIX, AT_MAP, LEAVE_MAP, AT_KERNEL_MAP = 5, 10, 28, 36, 52
FIRST_WIDTH, LAST_WIDTH = 56, 92
"""Times of the animation in per cent: the dots rest at the distance matrix, move to the map, their
copies move to the second map, and the bandwidth decreases."""
LABELS = {
    "distance matrix": MATRIX[0] + 105,
    "classical scaling": MAP[0],
    "kernel MDS": KERNEL_MAP[0],
}
"""Labels of the three parts and their x coordinates."""

ALT = (
    "Left, the matrix of the distances between 21 cities, drawn as squares that are darker for "
    "longer distances. From the matrix, 21 dots move to the positions of the cities on a map of "
    "Europe. Two entries of the matrix are framed, and the corresponding distances are drawn in "
    "the map. Copies of the dots move to a second map, which changes into a ring while the "
    "bandwidth of the kernel, whose graph is drawn below, decreases."
)
PLAYS = (
    "animation-duration:14s;animation-delay:3s;animation-iteration-count:2;"
    "animation-timing-function:ease-in-out"
)
OVER = "animation:idea-over 28s 3s step-end forwards"
STYLE = (
    ".idea{position:relative;max-width:760px;margin:1rem 0 1.5rem}"
    ".idea svg{display:block;width:100%;height:auto}"
    f".idea .cell{{fill:{MEANINGS['distance']}}}"
    f".idea .idea-pair{{fill:none;stroke:{MEANINGS['distance']};stroke-width:2}}"
    "html[data-theme=dark] .idea .cell{fill:#efbf4a}"
    "html[data-theme=dark] .idea .idea-pair{stroke:#efbf4a}"
    f".idea circle{{fill:{MEANINGS['kept']};stroke:var(--pst-color-background,#fff)}}"
    "html[data-theme=dark] .idea circle{fill:#6cc0f0}"
    ".idea text{fill:currentcolor;font-size:17px;text-anchor:middle}"
    ".idea svg{overflow:visible}@media (max-width:576px){.idea text{font-size:30px}}"
    ".idea :is(.arrow,.idea-bell){fill:none;stroke:currentcolor;stroke-width:1.6}"
    f".idea .idea-bell{{stroke:{MEANINGS['product']};vector-effect:non-scaling-stroke}}"
    "html[data-theme=dark] .idea .idea-bell{stroke:#3fcf9f}"
    ".idea input{appearance:none;position:absolute;left:50%;bottom:0;width:28px;height:28px;"
    "transform:translateX(-50%);"
    "margin:0;border:1px solid;border-radius:50%;opacity:.6;cursor:pointer}"
    ".idea input::before{content:'';position:absolute;inset:0;width:10px;height:12px;margin:auto;"
    "border:solid;border-width:0 3px}"
    ".idea input:checked::before{left:3px;border-width:6px 0 6px 10px;"
    "border-color:transparent currentcolor}"
    ".idea input:checked,.idea input:checked+svg *{animation-play-state:paused}"
    "@media (pointer:coarse){.idea{padding-bottom:18px}.idea input{width:44px;height:44px}}"
    "@media print{.idea input{display:none}}"
    "@media (prefers-reduced-motion:reduce){.idea input{display:none}}"
)


def maps():
    """Return the distance matrix, sorted from north-west to south-east, and its maps (n, 2).

    The first map is computed by classical scaling, the others by kernel MDS. All have one size.
    """
    roads = load_eurodist()
    places = project_equal_area(roads.coordinates)
    order = np.argsort(places @ [0.8, -0.6])
    D, target = roads.distances[np.ix_(order, order)], places[order]
    found = []
    for width in (None, *WIDTHS):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DefinitenessWarning)
            theta = 1 / (width * D.max()) ** 2 if width else 0
            fit = kernel_mds(D, RBF(theta), 2) if width else classical_scaling(D, 2)
        target = procrustes_align(fit.points, target=target, scaling=True).points
        target = target - target.mean(axis=0)
        found.append(target * MAP_RADIUS / np.abs(target).max() * [1, -1])
    return D, found


def matrix_paths(D):
    """Yield the distance matrix as one SVG path of squares for each shade."""
    levels = np.ceil(SHADES * D / D.max()).astype(int)
    for level in range(1, SHADES + 1):
        cells = "".join(
            f"M{CELL_SIZE * j} {CELL_SIZE * i}h9v9h-9z"
            for i, j in np.argwhere(levels == level).tolist()
        )
        yield f'<path class="cell" fill-opacity="{level / SHADES:.2f}" d="{cells}"/>'


def translation(place):
    """Return the CSS declaration that moves a dot to a position."""
    return f"transform:translate({place[0]:.1f}px,{place[1]:.1f}px)"


def keyframes(name, frames):
    """Return a CSS animation, given pairs of a percentage and a declaration."""
    return f"@keyframes {name}{{{''.join(f'{at:g}%{{{rule}}}' for at, rule in frames)}}}"


def dot(name, frames):
    """Return the rules of an element that starts in the last frame and then runs through all."""
    (_, first), (_, rest) = frames[0], frames[-1]
    animation = keyframes(name, [(0, rest), (AT_MATRIX, first), *frames, (100, rest)])
    return f"{animation}.{name}{{{rest};animation-name:{name}}}"


def rules_of_dots(D, found):
    """Yield the rules that move the dots from the matrix to the map, and copies to the other."""
    steps = np.linspace(FIRST_WIDTH, LAST_WIDTH, len(WIDTHS))
    for i in range(len(D)):
        start = np.add(MATRIX, CELL_SIZE * i + 4.5)
        place = found[0][i] + MAP
        narrowed = [
            (at, translation(points[i] + KERNEL_MAP))
            for at, points in zip(steps, found[1:], strict=True)
        ]
        copied = (AT_KERNEL_MAP, translation(found[1][i] + KERNEL_MAP))
        yield dot(f"idea-a{i}", [(LEAVE_MATRIX, translation(start)), (AT_MAP, translation(place))])
        hidden = (AT_MAP, translation(place) + ";opacity:0")
        shown = (LEAVE_MAP, translation(place) + ";opacity:1")
        yield dot(f"idea-b{i}", [hidden, shown, copied, *narrowed])


def pairs_drawn(places):
    """Return two framed entries of the matrix with their lines in the map, and their rules.

    One pair is the northernmost and the easternmost city, the other the two westernmost cities.
    """
    eastward = places[:, 0].argsort()
    path = ""
    for i, j in np.sort([(places[:, 1].argmin(), eastward[-1]), eastward[:2]]):
        square = np.add(MATRIX, [CELL_SIZE * j - 0.5, CELL_SIZE * i - 0.5])
        start, end = (places[[i, j]] + MAP).round(1).tolist()
        path += "M{} {}h10v10h-10z".format(*square) + "M{} {}L{} {}".format(*start, *end)
    rules = dot("idea-pair", [(AT_MAP, "opacity:0"), (LEAVE_MAP, "opacity:1")])
    return f'<path class="idea-pair" d="{path}"/>', rules


def kernel_profile():
    """Return the profile of the kernel below the second map, and the rules that narrow it."""
    x = np.linspace(-2, 2, 81)
    ends = np.column_stack([MAP_RADIUS * x, -24 * np.exp(-16 * x**2)]).round(1).tolist()
    path = "M" + "L".join(f"{x} {y}" for x, y in ends)
    steps = np.linspace(FIRST_WIDTH, LAST_WIDTH, len(WIDTHS))
    place = f"translate({KERNEL_MAP[0]}px,252px)"
    frames = [
        (at, f"transform:{place} scaleX({2 * width:.2f})")
        for at, width in zip(steps, WIDTHS, strict=True)
    ]
    (_, widest), *_ = frames
    hidden, shown = (LEAVE_MAP, widest + ";opacity:0"), (AT_KERNEL_MAP, widest + ";opacity:1")
    frames = [hidden, shown, *frames]
    return f'<path class="idea-bell" d="{path}"/>', dot("idea-bell", frames)


def figure():
    """Return the HTML of the figure."""
    D, found = maps()
    profile, rules_of_bell = kernel_profile()
    pairs, rules_of_pairs = pairs_drawn(found[0])
    rules = "".join(rules_of_dots(D, found)) + rules_of_bell + rules_of_pairs
    dots = "".join(
        f'<circle class="idea-{kind}{i}" r="4"/>' for kind in "ab" for i in range(len(D))
    )
    labels = "".join(f'<text x="{x}" y="-8">{word}</text>' for word, x in LABELS.items())
    arrows = "".join(f'<path class="arrow" d="M{x} 119h24m-7 -6l7 6l-7 6"/>' for x in (243, 498))
    return (
        f"<style>{STYLE}@media screen and (prefers-reduced-motion:no-preference){{"
        f".idea :is(circle,.idea-bell,.idea-pair){{{PLAYS}}}.idea input{{{OVER}}}}}"
        f"@keyframes idea-over{{to{{visibility:hidden}}}}{rules}</style>"
        '<div class="idea"><input type="checkbox" aria-label="Hold the moving figure" '
        f'title="Pause or resume"><svg viewBox="0 -26 760 282" role="img" aria-label="{ALT}">'
        f'<g transform="translate{MATRIX}">{"".join(matrix_paths(D))}</g>'
        f'{labels}{arrows}<clipPath id="idea-frame"><path d="M{KERNEL_MAP[0] - MAP_RADIUS} 222'
        f'h{2 * MAP_RADIUS}v32h-{2 * MAP_RADIUS}z"/></clipPath>'
        f'<g clip-path="url(#idea-frame)">{profile}</g>{pairs}{dots}'
        "</svg></div>"
    )


if __name__ == "__main__":
    FIGURE.write_text(f"{figure()}\n", "utf-8")
