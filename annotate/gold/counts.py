"""How much gold there is: kept in the database, and brought forward by what has changed since."""

from collections import Counter

from django.db import connection
from django.db.models import Count, Exists

from annotate.models import Dataset, GoldCount, GoldLabel, Removal
from annotate.models.gold import GoldLabelQuerySet

# Labels by source and value.
Numbers = Counter[tuple[str, str]]
# As they are kept.
Rows = list[tuple[str, str, int]]
# Labels of a dataset that came into force between two revisions, or went. SQLite keeps to the order of a CROSS JOIN:
# by itself it would begin with all responses of the dataset.
BEGAN = "g.revision > %(since)s AND g.revision <= %(now)s AND (g.superseded IS NULL OR g.superseded > %(now)s)"
ENDED = "g.superseded > %(since)s AND g.superseded <= %(now)s AND g.revision <= %(since)s"
CHANGED = """
    SELECT g.source, g.value, count(*)
    FROM annotate_goldlabel g CROSS JOIN annotate_segment s CROSS JOIN annotate_response r CROSS JOIN annotate_import i
    WHERE {condition} AND s.id = g.segment_id AND r.id = s.response_id AND i.id = r.imported_id
        AND r.dataset_id = %(dataset)s AND i.finished_at IS NOT NULL
    GROUP BY g.source, g.value
"""


def count_gold(dataset: Dataset) -> Numbers:
    """Labels in force, without those of removed responses. Reads those that came or went since somebody counted, and
    those of removed responses."""
    removed = Removal.objects.removed().filter(response__dataset=dataset)
    columns = ("gold_revision", "gold_count__revision", "gold_count__numbers")
    found = Dataset.objects.annotate(has_removed=Exists(removed)).values_list(*columns, "has_removed")
    revision, kept, rows, has_removed = found.get(pk=dataset.pk)
    numbers = _read(rows) if kept == revision else _bring_forward(dataset, revision, kept, rows)
    if has_removed:
        theirs = GoldLabel.objects.of(dataset).current().filter(segment__response__in=removed.values("response"))
        numbers.subtract(_count(theirs))
    return +numbers


def _bring_forward(dataset: Dataset, revision: int, kept: int | None, rows: Rows | None) -> Numbers:
    """Of labels in force at the revision, those of removed responses too; kept from now on. What was in force at a
    revision never changes, so the numbers of an earlier one, `kept`, stay right; None: there are none yet."""
    if kept is None:
        numbers = _count(GoldLabel.objects.of(dataset).at(revision))
    else:
        numbers = _read(rows) + _changed(BEGAN, dataset, kept, revision)
        numbers.subtract(_changed(ENDED, dataset, kept, revision))
    stored = [[source, value, number] for (source, value), number in sorted(numbers.items()) if number]
    GoldCount.objects.update_or_create(dataset=dataset, defaults={"revision": revision, "numbers": stored})
    return numbers


def _changed(condition: str, dataset: Dataset, since: int, now: int) -> Numbers:
    with connection.cursor() as cursor:
        cursor.execute(CHANGED.format(condition=condition), {"since": since, "now": now, "dataset": dataset.pk})
        return Counter({(source, value): number for source, value, number in cursor.fetchall()})


def _read(rows: Rows | None) -> Numbers:
    return Counter({(source, value): number for source, value, number in rows or ()})


def _count(gold: GoldLabelQuerySet) -> Numbers:
    rows = gold.order_by().values_list("source", "value").annotate(number=Count("pk"))
    return Counter({(source, value): number for source, value, number in rows})
