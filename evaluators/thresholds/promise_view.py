"""The page of a promise: the cheapest threshold that keeps a stated rate of mistakes."""

from collections.abc import Mapping
from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from annotate.access import MemberRequest, fetch_dataset, role_in
from annotate.models import Dataset, Role
from core.table_response import requested_table
from core.tables import PrintedTable, Table
from evaluators.charts.chart import Chart, Row
from evaluators.charts.marks import Axis, ReferenceLine, lines
from evaluators.charts.respond import requested_chart
from evaluators.comparison.caption import data_of_scope
from evaluators.comparison.levels import level_title, responses_by_level
from evaluators.comparison.page_state import has_gold, requested_version
from evaluators.comparison.study import ComparisonStudy, study_of, versions_of
from evaluators.runs.repeats import repeated
from evaluators.thresholds.page_state import parts_to_choose, read_state
from evaluators.thresholds.promises import (
    PROBABILITY_ENDS,
    RATE_ENDS,
    RATES,
    STARTS,
    Promise,
    PromiseOutcome,
    next_evaluators,
    promise_of,
)
from evaluators.thresholds.read import Scope, with_scores

COLUMNS = ("threshold", "asked", "deferred", "rate", "bound", "p", "tested", "qualified", "price_usd")
# Printed titles; beside them that of the share that another evaluator judges.
TITLES = {
    "threshold": "Threshold",
    "deferred": "Not accepted",
    "rate": "Rate here",
    "bound": "Upper bound",
    "p": "p",
    "qualified": "Qualifies",
}
OTHER_TITLES = {"tested": "Tested", "price_usd": "Price of 1,000 units, US dollars"}
PERCENT = 100
# Of a share, so that 99.9 per cent is 0.999.
DIGITS = 12
SHARES = {"rate": RATE_ENDS, "probability": PROBABILITY_ENDS}
# Where units are counted, a prompt with more counts as one with so many.
UNITS = 10


@require_safe
def promise(request: MemberRequest, pk: int) -> HttpResponse:
    """The query: evaluator, then, of, rate and probability in per cent, level, slice, gold."""
    dataset = fetch_dataset(request.user, pk, Role.RESEARCHER, Role.ADJUDICATOR)
    page: dict[str, Any] = {"dataset": dataset, "role": role_in(request.user, dataset), "tab": "thresholds"}
    page["has_gold"] = has_gold(dataset)
    study = study_of(dataset, requested_version(request, dataset)) if page["has_gold"] else None
    if study is None or not with_scores(study.judges):
        return render(request, "thresholds/promise.html", page)
    asked, scope = _read(request.GET, study)
    page |= _choices(study, asked, scope)
    wrong = _wrong_share(request.GET)
    if wrong:
        return render(request, "thresholds/promise.html", page | {"refused": wrong})
    outcome = promise_of(study, asked, scope)
    table = _table(outcome, data_of_scope(study, scope.level, scope.slice))
    page |= {
        "outcome": outcome,
        "refused": outcome["refused"],
        "table": table,
        "charts": _charts(outcome),
        "last": _last_tested(outcome),
        "level": _level(outcome),
    }
    return requested_table(request, [table]) or render(request, "thresholds/promise.html", page)


@require_safe
def promise_chart(request: MemberRequest, pk: int, name: str, form: str) -> HttpResponse:
    dataset = fetch_dataset(request.user, pk, Role.RESEARCHER, Role.ADJUDICATOR)
    return requested_chart(request, _charts_of(request, dataset), name, form)


def _charts_of(request: MemberRequest, dataset: Dataset) -> list[Chart]:
    study = study_of(dataset, requested_version(request, dataset))
    if not with_scores(study.judges) or _wrong_share(request.GET):
        return []
    return _charts(promise_of(study, *_read(request.GET, study)))


def _read(query: Mapping[str, str], study: ComparisonStudy) -> tuple[Promise, Scope]:
    """Names that are not there are those that the page begins with; shares stay as they were sent, to be refused."""
    state = read_state(query, list(with_scores(study.judges)), study.table)  # type: ignore[arg-type]
    usual = Promise(state.evaluator)
    then = query.get("then")
    asked = Promise(
        state.evaluator,
        then if then in next_evaluators(study, state.evaluator) else None,
        query.get("of", "") if query.get("of") in RATES else usual.of,
        _share(query.get("rate"), usual.rate),
        _share(query.get("probability"), usual.probability),
        UNITS if query.get("count") == "units" else None,
    )
    return asked, state.scope


