"""Tables as text to paste."""

import csv
import io

import pytest
from django.http import Http404
from django.test import RequestFactory

from core.table_response import requested_table, table_response
from core.tables import Table, as_csv, as_latex, as_markdown

BOARD = Table(
    name="board",
    title="Evaluators",
    columns=("Evaluator", "F1", "n"),
    rows=(("always_wrong & 100 %", 0.4996, 4426), ("=SUM(A1)|x", None, 12)),
)


def test_csv_keeps_every_digit_and_leaves_the_undefined_empty() -> None:
    read = list(csv.reader(io.StringIO(as_csv(BOARD))))
    assert read == [["Evaluator", "F1", "n"], ["always_wrong & 100 %", "0.4996", "4426"], ["'=SUM(A1)|x", "", "12"]]


def test_markdown_rounds_aligns_numbers_and_escapes_markup() -> None:
    assert as_markdown(BOARD) == (
        "| Evaluator | F1 | n |\n"
        "| --- | ---: | ---: |\n"
        "| always\\_wrong \\& 100 % | 0.500 | 4426 |\n"
        "| =SUM(A1)\\|x | – | 12 |\n"
    )


def test_latex_is_a_tabular_with_what_is_special_escaped() -> None:
    assert as_latex(BOARD) == (
        "% Evaluators\n"
        "\\begin{tabular}{lrr}\n"
        "\\toprule\n"
        "Evaluator & F1 & n \\\\\n"
        "\\midrule\n"
        "always\\_wrong \\& 100 \\% & 0.500 & 4426 \\\\\n"
        "=SUM(A1)\\textbar{}x & -- & 12 \\\\\n"
        "\\bottomrule\n"
        "\\end{tabular}\n"
    )


@pytest.mark.parametrize("write", [as_markdown, as_latex])
def test_a_line_break_in_a_name_breaks_no_row(write: object) -> None:
    table = Table("t", "two\nlines", ("Name",), (("one\nname",),))
    assert callable(write)
    assert "one name" in write(table)
    assert "\ntwo" not in write(table) and "\nlines" not in write(table)


def test_a_row_that_begins_with_a_bracket_is_no_option_of_the_line_before() -> None:
    assert "{[}0, 1{]}" in as_latex(Table("t", "t", ("Interval",), (("[0, 1]",),)))


def test_a_row_of_another_length_is_refused() -> None:
    with pytest.raises(ValueError, match="'t' has not one cell for each column"):
        Table("t", "t", ("One", "Two"), (("only one",),))


def test_a_page_answers_with_the_table_asked_for() -> None:
    request = RequestFactory().get("/", {"table": "board", "as": "latex"})
    answer = requested_table(request, [BOARD])
    assert answer is not None
    assert answer.content.decode() == as_latex(BOARD)
    assert answer["Content-Type"] == "text/plain; charset=utf-8"
    assert requested_table(RequestFactory().get("/"), [BOARD]) is None


def test_a_table_or_form_that_is_not_there_is_not_found() -> None:
    with pytest.raises(Http404, match="no such table"):
        requested_table(RequestFactory().get("/", {"table": "other"}), [BOARD])
    with pytest.raises(Http404, match="csv, markdown or latex"):
        table_response(BOARD, "xlsx")
