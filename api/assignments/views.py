"""An annotator's own work: listed, taken, saved as a draft, submitted, skipped, taken up and taken back."""

from datetime import UTC, datetime
from typing import Any

from django.db.models import QuerySet, Value
from django.db.models.functions import Coalesce
from django.http import Http404
from django.urls import reverse
from django.utils import timezone
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from annotate.access import fetch_dataset, fetch_own_assignment
from annotate.judgements.entries import draft_of
from annotate.judgements.judgement import JudgementError
from annotate.judgements.page_keys import PageKeys
from annotate.labels.active import worked_seconds
from annotate.labels.changes import check_changes, save_changes
from annotate.labels.draft import Saved, SaveOutcome
from annotate.labels.form import FormError
from annotate.labels.guidelines import check_version
from annotate.labels.next_work import NextStep, next_work
from annotate.labels.own_work import BEGUN, own_work
from annotate.labels.payload import payload_of
from annotate.labels.returned import ReturnError, take_back
from annotate.labels.skip import SkipError, skip, take_up
from annotate.labels.submit import save_and_submit
from annotate.models import Assignment, Role, ViewReceipt
from annotate.people.receipts import note_receipt
from annotate.tasks.places import keep_submission, lapse_expired
from api.assignments.serializers import (
    DraftSerializer,
    OwnWorkSerializer,
    SavedDraftSerializer,
    SkipSerializer,
    WorkSerializer,
    saved_data,
    work_data,
)
from api.models import Scope
from api.rest.idempotency import once
from api.rest.pages import Pages
from api.rest.problems import Conflict, Unprocessable
from api.rest.sent import read_body
from api.rest.views import ApiView, ListView, PreconditionFailed, PreconditionRequired
from core.counters import SAVES
from core.errors import not_saved

State = Assignment.State
# Of what was taken away before it was begun.
NEVER = datetime(1970, 1, 1, tzinfo=UTC)
WHY_LOST = {
    SaveOutcome.LOST: "Somebody else has this task now, or it was skipped: what you sent is kept, and does not count.",
    SaveOutcome.SUBMITTED: "The task is submitted.",
    SaveOutcome.CLOSED: "The task is closed.",
}


class OwnWorkPages(Pages):
    """In the order in which work was begun: a row's number would tell a control from other work."""

    ordering = ("begun", "pk")


class StaleDraft(PreconditionFailed):
    """With the draft as it is stored."""

    default_detail = "Another page or program saved this draft meanwhile: it is beside this sentence."

    def __init__(self, own: Assignment) -> None:
        super().__init__()
        self.members = {"version": own.draft_version, "entries": saved_data(own)["entries"]}


class OwnWorkView(ListView):
    """Your assignments in a dataset."""

    serializer_class = OwnWorkSerializer
    pagination_class = OwnWorkPages

    def rows(self) -> QuerySet[Assignment]:
        dataset = fetch_dataset(self.request.user, self.kwargs["pk"], Role.ANNOTATOR)
        lapse_expired(dataset)
        query = self.request.query_params
        own = own_work(dataset, self.request.user, query.get("state", ""), query.get("q", "").strip())
        return own.annotate(begun=Coalesce(BEGUN, Value(NEVER)))

    @extend_schema(
        operation_id="assignments_list",
        responses=OwnWorkSerializer(many=True),
        parameters=[
            OpenApiParameter("state", enum=[*State.values, "messages"], description="“messages”: with new ones."),
            OpenApiParameter("q", description="Text of a prompt or a response."),
        ],
    )
    def get(self, request: Request, pk: int) -> Response:
        """Your work as My work lists it, in the order in which it was begun."""
        return super().get(request)


class NextWorkView(ApiView):
    """Your next task."""

    write_scope = Scope.LABEL

    @once
    @extend_schema(operation_id="assignments_next", request=None, responses={200: WorkSerializer, 204: None})
    def post(self, request: Request, pk: int) -> Response:
        """Open your next task; the one in progress first. 204: nothing is left; 409: something else comes first."""
        dataset = fetch_dataset(self.request.user, pk, Role.ANNOTATOR)
        following = next_work(dataset, self.request.user, on_page=True)
        if following.step is NextStep.QUALIFICATION:
            raise Conflict("Your qualification comes first: see its page.")
        if following.step is NextStep.REBUTTAL:
            raise Conflict("No task is left, and a rebuttal waits for your answer: see its page.")
        if following.assignment is None:
            return Response(status=204)
        own = fetch_own_assignment(self.request.user, following.assignment.key, Role.ANNOTATOR)
        return _work(own, Location=reverse("api:assignment", args=[own.key]))


class AssignmentView(ApiView):
    """One assignment of yours."""

    @extend_schema(operation_id="assignment", responses=WorkSerializer)
    def get(self, request: Request, key: str) -> Response:
        """What is to be judged, and the draft; its version is the ETag. What is submitted is read with its labels."""
        own = _fetch(self.request.user, key)
        note_receipt(own.task_id, self.request.user, ViewReceipt.What.TASK)
        return _work(own)


