"""Runs: list, start, estimate, follow, stop, resume."""

from collections.abc import Mapping
from typing import Any

from django.db import transaction
from django.db.models import QuerySet
from django.urls import reverse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from annotate.access import fetch_dataset, fetch_in_dataset
from annotate.models import User
from api.jobs.control import LimitsSerializer, enqueue_later, read_limits, resume
from api.models import Scope
from api.rest.access import READERS
from api.rest.idempotency import once
from api.rest.pages import OrderedPages
from api.rest.problems import Unprocessable
from api.rest.sent import read_body, read_query
from api.rest.views import ApiView, ListView
from api.runs.serializers import (
    DiffFilterSerializer,
    EstimateSerializer,
    NewRunSerializer,
    RunChangeSerializer,
    RunDiffSerializer,
    RunFilterSerializer,
    RunListSerializer,
    RunOptionsSerializer,
    RunSerializer,
)
from audit.models import Action
from audit.record import record
from evaluators.comparison.study import find_version
from evaluators.comparison.unit_details import UnitDetail, UnitPart, unit_details
from evaluators.methods import EDITORS
from evaluators.models import Run
from evaluators.run_page.diff import RunDiff, diff_of, differing_entries, find_side
from evaluators.runs.batch_api import in_words
from evaluators.runs.build import RunError
from evaluators.runs.create import create_run
from evaluators.runs.estimate import estimate
from evaluators.runs.listing import list_runs
from evaluators.runs.manage import archive_run, delete_run, note_run, rename_run, restore_run, tag_run
from evaluators.runs.progress import progress_of


class RunsView(ListView):
    """The runs of a dataset. `edits`: those of editors."""

    edits = False

    serializer_class = RunListSerializer
    pagination_class = OrderedPages
    write_scope = Scope.EVALUATE

    def rows(self) -> QuerySet[Run]:
        dataset = fetch_dataset(self.request.user, self.kwargs["pk"], *READERS)
        asked = read_query(RunFilterSerializer, self.request)
        order = (asked[name] for name in ("state", "evaluator", "sort"))
        return list_runs(dataset, *order, tag=asked["tag"], archived=asked["archived"], edits=self.edits)

    def check(self, method: str) -> None:
        """Raises RunError where runs of this list have no such method."""
        if method in EDITORS:
            raise RunError(f"{method} is an editor: send it to editing-runs/.")

    @extend_schema(operation_id="runs_list", parameters=[RunFilterSerializer], responses=RunListSerializer(many=True))
    def get(self, request: Request, pk: int) -> Response:
        """The dataset's runs, filtered and sorted as on the page."""
        return super().get(request)

    @once
    @extend_schema(
        operation_id="runs_create", request=NewRunSerializer, responses={200: RunSerializer, 201: RunSerializer}
    )
    def post(self, request: Request, pk: int) -> Response:
        """Queue a run. 200 with the run that is there where the same one is under way or has finished."""
        return self.start(pk)

    def start(self, pk: int) -> Response:
        dataset = fetch_dataset(self.request.user, pk, *READERS)
        options = read_body(NewRunSerializer, self.request)
        self.check(options["method"])
        limits = read_limits(options)
        options = {name: value for name, value in options.items() if name not in LimitsSerializer().fields}
        new = create_run(dataset, **options, limits=limits, created_by=self.request.user)
        if new.created:
            enqueue_later(new.run)
        location = reverse("api:run", args=[new.run.pk])
        return Response(describe(new.run), status=201 if new.created else 200, headers={"Location": location})


class RunEstimateView(ApiView):
    write_scope = Scope.EVALUATE

    @once
    @extend_schema(operation_id="runs_estimate", request=RunOptionsSerializer, responses=EstimateSerializer)
    def post(self, request: Request, pk: int) -> Response:
        """What a run would take; it calls no model and stores nothing."""
        dataset = fetch_dataset(self.request.user, pk, *READERS)
        sent = read_body(RunOptionsSerializer, request)
        return Response(EstimateSerializer(estimate(dataset, **sent)).data)


class RunView(ApiView):
    """One run."""

    write_scope = Scope.EVALUATE

    @extend_schema(operation_id="run", responses=RunSerializer)
    def get(self, request: Request, pk: int) -> Response:
        """A run with its progress."""
        return Response(describe(fetch_run(self.request.user, pk)))

    @extend_schema(operation_id="run_change", request=RunChangeSerializer, responses=RunSerializer)
    @transaction.atomic
    def patch(self, request: Request, pk: int) -> Response:
        """Rename, tag, note, archive or bring back."""
        run = fetch_run(self.request.user, pk)
        changes = read_body(RunChangeSerializer, request)
        if "name" in changes:
            rename_run(run, changes["name"])
        if "tags" in changes:
            tag_run(run, changes["tags"])
        if "note" in changes:
            note_run(run, changes["note"])
        if "archived" in changes:
            (archive_run if changes["archived"] else restore_run)(run)
        return Response(describe(run))

    @extend_schema(operation_id="run_delete", responses={204: None})
    @transaction.atomic
    def delete(self, request: Request, pk: int) -> Response:
        """Delete the run with its predictions, readings, error analyses and edits. Answers of models stay known."""
        run = fetch_run(self.request.user, pk)
        record(request._request, Action.DELETED, run, detail=str(run.dataset))
        delete_run(run)
        return Response(status=204)


