"""Pages of a list by a cursor, in any order."""

from collections.abc import Sequence
from datetime import date, timedelta
from typing import Any, NamedTuple

from django.core import signing
from django.core.exceptions import FieldDoesNotExist
from django.db.models import F, Model, Q, QuerySet
from django.db.models.expressions import OrderBy
from rest_framework import pagination
from rest_framework.request import Request
from rest_framework.utils.urls import replace_query_param

from api.rest.problems import Unprocessable

PAGE = 100
LARGEST_PAGE = 1000
NOTHING = Q(pk__in=[])


class SortColumn(NamedTuple):
    """One column of an order. may_be_null: rows without a value come last, whichever way the order goes."""

    name: str
    descending: bool
    may_be_null: bool

    def order(self, backwards: bool) -> OrderBy:
        """The term of ORDER BY. Its NULLS would keep SQLite from an index, so it is left out where it can be."""
        nulls = {"nulls_first" if backwards else "nulls_last": True} if self.may_be_null else {}
        column = F(self.name)
        return column.desc(**nulls) if self.descending != backwards else column.asc(**nulls)

    def beyond(self, value: Any, backwards: bool) -> Q:
        """Rows whose value comes behind this one; before it when the list is read backwards."""
        if value is None:
            return Q(**{f"{self.name}__isnull": False}) if backwards else NOTHING
        side = Q(**{f"{self.name}__{'lt' if self.descending != backwards else 'gt'}": value})
        return side | Q(**{f"{self.name}__isnull": True}) if self.may_be_null and not backwards else side

    def equal(self, value: Any) -> Q:
        return Q(**{f"{self.name}__isnull": True}) if value is None else Q(**{self.name: value})

    def value_of(self, row: Any) -> Any:
        for step in self.name.split("__"):
            row = None if row is None else getattr(row, step)
        return row


class Pages(pagination.CursorPagination):
    """Rows that come in meanwhile neither repeat nor skip one: a cursor holds the values of the row that it is at.

    `ordering`: the columns of the order; the last one tells rows apart. Empty: as the rows are ordered.
    """

    page_size = PAGE
    max_page_size = LARGEST_PAGE
    page_size_query_param = "page_size"
    ordering: tuple[str, ...] = ("pk",)

    def paginate_queryset(self, queryset: Any, request: Request, view: Any = None) -> list[Any]:
        self.request = request
        self._columns = columns_of(queryset.order_by(*self.ordering) if self.ordering else queryset)
        size = self.get_page_size(request) or PAGE
        text = request.query_params.get(self.cursor_query_param, "")
        backwards, *values = read_cursor(text, self._salt) if text else (False,)
        rows = queryset.filter(_beyond(self._columns, values, backwards)) if values else queryset
        found = list(rows.order_by(*(each.order(backwards) for each in self._columns))[: size + 1])
        more, page = len(found) > size, found[:size]
        if backwards:
            page.reverse()
        self._last = page[-1] if page and (more or backwards) else None
        self._first = page[0] if page and values and (more or not backwards) else None
        return page

    def get_next_link(self) -> str | None:
        return self._link(False, self._last)

    def get_previous_link(self) -> str | None:
        return self._link(True, self._first)

    def _link(self, backwards: bool, row: Any) -> str | None:
        if row is None:
            return None
        cursor = write_cursor([backwards, *(each.value_of(row) for each in self._columns)], self._salt)
        return replace_query_param(self.request.build_absolute_uri(), self.cursor_query_param, cursor)

    @property
    def _salt(self) -> str:
        return " ".join(f"{'-' if each.descending else ''}{each.name}" for each in self._columns)


class OrderedPages(Pages):
    """Rows in the order that they have."""

    ordering = ()


class NewestFirst(Pages):
    ordering = ("-created_at", "-pk")


def columns_of(rows: QuerySet[Any]) -> list[SortColumn]:
    """The columns by which the rows are ordered."""
    return [_column(rows.model, term) for term in rows.query.order_by]


def _column(model: type[Model], term: Any) -> SortColumn:
    if isinstance(term, OrderBy):
        name, descending = str(getattr(term.expression, "name")), term.descending  # noqa: B009 - an F has one
    else:
        name, descending = term.removeprefix("-"), term.startswith("-")
    return SortColumn(name, descending, _may_be_null(model, name))


def _may_be_null(model: type[Model], name: str) -> bool:
    """Of a computed column it is not known."""
    for step in name.split("__"):
        if step == "pk":
            return False
        try:
            field = model._meta.get_field(step)
        except FieldDoesNotExist:
            return True
        if field.null:
            return True
        model = field.related_model  # type: ignore[assignment]
    return False


def _beyond(columns: Sequence[SortColumn], values: Sequence[Any], backwards: bool) -> Q:
    """Rows behind the one with these values: behind it in the first column in which they differ."""
    found, same = NOTHING, Q()
    for column, value in zip(columns, values, strict=True):
        found |= same & column.beyond(value, backwards)
        same &= column.equal(value)
    return found


def write_cursor(values: Sequence[Any], salt: str) -> str:
    """The values as text that nobody but this server can write; `salt` names the order that they are of."""
    return signing.dumps([_plain(value) for value in values], salt=f"api.cursor {salt}")


def read_cursor(text: str, salt: str) -> list[Any]:
    """The values of `write_cursor`; moments and days as text. Raises Unprocessable for any other text."""
    try:
        return [_value(each) for each in signing.loads(text, salt=f"api.cursor {salt}")]
    except signing.BadSignature:
        raise Unprocessable("The cursor is none of a page before.") from None


def _plain(value: Any) -> Any:
    if isinstance(value, timedelta):
        return {"microseconds": value // timedelta(microseconds=1)}
    return value.isoformat() if isinstance(value, date) else value


def _value(value: Any) -> Any:
    return timedelta(**value) if isinstance(value, dict) else value
