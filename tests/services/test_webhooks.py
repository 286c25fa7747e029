"""A message to a webhook whose worker is killed: it comes again from another worker, under the same id."""

import uuid

from tests.api.receiver import Receiver, receiving
from tests.services import job_lab
from tests.services.conftest import House
from tests.waiting import LONGEST, wait_until


def test_a_message_whose_worker_is_killed_comes_again_under_its_id(house: House) -> None:
    key = house.call(job_lab.make, "webhook", 1)
    [(message_id,)] = house.ask("select message_id from api_webhookdelivery")
    with receiving() as receiver:
        house.write(f"update api_webhook set address = '{receiver.address}'")
        receiver.may_answer.clear()
        killed = house.start_worker()
        assert house.call(job_lab.enqueue, "webhook", key)
        wait_until(lambda: len(receiver.messages) == 1, "the message has come", LONGEST)
        assert _state(house) == ("leased", 1)
        house.kill(killed)
        receiver.may_answer.set()
        house.start_worker()
        wait_until(lambda: _state(house)[0] == "done", "the message is delivered", LONGEST)
        _check_twice(receiver, uuid.UUID(str(message_id)))
    assert _state(house) == ("done", 2)


def _state(house: House) -> tuple[str, int]:
    [row] = house.ask("select state, attempts from api_webhookdelivery")
    return row[0], row[1]


def _check_twice(receiver: Receiver, message_id: uuid.UUID) -> None:
    """A receiver that keeps the ids which it has seen drops the second."""
    first, second = receiver.messages
    assert first.headers["webhook-id"] == second.headers["webhook-id"] == str(message_id)
    assert [each.headers["webhook-attempt"] for each in (first, second)] == ["1", "2"]
    assert first.body == second.body
