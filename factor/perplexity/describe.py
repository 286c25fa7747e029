"""A pass over a corpus as one JSON document."""

from dataclasses import asdict
from typing import Any

from factor.models import Perplexity
from factor.perplexity.progress import summary_of
from stats.bootstrap import Interval


def describe(perplexity: Perplexity) -> dict[str, Any]:
    """Figures are null where no document is scored, intervals below two; `before_cutoff` where the model's cut-off is
    not known."""
    summary = summary_of(perplexity)
    figures = summary.figures
    return {
        "model": perplexity.model.name,
        "source": perplexity.source.name,
        "revision": perplexity.revision,
        "seed": perplexity.seed,
        "context_length": perplexity.context_length,
        "state": perplexity.state,
        "documents": summary.total,
        "scored": summary.done,
        "failed": summary.failed,
        "tokens": figures.tokens,
        "characters": figures.characters,
        "perplexity": figures.perplexity,
        "perplexity_interval": _ends(figures.perplexity_interval),
        "bits_per_character": figures.bits_per_character,
        "bits_per_character_interval": _ends(figures.bits_interval),
        "before_cutoff": asdict(summary.dates) if summary.dates else None,
        "tokens_per_second": perplexity.speed,
    }


def _ends(interval: Interval | None) -> list[float] | None:
    return interval.ends() if interval else None
