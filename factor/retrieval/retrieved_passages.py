"""The passages that were retrieved while a benchmark was scored, for people to read."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from factor.models import Example, Retrieved, Scoring
from factor.retrieval.exclude import Reason
from knowledge.models import Document, Passage
from knowledge.search import passage_texts

# Documents named of each reason.
NAMED = 5


@dataclass(frozen=True)
class ExcludedDocuments:
    """Documents that were not to be retrieved: how many for the reason, and the titles of the first few."""

    reason: str
    count: int
    titles: Sequence[str]


@dataclass(frozen=True)
class ShownPassage:
    title: str
    text: str


@dataclass(frozen=True)
class ShownStride:
    """A part of a completion, and the passage under which it was scored; None where nothing was found."""

    text: str
    passage: ShownPassage | None


@dataclass(frozen=True)
class ShownCompletion:
    text: str
    true: bool
    strides: Sequence[ShownStride]


@dataclass(frozen=True)
class ShownExample:
    example: Example
    completions: Sequence[ShownCompletion]


@dataclass(frozen=True)
class RetrievalCounts:
    """Over all completions of a scoring: its strides, and those for which nothing was found."""

    strides: int
    without: int


def left_out_of(scoring: Scoring) -> list[ExcludedDocuments]:
    """By reason; [] before the first example was scored."""
    corpus = getattr(scoring, "retrieval_corpus", None)
    excluded: dict[str, list[int]] = corpus.excluded if corpus is not None else {}
    named = [key for keys in excluded.values() for key in keys[:NAMED]]
    titles = dict(Document.objects.filter(pk__in=named).values_list("pk", "title"))
    return [
        ExcludedDocuments(Reason(reason).label, len(keys), [titles[key] for key in keys[:NAMED] if key in titles])
        for reason, keys in excluded.items()
    ]


def counts_of(scoring: Scoring) -> RetrievalCounts:
    strides = without = 0
    rows = Retrieved.objects.filter(score__scoring=scoring).order_by()
    for each in rows.values_list("strides", flat=True).iterator(chunk_size=1000):
        strides += len(each)
        without += sum(1 for _, passage in each if passage is None)
    return RetrievalCounts(strides, without)


def retrieved_examples(scoring: Scoring, examples: Iterable[Example]) -> list[ShownExample]:
    """Of each of the examples its completions, stride by stride; three queries, however many."""
    rows = Retrieved.objects.filter(score__scoring=scoring, score__completion__example__in=examples)
    by_example: dict[int, list[Retrieved]] = {}
    for each in rows.select_related("score__completion").order_by("score__completion__place"):
        by_example.setdefault(each.score.completion.example_id, []).append(each)
    keys = {
        key for completions in by_example.values() for each in completions for _, key in each.strides if key is not None
    }
    passages = _passages(keys)
    return [
        ShownExample(each, [_completion(each_row, passages) for each_row in by_example.get(each.pk, [])])
        for each in examples
    ]


def _passages(keys: set[int]) -> dict[int, ShownPassage]:
    there = Passage.objects.filter(pk__in=keys)
    titles = dict(there.order_by("pk").values_list("pk", "document__title"))
    return {key: ShownPassage(titles[key], text) for key, text in passage_texts(there).items()}


def _completion(retrieved: Retrieved, passages: dict[int, ShownPassage]) -> ShownCompletion:
    completion, tokens = retrieved.score.completion, retrieved.score.tokens
    starts = [tokens[first][0] for first, _ in retrieved.strides]
    ends = [*starts[1:], len(completion.text)]
    return ShownCompletion(
        completion.text,
        completion.place == 0,
        [
            ShownStride(completion.text[start:end], passages.get(key))
            for start, end, (_, key) in zip(starts, ends, retrieved.strides, strict=True)
        ],
    )
