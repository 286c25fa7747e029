"""What a repeated request is answered."""

import pytest
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.test import APIRequestFactory

from annotate.models import User
from api.models import RepeatedAnswer, Token
from api.rest.idempotency import SecretResponse, once
from api.rest.problems import Conflict
from api.tokens.create import create_token
from tests.api.conftest import DAY
from tests.factories import make_person

pytestmark = pytest.mark.django_db


class MakeView:
    """Counts how often something is made."""

    def __init__(self, response: type[Response]) -> None:
        self.made, self.response = 0, response

    @once
    def post(self, request: Request) -> Response:
        self.made += 1
        return self.response({"number": self.made, "secret": "s3cret"}, status=201)


def request_of(user: User) -> Request:
    token = Token.objects.filter(user=user).first() or create_token(user, "test", ["manage"], DAY)[0]
    request = Request(APIRequestFactory().post("/api/v1/things/", {}, format="json", HTTP_IDEMPOTENCY_KEY="k1"))
    request.auth = token
    return request


def test_an_answer_with_a_secret_is_not_kept() -> None:
    ada, view = make_person("ada"), MakeView(SecretResponse)
    assert view.post(request_of(ada)).data["secret"] == "s3cret"
    with pytest.raises(Conflict):
        view.post(request_of(ada))
    assert (view.made, RepeatedAnswer.objects.get().body) == (1, None)


def test_keys_of_two_tokens_are_not_each_others() -> None:
    view = MakeView(Response)
    assert [view.post(request_of(make_person(name))).data["number"] for name in ("ada", "ben")] == [1, 2]
