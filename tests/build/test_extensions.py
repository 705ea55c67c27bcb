"""What the extensions make of small pages, without a build of the book."""

import json
from types import SimpleNamespace

from docutils import nodes
from docutils.utils import new_document
from sphinx import addnodes

from _ext.code_folding import fold_code, text_html, write_minus_signs
from _ext.formulas import formula_keys, keep_names, keep_with_punctuation
from _ext.gallery import question_of
from _ext.hover_previews import write_previews
from _ext.internals import HideCodeCellNode
from _ext.search_records import RecordCollector, plain_tex
from tests.pages.conftest import words_of
from tests.pages.test_built_html import previews

APP = SimpleNamespace(builder=SimpleNamespace(format="html", out_suffix=".html"))


def page(*children):
    """Return a page with one section."""
    document = new_document("page")
    document += nodes.section("", *children, ids=["top"])
    return document


def forms(tex):
    """Return the TeX of a displayed formula on phones and on wide screens."""
    return [json.loads(key)[0] for key in formula_keys(nodes.math_block("", tex, nowrap=False))]


def test_only_a_single_line_break_is_left_out_on_wide_screens():
    narrow, wide = r"\begin{split}a \\ \quad b\end{split}", r"\begin{split}a  b\end{split}"
    assert forms(r"a \\ \quad b") == [narrow, wide]
    assert forms(r"a \\ b \\ \quad c") == [r"\begin{split}a \\ b \\ \quad c\end{split}"] * 2
    assert forms("a\n\nb") == [r"\begin{align}\begin{aligned}a\\b\end{aligned}\end{align}"] * 2


def test_lines_end_neither_at_the_edges_of_a_formula_nor_in_a_name():
    paragraph = nodes.paragraph("", "see (", nodes.math("", "k"), nodes.Text("-means, and t-SNE."))
    keep_with_punctuation(APP, page(paragraph), "page")
    keep_names(APP, paragraph, "page")
    assert [part.astext() for part in paragraph] == ["see ", "(k-means,", " and ", "t-SNE", "."]


def cell(source, *outputs, folded=False, **options):
    """Return a code cell with its outputs."""
    code = nodes.literal_block("", source)
    parts = [HideCodeCellNode("", code) if folded else code]
    parts += [nodes.container("", *outputs)] * bool(outputs)
    options |= {"hide_mode": "input"} if folded else {}
    return nodes.container("", *parts, nb_element="cell_code", **options)


def printed(text):
    """Return printed output."""
    return nodes.literal_block("", text)


def folded_text(*children):
    """Return the text of a page after its code was folded, with folds in brackets."""
    document = page(*children)
    fold_code(APP, document, "page")
    for code in list(document.findall(HideCodeCellNode)):
        code.replace_self([nodes.Text("["), *code.children, nodes.Text("]")])
    text = document.astext().replace("</summary>", ": ").replace("</details>", "]")
    return words_of(text.replace("<details", "[<details")).replace("[ ", "[").replace(" ]", "]")


def test_first_checks_are_shown_and_the_others_are_folded_at_the_end():
    found = folded_text(
        cell("one", printed("✓ a\n✓ b\n≠ c")),
        nodes.container("", nodes.Text("Theorem"), realtype="theorem"),
        cell("two", printed("✓ d\n3.5")),
        cell("def three", printed("✓ e")),
        cell("four", printed("✓ b")),
        nodes.section("", nodes.Text("Exercises")),
    )
    shown = "[✓ a ≠ c: one] Theorem two 3.5 ✓ d def three"
    assert found == f"{shown} [✓ 2 more checks passed: ✓ b ✓ e four] Exercises"


def test_figure_comes_before_its_code_and_follows_the_theme():
    picture = nodes.figure("", nodes.caption("", "Picture"))
    drawing = cell("drawing", picture, folded=True)
    photograph = cell("photograph", picture.deepcopy(), classes=["tag_grey-picture"])
    cells = cell("preparation"), drawing, cell("rest", folded=True), photograph
    found = folded_text(cell("data", folded=True), nodes.paragraph("", "Question"), *cells)
    assert found == "Question Picture [drawing] [data] preparation [rest] photograph Picture"
    assert (drawing["classes"], photograph["classes"]) == (["drawing"], ["tag_grey-picture"])


