"""The responses of a run with its verdicts beside gold, narrowed by what the link says."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from urllib.parse import urlencode

from django.core.paginator import Page, Paginator
from django.db.models import Prefetch, Q, QuerySet
from django.http import QueryDict

from annotate.models import AtomicFact, GoldLabel, Segment
from evaluators.comparison.page_state import ANSWERS, TRUTHS, has_gold
from evaluators.models import Prediction, Run, RunItem
from evaluators.models.prediction import PredictionQuerySet
from evaluators.run_page.calls import beside_answers, calls_of
from evaluators.run_page.claims import CLAIMS_SHOWN, ListedClaim, claims_of, list_claims
from evaluators.run_page.figures import CellUnits, units_of_cell
from evaluators.runs.listed_predictions import NARROWED, predictions_of
from llm.models import Call

RESPONSES_A_PAGE = 10
FAILED = "failed"
SHOWN = {
    "": "All",
    "disagreeing": "Disagrees with gold",
    "unparsed": "Unparsed",
    FAILED: "Failed",
    "errors": "Judged an error",
    **CLAIMS_SHOWN,
}


@dataclass(frozen=True)
class ResponseFilter:
    """show: a key of SHOWN. truth, answer: a cell of the confusion table, both "" for any. domain; text: words of the
    prompt, the response, its index, a fact or a claim."""

    show: str = ""
    truth: str = ""
    answer: str = ""
    domain: str = ""
    text: str = ""

    @property
    def is_cell(self) -> bool:
        return bool(self.truth and self.answer)

    @property
    def is_narrow(self) -> bool:
        return self != ResponseFilter()

    @property
    def link(self) -> str:
        """Its query string, without its own `show` and cell: for links that set these."""
        kept = {"domain": self.domain, "q": self.text}
        return urlencode({name: value for name, value in kept.items() if value})


@dataclass(frozen=True)
class UnitVerdict:
    """A unit with the run's verdict and gold's. prediction: None where the run says nothing about it."""

    segment: Segment
    fact: AtomicFact | None
    gold: str | None
    prediction: Prediction | None

    @property
    def text(self) -> str:
        return (self.fact or self.segment).text

    @property
    def calls(self) -> list[Call]:
        return list(self.prediction.calls.all()) if self.prediction else []

    @property
    def rationale(self) -> str:
        return beside_answers(self.prediction.rationale, self.calls) if self.prediction else ""


@dataclass(frozen=True)
class ListedResponse:
    """An item of the run, its units that are shown, in reading order, the claims that the method extracted, and all
    answers of the model that were given for it."""

    item: RunItem
    units: Sequence[UnitVerdict]
    claims: Sequence[ListedClaim] = ()
    calls: Sequence[Call] = ()


def read_filter(query: QueryDict) -> ResponseFilter:
    """What the link says; what is not known narrows nothing."""

    def known(key: str, values: Sequence[str]) -> str:
        return wanted if (wanted := query.get(key, "")) in values else ""

    truth, answer = known("truth", TRUTHS), known("said", ANSWERS)
    is_cell = bool(truth and answer)
    return ResponseFilter(
        show="" if is_cell else known("show", list(SHOWN)),
        truth=truth if is_cell else "",
        answer=answer if is_cell else "",
        domain=query.get("domain", "").strip(),
        text=query.get("q", "").strip(),
    )


def page_of_responses(run: Run, chosen: ResponseFilter, number: str | None) -> tuple[Page[int], list[ListedResponse]]:
    """The page of the items' keys, and its responses: a handful of queries, however many there are."""
    cell = _cell(run, chosen)
    rows = _items(run, chosen).order_by("position").values_list("pk", "response_id")
    keys = [pk for pk, response in rows if cell is None or response in cell.responses]
    page = Paginator(keys, RESPONSES_A_PAGE).get_page(number)
    items = run.items.select_related("response__prompt").in_bulk(list(page.object_list))
    return page, list(_listed(run, chosen, cell, [items[pk] for pk in page.object_list]))


def shown_of(run: Run) -> dict[str, str]:
    """The choices of what is shown: those of claims only where the run has claims of its own."""
    extracts = run.extracted_claims.exists()
    return {key: title for key, title in SHOWN.items() if extracts or key not in CLAIMS_SHOWN}


