"""The pages of endpoints and their capabilities, for evaluation; changes are for administrators of the site."""

from dataclasses import dataclass

from django.contrib import messages
from django.db import transaction
from django.db.models import Prefetch
from django.http import HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_POST

from annotate.access import MemberRequest, admit_superuser, fetch_dataset, role_in
from annotate.models import Dataset, Role
from audit.models import Action
from audit.record import record
from evaluators.endpoints.forms import PriceForm, ProbeForm
from llm.endpoint_form import EndpointForm
from llm.endpoints import has_key
from llm.models import Capabilities, Endpoint, Price

READERS = (Role.ADJUDICATOR, Role.RESEARCHER)


@dataclass(frozen=True)
class EndpointRow:
    """An endpoint of the list. has_key: whether its environment variable is set here."""

    endpoint: Endpoint
    has_key: bool
    prices: list[Price]
    capabilities: list[Capabilities]


def endpoints(request: MemberRequest, pk: int) -> HttpResponse:
    """Every endpoint of the site, and the form for another."""
    dataset = fetch_dataset(request.user, pk, *READERS)
    form = EndpointForm(_posted(request))
    if request.method == "POST":
        admit_superuser(request.user)
        if form.is_valid():
            with transaction.atomic():
                endpoint = form.save()
                record(request, Action.ENDPOINT_ADDED, endpoint)
            messages.success(request, f"{endpoint.name} can be used in runs now. Probe a model to see what it can do.")
            return redirect("endpoints", dataset.pk)
    context = _context(request, dataset) | {"form": form, "rows": _endpoint_rows()}
    return render(request, "endpoints/endpoints.html", context, status=422 if form.errors else 200)


def endpoint(request: MemberRequest, pk: int, endpoint_pk: int) -> HttpResponse:
    """The form with everything about one endpoint, and its prices."""
    dataset, endpoint_row = _fetch(request, pk, endpoint_pk)
    name = endpoint_row.name
    form = EndpointForm(_posted(request), instance=endpoint_row)
    if request.method == "POST" and form.is_valid():
        with transaction.atomic():
            changed = form.save()
            record(request, Action.ENDPOINT_CHANGED, changed, detail=", ".join(form.changed_data))
        messages.success(request, f"{changed.name} is changed. Runs at work notice when they begin their next turn.")
        return redirect("endpoints", dataset.pk)
    context = _context(request, dataset) | {
        "form": form,
        "endpoint": endpoint_row,
        "name": name,
        "price_form": PriceForm(),
    }
    return render(request, "endpoints/endpoint.html", context, status=422 if form.errors else 200)


@require_POST
def endpoint_price(request: MemberRequest, pk: int, endpoint_pk: int) -> HttpResponse:
    """Set a model's price, or with `remove` forget it."""
    dataset, endpoint_row = _fetch(request, pk, endpoint_pk)
    if "remove" in request.POST:
        with transaction.atomic():
            endpoint_row.prices.filter(model=request.POST["remove"]).delete()
            record(request, Action.ENDPOINT_CHANGED, endpoint_row, detail="a price removed")
        return redirect("endpoint", dataset.pk, endpoint_row.pk)
    form = PriceForm(request.POST)
    if not form.is_valid():
        context = {
            "form": EndpointForm(instance=endpoint_row),
            "endpoint": endpoint_row,
            "name": endpoint_row.name,
            "price_form": form,
        }
        return render(request, "endpoints/endpoint.html", _context(request, dataset) | context, status=422)
    with transaction.atomic():
        price = form.save(endpoint_row)
        record(request, Action.ENDPOINT_CHANGED, endpoint_row, detail=f"the price of {price.model}")
    messages.success(request, f"{price.model} has its price. Calls made before keep what they cost.")
    return redirect("endpoint", dataset.pk, endpoint_row.pk)


@require_POST
def endpoint_probe(request: MemberRequest, pk: int, endpoint_pk: int) -> HttpResponse:
    """Probe a model's capabilities: some ten small calls, within a minute."""
    from llm.probing import probe  # with openai, which no other page imports

    dataset, endpoint_row = _fetch(request, pk, endpoint_pk)
    form = ProbeForm(request.POST)
    if not form.is_valid():
        messages.error(request, "Name the model that is to be probed.")
    else:
        record(request, Action.ENDPOINT_PROBED, endpoint_row, detail=form.cleaned_data["model"])
        capabilities = probe(endpoint_row, form.cleaned_data["model"])
        say = messages.error if capabilities.nothing_known else messages.success
        outcome = capabilities.error if capabilities.nothing_known else "What it can do is shown below."
        say(request, f"{capabilities.model} at {endpoint_row.name} was probed. {outcome}")
    return redirect("endpoints", dataset.pk)


def _fetch(request: MemberRequest, pk: int, endpoint_pk: int) -> tuple[Dataset, Endpoint]:
    dataset = fetch_dataset(request.user, pk, *READERS)
    admit_superuser(request.user)
    return dataset, get_object_or_404(Endpoint, pk=endpoint_pk)


def _posted(request: MemberRequest) -> QueryDict | None:
    """The data of a POST, also where it is empty; None for a GET."""
    return request.POST if request.method == "POST" else None


def _context(request: MemberRequest, dataset: Dataset) -> dict[str, object]:
    return {"dataset": dataset, "role": role_in(request.user, dataset), "tab": "endpoints"}


def _endpoint_rows() -> list[EndpointRow]:
    prices = Prefetch("prices", Price.objects.order_by("model"))
    return [
        EndpointRow(endpoint, has_key(endpoint), list(endpoint.prices.all()), list(endpoint.capabilities.all()))
        for endpoint in Endpoint.objects.prefetch_related(prices, "capabilities")
    ]
