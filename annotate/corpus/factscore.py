"""FActScore's rows: a biography by one subject model, its sentences, a model's facts and the judged facts of people.

Rows to be labelled lack the annotations, or the labels in them.

`extra` of a segment keeps what two rows with the same facts may differ in: an absent or empty list beside null.
"""

from typing import Any

from annotate.corpus.rows import (
    LONGEST_FREQUENCY,
    LONGEST_INDEX,
    LONGEST_NATIONALITY,
    LONGEST_TOPIC,
    FactRow,
    ImportedJudgement,
    PromptRow,
    ResponseRow,
    SegmentRow,
    content_hash,
)
from annotate.models.values import Value
from core import row_fields as fields
from core.errors import RowError, describe
from core.row_fields import Fields

KEYS = ("input", "output", "topic", "cat", "annotations")
OPTIONAL = ("cat",)
LISTS = ("cat", "annotations")
MODEL_FACTS, HUMAN_FACTS = "model-atomic-facts", "human-atomic-facts"
LABELS = {"S": Value.SUPPORTED.value, "NS": Value.NOT_SUPPORTED.value, "IR": Value.IRRELEVANT.value}


def read_row(row: Fields, subject: str) -> ResponseRow:
    """One line of the file of `subject`; its key is "subject/topic". RowError names the field at fault."""
    annotated = "annotations" in row
    fields.check_keys(row, KEYS if annotated else ("input", "output", "topic"), OPTIONAL)
    frequency, nationality = _categories(row) if "cat" in row else ("", "")
    topic = fields.filled_text(row, "topic", LONGEST_TOPIC)
    segments = _segments(row) if annotated else None
    return ResponseRow(
        index=fields.check_text(f"{subject}/{topic}", "the subject with the topic", LONGEST_INDEX),
        prompt=PromptRow(
            text=fields.filled_text(row, "input"), topic=topic, frequency=frequency, nationality=nationality
        ),
        text=fields.text(row, "output") if annotated else fields.filled_text(row, "output"),
        segments=segments,
        content_hash=content_hash(row),
        subject=subject,
        abstained=segments is not None and not any(_may_be_labelled(segment) for segment in segments),
        extra={"annotations": "empty"} if row.get("annotations") == [] else {},
    )


def _categories(row: Fields) -> tuple[str, str]:
    names = fields.texts(row, "cat")
    if len(names) != 2:
        raise RowError(f"cat has {len(names)} items, it must name a frequency and a nationality")
    return (
        fields.check_text(names[0], "cat, item 1,", LONGEST_FREQUENCY),
        fields.check_text(names[1], "cat, item 2,", LONGEST_NATIONALITY),
    )


def _segments(row: Fields) -> tuple[SegmentRow, ...]:
    """The sentences; none where the subject model abstained (annotations null)."""
    if row["annotations"] is None:
        return ()
    sentences = fields.check_list(row["annotations"], "annotations")
    return tuple(_segment(sentence, f"sentence {place + 1}") for place, sentence in enumerate(sentences))


def _may_be_labelled(segment: SegmentRow) -> bool:
    """It has facts, or the file says nothing of them."""
    unsaid = segment.extra.get("human_facts") == segment.extra.get("model_facts") == "missing"
    return bool(segment.human_facts or segment.model_facts) or unsaid


def _segment(sentence: object, place: str) -> SegmentRow:
    if not isinstance(sentence, dict):
        raise RowError(f"{place} must be an object, not {describe(sentence)}")
    fields.check_keys(sentence, ("text", "is-relevant"), (MODEL_FACTS, HUMAN_FACTS), place)
    relevant = sentence["is-relevant"]
    if not isinstance(relevant, bool):
        raise RowError(f"is-relevant of {place} must be true or false, not {describe(relevant)}")
    human = _facts(sentence, HUMAN_FACTS, place)
    if human and not relevant:
        raise RowError(f"{place} is not relevant and yet has {HUMAN_FACTS}")
    return SegmentRow(
        text=fields.check_text(sentence["text"], f"text of {place}"),
        judged=None if relevant else ImportedJudgement(Value.IRRELEVANT.value),
        relevant=relevant,
        human_facts=human,
        model_facts=_facts(sentence, MODEL_FACTS, place),
        extra=_shapes(sentence),
    )


def _facts(sentence: Fields, key: str, place: str) -> tuple[FactRow, ...]:
    facts = sentence.get(key)
    if facts is None:
        return ()
    return tuple(
        _fact(fact, key, f"{key[:5]} fact {n + 1} of {place}")
        for n, fact in enumerate(fields.check_list(facts, f"{key} of {place}"))
    )


def _fact(fact: object, key: str, place: str) -> FactRow:
    if not isinstance(fact, dict):
        raise RowError(f"{place} must be an object, not {describe(fact)}")
    if key == MODEL_FACTS:
        fields.check_keys(fact, ("text",), place=place)
        return FactRow(fields.check_text(fact["text"], f"text of {place}"))
    fields.check_keys(fact, ("text",), ("label",), place)
    label = fact.get("label")
    if label is None:
        return FactRow(fields.check_text(fact["text"], f"text of {place}"))
    if not isinstance(label, str) or label not in LABELS:
        raise RowError(f"label of {place} must be S, NS or IR, not {describe(label)}")
    return FactRow(fields.check_text(fact["text"], f"text of {place}"), ImportedJudgement(LABELS[label]))


def _shapes(sentence: Fields) -> dict[str, Any]:
    """The unusual forms of absent facts: null for people's, an empty list for a model's."""
    shapes = {}
    if sentence.get(HUMAN_FACTS, "missing") in ([], "missing"):
        shapes["human_facts"] = "empty" if HUMAN_FACTS in sentence else "missing"
    if sentence.get(MODEL_FACTS, "missing") in (None, "missing"):
        shapes["model_facts"] = "null" if MODEL_FACTS in sentence else "missing"
    return shapes
