"""The claims that a run extracted by itself, as its page shows them beside the units."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.db.models import Count, Prefetch, QuerySet

from annotate.models import AtomicFact, Segment
from evaluators.models import ClaimAlignment, ExtractedClaim, Run
from evaluators.models.claim import ExtractedClaimQuerySet
from evaluators.run_page.calls import beside_answers
from llm.models import Call

INVENTED, MERGED = "invented", "merged"
CLAIMS_SHOWN = {INVENTED: "Claims of no unit", MERGED: "Claims of several units"}


@dataclass(frozen=True)
class SayingUnit:
    """A unit that a claim is aligned to, with gold's value, None where it has none."""

    segment: Segment
    fact: AtomicFact | None
    gold: str | None

    @property
    def text(self) -> str:
        return (self.fact or self.segment).text


@dataclass(frozen=True)
class ListedClaim:
    claim: ExtractedClaim
    units: Sequence[SayingUnit]

    @property
    def calls(self) -> list[Call]:
        return list(self.claim.calls.all())

    @property
    def rationale(self) -> str:
        return beside_answers(self.claim.rationale, self.calls)


def claims_of(run: Run, wanted: str = "") -> ExtractedClaimQuerySet:
    """All claims of the run, or those of a key of CLAIMS_SHOWN."""
    claims: ExtractedClaimQuerySet = run.extracted_claims.all()
    if wanted == INVENTED:
        return claims.filter(alignments=None)
    return claims.annotate(units=Count("alignments")).filter(units__gt=1) if wanted == MERGED else claims


def list_claims(
    run: Run, responses: Sequence[int], wanted: str, gold: Mapping[tuple[int, int | None], str | None]
) -> dict[int, list[ListedClaim]]:
    """By response. gold: the values by the addresses of the units."""
    aligned: QuerySet[ClaimAlignment] = ClaimAlignment.objects.in_reading_order().select_related("segment", "fact")
    answers = Prefetch("calls", Call.objects.defer("request"))
    claims = claims_of(run, wanted).filter(response__in=responses).in_reading_order()
    listed: dict[int, list[ListedClaim]] = defaultdict(list)
    for claim in claims.prefetch_related(Prefetch("alignments", aligned), answers):
        units = [
            SayingUnit(each.segment, each.fact, gold.get((each.segment_id, each.fact_id)))
            for each in claim.alignments.all()
        ]
        listed[claim.response_id].append(ListedClaim(claim, units))
    return listed
