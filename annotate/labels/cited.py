"""The titles of documents that cards cite."""

from collections.abc import Mapping

from annotate.judgements.entries import Entry
from annotate.judgements.judgement import UnitJudgement
from knowledge.models import Document


def titles_of(draft: Mapping[str, Entry]) -> dict[int, str]:
    """By the document's primary key; asks nothing where no document is cited."""
    judged = [entry for entry in draft.values() if isinstance(entry, UnitJudgement)]
    cited = {card.document for entry in judged for card in entry.references if card.document is not None}
    return dict(Document.objects.filter(pk__in=cited).values_list("pk", "title")) if cited else {}
