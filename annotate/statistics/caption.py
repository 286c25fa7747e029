"""What the captions of printed tables say of data and intervals."""

from stats.bootstrap import RESAMPLES, SEED


def data_of(dataset: str, gold: str | None) -> str:
    """A data set with its gold; None: gold in force."""
    return f"{dataset} ({f'gold {gold}' if gold else 'current gold, not frozen'})"


def data_at(dataset: str, version: str | None, revision: int) -> str:
    """A data set with the gold of something that was drawn: a frozen version, None where gold was not frozen then."""
    return data_of(dataset, version or f"revision {revision}")


def intervals_of(resamples: int = RESAMPLES, seed: int = SEED, clusters: str = "prompts") -> str:
    """Which intervals, and how they are drawn. clusters: what is resampled whole."""
    return f"95 % intervals ({resampled(resamples, seed, clusters)})"


def resampled(resamples: int = RESAMPLES, seed: int = SEED, clusters: str = "prompts") -> str:
    return f"{resamples:,} resamples of whole {clusters}, seed {seed}"


def tested(family: str, clusters: str = "prompts") -> str:
    """The permutation test, without a full stop. family: the pairs that are tested together."""
    return f"Test: {clusters} permuted, step-down over {family}, p < 0.05"
