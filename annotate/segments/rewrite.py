"""Replacing the segments of a response. Each earlier cut is kept and can be restored."""

from collections.abc import Sequence

from django.db import transaction

from annotate.models import Proposal, Response, Segment, Segmentation, User
from annotate.segments.cutting import Span
from annotate.segments.untouched import FixedError, lock_untouched

Origin = Segmentation.Origin


class StaleSegmentsError(Exception):
    """The response was cut anew since the page was opened."""


def in_force(response: Response) -> int:
    """The key of the segmentation in force, 0 while that is the import's and no row says so yet."""
    return response.segmentations.order_by("-pk").values_list("pk", flat=True).first() or 0


def current_spans(response: Response) -> list[Span]:
    """Where the segments stand. Raises FixedError where one is not found in the text."""
    spans: list[Span] = []
    for start, end, position in response.segments.values_list("start", "end", "position"):
        if start is None or end is None:
            raise FixedError(
                f"Segment {position + 1} came with the file and is not found in the response's text, "
                "so that it could not be restored: the segments stay as they are."
            )
        spans.append((start, end))
    return spans


@transaction.atomic
def rewrite(
    response: Response,
    spans: Sequence[Span],
    origin: str,
    *,
    author: User | None = None,
    model: str = "",
    prompt_hash: str = "",
    seen: int | None = None,
) -> bool:
    """Cut the response at the spans (annotate/segments/cutting.py); False where it is cut so already.

    `seen`: the segmentation in force that the author saw. Raises FixedError where something hangs on the segments,
    StaleSegmentsError where another is in force.
    """
    locked = lock_untouched(response, Proposal.Kind.SEGMENTS)
    last = in_force(locked)
    if seen is not None and seen != last:
        raise StaleSegmentsError("The response was cut anew since you opened the page.")
    before = current_spans(locked)
    if before == list(spans):
        return False
    if not last:
        Segmentation.objects.create(response=locked, origin=Origin.IMPORT, spans=before)
    Segmentation.objects.create(
        response=locked, origin=origin, spans=list(spans), author=author, model=model, prompt_hash=prompt_hash
    )
    locked.segments.all().delete()
    Segment.objects.bulk_create(
        Segment(response=locked, position=position, text=locked.text[start:end], start=start, end=end)
        for position, (start, end) in enumerate(spans)
    )
    return True


def restore(segmentation: Segmentation, author: User) -> bool:
    """Cut the response again as it was then; raises FixedError."""
    return rewrite(
        segmentation.response,
        [(start, end) for start, end in segmentation.spans],
        segmentation.origin,
        author=author,
        model=segmentation.model,
        prompt_hash=segmentation.prompt_hash,
    )
