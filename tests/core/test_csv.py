"""Lines of a CSV file that a spreadsheet may open."""

import csv
import io
import re
from decimal import Decimal
from pathlib import Path

import pytest

from core.csv import csv_line


@pytest.mark.parametrize("text", ["two\nlines", "two\r\nlines", "two\rlines", "a, b", 'said "so"', "ends so\n", ""])
def test_a_cell_is_read_as_it_was_written(text):
    line = csv_line([text, 1, None])
    assert list(csv.reader(io.StringIO(f"{line}\n", newline=""))) == [[text, "1", ""]]


def test_a_spreadsheet_takes_no_text_for_a_formula():
    assert csv_line(["=1+1", -1, "-1"]) == "'=1+1,-1,'-1"


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠", "'=", "''@"])
def test_a_formula_is_told_from_an_apostrophe_of_its_own(start):
    """One apostrophe is taken away again from before what may be a formula: no two texts are written alike."""
    text = f"{start}cmd|' /C calc'!A0"
    [[cell]] = csv.reader(io.StringIO(f"{csv_line([text])}\n", newline=""))
    assert cell == f"'{text}"


@pytest.mark.parametrize("cell", [-0.5, -1, 1e-9, Decimal("-2.50"), "'tis", "a=b", "1-2", "é"])
def test_numbers_and_plain_texts_stay_as_they_are(cell):
    assert csv_line([cell]) == str(cell)


def test_csv_is_written_in_two_places_alone():
    """Here, and where a published format is written byte by byte."""
    root = Path(__file__).resolve().parent.parent.parent
    rooms = ("annotate", "config", "core", "evaluators", "factor", "jobs", "knowledge", "llm", "ratings", "stats")
    sources = [path for room in rooms for path in (root / room).rglob("*.py")]
    writers = {str(path.relative_to(root)) for path in sources if re.search(r"csv\.(Dict)?[wW]riter", path.read_text())}
    assert writers == {"core/csv.py", "factor/csv_format/style.py"}
