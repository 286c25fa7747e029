"""The lines of the comparison page, from the document of its figures (figures.py)."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from evaluators.comparison.documents import ComparedEvaluator, ComparisonFigures
from evaluators.comparison.slices import ALL
from stats.detection import DetectionRow, ends_of, figure_of

HUMAN = "one annotator against another"


@dataclass(frozen=True)
class FigureValue:
    """A figure of a page: None is undefined, and `why` is the reason. bounds: by unparsed outputs, None without any;
    bounds_with_missing: by these and units without a prediction, None without such units.

    expected: the average score of a random judge; None for all others. withheld: why a known value has no interval.
    """

    value: float | None
    interval: Sequence[float] | None
    bounds: Sequence[float] | None
    bounds_with_missing: Sequence[float] | None
    expected: float | None
    why: str
    withheld: str
    n: int
    error_prompts: int
    coverage: float | None
    unparsed: int
    missing: int


@dataclass(frozen=True)
class EvaluatorRow:
    """An evaluator: its figures by slice, "all" being all that counts; ranks are over these.

    range: the ranks that it may have, None where its figure is undefined. cost_usd: None where it is not known.
    """

    name: str
    run: int | None
    method: str
    model: str
    baseline: bool
    rank: int | None
    range: Sequence[int] | None
    results: Mapping[str, DetectionRow]
    cost_usd: float | None

    @property
    def whole(self) -> DetectionRow:
        return self.results[ALL]

    @property
    def ranks(self) -> str:
        """ "2", or "1–2" where it does not differ surely from another; "" where it has none."""
        if self.range is None:
            return ""
        first, last = self.range
        return f"{first}" if first == last else f"{first}–{last}"


def evaluator_rows(document: ComparisonFigures, prices: Mapping[int, float | None]) -> list[EvaluatorRow]:
    """The best first, the baselines last; undefined figures after the rest of their kind. prices: by run."""
    lines = [_line(entry, prices) for entry in document["evaluators"]]
    return sorted(lines, key=lambda line: (line.baseline, line.rank is None, line.rank, line.name))


def _line(entry: ComparedEvaluator, prices: Mapping[int, float | None]) -> EvaluatorRow:
    return EvaluatorRow(
        name=entry["evaluator"],
        run=entry["run"],
        method=entry["method"],
        model=entry["model"],
        baseline=entry["baseline"],
        rank=entry["rank"],
        range=entry["range"],
        results=entry["results"],
        cost_usd=0.0 if entry["run"] is None or entry["baseline"] else prices[entry["run"]],
    )


def figure_value(result: DetectionRow | None, figure: str) -> FigureValue | None:
    """None where a slice holds no unit."""
    if result is None:
        return None
    unparsed, missing = result["unparsed"], result["missing"]
    return FigureValue(
        value=figure_of(result, figure),
        interval=ends_of(result, f"{figure}_interval"),
        bounds=ends_of(result, f"{figure}_bounds") if unparsed else None,
        bounds_with_missing=ends_of(result, f"{figure}_bounds_with_missing") if missing else None,
        expected=result["expected"][figure] if "expected" in result else None,
        why=result["undefined"].get(figure, ""),
        withheld=result["withheld"].get(figure, ""),
        n=result["n"],
        error_prompts=result["error_prompts"],
        coverage=result["coverage"],
        unparsed=unparsed,
        missing=missing,
    )


@dataclass(frozen=True)
class HumanReference:
    """One annotator against another: their F1, its interval, and the units that two of them judged."""

    f1: float | None
    interval: Sequence[float] | None
    n: int
    why: str


def human_references(document: ComparisonFigures, figure: str) -> dict[str, HumanReference]:
    """The human reference by slice; it is an F1, and there is none of another figure."""
    if figure != "f1":
        return {}
    return {
        slice: HumanReference(each["f1"], each["f1_interval"], each["n"], each["undefined"].get("f1", ""))
        for slice, each in document["human"].items()
    }


def without_baselines(lines: Iterable[EvaluatorRow]) -> list[EvaluatorRow]:
    return [line for line in lines if not line.baseline]
