"""A reviewer stands for a response's gold; after them, where the dataset wants it, a super reviewer (FELM §3.6)."""

from collections.abc import Mapping

from django.db import transaction

from annotate.adjudication.decide import DecisionError, check_seen, require_text
from annotate.adjudication.unanimous import accept
from annotate.adjudication.whole import carry_over_edits
from annotate.cases.addresses import AddressStatus, OpenCase, cases_of
from annotate.cases.close import close_task_of
from annotate.cases.open_wholes import open_wholes
from annotate.cases.signatures import levels_of
from annotate.models import Dataset, GoldEdit, GoldLabel, Response, Segment, Signature, Task, User

Level = Signature.Level


@transaction.atomic
def sign(response_key: int, level: str, who: User, note: str, seen: str | None = None) -> Signature:
    """Sign the response at this level, under one's name; `note` describes the review.

    `seen` is what had been decided in the response when the person was shown it (`last_decided`; None: it was shown to
    nobody): any decision since then raises DecisionError, so that nobody stands for gold they have not read.

    The reviewer's signature accepts what its annotators agree on and nobody has settled yet. The super reviewer is
    somebody else than the reviewer, unless they administer the site. Raises DecisionError while something of it is in
    dispute, for known answers, for a missing note or one that no database can keep, a level that the dataset does not
    ask for, or one that is signed already.
    """
    response = Response.objects.select_related("dataset", "task").get(pk=response_key)
    note = require_text(note, "note", "say what you looked at: the note stays with your signature")
    # Counting the revision locks the dataset's row: nobody else signs or decides in it meanwhile.
    revision = response.dataset.next_gold_revision()
    check_seen(response, seen)
    _check_level(response, level, who)
    unanimous = _unanimous_or_refuse(response)
    if unanimous:
        accept(response.dataset, unanimous, who, note, revision)
    carry_over_edits(response, who, note, revision)
    signature = Signature.objects.create(response=response, level=level, who=who, note=note)
    close_task_of(response)
    return signature


def _check_level(response: Response, level: str, who: User) -> None:
    levels = [each.value for each in levels_of(response.dataset)]
    if level not in levels:
        raise DecisionError("this dataset does not need this signature")
    signatures = response.signatures_in_force()
    if level in signatures:
        raise DecisionError(f"{signatures[level].who.get_username()} has already signed")
    missing = next((each for each in levels[: levels.index(level)] if each not in signatures), None)
    if missing is not None:
        raise DecisionError("a reviewer must sign first")
    if level == Level.SUPER and has_reviewed(signatures, who):
        raise DecisionError("you signed as reviewer: the super reviewer is a different person")


def has_reviewed(signatures: Mapping[str, Signature], who: User) -> bool:
    """Whether somebody else must be the super reviewer, unless they administer the site."""
    reviewer = signatures.get(Level.REVIEWER)
    return reviewer is not None and reviewer.who == who and not who.is_superuser


def decisions_of(response: Response, who: User) -> int:
    """How many of the decisions in force in the response they made themselves: a signature on these is no second
    look."""
    gold = GoldLabel.objects.current().filter(segment__response=response, adjudication__who=who).count()
    return gold + GoldEdit.objects.current().filter(segment__response=response, adjudication__who=who).count()


def last_note(dataset: Dataset, who: User) -> str:
    """What they wrote with their last signature in the dataset, as a proposal for the next; "" before the first."""
    own = Signature.objects.filter(response__dataset=dataset, who=who).order_by("-pk")
    return own.values_list("note", flat=True).first() or ""


def _unanimous_or_refuse(response: Response) -> list[OpenCase]:
    """The unanimous cases of the response; DecisionError if anything else of it is still open."""
    task = Task.objects.filter(responses=response)
    if task.known().exists():
        raise DecisionError("known answers need no signature")
    if not task.labelled().exists():
        raise DecisionError("its annotators have not finished")
    own = set(Segment.objects.filter(response=response).values_list("pk", flat=True))
    cases = [case for case in cases_of(response.dataset, task) if case.segment in own]
    disputed = [case for case in cases if case.standing != AddressStatus.UNANIMOUS]
    wanting = [whole.description for whole in open_wholes(task) if whole.response == response and whole.needs_a_person]
    if disputed:
        wanting.insert(0, f"{len(disputed)} judgement{'s' if len(disputed) > 1 else ''} in dispute")
    if wanting:
        raise DecisionError(f"adjudicate first: {', '.join(wanting)}")
    return cases
