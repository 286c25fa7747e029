"""Rows as tables of other libraries."""

import pandas
import pytest

from touchstone import Rows
from touchstone.values import plain_rows

# The second row has a column that the first has not.
ROWS = Rows([{"index": "1", "score": 0.5}, {"index": "2", "score": None, "rationale": "as read"}])
WHOLE = [{"index": "1", "score": 0.5, "rationale": None}, {"index": "2", "score": None, "rationale": "as read"}]


def test_arrow_has_the_columns_of_every_row() -> None:
    assert ROWS.to_arrow().to_pylist() == WHOLE


def test_datasets_have_the_columns_of_every_row() -> None:
    assert ROWS.to_dataset().to_list() == WHOLE


def test_pandas_has_the_columns_of_every_row() -> None:
    assert list(ROWS.to_pandas().columns) == ["index", "score", "rationale"]


def test_what_is_missing_in_a_data_frame_is_none() -> None:
    assert list(plain_rows(ROWS.to_pandas())) == WHOLE


@pytest.mark.parametrize("table", [ROWS, pandas.DataFrame({"segment": [0, 1]})], ids=["rows", "frame"])
def test_sent_rows_are_plain_values(table: object) -> None:
    assert {type(value) for row in plain_rows(table) for value in row.values()} <= {int, float, str, type(None)}  # type: ignore[arg-type]
