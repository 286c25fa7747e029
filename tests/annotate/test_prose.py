"""Guidelines are Markdown, whoever wrote them and whatever they wrote."""

import re

import pytest

from annotate.templatetags.prose import continued_text, markdown, prose


def test_lists_and_emphasis_are_shown_as_such():
    assert markdown("1. **Error** means false.\n2. Look up.") == (
        '<ol dir="auto"><li value="1"><strong>Error</strong> means false.</li><li value="2">Look up.</li></ol>'
    )


@pytest.mark.parametrize(
    "text",
    [
        "<script>alert(1)</script>",
        "<img src=x onerror=alert(1)>",
        "[press](javascript:alert(1))",
        "![seen](https://example.org/pixel.gif)",
        '[press](https://example.org/"onclick="alert(1))',
    ],
)
def test_nothing_that_could_run_or_be_fetched_comes_out(text):
    html = markdown(text)
    assert "<script" not in html
    assert "<img" not in html
    assert all(address.startswith("https://") for address in re.findall(r'href="([^"]*)"', html))
    assert 'onclick="' not in html


def test_a_reason_stands_behind_words_of_the_page_in_its_own_direction_and_blocks_below():
    assert prose("זה *לא* <b>.") == "<bdi>זה <em>לא</em> &lt;b&gt;.</bdi>"
    assert prose("- `x`\n- two") == (
        '<div class="blocks"><ul dir="auto"><li><code>x</code></li><li>two</li></ul></div>'
    )
    assert prose("") == ""


def test_what_a_model_goes_on_with_is_marked_within_the_block_that_it_continues():
    assert continued_text("A **wr", "ote** <b>. It ran.") == (
        '<span class="quiet">A </span><strong><span class="quiet">wr</span><span class="generated">ote</span></strong>'
        '<span class="generated"> &lt;b&gt;. It ran.</span>'
    )
