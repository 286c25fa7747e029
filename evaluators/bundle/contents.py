"""The contents of a results bundle, by the names of its files (docs/results.md)."""

import re
from dataclasses import dataclass

FORMAT, VERSION = "touchstone results", 1

INDEX, FIGURES = "bundle.json", "figures.json"
MANIFEST, RUN = "manifest.json", "run.json"
ITEMS, PREDICTIONS, FALLBACKS, FACTS, CLAIMS, CALLS, SEARCHES, PAGES, ANSWERS = (
    "items.jsonl",
    "predictions.jsonl",
    "fallbacks.jsonl",
    "facts.jsonl",
    "claims.jsonl",
    "calls.jsonl",
    "searches.jsonl",
    "pages.jsonl",
    "answers.jsonl",
)
# The files under a run's hash. The manifest describes the run, answers and searches may be left out, and the links to
# calls are only those that are known in a place: none of these is among them. Calls, searches and the pages read for
# them have hashes of their own in the index.
# Claims are there only of a run that has some: runs without them keep the hash that they had before there were any.
ALWAYS = (RUN, ITEMS, PREDICTIONS, FALLBACKS, FACTS)
HASHED = (*ALWAYS, CLAIMS)

NAME = re.compile(r"bundle\.json|figures\.json|runs/[0-9]{1,6}/(manifest|run)\.json|runs/[0-9]{1,6}/[a-z]+\.jsonl")


def folder_of(number: int) -> str:
    """The folder of the bundle's run of that number, from 1."""
    return f"runs/{number}"


@dataclass(frozen=True)
class Gold:
    """The gold that the figures of a bundle are against. version: None for gold in force."""

    version: str | None
    hash: str
    labels: int