def _share(sent: str | None, usual: float) -> float:
    """Per cent as a share; 0, which is refused, where the text is no number."""
    if not sent:
        return usual
    try:
        return round(float(sent) / PERCENT, DIGITS)
    except ValueError:
        return 0.0


def _wrong_share(query: Mapping[str, str]) -> str:
    """Which of the percentages that were sent cannot be promised; "" where both can."""
    for name, (least, most) in SHARES.items():
        sent = query.get(name, "")
        if sent and not least <= _share(sent, least) <= most:
            return f"The {name} is to be from {least * PERCENT:g} to {most * PERCENT:g} %, not “{sent}”."
    return ""


def _choices(study: ComparisonStudy, asked: Promise, scope: Scope) -> dict[str, Any]:
    return {
        "asked": asked,
        "scope": scope,
        "names": list(with_scores(study.judges)),
        "others": next_evaluators(study, asked.evaluator),
        "rates": RATES,
        "units": UNITS,
        "percent": {"rate": f"{asked.rate * PERCENT:g}", "probability": f"{asked.probability * PERCENT:g}"},
        "ends": {name: [f"{end * PERCENT:g}" for end in ends] for name, ends in SHARES.items()},
        "levels": [(level, level_title(level, study.dataset.scheme)) for level in responses_by_level(study.table)],
        "parts": parts_to_choose(study.table, scope.level),
        "version": study.version,
        "versions": versions_of(study.dataset),
        "repeated": repeated(study.dataset),
    }


def _table(outcome: PromiseOutcome, data: str) -> Table:
    """data: data set, gold and units in words."""
    then, most = outcome["then"], outcome["most_units"]
    counted = f"prompts with more than {most} units count as {most}" if most else "each prompt counts the same"
    caption = (
        f"Thresholds of the scores of {outcome['evaluator']} on {data} (n = {outcome['n']:,} units of "
        f"{outcome['prompts']:,} prompts), the rest going to {then or 'people'}. Rate: {RATES[outcome['of']]}; "
        f"{counted}. A threshold qualifies where the rate is shown to be at most {outcome['rate']:g} with probability "
        f"{outcome['probability']:g}. Test: bets on prompts in a random order (seed {outcome['seed']}), thresholds in "
        f"fixed sequences, p ≤ {_level(outcome)}. Upper bounds: of each threshold alone."
    )
    titles = {**OTHER_TITLES, "asked": f"To {then}" if then else "To another evaluator"}
    printed = PrintedTable(TITLES, caption, titles=titles)
    rows = [_cells(each) for each in outcome["settings"]]
    return Table("promise", "the thresholds of the promise", COLUMNS, rows, printed)


def _level(outcome: PromiseOutcome) -> str:
    return f"{(1 - outcome['probability']) / STARTS[outcome['of']]:.4g}"


def _cells(setting: Mapping[str, Any]) -> list[Any]:
    return [str(setting[name]).lower() if isinstance(setting[name], bool) else setting[name] for name in COLUMNS]


def _last_tested(outcome: PromiseOutcome) -> Mapping[str, Any] | None:
    """The setting at which the last sequence stopped."""
    stopped = [each for each in outcome["settings"] if each["tested"] and not each["qualified"]]
    return stopped[-1] if stopped else None


def _charts(outcome: PromiseOutcome) -> list[Chart]:
    if not outcome["settings"]:
        return []
    figures = {"rate": "in these prompts", "bound": "upper bound"}
    rows: list[Row] = [
        {"figure": title, "deferred": each["deferred"], "value": each[key], "threshold": each["threshold"]}  # type: ignore[literal-required]
        for key, title in figures.items()
        for each in outcome["settings"]
    ]
    chosen = outcome["qualified"]
    promised = f"promised {outcome['rate']:.3f}"
    found = f" The promise is kept from {chosen['deferred']:.3f} on." if chosen else " No threshold keeps it."
    spec = lines(
        rows,
        Axis("deferred", "Share of units that are not passed", (0.0, 1.0)),
        Axis("value", "Rate", (0.0, 1.0)),
        "figure",
        references=[ReferenceLine(promised, outcome["rate"])],
        upright=[ReferenceLine(f"qualifies {chosen['deferred']:.3f}", chosen["deferred"], "human")] if chosen else [],
    )
    title = "The rate against the share of units that are not passed"
    text = f"For each threshold the rate in these prompts and its {outcome['probability']:.0%} upper bound, each alone."
    return [Chart("promise", title, text + found, spec, rows)]
