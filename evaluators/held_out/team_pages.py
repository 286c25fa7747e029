"""What a team sees by the key of its link: the units without gold, its own submissions, and the ranks once shown."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django import forms
from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponseBase, JsonResponse
from django.shortcuts import redirect, render
from django.utils.http import urlencode
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_safe

from annotate.prompts.uploaded import saved
from core.downloads import download
from core.errors import DataError
from core.form_fields import UploadField
from core.json_lines import json_line
from core.uploads import takes_uploads_from
from evaluators.held_out.submit import next_at, submit
from evaluators.held_out.teams import fetch_team, is_team, results_for_team
from evaluators.held_out.units import lines_of
from evaluators.models import BoardSubmission, BoardTeam
from evaluators.sharing.public_pages import TO_THIS_SITE, keep_quiet

# The columns beside F1.
OTHERS = ("precision", "recall", "balanced_accuracy")

View = Callable[[HttpRequest], HttpResponseBase]


class SubmissionForm(forms.Form):
    """A file of predictions and what made them."""

    system = forms.CharField(max_length=200, label="System", help_text="What made the predictions.")
    file = UploadField(
        help_text="JSON lines, CSV or Parquet: index, segment, fact, value, for every unit of the board.",
        command="import_predictions",
    )


def by_key(view: View) -> View:
    """A view of whoever has a team's key."""

    @wraps(view)
    def quiet(request: HttpRequest) -> HttpResponseBase:
        return keep_quiet(view(request), TO_THIS_SITE)

    return login_not_required(takes_uploads_from(is_team)(quiet))


@by_key
@require_http_methods(["GET", "HEAD", "POST"])
def held_out(request: HttpRequest) -> HttpResponseBase:
    """The board as the team sees it; a post is a submission. Its faults stand at the form, and nothing is kept."""
    team = fetch_team(request)
    form = SubmissionForm(request.POST, request.FILES) if request.method == "POST" else SubmissionForm()
    if form.is_bound and form.is_valid() and _submitted(request, team, form) is not None:
        return redirect(f"{request.path}?{urlencode({'key': request.GET['key']})}")
    page = {
        "key": request.GET["key"],
        "team": team,
        "board": team.board,
        "form": form,
        "again": next_at(team.board, team),
        "own": [{**each, "others": [each["public"]["figures"][name] for name in OTHERS]} for each in _own(team)],
        "standing": team.board.standing,
    }
    return render(request, "held_out/team.html", page, status=422 if form.errors else 200)


def _submitted(request: HttpRequest, team: BoardTeam, form: SubmissionForm) -> BoardSubmission | None:
    """None, with the reason in the form, where it is not taken."""
    try:
        with saved(form.cleaned_data["file"]) as path:
            return submit(request, team, path, form.cleaned_data["system"])
    except DataError as error:
        form.add_error("file", str(error))
        return None


@by_key
@require_safe
def held_out_units(request: HttpRequest) -> HttpResponseBase:
    """The units without gold, a line each."""
    board = fetch_team(request).board
    lines = (f"{json_line(line)}\n" for line in lines_of(board))
    return download(lines, "units.jsonl", "application/jsonl; charset=utf-8")


@by_key
@csrf_exempt  # its authority is the key in the address: a browser that another site sends here has none
@require_http_methods(["GET", "HEAD", "POST"])
def held_out_submissions(request: HttpRequest) -> HttpResponseBase:
    """The same for programs: the team's submissions, the newest first; a post of `system` and `file` adds one."""
    team = fetch_team(request)
    if request.method == "POST":
        form = SubmissionForm(request.POST, request.FILES)
        submission = _submitted(request, team, form) if form.is_valid() else None
        if submission is None:
            return JsonResponse({"errors": form.errors}, status=422)
        return JsonResponse(_described(team, submission), status=201)
    document = {
        "board": team.board.title,
        "team": team.name,
        "daily": team.board.daily,
        "next_at": again.isoformat() if (again := next_at(team.board, team)) else None,
        "submissions": _own(team),
        "standing": team.board.standing,
    }
    return JsonResponse(document)


def _own(team: BoardTeam) -> list[dict[str, Any]]:
    return [_described(team, each) for each in team.submissions.defer("predictions")]


def _described(team: BoardTeam, submission: BoardSubmission) -> dict[str, Any]:
    return {
        "system": submission.system,
        "file_hash": submission.file_hash,
        "at": submission.created_at,
        **results_for_team(team.board, submission),
    }
