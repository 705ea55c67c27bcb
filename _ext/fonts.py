"""Reduce the fonts of the site to the characters and icons that its pages use.

Fonts of text and code are split by character range, so that a browser fetches only the ranges that
a page needs. The fonts of the first lines are embedded in the style sheet, so that no text is
first shown in another font.
"""

import base64
import html
import logging
import re
from pathlib import Path

from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTFont

from _ext.event_order import WRITE_FONTS
from _ext.node import PACKAGES
from _ext.written_pages import on_pages_written

TEXT_FONTS = (
    "stix-two-text/files/stix-two-text-latin*-[47]00-*.woff2",
    "iosevka-charon-mono/files/*-latin-400-normal.woff2",
    "iosevka-charon-mono/files/*-greek-400-normal.woff2",
)
FORMULA_FONTS = PACKAGES / "@mathjax" / "mathjax-stix2-font" / "chtml" / "woff2"
# Family and character range of each file. A character of the code font is half an em wide, so that
# 79 of them fit the column at a readable size.
CHARACTER_RANGES = {
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
EMBEDDED = {f"stix-two-text-latin-{face}" for face in ("400-normal", "700-normal", "400-italic")}
FONT_FACE = """\
@font-face {{
  font-family: "{family}";
  font-weight: {weight};
  font-style: {style};
  font-display: swap;
  src: url("{url}") format("woff2");
  unicode-range: {characters};
}}
"""
# An escaped character in a style sheet.
CODE_POINT = re.compile(r"\\([0-9a-f]{4,5})\b")
# The rule of one icon: .fa-bars:before{content:"\f0c9"}
ICON_RULE = re.compile(r"(?:\.fa-[\w-]+:before,?)+\{content:\"\\[0-9a-f]+\"\}")
ICON = re.compile(r"\bfa-[\w-]+")  # the name of an icon in a page or a rule
# Scripts that write text into pages.
SCRIPTS = ("pages.js", "laboratory.js")
logging.getLogger("fontTools").setLevel(logging.WARNING)


def write_subset(source, target, characters):
    """Write the subset of a font with the characters at the given code points."""
    font = TTFont(source, recalcTimestamp=False)
    options = Options(layout_features=["*"], notdef_outline=True, hinting=False)
    options.drop_tables += ["ltag"]
    subsetter = Subsetter(options)
    subsetter.populate(unicodes=characters)
    subsetter.subset(font)
    font.flavor = "woff2"
    font.save(target)


def font_face(font):
    """Return the @font-face rule of a font, which embeds the fonts of the first lines."""
    part, weight, style = font.stem.rsplit("-", 2)
    family, characters = CHARACTER_RANGES[part]
    url = f"fonts/{font.name}"
    if font.stem in EMBEDDED:
        url = f"data:font/woff2;base64,{base64.b64encode(font.read_bytes()).decode()}"
    return FONT_FACE.format(
        family=family, weight=weight, style=style, url=url, characters=characters
    )


def remove_unused_icons(static, pages):
    """Remove the rules of icons that no page uses; return the code points of the other icons."""
    used, code_points = set(ICON.findall(pages)), set()
    for sheet in static.rglob("*.css"):
        styles = ICON_RULE.sub(
            lambda rule: rule[0] if used & {*ICON.findall(rule[0])} else "",
            sheet.read_text("utf-8"),
        )
        sheet.write_text(styles, "utf-8")
        # Other rules of the theme contain the code point of an icon or the icon itself.
        code_points |= {int(number, 16) for number in CODE_POINT.findall(styles)}
        code_points |= {ord(sign) for sign in set(styles) if "\ue000" <= sign <= "\uf8ff"}
    return code_points


def write_fonts(app):
    """Write subsets of the fonts of text, formulas and icons for the pages of this build."""
    static, paths = Path(app.outdir) / "_static", sorted(Path(app.outdir).rglob("*.html"))
    pages = "\n".join(path.read_text("utf-8") for path in paths if static not in path.parents)
    formulas = CODE_POINT.findall((static / "formulas.css").read_text("utf-8"))
    scripts = "".join((static / name).read_text("utf-8") for name in SCRIPTS)
    characters = set(map(ord, html.unescape(pages) + scripts))
    characters |= {int(number, 16) for number in formulas}
    (static / "fonts").mkdir(exist_ok=True)
    texts = sorted(path for name in TEXT_FONTS for path in (PACKAGES / "@fontsource").glob(name))
    for source in [*texts, *FORMULA_FONTS.glob("*.woff2")]:
        write_subset(source, static / "fonts" / source.name, characters)
    faces = (font_face(static / "fonts" / source.name) for source in texts)
    sheet = static / "type.css"
    sheet.write_text("".join(faces) + sheet.read_text("utf-8"), "utf-8")
    icons = remove_unused_icons(static, pages)
    for path in static.glob("vendor/fontawesome/webfonts/*.woff2"):
        write_subset(path, path, icons)


def setup(app):
    """Register the extension."""
    on_pages_written(app, write_fonts, priority=WRITE_FONTS)
