"""docs/reproduction.md is what the command makes of the published files."""

from pathlib import Path

import pytest

from annotate.models import Dataset
from evaluators.reproduction.document import reproduce
from evaluators.reproduction.words import NOT_EXPLAINED

COMMITTED = Path(__file__).resolve().parent.parent.parent / "docs" / "reproduction.md"


@pytest.mark.data
@pytest.mark.django_db
def test_the_committed_page_is_made_from_the_files_and_explains_every_difference(published):
    made = reproduce(published)

    assert made.splitlines() == COMMITTED.read_text(encoding="utf-8").splitlines()
    assert NOT_EXPLAINED not in made
    assert not Dataset.objects.exists()  # nothing of it is left in the real database
