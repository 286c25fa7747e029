"""The passages that people went by: what gold at a unit's address cites and quotes."""

from collections import defaultdict
from collections.abc import Sequence

from django.db.models import TextField
from django.db.models.functions import Coalesce

from annotate.models import GoldLabel, ReferenceLink
from evaluators.methods.base import EvidencePassage

Evidence = dict[tuple[int, int | None], tuple[EvidencePassage, ...]]


def read_evidence(responses: Sequence[int]) -> dict[int, Evidence]:
    """Per response (primary key) the quoted passages of gold in force, by (segment, fact), each once, in their order.

    What a passage was taken to say, and what gold says, is not among it.
    """
    links = (
        ReferenceLink.objects.filter(gold__in=GoldLabel.objects.current(), gold__segment__response__in=responses)
        .exclude(quote="")
        .order_by("gold", "position")
        .annotate(title=Coalesce("document__title", "snapshot__title", "url", output_field=TextField()))
        .values_list("gold__segment__response", "gold__segment", "gold__fact", "title", "quote")
    )
    by_response: dict[int, dict[tuple[int, int | None], dict[EvidencePassage, None]]] = defaultdict(
        lambda: defaultdict(dict)
    )
    for response, segment, fact, title, quote in links:
        by_response[response][segment, fact][EvidencePassage(title or "", quote)] = None
    return {
        response: {unit: tuple(passages) for unit, passages in cited.items()} for response, cited in by_response.items()
    }
