"""Cut the fonts that the site serves down to the characters and icons that its pages use.

Those of text and code come in parts, of which a browser fetches what a page has characters of.
The faces of the first lines stand in the style sheet itself: no line is set in another font first.
"""

import base64
import html
import logging
import re
from pathlib import Path

from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTFont
from html_postprocess import PACKAGES, read_pages, when_written

TEXT = PACKAGES / "@fontsource"
FORMULAS = PACKAGES / "@mathjax" / "mathjax-stix2-font" / "chtml" / "woff2"
# Code is half an em wide: seventy-nine characters fit the column at a size for reading.
PARTS = {
    "stix-two-text-latin": (
        "STIX Two Text",
        "U+0000-00FF, U+0131, U+0152-0153, U+02BB-02BC, U+02C6, U+02DA, U+02DC, U+0304, U+0308, "
        "U+0329, U+2000-206F, U+20AC, U+2122, U+2191, U+2193, U+2212, U+2215, U+FEFF, U+FFFD",
    ),
    "stix-two-text-latin-ext": (
        "STIX Two Text",
        "U+0100-02BA, U+02BD-02C5, U+02C7-02CC, U+02CE-02D7, U+02DD-02FF, U+1D00-1DBF, "
        "U+1E00-1E9F, U+1EF2-1EFF, U+2020, U+20A0-20AB, U+20AD-20C0, U+2113, U+2C60-2C7F, "
        "U+A720-A7FF",
    ),
    "iosevka-charon-mono-latin": ("Iosevka Charon Mono", "U+0000-00FF, U+2000-22FF"),
    "iosevka-charon-mono-greek": ("Iosevka Charon Mono", "U+0370-03FF"),
}
FIRST_LINES = {
    f"stix-two-text-latin-{face}" for face in ("400-normal", "700-normal", "400-italic")
}
FACE = """\
@font-face {{
  font-family: "{family}";
  font-weight: {weight};
  font-style: {style};
  font-display: swap;
  src: url("{place}") format("woff2");
  unicode-range: {characters};
}}
"""
NUMBER = re.compile(r"\\([0-9a-f]{4,5})\b")
# ".fa-bars:before{content:"\f0c9"}"; other rules of the theme hold an icon's number or itself.
ICON = re.compile(r"(?:\.fa-[\w-]+:before,?)+\{content:\"\\[0-9a-f]+\"\}")
PRIVATE = re.compile("[\ue000-\uf8ff]")
logging.getLogger("fontTools").setLevel(logging.WARNING)


def cut(source, target, characters):
    """Write the part of a font that sets some characters, given by their numbers."""
    font = TTFont(source, recalcTimestamp=False)
    options = Options(layout_features=["*"], notdef_outline=True, hinting=False)
    options.drop_tables += ["ltag"]
    subsetter = Subsetter(options)
    subsetter.populate(unicodes=characters)
    subsetter.subset(font)
    font.flavor = "woff2"
    font.save(target)


def face(font):
    """Return the rule that holds a font of the first lines, or has a browser fetch another."""
    part, weight, style = font.stem.rsplit("-", 2)
    family, characters = PARTS[part]
    place = f"fonts/{font.name}"
    if font.stem in FIRST_LINES:
        place = f"data:font/woff2;base64,{base64.b64encode(font.read_bytes()).decode()}"
    return FACE.format(
        family=family, weight=weight, style=style, place=place, characters=characters
    )


def cut_icons(static, pages):
    """Drop the rules of icons that no page names; return the numbers of the icons in use."""
    named, numbers = set(re.findall(r"\bfa-[\w-]+", pages)), set()
    for sheet in static.rglob("*.css"):
        styles = ICON.sub(
            lambda rule: rule[0] if named & {*re.findall(r"fa-[\w-]+", rule[0])} else "",
            sheet.read_text("utf-8"),
        )
        sheet.write_text(styles, "utf-8")
        numbers |= {int(number, 16) for number in NUMBER.findall(styles)}
        numbers |= set(map(ord, PRIVATE.findall(styles)))
    return numbers


def cut_fonts(app):
    """Write the fonts of text, formulas and icons that the pages of this build need."""
    static, pages = Path(app.outdir) / "_static", "\n".join(text for _, text in read_pages(app))
    formulas = NUMBER.findall((static / "formulas.css").read_text("utf-8"))
    characters = {*map(ord, html.unescape(pages)), *(int(number, 16) for number in formulas)}
    (static / "fonts").mkdir(exist_ok=True)
    texts = sorted(TEXT.glob("*/files/*.woff2"))
    for source in [*texts, *FORMULAS.glob("*.woff2")]:
        cut(source, static / "fonts" / source.name, characters)
    faces = (face(static / "fonts" / source.name) for source in texts)
    sheet = static / "type.css"
    sheet.write_text("".join(faces) + sheet.read_text("utf-8"), "utf-8")
    icons = cut_icons(static, pages)
    for path in static.glob("vendor/fontawesome/webfonts/*.woff2"):
        cut(path, path, icons)


def setup(app):
    """Register the extension."""
    # After the formulas are set (500), whose characters count.
    when_written(app, cut_fonts, priority=800)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
