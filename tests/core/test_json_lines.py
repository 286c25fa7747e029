import json

import pytest

from core.errors import DataError
from core.json_lines import LONGEST_LINE, json_line, read_objects


def test_objects_come_with_the_numbers_of_their_lines(tmp_path):
    file = tmp_path / "rows.jsonl"
    file.write_text('{"a": 1}\n\n  \n{"a": 2}')
    assert list(read_objects(file)) == [(1, {"a": 1}), (4, {"a": 2})]


def test_a_byte_order_mark_and_windows_line_ends_do_no_harm(tmp_path):
    file = tmp_path / "rows.jsonl"
    file.write_bytes(b'\xef\xbb\xbf{"a": 1}\r\n{"a": 2}\r\n')
    assert list(read_objects(file)) == [(1, {"a": 1}), (2, {"a": 2})]


GOOD = b'{"a": 1}\n'


@pytest.mark.parametrize(
    ("content", "cause"),
    [
        (b"", "rows.jsonl, line 1: the file is empty"),
        (b"\n \n", "rows.jsonl, line 1: the file is empty"),
        (GOOD + b'{"a": "\xe9"}\n', "rows.jsonl, line 2: not UTF-8 text (byte 8 of the line)"),
        ('{"a": 1}\n'.encode("utf-16"), "rows.jsonl, line 1: not UTF-8 text (byte 1 of the line)"),
        (GOOD + b"a,b\n", "rows.jsonl, line 2: not JSON: Expecting value (character 1)"),
        (
            GOOD + b'{"a": "cut',
            "rows.jsonl, line 2: not JSON: Unterminated string starting at (character 7); the file may be cut off here",
        ),
        (b"[1]\n", "rows.jsonl, line 1: a row must be a JSON object, not a list"),
        (b'{"a": 1, "a": 2}\n', "rows.jsonl, line 1: the key 'a' stands twice"),
        (
            GOOD + b'{"a": ' + b"[" * 20_000 + b"]" * 20_000 + b"}\n",
            "rows.jsonl, line 2: brackets are nested too deeply",
        ),
        (b'{"a": ' + b"9" * 5_000 + b"}\n", "rows.jsonl, line 1: a number has too many digits"),
        (GOOD + b'{"a": "' + b"x" * LONGEST_LINE + b'"}\n', "rows.jsonl, line 2: longer than 10 MB"),
        (b"PK\x03\x04\x14\x00\x00", "rows.jsonl, line 1: this is a zip archive, not JSON lines"),
        (b"\x1f\x8b\x08\x00", "rows.jsonl, line 1: this is a gzip archive, not JSON lines"),
    ],
)
def test_what_is_wrong_with_a_file_is_said_with_its_line(tmp_path, content, cause):
    file = tmp_path / "rows.jsonl"
    file.write_bytes(content)
    with pytest.raises(DataError) as caught:
        list(read_objects(file))
    assert str(caught.value) == cause


def test_a_missing_file_and_a_folder_are_named(tmp_path):
    with pytest.raises(DataError, match=r"rows.jsonl: there is no such file."):
        list(read_objects(tmp_path / "rows.jsonl"))
    with pytest.raises(DataError, match=r"this is not a file."):
        list(read_objects(tmp_path))


def test_a_line_written_is_one_line_to_every_reader():
    row = {"text": "a\u2028b\x85c\nd é"}
    line = json_line(row)
    assert line.splitlines() == [line]
    assert "é" in line
    assert json.loads(line) == row
