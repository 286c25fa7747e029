"""Figures as they stand on a page."""

from django.template import Context, Template

from annotate.templatetags.figures import percent, rate, whisker


def test_a_rate_has_three_decimals() -> None:
    assert rate(0.4258) == "0.426"


def test_an_undefined_rate_is_a_dash_that_says_why() -> None:
    assert rate(None, "no error in gold") == '<span class="quiet" title="no error in gold">–</span>'


def test_a_share_is_a_whole_percentage() -> None:
    assert percent(0.907) == "91 %"


def test_the_dot_stands_where_its_value_is() -> None:
    # The axis is 200 wide with margins of 6: 6 + 0.25 × 188 = 53, 6 + 0.2 × 188 = 43.6, 6 + 0.5 × 188 = 100.
    drawn = whisker(0.25, [0.2, 0.5], marks=[0.5, None])
    assert drawn["at"] == 53.0
    assert drawn["line"] == [43.6, 100.0]
    assert drawn["marks"] == [100.0]


def test_what_lies_outside_the_axis_is_drawn_at_its_end() -> None:
    assert whisker(-0.2, [-0.4, 0.1])["at"] == 6.0


def test_a_whisker_says_its_figures_in_words() -> None:
    page = Template("{% load figures %}{% whisker 0.25 interval %}").render(Context({"interval": [0.2, 0.5]}))
    assert 'aria-label="0.250, 95 % interval 0.200 to 0.500"' in page
    assert "style=" not in page


def test_an_undefined_whisker_has_no_dot() -> None:
    page = Template("{% load figures %}{% whisker None %}").render(Context())
    assert "undefined" in page and "<circle" not in page
