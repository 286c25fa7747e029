"""Workers, to be found by an administrator."""

from django.contrib import admin

from jobs.models import Worker


@admin.register(Worker)
class WorkerAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    list_display = ["name", "queue", "started_at", "beat_at"]
    readonly_fields = ["name", "queue", "started_at", "beat_at"]