class DraftView(ApiView):
    """The draft of an assignment."""

    write_scope = Scope.LABEL

    @extend_schema(operation_id="draft_save", request=DraftSerializer, responses=SavedDraftSerializer)
    def put(self, request: Request, key: str) -> Response:
        """Save the whole draft, and hold the task longer. Send its version as If-Match.

        412: it was saved elsewhere meanwhile, and the problem holds that draft; 409: the task is not yours any more.
        """
        own = _fetch(self.request.user, key)
        version = _version(request, own)
        sent = read_body(DraftSerializer, request)
        try:
            draft = payload_of({**sent, "version": version})
            check_version(own, draft.guideline)
            taken_back = dict.fromkeys(map(PageKeys(own).of, own.draft))
            changes = check_changes(own, {**taken_back, **draft.changes})
            now = timezone.now()
            worked = worked_seconds(sent["active"], now)
            saved = save_changes(own, changes, draft.version, worked, now, draft.guideline)
        except (JudgementError, FormError) as error:
            raise Unprocessable(not_saved(error)) from error
        _check_saved(saved)
        return Response(saved_data(saved.assignment), headers=_tag(saved.assignment))


class SubmitView(ApiView):
    """The submission of an assignment."""

    write_scope = Scope.LABEL

    @once
    @extend_schema(operation_id="assignment_submit", request=None, responses={200: WorkSerializer})
    def post(self, request: Request, key: str) -> Response:
        """Turn the stored draft into labels. Send its version as If-Match."""
        own = _fetch(self.request.user, key)
        if _version(request, own) != own.draft_version:
            _check_saved(Saved(SaveOutcome.STALE, own))
        saved = save_and_submit(own, lambda _: draft_of(own), own.draft_version)
        _check_saved(saved)
        if saved.unready:
            raise Unprocessable(saved.message)
        return _again(self.request.user, key)


class SkipView(ApiView):
    write_scope = Scope.LABEL

    @once
    @extend_schema(operation_id="assignment_skip", request=SkipSerializer, responses={200: WorkSerializer})
    def post(self, request: Request, key: str) -> Response:
        """Leave the task to somebody else; the draft is kept."""
        own = _fetch(self.request.user, key)
        sent = read_body(SkipSerializer, request)
        try:
            skip(own, sent["reason"])
        except SkipError as error:
            raise Conflict(f"Not skipped: {error}") from error
        except JudgementError as error:
            raise Unprocessable(f"Not skipped: {error}.") from error
        return _again(self.request.user, key)


class TakeUpView(ApiView):
    write_scope = Scope.LABEL

    @once
    @extend_schema(operation_id="assignment_take_up", request=None, responses={200: WorkSerializer})
    def post(self, request: Request, key: str) -> Response:
        """Go on with a skipped task, if a place is still free."""
        own = take_up(_fetch(self.request.user, key))
        if own.state != State.OPEN:
            raise Conflict("All assignments of this task are taken, or it was not skipped.")
        return _again(self.request.user, key)


class TakeBackView(ApiView):
    write_scope = Scope.LABEL

    @once
    @extend_schema(operation_id="assignment_take_back", request=None, responses={200: WorkSerializer})
    def post(self, request: Request, key: str) -> Response:
        """Go on with what you submitted, while nobody has acted on it."""
        try:
            take_back(_fetch(self.request.user, key))
        except ReturnError as error:
            raise Conflict(f"Not taken back: {error}.") from error
        return _again(self.request.user, key)


class KeepView(ApiView):
    write_scope = Scope.LABEL

    @once
    @extend_schema(operation_id="assignment_keep", request=None, responses={200: WorkSerializer})
    def post(self, request: Request, key: str) -> Response:
        """Let stand what you submitted, though it was sent back or taken back; the draft is dropped."""
        if not keep_submission(_fetch(self.request.user, key), self.request.user):
            raise Conflict("It was not sent back or taken back.")
        return _again(self.request.user, key)


def _fetch(user: Any, key: str) -> Assignment:
    """What is reserved waits until it is served: no page lists it."""
    own = fetch_own_assignment(user, key, Role.ANNOTATOR)
    if own.state == State.RESERVED:
        raise Http404("No such assignment.")
    return own


def _again(user: Any, key: str) -> Response:
    """As it is stored now."""
    return _work(fetch_own_assignment(user, key, Role.ANNOTATOR))


def _work(own: Assignment, **headers: str) -> Response:
    return Response(work_data(own), headers={**_tag(own), **headers})


def _tag(own: Assignment) -> dict[str, str]:
    return {"ETag": f'"{own.draft_version}"'}


def _version(request: Request, own: Assignment) -> int:
    """That of the draft which the request has seen; "*" is the stored one."""
    wanted = request.headers.get("If-Match")
    if wanted is None:
        raise PreconditionRequired
    if wanted.strip() == "*":
        return own.draft_version
    number = wanted.strip().strip('"')
    if not (number.isascii() and number.isdigit() and len(number) < 10):
        raise StaleDraft(own)
    return int(number)


def _check_saved(saved: Saved) -> None:
    SAVES.labels(saved.outcome.value).inc()
    if saved.outcome is SaveOutcome.STALE:
        raise StaleDraft(saved.assignment)
    if saved.outcome is not SaveOutcome.SAVED:
        raise Conflict(WHY_LOST[saved.outcome])
