"""Tasks, for adjudicators: what the page Tasks does."""

from collections.abc import Callable
from typing import Any

from django.db.models import QuerySet
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from annotate.access import fetch_dataset, fetch_in_dataset
from annotate.judgements.judgement import JudgementError
from annotate.labels.returned import ReturnError, send_back
from annotate.models import Assignment, Dataset, Role, Task, TaskMove
from annotate.qualification.choose import KindError, set_kind
from annotate.tasks.annotators import AnnotatorError, annotators_of
from annotate.tasks.assign import AssignError, assign
from annotate.tasks.move import (
    MoveError,
    MoveResult,
    assign_tasks,
    find_people,
    need_annotators,
    reassign_tasks,
    unassign_tasks,
)
from annotate.tasks.places import keep_submission, lapse_expired
from annotate.tasks.table import FILTERS, SORTS, TaskFilter, ordered, with_places
from annotate.tasks.undo import undo_move
from api.rest.idempotency import once
from api.rest.pages import OrderedPages
from api.rest.problems import Conflict, Unprocessable
from api.rest.sent import read_body
from api.rest.views import ApiView, ListView
from api.tasks.serializers import (
    AssignResultSerializer,
    AutomaticAssignmentSerializer,
    ChangedTasksSerializer,
    ChosenTasksSerializer,
    MoveResultSerializer,
    NeedSerializer,
    NoteSerializer,
    PeopleOfTasksSerializer,
    ReassignmentSerializer,
    TaskAssignmentSerializer,
    TaskKindSerializer,
    TaskSerializer,
)


class TasksView(ListView):
    """The tasks of a dataset."""

    serializer_class = TaskSerializer
    pagination_class = OrderedPages

    def rows(self) -> QuerySet[Task]:
        dataset = fetch_dataset(self.request.user, self.kwargs["pk"], Role.ADJUDICATOR)
        lapse_expired(dataset)
        query = self.request.query_params
        for name, known in (("state", ["", *FILTERS]), ("sort", ["", *SORTS])):
            if query.get(name, "") not in known:
                raise Unprocessable(f"There is no such {name}; there are {', '.join(known[1:])}.")
        return with_places(ordered(TaskFilter.read(query).tasks(dataset), query.get("sort", "")))

    @extend_schema(
        operation_id="tasks_list",
        responses=TaskSerializer(many=True),
        parameters=[
            OpenApiParameter("state", enum=list(FILTERS)),
            OpenApiParameter("domain"),
            OpenApiParameter("person", description="A user name: tasks that they have or had."),
            OpenApiParameter("q", description="Text of a prompt or a response."),
            OpenApiParameter("sort", enum=list(SORTS), description="The order of the corpus without it."),
        ],
    )
    def get(self, request: Request, pk: int) -> Response:
        """The tasks with their assignments, filtered and sorted as on the page."""
        return super().get(request)


class TasksAssignView(ApiView):
    @once
    @extend_schema(
        operation_id="tasks_assign", request=AutomaticAssignmentSerializer, responses={200: AssignResultSerializer}
    )
    def post(self, request: Request, pk: int) -> Response:
        """Create missing tasks and assign every free place of the open ones, balanced, repeatable by seed."""
        dataset = fetch_dataset(self.request.user, pk, Role.ADJUDICATOR)
        chosen = read_body(AutomaticAssignmentSerializer, request)
        if strangers := sorted(set(chosen["annotators"]) - set(annotators_of(dataset))):
            raise Unprocessable(f"{strangers[0]} is no annotator of this dataset.")
        try:
            result = assign(
                dataset,
                chosen["annotators"],
                chosen["overlap"],
                chosen["seed"],
                who=self.request.user,
                per_task=chosen["per_task"],
            )
        except (AnnotatorError, AssignError) as error:
            raise Unprocessable(f"Not changed: {error}.") from error
        return Response(AssignResultSerializer(result).data)


class ChosenTasksView(ApiView):
    """Something done with chosen tasks."""

    def move(self, dataset: Dataset, sent: dict[str, Any]) -> MoveResult:
        raise NotImplementedError

    def answer(self, pk: int, serializer: type[ChosenTasksSerializer]) -> Response:
        dataset = fetch_dataset(self.request.user, pk, Role.ADJUDICATOR)
        sent = read_body(serializer, self.request)
        return _moved(lambda: self.move(dataset, sent))


class AssignByHandView(ChosenTasksView):
    def move(self, dataset: Dataset, sent: dict[str, Any]) -> MoveResult:
        return assign_tasks(dataset, sent["tasks"], find_people(sent["annotators"]), self.request.user)

    @once
    @extend_schema(
        operation_id="tasks_assign_by_hand", request=PeopleOfTasksSerializer, responses={200: MoveResultSerializer}
    )
    def post(self, request: Request, pk: int) -> Response:
        """Assign each of the tasks to each of these annotators."""
        return self.answer(pk, PeopleOfTasksSerializer)


