"""The window of one worker: when it leases more items."""

import pytest

from annotate.prompts.generation_job import GenerationJob
from jobs.work import work_on
from tests.jobs.kinds import make_generation
from tests.jobs.test_errors import AT_ONCE

pytestmark = pytest.mark.django_db


class Noting(GenerationJob):
    """Notes how many items were leased and prepared together."""

    def __init__(self, at_once: int) -> None:
        super().__init__(AT_ONCE)
        self._at_once = at_once
        self.prepared: list[int] = []

    def concurrency_of(self, subject):
        return 4

    def leased_at_once(self, subject):
        return self._at_once

    def prepare_all(self, items):
        self.prepared.append(len(items))
        return super().prepare_all(items)


@pytest.mark.parametrize("at_once", [1, 3])
def test_items_are_leased_once_so_many_places_are_free(model, at_once):
    model.control(answer="Ines painted.")
    generation = make_generation(12)
    kind = Noting(at_once)

    work_on(kind, generation.pk)

    assert generation.items.filter(state="done").count() == 12
    first, *others, _ = kind.prepared
    assert first == 4
    assert all(at_once <= number <= 4 for number in others)
