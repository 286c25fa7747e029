"""The answer cache against its table."""

import pytest

from llm.cache import look_up, store
from llm.models import Call, Endpoint

pytestmark = pytest.mark.django_db


@pytest.fixture
def endpoint():
    return Endpoint.objects.create(name="lab", base_url="http://lab/v1")


def call(endpoint, request_hash, answer="yes"):
    return Call(endpoint=endpoint, request_hash=request_hash, model="m", request={}, answer=answer, seconds=0.1)


def test_calls_come_back_in_the_order_asked(endpoint):
    store([call(endpoint, "a"), call(endpoint, "b")])

    found = look_up(["b", "unknown", "a", "b"])

    assert [row and row.request_hash for row in found] == ["b", None, "a", "b"]


def test_whoever_stores_second_gets_the_answer_that_was_first(endpoint):
    [first] = store([call(endpoint, "a", "yes")])

    rows = store([call(endpoint, "b", "new"), call(endpoint, "a", "no")])

    assert [row.answer for row in rows] == ["new", "yes"]
    assert rows[1].pk == first.pk
    assert Call.objects.count() == 2


def test_many_are_looked_up_and_stored_in_few_statements(endpoint, django_assert_max_num_queries):
    with django_assert_max_num_queries(30):  # SQLite takes 999 values a statement: 66 rows
        rows = store([call(endpoint, str(number)) for number in range(1200)])

    assert [row.request_hash for row in rows] == [str(number) for number in range(1200)]
