"""Rows and items that a recipe passes over, labels that another field decides, and rows that another file completes."""

from pathlib import Path

import pytest

from annotate.corpus.recipe_parser import parse_recipe, with_meanings
from annotate.corpus.unread import unread_keys
from core.errors import DataError
from tests.annotate.corpus.files import write_rows
from tests.annotate.corpus.recipes import claims_recipe, claims_row, fault_of, read_all, read_one, recipe_of


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "rows.jsonl"


def values(row):
    return [claim.judged and claim.judged.value for claim in row.claims]


@pytest.mark.parametrize(
    ("condition", "numbers"),
    [
        ({"at": "answer_is", "not": ["ignore"]}, [1, 3]),
        ({"at": "answer_is?", "is": ["accept", None]}, [1, 3]),
        ([{"at": "answer_is", "not": ["ignore"]}, {"at": "score", "is": [1]}], [1]),
        ({"at": "score", "is": ["1"]}, [1, 2]),
    ],
)
def test_rows_are_passed_over_by_a_condition(file, condition, numbers):
    kinds = [("accept", 1.0), ("ignore", "1,0"), ("accept", 0)]
    write_rows(file, *(claims_row(answer_is=said, score=score) for said, score in kinds))
    found = read_all(file, {**claims_recipe(), "where": condition})
    assert [number for number, _ in found] == numbers


def test_a_condition_on_a_missing_key_is_a_fault_of_the_row(file):
    write_rows(file, claims_row())
    assert fault_of(file, {**claims_recipe(), "where": {"at": "ok", "is": [True]}}) == "ok is missing"


def test_items_are_passed_over_by_a_condition(file):
    write_rows(file, claims_row())
    claims = {**claims_recipe()["responses"]["claims"], "where": {"at": "ok", "is": [True]}}
    assert values(read_one(file, claims_recipe(claims=claims))) == ["supported"]


@pytest.mark.parametrize(("sure", "expected"), [(False, ["no_label"] * 2), (True, ["supported", "not_supported"])])
def test_another_field_decides_in_place_of_the_label(file, sure, expected):
    label = {"at": "ok", "values": {"true": "supported", "false": "not_supported"}}
    label["unless"] = {"at": "^sure", "values": {"false": "no_label"}}
    claims = {"each": "claims.*", "text": "claim", "label": label}
    write_rows(file, claims_row(sure=sure))
    row = read_one(file, claims_recipe(claims=claims))
    assert [value or "no_label" for value in values(row)] == expected


def test_a_text_is_joined_of_several_fields_and_the_first_that_is_there_is_taken(file):
    text = {"join": ["subject", "verb", "object"]}
    claims = {"each": "claims.*", "text": text}
    write_rows(
        file, claims_row(claims=[{"subject": "The moon", "verb": "is", "object": "far."}], title="", name="Moon")
    )
    row = read_one(file, claims_recipe(claims=claims, topic={"first": ["title?", "name?", {"value": "none"}]}))
    assert ([claim.text for claim in row.claims], row.prompt.topic) == (["The moon is far."], "Moon")


def test_what_conditions_read_counts_as_read(file):
    label = {"at": "ok", "values": {"true": "supported"}, "unless": {"at": "sure", "values": {"false": "no_label"}}}
    claims = {"each": "claims.*", "where": {"at": "kind", "is": ["x"]}, "text": "claim", "label": label}
    recipe = recipe_of({**claims_recipe(claims=claims), "where": {"at": "said", "is": ["x"]}})
    row = claims_row(said="x", claims=[{"claim": "It is.", "ok": True, "sure": True, "kind": "x", "more": 1}])
    assert unread_keys(recipe, [(1, row)]) == ["claims.*.more"]


def test_meanings_are_not_given_to_what_decides_in_place_of_a_label():
    label = {"at": "ok", "values": {"a": "supported"}, "unless": {"at": "sure", "values": {"false": "no_label"}}}
    assert with_meanings(label, {"b": "no_label"}) == {**label, "values": {"a": "supported", "b": "no_label"}}


def joined(**changes):
    response = {"prompt": "question", "text": "answer"}
    return {
        "recipe": 1,
        "title": "Two files",
        "file": "answers.jsonl",
        "join": {"file": "questions.jsonl", "by": "qid"},
        "responses": response,
        **changes,
    }


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write_rows(tmp_path / "answers.jsonl", {"qid": 1, "answer": "Yes."}, {"qid": 3, "answer": "No."})
    write_rows(tmp_path / "questions.jsonl", {"qid": "1", "question": "Is it?", "answer": "not this"}, {"qid": "2"})
    return tmp_path


def test_rows_are_completed_by_another_file_of_the_folder(folder):
    (_, row), (number, fault) = read_all(folder, joined())
    assert (row.prompt.text, row.text) == ("Is it?", "Yes.")
    assert (number, str(fault)) == (2, "questions.jsonl has no row whose qid is '3'")


def test_the_other_file_may_call_its_key_otherwise(folder):
    write_rows(folder / "questions.jsonl", {"id": 1, "question": "Is it?"}, {"id": 3, "question": "Was it?"})
    document = joined(join={"file": "questions.jsonl", "by": "qid", "there": "id"})
    assert [row.prompt.text for _, row in read_all(folder, document)] == ["Is it?", "Was it?"]
    assert unread_keys(recipe_of(document), [(1, {"qid": 1, "id": 1, "question": "Is it?", "answer": "Yes."})]) == []


@pytest.mark.parametrize(
    ("rows", "cause"),
    [
        ([{"qid": 1}, {"qid": "1"}], "questions.jsonl, line 2: the qid '1' stands twice"),
        ([{"question": "Is it?"}], "questions.jsonl, line 1: the key 'qid' is missing"),
    ],
)
def test_a_file_that_completes_none_is_told(folder, rows, cause):
    write_rows(folder / "questions.jsonl", *rows)
    with pytest.raises(DataError, match=cause):
        read_all(folder, joined())


def test_a_file_that_is_not_in_the_folder_is_told(folder):
    with pytest.raises(DataError, match=r"has no file other\.jsonl, which the recipe names"):
        read_all(folder, joined(file="other.jsonl"))


@pytest.mark.parametrize(
    ("changes", "cause"),
    [
        ({"where": {"at": "a"}}, "where of the recipe must have is or not"),
        ({"where": {"at": "a", "is": [], "not": []}}, "where of the recipe must have is or not"),
        ({"file": "../x"}, "file of the recipe must be the name of a file in the folder"),
        ({"join": {"file": "b", "by": "id"}}, "name it as file"),
        ({"responses": {"prompt": {"first": [{"join": ["a"]}]}, "text": "b"}}, "must be a list of paths"),
    ],
)
def test_conditions_that_are_none_are_refused(changes, cause):
    with pytest.raises(DataError, match=cause):
        parse_recipe({"recipe": 1, "title": "t", "responses": {"prompt": "a", "text": "b"}, **changes})
