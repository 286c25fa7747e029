"""Numbers that a page sends."""

import pytest

from core.numbers import LONGEST_NUMBER, read_number


@pytest.mark.parametrize("sent", ["", "-1", "1.5", " 1", "one", "²", "9" * (LONGEST_NUMBER + 1), "9" * 5000])
def test_what_is_no_number_of_any_row(sent):
    assert read_number(sent) is None


@pytest.mark.parametrize("sent", ["0", "42", "9" * LONGEST_NUMBER])
def test_a_number(sent):
    assert read_number(sent) == int(sent)
