"""The tables of benchmarks: examples, builds, scorings, validations and studies."""

from factor.models.benchmark import Benchmark, Completion, Example, FactorErrorType
from factor.models.benchmark_build import BenchmarkBuild, BenchmarkBuildItem
from factor.models.candidates import Candidate
from factor.models.exclusion import Exclusion
from factor.models.open_ended import OpenEndedGeneration, OpenEndedLabel, OpenEndedPair, OpenEndedStudy
from factor.models.perplexity import Perplexity, PerplexityItem
from factor.models.retrieval import RetrievalCorpus, Retrieved
from factor.models.scoring import CompletionScore, ScoredModel, Scoring, ScoringItem
from factor.models.thresholds import ThresholdItem, ThresholdLabel, ThresholdSample
from factor.models.validation import CompletionRating, CompletionSettlement, Validation, ValidationItem

__all__ = [
    "Benchmark",
    "BenchmarkBuild",
    "BenchmarkBuildItem",
    "Candidate",
    "Completion",
    "CompletionRating",
    "CompletionScore",
    "CompletionSettlement",
    "Example",
    "Exclusion",
    "FactorErrorType",
    "OpenEndedGeneration",
    "OpenEndedLabel",
    "OpenEndedPair",
    "OpenEndedStudy",
    "Perplexity",
    "PerplexityItem",
    "RetrievalCorpus",
    "Retrieved",
    "ScoredModel",
    "Scoring",
    "ScoringItem",
    "ThresholdItem",
    "ThresholdLabel",
    "ThresholdSample",
    "Validation",
    "ValidationItem",
]
