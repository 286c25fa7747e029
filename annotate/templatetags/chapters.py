"""The way through a dataset: its pages in chapters, in the order in which data goes down the stages."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from django import template
from django.template.loader import render_to_string
from django.utils.safestring import SafeString

from annotate.models import Dataset, Role

register = template.Library()


@dataclass(frozen=True)
class Page:
    """A page of a dataset: what its view calls it (`tab`), its title, the name of its address, who may open it."""

    tab: str
    title: str
    address: str
    roles: tuple[str, ...]


@dataclass(frozen=True)
class Chapter:
    title: str
    pages: tuple[Page, ...]


ANNOTATOR = (Role.ANNOTATOR,)
ADJUDICATOR = (Role.ADJUDICATOR,)
READERS = (Role.ADJUDICATOR, Role.RESEARCHER)

CHAPTERS = (
    Chapter("Overview", (Page("overview", "Overview", "dataset", (*Role.values,)),)),
    Chapter("Label", (Page("label", "Label", "label-next", ANNOTATOR),)),
    Chapter(
        "My work",
        (
            Page("work", "My work", "work", ANNOTATOR),
            Page("second-looks", "Second looks", "second-looks", ANNOTATOR),
            Page("samples", "Samples to rate", "samples", ANNOTATOR),
            Page("open-ended", "Texts to label", "open-ended-work", ANNOTATOR),
            Page("completions", "Completions to rate", "completions-to-rate", ANNOTATOR),
        ),
    ),
    Chapter("Outcome", (Page("outcome", "Outcome", "outcomes", ANNOTATOR),)),
    Chapter(
        "Responses",
        (
            Page("statistics", "Statistics", "statistics", READERS),
            Page("prompts", "Prompts", "prompts", READERS),
            Page("segments", "Segments", "segments", READERS),
            Page("facts", "Facts", "facts", READERS),
            Page("knowledge", "Knowledge source", "knowledge", READERS),
        ),
    ),
    Chapter(
        "Work",
        (
            Page("assign", "Tasks", "assign", ADJUDICATOR),
            Page("people", "People & guidelines", "people", ADJUDICATOR),
            Page("settings", "Settings", "dataset-settings", ADJUDICATOR),
            Page("oversight", "Oversight", "oversight", ADJUDICATOR),
            Page("quality", "Quality", "quality", ADJUDICATOR),
            Page("samples", "Samples", "samples", READERS),
        ),
    ),
    Chapter(
        "Judge",
        (
            Page("adjudicate", "Adjudicate", "adjudicate", ADJUDICATOR),
            Page("review", "Review", "review", ADJUDICATOR),
            Page("challenges", "Challenges", "challenges", ADJUDICATOR),
            Page("second-look-cases", "Second looks", "second-look-cases", ADJUDICATOR),
            Page("agreement", "Agreement", "agreement", READERS),
        ),
    ),
    Chapter("Gold", (Page("gold", "Gold", "gold", READERS), Page("links", "Links", "links", READERS))),
    Chapter(
        "Runs",
        (
            Page("runs", "Runs", "runs", READERS),
            Page("bundle", "Results as a file", "bundle", READERS),
            Page("prompt-sets", "Prompt sets", "prompt-sets", READERS),
            Page("endpoints", "Endpoints", "endpoints", READERS),
        ),
    ),
    Chapter(
        "Evaluate",
        (
            Page("leaderboard", "Leaderboard", "leaderboard", READERS),
            Page("compare", "Compare", "compare", READERS),
            Page("thresholds", "Thresholds", "thresholds", READERS),
            Page("combinations", "Combinations", "combinations", READERS),
            Page("stages", "Stages", "stages", READERS),
            Page("errors", "Error analysis", "error-analyses", READERS),
            Page("gold-audits", "Gold audit", "gold-audits", READERS),
            Page("revisions", "What a revision moves", "revisions", READERS),
            Page("subject-models", "Subject models", "subject-models", READERS),
            Page("ranking", "Subject models ranked", "subject-ranking", READERS),
        ),
    ),
    Chapter("Benchmarks", (Page("benchmarks", "Benchmarks", "benchmarks", READERS),)),
)


@register.simple_tag
def chapters(dataset: Dataset, role: str, tab: str) -> SafeString:
    """The chapters that the role may open, and the pages of the one in which `tab` is."""
    return _rendered(dataset.pk, role, tab)


@lru_cache(maxsize=4096)  # on every page, and the same for everybody of the role
def _rendered(dataset: int, role: str, tab: str) -> SafeString:
    shown = list(_open_to(role))
    here = next((chapter for chapter in shown if tab in {page.tab for page in chapter.pages}), None)
    page = {"dataset": dataset, "tab": tab, "chapters": shown, "here": here}
    return render_to_string("site/chapters.html", page)


def _open_to(role: str) -> Iterator[Chapter]:
    for chapter in CHAPTERS:
        pages = tuple(page for page in chapter.pages if role in page.roles)
        if pages:
            yield Chapter(chapter.title, pages)
