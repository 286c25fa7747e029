"""The page of the audit log, for superusers: searched, filtered, and as CSV."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta

from django.core.exceptions import PermissionDenied
from django.core.paginator import Paginator
from django.http import HttpResponse, QueryDict, StreamingHttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.dateparse import parse_date
from django.views.decorators.http import require_GET

from audit.models import Action, AuditEntry, AuditQuerySet
from core.csv import csv_line
from core.downloads import download_csv
from core.requests import PageRequest

PAGE_SIZE = 100
COLUMNS = (
    "at",
    "person",
    "by_command",
    "by_token",
    "address",
    "action",
    "object_kind",
    "object_key",
    "object_name",
    "detail",
)


@dataclass(frozen=True)
class AuditChoice:
    """What of the log is looked at. action: one of Action, "" for all. first, last: days in UTC, both of them included;
    None for no end."""

    text: str
    action: str
    first: date | None
    last: date | None

    @classmethod
    def read(cls, query: QueryDict) -> "AuditChoice":
        """Whatever cannot be read is left out."""
        action = query.get("action", "")
        return cls(
            query.get("q", "").strip(),
            action if action in Action.values else "",
            _day(query.get("first", "")),
            _day(query.get("last", "")),
        )

    def entries(self) -> AuditQuerySet:
        """Those chosen, the newest first."""
        found = AuditEntry.objects.search(self.text) if self.text else AuditEntry.objects.all()
        if self.action:
            found = found.filter(action=self.action)
        if self.first:
            found = found.filter(at__gte=_midnight(self.first))
        if self.last:
            found = found.filter(at__lt=_midnight(self.last) + timedelta(days=1))
        return found.select_related("person")


@require_GET
def audit_log(request: PageRequest) -> HttpResponse:
    """A page of the entries that are asked for."""
    choice = _choose(request)
    page = Paginator(choice.entries(), PAGE_SIZE).get_page(request.GET.get("page"))
    context = {"choice": choice, "page": page, "actions": Action.choices}
    return render(request, "audit_log/audit_log.html", context)


@require_GET
def audit_export(request: PageRequest) -> StreamingHttpResponse:
    """All entries that are asked for, as CSV."""
    choice = _choose(request)
    return download_csv(_lines(choice.entries()), "audit-log.csv")


def _choose(request: PageRequest) -> AuditChoice:
    if not request.user.is_superuser:
        raise PermissionDenied
    return AuditChoice.read(request.GET)


def _lines(entries: AuditQuerySet) -> Iterator[str]:
    yield csv_line(COLUMNS)
    for entry in entries.iterator(chunk_size=2_000):
        cells = (
            entry.at.isoformat(),
            entry.person.get_username() if entry.person else "",
            "yes" if entry.by_command else "no",
            entry.by_token or "",
            entry.address or "",
            entry.action,
            entry.object_kind,
            entry.object_key,
            entry.object_name,
            entry.detail,
        )
        yield csv_line(cells)


def _day(text: str) -> date | None:
    try:
        return parse_date(text)
    except ValueError:
        return None


def _midnight(day: date) -> datetime:
    return timezone.make_aware(datetime.combine(day, time.min))
