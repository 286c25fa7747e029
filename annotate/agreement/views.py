"""The agreement pages: how far annotators agree before anything was settled, and where they do not."""

from collections.abc import Mapping
from dataclasses import dataclass

from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from annotate.access import MemberRequest, fetch_dataset, role_in
from annotate.agreement.chart import draw
from annotate.agreement.document import findings_of
from annotate.agreement.heat import heat_map
from annotate.agreement.split_list import PAGE_SIZE, SORTS, SplitChoice, tasks_of, with_texts
from annotate.models import Role, ViewReceipt
from annotate.people.names import names_for
from annotate.people.receipts import note_receipts
from stats.agreement import ALL, BINARY, COEFFICIENTS, coefficients_of

VALUES = {BINARY: "Error or not", ALL: "All values"}
OVER = {"tasks": "Equal batches of tasks", "week": "Weeks"}


@dataclass(frozen=True)
class AgreementChoice:
    """The figure of the heat map and of the line over time, the values it is of, and how time is cut."""

    figure: str
    values: str
    over: str

    @classmethod
    def read(cls, query: Mapping[str, str]) -> "AgreementChoice":
        """Whatever is unknown, or has no meaning for these values, is the default."""
        values = query.get("values", "") if query.get("values", "") in VALUES else BINARY
        figure = query.get("figure", "") if query.get("figure", "") in coefficients_of(values) else "alpha"
        return cls(figure, values, query.get("over", "") if query.get("over", "") in OVER else "tasks")

    @property
    def title(self) -> str:
        return COEFFICIENTS[self.figure].title


@require_GET
def agreement(request: MemberRequest, pk: int) -> HttpResponse:
    """All figures, the heat map of pairs and the line over time as the address has it."""
    dataset = fetch_dataset(request.user, pk, Role.RESEARCHER, Role.ADJUDICATOR)
    role = role_in(request.user, dataset)
    findings, choice = findings_of(dataset, names_for(role, dataset)), AgreementChoice.read(request.GET)
    results = findings.agreement["results"]
    batches = [row for row in findings.over_time[choice.over] if row["values"] == choice.values]
    context = {
        "dataset": dataset,
        "role": role,
        "tab": "agreement",
        "findings": findings,
        "agreement": findings.agreement,
        "overall": results[0],
        "slice_name": next(iter(results[0]["slice"])),
        "coefficients": COEFFICIENTS,
        "coefficients_of": {kind: coefficients_of(kind) for kind in VALUES},
        "values": dataset.values,
        "choice": choice,
        "kinds": VALUES,
        "overs": OVER,
        "heat": heat_map(findings.agreement["pairs"], choice.values, choice.figure),
        "batches": batches,
        "chart": draw(batches, choice.figure),
    }
    return render(request, "agreement/agreement.html", context)


@require_GET
def splits(request: MemberRequest, pk: int) -> HttpResponse:
    """The units on which annotators differ, with each judgement and a link to settle it."""
    dataset = fetch_dataset(request.user, pk, Role.RESEARCHER, Role.ADJUDICATOR)
    role = role_in(request.user, dataset)
    findings, choice = findings_of(dataset, names_for(role, dataset)), SplitChoice.read(request.GET)
    chosen, kinds = choice.of(findings)
    page = Paginator(chosen, PAGE_SIZE).get_page(request.GET.get("page"))
    rows = with_texts(dataset, list(page))
    note_receipts(tasks_of(rows), request.user, ViewReceipt.What.LABELS)
    names = {side.annotator for split in findings.splits for side in split.sides}
    context = {
        "dataset": dataset,
        "role": role,
        "tab": "agreement",
        "any": bool(findings.splits),
        "page": page,
        "rows": rows,
        "choice": choice,
        "kinds": kinds,
        "slices": sorted(set(findings.slices.values())),
        "names": sorted(names),
        "sorts": SORTS,
    }
    return render(request, "agreement/splits.html", context)
