"""Perplexities of models over one corpus: the same documents, cut the same way (definitions.md §8)."""

from collections import defaultdict
from dataclasses import dataclass

from factor.models import Benchmark, Perplexity, PerplexityItem
from factor.perplexity.figures import DocumentSum, Figures, figures


@dataclass(frozen=True)
class Corpus:
    """key: its place in addresses. passes: the latest finished one over these documents, by the model's key."""

    key: str
    name: str
    passes: dict[int, int]


def corpora_of(benchmark: Benchmark) -> list[Corpus]:
    """Those over which a model of the dataset has a perplexity, the one with the most models first: one query."""
    passes = Perplexity.objects.finished().filter(model__dataset=benchmark.dataset_id).select_related("source")
    found: dict[str, Corpus] = {}
    for each in passes.order_by("pk"):
        key = f"{each.source_id}-{each.revision}-{each.documents}-{each.seed}-{each.context_length}"
        name = f"{each.source}, {each.documents} documents, {each.context_length} tokens at once"
        found.setdefault(key, Corpus(key, name, {})).passes[each.model_id] = each.pk
    return sorted(found.values(), key=lambda corpus: -len(corpus.passes))


def figures_of(corpus: Corpus) -> dict[int, Figures]:
    """By the model's key: one query."""
    items = PerplexityItem.objects.done().filter(perplexity__in=corpus.passes.values()).order_by()
    sums: dict[int, list[DocumentSum]] = defaultdict(list)
    for each, total, count, characters in items.values_list("perplexity_id", "total", "count", "characters"):
        sums[each].append(DocumentSum(total or 0.0, count, characters))
    return {model: figures(sums[each]) for model, each in corpus.passes.items() if sums[each]}
