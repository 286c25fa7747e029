"""A finished run as lines of text: the same run gives the same lines in every database."""

import hashlib
from collections import defaultdict
from collections.abc import Iterator, Mapping
from itertools import groupby
from operator import itemgetter
from typing import Any

from annotate.facts.judged import judged_addresses
from annotate.models import AtomicFact, FactSet
from core.errors import DataError
from core.json_lines import LONGEST_LINE, json_line
from evaluators.bundle.contents import (
    ANSWERS,
    CALLS,
    CLAIMS,
    FACTS,
    FALLBACKS,
    HASHED,
    ITEMS,
    PAGES,
    PREDICTIONS,
    RUN,
    SEARCHES,
)
from evaluators.methods.factscore_facts import FILE, facts_of
from evaluators.models import ClaimAlignment, Run, RunItem
from evaluators.models.prediction import PredictionQuerySet
from evaluators.runs.item_calls import answers_given
from evaluators.runs.listing import spent_by
from evaluators.runs.run_searches import describe_pages, describe_searches, pages_of

CHUNK = 5_000
ADDRESS = ("segment__response__index", "segment__position", "fact__position")


def lines_of(run: Run, answers: bool = False, searches: bool = False) -> dict[str, Iterator[str]]:
    """Lines by the name of their file; answers: also the models' raw answers; searches: also those of the web, and the
    pages that were read for them."""
    lines = {
        RUN: iter([json_line(describe_run(run))]),
        ITEMS: _items(run),
        PREDICTIONS: _predictions(run),
        FALLBACKS: _fallbacks(run),
        FACTS: _facts(run),
    }
    if run.extracted_claims.exists():
        lines[CLAIMS] = _claims(run)
    if _has_calls(run):
        lines[CALLS] = _calls(run)
    if searches and run.searches.exists():
        lines[SEARCHES] = _searches(run)
        if pages_of(run).exists():
            lines[PAGES] = _pages(run)
    return lines | {ANSWERS: _answers(run)} if answers else lines


def hash_run(run: Run) -> str:
    """SHA-256 over the files that describe the run and its predictions."""
    lines = lines_of(run)
    return hash_lines({name: lines[name] for name in HASHED if name in lines})


def hash_calls(run: Run) -> str | None:
    """SHA-256 over the links to calls; None where the run has none."""
    return hash_lines({CALLS: _calls(run)}) if _has_calls(run) else None


def hash_searches(run: Run) -> str | None:
    """SHA-256 over the searches of the web; None where the run has none."""
    return hash_lines({SEARCHES: _searches(run)}) if run.searches.exists() else None


def hash_pages(run: Run) -> str | None:
    """SHA-256 over the pages that were read; None where there is none. Raises DataError for one that is too long."""
    return hash_lines({PAGES: _pages(run)}) if pages_of(run).exists() else None


def hash_lines(files: Mapping[str, Iterator[str]]) -> str:
    digest = hashlib.sha256()
    for name, lines in files.items():
        digest.update(f"{name}\n".encode())
        for line in lines:
            digest.update(f"{line}\n".encode())
    return digest.hexdigest()


def describe_run(run: Run) -> dict[str, Any]:
    """Its evaluator, times, tokens and price; the parts of a price only where it is known in part, so that other runs
    have the same hash as in earlier versions."""
    spent = spent_by([run])[run.pk]
    parts = {"known_usd": spent.known_usd, "unpriced": list(spent.unpriced)}
    times = ("created_at", "started_at", "last_prediction_at", "finished_at")
    return {
        "evaluator": run.evaluator.name,
        "method": run.evaluator.method,
        "model": run.evaluator.model,
        "parameters": run.evaluator.parameters,
        **{name: at.isoformat() if (at := getattr(run, name)) else None for name in times},
        "tokens": spent.tokens,
        "cost_usd": spent.cost_usd,
        **(parts if spent.unpriced and spent.known_usd else {}),
    }


def _items(run: Run) -> Iterator[str]:
    rows = run.items.order_by("position").values_list("response__index", "state", "error", "skipped")
    for index, state, error, skipped in rows.iterator(CHUNK):
        named = "pending" if state == RunItem.State.WAITING else state
        yield json_line({"index": index, "state": named, "error": error, "skipped": skipped})


def _addressed(run: Run) -> PredictionQuerySet:
    """The predictions at known addresses: of segments, of judged facts, of the run's own facts."""
    judged = _judged_facts(run)
    gone = run.predictions.filter(fact__isnull=False).exclude(fact__fact_set__origin__in=_own_origins(run))
    elsewhere = [pk for pk, fact in gone.values_list("pk", "fact_id").iterator(CHUNK) if fact not in judged]
    return run.predictions.exclude(pk__in=elsewhere).in_reading_order()


