"""The lines of the comparison page, from the document of its figures (figures.py)."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from evaluators.comparison.documents import ComparedEvaluator, ComparisonFigures
from evaluators.comparison.slices import ALL
from evaluators.runs.listing import Spent
from stats.detection import DetectionRow, ends_of, figure_of

HUMAN = "one annotator against another"


@dataclass(frozen=True)
class FigureValue:
    """A figure of a page, with undecided units counted as wrong: None is undefined, and `why` is the reason.

    judged, judged_interval: the figure of the units that were decided. bounds: by unparsed outputs, None without any;
    bounds_with_missing: by these and units without a prediction, None without such units. expected: the average score
    of a random judge; None for all others. withheld: why a known value has no interval; error_prompts: how many
    prompts with an error it rests on.
    """

    value: float | None
    interval: Sequence[float] | None
    judged: float | None
    judged_interval: Sequence[float] | None
    bounds: Sequence[float] | None
    bounds_with_missing: Sequence[float] | None
    expected: float | None
    why: str
    withheld: str
    n: int
    error_prompts: int
    coverage: float | None
    unparsed: float
    missing: float

    @property
    def all_decided(self) -> bool:
        """Whether every unit was decided, so that the figure has no bounds."""
        return not self.unparsed and not self.missing


@dataclass(frozen=True)
class EvaluatorRow:
    """An evaluator: its figures by slice, "all" being all that counts; ranks are over these.

    run: the last one, None without any; runs: all that the figures are over; by_run: these with their figures, where
    there are several. range, rank_set: the ranks that it may have by the tested pairs, and by every pair together.
    unranked: why it has none. cost_usd, known_usd, unpriced: of the last run, as of Spent. noise_unmeasured: why the
    noise between runs is not known, None where it is or there is none.
    """

    name: str
    run: int | None
    method: str
    model: str
    baseline: bool
    rank: int | None
    range: Sequence[int] | None
    unranked: str | None
    results: Mapping[str, DetectionRow]
    cost_usd: float | None
    known_usd: float = 0.0
    unpriced: Sequence[str] = ()
    rank_set: Sequence[int] | None = None
    runs: Sequence[int] = ()
    by_run: Sequence[tuple[int, float | None]] = ()
    noise_unmeasured: str | None = None

    @property
    def whole(self) -> DetectionRow:
        return self.results[ALL]

    @property
    def ranks(self) -> str:
        """ "2", or "1–2" where it does not surely differ from another; "" where it has none."""
        return _ranks_text(self.range)

    @property
    def together(self) -> str:
        """The same of the confidence set of ranks."""
        return _ranks_text(self.rank_set)


def _ranks_text(ends: Sequence[int] | None) -> str:
    if ends is None:
        return ""
    first, last = ends
    return f"{first}" if first == last else f"{first}–{last}"


def evaluator_rows(document: ComparisonFigures, prices: Mapping[int, Spent]) -> list[EvaluatorRow]:
    """The best first, then those without a rank, the baselines last. prices: by run."""
    figure = document["question"]["figure"]
    lines = [_line(entry, prices) for entry in document["evaluators"]]
    return sorted(lines, key=lambda line: (line.baseline, line.rank is None, -_height(line.whole, figure), line.name))


def _height(result: DetectionRow, figure: str) -> float:
    value = result["pessimistic"][figure]
    return -1.0 if value is None else value


def _line(entry: ComparedEvaluator, prices: Mapping[int, Spent]) -> EvaluatorRow:
    spent = Spent() if entry["run"] is None or entry["baseline"] else prices[entry["run"]]
    return EvaluatorRow(
        name=entry["evaluator"],
        run=entry["run"],
        method=entry["method"],
        model=entry["model"],
        baseline=entry["baseline"],
        rank=entry["rank"],
        range=entry["range"],
        rank_set=entry["rank_set"],
        unranked=entry["unranked"],
        results=entry["results"],
        cost_usd=spent.cost_usd,
        known_usd=spent.known_usd,
        unpriced=spent.unpriced,
        runs=entry["runs"],
        by_run=list(zip(entry["runs"], noise["figures"], strict=True)) if (noise := entry["run_noise"]) else (),
        noise_unmeasured=entry["run_noise_unmeasured"],
    )


def figure_value(result: DetectionRow | None, figure: str) -> FigureValue | None:
    """None where a slice holds no unit."""
    if result is None:
        return None
    unparsed, missing = result["unparsed"], result["missing"]
    return FigureValue(
        value=result["pessimistic"][figure],
        interval=result["pessimistic_intervals"].get(figure),
        judged=figure_of(result, figure),
        judged_interval=ends_of(result, f"{figure}_interval"),
        bounds=ends_of(result, f"{figure}_bounds") if unparsed else None,
        bounds_with_missing=ends_of(result, f"{figure}_bounds_with_missing") if missing else None,
        expected=result["expected"][figure] if "expected" in result else None,
        why=result["undefined"].get(figure, ""),
        withheld=result["pessimistic_withheld"].get(figure, ""),
        n=result["n"],
        error_prompts=result["pessimistic_error_prompts"],
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
