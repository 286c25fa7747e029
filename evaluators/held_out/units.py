"""What a board hands out: its units with their texts, without gold and without their split."""

from collections.abc import Iterator

from annotate.labels.rows import Address
from annotate.models.corpus import ResponseQuerySet
from core.chunks import in_chunks
from evaluators.methods.base import Case, Unit
from evaluators.models import HeldOutBoard
from evaluators.predictions.align import CHUNK
from evaluators.runs.cases import judgeable, read_cases


def responses_of(board: HeldOutBoard) -> ResponseQuerySet:
    """Of the board's prompts those that were there when it was opened, in their order."""
    prompts = [*board.hidden, *board.public]
    return judgeable(board.dataset).filter(prompt__in=prompts, imported__finished_at__lte=board.created_at)


def units_of(board: HeldOutBoard) -> Iterator[tuple[Case, Unit]]:
    """Those of a response stand together, in the order of the dataset."""
    for responses in in_chunks(responses_of(board).values_list("pk", flat=True), CHUNK):
        for case in read_cases(board.dataset, responses).values():
            for unit in case.units:
                yield case, unit


def lines_of(board: HeldOutBoard) -> Iterator[dict[str, object]]:
    """A line for each unit: its address, its text, and what it stands in; of a claim what it is judged by."""
    for case, unit in units_of(board):
        yield {
            "index": case.index,
            "segment": unit.segment,
            "fact": unit.fact,
            "text": unit.text,
            "prompt": case.prompt,
            "response": case.response,
            "domain": case.domain,
            "topic": case.topic,
            "subject": case.subject,
            **({"passages": case.passages_of(unit)} if case.of_claims else {}),
        }


def by_address(board: HeldOutBoard) -> dict[Address, Unit]:
    return {(case.index, unit.segment, unit.fact): unit for case, unit in units_of(board)}