class RunDiffView(ApiView):
    """Two runs unit by unit."""

    @extend_schema(operation_id="run_diff", parameters=[DiffFilterSerializer], responses=RunDiffSerializer)
    def get(self, request: Request, pk: int) -> Response:
        """The units that one run has right and another one wrong, with what both say and how they were made."""
        run = fetch_run(self.request.user, pk)
        wanted = read_query(DiffFilterSerializer, request)
        other = find_side(run.dataset, wanted["other"])
        if other is None:
            raise Unprocessable(f"other is {wanted['other'][:40]!r}: no run over the dataset, and no baseline.")
        diff = diff_of(run.dataset, find_version(run.dataset, wanted["gold"]), run, other, wanted["level"])
        return Response(RunDiffSerializer(describe_diff(diff, wanted)).data)


class RunManifestView(ApiView):
    @extend_schema(operation_id="run_manifest", responses=OpenApiTypes.OBJECT)
    def get(self, request: Request, pk: int) -> Response:
        """All that is needed to repeat the run."""
        return Response(fetch_run(self.request.user, pk).manifest)


class RunStopView(ApiView):
    write_scope = Scope.EVALUATE

    @once
    @extend_schema(operation_id="run_stop", request=None, responses=RunSerializer)
    def post(self, request: Request, pk: int) -> Response:
        """Stop the run; what it has is kept. A run that has ended stays as it is."""
        run = fetch_run(self.request.user, pk)
        run.stop()
        return Response(describe(run))


class RunResumeView(ApiView):
    write_scope = Scope.EVALUATE

    @once
    @extend_schema(
        operation_id="run_resume", request=LimitsSerializer, responses={200: RunSerializer, 202: RunSerializer}
    )
    def post(self, request: Request, pk: int) -> Response:
        """Queue what is left, under other limits where they are sent. 200: nothing is left."""
        run = fetch_run(self.request.user, pk)
        resumed = resume(run, request)
        return Response(describe(run), status=202 if resumed else 200)


def fetch_run(user: User, pk: int) -> Run:
    known = Run.objects.select_related("dataset", "evaluator")
    return fetch_in_dataset(user, known, pk, "dataset", *READERS)


def describe_diff(diff: RunDiff, wanted: Mapping[str, Any]) -> dict[str, Any]:
    units = diff.units(wanted["show"], wanted["domain"], wanted["q"])
    page = units[wanted["offset"] : wanted["offset"] + wanted["limit"]]
    one, other = (judge.name for judge in diff.judges)
    return {
        "one": one,
        "other": other,
        "level": diff.level,
        "n": diff.n,
        "counts": diff.counts,
        "differing": differing_entries(*diff.judges),
        "matching": len(units),
        "units": [_unit(detail, one, other) for detail in unit_details(diff.study, diff.level, page, diff.judges)],
    }


def _unit(detail: UnitDetail, one: str, other: str) -> dict[str, Any]:
    votes = {vote.evaluator: vote.value for vote in detail.votes}
    return {
        "index": detail.response.index,
        "gold": detail.gold,
        "one": votes[one],
        "other": votes[other],
        "parts": [_part(part, one, other) for part in detail.parts],
    }


def _part(part: UnitPart, one: str, other: str) -> dict[str, Any]:
    """A baseline without a run has a vote and no prediction."""
    said = {answer.evaluator: answer.prediction for answer in part.answers}
    return {
        "segment": part.segment.position,
        "fact": part.fact.position if part.fact else None,
        "text": part.text,
        "gold": part.gold.value if part.gold else None,
        "one": said.get(one),
        "other": said.get(other),
    }


def describe(run: Run) -> dict[str, Any]:
    progress = progress_of(run)
    row = {
        "run": run,
        "notice": run.notice or (in_words(run) if run.is_active else ""),
        "progress": progress,
        "spent": {
            "paid": progress.paid,
            "cached": progress.cached,
            "tokens": progress.tokens,
            "cost_usd": progress.cost_usd,
            "known_usd": progress.known_usd,
            "unpriced": progress.unpriced,
            "max_tokens_total": run.max_tokens,
            "max_cost": run.max_cost_usd,
        },
        "failures": [{"reason": reason, "responses": count} for reason, count in progress.reasons],
    }
    return RunSerializer(row).data
