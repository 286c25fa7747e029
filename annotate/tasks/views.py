"""The adjudicator's page of tasks and places."""

from django import forms
from django.contrib import messages
from django.http import HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import urlencode
from django.views.decorators.http import require_http_methods, require_POST

from annotate.access import MemberRequest, fetch_dataset, fetch_in_dataset
from annotate.models import Assignment, Dataset, Role, Task, TaskMove
from annotate.qualification.choose import KindError, set_kind
from annotate.tasks.annotators import AnnotatorError, annotators_of
from annotate.tasks.assign import MOST, AssignError, assign
from annotate.tasks.move import (
    MoveError,
    MoveResult,
    assign_tasks,
    find_people,
    need_annotators,
    reassign_tasks,
    unassign_tasks,
)
from annotate.tasks.places import give_back, lapse_expired
from annotate.tasks.table import TaskFilter, sizes, task_page
from annotate.tasks.undo import last_move, undo_move
from core.form_fields import NumberField
from core.numbers import read_number
from core.requests import redirect_back


class AssignForm(forms.Form):
    """Annotators by user name, the share of tasks that want several and how many, the seed of the draw."""

    annotators = forms.MultipleChoiceField(widget=forms.CheckboxSelectMultiple)
    overlap = forms.FloatField(min_value=0, max_value=1, widget=forms.NumberInput(attrs={"step": "any"}))
    per_task = forms.IntegerField(min_value=2, max_value=MOST, required=False)
    seed = NumberField(initial=7)

    def __init__(self, dataset: Dataset, data: QueryDict | None = None) -> None:
        super().__init__(data, initial={"overlap": dataset.overlap, "per_task": dataset.per_task})
        names = annotators_of(dataset)
        field = self.fields["annotators"]
        assert isinstance(field, forms.MultipleChoiceField)  # noqa: S101 - tells the type checker
        field.choices = [(name, name) for name in names]
        field.initial = names


@require_http_methods(["GET", "HEAD", "POST"])
def assign_page(request: MemberRequest, pk: int) -> HttpResponse:
    """Reserve places, and see who holds which."""
    dataset = fetch_dataset(request.user, pk, Role.ADJUDICATOR)
    if request.method == "POST":
        form = AssignForm(dataset, request.POST)
        if form.is_valid() and _assign(request, dataset, form):
            return redirect("assign", dataset.pk)
        status = 422
    else:
        form, status = AssignForm(dataset), 200
    lapse_expired(dataset)
    chosen = TaskFilter.read(request.GET)
    context = {
        "dataset": dataset,
        "role": Role.ADJUDICATOR,
        "tab": "assign",
        "form": form,
        "sizes": sizes(dataset),
        "last_move": last_move(dataset),
        **task_page(dataset, chosen, request.GET.get("sort", ""), request.GET.get("page")),
    }
    return render(request, "tasks/assign.html", context, status=status)


def _assign(request: MemberRequest, dataset: Dataset, form: AssignForm) -> bool:
    chosen = form.cleaned_data
    try:
        numbers = (chosen["overlap"], chosen["seed"])
        result = assign(dataset, chosen["annotators"], *numbers, who=request.user, per_task=chosen["per_task"])
    except (AnnotatorError, AssignError) as error:
        form.add_error(None, f"Not changed: {error}.")
        return False
    messages.success(request, f"{result.tasks} tasks; {result.assignments} assignments (seed {result.seed}).")
    return True


@require_POST
def task_kinds(request: MemberRequest, pk: int) -> HttpResponse:
    """Make the chosen tasks a qualification, a control, or work again."""
    dataset = fetch_dataset(request.user, pk, Role.ADJUDICATOR)
    chosen = _chosen_tasks(request, dataset)
    kind = request.POST.get("kind", "")
    try:
        if not chosen:
            raise KindError("select at least one task")
        changed = set_kind(dataset, chosen, kind)
    except KindError as error:
        messages.error(request, f"Not changed: {error}.")
    else:
        title = Task.Kind(kind).label.lower()
        messages.success(request, f"{changed} task{'' if changed == 1 else 's'}: {title} from now on.")
    return _back_to_filter(request, dataset)


