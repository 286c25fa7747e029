"""Texts as HTML: what is drawn, what stays as it is written, and what of a text stands in a stretch of it."""

import pytest

from core.markup_chunks import chunks_of
from core.rendering import (
    Stretch,
    is_shown_as_stored,
    rendered,
    rendered_prose,
    rendered_short,
    rendered_stretch,
    rendered_with_marks,
)

TABLE = "| City | People |\n|---|--:|\n| Bonn | 337,000 |\n| Ulm | |\n"
ANSWER = f"""# Rivers

The **Rhine. It** is `1,230` km long, or $\\frac{{1}}{{4}}$ of *that*.

1. Bonn. It was a capital.
2. Ulm
   - old

{TABLE}
```python
a = "<b>"
b = 2
```

> She said \\(x^2\\).

\\[
y = 1

+ 2
\\]
"""


def shown_of(text: str, stretch: str) -> str:
    start = text.index(stretch)
    return rendered_stretch(text, start, start + len(stretch))


@pytest.mark.parametrize(
    "text",
    [
        "One.\nTwo.\n\n   Three, 2019; AT&T's <b>x</b> (a - b) [1].",
        "snake case, 50% of 3 > 2 and 2 < 3, #1.",
        "中文没有空格。第二句。",
        "شكرا. 12",
    ],
)
def test_lines_of_text_are_shown_as_they_are_stored(text):
    assert rendered(text) == text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace("'", "&#x27;")
    assert is_shown_as_stored(text, 0, len(text))


def test_several_empty_lines_are_shown_as_one():
    assert rendered("One.\n\n\n \nTwo.") == "One.\n\nTwo."


def test_one_paragraph_needs_no_block():
    assert rendered("A **b**\nc") == "A <strong>b</strong>\nc"


@pytest.mark.parametrize(
    "part",
    [
        '<p class="heading h1" dir="auto">Rivers</p>',
        "The <strong>Rhine. It</strong> is <code>1,230</code> km",
        "<math><mrow><mfrac><mrow><mn>1</mn></mrow><mrow><mn>4</mn></mrow></mfrac></mrow></math> of <em>that</em>.</p>",
        '<ol dir="auto"><li value="1">Bonn. It was a capital.</li><li value="2">Ulm<ul><li>old</li></ul></li></ol>',
        '<table dir="auto"><thead><tr><th>City</th><th class="end">People</th></tr></thead>',
        '<tr><td>Ulm</td><td class="end"></td></tr></tbody></table>',
        '<pre dir="ltr"><code>a = &quot;&lt;b&gt;&quot;\nb = 2</code></pre>',
        '<blockquote dir="auto"><p>She said <math>',
        '<div class="formula" dir="auto"><math display="block"><mrow><mi>y</mi><mo>=</mo><mn>1</mn><mo>+</mo>',
    ],
)
def test_blocks_are_drawn(part):
    assert part in rendered(ANSWER)


@pytest.mark.parametrize(
    ("stretch", "html"),
    [
        ("The **Rhine.", "The <strong>Rhine.</strong>"),
        ("It** is `1,230` km", "<strong>It</strong> is <code>1,230</code> km"),
        ("2. Ulm", '<div class="blocks"><ol dir="auto"><li value="2">Ulm</li></ol></div>'),
        ("It was a capital.", '<div class="blocks"><ol dir="auto"><li value="1" class="goes-on">It was a capital.'),
        ("| Bonn | 337,000 |", '<table dir="auto"><tbody><tr><td>Bonn</td><td class="end">337,000</td></tr></tbody>'),
        ("b = 2", '<div class="blocks"><pre dir="ltr"><code>b = 2</code></pre></div>'),
        ("|---|--:|", "|---|--:|"),
        ("```python", "```python"),
    ],
)
def test_a_stretch_is_shown_within_its_blocks(stretch, html):
    assert html in shown_of(ANSWER, stretch)


def test_marks_lie_over_what_is_drawn():
    text = "A **b. C** d.\n\n- e"
    stretches = [Stretch(0, 6, "piece"), Stretch(6, 7), Stretch(7, 13, "piece here"), Stretch(13, 18)]
    assert rendered_with_marks(text, stretches) == (
        '<div class="blocks"><p dir="auto"><span class="piece">A </span><strong><span class="piece">b.</span> '
        '<span class="piece here">C</span></strong><span class="piece here"> d.</span></p>'
        '<ul dir="auto"><li>e</li></ul></div>'
    )
    assert rendered_with_marks("Ab", [Stretch(0, 1, "piece"), Stretch(1, 2)]) == '<span class="piece">A</span>b'


@pytest.mark.parametrize(
    "text", [ANSWER, ANSWER.replace("\n", "\r\n"), TABLE.replace("Ulm", "a\\|b"), "> - `a`\n>   b"]
)
def test_chunks_stand_in_order_where_they_stand_in_the_source(text):
    chunks = chunks_of(text)
    assert [each.start for each in chunks] == sorted(each.start for each in chunks)
    source = text.replace("\r", " ")
    assert all(source[each.start : each.end] == each.text for each in chunks if each.text)


