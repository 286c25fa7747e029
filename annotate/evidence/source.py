"""A dataset's knowledge source: its contents, its choice, the right to read and to extend it."""

from django.db import transaction
from django.db.models import Count, Q, QuerySet

from annotate.models import Dataset, SourceOwner
from core.errors import DataError
from jobs.errors import StartError
from knowledge.models import Document, KnowledgeSource, KnowledgeSourceQuerySet, Passage


def documents_of(dataset: Dataset) -> QuerySet[Document]:
    """Those that the dataset is judged by; none without a knowledge source."""
    return Document.objects.visible().filter(source=dataset.knowledge_source_id)


def sizes(source: KnowledgeSource) -> dict[str, int]:
    """The number of its documents and passages, and of the datasets judged by it."""
    return {
        "documents": Document.objects.visible().filter(source=source).count(),
        "passages": Passage.objects.filter(document__source=source, document__revision__lte=source.revision).count(),
        "datasets": source.datasets.count(),
    }


def sources_of(dataset: Dataset) -> QuerySet[KnowledgeSource]:
    """The sources that the dataset may read: its own, and those that are shared. Others are as if they were not
    there."""
    return _readable(dataset).visible()


def _readable(dataset: Dataset) -> KnowledgeSourceQuerySet:
    """Those whose first import is under way among them."""
    return KnowledgeSource.objects.filter(Q(shared=True) | Q(owner__dataset=dataset))


def sources_to_choose(dataset: Dataset) -> QuerySet[KnowledgeSource]:
    """With the number of datasets judged by each, as `used_by`."""
    return sources_of(dataset).annotate(used_by=Count("datasets"))


def choose_source(dataset: Dataset, name: str) -> KnowledgeSource | None:
    """Judge the dataset by the source of that name, or with "" by none. Raises KnowledgeSource.DoesNotExist."""
    source = sources_of(dataset).get(name=name) if name else None
    Dataset.objects.filter(pk=dataset.pk).update(knowledge_source=source)
    return source


def check_readable(dataset: Dataset, source: KnowledgeSource) -> None:
    """StartError: the dataset may not read the source."""
    if not _readable(dataset).filter(pk=source.pk).exists():
        raise StartError("There is no such knowledge source.")


def may_extend(dataset: Dataset, name: str) -> bool:
    """A new name makes a source of the dataset; one that is there is extended by its own dataset. Nobody extends a
    shared one: others judge by it."""
    there = KnowledgeSource.objects.filter(name=name)
    return not there.exists() or there.filter(shared=False, owner__dataset=dataset).exists()


def check_extends(dataset: Dataset, name: str) -> None:
    """DataError: there is a source of that name, and it is not the dataset's."""
    if not may_extend(dataset, name):
        raise DataError(f"The name {name} is taken by a source that {dataset} does not own: give yours another name.")


@transaction.atomic
def claim_source(dataset: Dataset, name: str) -> None:
    """Let the dataset have the source of that name, which is made where there is none. DataError: it is another's, or
    shared."""
    source, new = KnowledgeSource.objects.get_or_create(name=name)
    if new:
        SourceOwner.objects.create(source=source, dataset=dataset)
    check_extends(dataset, name)


@transaction.atomic
def share_source(source: KnowledgeSource) -> None:
    """Let every dataset read the source, and none extend it."""
    KnowledgeSource.objects.filter(pk=source.pk).update(shared=True)
    SourceOwner.objects.filter(source=source).delete()
