"""The pages of a held-out board for the dataset's adjudicators."""

from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods, require_POST

from annotate.access import MemberRequest, fetch_dataset, fetch_in_dataset
from annotate.models import Dataset, Role
from core.errors import DataError
from core.form_fields import NumberField, SeedField
from evaluators.comparison.study import versions_of
from evaluators.held_out.split import open_board
from evaluators.held_out.teams import add_team, remove_team, show_hidden
from evaluators.models import BoardSubmission, HeldOutBoard

MOST_A_DAY = 20


class BoardForm(forms.Form):
    """What a board is scored by."""

    title = forms.CharField(max_length=200, help_text="The teams read it.")
    version = forms.ChoiceField(label="Frozen gold")
    hidden = forms.IntegerField(
        min_value=10, max_value=90, initial=50, label="Hidden, in %", help_text="Share of the prompts with gold."
    )
    daily = NumberField(
        min_value=1, max_value=MOST_A_DAY, initial=2, label="Submissions a day", help_text="Of a team within 24 hours."
    )
    seed = SeedField(help_text="Of the split. Empty: drawn.")

    def __init__(self, *arguments: Any, dataset: Dataset, **named: Any) -> None:
        super().__init__(*arguments, **named)
        field = self.fields["version"]
        assert isinstance(field, forms.ChoiceField)  # noqa: S101 - as it is declared above
        field.choices = [(version.name, version.name) for version in versions_of(dataset)]


class TeamForm(forms.Form):
    name = forms.CharField(max_length=100, label="Name of the team", help_text="Other teams read it with the ranks.")


@require_http_methods(["GET", "HEAD", "POST"])
def boards(request: MemberRequest, pk: int) -> HttpResponse:
    """The boards of the dataset, and the form that opens another one."""
    dataset = fetch_dataset(request.user, pk, Role.ADJUDICATOR)
    form = BoardForm(request.POST if request.method == "POST" else None, dataset=dataset)
    if form.is_bound and form.is_valid() and (board := _opened(request, dataset, form)):
        return redirect("board", board.pk)
    page = {
        "dataset": dataset,
        "role": Role.ADJUDICATOR,
        "tab": "leaderboard",
        "boards": dataset.held_out_boards.select_related("version").defer("hidden", "public", "standing"),
        "versions": dataset.gold_versions.exists(),
        "form": form,
    }
    return render(request, "held_out/boards.html", page, status=422 if request.method == "POST" else 200)


def _opened(request: MemberRequest, dataset: Dataset, form: BoardForm) -> HeldOutBoard | None:
    """None, with the reason in the form, where it cannot be opened."""
    asked = form.cleaned_data
    try:
        return open_board(
            request,
            dataset,
            dataset.gold_versions.get(name=asked["version"]),
            asked["title"],
            share=asked["hidden"] / 100,
            daily=asked["daily"],
            seed=asked["seed"],
        )
    except DataError as error:
        form.add_error(None, str(error))
        return None


@require_http_methods(["GET", "HEAD", "POST"])
def board(request: MemberRequest, pk: int) -> HttpResponse:
    """Teams and submissions with the figures of both splits. A post adds a team; its link is on the answer and nowhere
    else."""
    found = _fetch(request, pk)
    form = TeamForm(request.POST if request.method == "POST" else None)
    link = None
    if form.is_bound and form.is_valid():
        try:
            team, path = add_team(request, found, form.cleaned_data["name"])
            link, form = (team, request.build_absolute_uri(path)), TeamForm()
        except DataError as error:
            form.add_error("name", str(error))
    page = {
        "dataset": found.dataset,
        "role": Role.ADJUDICATOR,
        "tab": "leaderboard",
        "board": found,
        "teams": found.teams.all(),
        "submissions": _submissions(found),
        "form": form,
        "link": link,
    }
    return render(request, "held_out/board.html", page, status=422 if form.errors else 200)


def _submissions(found: HeldOutBoard) -> list[BoardSubmission]:
    return list(BoardSubmission.objects.filter(team__board=found).select_related("team").defer("predictions"))


@require_POST
def board_show(request: MemberRequest, pk: int) -> HttpResponse:
    found = _fetch(request, pk)
    if show_hidden(request, found):
        messages.success(request, "The teams see the hidden figures and ranks. No submission is taken any more.")
    return redirect("board", pk)


@require_POST
def team_remove(request: MemberRequest, pk: int, team: int) -> HttpResponse:
    found = _fetch(request, pk)
    if remove_team(request, get_object_or_404(found.teams.select_related("board"), pk=team)):
        messages.success(request, "The key of the team no longer works.")
    return redirect("board", pk)


def _fetch(request: MemberRequest, pk: int) -> HeldOutBoard:
    held_out = HeldOutBoard.objects.select_related("dataset", "version")
    return fetch_in_dataset(request.user, held_out, pk, "dataset", Role.ADJUDICATOR)
