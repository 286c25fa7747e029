"""The statistics page: the sizes of a dataset, beside those in the papers."""

from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from annotate.access import MemberRequest, fetch_dataset, role_in
from annotate.corpus.published import FACTSCORE_NOTE, FELM_NOTE
from annotate.models import Dataset, Role, Suggesting
from annotate.prompts.subjects import subjects_of
from annotate.statistics.download import tables_of
from annotate.statistics.figures import build_dataset_stats
from annotate.statistics.suggestions import describe_suggestions
from annotate.statistics.tables import (
    Document,
    classes_table,
    counts_table,
    domains_table,
    positions_table,
    subjects_table,
)
from core.table_response import requested_table


@require_safe
def statistics(request: MemberRequest, pk: int) -> HttpResponse:
    """?table= names one of the page's tables, ?as= its form."""
    dataset = fetch_dataset(request.user, pk, Role.RESEARCHER, Role.ADJUDICATOR)
    stats = build_dataset_stats(dataset)
    tables = list(tables_of(stats))
    suggestions = describe_suggestions(dataset)
    page = {
        "dataset": dataset,
        "suggestions": suggestions,
        "tells_suggestions": suggestions is not None or dataset.suggesting != Suggesting.OFF,
        "role": role_in(request.user, dataset),
        "tab": "statistics",
        "any_response": stats["slices"][0]["responses"] > 0,
        "tables": {table.name: table for table in tables},
        **(_of_subjects(dataset, stats) if stats["subjects"] else _of_domains(stats)),
    }
    return requested_table(request, tables) or render(request, "statistics/statistics.html", page)


def _of_domains(stats: Document) -> dict[str, Any]:
    return {
        "sizes": domains_table(stats),
        "first_head": "Domain",
        "note": FELM_NOTE,
        "sources": counts_table(stats, "sources"),
        "error_types": counts_table(stats, "error_types"),
    }


def _of_subjects(dataset: Dataset, stats: Document) -> dict[str, Any]:
    return {
        "sizes": subjects_table(stats),
        "first_head": "Each subject model",
        "note": FACTSCORE_NOTE,
        "subjects": subjects_of(dataset),
        "shares": [
            ("by-frequency", "By how often the topic occurs", "Frequency", classes_table(stats, "by_frequency")),
            (
                "by-frequency-responding",
                "The same over the prompts that were responded to",
                "Frequency",
                classes_table(stats, "by_frequency_responding"),
            ),
            ("by-nationality", "By the topic's nationality", "Nationality", classes_table(stats, "by_nationality")),
            ("by-place", "By the place of the fact in the response", "Place", positions_table(stats)),
        ],
    }
