"""Tables as text to paste."""

import csv
import io
from pathlib import Path

import pytest
from django.http import Http404
from django.test import RequestFactory

from core.table_response import requested_table, table_response
from core.tables import PrintedTable, Table, as_csv, as_latex, as_markdown, figure_columns
from tests.core.latex import check, compile_where_tex_is, rows_of

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


def test_a_spreadsheet_knows_the_encoding_of_a_table_that_is_taken_away() -> None:
    assert table_response(BOARD, "csv").content.decode() == "\ufeff" + as_csv(BOARD)


def test_a_table_or_form_that_is_not_there_is_not_found() -> None:
    with pytest.raises(Http404, match="no such table"):
        requested_table(RequestFactory().get("/", {"table": "other"}), [BOARD])
    with pytest.raises(Http404, match="csv, markdown or latex"):
        table_response(BOARD, "xlsx")


PRINTED = Table(
    name="evaluators",
    title="the evaluators",
    columns=("Rank", "Evaluator", "F1", "F1 low", "F1 high", "n", "Method"),
    rows=(
        ("1–2", "ada_100 % & more", 0.4249, 0.4021, 0.4449, 4426, "x"),
        ("1–2", "ben's {judge}", 0.4, 0.38, 0.42, 4426, "y"),
        (None, "cleo #1", 0.1, None, None, 12, "z"),
    ),
    printed=PrintedTable(
        columns={"Rank": "Rank", "Evaluator": "Evaluator", "F1": "F1", "n": "$n$"},
        caption="Data_set FELM (gold v1), n = 4,426; 95 % intervals.",
        bold={0, 1},
        bold_column="F1",
    ),
)


def test_a_figure_and_its_interval_are_one_printed_cell_and_the_best_sure_set_is_bold() -> None:
    assert rows_of(as_latex(PRINTED)) == [
        ["Rank", "Evaluator", "F1", r"\$n\$"],
        ["1--2", r"ada\_100 \% \& more", r"\textbf{0.42 [0.40, 0.44]}", "4426"],
        ["1--2", r"ben's \{judge\}", r"\textbf{0.40 [0.38, 0.42]}", "4426"],
        ["--", r"cleo \#1", "0.10", "12"],
    ]


def test_a_printed_table_has_its_caption_and_the_rules_of_booktabs() -> None:
    text = as_latex(PRINTED)

    assert r"\caption{Data\_set FELM (gold v1), n = 4,426; 95 \% intervals.}" in text
    assert r"\label{tab:evaluators}" in text
    for part in (r"\begin{table}", r"\toprule", r"\midrule", r"\bottomrule", r"\end{table}"):
        assert part in text


def test_the_columns_of_a_printed_table_are_chosen() -> None:
    assert [row[-1] for row in rows_of(as_latex(PRINTED, ["Evaluator", "Method"]))] == ["Method", "x", "y", "z"]
    assert [column.title for column in figure_columns(PRINTED)] == ["Rank", "Evaluator", "F1", "n", "Method"]
    request = RequestFactory().get("/", {"table": "evaluators", "as": "latex", "print": ["Evaluator", "n"]})
    answer = requested_table(request, [PRINTED])
    assert answer is not None
    assert rows_of(answer.content.decode())[0] == ["Evaluator", r"\$n\$"]


@pytest.mark.parametrize("broken", [r"\end{table}", r"\midrule", "}"])
def test_the_check_of_tables_finds_what_tex_would_not_take(broken: str) -> None:
    text = as_latex(PRINTED)
    check(text)
    with pytest.raises(AssertionError):
        check(text.replace(broken, "", 1))


def test_tex_takes_the_tables(tmp_path: Path) -> None:
    """Compiled where a TeX is to be had; the check above reads them everywhere."""
    check(as_latex(PRINTED))
    check(as_latex(BOARD))
    compile_where_tex_is([as_latex(PRINTED), as_latex(BOARD)], tmp_path)


def test_ends_are_told_where_names_do_not_and_empty_columns_may_be_left_out() -> None:
    table = Table(
        "t",
        "t",
        ("name", "low", "high", "share", "gain_low", "gain_high", "gain", "p", "none"),
        (("a", -0.5, 0.5, -0.25, 0.1, 0.3, 0.2, 0.0001, None),),
        PrintedTable(
            {"name": "Name", "share": "Share → ω", "gain": "Gain", "p": "p", "none": "None"},
            "Caption.",
            ends={"share": ("low", "high")},
            titles={"none": "Nothing"},
            optional=("none",),
        ),
    )
    assert rows_of(as_latex(table)) == [
        ["Name", r"Share $\rightarrow$ $\omega$", "Gain", "p"],
        ["a", r"$-$0.25 [$-$0.50, 0.50]", "0.20 [0.10, 0.30]", r"\textless{}0.001"],
    ]
    assert [column.title for column in figure_columns(table)] == ["name", "share", "gain", "p", "none"]
    assert rows_of(as_latex(table, ["none"])) == [["None"], ["--"]]
