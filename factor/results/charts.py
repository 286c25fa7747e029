"""The charts of FACTOR's figures 2 to 5: accuracy by scoring, against size, with and without retrieval, and against
perplexity. Families differ in colour and shape; whiskers are 95 % intervals."""

from collections.abc import Sequence

from evaluators.charts.chart import Chart, Row
from evaluators.charts.marks import Axis, ReferenceLine, dots, scatter
from evaluators.charts.theme import MOST_LABELS
from factor.results.page_state import ResultsState
from factor.results.report_types import FactorReport, PerplexityReport, PerplexityScoring, ScoringFigures, ShareFigures
from factor.results.representative import without_prefix
from factor.results.scoring_rows import ScoringRow

# A chart of one point shows nothing.
FEWEST = 2
NO_FAMILY = "no family"


def charts_of(report: FactorReport, rows: Sequence[ScoringRow], state: ResultsState) -> list[Chart]:
    """Those for which there are figures. Where no example counts there are none, and no chance to draw."""
    if not rows:
        return []
    accuracy = [_row(each.entry, each.ruled) for each in rows]
    sized = [_sized(each, report["rule"]) for each in report["scorings"] if _has_size(each)]
    corpus = report["perplexity"]
    charts = [_by_scoring(accuracy, report, state)]
    if len(sized) >= FEWEST:
        charts.append(_by_size(sized, report, state))
    if report["retrieval"]:
        charts.append(_retrieval(report, state))
    if corpus is not None and len(corpus["models"]) >= FEWEST:
        charts.append(_by_perplexity(_predicting(corpus["models"]), corpus, report, state))
    return charts


def _by_scoring(rows: list[Row], report: FactorReport, state: ResultsState) -> Chart:
    references = [*_chance(report), *_no_prefix(report)]
    return Chart(
        name="accuracy",
        title="Accuracy by scoring",
        description=f"A dot on its 95 % interval for each scoring. {_listed(rows)} {_rules(references)}",
        spec=dots(rows, "name", _axis(state, (0, 1)), references=references),
        rows=rows,
    )


def _by_size(rows: list[Row], report: FactorReport, state: ResultsState) -> Chart:
    references = _chance(report)
    size = Axis("billions", "Billions of parameters, each step ten times the last", logarithmic=True)
    axis = _axis(state, _domain(rows, references))
    return Chart(
        name="size",
        title="Accuracy against the size of the model (FACTOR, figure 3)",
        description=f"Scorings with the prefix and without retrieval. {_listed(rows, 'billions')} {_rules(references)}",
        spec=scatter(rows, size, axis, series="family", references=references, ends=("low", "high")),
        rows=rows,
    )


def _retrieval(report: FactorReport, state: ResultsState) -> Chart:
    by_key = {each["scoring"]: each for each in report["scorings"]}
    rows = []
    for pair in report["retrieval"]:
        for name, key in (("alone", pair["other"]), ("with retrieval", pair["one"])):
            entry = by_key[key]
            rows.append({"name": entry["model"], "way": name, **_figures(entry["rules"][report["rule"]])})
    figures = " ".join(f"{row['name']} {row['way']}: {_in_words(row)}." for row in rows)
    return Chart(
        name="retrieval",
        title="Accuracy with and without retrieval (FACTOR, figure 4)",
        description=f"Two dots for each model. {figures}",
        spec=dots(rows, "name", _axis(state, (0, 1)), references=_chance(report), series="way"),
        rows=rows,
    )


def _by_perplexity(rows: list[Row], corpus: PerplexityReport, report: FactorReport, state: ResultsState) -> Chart:
    references = _chance(report)
    x = Axis("perplexity", f"Perplexity of a token over {corpus['corpus']}")
    axis = _axis(state, _domain(rows, references))
    label, series = ("name", "family") if len(rows) <= MOST_LABELS else (None, "name")
    return Chart(
        name="perplexity",
        title="Accuracy against perplexity (FACTOR, figures 2 and 5)",
        description=f"Lower perplexity is better. {_listed(rows, 'perplexity')} {_rules(references)}",
        spec=scatter(rows, x, axis, label, series, references=references, ends=("low", "high")),
        rows=rows,
    )


def _has_size(entry: ScoringFigures) -> bool:
    """Whether it is a plain scoring of a model of known size."""
    return bool(entry["parameters"]) and entry["with_prefix"] and entry["retrieval"] is None


def _sized(entry: ScoringFigures, rule: str) -> Row:
    return {**_row(entry, entry["rules"][rule]), "billions": (entry["parameters"] or 0) / 1e9}


def _predicting(scorings: Sequence[PerplexityScoring]) -> list[Row]:
    return [_row(each, each, perplexity=each["perplexity"]) for each in scorings]


def _row(entry: ScoringFigures | PerplexityScoring, figures: ShareFigures, **beside: float | None) -> Row:
    return {"name": entry["name"], "family": entry["family"] or NO_FAMILY, **beside, **_figures(figures)}


def _figures(figures: ShareFigures) -> Row:
    low, high = figures["interval"] or (None, None)
    return {"accuracy": figures["accuracy"], "low": low, "high": high, "n": figures["n"]}


def _chance(report: FactorReport) -> list[ReferenceLine]:
    chance = report["chance"]
    return [] if chance is None else [ReferenceLine(f"chance {100 * chance:.0f} %", chance, "trivial")]


def _no_prefix(report: FactorReport) -> list[ReferenceLine]:
    """The highest that a model reaches by the completions alone."""
    bare = without_prefix(report["scorings"])
    accuracies = [each["rules"][report["rule"]]["accuracy"] for each in bare.values()]
    best = max((value for value in accuracies if value is not None), default=None)
    return [] if best is None else [ReferenceLine(f"best without prefix {100 * best:.0f} %", best, "human")]


def _axis(state: ResultsState, domain: tuple[float, float]) -> Axis:
    return Axis("accuracy", f"Accuracy: {state.rule_title.lower()}", domain, format=".0%")


def _domain(rows: Sequence[Row], references: Sequence[ReferenceLine]) -> tuple[float, float]:
    """The tenths that hold every interval and every rule."""
    values = [row[key] for row in rows for key in ("accuracy", "low", "high") if row[key] is not None]
    values += [each.value for each in references if each.value is not None]
    return max(0, int(10 * min(values))) / 10, min(10, int(10 * max(values)) + 1) / 10


def _listed(rows: Sequence[Row], beside: str | None = None) -> str:
    def place(row: Row) -> str:
        return f", {beside} {row[beside]:,.4g}" if beside else ""

    return " ".join(f"{row['name']}{place(row)}: {_in_words(row)}." for row in rows)


def _in_words(row: Row) -> str:
    if row["accuracy"] is None:
        return "undefined"
    around = "" if row["low"] is None else f", interval {100 * row['low']:.1f} to {100 * row['high']:.1f} %"
    return f"{100 * row['accuracy']:.1f} %{around}"


def _rules(references: Sequence[ReferenceLine]) -> str:
    return f"Rules to read it against: {', '.join(each.name for each in references)}."