@require_POST
def task_move(request: MemberRequest, pk: int) -> HttpResponse:
    """Assign, unassign or reassign the chosen tasks, or let them need another number of annotators."""
    dataset = fetch_dataset(request.user, pk, Role.ADJUDICATOR)
    try:
        result, done = _move(request, dataset, _chosen_tasks(request, dataset))
    except MoveError as error:
        messages.error(request, f"Not changed: {error}.")
    else:
        _tell(request, result, done)
    return _back_to_filter(request, dataset)


@require_POST
def task_move_undo(request: MemberRequest, pk: int) -> HttpResponse:
    """Undo the last action on tasks where nothing was begun since."""
    moves = TaskMove.objects.select_related("dataset")
    move = fetch_in_dataset(request.user, moves, pk, "dataset", Role.ADJUDICATOR)
    try:
        result = undo_move(move, request.user)
    except MoveError as error:
        messages.error(request, f"Not changed: {error}.")
    else:
        _tell(request, result, f"{move.get_kind_display()} undone for {_number(len(result.tasks), 'task')}.")
    return _back_to_filter(request, move.dataset)


def _chosen_tasks(request: MemberRequest, dataset: Dataset) -> list[int]:
    """Primary keys of the ticked tasks; of all that the filter finds where `every` is ticked."""
    if "every" in request.POST:
        return list(TaskFilter.read(request.POST).tasks(dataset).order_by().values_list("pk", flat=True))
    sent = map(read_number, request.POST.getlist("task"))
    return [number for number in sent if number is not None]


def _move(request: MemberRequest, dataset: Dataset, tasks: list[int]) -> tuple[MoveResult, str]:
    """Do the action of the button; return its result and what it did as a sentence. Raises MoveError."""
    if not tasks:
        raise MoveError("select at least one task")
    post, who = request.POST, request.user
    action = post.get("action", "")
    if action == "assign":
        people = find_people(post.getlist("people"))
        result = assign_tasks(dataset, tasks, people, who)
        names = " and ".join(person.username for person in people)
        return result, f"{_number(len(result.tasks), 'task')} assigned to {names}."
    if action == "unassign":
        people = find_people([post["holder"]]) if post.get("holder") else []
        result = unassign_tasks(dataset, tasks, people, who)
        return result, f"{_number(result.assignments, 'assignment')} removed."
    if action == "reassign":
        source, target = find_people([post.get("source", "")])[0], find_people([post.get("target", "")])[0]
        result = reassign_tasks(dataset, tasks, source, target, who)
        return result, f"{_number(len(result.tasks), 'task')} moved from {source.username} to {target.username}."
    if action == "need":
        number = read_number(post.get("number", "")) or 0
        result = need_annotators(dataset, tasks, number)
        return result, f"{_number(len(result.tasks), 'task')} now need {_number(number, 'annotator')}."
    raise MoveError("choose an action")


def _number(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


def _tell(request: MemberRequest, result: MoveResult, done: str) -> None:
    if result.tasks:
        messages.success(request, done)
    elif not result.refused:
        messages.info(request, "No changes.")
    for remark in result.remarks:
        messages.warning(request, remark)


def _back_to_filter(request: MemberRequest, dataset: Dataset) -> HttpResponse:
    query = TaskFilter.read(request.POST).fields | {
        name: request.POST[name] for name in ("sort", "page") if request.POST.get(name)
    }
    return redirect(f"{reverse('assign', args=[dataset.pk])}?{urlencode(query)}")


@require_POST
def give_back_place(request: MemberRequest, pk: int) -> HttpResponse:
    """Free a place that its annotator does not get round to; back to `next`, the page of the button."""
    assignments = Assignment.objects.select_related("task__dataset", "annotator")
    assignment = fetch_in_dataset(request.user, assignments, pk, "task.dataset", Role.ADJUDICATOR)
    if give_back(assignment, request.user):
        messages.success(request, f"{assignment.annotator} is unassigned from {assignment.task}. The draft is kept.")
    else:
        messages.warning(request, "Nothing changed: the task is already submitted or unassigned.")
    return redirect_back(request, "assign", assignment.task.dataset_id)