def _judged_facts(run: Run) -> set[int]:
    return {fact for facts in judged_addresses(run.dataset).values() for fact, _ in facts}


def _own_origins(run: Run) -> list[str]:
    """Of facts that the bundle brings along, as no address of the dataset leads to them."""
    of_file = [FactSet.Origin.MODEL] if facts_of(run.evaluator.parameters) == FILE else []
    return [FactSet.Origin.GENERATED, *of_file]


def _predictions(run: Run) -> Iterator[str]:
    """In the format that `import_predictions` takes."""
    rows = _addressed(run).values_list(*ADDRESS, "value", "score", "rationale")
    for index, segment, fact, value, score, rationale in rows.iterator(CHUNK):
        yield json_line(
            {"index": index, "segment": segment, "fact": fact, "value": value, "score": score, "rationale": rationale}
        )


def _fallbacks(run: Run) -> Iterator[str]:
    rows = _addressed(run).exclude(fallback="").values_list(*ADDRESS, "fallback")
    for index, segment, fact, reason in rows.iterator(CHUNK):
        yield json_line({"index": index, "segment": segment, "fact": fact, "reason": reason})


def _facts(run: Run) -> Iterator[str]:
    """The facts that the run made for itself or took from the file, of the responses that it judged them in."""
    sets = FactSet.objects.filter(origin__in=_own_origins(run), facts__predictions__run=run)
    facts = AtomicFact.objects.filter(fact_set__in=sets.values("pk")).order_by(
        "segment__response__position", "segment__position", "position"
    )
    columns = facts.values_list(
        "segment__response__index",
        "segment__position",
        "position",
        "text",
        "fact_set__model",
        "fact_set__prompt_hash",
    )
    for index, segment, fact, text, model, prompt_hash in columns.iterator(CHUNK):
        yield json_line(
            {
                "index": index,
                "segment": segment,
                "fact": fact,
                "text": text,
                "model": model,
                "prompt_hash": prompt_hash,
            }
        )


def _claims(run: Run) -> Iterator[str]:
    """The claims that the method extracted, each with the units that say it, as pairs of segment and fact."""
    units = _aligned_units(run)
    columns = ("pk", "response__index", "position", "text", "value", "score", "rationale", "segment")
    rows = run.extracted_claims.in_reading_order().values_list(*columns)
    for key, index, position, text, value, score, rationale, segment in rows.iterator(CHUNK):
        yield json_line(
            {
                "index": index,
                "position": position,
                "text": text,
                "value": value,
                "score": score,
                "rationale": rationale,
                "segment": segment,
                "units": units.get(key, []),
            }
        )


def _aligned_units(run: Run) -> dict[int, list[list[int | None]]]:
    """By the key of a claim, at known addresses only."""
    judged = _judged_facts(run)
    rows = ClaimAlignment.objects.filter(claim__run=run).in_reading_order()
    columns = ("claim", "segment__position", "fact__position", "fact")
    units: dict[int, list[list[int | None]]] = defaultdict(list)
    for claim, segment, position, fact in rows.values_list(*columns).iterator(CHUNK):
        if fact is None or fact in judged:
            units[claim].append([segment, position])
    return units


def _has_calls(run: Run) -> bool:
    return answers_given([run], "calls").exists()


def _calls(run: Run) -> Iterator[str]:
    """By response the hashes of the requests whose answers it was given, in alphabetical order."""
    links = sorted(answers_given([run], "response__index", "calls__request_hash"))
    for index, of_response in groupby(links, itemgetter(0)):
        yield json_line({"index": index, "calls": [request_hash for _, request_hash in of_response]})


def _searches(run: Run) -> Iterator[str]:
    return map(json_line, describe_searches(run))


def _pages(run: Run) -> Iterator[str]:
    for page in describe_pages(run):
        line = json_line(page)
        if len(line.encode()) >= LONGEST_LINE:
            raise DataError(
                f"The page {page['url']} that {run.evaluator.name} read has more than {LONGEST_LINE // 1024**2} MB: "
                "export without searches."
            )
        yield line


def _answers(run: Run) -> Iterator[str]:
    """Every answer beside the address that was read from it. An import leaves them out: answers are only ever known
    from an endpoint of one's own."""
    columns = ("calls__served_model", "calls__answer", "calls__finish_reason")
    rows = _addressed(run).filter(calls__isnull=False).order_by("pk", "calls__pk").values_list(*ADDRESS, *columns)
    for index, segment, fact, model, answer, finish_reason in rows.iterator(CHUNK):
        yield json_line(
            {
                "index": index,
                "segment": segment,
                "fact": fact,
                "model": model,
                "answer": answer,
                "finish_reason": finish_reason,
            }
        )
