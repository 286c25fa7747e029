"""The pages that start a run: the form, the methods described, and the parts of the form that change with it."""

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe

from annotate.access import MemberRequest, fetch_dataset, role_in
from annotate.grants.endpoints import endpoints_by_choice
from annotate.grants.models import models_of
from annotate.models import Dataset, Role
from evaluators.methods import EDITORS, FAULTS, METHODS
from evaluators.methods.base import Method
from evaluators.methods.factscore_facts import GENERATED, JUDGED
from evaluators.runs.build import RunError
from evaluators.runs.cases import judgeable
from evaluators.runs.create import create_run
from evaluators.runs.editing_cases import editable
from evaluators.runs.estimate import estimate
from evaluators.runs.forms import ENDPOINT, PREFIX, SEARCH, RunForm, first_engine, names_in
from evaluators.runs.run_job import RunJob
from evaluators.runs.trial import RESPONSES
from jobs.enqueue import enqueue
from jobs.errors import StartError
from jobs.models import is_worker_alive
from llm.errors import ModelError
from llm.models import Endpoint

FACTS = f"{PREFIX}facts"


def new_run(request: MemberRequest, pk: int) -> HttpResponse:
    """The form; a link may fill in any field of it. With `methods` or a `run` whose judgements an editor is to go by,
    the methods, each with its description."""
    dataset = fetch_dataset(request.user, pk, Role.RESEARCHER, Role.ADJUDICATOR)
    if request.method != "POST" and "method" not in request.GET and {"methods", "run"} & set(request.GET):
        return _list_methods(request, dataset)
    posted = request.POST if request.method == "POST" else None
    name = (posted or request.GET).get("method") or request.GET.get("method", "")
    method = find_method(name, dataset) if name else None
    begun = (first_choices(dataset, method) if method else {}) | request.GET.dict()
    form = RunForm(dataset, method, posted, initial=begun)
    if form.is_bound and method is None:
        form.add_error(None, "Choose a method.")
    if form.is_valid() and method and not form.stops and (started := _start(request, dataset, method, form)):
        return started
    page = _page(request, dataset) | {
        "method": method,
        "form": form,
        "methods": method_groups(dataset),
        **models_at(dataset, form.endpoints, str(form[ENDPOINT].value() or "") if ENDPOINT in form.fields else ""),
        "model": form["model"].value() if "model" in form.fields else "",
        "queue": RunJob.queue,
        "worker_alive": is_worker_alive(RunJob.queue),
        **(_estimate(dataset, method, form) if method else {}),
    }
    return render(request, "runs/new.html", page)


@require_safe
def run_estimate(request: MemberRequest, pk: int) -> HttpResponse:
    """The estimate of the form as it stands."""
    dataset = fetch_dataset(request.user, pk, Role.RESEARCHER, Role.ADJUDICATOR)
    method = find_method(request.GET.get("method", ""), dataset)
    return render(request, "runs/new.html#estimate", _estimate(dataset, method, RunForm(dataset, method, request.GET)))


@require_safe
def run_models(request: MemberRequest, pk: int) -> HttpResponse:
    """The field of the model, with `several` of models: those that the endpoint lists, which takes a call to it."""
    dataset = fetch_dataset(request.user, pk, Role.RESEARCHER, Role.ADJUDICATOR)
    endpoint = request.GET.get(ENDPOINT)
    found = models_at(dataset, endpoints_by_choice(dataset), endpoint or "", ask=endpoint is not None)
    if "several" in request.GET:
        chosen = [name for text in request.GET.getlist("models") for name in names_in(text)]
        return render(request, "runs/models_field.html", {"dataset": dataset, "chosen": chosen, **found})
    model = request.GET.get("model", "")
    return render(request, "runs/model_field.html", {"dataset": dataset, "model": model, **found})


