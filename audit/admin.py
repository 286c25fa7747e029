"""What is written on the admin pages is recorded."""

from collections.abc import Iterable
from typing import Any

from django.contrib import admin
from django.contrib.admin.models import LogEntry
from django.db.models import Model
from django.http import HttpRequest

from audit.models import Action
from audit.record import record


class RecordedAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    """Rows that can be changed here. Names of changed fields are recorded, their values are not."""

    def log_addition(self, request: HttpRequest, obj: Model, message: Any) -> LogEntry:
        record(request, Action.ADMIN_ADDED, obj)
        return super().log_addition(request, obj, message)

    def log_change(self, request: HttpRequest, obj: Model, message: Any) -> LogEntry:
        entry = super().log_change(request, obj, message)
        record(request, Action.ADMIN_CHANGED, obj, detail=entry.get_change_message())
        return entry

    def log_deletions(self, request: HttpRequest, queryset: Iterable[Model]) -> Any:
        for deleted in queryset:
            record(request, Action.DELETED, deleted)
        return super().log_deletions(request, queryset)  # type: ignore[arg-type]
