"""Rows as FActScore publishes them, of one subject model."""

from collections.abc import Iterable, Iterator, Sequence

from annotate.corpus.factscore import HUMAN_FACTS, LABELS, MODEL_FACTS
from annotate.export.export_format import ExportFormat
from annotate.export.read import Asked, ExportSentence, LeftOut, sentences_of
from annotate.models import AtomicFact, GoldLabel, Response, Scheme
from core.errors import DataError
from core.json_lines import json_line

SPELLING = {value: label for label, value in LABELS.items()}
Facts = Sequence[tuple[AtomicFact, GoldLabel | None]]


def export_factscore(asked: Asked) -> Iterator[str]:
    """One JSON line a response. A response is left out while only some facts of a sentence have gold.

    Facts of a model that were judged here come out as people's facts with their labels. DataError where the dataset
    holds several subjects and none is named.
    """
    subjects = sorted(set(asked.responses.order_by().values_list("subject", flat=True)))
    if len(subjects) > 1:
        raise DataError(f"{asked.dataset} holds several subjects: name one of {', '.join(subjects)}.")
    yield from factscore_lines(asked.read(), asked.left_out)


def factscore_lines(responses: Iterable[Response], left_out: LeftOut) -> Iterator[str]:
    """The lines of responses of one subject that read_responses gave."""
    for response in responses:
        sentences = sentences_of(response)
        if any(_half_judged(sentence) for sentence in sentences):
            left_out(response.index, "not every fact has gold")
            continue
        yield json_line(_row(response, sentences))


def _half_judged(sentence: ExportSentence) -> bool:
    """Whether the format cannot hold the gold: people's facts need a label each, a model's all or none."""
    if _irrelevant(sentence):
        return False
    judged = [gold is not None for _, gold in sentence.judged()]
    return not all(judged) and (any(judged) or bool(sentence.human))


def _irrelevant(sentence: ExportSentence) -> bool:
    """Judged irrelevant as a whole; where nothing of it is judged, as it came."""
    if sentence.gold is not None:
        return True
    return not sentence.segment.relevant and not any(gold for _, gold in sentence.judged())


def _row(response: Response, sentences: Sequence[ExportSentence]) -> dict[str, object]:
    prompt = response.prompt
    none: list[object] | None = [] if response.extra.get("annotations") == "empty" else None
    return {
        "input": prompt.text,
        "output": response.text,
        "topic": prompt.topic,
        "cat": [prompt.frequency, prompt.nationality],
        "annotations": [_annotation(sentence) for sentence in sentences] or none,
    }


def _annotation(sentence: ExportSentence) -> dict[str, object]:
    irrelevant = _irrelevant(sentence)
    annotation: dict[str, object] = {"text": sentence.segment.text, "is-relevant": not irrelevant}
    extra = sentence.segment.extra
    if extra.get("model_facts") != "missing":
        facts = [{"text": fact.text} for fact, _ in sentence.model]
        annotation[MODEL_FACTS] = None if extra.get("model_facts") == "null" else facts
    labelled = [] if irrelevant else _labelled(sentence.judged())
    if labelled or extra.get("human_facts") != "missing":
        annotation[HUMAN_FACTS] = labelled or ([] if extra.get("human_facts") == "empty" else None)
    return annotation


def _labelled(facts: Facts) -> list[dict[str, str]]:
    return [{"text": fact.text, "label": SPELLING[gold.value]} for fact, gold in facts if gold is not None]


FORMAT = ExportFormat("factscore", export_factscore, Scheme.FACTSCORE)
