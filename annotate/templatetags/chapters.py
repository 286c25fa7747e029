"""Navigation of a dataset: its pages in chapters, in the order of the stages of the data."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from django import template
from django.template.loader import render_to_string
from django.utils.safestring import SafeString

from annotate.models import Dataset, Role

register = template.Library()


@dataclass(frozen=True)
class DatasetPage:
    """A page of a dataset: its `tab` in views, its title, the name of its address, the roles that may open it."""

    tab: str
    title: str
    address: str
    roles: tuple[str, ...]


@dataclass(frozen=True)
class Chapter:
    title: str
    pages: tuple[DatasetPage, ...]


ANNOTATOR = (Role.ANNOTATOR,)
ADJUDICATOR = (Role.ADJUDICATOR,)
READERS = (Role.ADJUDICATOR, Role.RESEARCHER)

CHAPTERS = (
    Chapter("Overview", (DatasetPage("overview", "Overview", "dataset", (*Role.values,)),)),
    Chapter("Label", (DatasetPage("label", "Label", "label-next", ANNOTATOR),)),
    Chapter(
        "My work",
        (
            DatasetPage("work", "My work", "work", ANNOTATOR),
            DatasetPage("second-looks", "Second looks", "second-looks", ANNOTATOR),
            DatasetPage("samples", "Samples to rate", "samples", ANNOTATOR),
            DatasetPage("open-ended", "Texts to label", "open-ended-work", ANNOTATOR),
            DatasetPage("completions", "Completions to rate", "completions-to-rate", ANNOTATOR),
        ),
    ),
    Chapter("Results", (DatasetPage("outcome", "Results of your labels", "outcomes", ANNOTATOR),)),
    Chapter(
        "Data",
        (
            DatasetPage("statistics", "Statistics", "statistics", READERS),
            DatasetPage("prompts", "Prompts", "prompts", READERS),
            DatasetPage("segments", "Segments", "segments", READERS),
            DatasetPage("facts", "Facts", "facts", READERS),
            DatasetPage("knowledge", "Knowledge source", "knowledge", READERS),
        ),
    ),
    Chapter(
        "Work",
        (
            DatasetPage("assign", "Tasks", "assign", ADJUDICATOR),
            DatasetPage("people", "People & guidelines", "people", ADJUDICATOR),
            DatasetPage("settings", "Settings", "dataset-settings", ADJUDICATOR),
            DatasetPage("oversight", "Oversight", "oversight", ADJUDICATOR),
            DatasetPage("quality", "Quality", "quality", ADJUDICATOR),
            DatasetPage("samples", "Samples", "samples", READERS),
        ),
    ),
    Chapter(
        "Adjudicate",
        (
            DatasetPage("adjudicate", "Adjudicate", "adjudicate", ADJUDICATOR),
            DatasetPage("review", "Review", "review", ADJUDICATOR),
            DatasetPage("challenges", "Challenges", "challenges", ADJUDICATOR),
            DatasetPage("second-look-cases", "Second looks", "second-look-cases", ADJUDICATOR),
            DatasetPage("agreement", "Agreement", "agreement", READERS),
        ),
    ),
    Chapter("Gold", (DatasetPage("gold", "Gold", "gold", READERS), DatasetPage("links", "Links", "links", READERS))),
    Chapter(
        "Runs",
        (
            DatasetPage("runs", "Runs", "runs", READERS),
            DatasetPage("bundle", "Import and export", "bundle", READERS),
            DatasetPage("prompt-sets", "Prompt sets", "prompt-sets", READERS),
            DatasetPage("endpoints", "Endpoints", "endpoints", READERS),
        ),
    ),
    Chapter(
        "Evaluate",
        (
            DatasetPage("leaderboard", "Leaderboard", "leaderboard", READERS),
            DatasetPage("compare", "Compare", "compare", READERS),
            DatasetPage("thresholds", "Thresholds", "thresholds", READERS),
            DatasetPage("combinations", "Combinations", "combinations", READERS),
            DatasetPage("stages", "Stages", "stages", READERS),
            DatasetPage("errors", "Error analysis", "error-analyses", READERS),
            DatasetPage("next-labels", "Label next", "next-labels", READERS),
            DatasetPage("gold-audits", "Gold audit", "gold-audits", READERS),
            DatasetPage("revisions", "Effect on scores", "revisions", READERS),
            DatasetPage("subject-models", "Subject models", "subject-models", READERS),
            DatasetPage("ranking", "Subject model ranking", "subject-ranking", READERS),
        ),
    ),
    Chapter("Benchmarks", (DatasetPage("benchmarks", "Benchmarks", "benchmarks", READERS),)),
)


@register.simple_tag
def chapters(dataset: Dataset, role: str, tab: str, empty: frozenset[str]) -> SafeString:
    """The chapters that the role may open, and the pages of the chapter of `tab` but those whose tabs are `empty`."""
    return _rendered(dataset.pk, role, tab, empty)


@lru_cache(maxsize=4096)  # on every page, and the same for everybody of the role
def _rendered(dataset: int, role: str, tab: str, empty: frozenset[str]) -> SafeString:
    chapters = list(_open_to(role, empty))
    here = next((chapter for chapter in chapters if tab in {page.tab for page in chapter.pages}), None)
    page = {"dataset": dataset, "tab": tab, "chapters": chapters, "here": here}
    return render_to_string("site/chapters.html", page)


def _open_to(role: str, empty: frozenset[str]) -> Iterator[Chapter]:
    for chapter in CHAPTERS:
        pages = tuple(page for page in chapter.pages if role in page.roles and page.tab not in empty)
        if pages:
            yield Chapter(chapter.title, pages)
