"""The page "Label next": what a few drawn labels tell of an evaluator, and the prompts to label next."""

from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_safe

from annotate.access import MemberRequest, fetch_dataset, role_in
from annotate.models import Dataset, Role
from annotate.tasks.annotators import AnnotatorError
from annotate.tasks.assign import AssignError
from core.numbers import read_number
from core.table_response import requested_table
from evaluators.charts.respond import requested_chart
from evaluators.comparison.study import ComparisonStudy, study_of
from evaluators.label_next.charts import width_chart
from evaluators.label_next.estimate import estimate_rounds, later_draws
from evaluators.label_next.forms import FIGURES, FIRST_DRAW, MOST, DrawLabelsForm, PlanForm
from evaluators.label_next.plan import PlannedPool, draw_round, make_plan, next_draw, plan_of, planned_pool
from evaluators.label_next.preview import drawn_prompts
from evaluators.label_next.read import PlanError, judges_of
from evaluators.label_next.tables import rounds_table
from evaluators.models import LabelPlan

READERS = (Role.RESEARCHER, Role.ADJUDICATOR)


@dataclass(frozen=True)
class NextLabelsPage:
    """The choice in the link, with defaults of the plan in force. plan: None before the first one."""

    study: ComparisonStudy
    names: list[str]
    plan: LabelPlan | None
    name: str
    figure: str
    more: int

    @property
    def title(self) -> str:
        return dict(FIGURES)[self.figure]

    @property
    def planned_title(self) -> str:
        return dict(FIGURES)[self.plan.figure] if self.plan else ""


@require_http_methods(["GET", "HEAD", "POST"])
def next_labels(request: MemberRequest, pk: int) -> HttpResponse:
    """?evaluator= and ?figure= choose the estimate, ?more= the size of the draw; an adjudicator plans and draws."""
    dataset = fetch_dataset(request.user, pk, *READERS)
    if request.method == "POST" and role_in(request.user, dataset) != Role.ADJUDICATOR:
        raise PermissionDenied("An adjudicator asks for the annotators' time.")
    page = _page_of(request, dataset)
    forms = {
        "plan_form": PlanForm(page.names, first=page.name),
        "draw_form": DrawLabelsForm(dataset, page.more),
    }
    if request.method == "POST":
        sent = _post(request, page)
        if sent is None:
            return redirect("next-labels", dataset.pk)
        forms |= sent
    context: dict[str, Any] = {
        "dataset": dataset,
        "role": role_in(request.user, dataset),
        "tab": "next-labels",
        "page": page,
        "figures": FIGURES,
        **forms,
        **_estimates(page),
    }
    taken = requested_table(request, [context["table"]] if "table" in context else [])
    return taken or render(request, "label_next/page.html", context, status=422 if request.method == "POST" else 200)


@require_safe
def next_labels_chart(request: MemberRequest, pk: int, name: str, form: str) -> HttpResponse:
    context = _estimates(_page_of(request, fetch_dataset(request.user, pk, *READERS)))
    return requested_chart(request, [context["chart"]] if context.get("chart") else [], name, form)


def _page_of(request: MemberRequest, dataset: Dataset) -> NextLabelsPage:
    study = study_of(dataset, None)
    names = [judge.name for judge in judges_of(study)]
    plan = plan_of(dataset)
    name, figure = request.GET.get("evaluator", ""), request.GET.get("figure", "")
    if name not in names:
        name = plan.evaluator.name if plan and plan.evaluator.name in names else next(iter(names), "")
    if figure not in dict(FIGURES):
        figure = plan.figure if plan else "f1"
    more = read_number(request.GET.get("more", "")) or FIRST_DRAW
    return NextLabelsPage(study, names, plan, name, figure, min(more, MOST))


def _post(request: MemberRequest, page: NextLabelsPage) -> dict[str, Any] | None:
    """None: done; else the form with its errors."""
    if "more" in request.POST:
        draw = DrawLabelsForm(page.study.dataset, page.more, request.POST)
        return None if draw.is_valid() and _draw(request, page, draw) else {"draw_form": draw}
    plan = PlanForm(page.names, request.POST)
    return None if plan.is_valid() and _plan(request, page, plan) else {"plan_form": plan}


def _plan(request: MemberRequest, page: NextLabelsPage, form: PlanForm) -> bool:
    chosen = form.cleaned_data
    try:
        plan = make_plan(page.study.dataset, chosen["evaluator"], chosen["figure"], chosen["seed"], request.user)
    except PlanError as error:
        form.add_error(None, str(error))
        return False
    messages.success(request, f"Planned for {plan.evaluator.name} (seed {plan.seed}). No prompts are drawn yet.")
    return True


def _draw(request: MemberRequest, page: NextLabelsPage, form: DrawLabelsForm) -> bool:
    if page.plan is None:
        form.add_error(None, "Nothing was drawn: make a plan first.")
        return False
    try:
        drawn = draw_round(page.plan, form.cleaned_data["more"], form.cleaned_data["annotators"], request.user)
    except (PlanError, AssignError, AnnotatorError) as error:
        form.add_error(None, f"Nothing was drawn: {str(error).removesuffix('.')}.")
        return False
    messages.success(request, f"Round {drawn.number} is drawn and its tasks are assigned.")
    return True


def _estimates(page: NextLabelsPage) -> dict[str, Any]:
    """The estimate and the next draw, or under "refused" the reason why there is none."""
    if page.plan is None:
        return {}
    try:
        planned = planned_pool(page.plan, page.study, page.name)
        own = page.plan.evaluator.name
        following = _next(page, planned if page.name == own else planned_pool(page.plan, page.study, own))
    except PlanError as error:
        return {"refused": str(error)}
    rounds = estimate_rounds(planned, page.figure)
    given = [each for each in rounds if each.estimate is not None]
    return {
        "planned": planned,
        "known": int(planned.known.sum()),
        "outside": planned.outside(),
        "rounds": rounds,
        "best": given[-1] if given else None,
        "table": rounds_table(rounds, planned, page.name, page.title),
        "chart": width_chart(page.name, page.title, given) if given else None,
        "later": later_draws(planned, page.figure, rounds),
        **following,
    }


def _next(page: NextLabelsPage, planned: PlannedPool) -> dict[str, Any]:
    """The next draw, prompt by prompt; {} where everything is drawn."""
    try:
        draw = next_draw(planned, page.more)
    except PlanError:
        return {}
    return {"draw": draw, "preview": drawn_prompts(planned, draw)}
