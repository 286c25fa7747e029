"""Exclusion: an example is left out of the figures, or counted again."""

from django.contrib import messages
from django.db import transaction
from django.http import HttpResponse
from django.utils import timezone
from django.views.decorators.http import require_POST

from annotate.access import MemberRequest, fetch_in_dataset
from annotate.models import Role, User
from core.requests import redirect_back
from factor.models import Benchmark, Example, Exclusion

REASON_LIMIT = 500


class ExclusionError(ValueError):
    """The example cannot be left out; the message says why. Nothing was written."""


@transaction.atomic
def exclude(example: Example, who: User, reason: str) -> Exclusion:
    """Leave it out from now on. Raises ExclusionError without a reason, or where it is left out already."""
    reason = reason.strip()
    if not reason or len(reason) > REASON_LIMIT or "\x00" in reason:
        raise ExclusionError(f"Enter a reason of at most {REASON_LIMIT} characters, without a null character.")
    Benchmark.objects.select_for_update().get(pk=example.benchmark_id)
    if example.exclusions.in_force().exists():
        raise ExclusionError("The example is already excluded.")
    return Exclusion.objects.create(example=example, excluded_by=who, reason=reason)


def count_again(exclusion: Exclusion, who: User) -> None:
    """Lift the exclusion; its reason and its time are kept. A lifted exclusion stays as it is."""
    Exclusion.objects.in_force().filter(pk=exclusion.pk).update(lifted_by=who, lifted_at=timezone.now())


@require_POST
def example_exclude(request: MemberRequest, pk: int) -> HttpResponse:
    """Leave the example out, for a reason."""
    examples = Example.objects.select_related("benchmark__dataset")
    example = fetch_in_dataset(request.user, examples, pk, "benchmark.dataset", Role.ADJUDICATOR)
    try:
        exclude(example, request.user, request.POST.get("reason", ""))
    except ExclusionError as error:
        messages.error(request, f"Not changed. {error}")
    else:
        messages.success(request, f"Example {example.position + 1} is excluded. Its scores are kept.")
    return redirect_back(request, "validations", example.benchmark_id)


@require_POST
def exclusion_lift(request: MemberRequest, pk: int) -> HttpResponse:
    """Count the example again."""
    exclusions = Exclusion.objects.select_related("example__benchmark__dataset")
    exclusion = fetch_in_dataset(request.user, exclusions, pk, "example.benchmark.dataset", Role.ADJUDICATOR)
    count_again(exclusion, request.user)
    messages.success(request, f"Example {exclusion.example.position + 1} is included again.")
    return redirect_back(request, "validations", exclusion.example.benchmark_id)
