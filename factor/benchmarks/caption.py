"""What the captions of printed tables say of a benchmark and of intervals."""

from annotate.statistics.caption import intervals_of
from factor.models import Benchmark
from stats.bootstrap import RESAMPLES, SEED


def benchmark_named(dataset: str, benchmark: str) -> str:
    return f"the benchmark {benchmark} of {dataset}"


def benchmark_of(benchmark: Benchmark) -> str:
    return benchmark_named(benchmark.dataset.name, benchmark.name)


def document_intervals(resamples: int = RESAMPLES, seed: int = SEED) -> str:
    """Documents are the clusters."""
    return intervals_of(resamples, seed, "documents")
