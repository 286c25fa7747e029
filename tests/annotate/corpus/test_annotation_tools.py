"""Exports of annotation tools go in by the recipes that the project ships. The files are in the forms that the tools
write, made for these tests."""

import json
from pathlib import Path
from typing import Any

import pytest

from annotate.corpus.rows import ResponseRow
from annotate.corpus.segmenting import segments_of
from core.errors import DataError
from tests.annotate.corpus.files import write_rows
from tests.annotate.corpus.test_shipped_recipes import read

PROMPT = "Which are odd?"
TEXT = "One is odd. Two is odd. Three too."
MARKED = ["supported", "not_supported", "supported"]


def values(row: ResponseRow) -> list[str | None]:
    return [segment.judged.value if segment.judged else None for segment in segments_of(row)]


def choice(value: str, person: str) -> dict[str, Any]:
    return {"value": value, "user_id": person}


SPAN = {"start": 12, "end": 15, "label": "False"}

DOCCANO = {"id": 5, "text": TEXT, "prompt": PROMPT, "Comments": []}
PRODIGY = {
    "text": TEXT,
    "meta": {"prompt": PROMPT},
    "_input_hash": 1,
    "_task_hash": 2,
    "_annotator_id": "lab-ada",
    "_timestamp": 1772000000,
}
ARGILLA = {
    "id": "5",
    "status": "completed",
    "_server_id": "0b1c",
    "fields": {"prompt": PROMPT, "text": TEXT},
    "metadata": {"model": "moon-1"},
    "suggestions": {"label": {"value": "false", "score": 0.5, "agent": "judge"}},
    "vectors": {},
}
POTATO = {"user_id": "ada", "instance_id": "5", "displayed_text": TEXT, "prompt": PROMPT, "behavioral_data": {}}


@pytest.mark.parametrize(
    ("recipe", "row"),
    [
        ("doccano-spans", {**DOCCANO, "label": [[12, 15, "hallucination"]]}),
        (
            "prodigy-spans",
            {**PRODIGY, "answer": "accept", "tokens": [], "spans": [{**SPAN, "token_start": 3, "token_end": 3}]},
        ),
        ("argilla-spans", {**ARGILLA, "responses": {"spans": [{"value": [SPAN], "user_id": "a"}]}}),
        (
            "potato-spans",
            {**POTATO, "span_annotations": [{"schema": "errors", "name": "Wrong", "start": 12, "end": 15}]},
        ),
    ],
)
def test_a_sentence_that_a_stretch_touches_has_its_label(tmp_path: Path, recipe: str, row: dict[str, Any]) -> None:
    (found,) = read(recipe, write_rows(tmp_path / "rows.jsonl", row))
    assert (found.prompt.text, found.text, values(found)) == (PROMPT, TEXT, MARKED)


@pytest.mark.parametrize(
    ("recipe", "row", "label"),
    [
        ("doccano-texts", {**DOCCANO, "label": ["Supported"]}, "supported"),
        ("doccano-texts", {**DOCCANO, "label": []}, None),
        ("doccano-texts", {**DOCCANO, "label": ["true", "FALSE"]}, None),
        ("prodigy-choices", {**PRODIGY, "answer": "accept", "options": [], "accept": ["FALSE"]}, "not_supported"),
        ("argilla-labels", {**ARGILLA, "responses": {"label": [choice("no", "a"), choice("No", "")]}}, "not_supported"),
        ("argilla-labels", {**ARGILLA, "responses": {"label": [choice("yes", "a"), choice("no", "b")]}}, None),
        ("potato-labels", {**POTATO, "label_annotations": {"factuality": {"correct": "true"}}}, "supported"),
    ],
)  # fmt: skip
def test_the_response_as_a_whole_has_a_label(
    tmp_path: Path, recipe: str, row: dict[str, Any], label: str | None
) -> None:
    (found,) = read(recipe, write_rows(tmp_path / "rows.jsonl", row))
    assert (found.prompt.text, values(found)) == (PROMPT, [label])


def test_rows_that_nobody_accepted_are_passed_over(tmp_path: Path) -> None:
    rows = [{**PRODIGY, "answer": answer, "spans": []} for answer in ("accept", "reject", "ignore")]
    assert len(read("prodigy-spans", write_rows(tmp_path / "rows.jsonl", *rows))) == 1
    rows = [{**ARGILLA, "status": status, "responses": {"label": []}} for status in ("completed", "discarded")]
    assert len(read("argilla-labels", write_rows(tmp_path / "records.jsonl", *rows))) == 1


def uima(**changes: Any) -> dict[str, Any]:
    """As INCEpTION exports a document: offsets count the code units of UTF-16."""
    text = "\N{CRESCENT MOON} " + TEXT
    return {
        "%TYPES": {"webanno.custom.Factuality": {"%NAME": "webanno.custom.Factuality"}},
        "%FEATURE_STRUCTURES": [
            {"%ID": 1, "%TYPE": "uima.cas.Sofa", "sofaID": "_InitialView", "sofaString": text},
            {
                "%ID": 2,
                "%TYPE": "de.tudarmstadt.ukp.dkpro.core.api.metadata.type.DocumentMetaData",
                "@sofa": 1,
                "begin": 0,
                "end": len(text) + 1,
                "documentTitle": "odd.txt",
            },
            {"%ID": 3, "%TYPE": "de.tudarmstadt.ukp.dkpro.core.api.segmentation.type.Token", "begin": 0, "end": 2},
            {"%ID": 4, "%TYPE": "webanno.custom.Factuality", "@sofa": 1, "begin": 15, "end": 18, "label": "False"},
        ],
        "%VIEWS": {"_InitialView": {"%SOFA": 1, "%INDEX": 2, "%MEMBERS": [2, 3, 4]}},
        **changes,
    }


def test_documents_of_inception(tmp_path: Path) -> None:
    for name in ("first", "second"):
        (tmp_path / f"{name}.json").write_text(json.dumps(uima(), indent=2))
    found = read("inception", tmp_path)
    assert [(row.prompt.text, values(row)) for row in found] == [("odd.txt", MARKED)] * 2
    assert segments_of(found[0])[1].extra["spans"][0]["kept"]["type"] == "webanno.custom.Factuality"


def test_a_document_of_uima_without_text_is_told(tmp_path: Path) -> None:
    path = tmp_path / "empty.json"
    path.write_text(json.dumps(uima(**{"%FEATURE_STRUCTURES": []})))
    with pytest.raises(DataError, match=r"empty\.json: the document of UIMA has no text"):
        read("inception", path)
