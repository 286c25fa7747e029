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
    """A page of a dataset: its `tab` in views, its title, the name of its address, the roles that may open it.

    group: the tab of its chapter under which it stands; "" where the chapter has no groups.
    """

    tab: str
    title: str
    address: str
    roles: tuple[str, ...]
    group: str = ""


@dataclass(frozen=True)
class Chapter:
    """for_researchers: its title where researchers see something else in it; "": the same."""

    title: str
    pages: tuple[DatasetPage, ...]
    for_researchers: str = ""

    @property
    def groups(self) -> dict[str, list[DatasetPage]]:
        """The pages by group, in order; none where the chapter has no groups."""
        groups: dict[str, list[DatasetPage]] = {}
        for page in self.pages:
            if page.group:
                groups.setdefault(page.group, []).append(page)
        return groups


ANNOTATOR = (Role.ANNOTATOR,)
ADJUDICATOR = (Role.ADJUDICATOR,)
READERS = (Role.ADJUDICATOR, Role.RESEARCHER)

# The tabs of the chapter Evaluate.
COMPARE, DIAGNOSE, SUBJECTS = "Compare", "Diagnose", "Subjects"

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
            DatasetPage("reference-lists", "Reference lists", "reference-lists", READERS),
            DatasetPage("segments", "Segments", "segments", READERS),
            DatasetPage("facts", "Facts", "facts", READERS),
            DatasetPage("knowledge", "Knowledge source", "knowledge", READERS),
            DatasetPage("dataset-export", "Export", "dataset-export", READERS),
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
        for_researchers="Samples",
    ),
    Chapter(
        "Adjudicate",
        (
            DatasetPage("adjudicate", "Adjudicate", "adjudicate", ADJUDICATOR),
            DatasetPage("review", "Review", "review", ADJUDICATOR),
            DatasetPage("marks", "Marked units", "marks", ADJUDICATOR),
            DatasetPage("challenges", "Challenges", "challenges", ADJUDICATOR),
            DatasetPage("second-look-cases", "Second looks", "second-look-cases", ADJUDICATOR),
            DatasetPage("agreement", "Agreement", "agreement", READERS),
        ),
        for_researchers="Agreement",
    ),
    Chapter("Gold", (DatasetPage("gold", "Gold", "gold", READERS), DatasetPage("links", "Links", "links", READERS))),
    Chapter(
        "Runs",
        (
            DatasetPage("runs", "Runs", "runs", READERS),
            DatasetPage("editing", "Editing", "editing", READERS),
            DatasetPage("bundle", "Import and export", "bundle", READERS),
            DatasetPage("prompt-sets", "Prompt sets", "prompt-sets", READERS),
            DatasetPage("endpoints", "Endpoints", "endpoints", READERS),
        ),
    ),
    Chapter(
        "Evaluate",
        (
            DatasetPage("leaderboard", "Leaderboard", "leaderboard", READERS, COMPARE),
            DatasetPage("compare", "Comparison", "compare", READERS, COMPARE),
            DatasetPage("thresholds", "Thresholds", "thresholds", READERS, COMPARE),
            DatasetPage("combinations", "Combinations", "combinations", READERS, COMPARE),
            DatasetPage("what-to-report", "What to report", "what-to-report", READERS, COMPARE),
            DatasetPage("errors", "Error analysis", "error-analyses", READERS, DIAGNOSE),
            DatasetPage("stages", "Stages", "stages", READERS, DIAGNOSE),
            DatasetPage("gold-audits", "Gold audit", "gold-audits", READERS, DIAGNOSE),
            DatasetPage("revisions", "Effect on scores", "revisions", READERS, DIAGNOSE),
            DatasetPage("next-labels", "Label next", "next-labels", READERS, DIAGNOSE),
            DatasetPage("subject-models", "Subject models", "subject-models", READERS, SUBJECTS),
            DatasetPage("ranking", "Ranking without labels", "subject-ranking", READERS, SUBJECTS),
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
    page = {"dataset": dataset, "tab": tab, "chapters": chapters, "here": here, "siblings": _siblings(here, tab)}
    return render_to_string("site/chapters.html", page)


def _siblings(chapter: Chapter | None, tab: str) -> list[DatasetPage]:
    """The pages of the group that holds `tab`; none where the chapter has no groups."""
    groups = chapter.groups.values() if chapter else []
    return next((pages for pages in groups if tab in {page.tab for page in pages}), [])


def _open_to(role: str, empty: frozenset[str]) -> Iterator[Chapter]:
    for chapter in CHAPTERS:
        pages = tuple(page for page in chapter.pages if role in page.roles and page.tab not in empty)
        if pages:
            yield Chapter((role == Role.RESEARCHER and chapter.for_researchers) or chapter.title, pages)
