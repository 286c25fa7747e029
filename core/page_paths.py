"""Paths of the pages that annotators wait for: Django takes longer to write a path than to fill in a template's value.

The site stands at one place for as long as a process lives, so what was written once stays.
"""

from functools import lru_cache

from django.templatetags.static import static
from django.urls import reverse

# In place of a key.
PLACE = "KEY"


@lru_cache(maxsize=4096)
def page_path(name: str, *numbers: int) -> str:
    """As `reverse` gives it, of a page without arguments or with those of a dataset."""
    return reverse(name, args=numbers)


@lru_cache(maxsize=64)
def static_path(name: str) -> str:
    """The same of a static file, which in production has its content's hash in its name."""
    return static(name)


def keyed_path(name: str, key: str) -> str:
    """The same of a page of one assignment, by its key as it is stored."""
    before, after = _around_key(name)
    return f"{before}{key}{after}"


@lru_cache(maxsize=64)
def _around_key(name: str) -> tuple[str, str]:
    before, _, after = reverse(name, args=[PLACE]).partition(PLACE)
    return before, after
