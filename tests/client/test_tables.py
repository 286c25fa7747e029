"""Rows as tables of other libraries."""

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


def test_sent_rows_are_plain_values() -> None:
    import pandas

    sent = [*plain_rows(ROWS), *plain_rows(pandas.DataFrame({"segment": [0, 1]}))]
    assert {type(value) for row in sent for value in row.values()} == {int, float, str, type(None)}
