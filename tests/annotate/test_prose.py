"""Guidelines are Markdown, whoever wrote them and whatever they wrote."""

import re

import pytest

from annotate.templatetags.prose import markdown


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