def domains_of(run: Run) -> list[str]:
    names = run.items.exclude(response__prompt__domain="").values_list("response__prompt__domain", flat=True)
    return sorted(names.distinct().order_by())


def _cell(run: Run, chosen: ResponseFilter) -> CellUnits | None:
    """The chosen cell; None where none is chosen. Without gold a cell holds nothing."""
    if not chosen.is_cell:
        return None
    if not has_gold(run.dataset):
        return CellUnits(False, frozenset(), frozenset())
    return units_of_cell(run, chosen.truth, chosen.answer)


def _items(run: Run, chosen: ResponseFilter) -> QuerySet[RunItem]:
    """All but the cell narrows them: its responses can be more than a query takes."""
    items = run.items.failed() if chosen.show == FAILED else run.items.all()
    if chosen.show in NARROWED:
        items = items.filter(response__in=predictions_of(run, chosen.show).values("segment__response"))
    if chosen.show in CLAIMS_SHOWN:
        items = items.filter(response__in=claims_of(run, chosen.show).values("response"))
    if chosen.domain:
        items = items.filter(response__prompt__domain=chosen.domain)
    if chosen.text:
        items = items.filter(_with_text(run, chosen.text))
    return items


def _with_text(run: Run, text: str) -> Q:
    facts = run.predictions.filter(fact__text__icontains=text)
    claims = run.extracted_claims.filter(text__icontains=text)
    return (
        Q(response__index__icontains=text)
        | Q(response__prompt__text__icontains=text)
        | Q(response__text__icontains=text)
        | Q(response__in=facts.values("segment__response"))
        | Q(response__in=claims.values("response"))
    )


def _listed(
    run: Run, chosen: ResponseFilter, cell: CellUnits | None, items: Sequence[RunItem]
) -> Iterator[ListedResponse]:
    responses = [item.response_id for item in items]
    wanted = chosen.show if chosen.show in NARROWED else ""
    units = [*_predicted(predictions_of(run, wanted).filter(segment__response__in=responses))]
    if not wanted:
        units += _without_prediction(run, responses, units)
    by_response: dict[int, list[UnitVerdict]] = defaultdict(list)
    for unit in sorted(units, key=_place):
        if cell is None or (unit.fact.pk if unit.fact else unit.segment.pk) in _keys(cell, unit):
            by_response[unit.segment.response_id].append(unit)
    # Where units are narrowed by their own verdicts, claims would stand without those that they belong to.
    gold = {(unit.segment.pk, unit.fact.pk if unit.fact else None): unit.gold for unit in units}
    claims = {} if wanted or cell else list_claims(run, responses, chosen.show, gold)
    calls = calls_of(run, responses)
    for item in items:
        key = item.response_id
        yield ListedResponse(item, by_response[key], claims.get(key, ()), calls.get(key, ()))


def _keys(cell: CellUnits, unit: UnitVerdict) -> frozenset[int]:
    """The keys that a unit of its kind may have in the cell."""
    return cell.units if cell.of_facts == (unit.fact is not None) else frozenset()


def _place(unit: UnitVerdict) -> tuple[int, int, int]:
    return unit.segment.response_id, unit.segment.position, unit.fact.position if unit.fact else -1


def _predicted(predictions: PredictionQuerySet) -> Iterator[UnitVerdict]:
    answers = Prefetch("calls", Call.objects.defer("request"))
    for each in predictions.with_gold().select_related("segment", "fact").prefetch_related(answers):
        yield UnitVerdict(each.segment, each.fact, each.gold, each)  # type: ignore[attr-defined]


def _without_prediction(run: Run, responses: Sequence[int], predicted: Sequence[UnitVerdict]) -> Iterator[UnitVerdict]:
    """The units with gold that the run says nothing about. A sentence that is irrelevant as a whole is none where the
    run judged facts of it."""
    there = {(unit.segment.pk, unit.fact.pk if unit.fact else None) for unit in predicted}
    sentences = {segment for segment, _ in there}
    labels = GoldLabel.objects.current().filter(segment__response__in=responses).select_related("segment", "fact")
    for label in labels:
        is_judged = (label.segment_id, label.fact_id) in there
        if not is_judged and (label.fact_id is not None or label.segment_id not in sentences):
            yield UnitVerdict(label.segment, label.fact, label.value, None)
