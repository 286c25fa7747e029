"""The agreement page."""

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from annotate.access import MemberRequest, fetch_dataset, role_in
from annotate.models import Role


@require_GET
def agreement(request: MemberRequest, pk: int) -> HttpResponse:
    dataset = fetch_dataset(request.user, pk, Role.RESEARCHER, Role.ADJUDICATOR)
    context = {"dataset": dataset, "role": role_in(request.user, dataset), "tab": "agreement"}
    return render(request, "agreement/agreement.html", context)
