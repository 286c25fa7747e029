"""The sources that responses come with, and what they say."""

from collections import defaultdict
from collections.abc import Collection, Sequence

from annotate.models import ReferenceLink
from evaluators.methods.base import Reference
from knowledge.fetching.request import address_of
from knowledge.models import Snapshot

CHUNK = 500  # a query may have so many parameters on every database, with room to spare


def read_references(responses: Sequence[int]) -> dict[int, list[Reference]]:
    """Per response (primary key) its references in their order.

    The content is what the file brought; else the text of the page of the web as it was first frozen, which no later
    fetch changes; else what the file says there, None or blank.
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
