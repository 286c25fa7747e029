"""Rows that no other row leads to, and their deletion."""

from collections.abc import Iterator
from datetime import datetime
from typing import TypeVar

from django.db import IntegrityError, transaction
from django.db.models import Exists, F, ManyToOneRel, Model, OuterRef, QuerySet, Sum, Window

from core.chunks import in_chunks

Row = TypeVar("Row", bound=Model)
AT_ONCE = 500


def uncited(rows: QuerySet[Row]) -> QuerySet[Row]:
    """Those to which no foreign key and no list of another table leads."""
    for relation in rows.model._meta.get_fields(include_hidden=True):
        if isinstance(relation, ManyToOneRel):
            leading = relation.related_model._base_manager.filter(**{relation.field.name: OuterRef("pk")})
            rows = rows.exclude(Exists(leading))
    return rows


def to_prune(rows: QuerySet[Row], size: object, before: datetime | None, most_bytes: int | None) -> QuerySet[Row]:
    """Those made before that time, and the oldest of the rest until at most so many bytes are left; None: no limit.

    size: an expression, the bytes of a row. The rows have a column created_at.
    """
    none = rows.none()
    old = rows.filter(created_at__lt=before) if before else none
    if most_bytes is None:
        return old
    running = Window(Sum(size), order_by=[F("created_at").desc(), F("pk").desc()])
    large = rows.annotate(bytes_down_to_here=running).filter(bytes_down_to_here__gt=most_bytes)
    return rows.filter(pk__in=large.values("pk")) | old


def delete_uncited(rows: QuerySet[Row]) -> int:
    """Delete them a few at a time, without those that are cited meanwhile; returns how many went."""
    deleted = 0
    for some in _chunks(rows):
        # Row by row in the database: Django's own deletion would take citations along that were made meanwhile.
        found = uncited(rows.model._base_manager.filter(pk__in=some))
        try:
            with transaction.atomic():
                deleted += found._raw_delete(found.db)
        except IntegrityError:
            continue  # one was cited in this moment: the next time
    return deleted


def _chunks(rows: QuerySet[Row]) -> Iterator[list[int]]:
    return in_chunks(list(rows.order_by("pk").values_list("pk", flat=True)), AT_ONCE)
