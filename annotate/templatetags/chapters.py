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
    Chapter("Outcome", (DatasetPage("outcome", "Outcome", "outcomes", ANNOTATOR),)),
    Chapter(
        "Responses",
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
        "Judge",
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
            DatasetPage("bundle", "Results as a file", "bundle", READERS),
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
            DatasetPage("revisions", "What a revision moves", "revisions", READERS),
            DatasetPage("subject-models", "Subject models", "subject-models", READERS),
            DatasetPage("ranking", "Subject models ranked", "subject-ranking", READERS),
        ),
    ),
    Chapter("Benchmarks", (DatasetPage("benchmarks", "Benchmarks", "benchmarks", READERS),)),
)


@register.simple_tag
def chapters(dataset: Dataset, role: str, tab: str) -> SafeString:
    """The chapters that the role may open, and the pages of the chapter of `tab`."""
    return _rendered(dataset.pk, role, tab)


@lru_cache(maxsize=4096)  # on every page, and the same for everybody of the role
def _rendered(dataset: int, role: str, tab: str) -> SafeString:
    chapters = list(_open_to(role))
    here = next((chapter for chapter in chapters if tab in {page.tab for page in chapter.pages}), None)
    page = {"dataset": dataset, "tab": tab, "chapters": chapters, "here": here}
    return render_to_string("site/chapters.html", page)


def _open_to(role: str) -> Iterator[Chapter]:
    for chapter in CHAPTERS:
        pages = tuple(page for page in chapter.pages if role in page.roles)
        if pages:
            yield Chapter(chapter.title, pages)
