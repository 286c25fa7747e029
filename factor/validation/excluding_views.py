"""What validation finds is acted on: an example is left out of the figures, or counted again."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.http import require_POST

from annotate.access import MemberRequest, fetch_in_dataset
from annotate.models import Role
from factor.models import Benchmark, Example, Exclusion
from factor.validation.exclude import ExclusionError, count_again, exclude


@require_POST
def example_exclude(request: MemberRequest, pk: int) -> HttpResponse:
    """Leave the example out, for a reason."""
    examples = Example.objects.select_related("benchmark__dataset")
    example = fetch_in_dataset(request.user, examples, pk, "benchmark.dataset", Role.ADJUDICATOR)
    try:
        exclude(example, request.user, request.POST.get("reason", ""))
    except ExclusionError as error:
        messages.error(request, f"Nothing was changed. {error}")
    else:
        messages.success(request, f"Example {example.position + 1} is left out of the figures; its scores are kept.")
    return _back(request, example.benchmark)


@require_POST
def exclusion_lift(request: MemberRequest, pk: int) -> HttpResponse:
    """Count the example again."""
    exclusions = Exclusion.objects.select_related("example__benchmark__dataset")
    exclusion = fetch_in_dataset(request.user, exclusions, pk, "example.benchmark.dataset", Role.ADJUDICATOR)
    count_again(exclusion, request.user)
    messages.success(request, f"Example {exclusion.example.position + 1} counts again.")
    return _back(request, exclusion.example.benchmark)


def _back(request: MemberRequest, benchmark: Benchmark) -> HttpResponse:
    """To the page of this site that it was asked from, else to the benchmark's validation."""
    asked = request.POST.get("next", "")
    if url_has_allowed_host_and_scheme(asked, {request.get_host()}, request.is_secure()):
        return redirect(asked)
    return redirect("validations", benchmark.pk)