def test_numbers_and_symbols_are_typeset():
    assert text_html("1e-05 < 2.5e-3") == "10<sup>−05</sup> &lt; 2.5·10<sup>−3</sup>"
    assert text_html("x_1 = lambda_ij^-2") == "x<sub>1</sub> = λ<sub>ij</sub><sup>−2</sup>"
    assert text_html("alpha is -1 in k-means") == "α is −1 in k-means"
    table = nodes.raw("", '<td class="a-b">a-b</td><td>-1</td>', format="html")
    write_minus_signs(APP, page(table), "page")
    assert table.astext() == '<td class="a-b">a-b</td><td>−1</td>'


def test_formulas_are_searched_as_text():
    assert plain_tex(r"\tfrac12 \frac{a + b}{c} - \binom n k") == "1/2 (a + b)/c − (n choose k)"
    assert plain_tex(r"\lambda_{ij} x^2 \ne 0") == "λ\ue002ij\ue003 x\ue0042\ue005 ≠ 0"


def test_each_block_has_a_record():
    term = nodes.term("", "strain", ids=["term-strain"])
    signature = addnodes.desc_signature("", "f(x)", ids=["lib.f"], fullname="f")
    blocks = [
        nodes.title("", "Maps"),
        nodes.paragraph("", "We have"),
        nodes.math_block("", "a = b"),
        nodes.paragraph("", "where b is 1."),
        nodes.math_block("", "c"),
        nodes.paragraph("", "Next."),
        nodes.section("", nodes.title("", "Stress"), ids=["s"]),
        nodes.definition_list_item("", term, nodes.paragraph("", "Loss.")),
        addnodes.desc("", signature, nodes.paragraph("", "Return x."), objtype="function"),
        nodes.figure("", nodes.image(), nodes.caption("", "A map."), ids=["fig"]),
    ]
    sections, numbers = {"": (4,), "#s": (4, 1)}, {"figure": {"fig": (4, 2)}}
    env = SimpleNamespace(toc_secnumbers={"page": sections}, toc_fignumbers={"page": numbers})
    collector = RecordCollector(SimpleNamespace(env=env), "page")
    collector.collect(page(*blocks), [])
    assert [record[:4] for record in collector.records] == [
        ("section", "4 Maps", "", ["We have a = b where b is 1. c …", "Next."]),
        ("section", "4.1 Stress", "s", []),
        ("term", "strain", "term-strain", ["Loss."]),
        ("function", "f", "lib.f", ["Return x."]),
        ("figure", "Fig. 4.2", "fig", ["A map."]),
    ]


def test_the_question_of_a_page_is_its_first_paragraph_if_that_is_bold():
    words = [nodes.Text(""), nodes.strong("", "Why?"), nodes.Text("")]  # as MyST writes them
    assert question_of(page(nodes.paragraph("", "", *words))) == "Why?"
    assert question_of(page(nodes.paragraph("", "", *words, nodes.Text("Text.")))) is None


def test_references_show_excerpts_with_addresses_from_the_root(tmp_path):
    link = '<a class="reference internal" href="{}">x</a>'
    links = "".join(map(link.format, ("#sec", "b.html#thm", "../sub/b.html#term")))
    blocks = '<section id="sec"><h2>Maps</h2><p>One.</p><p>Two.</p></section>'
    blocks += '<div id="thm"><a href="../c.html#d">x</a></div><dt id="term">z</dt><dd>Loss.</dd>'
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "b.html").write_text(f"<article><p>{links}</p>{blocks}</article>", "utf-8")
    env = SimpleNamespace(found_docs={"sub/b"})
    write_previews(SimpleNamespace(builder=APP.builder, env=env, outdir=tmp_path))
    assert previews("sub/b.html", tmp_path) == {
        "sec": '<p class="preview-title">Maps</p><p>One.</p>',
        "thm": '<div><a href="@c.html#d">x</a></div>',
        "term": "<dl><dt>z</dt><dd>Loss.</dd></dl>",
    }
