"""What commands of benchmarks are told by name."""

from django.core.management.base import CommandError

from annotate.management.lookup import dataset_named
from factor.models import Benchmark


def benchmark_named(dataset: str, name: str) -> Benchmark:
    """CommandError: there is no such dataset, or it has no benchmark of that name."""
    benchmark = dataset_named(dataset).benchmarks.filter(name=name).first()
    if benchmark is None:
        raise CommandError(f"the dataset {dataset!r} has no benchmark {name!r}")
    return benchmark
