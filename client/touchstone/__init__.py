"""Datasets, runs and outside evaluators of a Touchstone server."""

from touchstone.cases import IRRELEVANT, NOT_SUPPORTED, SUPPORTED, Case, Judgement, Reference, Unit
from touchstone.clients import AsyncTouchstone, Touchstone
from touchstone.errors import (
    ConflictError,
    FailedError,
    NotFoundError,
    ProblemError,
    RefusedError,
    TouchstoneError,
    UnreachableError,
)
from touchstone.evaluators import Evaluator, evaluator
from touchstone.values import Comparison, Dataset, Estimate, GoldVersion, Import, Release, Report, Rows, Run

__all__ = [
    "IRRELEVANT",
    "NOT_SUPPORTED",
    "SUPPORTED",
    "AsyncTouchstone",
    "Case",
    "Comparison",
    "ConflictError",
    "Dataset",
    "Estimate",
    "Evaluator",
    "FailedError",
    "GoldVersion",
    "Import",
    "Judgement",
    "NotFoundError",
    "ProblemError",
    "Reference",
    "RefusedError",
    "Release",
    "Report",
    "Rows",
    "Run",
    "Touchstone",
    "TouchstoneError",
    "Unit",
    "UnreachableError",
    "evaluator",
]
