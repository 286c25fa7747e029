"""Endpoints, prices and answers, to be found by an administrator. A key is never stored, so none can be shown."""

from typing import Any

from django.contrib import admin
from django.contrib.auth import get_user_model
from django.http import HttpRequest

from audit.admin import RecordedAdmin
from core.admin import ReadOnlyAdmin
from llm.endpoint_form import EndpointForm
from llm.models import Call, Endpoint, Price
from llm.models.endpoint import PRICES


class PriceInline(admin.TabularInline):  # type: ignore[type-arg]
    model = Price
    extra = 1


@admin.register(Endpoint)
class EndpointAdmin(RecordedAdmin):
    form = EndpointForm
    list_display = ["name", "base_url", "key_variable", "search_engine", "created_at"]
    search_fields = ["name", "base_url"]
    inlines = [PriceInline]

    def save_model(self, request: HttpRequest, obj: Endpoint, form: Any, change: bool) -> None:
        """Who adds an endpoint owns it."""
        if not change and isinstance(request.user, get_user_model()):
            obj.owner = request.user
        super().save_model(request, obj, form, change)


@admin.register(Price)
class PriceAdmin(RecordedAdmin):
    list_display = ["model", "endpoint", *PRICES, "as_of"]
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
