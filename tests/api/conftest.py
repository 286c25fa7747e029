"""A client of the API, for each person."""

import json
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.core.cache import cache
from django.core.files.uploadedfile import SimpleUploadedFile
from django.http import HttpResponse
from django.test import Client

from annotate.models import Dataset, User
from api.models import Scope
from api.tokens.create import create_token

ROOT = "/api/v1/"
DAY = timedelta(days=1)


class ApiClient:
    """Requests with one token. `get("datasets/")` answers with Django's response."""

    def __init__(self, token: str) -> None:
        self.client = Client(raise_request_exception=False)
        self.token = token

    def get(self, path: str, **headers: str) -> HttpResponse:
        return self.request("GET", path, None, **headers)

    def post(self, path: str, data: Any = None, **headers: str) -> HttpResponse:
        return self.request("POST", path, data, **headers)

    def patch(self, path: str, data: Any = None, **headers: str) -> HttpResponse:
        return self.request("PATCH", path, data, **headers)

    def put(self, path: str, data: Any = None, **headers: str) -> HttpResponse:
        return self.request("PUT", path, data, **headers)

    def delete(self, path: str, data: Any = None, **headers: str) -> HttpResponse:
        return self.request("DELETE", path, data, **headers)

    def upload(self, path: str, file: bytes, name: str = "rows.jsonl", /, **fields: Any) -> HttpResponse:
        """A form with the file."""
        return self.client.post(
            ROOT + path,
            {"file": SimpleUploadedFile(name, file), **fields},
            headers={"Authorization": f"Bearer {self.token}"},
        )

    def request(self, method: str, path: str, data: Any, **headers: str) -> HttpResponse:
        """Headers are named as arguments are: `if_match=…`."""
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        return self.client.generic(
            method,
            path if path.startswith("/") else ROOT + path,
            b"" if data is None else json.dumps(data),
            content_type="application/json",
            headers={"Authorization": f"Bearer {self.token}", **named},
        )


def client_of(user: User, *scopes: str, dataset: Dataset | None = None, lifetime: timedelta = DAY) -> ApiClient:
    """A client with a new token of the person; no scope named: all."""
    _, text = create_token(user, "test", list(scopes) or Scope.values, lifetime, dataset)
    return ApiClient(text)


@pytest.fixture
def api() -> Callable[..., ApiClient]:
    return client_of


@pytest.fixture(autouse=True)
def _no_requests_yet() -> None:
    """Tokens of rolled-back tests share their keys, and the limit counts by them."""
    cache.clear()
