"""A dataset's knowledge source: its contents, its choice, the right to extend it."""

from django.db.models import Count, QuerySet

from annotate.access import role_in
from annotate.models import Dataset, Role, User
from knowledge.models import Document, KnowledgeSource, Passage


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


def sources_to_choose() -> QuerySet[KnowledgeSource]:
    """Sources belong to no dataset: an adjudicator may use any of them for their dataset."""
    return KnowledgeSource.objects.visible().annotate(used_by=Count("datasets"))


def choose_source(dataset: Dataset, name: str) -> KnowledgeSource | None:
    """Judge the dataset by the source of that name, or with "" by none. Raises KnowledgeSource.DoesNotExist."""
    source = KnowledgeSource.objects.visible().get(name=name) if name else None
    Dataset.objects.filter(pk=dataset.pk).update(knowledge_source=source)
    return source


def may_extend(user: User, name: str) -> bool:
    """A new name makes a source; one that is there is extended by who adjudicates every dataset judged by it."""
    datasets = Dataset.objects.filter(knowledge_source__name=name)
    return all(role_in(user, dataset) == Role.ADJUDICATOR for dataset in datasets)
