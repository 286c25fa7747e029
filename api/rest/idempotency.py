"""A POST with an Idempotency-Key is done once, however often it is sent."""

from collections.abc import Callable
from functools import wraps
from hashlib import sha256
from typing import Any

from django.db import transaction
from django.utils import timezone
from rest_framework import status
from rest_framework.request import Request
from rest_framework.response import Response

from api.models import RepeatedAnswer
from api.rest.access import ApiRequest
from api.rest.problems import Conflict, Unprocessable

HEADER = "Idempotency-Key"
LONGEST = 255


Method = Callable[..., Response]


class SecretResponse(Response):
    """An answer with a secret, which is not kept to be repeated."""


def once(post: Method) -> Method:
    """Of a view's `post`: the same request with the same key again gets the first answer, and does nothing.

    The work and its answer are one transaction: a process that is killed has done neither. A second request at the same
    time waits for the first one at the unique key.
    """

    @wraps(post)
    def answer(view: Any, request: ApiRequest, *args: Any, **kwargs: Any) -> Response:
        key = request.headers.get(HEADER, "")
        if not key:
            return post(view, request, *args, **kwargs)
        if len(key) > LONGEST:
            raise Unprocessable(f"{HEADER} has more than {LONGEST} characters.")
        fingerprint = _fingerprint(request)
        with transaction.atomic():
            RepeatedAnswer.objects.filter(
                token=request.auth, created_at__lt=timezone.now() - RepeatedAnswer.KEPT
            ).delete()
            first, is_new = RepeatedAnswer.objects.get_or_create(
                token=request.auth, key=key, defaults={"request_hash": fingerprint}
            )
            if not is_new:
                return _again(first, fingerprint)
            response = post(view, request, *args, **kwargs)
            if response.status_code >= 400:
                transaction.set_rollback(True)
                return response
            first.status = response.status_code
            first.body = None if isinstance(response, SecretResponse) else response.data
            first.location = response.headers.get("Location", "")
            first.save(update_fields=["status", "body", "location"])
            return response

    return answer


def _again(first: RepeatedAnswer, fingerprint: str) -> Response:
    if first.request_hash != fingerprint:
        raise Unprocessable(f"This {HEADER} was used for another request.")
    if first.body is None and first.status != status.HTTP_204_NO_CONTENT:
        raise Conflict("This was done. The secret in its answer is shown only once.")
    headers = {"Idempotency-Replayed": "true", **({"Location": first.location} if first.location else {})}
    return Response(first.body, status=first.status, headers=headers)


def _fingerprint(request: Request) -> str:
    """SHA-256 of method, address and body; of a form or file, of its fields and files."""
    digest = sha256(f"{request.method} {request.get_full_path()}\n".encode())
    if request.content_type.partition(";")[0] != "application/json":
        for name, values in sorted(request.POST.lists()):
            digest.update(repr((name, values)).encode())
        for name, file in sorted(request.FILES.items()):
            digest.update(repr((name, file.name)).encode())
            for chunk in file.chunks():
                digest.update(chunk)
            file.seek(0)
    else:
        digest.update(request._request.body)
    return digest.hexdigest()
