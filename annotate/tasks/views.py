"""The adjudicator's page of tasks and places."""

from django import forms
from django.contrib import messages
from django.http import HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import urlencode
from django.views.decorators.http import require_http_methods, require_POST

from annotate.access import MemberRequest, fetch_dataset, fetch_in_dataset
from annotate.models import Assignment, Dataset, Role, Task
from annotate.qualification.choose import KindError, set_kind
from annotate.tasks.annotators import AnnotatorError
from annotate.tasks.assign import AssignError, assign
from annotate.tasks.places import give_back, lapse_expired
from annotate.tasks.table import sizes, task_page
from core.numbers import read_number
from core.requests import redirect_back


class AssignForm(forms.Form):
    """Annotators by user name, the share of tasks that want two, the seed of the draw."""

    annotators = forms.MultipleChoiceField(widget=forms.CheckboxSelectMultiple)
    overlap = forms.FloatField(min_value=0, max_value=1, widget=forms.NumberInput(attrs={"step": "any"}))
    seed = forms.IntegerField(initial=7)

    def __init__(self, dataset: Dataset, data: QueryDict | None = None) -> None:
        super().__init__(data, initial={"overlap": dataset.overlap})
        members = dataset.memberships.filter(role=Role.ANNOTATOR, user__is_superuser=False)
        names = list(members.order_by("user__username").values_list("user__username", flat=True))
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
    table = task_page(dataset, request.GET.get("state", ""), request.GET.get("sort", ""), request.GET.get("page"))
    context = {
        "dataset": dataset,
        "role": Role.ADJUDICATOR,
        "tab": "assign",
        "form": form,
        "sizes": sizes(dataset),
        **table,
    }
    return render(request, "tasks/assign.html", context, status=status)


def _assign(request: MemberRequest, dataset: Dataset, form: AssignForm) -> bool:
    chosen = form.cleaned_data
    try:
        result = assign(dataset, chosen["annotators"], chosen["overlap"], chosen["seed"])
    except (AnnotatorError, AssignError) as error:
        form.add_error(None, f"Nothing was changed: {error}.")
        return False
    messages.success(request, f"{result.tasks} tasks; {result.assignments} places are held (seed {result.seed}).")
    return True


@require_POST
def task_kinds(request: MemberRequest, pk: int) -> HttpResponse:
    """Make the chosen tasks a qualification, a control, or work again."""
    dataset = fetch_dataset(request.user, pk, Role.ADJUDICATOR)
    sent = map(read_number, request.POST.getlist("task"))
    chosen = [number for number in sent if number is not None]
    kind = request.POST.get("kind", "")
    try:
        if not chosen:
            raise KindError("tick the tasks that are to be of another kind")
        changed = set_kind(dataset, chosen, kind)
    except KindError as error:
        messages.error(request, f"Nothing was changed: {error}.")
    else:
        title = Task.Kind(kind).label.lower()
        messages.success(request, f"{changed} task{'' if changed == 1 else 's'}: {title} from now on.")
    return redirect(f"{reverse('assign', args=[dataset.pk])}?{urlencode({'state': request.POST.get('state', '')})}")


@require_POST
def give_back_place(request: MemberRequest, pk: int) -> HttpResponse:
    """Free a place that its annotator does not get round to; back to `next`, the page of the button."""
    assignments = Assignment.objects.select_related("task__dataset", "annotator")
    assignment = fetch_in_dataset(request.user, assignments, pk, "task.dataset", Role.ADJUDICATOR)
    if give_back(assignment):
        messages.success(
            request, f"The place of {assignment.annotator} on {assignment.task} is free again; their draft is kept."
        )
    else:
        messages.warning(request, "Nothing to give back: the place is submitted or free already.")
    return redirect_back(request, "assign", assignment.task.dataset_id)
