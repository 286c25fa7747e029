"""What a request for the comparison page, one of its charts, or the units behind it is about."""

from dataclasses import dataclass

from django.http import Http404

from annotate.access import MemberRequest
from annotate.models import Dataset, GoldLabel, GoldVersion
from evaluators.comparison.asked import asked_version
from evaluators.comparison.judges import TRIVIAL
from evaluators.comparison.leaderboard import LEVELS
from evaluators.comparison.levels import responses_by_level
from evaluators.comparison.page_state import Chosen, read_chosen
from evaluators.comparison.slices import slicings
from evaluators.comparison.study import table_of
from evaluators.models import Run
from evaluators.predictions.read import latest_runs


@dataclass(frozen=True)
class Asked:
    """What a request is about, read and checked. known: all evaluators; slicings: names and titles at the level."""

    dataset: Dataset
    version: GoldVersion | None
    chosen: Chosen
    runs: list[Run]
    known: list[str]
    levels: list[str]
    slicings: list[tuple[str, str]]
    domains: list[str]


def has_gold(dataset: Dataset) -> bool:
    return GoldLabel.objects.of(dataset).current().exists()


def ask(request: MemberRequest, dataset: Dataset) -> Asked:
    """Http404: there is no gold, so there is nothing to compare with."""
    if not has_gold(dataset):
        raise Http404("There is no gold to compare with.")
    version = asked_version(request, dataset)
    table, runs = table_of(dataset, version), latest_runs(dataset)
    parted = slicings(table)
    levels = [level for level in LEVELS if level in responses_by_level(table)]
    known = [run.evaluator.name for run in runs if run.evaluator.method not in TRIVIAL]
    chosen = read_chosen(request.GET, known, levels, parted)
    named = [(name, slicing.title) for name, slicing in parted.items() if chosen.level in slicing.of]
    domains = [name for name in dict.fromkeys(table.prompts.domain.tolist()) if name]
    return Asked(dataset, version, chosen, runs, known, levels, named, domains)
