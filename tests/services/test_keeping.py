"""On a server's database too, a person is forgotten, the audit log is closed again, and old answers go by size."""

from collections.abc import Callable

import pytest

from audit.models import Action, AuditEntry
from audit.record import record
from llm.models import Call, Endpoint
from tests.factories import make_person
from tests.services.conftest import House
from tests.services.test_backup import manage


def prepare() -> None:
    ada = make_person("ada")
    record(None, Action.DEACTIVATED, ada, detail="of ada")
    AuditEntry.objects.create(person=ada, action=Action.LOGIN, address="192.0.2.1", object_name="ada")
    endpoint = Endpoint.objects.create(name="lab", base_url="http://lab/v1")
    for name in ("1", "2", "3"):
        Call.objects.create(
            endpoint=endpoint, request_hash=name, model="m", request={}, answer="x" * 1024, seconds=1, prompt_tokens=1
        )


def test_a_person_is_forgotten_and_answers_go_by_size(make_house: Callable[..., House], postgres_url: str) -> None:
    # Each answer has 1,024 characters, and 2 of each of its three empty JSON columns: 1,030. 3 KiB hold two, not three.
    house = make_house(DATABASE_URL=postgres_url, ANSWERS_MB=str(3 / 1024))
    house.call(prepare)

    manage(house, "forget_person", "ada")
    manage(house, "prune")

    assert house.count("annotate_user", "username like 'forgotten-%'") == 1
    assert house.count("audit_auditentry", "object_name = 'ada' or detail like '%ada%' or address is not null") == 0
    assert house.ask("select request_hash from llm_call order by id") == [("2",), ("3",)]
    with pytest.raises(Exception, match="append-only"):
        house.write("UPDATE audit_auditentry SET detail = ''")
