"""TeX in texts as MathML, and what stays as it is."""

import pytest

from core.mathml import mathml
from core.rendering import rendered


@pytest.mark.parametrize("text", ["$x^2$", r"\(x^2\)", "$$x^2$$", r"\[x^2\]", "$x\n= 2$"])
def test_tex_between_its_marks_is_mathml(text):
    html = rendered(f"So {text}. End")
    assert html.startswith("So <math") and html.endswith("</math>. End")


def test_a_formula_is_built_of_mathml_elements():
    assert mathml("x^2") == "<math><mrow><msup><mi>x</mi><mn>2</mn></msup></mrow></math>"
    assert mathml("x", display=True).startswith('<math display="block">')


@pytest.mark.parametrize(
    "text",
    [
        "She pays $6 + $3 = $9.",
        "At $12.00 per pair, 12 pairs cost $144.00 (12 x $12.00 = $144.00).",
        "She pays 2.40 x 5 = $<<2.4*5=12>>12, and $.40=$<<.4>>0.4 more.",
        "He earns 6000$ per month and spends 200$ of it.",
        "A line costs $5\n\nand the next 5$ too.",
        r"It is \$4 and \$5.",
    ],
)
def test_prices_stay_text(text):
    assert "<math" not in rendered(text)


@pytest.mark.parametrize(
    "text",
    [
        r"$\unknowncommand{x}$",
        r"$\frac$",
        "$25% of x$",
        "$" + "{" * 300 + "x" + "}" * 300 + "$",
        "$" + "x" * 2000 + "$",
        r"$\begin{array}{c}\multicolumn{2}{r}{x}\end{array}$",
    ],
)
def test_tex_that_is_not_understood_stays_as_it_is(text):
    assert rendered(f"So {text}.") == f"So {text}."


@pytest.mark.parametrize(
    "tex",
    [
        r"\text{<script>alert(1)</script>}",
        r"\text{<img src=x onerror=alert(1)>}",
        r"\text{</math><b>x</b>}",
        r"\text{<b>&lt;}",
        r"\href{javascript:alert(1)}{x}",
        r"\style{background:url(x)}{y}",
        r"\class{secret}{y}",
        r"\text{<mi onclick='x'>y</mi>}",
    ],
)
def test_nothing_of_the_writers_own_gets_into_the_page(tex):
    drawn = mathml(tex)
    for sign in ("script", "img", "<b", "href", "style", "secret", "onclick", "onerror"):
        assert sign not in drawn
