"""Frozen searches, to be found by an administrator."""

from django.contrib import admin

from core.admin import ReadOnlyAdmin
from knowledge.models import WebSearch


@admin.register(WebSearch)
class WebSearchAdmin(ReadOnlyAdmin):
    """Results are evidence: they can be looked at, not changed."""

    list_display = ["query", "engine", "address", "count", "fetched_at", "cost_usd", "intact"]
    list_filter = ["engine", "address"]
    search_fields = ["query", "results_hash"]
    date_hierarchy = "fetched_at"
    show_full_result_count = False

    @admin.display(boolean=True, description="As fetched")
    def intact(self, search: WebSearch) -> bool:
        return search.is_intact
