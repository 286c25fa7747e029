"""Benchmarks and their examples; how they were made, scored and validated."""

from factor.models.benchmark import Benchmark, Completion, ErrorType, Example
from factor.models.making import Candidate, Making, MakingItem
from factor.models.scoring import CompletionScore, ScoredModel, Scoring, ScoringItem

__all__ = [
    "Benchmark",
    "Candidate",
    "Completion",
    "CompletionScore",
    "ErrorType",
    "Example",
    "Making",
    "MakingItem",
    "ScoredModel",
    "Scoring",
    "ScoringItem",
]
