"""The answer cache: look many up, store many at once."""

from collections.abc import Sequence

from django.db import IntegrityError, transaction

from llm.models import Call

GROUP = 500  # below the number of variables that a statement may have on every database


def look_up(hashes: Sequence[str]) -> list[Call | None]:
    """For each request hash its answered call, or None; in the order given."""
    found = _by_hash(hashes)
    return [found.get(request_hash) for request_hash in hashes]


def store(calls: Sequence[Call]) -> list[Call]:
    """Store the calls and return their rows, in the order given.

    Where another process stored an answer to the same request first, that row is returned: everyone who asked reads
    one and the same answer.
    """
    try:
        with transaction.atomic():
            return Call.objects.bulk_create(calls, batch_size=GROUP)
    except IntegrityError:  # rare: somebody has stored one of them
        Call.objects.bulk_create(calls, batch_size=GROUP, ignore_conflicts=True)
    stored = _by_hash([call.request_hash for call in calls])
    return [stored[call.request_hash] for call in calls]


def _by_hash(hashes: Sequence[str]) -> dict[str, Call]:
    found: dict[str, Call] = {}
    for start in range(0, len(hashes), GROUP):
        group = Call.objects.filter(request_hash__in=hashes[start : start + GROUP])
        found.update((call.request_hash, call) for call in group.defer("request"))
    return found
