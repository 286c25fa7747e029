"""Claims with their passages and gold, in the form that the format claims imports."""

from collections.abc import Iterable, Iterator

from annotate.export.export_format import ExportFormat
from annotate.export.read import Asked, cited_by
from annotate.models import GoldLabel, Response, Scheme, Segment, SourcePassage
from core.json_lines import json_line


def export_claims(asked: Asked) -> Iterator[str]:
    """One JSON line a response; a claim without gold has the label null."""
    return claim_lines(asked.read())


def claim_lines(responses: Iterable[Response]) -> Iterator[str]:
    """The lines of responses that read_responses gave."""
    return (json_line(_row(response)) for response in responses)


def _row(response: Response) -> dict[str, object]:
    """A claim that stands alone has no `response`: that is the claim."""
    prompt, claims = response.prompt, list(response.segments.all())
    about = {
        "prompt": prompt.text,
        "domain": prompt.domain,
        "source": prompt.source,
        "topic": prompt.topic,
        "subject": response.subject,
    }
    row: dict[str, object] = {"index": response.index, **{key: value for key, value in about.items() if value}}
    if len(claims) == 1 and claims[0].text == response.text:
        return row | _claim(claims[0])
    return row | {"response": response.text, "claims": [_claim(claim) for claim in claims]}


def _claim(claim: Segment) -> dict[str, object]:
    then: list[GoldLabel] = claim.gold_then  # type: ignore[attr-defined]  # set by read_responses
    gold = next(iter(then), None)
    row: dict[str, object] = {"claim": claim.text, "label": gold.value if gold else None}
    if gold and gold.reason:
        row["reason"] = gold.reason
    if gold and (cited := cited_by(gold)):
        row["references"] = cited
    return row | {"passages": [_passage(each.passage) for each in claim.passages.all()]}


def _passage(passage: SourcePassage) -> dict[str, str]:
    about = {"title": passage.title, "url": passage.url}
    return {"text": passage.text, **{key: value for key, value in about.items() if value}}


FORMAT = ExportFormat("claims", export_claims, Scheme.CLAIMS)
