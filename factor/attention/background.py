"""Items for those who read benchmarks: their background work waits while no worker is running, or stopped."""

from typing import Any

from django.db.models import QuerySet

from annotate.attention.background import READERS, counts_waiting, stopped
from annotate.attention.items import Datasets, counts
from annotate.models import User
from factor.models import BenchmarkBuild, OpenEndedStudy, Perplexity, Scoring

counts_waiting("build", "build__benchmark__dataset", one="benchmark", many="benchmarks", page="build", of_newest=True)
counts_waiting(
    "scoring",
    "scoring__benchmark__dataset",
    one="scoring of a language model",
    many="scorings of language models",
    page="scoring",
    of_newest=True,
)
counts_waiting(
    "perplexity",
    "perplexity__model__dataset",
    one="measurement of perplexity",
    many="measurements of perplexity",
    page="perplexity",
    of_newest=True,
)
counts_waiting(
    "open_ended",
    "pair__study__scoring__benchmark__dataset",
    one="study of open-ended text",
    many="studies of open-ended text",
    page="open-ended-study",
    of_newest=True,
)


@counts(
    "builds",
    *READERS,
    one="benchmark is incomplete: its creation stopped.",
    many="benchmarks are incomplete: their creation stopped.",
    page="build",
    of_newest=True,
)
def stopped_builds(person: User, datasets: Datasets) -> QuerySet[Any, Any]:
    return stopped(BenchmarkBuild.objects.all(), "benchmark__dataset", datasets)


@counts(
    "scorings",
    *READERS,
    one="scoring of a language model stopped before its end.",
    many="scorings of language models stopped before their end.",
    page="scoring",
    of_newest=True,
)
def stopped_scorings(person: User, datasets: Datasets) -> QuerySet[Any, Any]:
    return stopped(Scoring.objects.all(), "benchmark__dataset", datasets)


@counts(
    "perplexities",
    *READERS,
    one="measurement of perplexity stopped before its end.",
    many="measurements of perplexity stopped before their end.",
    page="perplexity",
    of_newest=True,
)
def stopped_perplexities(person: User, datasets: Datasets) -> QuerySet[Any, Any]:
    return stopped(Perplexity.objects.all(), "model__dataset", datasets)


@counts(
    "studies",
    *READERS,
    one="study of open-ended text stopped before its end.",
    many="studies of open-ended text stopped before their end.",
    page="open-ended-study",
    of_newest=True,
)
def stopped_studies(person: User, datasets: Datasets) -> QuerySet[Any, Any]:
    return stopped(OpenEndedStudy.objects.all(), "scoring__benchmark__dataset", datasets)
