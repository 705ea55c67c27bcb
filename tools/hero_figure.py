"""The figure that opens the book: a table becomes a map, and the map bends as a kernel narrows.

It is computed with the library and drawn as SVG into images/idea.html, which is committed. Style
rules alone move it, from its last state back to the first and on; on paper, and for readers who
want no motion, it stands still in its last state.

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
CELL = 10
SHADES = 6
TABLE, MAP, BENT = (14, 14), (380, 119), (640, 119)
"""Upper left corner of the table, and the middles of the two maps."""
REACH = 95
WIDTHS = (2.0, 1.0, 0.7, 0.55, 0.45, 0.38, 0.32, 0.27)
"""Widths 1 / sqrt(theta) of the RBF kernel, in parts of the longest road."""
BACK, RISE, RISEN, COPY, COPIED, BENDING, BENT_AT = 5, 10, 28, 36, 52, 56, 92
"""When the dots are back at the table, leave it, are on the map, are copied, and bend, in per cent
of the time."""
WORDS = {"table": TABLE[0] + 105, "map": MAP[0], "through a kernel": BENT[0]}
"""What stands above the three parts, and where."""

ALT = (
    "Left, a table of the distances between 21 cities, drawn as squares, the fuller the longer. "
    "From it 21 dots rise and become a map of Europe; two squares of the table are framed, and "
    "their distances drawn in the map. Copies of the dots go to a second map, which opens into a "
    "ring while the bell of a kernel below it narrows."
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
    """Return the road table, from north-west to south-east, and its maps (n, 2) of one size.

    The first is that of classical scaling, the others are those of the kernel.
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
        found.append(target * REACH / np.abs(target).max() * [1, -1])
    return D, found


def table_paths(D):
    """Return the table as squares, those of one shade in one path."""
    levels = np.ceil(SHADES * D / D.max()).astype(int)
    for level in range(1, SHADES + 1):
        cells = "".join(
            f"M{CELL * j} {CELL * i}h9v9h-9z" for i, j in np.argwhere(levels == level).tolist()
        )
        yield f'<path class="cell" fill-opacity="{level / SHADES:.2f}" d="{cells}"/>'


def moved(place):
    """Return the rule that puts a dot somewhere."""
    return f"transform:translate({place[0]:.1f}px,{place[1]:.1f}px)"


def keyframes(name, frames):
    """Return an animation from pairs of a percentage and a rule."""
    return f"@keyframes {name}{{{''.join(f'{at:g}%{{{rule}}}' for at, rule in frames)}}}"


def dot(name, frames):
    """Return the rules of what rests in the last of `frames`, goes back and moves through them."""
    (_, first), (_, rest) = frames[0], frames[-1]
    through = keyframes(name, [(0, rest), (BACK, first), *frames, (100, rest)])
    return f"{through}.{name}{{{rest};animation-name:{name}}}"


def rules_of_dots(D, found):
    """Return the rules by which the dots leave the table, and their copies the map."""
    steps = np.linspace(BENDING, BENT_AT, len(WIDTHS))
    for i in range(len(D)):
        start = np.add(TABLE, CELL * i + 4.5)
        place = found[0][i] + MAP
        bent = [(at, moved(kernel[i] + BENT)) for at, kernel in zip(steps, found[1:], strict=True)]
        copied = (COPIED, moved(found[1][i] + BENT))
        yield dot(f"idea-a{i}", [(RISE, moved(start)), (RISEN, moved(place))])
        hidden = (RISEN, moved(place) + ";opacity:0")
        yield dot(f"idea-b{i}", [hidden, (COPY, moved(place) + ";opacity:1"), copied, *bent])


def pairs_drawn(places):
    """Return the framed squares of two distances and their lines in the map, with their rules.

    One joins the northernmost city to the easternmost, the other the two westernmost.
    """
    eastward = places[:, 0].argsort()
    path = ""
    for i, j in np.sort([(places[:, 1].argmin(), eastward[-1]), eastward[:2]]):
        square = np.add(TABLE, [CELL * j - 0.5, CELL * i - 0.5])
        start, end = (places[[i, j]] + MAP).round(1).tolist()
        path += "M{} {}h10v10h-10z".format(*square) + "M{} {}L{} {}".format(*start, *end)
    rules = dot("idea-pair", [(RISEN, "opacity:0"), (COPY, "opacity:1")])
    return f'<path class="idea-pair" d="{path}"/>', rules


def bell():
    """Return the kernel's profile under the bent map, and the rules by which it narrows."""
    x = np.linspace(-2, 2, 81)
    ends = np.column_stack([REACH * x, -24 * np.exp(-16 * x**2)]).round(1).tolist()
    path = "M" + "L".join(f"{x} {y}" for x, y in ends)
    steps = np.linspace(BENDING, BENT_AT, len(WIDTHS))
    place = f"translate({BENT[0]}px,252px)"
    frames = [
        (at, f"transform:{place} scaleX({2 * width:.2f})")
        for at, width in zip(steps, WIDTHS, strict=True)
    ]
    (_, widest), *_ = frames
    frames = [(COPY, widest + ";opacity:0"), (COPIED, widest + ";opacity:1"), *frames]
    return f'<path class="idea-bell" d="{path}"/>', dot("idea-bell", frames)


def figure():
    """Return the figure as HTML."""
    D, found = maps()
    profile, rules_of_bell = bell()
    pairs, rules_of_pairs = pairs_drawn(found[0])
    rules = "".join(rules_of_dots(D, found)) + rules_of_bell + rules_of_pairs
    dots = "".join(
        f'<circle class="idea-{kind}{i}" r="4"/>' for kind in "ab" for i in range(len(D))
    )
    words = "".join(f'<text x="{x}" y="-8">{word}</text>' for word, x in WORDS.items())
    arrows = "".join(f'<path class="arrow" d="M{x} 119h24m-7 -6l7 6l-7 6"/>' for x in (243, 498))
    return (
        f"<style>{STYLE}@media screen and (prefers-reduced-motion:no-preference){{"
        f".idea :is(circle,.idea-bell,.idea-pair){{{PLAYS}}}.idea input{{{OVER}}}}}"
        f"@keyframes idea-over{{to{{visibility:hidden}}}}{rules}</style>"
        '<div class="idea"><input type="checkbox" aria-label="Hold the moving figure" '
        f'title="Hold or go on"><svg viewBox="0 -26 760 282" role="img" aria-label="{ALT}">'
        f'<g transform="translate{TABLE}">{"".join(table_paths(D))}</g>'
        f'{words}{arrows}<clipPath id="idea-frame"><path d="M{BENT[0] - REACH} 222h{2 * REACH}v32h'
        f'-{2 * REACH}z"/></clipPath><g clip-path="url(#idea-frame)">{profile}</g>{pairs}{dots}'
        "</svg></div>"
    )


if __name__ == "__main__":
    FIGURE.write_text(f"{figure()}\n", "utf-8")
