"""The leaderboard's pages."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from annotate.access import fetch_dataset, role_in
from annotate.models import Role


def leaderboard(request: HttpRequest, pk: int) -> HttpResponse:
    dataset = fetch_dataset(request.user, pk, Role.RESEARCHER, Role.ADJUDICATOR)
    page = {"dataset": dataset, "role": role_in(request.user, dataset), "tab": "leaderboard"}
    return render(request, "comparison/leaderboard.html", page)