def test_a_stretch_of_every_character_shows_each_of_them():
    letters = [rendered_stretch(ANSWER, at, at + 1) for at in range(ANSWER.index("Rhine"), ANSWER.index(" km"))]
    assert "<strong>R</strong>" in letters
    assert "<code>1</code>" in letters


@pytest.mark.parametrize(
    "text",
    [
        "2*3*4 = 24",
        "(-1*-1)*-1",
        "It is 3 * 4 and a_b_c.",
        "She pays $6 + $3 = $9.",
        "See https://a.org/Food,_Farming_and_(x)",
        "[1]: https://a.org/",
        r"a\(b, C:\dir, \[c",
        r"So $\unknowncommand{x_1}$ or \(\unknown_a_b\).",
        "$" + "x" * 2000 + "$",
    ],
)
def test_what_is_no_markup_keeps_its_characters(text):
    assert rendered(text) == text


def test_line_ends_that_are_spelled_become_line_ends():
    assert rendered(r"One.\n\nTwo with \neq.") == "One.\n\nTwo with \\neq."


def test_bold_text_needs_no_blanks_beside_chinese_signs():
    assert rendered("这是**“重点”**的**内容。**好") == "这是<strong>“重点”</strong>的<strong>内容。</strong>好"


def test_a_formula_needs_no_blanks_beside_chinese_signs():
    assert "约<math>" in rendered("面积约$x^2$平方公里")


def test_a_formula_between_others_keeps_its_place():
    assert rendered(r"$x$, $\unknown$ and \(y\)") == (
        r"<math><mrow><mi>x</mi></mrow></math>, $\unknown$ and <math><mrow><mi>y</mi></mrow></math>"
    )


def test_links_lead_to_the_web_only():
    assert rendered('[a](https://x.org/?a=1&b="2)') == (
        '<a href="https://x.org/?a=1&amp;b=%222" rel="noopener noreferrer nofollow">a</a>'
    )
    for address in ("javascript:alert(1)", "data:text/html,x", "/logout", "mailto:a@b.org", "JAVASCRIPT:x"):
        assert "<a" not in rendered(f"[a]({address}) <{address}>")


def test_pictures_are_named_and_not_loaded():
    html = rendered('![A "map"](https://x.org/map.png)')
    assert html == '<span class="picture">Image: A &quot;map&quot; <code>https://x.org/map.png</code></span>'


@pytest.mark.parametrize(
    "text",
    [
        "**<script>alert(1)</script>** <img src=x onerror=alert(1)>",
        "<div onclick=x>\n\n- a\n\n</div>",
        '![a](https://x.org/"onerror="alert(1))',
        '[a](https://x.org/ "t" onclick=x)',
        '```html"><script>\n</code></pre><script>\n```',
        r"$\text{<script>}$ `<script>`",
        "| <script> | a |\n|---|---|\n| <b>x</b> | `<i>` |",
        "<https://x.org/\"onclick='x'>",
        "&lt;script&gt; *a*",
    ],
)
def test_nothing_of_the_writers_own_becomes_markup(text):
    html = rendered(text)
    for sign in ("<script", "<img", "<div o", "<b>", "<i>", '"onerror', '" onclick', '"onclick'):
        assert sign not in html


def test_what_is_nested_too_deep_is_shown_as_lines():
    text = "".join("  " * depth + "- a\n" for depth in range(60))
    assert rendered(text).count("- a") == 60


def test_headings_of_guidelines_are_headings_of_the_page():
    assert rendered_prose("# Rules\n\nOne\ntwo  \nthree") == (
        '<h1 dir="auto">Rules</h1><p dir="auto">One\ntwo  <br>three</p>'
    )


@pytest.mark.parametrize(
    ("text", "length", "html"),
    [
        ("Two\n lines", 20, "Two lines"),
        ("A long line of text", 7, "A long…"),
        ("**Bold** [link](https://x.org)\n\n- one\n- two", 40, "Bold link one two"),
        ("- `<b>` and more words", 12, "&lt;b&gt; and mor…"),
        ("Half is $x$.", 20, "Half is <math><mrow><mi>x</mi></mrow></math>."),
        ("So\n$$x$$", 20, "So <math><mrow><mi>x</mi></mrow></math>"),
        ("", 20, ""),
    ],
)
def test_a_list_has_the_beginning_in_one_line(text, length, html):
    assert rendered_short(text, length) == html


def test_a_list_has_the_cells_of_a_row_without_its_table():
    assert rendered_short("| water | 100 |\n", 40) == "water 100"
    assert rendered_short("|a| + |b|", 40) == "|a| + |b|", "absolute values"
