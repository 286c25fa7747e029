"""The parts that the pages of one study share."""

from typing import Any

from annotate.access import MemberRequest, fetch_in_dataset
from factor.benchmarks.page import READERS, page_of
from factor.models import Completion, OpenEndedPair, OpenEndedStudy
from factor.validation.reading import CompletionReading, read_for


def fetch_study(request: MemberRequest, pk: int, *roles: str) -> OpenEndedStudy:
    """The study, for people of these roles in its dataset (none named: adjudicators and researchers)."""
    studies = OpenEndedStudy.objects.select_related(
        "scoring__benchmark__dataset", "scoring__benchmark__source", "scoring__model", "endpoint", "created_by"
    )
    return fetch_in_dataset(request.user, studies, pk, "scoring.benchmark.dataset", *(roles or READERS))


def page_of_study(request: MemberRequest, study: OpenEndedStudy) -> dict[str, Any]:
    """The context that templates/factor/benchmark_base.html needs, and the study."""
    return {**page_of(request, study.scoring.benchmark, "open-ended"), "study": study}


def read_pair(pair: OpenEndedPair) -> CompletionReading:
    """The pair's completions after the prefix with which the example is scored."""
    false = pair.completion
    true = Completion.objects.get(example=false.example_id, place=0)
    return read_for(false.example.scored_prefix, true.text, false.text)
