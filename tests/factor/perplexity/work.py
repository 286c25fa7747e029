"""Passes over a corpus for tests."""

from annotate.models import Dataset
from factor.models import Perplexity, ScoredModel
from factor.perplexity.start import PerplexityRequest, start
from knowledge.models import KnowledgeSource
from tests.knowledge.sources import make_source


def make_insects() -> KnowledgeSource:
    return make_source(
        "insects",
        Bee="Bees dance on combs. Bees fly far and dance again.",
        Ant="Ants march in lines and lines of ants march on.",
        Wasp="Wasps dance on paper combs.",
    )


def make_model(dataset: Dataset, **given: object) -> ScoredModel:
    told = {"name": "tiny", "reached_by": "transformers", "reached_as": "tiny", **given}
    return ScoredModel.objects.create(dataset=dataset, **told)


def make_perplexity(
    dataset: Dataset, source: KnowledgeSource | None = None, wish: PerplexityRequest | None = None, **model: object
) -> Perplexity:
    return start(make_model(dataset, **model), source or make_insects(), wish or PerplexityRequest(context_length=32))
