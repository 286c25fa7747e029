"""Benchmarks and models to be scored, behind the fake server or of random weights."""

from django.utils import timezone

from annotate.models import Dataset
from factor.models import Benchmark, ScoredModel
from llm.endpoints import default_endpoint
from llm.models import Capabilities, Endpoint

# Of each example the true completion and false ones.
EXAMPLES = (
    ("Ants march in lines. ", ("They dance.", "They fly.", "They sing.")),
    ("Bees live in hives.\n", ("They dance now.", "They swim.", "They sing.")),
)
LIKELY = {"dance.": -0.5, "dance": -0.5, "now.": -0.5, "fly.": -2.0, "sing.": -3.0, "swim.": -0.1}


def make_benchmark(dataset: Dataset, examples=EXAMPLES) -> Benchmark:
    benchmark = Benchmark.objects.create(dataset=dataset, name="insects")
    for position, (prefix, completions) in enumerate(examples):
        example = benchmark.examples.create(position=position, prefix=prefix)
        for place, text in enumerate(completions):
            example.completions.create(place=place, text=text)
    return benchmark


def endpoint_that(**can: bool) -> Endpoint:
    """The default endpoint, of whose model `m` is known what it can do."""
    endpoint = default_endpoint()
    Capabilities.objects.create(endpoint=endpoint, model="m", completions=True, probed_at=timezone.now(), **can)
    return endpoint


def served(dataset: Dataset, **can: bool) -> ScoredModel:
    """The model `m` of the default endpoint, which echoes unless told otherwise."""
    endpoint = endpoint_that(**(can or {"echo": True}))
    return ScoredModel.objects.create(
        dataset=dataset, name="mimi", reached_by="endpoint", endpoint=endpoint, reached_as="m"
    )
