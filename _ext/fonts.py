"""Cut the fonts that the site serves down to the characters and icons that its pages use."""

import html
import logging
import re
from pathlib import Path

from built_pages import PACKAGES, read_pages, when_written
from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTFont

TEXT = PACKAGES / "@fontsource"
FORMULAS = PACKAGES / "@mathjax" / "mathjax-stix2-font" / "chtml" / "woff2"
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
    for source in [*TEXT.glob("*/files/*.woff2"), *FORMULAS.glob("*.woff2")]:
        cut(source, static / "fonts" / source.name, characters)
    icons = cut_icons(static, pages)
    for path in static.glob("vendor/fontawesome/webfonts/*.woff2"):
        cut(path, path, icons)


def setup(app):
    """Register the extension."""
    # After the formulas are set (500), whose characters count.
    when_written(app, cut_fonts, priority=800)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
