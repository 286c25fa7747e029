"""What a study has found so far: tables 4 and 5 of FACTOR, what was left out, how far labelers agree."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from factor.models import Exclusion, OpenEndedGeneration, OpenEndedStudy
from factor.models.open_ended import EXCLUDED, Word
from factor.open_ended.pairs import Pairs, pairs_of
from stats.bootstrap import Interval, with_width
from stats.nominal import measure_agreement
from stats.open_ended import RIGHT, WRONG, AccuracyDifference, JudgedGenerations, OpenEndedRow, table
from stats.proportions import share_interval

SAID = (Word.NEUTRAL, Word.TRUE, Word.FALSE)
EXAMPLE, FAILED, UNLABELLED = "example", "failed", "unlabelled"
BY_PEOPLE = (EXAMPLE, *EXCLUDED)


@dataclass(frozen=True)
class Text:
    """A generation as it is counted. document: what it is resampled with. without_example: all figures leave its
    example out at the moment. words: of its labelers, in their order."""

    pair: int
    right: bool
    document: str
    without_example: bool
    failed: bool
    excluded: str
    words: tuple[str, ...]

    def fate(self, raters: int) -> str:
        """EXAMPLE, a reason of EXCLUDED, FAILED, UNLABELLED (it lacks a label) or "": it counts.

        It is left out as soon as one of its labelers says so; where they give two reasons, for the first of EXCLUDED.
        """
        if self.without_example:
            return EXAMPLE
        reasons = [word for word in EXCLUDED if word == self.excluded or word in self.words]
        if reasons:
            return reasons[0]
        if self.failed:
            return FAILED
        return UNLABELLED if len(self.words) < raters else ""


@dataclass(frozen=True)
class Agreement:
    """Of the texts that two people labelled, on all six words. None where undefined; an interval too where every
    resample says the same, but for that of a percentage of 0 or 100, which is Wilson's."""

    n: int
    percent: float | None
    percent_interval: Interval | None
    alpha: float | None
    alpha_interval: Interval | None


@dataclass(frozen=True)
class Results:
    """One study's. pairs: those of the benchmark that count at the moment. fates: how many texts of all drawn were left
    out, failed or are unlabelled, by which; those that count are rows[-1].n."""

    study: OpenEndedStudy
    pairs: Pairs
    rows: list[OpenEndedRow]
    fates: dict[str, int]
    agreement: Agreement | None

    @property
    def drawn(self) -> int:
        return self.rows[-1].n + sum(self.fates.values())

    @property
    def left_out(self) -> int:
        return sum(self.fates.get(word, 0) for word in BY_PEOPLE)

    @property
    def weights(self) -> tuple[float | None, float | None]:
        """The shares of right and wrong pairs among the scored pairs of the benchmark; None where it has none."""
        right, wrong = self.pairs.weights
        return (right / (right + wrong), wrong / (right + wrong)) if right + wrong else (None, None)


def results_of(studies: Sequence[OpenEndedStudy]) -> tuple[list[Results], list[AccuracyDifference]]:
    """Of studies of one benchmark, and the differences of every two of them."""
    texts, pairs = [read_texts(study) for study in studies], [pairs_of(study.scoring) for study in studies]
    # In order of their names: so a study's documents are drawn alike, whichever study stands beside it.
    documents = sorted({text.document for each in texts for text in each})
    numbers = {document: number for number, document in enumerate(documents)}
    judged = [
        _judged([text for text in each if not text.fate(study.raters)], numbers, of_benchmark)
        for study, each, of_benchmark in zip(studies, texts, pairs, strict=True)
    ]
    rows, differences = table(judged)
    found = [
        Results(study, of_benchmark, its_rows, _fates(study, each), _agreement(each))
        for study, of_benchmark, its_rows, each in zip(studies, pairs, rows, texts, strict=True)
    ]
    return found, differences


def read_texts(study: OpenEndedStudy) -> list[Text]:
    """All texts that were drawn, in order; three queries."""
    excluded = Exclusion.objects.in_force().filter(example__benchmark=study.scoring.benchmark_id)
    without = set(excluded.values_list("example", flat=True))
    rows = (
        OpenEndedGeneration.objects.filter(pair__study=study)
        .select_related("pair__completion__example")
        .prefetch_related("ratings")
        .order_by("pair__position", "sample")
    )
    return [
        Text(
            pair=row.pair_id,
            right=row.pair.right,
            document=_document(row),
            without_example=row.pair.completion.example_id in without,
            failed=row.state == OpenEndedGeneration.State.FAILED,
            excluded=row.pair.excluded,
            words=tuple(each.word for each in row.ratings.all()),
        )
        for row in rows
    ]


def _document(generation: OpenEndedGeneration) -> str:
    """Examples of one document stand together; one that names none stands alone."""
    example = generation.pair.completion.example
    return f"document {example.document_key}" if example.document_key else f"example {example.pk}"


def _judged(texts: Sequence[Text], numbers: dict[str, int], pairs: Pairs) -> JudgedGenerations:
    answer_shares = [[text.words.count(word) / len(text.words) for word in SAID] for text in texts]
    return JudgedGenerations(
        group=np.array([RIGHT if text.right else WRONG for text in texts], dtype=np.int64),
        cluster=np.array([numbers[text.document] for text in texts], dtype=np.int64),
        answer_shares=np.array(answer_shares, dtype=np.float64).reshape(-1, len(SAID)),
        weights=pairs.weights,
    )


def _fates(study: OpenEndedStudy, texts: Sequence[Text]) -> dict[str, int]:
    counted = Counter(text.fate(study.raters) for text in texts)
    return {fate: counted[fate] for fate in (*BY_PEOPLE, FAILED, UNLABELLED) if counted[fate]}


def _agreement(texts: Sequence[Text]) -> Agreement | None:
    """None where no text has two labels."""
    twice = [text for text in texts if len(text.words) > 1 and not text.without_example]
    if not twice:
        return None
    words = list(Word.values)
    ratings = np.array([[words.index(word) for word in text.words[:2]] for text in twice], dtype=np.int64)
    _, cluster = np.unique([text.document for text in twice], return_inverse=True)
    measured = measure_agreement(ratings, len(words), cluster, ("percent", "alpha"))
    percent, alpha = float(measured["percent"].value or 0.0), measured["alpha"]
    of_percent = with_width(share_interval(percent, measured["percent"].interval, len(np.unique(cluster))))
    return Agreement(len(twice), percent, of_percent, alpha.value, with_width(alpha.interval))
