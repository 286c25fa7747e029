"""Endpoints, prices and answers, to be found by an administrator. A key is never stored, so none can be shown."""

from django.contrib import admin

from audit.admin import RecordedAdmin
from core.admin import ReadOnlyAdmin
from llm.endpoint_form import EndpointForm
from llm.models import Call, Endpoint, Price


class PriceInline(admin.TabularInline):  # type: ignore[type-arg]
    model = Price
    extra = 1


@admin.register(Endpoint)
class EndpointAdmin(RecordedAdmin):
    form = EndpointForm
    list_display = ["name", "base_url", "key_variable", "created_at"]
    search_fields = ["name", "base_url"]
    inlines = [PriceInline]


@admin.register(Price)
class PriceAdmin(RecordedAdmin):
    list_display = ["model", "endpoint", "prompt_usd", "completion_usd"]
    list_filter = ["endpoint"]
    search_fields = ["model"]


@admin.register(Call)
class CallAdmin(ReadOnlyAdmin):
    """Answers are evidence: they can be looked at, not changed."""

    list_display = [
        "request_hash",
        "model",
        "endpoint",
        "finish_reason",
        "prompt_tokens",
        "completion_tokens",
        "cost_usd",
    ]
    list_filter = ["endpoint", "model", "finish_reason"]
    search_fields = ["request_hash", "answer"]
    date_hierarchy = "created_at"
    show_full_result_count = False
