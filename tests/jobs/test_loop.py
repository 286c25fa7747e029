"""The window of one worker: when it leases more items."""

import asyncio

import pytest

from annotate.prompts.generation_job import GenerationJob
from jobs.work import work_on
from tests.jobs.kinds import make_generation
from tests.jobs.test_errors import AT_ONCE

pytestmark = pytest.mark.django_db


class OneByOne(GenerationJob):
    """Its items end one after the other; it notes how many were leased and prepared together."""

    def __init__(self, at_once: int) -> None:
        super().__init__(AT_ONCE)
        self._at_once = at_once
        self._turn = asyncio.Lock()
        self._asked = self._stored = 0
        self.prepared: list[int] = []

    def concurrency_of(self, subject):
        return 4

    def leased_at_once(self, subject):
        return self._at_once

    def prepare_all(self, items):
        self.prepared.append(len(items))
        return super().prepare_all(items)

    def prepare(self, item):
        question = super().prepare(item)

        async def once_the_others_are_stored(ask):
            async with self._turn:
                while self._stored < self._asked:
                    await asyncio.sleep(0.01)
                self._asked += 1
                store = await question(ask)

            def note(lease):
                store(lease)
                self._stored += 1

            return note

        return once_the_others_are_stored


@pytest.mark.parametrize(("at_once", "prepared"), [(1, [4, *8 * [1]]), (3, [4, 3, 3, 2])])
def test_items_are_leased_once_so_many_places_are_free(model, at_once, prepared):
    model.control(answer="Ines painted.")
    generation = make_generation(12)
    kind = OneByOne(at_once)

    work_on(kind, generation.pk)

    assert generation.items.filter(state="done").count() == 12
    assert kind.prepared == prepared
