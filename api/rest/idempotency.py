"""A POST with an Idempotency-Key is done once, however often it is sent."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from functools import partial, wraps
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


# Of the view and its request: what its `post` needs beside them, as long as the block lasts.
Prepare = Callable[..., AbstractContextManager[Any]]


def once(post: Method) -> Method:
    """Of a view's `post`: the same request with the same key again gets the first answer, and does nothing.

    The work and its answer are one transaction: a process that is killed has done neither. A second request at the same
    time waits for the first one at the unique key.
    """

    @wraps(post)
    def answer(view: Any, request: ApiRequest, *args: Any, **kwargs: Any) -> Response:
        key = _key_of(request)
        if not key:
            return post(view, request, *args, **kwargs)
        return _do_once(request, key, _fingerprint(request), partial(post, view, request, *args, **kwargs))

    return answer


def once_after(prepare: Prepare) -> Callable[[Method], Method]:
    """`once` where long work comes first that stores nothing: a file is read and checked, say.

    `prepare` does it before the transaction, so that nobody waits for it to write; `post` gets what it yields as
    `prepared`.
    """

    def decorate(post: Method) -> Method:
        @wraps(post)
        def answer(view: Any, request: ApiRequest, *args: Any, **kwargs: Any) -> Response:
            key = _key_of(request)
            fingerprint = _fingerprint(request) if key else ""
            since = timezone.now() - RepeatedAnswer.KEPT
            known = RepeatedAnswer.objects.filter(token=request.auth, key=key, created_at__gte=since)
            if key and (first := known.first()):
                return _again(first, fingerprint)
            with prepare(view, request, *args, **kwargs) as prepared:
                do = partial(post, view, request, *args, **kwargs, prepared=prepared)
                return _do_once(request, key, fingerprint, do) if key else do()

        return answer

    return decorate


def _key_of(request: ApiRequest) -> str:
    key = request.headers.get(HEADER, "")
    if len(key) > LONGEST:
        raise Unprocessable(f"{HEADER} has more than {LONGEST} characters.")
    return key


def _do_once(request: ApiRequest, key: str, fingerprint: str, do: Callable[[], Response]) -> Response:
    with transaction.atomic():
        RepeatedAnswer.objects.filter(token=request.auth, created_at__lt=timezone.now() - RepeatedAnswer.KEPT).delete()
        first, is_new = RepeatedAnswer.objects.get_or_create(
            token=request.auth, key=key, defaults={"request_hash": fingerprint}
        )
        if not is_new:
            return _again(first, fingerprint)
        response = do()
        if response.status_code >= 400:
            transaction.set_rollback(True)
            return response
        first.status = response.status_code
        first.body = None if isinstance(response, SecretResponse) else response.data
        first.location = response.headers.get("Location", "")
        first.save(update_fields=["status", "body", "location"])
        return response


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