class UnassignView(ChosenTasksView):
    def move(self, dataset: Dataset, sent: dict[str, Any]) -> MoveResult:
        return unassign_tasks(dataset, sent["tasks"], find_people(sent["annotators"]), self.request.user)

    @once
    @extend_schema(
        operation_id="tasks_unassign", request=PeopleOfTasksSerializer, responses={200: MoveResultSerializer}
    )
    def post(self, request: Request, pk: int) -> Response:
        """Take the tasks from these annotators, from all where none is named. Drafts are kept."""
        return self.answer(pk, PeopleOfTasksSerializer)


class ReassignView(ChosenTasksView):
    def move(self, dataset: Dataset, sent: dict[str, Any]) -> MoveResult:
        (source,), (target,) = find_people([sent["source"]]), find_people([sent["target"]])
        return reassign_tasks(dataset, sent["tasks"], source, target, self.request.user)

    @once
    @extend_schema(operation_id="tasks_reassign", request=ReassignmentSerializer, responses={200: MoveResultSerializer})
    def post(self, request: Request, pk: int) -> Response:
        """Move the tasks from one annotator to another."""
        return self.answer(pk, ReassignmentSerializer)


class NeedView(ChosenTasksView):
    def move(self, dataset: Dataset, sent: dict[str, Any]) -> MoveResult:
        return need_annotators(dataset, sent["tasks"], sent["number"])

    @once
    @extend_schema(operation_id="tasks_need", request=NeedSerializer, responses={200: MoveResultSerializer})
    def post(self, request: Request, pk: int) -> Response:
        """Let each of the tasks need so many annotators."""
        return self.answer(pk, NeedSerializer)


class TaskKindsView(ApiView):
    @once
    @extend_schema(operation_id="tasks_kind", request=TaskKindSerializer, responses={200: ChangedTasksSerializer})
    def post(self, request: Request, pk: int) -> Response:
        """Make the tasks a qualification, a control, or work again."""
        dataset = fetch_dataset(self.request.user, pk, Role.ADJUDICATOR)
        sent = read_body(TaskKindSerializer, request)
        try:
            changed = set_kind(dataset, sent["tasks"], sent["kind"])
        except KindError as error:
            raise Unprocessable(f"Not changed: {error}.") from error
        return Response({"changed": changed})


class UndoMoveView(ApiView):
    @once
    @extend_schema(operation_id="task_move_undo", request=None, responses={200: MoveResultSerializer})
    def post(self, request: Request, pk: int) -> Response:
        """Undo the last action on tasks, where nothing was begun since."""
        moves = TaskMove.objects.select_related("dataset")
        move = fetch_in_dataset(self.request.user, moves, pk, "dataset", Role.ADJUDICATOR)
        return _moved(lambda: undo_move(move, self.request.user))


class SendBackView(ApiView):
    @once
    @extend_schema(
        operation_id="assignment_send_back", request=NoteSerializer, responses={200: TaskAssignmentSerializer}
    )
    def post(self, request: Request, pk: int) -> Response:
        """Send submitted work back to its annotator with a note."""
        assignment = _fetch_assignment(self.request.user, pk)
        sent = read_body(NoteSerializer, request)
        try:
            returned = send_back(assignment, sent["note"], self.request.user)
        except ReturnError as error:
            raise Conflict(f"Not sent back: {error}.") from error
        except JudgementError as error:
            raise Unprocessable(f"Not sent back: {error}.") from error
        return Response(TaskAssignmentSerializer(returned).data)


class EndReturnView(ApiView):
    @once
    @extend_schema(operation_id="assignment_send_back_end", request=None, responses={200: TaskAssignmentSerializer})
    def post(self, request: Request, pk: int) -> Response:
        """Let the submitted labels stand, though their annotator has not submitted again."""
        if not keep_submission(_fetch_assignment(self.request.user, pk), self.request.user):
            raise Conflict("It was not sent back, or was submitted again.")
        return Response(TaskAssignmentSerializer(_fetch_assignment(self.request.user, pk)).data)


def _fetch_assignment(user: Any, pk: int) -> Assignment:
    assignments = Assignment.objects.select_related("task__dataset", "annotator")
    return fetch_in_dataset(user, assignments, pk, "task.dataset", Role.ADJUDICATOR)


def _moved(move: Callable[[], MoveResult]) -> Response:
    try:
        result = move()
    except MoveError as error:
        raise Unprocessable(f"Not changed: {error}.") from error
    return Response(MoveResultSerializer(result).data)
