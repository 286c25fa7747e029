"""The deletion of what is older or more than the settings allow, and not cited."""

from datetime import date, datetime, timedelta

from django.conf import settings
from django.db.models import QuerySet
from django.utils import timezone

from annotate.links.prune import pages_to_prune
from annotate.models import PersonalExport, Pruning
from annotate.personal_data.exports import delete_exports
from audit.models import Action
from audit.record import record
from core.uncited import delete_uncited
from llm.prune import answers_to_prune, vectors_to_prune

LIMITS = ("ANSWERS_DAYS", "ANSWERS_MB", "SNAPSHOTS_DAYS", "SNAPSHOTS_MB")


def prune(*, dry_run: bool = False) -> dict[str, int]:
    """Delete it and record that; the numbers of answers, vectors, pages and files of people's own data that went, or
    with `dry_run` would go."""
    answers = (_before(settings.ANSWERS_DAYS), _bytes(settings.ANSWERS_MB))
    pages = (_before(settings.SNAPSHOTS_DAYS), _bytes(settings.SNAPSHOTS_MB))
    found = {
        "answers": answers_to_prune(*answers),
        "vectors": vectors_to_prune(*answers),
        "pages": pages_to_prune(*pages),
    }
    if dry_run:
        return {**{name: rows.count() for name, rows in found.items()}, "exports": old_exports().count()}
    counts = {name: delete_uncited(rows) for name, rows in found.items()}
    counts["exports"] = delete_exports(old_exports())
    if any(counts.values()):
        record(None, Action.PRUNED, detail=in_words(counts))
    return counts


def in_words(counts: dict[str, int]) -> str:
    return ", ".join(f"{count:,} {name}" for name, count in counts.items())


def plan(day: date) -> None:
    """Note that this day's deletion is to be done, where anything is limited or too old; once a day."""
    limited = any(getattr(settings, name) is not None for name in LIMITS)
    if not Pruning.objects.filter(day=day).exists() and (limited or old_exports().exists()):
        Pruning.objects.get_or_create(day=day)


def old_exports() -> QuerySet[PersonalExport]:
    """Files of people's own data that are older than OWN_DATA_DAYS, and those that could not be made then."""
    settled = PersonalExport.objects.exclude(state__in=PersonalExport.UNSETTLED)
    return settled.filter(settled_at__lt=_before(settings.OWN_DATA_DAYS))


def _before(days: float | None) -> datetime | None:
    return None if days is None else timezone.now() - timedelta(days=days)


def _bytes(megabytes: float | None) -> int | None:
    return None if megabytes is None else int(megabytes * 1024**2)
