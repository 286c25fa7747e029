"""The agreement page: how far annotators agree before anything was settled (definitions.md §5)."""

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from annotate.access import MemberRequest, fetch_dataset, role_in
from annotate.agreement.report import build_agreement
from annotate.models import Role, Value

COEFFICIENTS = {
    "percent": "Percent",
    "positive": "On errors",
    "negative": "On correct",
    "kappa": "Cohen's κ",
    "alpha": "Krippendorff's α",
    "ac1": "Gwet's AC1",
}


@require_GET
def agreement(request: MemberRequest, pk: int) -> HttpResponse:
    dataset = fetch_dataset(request.user, pk, Role.RESEARCHER, Role.ADJUDICATOR)
    document = build_agreement(dataset)
    context = {
        "dataset": dataset,
        "role": role_in(request.user, dataset),
        "tab": "agreement",
        "agreement": document,
        "overall": document["results"][0],
        "slice_name": next(iter(document["results"][0]["slice"])),
        "coefficients": COEFFICIENTS,
        "values": Value.choices,
    }
    return render(request, "agreement/agreement.html", context)
