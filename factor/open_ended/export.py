"""Every text of a study with its labels, as CSV."""

from collections.abc import Iterator

from annotate.people.names import Names
from core.csv import csv_line
from factor.models import Completion, Exclusion, OpenEndedGeneration, OpenEndedStudy

COLUMNS = (
    "pair",
    "example",
    "document",
    "group",
    "original",
    "changed",
    "common",
    "fact",
    "example_left_out",
    "pair_left_out",
    "text_number",
    "text",
    "state",
    "labeler",
    "label",
    "note",
)


def export_lines(study: OpenEndedStudy, names: Names) -> Iterator[str]:
    """The header, then a line a label, and a line for a text without one. The reasons to leave an example or a pair out
    are empty where it counts."""
    texts = (
        OpenEndedGeneration.objects.filter(pair__study=study)
        .select_related("pair__completion__example")
        .prefetch_related("ratings__rater")
        .order_by("pair__position", "sample")
    )
    of_examples = study.pairs.values("completion__example")
    true = dict(Completion.objects.filter(example__in=of_examples, place=0).values_list("example", "text"))
    excluded = Exclusion.objects.in_force().filter(example__in=of_examples)
    why_left_out = dict(excluded.values_list("example", "reason"))
    yield csv_line(COLUMNS)
    for text in texts:
        pair, false = text.pair, text.pair.completion
        about = (
            pair.position + 1,
            false.example.position + 1,
            false.example.document_key,
            "right" if pair.right else "wrong",
            true[false.example_id],
            false.text,
            pair.common,
            pair.fact,
            why_left_out.get(false.example_id, ""),
            pair.excluded,
            text.sample + 1,
            text.text,
            text.state,
        )
        labels = [(names.of(label.rater), label.answer, label.note) for label in text.ratings.all()]
        for label in labels or [("", "", "")]:
            yield csv_line((*about, *label))
