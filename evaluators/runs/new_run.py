"""The pages that start a run: choose a method, then fill in its parameters."""

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe

from annotate.access import MemberRequest, fetch_dataset, role_in
from annotate.models import Dataset, Role
from evaluators.methods import METHODS
from evaluators.methods.base import Method
from evaluators.methods.factscore_facts import GENERATED
from evaluators.runs.build import RunError
from evaluators.runs.cases import judgeable
from evaluators.runs.create import create_run
from evaluators.runs.estimate import estimate
from evaluators.runs.forms import PREFIX, RunForm
from evaluators.runs.run_job import RunJob
from jobs.enqueue import enqueue
from jobs.errors import StartError
from jobs.models import is_worker_alive
from llm.errors import ModelError

FACTS = f"{PREFIX}facts"


def new_run(request: MemberRequest, pk: int) -> HttpResponse:
    """The methods that judge this dataset's scheme, or the form of the method in the link."""
    dataset = fetch_dataset(request.user, pk, Role.RESEARCHER, Role.ADJUDICATOR)
    page: dict[str, Any] = {"dataset": dataset, "role": role_in(request.user, dataset), "tab": "runs"}
    if "method" not in request.GET:
        return render(request, "runs/methods.html", page | {"methods": _methods_for(dataset)})
    method = _find_method(request, dataset)
    begun = first_choices(dataset, method) | request.GET.dict()  # a link may fill in any field
    form = RunForm(dataset, method, request.POST if request.method == "POST" else None, initial=begun)
    if form.is_valid() and (started := _start(request, dataset, method, form)):
        return started
    page |= {
        "method": method,
        "form": form,
        "queue": RunJob.queue,
        "worker_alive": is_worker_alive(RunJob.queue),
        **_estimate(dataset, method, form),
    }
    return render(request, "runs/new.html", page)


@require_safe
def run_estimate(request: MemberRequest, pk: int) -> HttpResponse:
    """The estimate of the form as it stands."""
    dataset = fetch_dataset(request.user, pk, Role.RESEARCHER, Role.ADJUDICATOR)
    method = _find_method(request, dataset)
    return render(request, "runs/new.html#estimate", _estimate(dataset, method, RunForm(dataset, method, request.GET)))


def first_choices(dataset: Dataset, method: Method) -> dict[str, str]:
    """First values of the form in place of the method's defaults: where there are no facts to judge, a method that can
    generate some begins with that."""
    can_generate = any(GENERATED in parameter.choices for parameter in method.parameters)
    return {FACTS: GENERATED} if can_generate and not judgeable(dataset).exists() else {}


def _methods_for(dataset: Dataset) -> list[Method]:
    return [method for method in METHODS.values() if dataset.scheme in method.schemes]


def _find_method(request: MemberRequest, dataset: Dataset) -> Method:
    for method in _methods_for(dataset):
        if method.name == request.GET.get("method"):
            return method
    raise Http404("No such method for this dataset.")


def _start(request: MemberRequest, dataset: Dataset, method: Method, form: RunForm) -> HttpResponse | None:
    """Queue the run and lead to it; None where there can be no such run, and the form says why."""
    cleaned = form.cleaned_data
    try:
        new = create_run(
            dataset,
            method.name,
            model=cleaned.get("model", ""),
            parameters=form.parameters(),
            name=cleaned["name"],
            limit=cleaned["limit"],
            limits=form.limits(),
            force=cleaned["force"],
            anew=cleaned.get("anew", False),
            created_by=request.user,
        )
    except (StartError, ModelError) as error:
        form.add_error(None, str(error))
        return None
    if not new.created:
        messages.info(request, "This run already exists.")
    elif not enqueue(new.run):
        messages.warning(request, "The queue is not available: the run starts when a worker finds it.")
    return redirect("run", new.run.pk)


def _estimate(dataset: Dataset, method: Method, form: RunForm) -> dict[str, Any]:
    """The estimate of the form as it stands; the number of responses where it cannot be read yet."""
    if not form.is_bound or not form.is_valid():
        generating = form[FACTS].value() == GENERATED if FACTS in form.fields else False
        return {"method": method, "estimate": None, "responses": judgeable(dataset, generating).count()}
    cleaned = form.cleaned_data
    try:
        estimated = estimate(
            dataset, method.name, model=cleaned.get("model", ""), parameters=form.parameters(), limit=cleaned["limit"]
        )
    except (RunError, ModelError) as error:
        return {"method": method, "estimate": None, "estimate_error": str(error)}
    return {"method": method, "estimate": estimated}
