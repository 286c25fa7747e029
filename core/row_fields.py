"""Checked reading of a row's fields: each reader returns a checked value or raises a RowError that names the field."""

import re
from collections.abc import Iterable
from datetime import date, datetime
from typing import Any

from core.errors import OTHER, RowError, describe, field_kind

# PostgreSQL stores no NUL, and no database a half of a surrogate pair.
UNSTORABLE = re.compile("[\x00\ud800-\udfff]")
DAY = re.compile(r"\d{4}-\d\d-\d\d")

Fields = dict[str, Any]


def check_keys(row: Fields, required: Iterable[str], optional: Iterable[str] = (), place: str = "") -> None:
    """Every required key there, no key beyond the required and optional ones."""
    required = tuple(required)
    where = f" in {place}" if place else ""
    for key in required:
        if key not in row:
            raise RowError(f"the key {describe(key)} is missing{where}", f"missing {key}")
    known = {*required, *optional}
    for key in row:
        if key not in known:
            raise RowError(f"unknown key {describe(key)}{where}")


def check_text(value: object, name: str, longest: int | None = None) -> str:
    """`value` as text that every database can store, of at most `longest` characters."""
    if not isinstance(value, str):
        raise RowError(f"{name} must be text, not {describe(value)}", _null_kind(value, name))
    if bad := UNSTORABLE.search(value):
        kind = "a NUL character" if bad.group() == "\x00" else "half of a surrogate pair"
        raise RowError(f"{name} holds {kind} at character {bad.start() + 1}")
    if longest is not None and len(value) > longest:
        raise RowError(f"{name} has {len(value):,} characters; at most {longest} fit")
    return value


def parse_date(value: object, name: str) -> date:
    """A date as year, month and day ("2021-10-05"), or that of a time ("2021-10-05T08:00:00Z") as it is written."""
    if isinstance(value, str) and DAY.match(value):
        try:
            return datetime.fromisoformat(value).date()
        except ValueError:
            pass
    raise RowError(f"{name} must be a date such as 2021-10-05, not {describe(value)}")


def text(row: Fields, key: str, longest: int | None = None) -> str:
    return check_text(row[key], key, longest)


def optional_text(row: Fields, key: str, longest: int | None = None) -> str:
    """The text, "" where the key is missing."""
    return check_text(row[key], key, longest) if key in row else ""


def filled_text(row: Fields, key: str, longest: int | None = None) -> str:
    """The text, which must not be blank."""
    value = text(row, key, longest)
    if not value.strip():
        raise RowError(f"{key} is empty", field_kind("empty", key))
    return value


def _null_kind(value: object, name: str) -> str:
    """Of null, and of NaN, which data frames write in its place."""
    return field_kind("null", name) if value is None or value != value else OTHER


def check_list(value: object, name: str) -> list[Any]:
    if not isinstance(value, list):
        raise RowError(f"{name} must be a list, not {describe(value)}", _null_kind(value, name))
    return value


def texts(row: Fields, key: str) -> list[str]:
    """A list of texts."""
    return [check_text(item, f"{key}, item {n + 1},") for n, item in enumerate(check_list(row[key], key))]


def texts_or_blank(row: Fields, key: str) -> list[str]:
    """A list of texts, [] where the field is ""."""
    return [] if row[key] == "" else texts(row, key)


# As programs of half of Europe write 0.5.
DECIMAL_COMMA = re.compile(r"-?\d+,\d+")


def plain_value(value: object) -> str:
    """A value as it is compared with those that somebody named: in any case, and a number as short as it can be
    written, so that 1, "1.0", "1,0" and 1.0 are one value."""
    text = str(value).strip().casefold()
    text = text.replace(",", ".") if DECIMAL_COMMA.fullmatch(text) else text
    try:
        return f"{float(text):g}"
    except ValueError:
        return text


def outside_index(row: Fields, longest: int, key: str = "index") -> str:
    """The row's own key, a text or a whole number, as text."""
    value = row[key]
    if isinstance(value, float) and value.is_integer():
        value = int(value)  # data frames with an empty cell write all numbers of the column so
    if isinstance(value, int) and not isinstance(value, bool):
        value = str(value)
    index = check_text(value, key, longest)
    if not index.strip():
        raise RowError(f"{key} is empty", field_kind("empty", key))
    return index
