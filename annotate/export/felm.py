"""Rows as FELM publishes them. What an import kept in `extra` gives back the shapes of its empty fields."""

from collections.abc import Iterable, Iterator, Sequence

from annotate.corpus.felm import SNAPSHOTS
from annotate.export.export_format import ExportFormat
from annotate.export.read import Asked, ExportSentence, LeftOut, sentences_of
from annotate.links.frozen import frozen_pages
from annotate.models import GoldLabel, Response, Scheme
from annotate.models.values import FELM_SPELLING, ErrorType, Value
from core.json_lines import json_line


def export_felm(asked: Asked) -> Iterator[str]:
    """One JSON line a response. A response is left out while a segment of it has no gold: the format needs a label."""
    return felm_lines(asked.read(), asked.left_out)


def felm_lines(responses: Iterable[Response], left_out: LeftOut) -> Iterator[str]:
    """The lines of responses that read_responses gave."""
    for response in responses:
        sentences = sentences_of(response)
        gold = [sentence.gold for sentence in sentences if sentence.gold is not None]
        if len(gold) < len(sentences) or not sentences:
            left_out(response.index, "not every segment has gold")
            continue
        yield json_line(_row(response, sentences, gold))


def _row(response: Response, sentences: Sequence[ExportSentence], gold: Sequence[GoldLabel]) -> dict[str, object]:
    """`snapshots` is there only where a page that gold cites was frozen."""
    references = list(response.references.all())
    frozen = [
        {"segment": sentence.segment.position, **page}
        for sentence, label in zip(sentences, gold, strict=True)
        for page in frozen_pages(label.references.all())
    ]
    return {
        "index": int(response.index) if response.extra.get("index") == "number" else response.index,
        "domain": response.prompt.domain,
        "source": response.prompt.source,
        "prompt": response.prompt.text,
        "response": response.text,
        "segmented_response": [sentence.segment.text for sentence in sentences],
        "labels": [label.value == Value.SUPPORTED for label in gold],
        "comment": _list_or_blank(response, "comment", [label.reason for label in gold]),
        "type": _list_or_blank(response, "type", [_type(*pair) for pair in zip(sentences, gold, strict=True)]),
        "ref": _list_or_blank(response, "ref", [link.url for link in references if link.url is not None]),
        "ref_contents": _list_or_blank(
            response, "ref_contents", [link.content for link in references if link.content is not None]
        ),
        **({SNAPSHOTS: frozen} if frozen else {}),
    }


def _type(sentence: ExportSentence, gold: GoldLabel) -> str | None:
    """The file's spelling of the error type; where there is none null, or "" if the file had that."""
    error_type = gold.error_type or (ErrorType.IRRELEVANT if gold.value == Value.IRRELEVANT else "")
    if not error_type:
        blank: str | None = sentence.segment.extra.get("type")
        return blank
    return FELM_SPELLING.get(ErrorType(error_type), error_type) if error_type in ErrorType.values else error_type


def _list_or_blank(response: Response, key: str, items: Sequence[str | None]) -> str | Sequence[str | None]:
    """The list; while there is nothing in it, as the file wrote that: "" or []."""
    return items if any(items) else response.extra.get(key, items)


FORMAT = ExportFormat("felm", export_felm, Scheme.FELM)
