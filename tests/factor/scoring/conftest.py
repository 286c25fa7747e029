"""Weights of a language model."""

from tests.factor.perplexity.conftest import gpt_made, weights

__all__ = ["gpt_made", "weights"]
