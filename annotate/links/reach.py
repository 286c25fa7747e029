"""Readers of a snapshot by its number: users who may read every link of a dataset that cites its address."""

from dataclasses import dataclass

from django.db.models import Q
from django.db.models.functions import Coalesce
from django.http import Http404

from annotate.access import role_in
from annotate.models import Dataset, ReferenceLink, Role, User
from knowledge.models import Snapshot

READERS = (Role.ADJUDICATOR, Role.RESEARCHER)


@dataclass(frozen=True)
class Cited:
    """A snapshot as one person may see it: the dataset, the role, and the quotes."""

    snapshot: Snapshot
    dataset: Dataset
    role: str | None
    quotes: set[str]


def fetch_cited(user: User, pk: int) -> Cited:
    """The snapshot, if the person adjudicates or researches where its address is cited.

    To anybody else it is as if it were not there (Http404). Annotators reach pages by keys of their own assignments.
    """
    snapshot = Snapshot.objects.filter(pk=pk).first()
    links = ReferenceLink.objects.filter(_visible_to(user), url__isnull=False)
    links = links.filter(snapshot__url=snapshot.url) if snapshot else links.none()
    dataset_of = Coalesce("label__assignment__task__dataset", "gold__segment__response__dataset")
    cited = list(links.order_by("pk").values_list(dataset_of, "quote"))
    if snapshot is None or not cited:
        raise Http404("No such page.")
    dataset = Dataset.objects.get(pk=cited[0][0])
    quotes = {quote for of_dataset, quote in cited if of_dataset == dataset.pk and quote}
    return Cited(snapshot, dataset, role_in(user, dataset), quotes)


def _visible_to(user: User) -> Q:
    """Links of labels and gold of the datasets that the person reads all of."""
    reads = Dataset.objects.of(user, *READERS)
    return Q(label__assignment__task__dataset__in=reads) | Q(gold__segment__response__dataset__in=reads)
