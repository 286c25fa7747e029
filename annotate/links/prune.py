"""Frozen pages that may go: old ones, or the oldest of too many, that nothing cites and no run can come to read."""

from datetime import datetime

from django.db.models import QuerySet
from django.db.models.functions import Length

from annotate.models import ReferenceLink
from core.uncited import to_prune, uncited
from knowledge.fetching.request import address_of
from knowledge.models import Snapshot


def pages_to_prune(before: datetime | None, most_bytes: int | None) -> QuerySet[Snapshot]:
    """before: fetched earlier; most_bytes: of text that stays; None: no limit."""
    settled = Snapshot.objects.filter(state__in=[Snapshot.State.DONE, Snapshot.State.FAILED])
    # Runs read what responses come with by its address (evaluators/runs/references.py).
    sources = ReferenceLink.objects.filter(response__isnull=False).exclude(url=None).values_list("url", flat=True)
    read = {address_of(url) for url in sources.distinct().iterator() if url}
    found = to_prune(uncited(settled), Length("text"), before, most_bytes)
    return Snapshot.objects.filter(pk__in=[pk for pk, url in found.values_list("pk", "url") if url not in read])
