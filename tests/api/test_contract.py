"""Requests made from the schema, right ones and wrong ones: no answer outside the schema, and none with 5xx."""

import json
import re
from typing import TYPE_CHECKING, Any

import pytest
from django.db import transaction
from django.urls import resolve
from hypothesis import HealthCheck, Phase, given, seed, settings

from annotate.models import User
from config.wsgi import application
from tests.api.conftest import client_of
from tests.api.test_access import EXPECTED
from tests.docs.tree import DOCS
from tests.world import World, make_world

if TYPE_CHECKING:
    from schemathesis import Case

PARAMETER = re.compile(r"{(\w+)}")

pytestmark = pytest.mark.django_db

EXAMPLES = 6
METHODS = ("get", "post", "put", "patch", "delete")
OPERATIONS = [
    f"{method.upper()} {path}"
    for path, there in json.loads((DOCS / "openapi.json").read_text(encoding="utf-8"))["paths"].items()
    for method in there
    if method in METHODS
]


@pytest.fixture(scope="module")
def operations(module_db: None) -> dict[str, Any]:
    """Those of the schema that is served, by method and path."""
    import schemathesis

    schema = schemathesis.openapi.from_wsgi("/api/v1/openapi.json", application)
    return {each.ok().label: each.ok() for each in schema.get_all_operations()}


@pytest.fixture(scope="module")
def world(module_db: None) -> World:
    return make_world()


def test_each_operation_is_asked(operations: dict[str, Any]) -> None:
    assert list(operations) == OPERATIONS


@pytest.mark.parametrize("label", OPERATIONS)
def test_answers_are_those_of_the_schema(world: World, operations: dict[str, Any], label: str) -> None:
    from schemathesis.specs.openapi import checks

    operation = operations[label]
    looked_at = [
        checks.status_code_conformance,
        checks.content_type_conformance,
        checks.response_headers_conformance,
        checks.response_schema_conformance,
    ]
    there = objects_of(world, label)
    token = client_of(User.objects.get(username="root")).token

    @seed(1)
    @settings(
        max_examples=EXAMPLES,
        deadline=None,
        database=None,
        phases=[Phase.explicit, Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(case=operation.as_strategy())
    def ask(case: "Case") -> None:
        for values in ({}, there):
            case.path_parameters = {**(case.path_parameters or {}), **values}
            with transaction.atomic():
                response = case.call(headers={"Authorization": f"Bearer {token}", "Accept-Encoding": "identity"})
                transaction.set_rollback(True)
            assert response.status_code < 500, response.text
            case.validate_response(response, checks=looked_at)

    ask()


def objects_of(world: World, label: str) -> dict[str, Any]:
    """Path parameters that name rows which are there."""
    method, path = label.split()
    names = PARAMETER.findall(path)
    name = resolve(PARAMETER.sub("1", path)).url_name
    return {parameter: world[kind] for parameter, kind in zip(names, EXPECTED[name, method][0], strict=True)}
