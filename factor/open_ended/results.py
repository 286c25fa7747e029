"""The results of a study: tables 4 and 5 of FACTOR, the texts left out, the agreement of labelers."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from factor.models import Exclusion, OpenEndedGeneration, OpenEndedStudy
from factor.models.open_ended import EXCLUDED, LabelAnswer
from factor.open_ended.pairs import Pairs, pairs_of
from ratings.agreement import AgreementFigure, agreement_of
from stats.open_ended import RIGHT, WRONG, AccuracyDifference, JudgedGenerations, OpenEndedRow, table

JUDGEMENTS = (LabelAnswer.NEUTRAL, LabelAnswer.TRUE, LabelAnswer.FALSE)
EXAMPLE, FAILED, UNLABELLED = "example", "failed", "unlabelled"
BY_PEOPLE = (EXAMPLE, *EXCLUDED)


@dataclass(frozen=True)
class Text:
    """A generation with the data that decide whether it counts. Texts of one document are resampled together.
    without_example: all figures leave its example out at the moment. answers: of its labelers, in their order."""

    pair: int
    right: bool
    document: str
    without_example: bool
    failed: bool
    excluded: str
    answers: tuple[str, ...]

    def fate(self, raters: int) -> str:
        """EXAMPLE, a reason of EXCLUDED, FAILED, UNLABELLED (it lacks a label) or "": it counts.

        It is left out as soon as one of its labelers says so; where they give two reasons, for the first of EXCLUDED.
        """
        if self.without_example:
            return EXAMPLE
        reasons = [reason for reason in EXCLUDED if reason == self.excluded or reason in self.answers]
        if reasons:
            return reasons[0]
        if self.failed:
            return FAILED
        return UNLABELLED if len(self.answers) < raters else ""


@dataclass(frozen=True)
class StudyResults:
    """pairs: those of the benchmark that count at the moment. fates: the numbers of texts that do not count, by their
    reason; rows[-1].n texts count. twice: the number of texts with two labels. agreement: of these labels, by
    coefficient; None where no text has two."""

    study: OpenEndedStudy
    pairs: Pairs
    rows: list[OpenEndedRow]
    fates: dict[str, int]
    twice: int
    agreement: dict[str, AgreementFigure] | None

    @property
    def drawn(self) -> int:
        return self.rows[-1].n + sum(self.fates.values())

    @property
    def left_out(self) -> int:
        return sum(self.fates.get(reason, 0) for reason in BY_PEOPLE)

    @property
    def weights(self) -> tuple[float | None, float | None]:
        """The shares of right and wrong pairs among the scored pairs of the benchmark; None where it has none."""
        right, wrong = self.pairs.weights
        return (right / (right + wrong), wrong / (right + wrong)) if right + wrong else (None, None)


def results_of(studies: Sequence[OpenEndedStudy]) -> tuple[list[StudyResults], list[AccuracyDifference]]:
    """The results of studies of one benchmark, and the differences of every two of them."""
    texts, pairs = [read_texts(study) for study in studies], [pairs_of(study.scoring) for study in studies]
    # Sorted by name: the draws of a study's documents do not depend on the study beside it.
    documents = sorted({text.document for each in texts for text in each})
    numbers = {document: number for number, document in enumerate(documents)}
    judged = [
        _judged([text for text in each if not text.fate(study.raters)], numbers, of_benchmark)
        for study, each, of_benchmark in zip(studies, texts, pairs, strict=True)
    ]
    rows, differences = table(judged)
    parts = zip(studies, pairs, rows, texts, strict=True)
    return [_results(*of_study) for of_study in parts], differences


def _results(study: OpenEndedStudy, pairs: Pairs, rows: list[OpenEndedRow], texts: Sequence[Text]) -> StudyResults:
    twice = [text for text in texts if len(text.answers) > 1 and not text.without_example]
    return StudyResults(study, pairs, rows, _fates(study, texts), len(twice), _agreement(twice))


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
            answers=tuple(each.answer for each in row.ratings.all()),
        )
        for row in rows
    ]


def _document(generation: OpenEndedGeneration) -> str:
    """The document of an example; an example without one is its own document."""
    example = generation.pair.completion.example
    return f"document {example.document_key}" if example.document_key else f"example {example.pk}"


def _judged(texts: Sequence[Text], numbers: dict[str, int], pairs: Pairs) -> JudgedGenerations:
    shares = [[text.answers.count(answer) / len(text.answers) for answer in JUDGEMENTS] for text in texts]
    return JudgedGenerations(
        group=np.array([RIGHT if text.right else WRONG for text in texts], dtype=np.int64),
        cluster=np.array([numbers[text.document] for text in texts], dtype=np.int64),
        answer_shares=np.array(shares, dtype=np.float64).reshape(-1, len(JUDGEMENTS)),
        weights=pairs.weights,
    )


def _fates(study: OpenEndedStudy, texts: Sequence[Text]) -> dict[str, int]:
    counted = Counter(text.fate(study.raters) for text in texts)
    return {fate: counted[fate] for fate in (*BY_PEOPLE, FAILED, UNLABELLED) if counted[fate]}


def _agreement(texts: Sequence[Text]) -> dict[str, AgreementFigure] | None:
    """Percent agreement and alpha."""
    if not texts:
        return None
    answers = list(LabelAnswer.values)
    ratings = np.array([[answers.index(answer) for answer in text.answers[:2]] for text in texts], dtype=np.int64)
    _, cluster = np.unique([text.document for text in texts], return_inverse=True)
    return agreement_of(ratings, len(answers), cluster, ("percent", "alpha"), "")
