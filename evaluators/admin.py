"""Evaluators and runs for those who look after the site: to be found and looked at, not to be written."""

from django.contrib import admin

from core.admin import ReadOnlyAdmin
from evaluators.models import Evaluator, ExtractedClaim, Prediction, Run, RunItem


@admin.register(Evaluator)
class EvaluatorAdmin(ReadOnlyAdmin):
    list_display = ["name", "method", "model", "created_at"]
    list_filter = ["method"]
    search_fields = ["name", "model"]


@admin.register(Run)
class RunAdmin(ReadOnlyAdmin):
    list_display = ["id", "evaluator", "dataset", "state", "created_by", "created_at", "finished_at"]
    list_filter = ["state", "dataset"]
    list_select_related = ["evaluator", "dataset", "created_by"]
    search_fields = ["evaluator__name", "dataset__name", "error"]
    date_hierarchy = "created_at"


@admin.register(RunItem)
class RunItemAdmin(ReadOnlyAdmin):
    list_display = ["id", "run", "position", "response", "state", "attempts", "lease_owner", "lease_until", "error"]
    list_filter = ["state"]
    list_select_related = ["run__evaluator", "run__dataset", "response__dataset"]
    search_fields = ["=run__id", "=response__index", "error"]
    raw_id_fields = ["calls"]
    show_full_result_count = False


@admin.register(Prediction)
class PredictionAdmin(ReadOnlyAdmin):
    list_display = ["id", "run", "segment", "fact", "value", "score", "unparsed"]
    list_filter = ["value", "unparsed"]
    list_select_related = ["run__evaluator", "run__dataset", "segment", "fact"]
    search_fields = ["=run__id", "=segment__response__index", "rationale"]
    raw_id_fields = ["calls"]
    show_full_result_count = False


@admin.register(ExtractedClaim)
class ExtractedClaimAdmin(ReadOnlyAdmin):
    list_display = ["id", "run", "response", "position", "text", "value", "score"]
    list_filter = ["value"]
    list_select_related = ["run__evaluator", "run__dataset", "response__dataset"]
    search_fields = ["=run__id", "=response__index", "text", "rationale"]
    raw_id_fields = ["calls"]
    show_full_result_count = False
