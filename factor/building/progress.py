"""How far a build is."""

from dataclasses import dataclass

from factor.building.yields import Contradictions, Documents, contradictions_of, documents_of
from factor.models import BenchmarkBuild
from jobs.progress import JobProgress, counts_of


@dataclass(frozen=True)
class BuildProgress(JobProgress):
    """Counts of documents. documents, contradictions: the yields."""

    documents: Documents
    contradictions: list[Contradictions]


def progress_of(build: BenchmarkBuild) -> BuildProgress:
    return BuildProgress(**counts_of(build), documents=documents_of(build), contradictions=contradictions_of(build))
