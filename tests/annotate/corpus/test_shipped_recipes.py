"""Recipes that were never tried on their files read rows that are as the descriptions say."""

import json
from pathlib import Path

import pytest

from annotate.corpus.checking import FormatReader
from annotate.corpus.find_recipe import shipped_recipes
from annotate.corpus.formats import mapped_format
from annotate.corpus.rows import PassageRow, ResponseRow
from annotate.corpus.segmenting import segments_of
from tests.annotate.corpus.files import write_rows

SPAN = {"start": 31, "end": 39, "text": "It sings", "label_type": "Evident Baseless Info", "implicit_true": False}


def read(name: str, path: Path) -> list[ResponseRow]:
    found = [row for _, row in FormatReader(path, mapped_format(shipped_recipes()[name]), "")]
    assert all(isinstance(row, ResponseRow) for row in found), found
    return found  # type: ignore[return-value]


def values(row: ResponseRow) -> list[str | None]:
    return [segment.judged.value if segment.judged else None for segment in segments_of(row)]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "rows.jsonl"


def test_ragtruth(file: Path) -> None:
    response = {
        "id": "1",
        "source_id": "7",
        "model": "moon-1",
        "labels": [SPAN],
        "quality": "good",
        "response": "The moon goes round the earth. It sings.",
        "prompt": "Sum it up.",
        "task_type": "Summary",
    }
    (row,) = read("ragtruth", write_rows(file, response))
    assert (row.index, row.subject, row.prompt.domain) == ("1", "moon-1", "Summary")
    assert values(row) == ["supported", "not_supported"]
    assert segments_of(row)[1].extra["spans"][0]["kept"]["text"] == "It sings"


def test_ragtruth_as_its_two_files(tmp_path: Path) -> None:
    text = "The moon goes round the earth. It sings. It is far."
    far = {"start": 41, "end": 50, "text": "It is far", "label_type": "Subtle Baseless Info", "implicit_true": True}
    spans = [SPAN, far]
    responses = [
        {"id": str(number), "source_id": str(number), "model": "moon-1", "labels": spans, "response": text}
        for number in (1, 2)
    ]
    sources = [
        {"source_id": 2, "task_type": "QA", "source": "M", "prompt": "Why?", "source_info": {"passages": "It orbits."}},
        {"source_id": 1, "task_type": "Data2txt", "source": "Y", "prompt": "Tell.", "source_info": {"name": "Moon"}},
    ]
    write_rows(tmp_path / "response.jsonl", *responses)
    write_rows(tmp_path / "source_info.jsonl", *sources)
    told, why = read("ragtruth", tmp_path)
    assert [(row.prompt.text, row.prompt.domain, row.references[0].content) for row in (told, why)] == [
        ("Tell.", "Data2txt", '{"name": "Moon"}'),
        ("Why?", "QA", "It orbits."),
    ]
    assert values(why) == ["supported", "not_supported", "supported"]


def test_llm_aggrefact(file: Path) -> None:
    rows = [{"dataset": "News", "doc": "It is far.", "claim": f"Claim {label}.", "label": label} for label in (1, 0)]
    one, other = read("llm-aggrefact", write_rows(file, *rows))
    assert (values(one), values(other)) == (["supported"], ["not_supported"])
    assert (one.text, one.prompt.text, one.prompt.domain) == ("Claim 1.", "", "News")
    assert [passage.text for passage in segments_of(one)[0].passages] == ["It is far."]


def test_fever(file: Path) -> None:
    rows = [
        {
            "id": number,
            "verifiable": "V",
            "label": label,
            "claim": "The moon is far.",
            "evidence": [[[1, 2, "Moon", 0]]],
        }
        for number, label in enumerate(("SUPPORTS", "REFUTES", "NOT ENOUGH INFO"))
    ]
    rows[0]["passages"] = [{"text": "The moon is 384,000 km away.", "title": "Moon"}]
    found = read("fever", write_rows(file, *rows))
    assert [values(row) for row in found] == [["supported"], ["not_supported"], ["not_enough_evidence"]]
    assert [segments_of(row)[0].passages for row in found] == [
        (PassageRow("The moon is 384,000 km away.", "Moon"),),
        (),
        (),
    ]
    assert [row.index for row in found] == ["0", "1", "2"]


def test_halueval(file: Path) -> None:
    row = {"knowledge": "It is far.", "question": "Is it?", "right_answer": "Yes", "hallucinated_answer": "No"}
    right, wrong = read("halueval-qa", write_rows(file, row))
    assert (right.text, values(right), wrong.text, values(wrong)) == ("Yes", ["supported"], "No", ["not_supported"])


def test_safe(tmp_path: Path) -> None:
    statements = [
        {
            "sentence": "It is far.",
            "atomic_fact": "It is far.",
            "self_contained_atomic_fact": "The moon is far.",
            "relevance_data": None,
            "rate_data": None,
            "annotation": annotation,
        }
        for annotation in ("Supported", "Not Supported", "Irrelevant")
    ]
    result = {"prompt": "What is the moon?", "side1_response": "The moon is far. It sings.", "side2_response": ""}
    result["side1_posthoc_eval_data"] = {"checked_statements": statements, "Supported": 1}  # type: ignore[assignment]
    path = tmp_path / "result.json"
    path.write_text(json.dumps({"side_1": "moon-1", "per_prompt_data": [result]}, indent=2))
    (row,) = read("safe", path)
    assert [claim.judged.value for claim in row.claims if claim.judged] == ["supported", "not_supported", "irrelevant"]
