"""Items about the background work of datasets, for those who read its pages or started it."""

from collections.abc import Iterator
from typing import Any

from django.db.models import Exists, Q, QuerySet, Value
from django.db.models.functions import Coalesce
from django.urls import reverse

from annotate.attention.background import counts_waiting, failed, stopped, unattended
from annotate.attention.items import Datasets, Item, counts, finds_own_items
from annotate.models import (
    DocumentUpload,
    Generation,
    PromptWriting,
    Proposal,
    Release,
    Role,
    User,
)
from jobs.kinds import KINDS
from jobs.models import JobItem, alive_workers

FAILED = JobItem.State.FAILED
WORDS = {"upload": "Import", "deletion": "Deletion"}

counts_waiting(
    "generation",
    "generation__dataset",
    one="collection of responses",
    many="collections of responses",
    page="generation",
    of_newest=True,
)
counts_waiting(
    "proposal", "response__dataset", one="request for facts", many="requests for facts", page="facts", kind="facts"
)
counts_waiting(
    "proposal",
    "response__dataset",
    one="request for segments",
    many="requests for segments",
    page="segments",
    kind="segments",
)
counts_waiting("prompt_writing", "dataset", one="request for prompts", many="requests for prompts", page="prompts")
counts_waiting("document_upload", "dataset", one="upload of documents", many="uploads of documents", page="knowledge")
counts_waiting("release", "version__dataset", one="release", many="releases", page="releases")
counts_waiting(
    "requested_page",
    "assignment__task__dataset",
    one="page that an annotator cites",
    many="pages that annotators cite",
    page="links",
)


@counts(
    "generations",
    Role.ADJUDICATOR,
    one="collection of responses stopped before its end.",
    many="collections of responses stopped before their end.",
    page="generation",
    of_newest=True,
)
def stopped_generations(person: User, datasets: Datasets) -> QuerySet[Any, Any]:
    """Models that were asked for responses, until something stopped that."""
    return stopped(Generation.objects.all(), "dataset", datasets)


@counts(
    "facts",
    Role.ADJUDICATOR,
    one="response has no facts: the model failed.",
    many="responses have no facts: the model failed.",
    page="facts",
)
def failed_facts(person: User, datasets: Datasets) -> QuerySet[Any, Any]:
    return _failed_proposals(Proposal.Kind.FACTS, datasets)


@counts(
    "segments",
    Role.ADJUDICATOR,
    one="response has no proposed segments: the model failed.",
    many="responses have no proposed segments: the model failed.",
    page="segments",
)
def failed_segments(person: User, datasets: Datasets) -> QuerySet[Any, Any]:
    return _failed_proposals(Proposal.Kind.SEGMENTS, datasets)


def _failed_proposals(kind: str, datasets: Datasets) -> QuerySet[Any, Any]:
    """Responses whose last proposal of the kind failed."""
    return failed(Proposal.objects.all(), "response__dataset", datasets, "response", "kind", kind=kind)


@counts(
    "writings",
    Role.ADJUDICATOR,
    one="request for prompts failed.",
    many="requests for prompts failed.",
    page="prompt-writings",
)
def failed_writings(person: User, datasets: Datasets) -> QuerySet[Any, Any]:
    return failed(PromptWriting.objects.all(), "dataset", datasets, "dataset", "domain")


@counts(
    "documents",
    Role.ADJUDICATOR,
    one="upload of documents failed.",
    many="uploads of documents failed.",
    page="knowledge",
)
def failed_document_uploads(person: User, datasets: Datasets) -> QuerySet[Any, Any]:
    return failed(DocumentUpload.objects.all(), "dataset", datasets, "dataset", "source_name")


@counts("releases", Role.ADJUDICATOR, one="release failed.", many="releases failed.", page="releases")
def failed_releases(person: User, datasets: Datasets) -> QuerySet[Any, Any]:
    return failed(Release.objects.all(), "version__dataset", datasets)


@finds_own_items
def uploads_and_deletions(person: User, datasets: Datasets) -> Iterator[Item]:
    """The person's own files that could not be imported, and the datasets that they deleted, for superusers of all
    people, whose data are still there; or these wait without a worker."""
    by_name = {dataset.name: dataset for dataset in datasets.values()}
    of_person = Q() if person.is_superuser else Q(requested_by=person)
    uploads = _failed_or_waiting("upload", Q(uploaded_by=person), confirmed_at__isnull=False)
    deletions = _failed_or_waiting("dataset_deletion", of_person)
    columns = ("state", "error", "at")
    found = uploads.values_list(Value("upload"), "pk", "file_name", "dataset_name", *columns).union(
        deletions.values_list(Value("deletion"), "pk", "name", Value(""), *columns), all=True
    )
    for kind, key, name, of_dataset, state, error, at in found:
        sentence = f"{WORDS[kind]} of {name} " + (
            f"failed: {error}" if state == FAILED else "waits: no worker is running."
        )
        address = reverse(kind, args=[key])
        yield Item(kind, by_name.get(of_dataset), f"{key} {state} {at.isoformat()}", sentence, address, at)


def _failed_or_waiting(kind: str, of_person: Q, **waiting_only: object) -> QuerySet[Any]:
    """`at`: when they failed or were enqueued."""
    is_alone = ~Exists(alive_workers().filter(queue=KINDS[kind].queue))
    waiting = Q(is_alone, pk__in=unattended(kind).filter(**waiting_only).values("pk"))
    at = Coalesce("settled_at", "enqueued_at", "created_at")
    rows = KINDS[kind]().same_model().order_by().filter(of_person)
    return rows.filter(waiting | Q(state=FAILED)).annotate(at=at)
