"""Perplexities of models over one corpus: the same documents, cut the same way (docs/statistics.md, FACTOR)."""

from collections import defaultdict
from dataclasses import dataclass

from factor.models import Benchmark, Perplexity, PerplexityItem
from jobs.models import JobItem
from stats.perplexity import DocumentSum, PerplexityFigures, figures


@dataclass(frozen=True)
class Corpus:
    """key: its place in addresses. passes: the latest finished one over these documents, by the model's key."""

    key: str
    name: str
    passes: dict[int, int]


def corpora_of(benchmark: Benchmark) -> list[Corpus]:
    """Those over which a model of the dataset has a perplexity, the one with the most models first: one query."""
    passes = Perplexity.objects.finished().filter(model__dataset=benchmark.dataset_id).select_related("source")
    corpora: dict[str, Corpus] = {}
    for each in passes.order_by("pk"):
        key = f"{each.source_id}-{each.revision}-{each.documents}-{each.seed}-{each.context_length}"
        name = f"{each.source}, {each.documents} documents, {each.context_length} tokens at once"
        corpora.setdefault(key, Corpus(key, name, {})).passes[each.model_id] = each.pk
    return sorted(corpora.values(), key=lambda corpus: -len(corpus.passes))


@dataclass(frozen=True)
class CorpusPerplexities:
    """models: figures by the model's key, all over the same `documents`. left_out: how many more documents were to be
    scored, and have no score by one of the models."""

    models: dict[int, PerplexityFigures]
    documents: int
    left_out: int


def figures_of(corpus: Corpus) -> CorpusPerplexities:
    """Over the documents that every pass has scored, since another text has another perplexity: one query. A pass that
    has scored nothing has no figures and takes no document from the others."""
    items = PerplexityItem.objects.filter(perplexity__in=corpus.passes.values()).order_by("document")
    sums: dict[int, dict[int, DocumentSum]] = defaultdict(dict)
    sample = set()
    columns = ("perplexity_id", "document_id", "state", "total", "count", "characters")
    for each, document, state, total, count, characters in items.values_list(*columns):
        sample.add(document)
        if state == JobItem.State.DONE:
            sums[each][document] = DocumentSum(total or 0.0, count, characters)
    common = sorted(set.intersection(*map(set, sums.values()))) if sums else []
    models = {
        model: figures([sums[each][document] for document in common])
        for model, each in corpus.passes.items()
        if common and each in sums
    }
    return CorpusPerplexities(models, len(common), len(sample) - len(common))
