"""Serve the fonts of the book from the site itself, each with the characters that pages use.

Text is set in STIX Two Text, formulas in MathJax's STIX Two; the theme's icons are a font too.
"""

import html
import re
from io import BytesIO
from pathlib import Path

from built_pages import PACKAGES, is_finished, read_pages, rewrite_pages, root_of
from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTFont

TEXT = PACKAGES / "@fontsource" / "stix-two-text" / "files"
MATH = PACKAGES / "@mathjax" / "mathjax-stix2-font" / "chtml" / "woff2"
FACES = {"400-normal": (400, "normal"), "400-italic": (400, "italic"), "700-normal": (700, "normal"), "700-italic": (700, "italic")}
# The first line of a page needs these; a browser would learn of them late.
FIRST = ("stix-two-text-latin-400-normal.woff2", "mjx-stx-n.woff2", "mjx-stx-mi.woff2")
FACE = """@font-face {{
  font-family: "STIX Two Text";
  font-weight: {weight};
  font-style: {style};
  font-display: swap;
  src: url("fonts/{name}") format("woff2");
  unicode-range: {characters};
}}
"""
# ".fa-bars:before{content:"\f0c9"}" names an icon; other rules of the theme use its number.
ICON = re.compile(r"((?:\.fa-[\w-]+:before,?)+)\{content:\"\\([0-9a-f]+)\"\}")
NUMBER = re.compile(r"\\([0-9a-f]{4,5})\b")


def characters_of(app):
    """Return the numbers of all characters that the pages or the formulas' style sheet hold."""
    texts = [html.unescape(text) for _, text in read_pages(app)]
    sheet = Path(app.outdir) / "_static" / "formulas.css"
    styles = sheet.read_text("utf-8") if sheet.is_file() else ""
    return {*map(ord, set().union(*texts)), *(int(n, 16) for n in NUMBER.findall(styles))}


def icons_of(app):
    """Return the numbers of the icons that pages name and style sheets draw."""
    named = {name for _, text in read_pages(app) for name in re.findall(r"\bfa-[\w-]+", text)}
    numbers = set()
    for sheet in Path(app.outdir, "_static").rglob("*.css"):
        styles = sheet.read_text("utf-8")
        for names, number in ICON.findall(styles):
            if named & set(re.findall(r"fa-[\w-]+", names)):
                numbers.add(int(number, 16))
        numbers |= {int(number, 16) for number in NUMBER.findall(ICON.sub("", styles))}
    return numbers


def subset(source, target, characters):
    """Write the part of a font that sets some characters; return those that it has."""
    font = TTFont(source, recalcTimestamp=False)
    kept = characters & font.getBestCmap().keys()
    options = Options(layout_features=["*"], notdef_outline=True, hinting=False)
    options.drop_tables += ["ltag"]
    subsetter = Subsetter(options)
    subsetter.populate(unicodes=kept)
    subsetter.subset(font)
    font.flavor = "woff2"
    packed = BytesIO()  # the target may be the source
    font.save(packed)
    target.write_bytes(packed.getvalue())
    return kept


def ranges(characters):
    """Return numbers as the ranges of CSS: U+41-5A, U+E9."""
    runs = []
    for number in sorted(characters):
        if runs and number == runs[-1][1] + 1:
            runs[-1][1] = number
        else:
            runs.append([number, number])
    return ", ".join(f"U+{a:X}" if a == b else f"U+{a:X}-{b:X}" for a, b in runs)


def text_faces(folder, characters):
    """Write the text fonts; return the rules that name them."""
    rules = []
    for face, (weight, style) in FACES.items():
        for part in ("latin", "latin-ext"):
            name = f"stix-two-text-{part}-{face}.woff2"
            kept = subset(TEXT / name, folder / name, characters)
            if kept:
                rules.append(FACE.format(weight=weight, style=style, name=name, characters=ranges(kept)))
    return "".join(rules)


def math_faces(folder, characters):
    """Write the fonts of the formulas, to which their style sheet already points."""
    for source in MATH.glob("*.woff2"):
        subset(source, folder / source.name, characters)


def icon_faces(app):
    """Cut the theme's icon fonts down to the icons in use, and drop its script that draws them."""
    static = Path(app.outdir) / "_static"
    icons = icons_of(app)
    for font in (static / "vendor" / "fontawesome" / "webfonts").glob("*.woff2"):
        subset(font, font, icons)
    for script in static.glob("scripts/fontawesome.*"):
        script.unlink()


def place_fonts(app, exception):
    """Write the fonts and let every page ask early for those of its first lines."""
    if not is_finished(app, exception):
        return
    icon_faces(app)
    if not TEXT.is_dir():
        return
    folder = Path(app.outdir) / "_static" / "fonts"
    folder.mkdir(exist_ok=True)
    characters = characters_of(app)
    math_faces(folder, characters)
    (folder.parent / "fonts.css").write_text(text_faces(folder, characters), "utf-8")

    def ask_early(path, text):
        links = "".join(
            f'<link rel="preload" href="{root_of(app, path)}_static/fonts/{name}" '
            'as="font" type="font/woff2" crossorigin>'
            for name in FIRST
            if name.startswith("stix") or "<mjx-container" in text
        )
        return text if links in text else text.replace("<title>", f"{links}<title>", 1)

    rewrite_pages(app, ask_early)


def link_fonts(app, config):
    """Link the rules of the text fonts, where the fonts were fetched."""
    if TEXT.is_dir():
        config.html_css_files.append("fonts.css")


def setup(app):
    """Register the extension."""
    app.connect("config-inited", link_fonts)
    # After the formulas are set (500), whose characters count.
    app.connect("build-finished", place_fonts, priority=800)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
