"""The answer cache: look many up, store many at once."""

from array import array
from collections.abc import Mapping, Sequence
from decimal import Decimal

from django.db import connection

from llm.answer import Answer, Token
from llm.completion import Completion
from llm.models import Call, Embedding, Endpoint
from llm.requests import Request

GROUP = 500  # below the number of variables that a statement may have on every database
STORED = [field for field in Call._meta.concrete_fields if not field.primary_key]


def look_up(hashes: Sequence[str]) -> list[Call | None]:
    """For each request hash its answered call, or None; in the order given."""
    found = _by_hash(hashes)
    return [found.get(request_hash) for request_hash in hashes]


def known(hashes: Sequence[str]) -> set[str]:
    """Those of the request hashes that are answered."""
    found: set[str] = set()
    for start in range(0, len(hashes), GROUP):
        rows = Call.objects.filter(request_hash__in=hashes[start : start + GROUP])
        found.update(rows.values_list("request_hash", flat=True))
    return found


def store(calls: Sequence[Call]) -> list[Call]:
    """Store the calls and return their rows, in the order given.

    Where another process stored an answer to the same request first, that row is returned: everyone who asked reads
    one and the same answer.
    """
    keys: dict[str, int] = {}
    for start in range(0, len(calls), GROUP):
        keys |= _insert(calls[start : start + GROUP])
    for call in calls:
        call.pk = keys.get(call.request_hash)
    elsewhere = _by_hash([call.request_hash for call in calls if call.pk is None])
    return [call if call.pk is not None else elsewhere[call.request_hash] for call in calls]


def _insert(calls: Sequence[Call]) -> dict[str, int]:
    """Primary keys of those that were not there, by request hash.

    One statement written here: Django's `bulk_create` takes as long for it as a quarter of the call over the network
    (bench/llm_overhead.py), and cannot say which of the rows were there.
    """
    row = f"({', '.join(['%s'] * len(STORED))})"
    names = ", ".join(str(field.column) for field in STORED)
    values = [field.get_db_prep_save(field.pre_save(call, True), connection) for call in calls for field in STORED]
    with connection.cursor() as cursor:
        cursor.execute(
            f"INSERT INTO llm_call ({names}) VALUES {', '.join([row] * len(calls))} "  # noqa: S608 - our own names
            "ON CONFLICT (request_hash) DO NOTHING RETURNING request_hash, id",
            values,
        )
        return dict(cursor.fetchall())


def row_of(endpoint: Endpoint, request: Request, completion: Completion, cost: Decimal | None) -> Call:
    return Call(
        endpoint=endpoint,
        request_hash=request.hash,
        model=request.model,
        request=request.content,
        answer=completion.text,
        finish_reason=completion.finish_reason,
        tokens=[[token.text, token.logprob, dict(token.top)] for token in completion.tokens],
        served_model=completion.served_model,
        prompt_tokens=completion.prompt_tokens,
        completion_tokens=completion.completion_tokens,
        cost_usd=cost,
        attempts=completion.attempts,
        seconds=completion.seconds,
    )


def answer_of(call: Call) -> Answer:
    tokens = tuple(Token(text, logprob, top) for text, logprob, top in call.tokens)
    return Answer(call.pk, call.answer, call.finish_reason, tokens)


def look_up_vectors(hashes: Sequence[str]) -> dict[str, list[float]]:
    """The vectors that are known, by request hash."""
    found: dict[str, list[float]] = {}
    for start in range(0, len(hashes), GROUP):
        rows = Embedding.objects.filter(request_hash__in=hashes[start : start + GROUP])
        found.update(
            (request_hash, _numbers(vector)) for request_hash, vector in rows.values_list("request_hash", "vector")
        )
    return found


def store_vectors(endpoint: Endpoint, model: str, vectors: Mapping[str, Sequence[float]]) -> dict[str, list[float]]:
    """Store the vectors by request hash, and return them as they are stored: everyone who asked reads the same."""
    Embedding.objects.bulk_create(
        [
            Embedding(endpoint=endpoint, request_hash=key, model=model, vector=array("f", vector).tobytes())
            for key, vector in vectors.items()
        ],
        batch_size=GROUP,
        ignore_conflicts=True,
    )
    return look_up_vectors(list(vectors))


def _numbers(vector: bytes | memoryview) -> list[float]:
    return array("f", bytes(vector)).tolist()


def _by_hash(hashes: Sequence[str]) -> dict[str, Call]:
    found: dict[str, Call] = {}
    for start in range(0, len(hashes), GROUP):
        group = Call.objects.filter(request_hash__in=hashes[start : start + GROUP])
        found.update((call.request_hash, call) for call in group.defer("request"))
    return found
