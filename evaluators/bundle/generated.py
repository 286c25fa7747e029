"""Facts that an imported run made for itself: stored as facts generated here are (fact_generation/storage.py)."""

from collections import defaultdict
from pathlib import Path

from annotate.labels.rows import Address
from annotate.models import AtomicFact, Dataset, FactSet
from core.errors import DataError
from evaluators.bundle.run_rows import GeneratedFactRow, read_facts
from evaluators.predictions.align import Place, places_of

# By the index of a response, the model and the hash of its prompt.
Key = tuple[str, str, str]


def keep_generated(dataset: Dataset, folder: Path) -> dict[Address, Place]:
    """The place of each fact in this database; new facts are stored.

    DataError: the same model and prompt made other facts here, or a segment is not in the dataset.
    """
    rows: defaultdict[Key, list[GeneratedFactRow]] = defaultdict(list)
    for row in read_facts(folder):
        rows[row.address[0], row.model, row.prompt_hash].append(row)
    segments = places_of(dataset, {index for index, _, _ in rows})
    places: dict[Address, Place] = {}
    for key, of_response in rows.items():
        places |= _keep(key, of_response, segments)
    return places


def _keep(key: Key, rows: list[GeneratedFactRow], segments: dict[Address, Place]) -> dict[Address, Place]:
    index, model, prompt_hash = key
    for row in rows:
        if (index, row.address[1], None) not in segments:
            raise DataError(f"facts.jsonl: segment {row.address[1]} of response {index!r} is not in the dataset.")
    response = segments[index, rows[0].address[1], None].response
    fact_set, new = FactSet.objects.get_or_create(
        response_id=response, origin=FactSet.Origin.GENERATED, model=model, prompt_hash=prompt_hash
    )
    if new:
        AtomicFact.objects.bulk_create(
            AtomicFact(
                fact_set=fact_set,
                segment_id=segments[index, row.address[1], None].segment,
                position=row.address[2] or 0,
                text=row.text,
            )
            for row in rows
        )
    columns = fact_set.facts.values_list("segment__position", "position", "text", "segment", "pk")
    there = {(segment, position): (text, key, fact) for segment, position, text, key, fact in columns}
    imported = {(row.address[1], row.address[2]): row.text for row in rows}
    if imported != {address: text for address, (text, _, _) in there.items()}:
        raise DataError(f"facts.jsonl: {model} made other facts of response {index!r} here with the same prompt.")
    return {
        (index, segment, position): Place(response, key, fact) for (segment, position), (_, key, fact) in there.items()
    }
