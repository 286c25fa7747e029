"""Samples of inspect_ai (inspect.aisi.org.uk/datasets.html): a response with its numbered units to be judged."""

from collections.abc import Iterator
from typing import Any

from annotate.export.export_format import ExportFormat
from annotate.export.judged_units import judged_units
from annotate.export.read import Asked, sentences_of
from annotate.models import Dataset, Scheme, Segment
from core.json_lines import json_line


def export_inspect(asked: Asked) -> Iterator[str]:
    """One JSON line a response, for `json_dataset`. `target` and `metadata.units` have one item a unit, in reading
    order; a unit without gold has the target "". A response is left out where nothing of it is judged."""
    for response in asked.read():
        units: list[dict[str, Any]] = [
            {
                "segment": sentence.segment.position,
                "fact": fact.position if fact else None,
                "text": (fact or sentence.segment).text,
                "gold": gold.value if gold else None,
                **_passages(asked.dataset, sentence.segment),
            }
            for sentence in sentences_of(response)
            for fact, gold in judged_units(asked.dataset, sentence)
        ]
        if not units:
            asked.left_out(response.index, "it has nothing to judge")
            continue
        numbered = "\n".join(_numbered(number, unit) for number, unit in enumerate(units, start=1))
        yield json_line(
            {
                "id": response.index,
                "input": f"Prompt:\n{response.prompt.text}\n\nResponse:\n{response.text}\n\nUnits:\n{numbered}",
                "target": [unit["gold"] or "" for unit in units],
                "metadata": {
                    "prompt": response.prompt.text,
                    "response": response.text,
                    "subject": response.subject,
                    "domain": response.prompt.domain,
                    "units": units,
                },
            }
        )


def _passages(dataset: Dataset, segment: Segment) -> dict[str, list[str]]:
    """What a claim is judged by; nothing for other units."""
    if dataset.scheme != Scheme.CLAIMS:
        return {}
    return {"passages": [each.passage.text for each in segment.passages.all()]}


def _numbered(number: int, unit: dict[str, Any]) -> str:
    """The unit with its number, below it what it is judged by."""
    return "\n".join([f"{number}. {unit['text']}", *(f"Passage: {text}" for text in unit.get("passages", ()))])


FORMAT = ExportFormat("inspect", export_inspect)
