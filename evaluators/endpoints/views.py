"""The pages of endpoints and their capabilities, for evaluation.

Administrators of the site add endpoints, and in a sandbox who has it. They and an endpoint's owner change it and grant
it to datasets.
"""

from dataclasses import dataclass

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.db.models import Prefetch
from django.http import Http404, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST

from annotate.access import MemberRequest, admit_superuser, fetch_dataset, role_in
from annotate.grants.allowances import allowances_seen_by
from annotate.grants.endpoints import granted_to, may_add, may_manage
from annotate.models import Allowance, Dataset, EndpointGrant, Role, User
from audit.models import Action
from audit.record import record
from evaluators.endpoints.forms import (
    AllowanceForm,
    GrantForm,
    OwnEndpointForm,
    PriceForm,
    ProbeForm,
    ServerForm,
    look_up_price,
)
from knowledge.engines import ENGINES
from llm.endpoints import has_key
from llm.learnt import change_of
from llm.models import Capabilities, Endpoint, Price
from llm.public_prices import models_at

READERS = (Role.ADJUDICATOR, Role.RESEARCHER)


@dataclass(frozen=True)
class EndpointRow:
    """An endpoint of the list. has_key: whether its environment variable is set here. managed: whether the reader may
    change it; usable: whether the dataset may use it. protocol: of a search engine or another provider than OpenAI, as
    pages call it; "" of others."""

    endpoint: Endpoint
    has_key: bool
    managed: bool
    usable: bool
    prices: list[Price]
    capabilities: list[Capabilities]
    protocol: str

    @property
    def is_keyless(self) -> bool:
        """Whether no key is ever sent to it."""
        engine = ENGINES.get(self.endpoint.search_engine)
        return engine is not None and not engine.needs_key

    @property
    def search_price(self) -> str:
        """Of one search; "" where it is not known."""
        usd = self.endpoint.search_usd
        return "" if usd is None else f"${usd.normalize():f}"


def endpoints(request: MemberRequest, pk: int) -> HttpResponse:
    """The endpoints that the dataset may use and those that the reader manages, and the form for another."""
    dataset = fetch_dataset(request.user, pk, *READERS)
    form = _endpoint_form(request)
    if request.method == "POST":
        if not may_add(request.user, dataset):
            raise PermissionDenied("Only who administers the site may do this.")
        if form.is_valid():
            form.instance.owner = request.user
            with transaction.atomic():
                endpoint = form.save()
                EndpointGrant.objects.create(endpoint=endpoint, dataset=dataset, granted_by=request.user)
                record(request, Action.ENDPOINT_ADDED, endpoint)
            probe = "" if endpoint.search_engine else " Probe a model to test its features."
            messages.success(request, f"{endpoint.name} can be used in runs now.{probe}")
            if not endpoint.search_engine and models_at(endpoint.base_url):
                offer = reverse("endpoint", args=[dataset.pk, endpoint.pk], query={"model": ""}, fragment="prices")
                return redirect(offer)
            return redirect("endpoints", dataset.pk)
    context = _list_context(request, dataset) | {"form": form}
    return render(request, "endpoints/endpoints.html", context, status=422 if form.errors else 200)


@require_POST
def allowance(request: MemberRequest, pk: int) -> HttpResponse:
    """Set a limit of spending, or with `remove` take it away. For administrators of the site: people who evaluate
    cannot raise their own."""
    dataset = fetch_dataset(request.user, pk, *READERS)
    admit_superuser(request.user)
    if request.POST.get("remove", "").isdecimal():
        removed = get_object_or_404(Allowance, dataset=dataset, pk=int(request.POST["remove"]))
        with transaction.atomic():
            record(request, Action.LIMIT_SET, dataset, detail=f"{removed}: none")
            removed.delete()
        return redirect("endpoints", dataset.pk)
    form = AllowanceForm(dataset, request.POST)
    if not form.is_valid():
        context = _list_context(request, dataset) | {"allowance_form": form}
        return render(request, "endpoints/endpoints.html", context, status=422)
    with transaction.atomic():
        row = form.save()
        record(request, Action.LIMIT_SET, dataset, detail=f"{row}: ${row.max_cost_usd:f}")
    messages.success(request, "The limit is set. Stopped work can continue if the limit is higher now.")
    return redirect("endpoints", dataset.pk)


