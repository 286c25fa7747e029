"""A case for an adjudicator: fetched, authorised, and noted as seen."""

from annotate.access import fetch_in_dataset
from annotate.adjudication.adjudication_case import AdjudicationCase, read_case
from annotate.models import AtomicFact, Dataset, Role, Segment, User, ViewReceipt
from annotate.models.corpus import visible
from annotate.people.receipts import note_receipt


def fetch_case(user: User, segment: int, fact: int | None, dataset: Dataset | None = None) -> AdjudicationCase:
    """The case at the address (primary keys), if the person adjudicates there; `dataset`: only one of it."""
    found = Segment.objects.filter(visible("response__"))
    if dataset is not None:
        found = found.filter(response__dataset=dataset)
    segments = found.select_related("response__dataset", "response__prompt")
    sentence = fetch_in_dataset(user, segments, segment, "response.dataset", Role.ADJUDICATOR)
    if sentence.response.task_id is not None:
        note_receipt(sentence.response.task_id, user, ViewReceipt.What.LABELS)
    if fact is None:
        return read_case(sentence, None)
    facts = AtomicFact.objects.for_labelling().filter(segment=sentence).select_related("segment__response__dataset")
    return read_case(sentence, fetch_in_dataset(user, facts, fact, "segment.response.dataset", Role.ADJUDICATOR))
