"""The sources that responses come with and their text, the passages that gold cites, and those of claims."""

from collections import defaultdict
from collections.abc import Collection, Sequence

from django.db.models import TextField
from django.db.models.functions import Coalesce

from annotate.models import ClaimPassage, GoldLabel, ReferenceLink
from evaluators.methods.base import EvidencePassage, Reference
from knowledge.fetching.request import address_of
from knowledge.models import Snapshot

Evidence = dict[tuple[int, int | None], tuple[EvidencePassage, ...]]
CHUNK = 500  # a query may have so many parameters on every database, with room to spare


def read_references(responses: Sequence[int]) -> dict[int, list[Reference]]:
    """Per response (primary key) its references in their order.

    The content is the file's; else the text of the page of the web as it was first frozen, which no later
    fetch changes; else the file's again, None or blank.
    """
    ordered = ReferenceLink.objects.filter(response__in=responses).order_by("response", "position")
    rows = list(ordered.values_list("response", "url", "content"))
    addresses = {url: address_of(url) for _, url, content in rows if url and not (content or "").strip()}
    frozen = read_frozen({address for address in addresses.values() if address})
    references: dict[int, list[Reference]] = defaultdict(list)
    for response, url, content in rows:
        if not (content or "").strip():
            content = frozen.get(addresses.get(url or "") or "", content)
        references[response].append(Reference(url, content))
    return references


def read_frozen(addresses: Collection[str]) -> dict[str, str]:
    """The text of each address that has been frozen, by it: the first there is."""
    ordered = sorted(addresses)
    texts: dict[str, str] = {}
    for start in range(0, len(ordered), CHUNK):
        snapshots = Snapshot.objects.filter(url__in=ordered[start : start + CHUNK], state=Snapshot.State.DONE)
        for url, text in snapshots.order_by("pk").values_list("url", "text"):
            texts.setdefault(url, text)
    return texts


def read_evidence(responses: Sequence[int]) -> dict[int, Evidence]:
    """Per response (primary key) the quoted passages of gold in force, by (segment, fact), each once, in their order.

    Neither the reading of a passage nor the value of gold is among it.
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


def read_passages(responses: Sequence[int]) -> dict[int, Evidence]:
    """Per response (primary key) the passages of its claims, by (segment, None), in the file's order."""
    rows = ClaimPassage.objects.filter(claim__response__in=responses).order_by("claim", "position")
    columns = ("claim__response", "claim", "passage", "passage__title", "passage__text")
    # A passage that many claims share is one text in memory.
    known: dict[int, EvidencePassage] = {}
    passages: dict[int, dict[tuple[int, int | None], list[EvidencePassage]]] = defaultdict(lambda: defaultdict(list))
    for response, claim, key, title, text in rows.values_list(*columns):
        passages[response][claim, None].append(known.setdefault(key, EvidencePassage(title, text)))
    return {response: {unit: tuple(found) for unit, found in of.items()} for response, of in passages.items()}