def endpoint(request: MemberRequest, pk: int, endpoint_pk: int) -> HttpResponse:
    """The form with everything about one endpoint, and its prices."""
    dataset, endpoint_row = _fetch(request, pk, endpoint_pk)
    name = endpoint_row.name
    form = _endpoint_form(request, endpoint_row)
    if request.method == "POST" and form.is_valid():
        with transaction.atomic():
            changed = form.save()
            record(request, Action.ENDPOINT_CHANGED, changed, detail=", ".join(form.changed_data))
        messages.success(request, f"{changed.name} is changed. Running work uses it soon.")
        return redirect("endpoints", dataset.pk)
    context = _endpoint_context(request, dataset, endpoint_row) | {"form": form, "name": name}
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
        context = _endpoint_context(request, dataset, endpoint_row) | {"price_form": form}
        return render(request, "endpoints/endpoint.html", context, status=422)
    with transaction.atomic():
        price = form.save_at(endpoint_row, looked_up="looked_up" in request.POST)
        record(request, Action.ENDPOINT_CHANGED, endpoint_row, detail=f"the price of {price.model}")
    messages.success(request, f"{price.model} has a price. Earlier calls keep their cost.")
    return redirect("endpoint", dataset.pk, endpoint_row.pk)


@require_POST
def endpoint_forget(request: MemberRequest, pk: int, endpoint_pk: int) -> HttpResponse:
    """Forget what a model refused: the next call asks as its method says."""
    dataset, endpoint_row = _fetch(request, pk, endpoint_pk)
    forgotten = request.POST.get("forget", "")
    adaptation = get_object_or_404(endpoint_row.adaptations, pk=int(forgotten) if forgotten.isdecimal() else 0)
    with transaction.atomic():
        record(
            request,
            Action.ENDPOINT_CHANGED,
            endpoint_row,
            detail=f"forgotten for {adaptation.model}: {change_of(adaptation)}",
        )
        adaptation.delete()
    messages.success(request, "Forgotten. Runs that begin now ask as their method says.")
    return redirect("endpoint", dataset.pk, endpoint_row.pk)


@require_POST
def endpoint_grant(request: MemberRequest, pk: int, endpoint_pk: int) -> HttpResponse:
    """Grant the endpoint to a dataset, with `withdraw` take a grant back, or with `shared` let every dataset use it or,
    where that is empty, only those with a grant. Sharing is for administrators of the site."""
    dataset, endpoint_row = _fetch(request, pk, endpoint_pk)
    posted = request.POST
    if "shared" in posted:
        admit_superuser(request.user)
        with transaction.atomic():
            Endpoint.objects.filter(pk=endpoint_row.pk).update(shared=bool(posted["shared"]))
            allowed = "every dataset" if posted["shared"] else "datasets with a grant"
            record(request, Action.ENDPOINT_CHANGED, endpoint_row, detail=f"for {allowed}")
        return redirect("endpoint", dataset.pk, endpoint_row.pk)
    if posted.get("withdraw", "").isdecimal():
        grant = get_object_or_404(EndpointGrant, endpoint=endpoint_row, pk=int(posted["withdraw"]))
        with transaction.atomic():
            grant.delete()
            record(request, Action.ENDPOINT_CHANGED, endpoint_row, detail=f"withdrawn from {grant.dataset}")
        messages.success(request, "Access removed. Running work stops; it can continue with new access.")
        return redirect("endpoint", dataset.pk, endpoint_row.pk)
    form = GrantForm(request.user, endpoint_row, posted)
    if not form.is_valid():
        context = _endpoint_context(request, dataset, endpoint_row) | {"grant_form": form}
        return render(request, "endpoints/endpoint.html", context, status=422)
    to = form.cleaned_data["dataset"]
    with transaction.atomic():
        EndpointGrant.objects.get_or_create(endpoint=endpoint_row, dataset=to, defaults={"granted_by": request.user})
        record(request, Action.ENDPOINT_CHANGED, endpoint_row, detail=f"granted to {to}")
    messages.success(request, f"{to} can use {endpoint_row.name} now.")
    return redirect("endpoint", dataset.pk, endpoint_row.pk)


