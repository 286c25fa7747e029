"""Who may read a frozen page: users who may see a link to it, and nobody for knowing its number."""

from collections.abc import Iterator
from dataclasses import dataclass

from django.db.models import Q
from django.db.models.functions import Coalesce
from django.http import Http404

from annotate.access import role_in
from annotate.judgements.entries import draft_of
from annotate.judgements.judgement import UnitJudgement
from annotate.models import Assignment, Dataset, Membership, ReferenceLink, Role, User
from knowledge.fetching.request import address_of
from knowledge.models import Snapshot

READERS = (Role.ADJUDICATOR, Role.RESEARCHER)


@dataclass(frozen=True)
class Cited:
    """A snapshot as one person may see it: the dataset, the role, and the quotes.

    `dated`: they may also know when it was frozen. To who has it in a draft alone that would tell whether others had
    cited it before.
    """

    snapshot: Snapshot
    dataset: Dataset
    role: str | None
    quotes: list[str]
    dated: bool


def fetch_cited(user: User, pk: int) -> Cited:
    """The snapshot, if the person adjudicates or researches where its address is cited, cites it in their own work, or
    is shown it in a rebuttal that waits for their answer.

    To anybody else it is as if it were not there (Http404): an annotator is not led to what others cite.
    """
    snapshot = Snapshot.objects.filter(pk=pk).first()
    if snapshot is None:
        raise Http404("No such page.")
    in_links = list(_in_links(user, snapshot))
    places = (*in_links, *_in_drafts(user, snapshot))
    cited = [
        Cited(snapshot, dataset, role_in(user, dataset), quotes, dated=bool(in_links)) for dataset, quotes in places
    ]
    if not cited:
        raise Http404("No such page.")
    return min(cited, key=lambda each: each.role not in READERS)


def has_cited(user: User, snapshot: Snapshot) -> bool:
    """Whether a link that the person may see leads to the snapshot's address: no draft is one."""
    return ReferenceLink.objects.filter(_visible_to(user), snapshot__url=snapshot.url).exists()


def _in_links(user: User, snapshot: Snapshot) -> Iterator[tuple[Dataset, list[str]]]:
    """The datasets of the links to this address that the person may see, each with the quotes that they may."""
    links = ReferenceLink.objects.filter(snapshot__url=snapshot.url).filter(_visible_to(user)).order_by("pk")
    dataset = Coalesce("label__assignment__task__dataset", "gold__segment__response__dataset")
    quotes: dict[int, list[str]] = {}
    for dataset_id, quote in links.values_list(dataset, "quote"):
        quotes.setdefault(dataset_id, []).extend([quote] if quote else [])
    for dataset_id, of_dataset in quotes.items():
        yield Dataset.objects.get(pk=dataset_id), of_dataset


def _visible_to(user: User) -> Q:
    """Links of labels and gold where the person reads everything; of their own labels where they are a member, and
    the evidence of a rebuttal (annotate/rebuttal/evidence.py) as long as they may answer it."""
    member = Membership.objects.filter(user=user)
    reads = Dataset.objects.ready()
    if not user.is_superuser:
        reads = reads.filter(pk__in=member.filter(role__in=READERS).values("dataset"))
    own = Q(label__assignment__annotator=user, label__assignment__task__dataset__in=member.values("dataset"))
    awaited = Assignment.objects.filter(
        annotator=user, task__dataset__in=member.filter(role=Role.ANNOTATOR).values("dataset")
    )
    in_rebuttal = Q(
        label__assignment__task__in=awaited.awaited_in_rebuttal().values("task"),
        label__assignment__state=Assignment.State.SUBMITTED,
        label__revision=0,
    )
    everything = Q(label__assignment__task__dataset__in=reads) | Q(gold__segment__response__dataset__in=reads)
    return everything | own | in_rebuttal


def _in_drafts(user: User, snapshot: Snapshot) -> Iterator[tuple[Dataset, list[str]]]:
    """The datasets where the person has a card of its address in a draft, with the quotes."""
    member = Membership.objects.filter(user=user).values("dataset")
    drafts = Assignment.objects.filter(annotator=user, task__dataset__in=member, task__dataset__ready=True)
    for assignment in drafts.exclude(draft={}).select_related("task__dataset"):
        judged = [entry for entry in draft_of(assignment).values() if isinstance(entry, UnitJudgement)]
        cards = [card for entry in judged for card in entry.references if address_of(card.url) == snapshot.url]
        if cards:
            yield assignment.task.dataset, [card.quote for card in cards if card.quote]