def models_at(dataset: Dataset, endpoints: Mapping[str, Endpoint], chosen: str, ask: bool = False) -> dict[str, Any]:
    """The models of the chosen endpoint, by its value in the form; `listed` where it has listed them."""
    by_name = {each.name: each for each in endpoints.values()}
    endpoint = endpoints.get(chosen) or by_name.get(chosen) or next(iter(endpoints.values()), None)
    if endpoint is None:
        return {"models": (), "listed": False}
    [found] = models_of(dataset, ask, endpoint)
    return {"models": found.names, "listed": ask and not found.error and bool(found.names), "trouble": found.error}


def first_choices(dataset: Dataset, method: Method) -> dict[str, str]:
    """First values of the form in place of the method's defaults: where there are no facts to judge, a method that can
    generate some begins with that, and one that searches with the dataset's first search engine."""
    can_generate = any(GENERATED in parameter.choices for parameter in method.parameters)
    begun = {FACTS: GENERATED} if can_generate and not judgeable(dataset).exists() else {}
    engine = first_engine(dataset) if method.needs_search else ""
    return begun | ({f"{PREFIX}{SEARCH}": engine} if engine else {})


def limit_of(request: MemberRequest, limit: int | None) -> int | None:
    """Of how many responses, as the form says: three at most where they are to be tried first."""
    return min(limit or RESPONSES, RESPONSES) if "trial" in request.POST else limit


def fitting(methods: Mapping[str, Method], dataset: Dataset) -> list[Method]:
    return [method for method in methods.values() if dataset.scheme in method.schemes]


def method_groups(dataset: Dataset) -> list[tuple[str, list[Method]]]:
    """The methods for this dataset's scheme, under the headings of a list of choices."""
    evaluators = fitting(METHODS, dataset)
    groups = [
        ("Evaluators that call a model", [method for method in evaluators if method.needs_model]),
        ("Evaluators without a model", [method for method in evaluators if not method.needs_model]),
        ("Editors", fitting(EDITORS, dataset)),
    ]
    return [(title, methods) for title, methods in groups if methods]


def find_method(name: str, dataset: Dataset) -> Method:
    for method in fitting(METHODS | EDITORS, dataset):
        if method.name == name:
            return method
    raise Http404("No such method for this dataset.")


def _page(request: MemberRequest, dataset: Dataset) -> dict[str, Any]:
    return {
        "dataset": dataset,
        "role": role_in(request.user, dataset),
        "tab": "runs",
        "faults": FAULTS.values(),
    }


def _list_methods(request: MemberRequest, dataset: Dataset) -> HttpResponse:
    run = request.GET.get("run")
    labels = f"&{urlencode({f'{PREFIX}run': run, FACTS: 'run'})}" if run else ""
    listed = {"methods": fitting(METHODS, dataset), "editors": fitting(EDITORS, dataset), "labels": labels}
    return render(request, "runs/methods.html", _page(request, dataset) | listed)


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
            limit=limit_of(request, cleaned["limit"]),
            limits=form.limits(),
            force=cleaned["force"],
            anew=cleaned.get("anew", False),
            batch_api=cleaned.get("batch_api", False) and "trial" not in request.POST,
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
    if not form.is_bound or not form.is_valid() or form.stops:
        if method.edits:
            parameters = {parameter.name: parameter.default for parameter in method.parameters}
            return {"method": method, "estimate": None, "responses": editable(dataset, parameters).count()}
        kind = form[FACTS].value() if FACTS in form.fields else JUDGED
        return {"method": method, "estimate": None, "responses": judgeable(dataset, kind).count()}
    cleaned = form.cleaned_data
    try:
        estimated = estimate(
            dataset,
            method.name,
            model=cleaned.get("model", ""),
            parameters=form.parameters(),
            limit=cleaned["limit"],
            batch_api=cleaned.get("batch_api", False),
        )
    except (RunError, ModelError) as error:
        return {"method": method, "estimate": None, "estimate_error": str(error)}
    return {"method": method, "estimate": estimated}
