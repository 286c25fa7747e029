"""Lines of a CSV file that a spreadsheet may open."""

import csv
import io

import pytest

from core.csv import csv_line


@pytest.mark.parametrize("text", ["two\nlines", "two\r\nlines", "two\rlines", "a, b", 'said "so"', "ends so\n", ""])
def test_a_cell_is_read_as_it_was_written(text):
    line = csv_line([text, 1, None])
    assert list(csv.reader(io.StringIO(f"{line}\n", newline=""))) == [[text, "1", ""]]


def test_a_spreadsheet_takes_no_text_for_a_formula():
    assert csv_line(["=1+1", -1, "-1"]) == "'=1+1,-1,'-1"
