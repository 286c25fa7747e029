"""The answer cache: look many up, store many at once."""

import json
from array import array
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from django.db import connection
from django.db.models import QuerySet
from django.utils import timezone

from llm.answer import BROKEN_OFF, Answer, EchoedToken, Token
from llm.completion import ModelCompletion, read_answer
from llm.models import Call, Embedding, Endpoint
from llm.requests import Request

GROUP = 500  # rows; 10,000 values, below the variables that a statement may have on every database

# Written here, and answers are no model's objects on their way: Django's `bulk_create` and what it is given took a
# quarter of the processor time of a call over the network (bench/llm_overhead.py), and cannot say what was there.
ANSWERED = (
    "answer", "finish_reason", "tokens", "echoed", "served_model", "prompt_tokens", "completion_tokens", "cost_usd",
    "attempts", "seconds", "created_at", "thought", "adapted", "cached_tokens", "reasoning_tokens", "served_usd",
)  # fmt: skip
COLUMNS = ("endpoint_id", "request_hash", "model", "request", *ANSWERED)
# What earlier versions stored of answers that broke off is asked for again, and the answer takes its place.
FAULTS = ", ".join(f"'{reason}'" for reason in sorted(BROKEN_OFF))
STORE = f"""
    INSERT INTO llm_call ({", ".join(COLUMNS)})
    VALUES {{rows}}
    ON CONFLICT (request_hash) DO UPDATE SET {", ".join(f"{column} = excluded.{column}" for column in ANSWERED)}
    WHERE llm_call.finish_reason IN ({FAULTS})
    RETURNING request_hash, id
"""  # noqa: S608 - of the names above alone
ROW = f"({', '.join(['%s'] * len(COLUMNS))})"


@dataclass(frozen=True)
class Record:
    """An answered request, to be stored. cost_usd: None where it is not known."""

    endpoint: Endpoint
    request: Request
    completion: ModelCompletion
    cost_usd: Decimal | None


def look_up(hashes: Sequence[str]) -> list[Answer | None]:
    """For each request hash its answer, or None; in the order given."""
    answers: dict[str, Answer] = {}
    for start in range(0, len(hashes), GROUP):
        rows = _answered(hashes[start : start + GROUP])
        for request_hash, key, text, finish_reason, tokens, echoed, thought, adapted in rows.values_list(
            "request_hash", "pk", "answer", "finish_reason", "tokens", "echoed", "thought", "adapted"
        ):
            answers[request_hash] = read_answer(
                key,
                ModelCompletion(
                    text,
                    finish_reason,
                    tokens=tuple(Token(*token) for token in tokens),
                    echoed=tuple(EchoedToken(*token) for token in echoed),
                    thought=thought,
                    adapted=tuple(adapted),
                ),
            )
    return [answers.get(request_hash) for request_hash in hashes]


def _answered(hashes: Sequence[str]) -> QuerySet[Call]:
    return Call.objects.filter(request_hash__in=hashes).exclude(finish_reason__in=BROKEN_OFF)


def known(hashes: Sequence[str]) -> set[str]:
    """The request hashes that are answered."""
    answered: set[str] = set()
    for start in range(0, len(hashes), GROUP):
        rows = _answered(hashes[start : start + GROUP])
        answered.update(rows.values_list("request_hash", flat=True))
    return answered


def store(records: Sequence[Record]) -> list[Answer]:
    """Store the records and return their answers, in the order given.

    Where another process stored an answer to the same request first, that one is returned: everyone who asked reads
    one and the same answer.
    """
    keys: dict[str, int] = {}
    for start in range(0, len(records), GROUP):
        keys |= _insert(records[start : start + GROUP])
    elsewhere = [record.request.hash for record in records if record.request.hash not in keys]
    there = dict(zip(elsewhere, look_up(elsewhere), strict=True))
    return [
        there.get(record.request.hash) or read_answer(keys[record.request.hash], record.completion)
        for record in records
    ]


def _insert(records: Sequence[Record]) -> dict[str, int]:
    """Primary keys of the new rows, by request hash."""
    values = [value for record in records for value in _values(record)]
    with connection.cursor() as cursor:
        cursor.execute(STORE.format(rows=", ".join([ROW] * len(records))), values)
        return dict(cursor.fetchall())


def _values(record: Record) -> tuple[Any, ...]:
    request, completion = record.request, record.completion
    return (
        record.endpoint.pk,
        request.hash,
        request.model,
        request.text,
        completion.text,
        completion.finish_reason,
        json.dumps([[token.text, token.logprob, dict(token.top)] for token in completion.tokens]),
        json.dumps([[token.start, token.end, token.logprob] for token in completion.echoed]),
        completion.served_model,
        completion.prompt_tokens,
        completion.completion_tokens,
        _adapted_usd(record.cost_usd),
        completion.attempts,
        completion.seconds,
        connection.ops.adapt_datetimefield_value(timezone.now()),
        completion.thought,
        json.dumps(completion.adapted),
        completion.cached_tokens,
        completion.reasoning_tokens,
        _adapted_usd(completion.served_usd),
    )


def _adapted_usd(usd: Decimal | None) -> Any:
    return None if usd is None else connection.ops.adapt_decimalfield_value(usd, 12, 6)


def look_up_vectors(hashes: Sequence[str]) -> dict[str, list[float]]:
    """The vectors that are known, by request hash."""
    vectors: dict[str, list[float]] = {}
    for start in range(0, len(hashes), GROUP):
        rows = Embedding.objects.filter(request_hash__in=hashes[start : start + GROUP])
        vectors.update(
            (request_hash, _numbers(vector)) for request_hash, vector in rows.values_list("request_hash", "vector")
        )
    return vectors


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
