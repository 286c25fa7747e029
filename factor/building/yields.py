"""The yields of each stage of a build: of its documents, and of contradictions of each type of error."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from django.db.models import Count

from factor.models import BenchmarkBuild, BenchmarkBuildItem, Candidate, FactorErrorType

Stage = BenchmarkBuildItem.Stage
State = BenchmarkBuildItem.State
# The stages behind one: a document is beyond it when it waits for one of them, or ended there.
AFTER = {Stage.SELECT: {Stage.GENERATE, Stage.FILTER, Stage.CHOOSE}, Stage.GENERATE: {Stage.FILTER, Stage.CHOOSE}}


@dataclass(frozen=True)
class Documents:
    """Numbers of documents. with_sentence: beyond the first stage; with_candidates: beyond the second; with_passed: of
    which a contradiction passed the filters; made: examples. left_out: by the reason
    (BenchmarkBuildItem.Reason); failed: their last error can be tried again."""

    drawn: int
    with_sentence: int
    with_candidates: int
    with_passed: int
    made: int
    failed: int
    left_out: Mapping[str, int]

    @property
    def settled(self) -> int:
        return self.made + self.failed + sum(self.left_out.values())


@dataclass(frozen=True)
class Contradictions:
    """Numbers of contradictions, of one type of error or of all.

    fit: possible candidates; passed: candidates that pass the filters; chosen: those in examples. dropped: by the
    reason (Candidate.Reason).
    """

    error_type: str
    written: int
    fit: int
    passed: int
    chosen: int
    dropped: Mapping[str, int]


def documents_of(build: BenchmarkBuild) -> Documents:
    """Two queries."""
    rows = build.items.order_by().values_list("stage", "state", "outcome", "reason").annotate(number=Count("pk"))
    counted = list(rows)

    def beyond(stage: Stage) -> int:
        return sum(number for reached, *_, number in counted if reached in AFTER[stage])

    left_out: Counter[str] = Counter()
    for *_, reason, number in counted:
        left_out[reason] += number
    del left_out[""]
    return Documents(
        drawn=sum(number for *_, number in counted),
        with_sentence=beyond(Stage.SELECT),
        with_candidates=beyond(Stage.GENERATE),
        with_passed=Candidate.objects.of(build).passed().aggregate(number=Count("item", distinct=True))["number"],
        made=sum(number for _, _, outcome, _, number in counted if outcome == BenchmarkBuildItem.Outcome.MADE),
        failed=sum(number for _, state, _, _, number in counted if state == State.FAILED),
        left_out=_in_order(BenchmarkBuildItem.Reason.values, left_out),
    )


def contradictions_of(build: BenchmarkBuild) -> list[Contradictions]:
    """Of all types together first, then of each in their order; one query."""
    rows = Candidate.objects.of(build).order_by().values_list("error_type", "outcome", "reason")
    counted = Counter(
        {(kind, outcome, reason): number for kind, outcome, reason, number in rows.annotate(n=Count("pk"))}
    )
    total = _contradictions("", counted)
    return [total, *(_contradictions(kind, counted) for kind in FactorErrorType.values)]


def _contradictions(error_type: str, counted: Counter[tuple[str, str, str]]) -> Contradictions:
    outcomes = Candidate.Outcome
    mine: Counter[tuple[str, str]] = Counter()
    for (kind, outcome, reason), number in counted.items():
        if error_type in ("", kind):
            mine[outcome, reason] += number
    written = mine.total()
    dropped = Counter({reason: number for (outcome, reason), number in mine.items() if outcome == outcomes.DROPPED})
    chosen = mine[outcomes.CHOSEN, ""]
    return Contradictions(
        error_type=error_type,
        written=written,
        fit=written - sum(dropped[reason] for reason in Candidate.UNFIT),
        passed=mine[outcomes.KEPT, ""] + chosen,
        chosen=chosen,
        dropped=_in_order(Candidate.Reason.values, dropped),
    )


def _in_order(order: list[str], counted: Counter[str]) -> dict[str, int]:
    """The reasons that occur, in the order of their list."""
    return {reason: counted[reason] for reason in order if counted[reason]}
