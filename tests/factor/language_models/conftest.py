"""The weights that perplexity is tested with."""

from tests.factor.perplexity.conftest import gpt_made, weights

__all__ = ["gpt_made", "weights"]
