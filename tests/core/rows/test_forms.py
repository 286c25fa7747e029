"""Files as spreadsheets, data frames and other programs write them."""

import json
from pathlib import Path
from zipfile import ZipFile

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pyarrow import feather, ipc

from core.errors import DataError, RowError
from core.rows.files import open_rows

CELLS = [["prompt", "response"], ["Wer war Käthe Kollwitz?", "Eine Künstlerin – geboren 1867."], ["Why?", "So."]]
ROWS = [dict(zip(CELLS[0], cells, strict=True)) for cells in CELLS[1:]]


def csv(separator: str, rows: list[list[str]] = CELLS) -> str:
    return "".join(separator.join(cells) + "\r\n" for cells in rows)


def write(path: Path, content: str | bytes) -> Path:
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def read(path: Path) -> tuple[list[object], list[str]]:
    """The rows, or their faults, and the notes."""
    file = open_rows(path)
    return [str(row) if isinstance(row, RowError) else row for _, row in file.rows], file.notes


def write_workbook(path: Path, sheets: dict[str, list[list[object]]]) -> Path:
    """An .xlsx of these sheets, with texts in their cells, numbers and nothing."""
    names = "".join(f'<sheet name="{name}" sheetId="{n}" r:id="rId{n}"/>' for n, name in enumerate(sheets, 1))
    main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    package = "http://schemas.openxmlformats.org/package/2006"
    links = "".join(
        f'<Relationship Id="rId{n}" Type="{office}/worksheet" Target="worksheets/sheet{n}.xml"/>'
        for n in range(1, len(sheets) + 1)
    )
    with ZipFile(path, "w") as archive:
        archive.writestr(
            "[Content_Types].xml",
            f'<Types xmlns="{package}/content-types"><Default Extension="xml" ContentType="application/xml"/></Types>',
        )
        archive.writestr(
            "xl/workbook.xml", f'<workbook xmlns="{main}" xmlns:r="{office}"><sheets>{names}</sheets></workbook>'
        )
        archive.writestr(
            "_rels/.rels",
            f'<Relationships xmlns="{package}/relationships"><Relationship Id="rId1" Type="{office}/officeDocument" '
            'Target="xl/workbook.xml"/></Relationships>',
        )
        archive.writestr(
            "xl/_rels/workbook.xml.rels", f'<Relationships xmlns="{package}/relationships">{links}</Relationships>'
        )
        for n, rows in enumerate(sheets.values(), 1):
            body = "".join(f"<row>{''.join(map(_cell, cells))}</row>" for cells in rows)
            archive.writestr(
                f"xl/worksheets/sheet{n}.xml", f'<worksheet xmlns="{main}"><sheetData>{body}</sheetData></worksheet>'
            )
    return path


def _cell(value: object) -> str:
    if value is None:
        return "<c/>"
    if isinstance(value, bool):
        return f'<c t="b"><v>{int(value)}</v></c>'
    return (
        f"<c><v>{value}</v></c>" if isinstance(value, int | float) else f'<c t="inlineStr"><is><t>{value}</t></is></c>'
    )


def write_open_document(path: Path, rows: list[list[str]]) -> Path:
    """An .ods with one sheet."""
    office = "urn:oasis:names:tc:opendocument:xmlns"
    lines = "".join(
        "<table:table-row>"
        + "".join(
            f'<table:table-cell office:value-type="string"><text:p>{text}</text:p></table:table-cell>' for text in cells
        )
        + "</table:table-row>"
        for cells in rows
    )
    with ZipFile(path, "w") as archive:
        archive.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet")
        archive.writestr("META-INF/manifest.xml", f'<manifest:manifest xmlns:manifest="{office}:manifest:1.0"/>')
        archive.writestr(
            "content.xml",
            f'<office:document-content xmlns:office="{office}:office:1.0" xmlns:table="{office}:table:1.0" '
            f'xmlns:text="{office}:text:1.0"><office:body><office:spreadsheet><table:table table:name="Answers">'
            f"{lines}</table:table></office:spreadsheet></office:body></office:document-content>",
        )
    return path


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("said.csv", "sep=;\r\n" + csv(";")),
        ("said.csv", '\ufeff"sep=|"\r\n' + csv("|")),
        ("unicode.txt", csv("\t").encode("utf-16")),
        ("unicode.csv", b"\xfe\xff" + csv(",").encode("utf-16-be")),
        ("marked.csv", "\ufeff" + csv(",")),
        ("trailing.csv", csv(";", [[*cells, "", ""] for cells in CELLS])),
        ("longer.csv", csv(",", [CELLS[0], *([*cells, "", ""] for cells in CELLS[1:])])),
    ],
)
def test_a_spreadsheets_dialects_say_the_same(tmp_path, name, content):
    assert read(write(tmp_path / name, content)) == (ROWS, [])


@pytest.mark.parametrize(
    ("encoding", "text", "title"),
    [
        ("cp1252", "Käthe – Künstlerin", "Western European"),
        ("cp1251", "Это был русский писатель девятнадцатого века", "Cyrillic"),
        ("gb18030", "北京是中国的首都,也是政治中心。它有两千多万人口。", "gb18030"),
        ("cp932", "東京は日本の首都です。人口は約千四百万人です。", "cp932"),
    ],
)
def test_another_encoding_than_utf_8_is_guessed_and_told(tmp_path, encoding, text, title):
    rows, (note,) = read(write(tmp_path / "rows.csv", csv(";", [["a", "b"], [text, "x"]]).encode(encoding)))
    assert rows == [{"a": text, "b": "x"}]
    assert title in note and "CSV UTF-8" in note


