"""Serve the fonts of the book from the site itself, each with the characters that pages use.

Text is set in STIX Two Text, formulas in MathJax's STIX Two; the theme's icons are a font too.
"""

import base64
import html
import json
import logging
import re
from io import BytesIO
from pathlib import Path

from built_pages import PACKAGES, is_finished, read_pages, rewrite_pages, root_of
from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTFont

TEXT = PACKAGES / "@fontsource" / "stix-two-text" / "files"
MATH = PACKAGES / "@mathjax" / "mathjax-stix2-font" / "chtml" / "woff2"
FACES = {
    "400-normal": (400, "normal"),
    "400-italic": (400, "italic"),
    "700-normal": (700, "normal"),
    "700-italic": (700, "italic"),
}
MATH_SOURCE = re.compile(r'src: url\("fonts/([\w-]+\.woff2)"\)')
# Formulas keep their room whatever font sets them, but for what these measure; they are small.
MEASURES = ("mjx-stx-brk.woff2", "mjx-stx-zero.woff2")
# Every page sets its first lines in these; a browser would learn of them late.
EARLY = [
    f"stix-two-text-latin-{face}.woff2" for face in ("400-normal", "700-normal", "400-italic")
]
FACE = """@font-face {{
  font-family: "STIX Two Text";
  font-weight: {};
  font-style: {};
  font-display: swap;
  src: url("fonts/{}") format("woff2");
  unicode-range: {};
}}
"""
# From a folder a browser loads fonts, but refuses to load them early.
ASK_EARLY = """<script>
    if (location.protocol !== "file:")
      for (const href of {})
        document.head.append(
          Object.assign(document.createElement("link"), {{
            rel: "preload", as: "font", type: "font/woff2", crossOrigin: "anonymous", href,
          }}),
        );
  </script>
  """
# ".fa-bars:before{content:"\f0c9"}" names an icon; other rules of the theme use its number, or
# the character itself.
ICON = re.compile(r"((?:\.fa-[\w-]+:before,?)+)\{content:\"\\([0-9a-f]+)\"\}")
NUMBER = re.compile(r"\\([0-9a-f]{4,5})\b")
PRIVATE = re.compile("[\ue000-\uf8ff]")


logging.getLogger("fontTools").setLevel(logging.WARNING)


def characters_of(app):
    """Return the numbers of all characters that the pages or the formulas' style sheet hold."""
    texts = [html.unescape(text) for _, text in read_pages(app)]
    sheet = Path(app.outdir) / "_static" / "formulas.css"
    styles = sheet.read_text("utf-8") if sheet.is_file() else ""
    return {*map(ord, set().union(*texts)), *(int(n, 16) for n in NUMBER.findall(styles))}


def cut_icons(app):
    """Drop the rules of icons that no page names; return the numbers of those that are left."""
    named = {name for _, text in read_pages(app) for name in re.findall(r"\bfa-[\w-]+", text)}
    numbers = set()
    for sheet in Path(app.outdir, "_static").rglob("*.css"):
        styles = sheet.read_text("utf-8")
        cut = ICON.sub(
            lambda rule: rule[0] if named & set(re.findall(r"fa-[\w-]+", rule[1])) else "", styles
        )
        if cut != styles:
            sheet.write_text(cut, "utf-8")
        numbers |= {int(number, 16) for number in NUMBER.findall(cut)}
        numbers |= set(map(ord, PRIVATE.findall(cut)))
    return numbers


def subset(source, characters):
    """Return the part of a font that sets some characters, as bytes, and those that it has."""
    font = TTFont(source, recalcTimestamp=False)
    kept = characters & font.getBestCmap().keys()
    options = Options(layout_features=["*"], notdef_outline=True, hinting=False)
    options.drop_tables += ["ltag"]
    subsetter = Subsetter(options)
    subsetter.populate(unicodes=kept)
    subsetter.subset(font)
    font.flavor = "woff2"
    packed = BytesIO()
    font.save(packed)
    return packed.getvalue(), kept


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
            font, kept = subset(TEXT / name, characters)
            if kept:
                (folder / name).write_bytes(font)
                rules.append(FACE.format(weight, style, name, ranges(kept)))
    return "".join(rules)


def math_faces(static, characters):
    """Write the fonts of the formulas, and let their style sheet use them without waiting."""
    for path in MATH.glob("*.woff2"):
        (static / "fonts" / path.name).write_bytes(subset(path, characters)[0])
    sheet = static / "formulas.css"
    if not sheet.is_file():
        return

    def source(rule):
        address = f"fonts/{rule[1]}"
        if rule[1] in MEASURES:
            font = (static / address).read_bytes()
            address = f"data:font/woff2;base64,{base64.b64encode(font).decode()}"
        return f'font-display: swap;\n  src: url("{address}")'

    sheet.write_text(MATH_SOURCE.sub(source, sheet.read_text("utf-8")), "utf-8")


def icon_faces(app):
    """Cut the theme's icon fonts down to the icons in use, and drop its script that draws them."""
    static = Path(app.outdir) / "_static"
    icons = cut_icons(app)
    for path in (static / "vendor" / "fontawesome" / "webfonts").glob("*.woff2"):
        path.write_bytes(subset(path, icons)[0])
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
    math_faces(folder.parent, characters)
    (folder.parent / "fonts.css").write_text(text_faces(folder, characters), "utf-8")

    def ask_early(path, text):
        addresses = [f"{root_of(app, path)}_static/fonts/{name}" for name in EARLY]
        script = ASK_EARLY.format(json.dumps(addresses))
        return text if script in text else text.replace("<title>", f"{script}<title>", 1)

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
