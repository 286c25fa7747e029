"""The pages that the navigation leaves out: those of My work on which nothing waits for the annotator, and what a
dataset of claims has none of."""

from django import template

from annotate.attention.read import kinds_in
from annotate.models import Dataset, Role, Scheme, User

register = template.Library()

# The tab of a page → the kinds of items that are on it.
TABS = {
    "second-looks": {"second-looks"},
    "samples": {"samples"},
    "open-ended": {"open-ended"},
    "completions": {"completions", "candidates"},
}

# Claims come with their files: nobody asks for them, cuts them or breaks them up.
NOT_OF_CLAIMS = frozenset({"prompts", "segments", "facts", "editing", "stages"})


@register.simple_tag
def empty_tabs(dataset: Dataset, role: str, person: User, tab: str) -> frozenset[str]:
    """For a page of My work, in one query; other pages do not list these."""
    if role != Role.ANNOTATOR and dataset.scheme == Scheme.CLAIMS:
        return NOT_OF_CLAIMS - {tab}
    if role != Role.ANNOTATOR or tab not in {"work", *TABS}:
        return frozenset()
    waiting = kinds_in(dataset, person, role, frozenset[str]().union(*TABS.values()))
    return frozenset(name for name, kinds in TABS.items() if name != tab and not kinds & waiting)
