"""A person settles an address: who, what and why, and the gold that follows from it."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db import transaction

from annotate.cases.addresses import Address, last_decision
from annotate.cases.close import close_task_of
from annotate.cases.signatures import last_decided
from annotate.judgements.judgement import CitedReference, JudgementError, UnitJudgement, check_judgement, check_text
from annotate.links.write import write_links
from annotate.models import (
    Adjudication,
    Dataset,
    Disagreement,
    GoldLabel,
    ReferenceLink,
    Response,
    Scheme,
    Segment,
    Task,
    Unsupported,
    User,
    Value,
)


class DecisionError(ValueError):
    """The decision cannot stand; the message says why. Nothing was changed."""


class DecidedMeanwhileError(DecisionError):
    """Somebody settled the address after the decider had last looked at it."""

    def __init__(self, decision: Adjudication) -> None:
        super().__init__(f"{decision.who.get_username()} has adjudicated this in the meantime: {decision.why}")
        self.decision = decision


def check_why(why: str) -> str:
    """The reason as it is kept. Raises DecisionError for a missing one, and one that no database can keep."""
    return require_text(why, "reason", "say why: the reason stays with the decision")


def require_text(text: str, what: str, missing: str) -> str:
    """The text as it is kept; `what` names it. Raises DecisionError, with the message `missing` for an empty text."""
    text = check_storable(text.strip(), what)
    if not text:
        raise DecisionError(missing)
    return text


def check_storable(text: str, what: str) -> str:
    """The text as it is. Raises DecisionError, which names `what` it is, if no database can keep it."""
    try:
        return check_text(text, what)
    except JudgementError as error:
        raise DecisionError(str(error)) from error


def check_seen(response: Response, seen: str | None) -> None:
    """Raises DecisionError if anything of the response was decided after the person was shown `seen` (`last_decided`;
    None: it was shown to nobody). Counting the revision comes first: nobody else decides in the dataset from then on.
    """
    if seen is not None and seen != last_decided(response):
        raise DecisionError("another decision was made in the meantime: reload the page")


@dataclass(frozen=True)
class Note:
    """What goes with a decision besides its reason, each "" where nothing is said: what the annotators saw differently
    (Disagreement), in what way the unit is not supported (Unsupported), and the rule of the guidelines it goes by."""

    category: str = ""
    tag: str = ""
    cites: str = ""


@transaction.atomic
def decide(
    address: Address,
    who: User,
    value: str,
    error_type: str = "",
    reason: str = "",
    references: Sequence[CitedReference] = (),
    irrelevance: str = "",
    why: str = "",
    note: Note = Note(),
    seen: int | None = None,
) -> GoldLabel:
    """Make this judgement the gold of the address (primary keys of segment and fact or None).

    Gold in force there is superseded; a sentence decided irrelevant as a whole supersedes that of its facts. `seen` is
    the primary key of the last decision the person knew of (None: of none): another one since then raises
    DecidedMeanwhileError, so that two adjudicators do not overrule each other unawares. Raises DecisionError for a
    missing reason, a broken rule of the scheme, an address whose annotators are not done.
    """
    segment, revision = _begin(address, seen)
    fact = address[1]
    raw = UnitJudgement(value, error_type, reason.strip(), tuple(references), irrelevance)
    judgement = _checked(raw, segment, fact)
    decision = _record(segment, fact, who, why, note)
    _supersede(segment, fact, revision)
    gold = GoldLabel.objects.create(
        segment=segment,
        fact_id=fact,
        value=judgement.value,
        error_type=judgement.error_type,
        irrelevance=judgement.irrelevance,
        tag=note.tag if judgement.value != Value.SUPPORTED else "",
        reason=judgement.reason,
        source=GoldLabel.Source.ADJUDICATED,
        adjudication=decision,
        revision=revision,
    )
    write_links(
        ReferenceLink(gold=gold, position=position, **reference.columns())
        for position, reference in enumerate(judgement.references)
    )
    if _decides_sentence(segment, fact):
        _set_relevant(segment, False)
    close_task_of(segment.response)
    return gold


@transaction.atomic
def keep_sentence(
    segment_key: int,
    who: User,
    why: str,
    note: Note = Note(),
    seen: int | None = None,
) -> Adjudication:
    """Decide that a sentence is not irrelevant as a whole (FActScore), so that its facts are judged one by one.

    Raises as `decide` does.
    """
    segment, revision = _begin((segment_key, None), seen)
    if segment.response.dataset.scheme != Scheme.FACTSCORE:
        raise DecisionError("only a sentence with atomic facts can be kept for its facts")
    decision = _record(segment, None, who, why, note)
    GoldLabel.objects.current().filter(segment=segment, fact=None).update(superseded=revision)
    _set_relevant(segment, True)
    close_task_of(segment.response)
    return decision


def _begin(address: Address, seen: int | None) -> tuple[Segment, int]:
    """The segment and the revision of gold to come; from here on nobody else decides in the dataset."""
    segment = Segment.objects.select_related("response__dataset", "response__task").get(pk=address[0])
    dataset: Dataset = segment.response.dataset
    revision = dataset.next_gold_revision()
    decision = last_decision(address)
    if decision is not None and decision.pk != seen:
        raise DecidedMeanwhileError(decision)
    if decision is None and not _may_be_settled(segment):
        raise DecisionError("its annotators have not finished")
    segment.response.withdraw_signatures()
    return segment, revision


def _may_be_settled(segment: Segment) -> bool:
    """Its annotators are done, its answers are to be known (a qualification), or it has gold already."""
    task = segment.response.task_id
    done = task is not None and Task.objects.filter(pk=task).labelled().exists()
    return done or _is_qualification(segment) or GoldLabel.objects.current().filter(segment=segment).exists()


def _is_qualification(segment: Segment) -> bool:
    return segment.response.task is not None and segment.response.task.kind == Task.Kind.QUALIFICATION


def _decides_sentence(segment: Segment, fact: int | None) -> bool:
    return fact is None and segment.response.dataset.scheme == Scheme.FACTSCORE


def _checked(judgement: UnitJudgement, segment: Segment, fact: int | None) -> UnitJudgement:
    whole_sentence = _decides_sentence(segment, fact)
    if not judgement.value:
        raise DecisionError("choose a value")
    if fact is not None and GoldLabel.objects.current().filter(segment=segment, fact=None).exists():
        raise DecisionError("the whole sentence is irrelevant: change that decision first")
    try:
        return check_judgement(judgement, segment.response.dataset, whole_sentence)
    except JudgementError as error:
        raise DecisionError(str(error)) from error


def _record(segment: Segment, fact: int | None, who: User, why: str, note: Note) -> Adjudication:
    """The decision, with the guidelines in force."""
    why = check_why(why)
    if note.category not in ("", *Disagreement.values) or note.tag not in ("", *Unsupported.values):
        raise DecisionError("there is no such category")
    return Adjudication.objects.create(
        segment=segment,
        fact_id=fact,
        who=who,
        why=why,
        category=note.category,
        cites=note.cites.strip(),
        guideline=segment.response.dataset.guidelines.order_by("-version").first(),
    )


def _supersede(segment: Segment, fact: int | None, revision: int) -> None:
    if _decides_sentence(segment, fact):
        supersede_sentences([segment.pk], revision)
    else:
        GoldLabel.objects.current().filter(segment=segment, fact=fact).update(superseded=revision)


def supersede_sentences(sentences: Sequence[int], revision: int) -> None:
    """End the gold of sentences that are irrelevant as a whole from now on (FActScore), and that of their facts."""
    GoldLabel.objects.current().filter(segment__in=sentences).update(superseded=revision)


def _set_relevant(segment: Segment, relevant: bool) -> None:
    Segment.objects.filter(pk=segment.pk).update(relevant=relevant)
