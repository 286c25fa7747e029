"""Storing what methods make of items: once, and only by the holder of their lease."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from django.utils import timezone

from annotate.corpus.inserting import insert_rows
from annotate.models import Value
from evaluators.methods.base import Case, Claim, Edit, Judgement, Outcome, Skip, Unit, align_claims, units_of
from evaluators.models import ClaimAlignment, ExtractedClaim, Prediction, Run, RunItem, SentenceEdit
from evaluators.runs.item_calls import link_calls
from jobs.leases import Lease
from llm.completion import storable

LONGEST_REASON = 100


class ContractError(Exception):
    """An outcome that the contract of methods does not allow (evaluators/methods/base.py)."""


@dataclass(frozen=True)
class PlacedClaim:
    """A claim of a method, and the addresses of the units that say it, by their keys."""

    claim: Claim
    addresses: tuple[tuple[int, int | None], ...]


@dataclass(frozen=True)
class Result:
    """A method's outcome of one item: judgements, or an editor's edits, counts of skipped units by reason, and the
    claims of a method that extracts its own or of a run that generates facts. calls: the keys of the answers that were
    given for the item. Called with the item's lease it is stored."""

    judgements: tuple[Judgement, ...] = ()
    edits: tuple[Edit, ...] = ()
    skipped: dict[str, int] = field(default_factory=dict)
    claims: tuple[PlacedClaim, ...] = ()
    calls: tuple[int, ...] = ()

    def __call__(self, lease: Lease[RunItem]) -> int:
        return store_results([(lease, self)])


def read_outcomes(
    case: Case, outcomes: Sequence[Outcome], *, edits: bool = False, of_people: Sequence[Unit] = ()
) -> Result:
    """The outcomes of a method (`edits`: of an editor) as a result, checked: raises ContractError where they break the
    method's contract, so that one bad judgement cannot spoil the group it would be stored in.

    of_people: the facts that people judge, where the units of the case are facts that the run generated. Those it
    judged are kept as claims too, aligned to these; a skipped one has no verdict and is none.
    """
    of_units = units_of(outcomes)
    if Counter(address(outcome.unit) for outcome in of_units) != Counter(address(unit) for unit in case.units):
        raise ContractError(f"The method gave {len(of_units)} outcomes for {len(case.units)} units, not one for each.")
    if any(isinstance(outcome, (Judgement, Claim) if edits else Edit) for outcome in outcomes):
        raise ContractError("The editor judged a sentence." if edits else "The method edited what it is to judge.")
    judgements = tuple(outcome for outcome in outcomes if isinstance(outcome, Judgement))
    edited = tuple(outcome for outcome in outcomes if isinstance(outcome, Edit))
    for judgement in judgements:
        _check(case, judgement)
    if any(storable(edit.text or "") != (edit.text or "") for edit in edited):
        raise ContractError("The editor gave a text that no database can store.")
    skipped = Counter(outcome.reason for outcome in outcomes if isinstance(outcome, Skip))
    if of_people:
        claims = _place(replace(case, units=tuple(of_people)), [_as_claim(judgement) for judgement in judgements])
    else:
        claims = _place(case, [outcome for outcome in outcomes if isinstance(outcome, Claim)])
    return Result(judgements, edited, dict(skipped), claims)


def _check(case: Case, judged: Judgement | Claim) -> None:
    known = judged.value is None or judged.value in Value.values
    if not known or (judged.value == Value.NOT_ENOUGH_EVIDENCE and not case.of_claims):
        raise ContractError(f"The method gave the value {judged.value!r}.")
    if judged.score is not None and not 0 <= judged.score <= 1:
        raise ContractError(f"The method gave the score {judged.score}, which is no probability.")
    if storable(judged.rationale) != judged.rationale:
        raise ContractError("The method gave a rationale that no database can store.")
    if isinstance(judged, Judgement) and len(judged.fallback) > LONGEST_REASON:
        raise ContractError(f"The method gave a reason of its fallback longer than {LONGEST_REASON} characters.")


def _as_claim(of: Judgement) -> Claim:
    return Claim(of.unit.text, of.value, of.score, of.rationale, of.calls, of.unit.segment)


def _place(case: Case, claims: Sequence[Claim]) -> tuple[PlacedClaim, ...]:
    """The claims, checked and aligned: the site aligns them itself, whatever the method made of it."""
    for claim in claims:
        _check(case, claim)
        if not claim.text.strip() or storable(claim.text) != claim.text:
            raise ContractError("The method gave a claim that is empty, or that no database can store.")
        if claim.segment is not None and not 0 <= claim.segment < len(case.segments):
            raise ContractError(f"The method took a claim from segment {claim.segment}, which the response has not.")
    aligned = zip(claims, align_claims(case, claims), strict=True)
    return tuple(PlacedClaim(claim, tuple(address(unit) for unit in units)) for claim, units in aligned)