@require_POST
def endpoint_probe(request: MemberRequest, pk: int, endpoint_pk: int) -> HttpResponse:
    """Probe a model's capabilities: some ten small calls, within a minute."""
    from llm.probing import probe  # with openai, which no other page imports

    dataset, endpoint_row = _fetch(request, pk, endpoint_pk)
    form = ProbeForm(request.POST)
    if not form.is_valid():
        messages.error(request, "Enter the model to probe.")
    else:
        record(request, Action.ENDPOINT_PROBED, endpoint_row, detail=form.cleaned_data["model"])
        capabilities = probe(endpoint_row, form.cleaned_data["model"])
        say = messages.error if capabilities.nothing_known else messages.success
        outcome = capabilities.error if capabilities.nothing_known else "What it can do is shown below."
        say(request, f"{capabilities.model} at {endpoint_row.name} was probed. {outcome}")
    return redirect("endpoints", dataset.pk)


def _fetch(request: MemberRequest, pk: int, endpoint_pk: int) -> tuple[Dataset, Endpoint]:
    """Administrators and the owner are admitted. Others get the same answer for every number."""
    dataset = fetch_dataset(request.user, pk, *READERS)
    endpoint_row = Endpoint.objects.filter(pk=endpoint_pk).first()
    if not request.user.is_superuser and (endpoint_row is None or not may_manage(request.user, endpoint_row)):
        raise PermissionDenied
    if endpoint_row is None:
        raise Http404("No such endpoint.")
    return dataset, endpoint_row


def _endpoint_form(request: MemberRequest, endpoint: Endpoint | None = None, *, empty: bool = False) -> ServerForm:
    """The form of an endpoint, with what was posted unless it is to be `empty`."""
    posted = None if empty else _posted(request)
    if request.user.is_superuser:
        return ServerForm(posted, instance=endpoint)
    return OwnEndpointForm(request.user, posted, instance=endpoint)


def _posted(request: MemberRequest) -> QueryDict | None:
    """The data of a POST, also where it is empty; None for a GET."""
    return request.POST if request.method == "POST" else None


def _context(request: MemberRequest, dataset: Dataset) -> dict[str, object]:
    return {"dataset": dataset, "role": role_in(request.user, dataset), "tab": "endpoints"}


def _list_context(request: MemberRequest, dataset: Dataset) -> dict[str, object]:
    return _context(request, dataset) | {
        "form": _endpoint_form(request, empty=True),
        "may_add": may_add(request.user, dataset),
        "rows": _endpoint_rows(request.user, dataset),
        "allowances": allowances_seen_by(request.user, dataset),
        "allowance_form": AllowanceForm(dataset),
    }


def _endpoint_context(request: MemberRequest, dataset: Dataset, endpoint: Endpoint) -> dict[str, object]:
    looked_up = look_up_price(endpoint, None if endpoint.search_engine else request.GET.get("model"))
    return _context(request, dataset) | {
        "form": _endpoint_form(request, endpoint, empty=True),
        "endpoint": endpoint,
        "name": endpoint.name,
        "adaptations": [(row, change_of(row)) for row in endpoint.adaptations.all()],
        "looked_up": looked_up,
        "price_form": PriceForm(initial=looked_up.initial),
        "grant_form": GrantForm(request.user, endpoint),
        "grants": EndpointGrant.objects.filter(endpoint=endpoint).select_related("dataset"),
    }


def _endpoint_rows(user: User, dataset: Dataset) -> list[EndpointRow]:
    usable = set(granted_to(dataset).values_list("pk", flat=True))
    titles = {engine.name: engine.title for engine in ENGINES.values()}
    prices = Prefetch("prices", Price.objects.order_by("model"))
    rows = [
        EndpointRow(
            endpoint,
            has_key(endpoint),
            may_manage(user, endpoint),
            endpoint.pk in usable,
            list(endpoint.prices.all()),
            list(endpoint.capabilities.all()),
            titles.get(endpoint.search_engine, endpoint.search_engine)
            or (endpoint.get_provider_display() if endpoint.provider else ""),
        )
        for endpoint in Endpoint.objects.prefetch_related(prices, "capabilities")
    ]
    return [row for row in rows if row.managed or row.usable]
