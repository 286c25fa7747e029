"""The schema of the API is committed: a change of the contract is seen in a diff."""

import json
from pathlib import Path

from django.test import Client

from api.rest.schema import write_schema

COMMITTED = Path(__file__).resolve().parent.parent.parent / "docs" / "openapi.json"


def test_the_committed_schema_is_that_of_the_code() -> None:
    """`make openapi` writes it anew."""
    assert json.loads(COMMITTED.read_text()) == json.loads(json.dumps(write_schema()))


def test_the_schema_is_served_to_everybody() -> None:
    answer = Client().get("/api/v1/openapi.json")
    assert (answer.status_code, answer.json()) == (200, json.loads(COMMITTED.read_text()))
