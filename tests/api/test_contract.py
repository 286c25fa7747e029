"""Requests made from the schema, right ones and wrong ones: no answer outside the schema, and none with 5xx."""

import re
from typing import Any

import pytest
import schemathesis
from django.db import transaction
from django.urls import resolve
from hypothesis import HealthCheck, Phase, given, seed, settings
from schemathesis import Case
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from annotate.models import User
from config.wsgi import application
from tests.api.conftest import client_of
from tests.api.test_access import EXPECTED
from tests.world import World, make_world

PARAMETER = re.compile(r"{(\w+)}")

pytestmark = pytest.mark.django_db

EXAMPLES = 6
CHECKS = [
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
]
SCHEMA = schemathesis.openapi.from_wsgi("/api/v1/openapi.json", application)
OPERATIONS = {each.ok().label: each.ok() for each in SCHEMA.get_all_operations()}


@pytest.fixture(scope="module")
def world(module_db: None) -> World:
    return make_world()


@pytest.mark.parametrize("label", OPERATIONS)
def test_answers_are_those_of_the_schema(world: World, label: str) -> None:
    operation = OPERATIONS[label]
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
    def ask(case: Case) -> None:
        for values in ({}, there):
            case.path_parameters = {**(case.path_parameters or {}), **values}
            with transaction.atomic():
                response = case.call(headers={"Authorization": f"Bearer {token}", "Accept-Encoding": "identity"})
                transaction.set_rollback(True)
            assert response.status_code < 500, response.text
            case.validate_response(response, checks=CHECKS)

    ask()


def objects_of(world: World, label: str) -> dict[str, Any]:
    """Path parameters that name rows which are there."""
    method, path = label.split()
    names = PARAMETER.findall(path)
    name = resolve(PARAMETER.sub("1", path)).url_name
    return {parameter: world[kind] for parameter, kind in zip(names, EXPECTED[name, method][0], strict=True)}