def address(unit: Unit) -> tuple[int, int | None]:
    return unit.segment_id, unit.fact_id


def store_results(results: Sequence[tuple[Lease[RunItem], Result]]) -> int:
    """Store the results of items of one run whose leases their one owner still holds; how many they were.

    A result whose lease was lost is dropped: the owner that has the item now stores its own. An owner whose lease ran
    out can have leased the item once more: of its two results the last is stored. The rows stay locked until the
    transaction ends, so a lease cannot change hands between the look and the writing. Called in a transaction.
    """
    lease = results[0][0]
    rows = RunItem.objects.held_by(lease.owner).filter(pk__in=[lease.item.pk for lease, _ in results])
    held = set(rows.order_by("pk").select_for_update().values_list("pk", flat=True))
    ours = list({lease.item.pk: (lease.item, result) for lease, result in results if lease.item.pk in held}.values())
    run = Run(pk=lease.item.run_id)
    judgements = [judgement for _, result in ours for judgement in result.judgements]
    edits = [edit for _, result in ours for edit in result.edits]
    claims = {item.response_id: result.claims for item, result in ours if result.claims}
    _add_predictions(run, judgements)
    _add_edits(run, edits)
    store_claims(run, claims)
    link_calls({item.pk: result.calls for item, result in ours})
    RunItem.objects.filter(pk__in=held).put(RunItem.State.DONE, error="", settled_at=timezone.now())
    _note_skipped(ours)
    if judgements or edits or claims:
        Run.objects.filter(pk=run.pk).update(last_prediction_at=timezone.now())
    return len(ours)


def _add_predictions(run: Run, judgements: Sequence[Judgement]) -> None:
    insert_rows(
        Prediction,
        ("run", "segment", "fact", "value", "unparsed", "score", "rationale", "fallback"),
        (
            (
                run.pk,
                *address(judgement.unit),
                judgement.value,
                judgement.value is None,
                judgement.score,
                judgement.rationale,
                judgement.fallback,
            )
            for judgement in judgements
        ),
    )
    calls = {address(judgement.unit): judgement.calls for judgement in judgements if judgement.calls}
    if calls:
        new = run.predictions.filter(segment__in={segment for segment, _ in calls})
        insert_rows(
            Prediction.calls.through,
            ("prediction", "call"),
            (
                (prediction, call)
                for prediction, segment, fact in new.values_list("pk", "segment", "fact")
                for call in dict.fromkeys(calls.get((segment, fact), ()))
            ),
        )


def _add_edits(run: Run, edits: Sequence[Edit]) -> None:
    rows = [(run.pk, edit.unit.segment_id, edit.text) for edit in edits]
    insert_rows(SentenceEdit, ("run", "segment", "text"), rows)
    calls = {edit.unit.segment_id: edit.calls for edit in edits if edit.calls}
    if calls:
        new = run.sentence_edits.filter(segment__in=calls).values_list("pk", "segment")
        links = ((pk, call) for pk, segment in new for call in dict.fromkeys(calls[segment]))
        insert_rows(SentenceEdit.calls.through, ("sentenceedit", "call"), links)


def store_claims(run: Run, claims: Mapping[int, Sequence[PlacedClaim]]) -> None:
    """Store the claims of some responses, by their keys, that have none yet in the run."""
    if not claims:
        return
    placed = {(response, position): each for response, of in claims.items() for position, each in enumerate(of)}
    insert_rows(
        ExtractedClaim,
        ("run", "response", "position", "text", "value", "score", "rationale", "segment"),
        (
            (run.pk, *place, claim.text, claim.value, claim.score, claim.rationale, claim.segment)
            for place, claim in ((place, each.claim) for place, each in placed.items())
        ),
    )
    rows = run.extracted_claims.filter(response__in=claims).values_list("pk", "response", "position")
    new = {pk: placed[response, position] for pk, response, position in rows}
    units = ((pk, *unit) for pk, each in new.items() for unit in each.addresses)
    insert_rows(ClaimAlignment, ("claim", "segment", "fact"), units)
    calls = ((pk, call) for pk, each in new.items() for call in dict.fromkeys(each.claim.calls))
    insert_rows(ExtractedClaim.calls.through, ("extractedclaim", "call"), calls)


def _note_skipped(ours: Sequence[tuple[RunItem, Result]]) -> None:
    skipping = []
    for item, result in ours:
        if result.skipped:
            item.skipped = result.skipped
            skipping.append(item)
    RunItem.objects.bulk_update(skipping, ["skipped"])