def test_bytes_of_no_known_encoding_are_an_error(tmp_path):
    with pytest.raises(DataError, match=r"rows\.csv is not UTF-8 text, nor text in another encoding"):
        read(write(tmp_path / "rows.csv", b"a,b\n\x81\x8d\x8f\x90\x9d,\xff\xfe\x00\n"))


@pytest.mark.parametrize("again", [False, True])
def test_row_numbers_of_pandas_are_left_out_and_told(tmp_path, again):
    import pandas

    frame = pandas.DataFrame(ROWS)
    frame.to_csv(tmp_path / "rows.csv")
    if again:
        pandas.read_csv(tmp_path / "rows.csv").to_csv(tmp_path / "rows.csv", index=False)
    rows, (note,) = read(tmp_path / "rows.csv")
    assert rows == ROWS
    assert note.startswith("the first column has no name of its own and is left out")


def test_the_index_that_pandas_keeps_in_parquet_is_left_out_and_told(tmp_path):
    import pandas

    table = pa.Table.from_pandas(pandas.DataFrame(ROWS, index=pandas.Index([3, 7])))
    assert "__index_level_0__" in table.column_names
    pq.write_table(table, tmp_path / "rows.parquet")
    rows, (note,) = read(tmp_path / "rows.parquet")
    assert rows == ROWS
    assert "__index_level_0__ is left out" in note


def test_a_cell_in_a_column_without_a_name_is_a_fault_of_its_row(tmp_path):
    rows, _ = read(write(tmp_path / "rows.csv", "a,b,\n1,2,\n3,4,5\n6,7,,8\n"))
    assert rows == [
        {"a": "1", "b": "2"},
        "the cell '5' stands in column 3, which has no name",
        "4 cells, where the first row names 3 columns",
    ]


def test_a_workbook_is_read_from_its_first_sheet_with_rows(tmp_path):
    cells: list[list[object]] = [
        ["prompt", "index", "score", "correct", ""],
        ["Käthe?", 1, 0.5, True, None],
        ["Why?", 20, 1.0, False, None],
    ]
    path = write_workbook(tmp_path / "book.xlsx", {"Empty": [], "Answers": cells, "Notes": [["x"]]})
    rows, (note,) = read(path)
    assert rows == [
        {"prompt": "Käthe?", "index": "1", "score": "0.5", "correct": "true"},
        {"prompt": "Why?", "index": "20", "score": "1", "correct": "false"},
    ]
    assert note == "the sheet “Answers” is read, and not Notes"
    file = open_rows(path)
    assert (file.kind, file.place, file.has_cells, [number for number, _ in file.rows]) == (
        "spreadsheet",
        "row",
        True,
        [2, 3],
    )


def test_a_row_of_blanks_names_no_columns(tmp_path):
    assert read(write(tmp_path / "rows.csv", " , \n" + csv(","))) == (ROWS, [])
    with pytest.raises(DataError, match="the file is empty"):
        read(write(tmp_path / "rows.csv", " , \n"))


def test_a_quotation_mark_is_no_separator(tmp_path):
    assert read(write(tmp_path / "rows.csv", 'sep="\r\n1\r\n'))[0] == [{'sep="': "1"}]


def test_an_open_document_is_read(tmp_path):
    assert read(write_open_document(tmp_path / "book.ods", CELLS)) == (ROWS, [])


@pytest.mark.parametrize("name", ["book.xlsx", "book.ods", "book.xls"])
def test_what_is_no_spreadsheet_is_an_error(tmp_path, name):
    with pytest.raises(DataError, match=f"{name}: it is no spreadsheet"):
        read(write(tmp_path / name, b"PK\x03\x04 nothing"))


def test_both_formats_of_arrow_are_read(tmp_path):
    table = pa.Table.from_pylist(ROWS)
    with (
        ipc.new_file(tmp_path / "file.arrow", table.schema) as file,
        ipc.new_stream(tmp_path / "stream.arrow", table.schema) as stream,
    ):
        file.write_table(table)
        stream.write_table(table)
    feather.write_feather(table, tmp_path / "rows.feather")
    for name in ("file.arrow", "stream.arrow", "rows.feather"):
        assert read(tmp_path / name) == (ROWS, [])


@pytest.mark.parametrize("indent", [None, 2])
@pytest.mark.parametrize("key", ["data", "rows", "examples"])
def test_rows_in_a_wrapper_are_found_and_told(tmp_path, key, indent):
    whole = {"version": 1, "about": {"data": [{"a": 1}]}, key: ROWS}
    path = write(tmp_path / "whole.json", json.dumps(whole, indent=indent))
    assert read(path) == (ROWS, [f"the rows are read that stand under the key {key}"])


def test_an_object_that_is_a_row_is_no_wrapper(tmp_path):
    row = {"prompt": "Why?", "response": "So.", "data": [{"a": 1}]}
    assert read(write(tmp_path / "row.jsonl", json.dumps(row))) == ([row], [])
    line = json.dumps({"id": 1, "data": [{"a": 1}]})
    assert read(write(tmp_path / "rows.jsonl", f"{line}\n{line}\n")) == ([json.loads(line)] * 2, [])


def test_a_table_of_pandas_is_a_wrapper(tmp_path):
    import pandas

    pandas.DataFrame(ROWS).to_json(tmp_path / "rows.json", orient="table", index=False)
    assert read(tmp_path / "rows.json")[0] == ROWS
