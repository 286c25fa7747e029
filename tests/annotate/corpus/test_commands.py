import json

import pytest
from django.core.management import CommandError, call_command

from annotate.models import Dataset, Import, Response
from tests.annotate.corpus.files import factscore_row, felm_row, write_rows
from tests.annotate.corpus.recipes import claims_recipe, claims_row, sentences_recipe, sentences_row
from tests.factories import make_person

pytestmark = pytest.mark.django_db


@pytest.fixture
def file(tmp_path):
    return tmp_path / "rows.jsonl"


def test_import_prints_one_json_document(file, capsys):
    write_rows(file, felm_row(response=float("nan")))
    call_command("import_dataset", "moon", str(file), "--format", "felm", "--json")
    assert json.loads(capsys.readouterr().out) == {
        "dataset": "moon",
        "created": 1,
        "unchanged": 0,
        "warnings": [{"line": 1, "message": "response is NaN: its segments, joined by one space, stand for it"}],
        "mapped": None,
    }


def test_a_file_is_imported_by_the_recipe_of_another_file(file, tmp_path, capsys):
    recipe = tmp_path / "moon.json"
    recipe.write_text(json.dumps(claims_recipe()))
    write_rows(file, claims_row(colour="grey"))
    call_command("import_dataset", "moon", str(file), "--recipe", str(recipe), "--subject", "moon-1", "--json")
    assert json.loads(capsys.readouterr().out)["mapped"] == {
        "units": 2,
        "outcomes": {"not_supported": 1, "supported": 1},
        "claims": 2,
        "aligned": 2,
        "share_aligned": 1.0,
        "evidence": 0,
        "references": 0,
        "passages": 0,
        "unread": ["colour"],
    }
    assert Response.objects.get().subject == "moon-1"
    assert Import.objects.get().recipe == claims_recipe()


def test_the_command_says_what_a_recipe_makes_of_the_file(file, capsys):
    write_rows(file, sentences_row(), {**sentences_row(), "id": 8})
    document = {**sentences_recipe(), "where": {"at": "id", "not": [8]}}
    make_person("dora").recipes.create(name="moon", document=document)
    call_command("import_dataset", "moon", str(file), "--recipe", "moon")
    assert capsys.readouterr().out == (
        "moon: 1 created, 0 unchanged\n"
        "3 units: 1 supported, 1 not enough evidence, 1 not checkworthy\n"
        "evidence: 1 with judgements, 2 with responses\n"
        "1 row left out by the recipe's condition\n"
    )


@pytest.mark.parametrize(
    ("recipe", "cause"),
    [
        ("moon", "Several people have a recipe 'moon': export the right one and name its file."),
        ("sun", "There is no recipe 'sun'; shipped are argilla-labels, argilla-spans, doccano-spans, "),
        ("sun.json", "sun.json: there is no such file."),
    ],
)
def test_a_recipe_that_cannot_be_found_is_named(file, recipe, cause):
    for name in ("dora", "dan"):
        make_person(name).recipes.create(name="moon", document=sentences_recipe())
    with pytest.raises(CommandError) as error:
        call_command("import_dataset", "moon", str(write_rows(file, sentences_row())), "--recipe", recipe)
    assert str(error.value).startswith(cause)


def test_a_dry_run_stores_nothing(file, capsys):
    write_rows(file, felm_row())
    call_command("import_dataset", "moon", str(file), "--format", "felm", "--dry-run")
    assert capsys.readouterr().out == "moon: 1 would be created, 0 unchanged\n"
    assert not Dataset.objects.exists()


def test_a_file_is_exported_whole_to_its_place(file, tmp_path):
    write_rows(file, felm_row())
    call_command("import_dataset", "moon", str(file), "--format", "felm")
    output = tmp_path / "out.jsonl"
    output.write_text("before")
    call_command("export_dataset", "moon", "--format", "felm", "--output", str(output))

    assert json.loads(output.read_text()) == felm_row()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out.jsonl", "rows.jsonl"]


def test_an_export_that_fails_leaves_the_file_that_was_there(file, tmp_path):
    for subject in ("one", "two"):
        write_rows(file, factscore_row())
        call_command("import_dataset", "lives", str(file), "--format", "factscore", "--subject", subject)
    output = tmp_path / "out.jsonl"
    output.write_text("before")
    with pytest.raises(CommandError, match="several subjects"):
        call_command("export_dataset", "lives", "--format", "factscore", "--output", str(output))

    assert output.read_text() == "before"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out.jsonl", "rows.jsonl"]


def test_an_unknown_dataset_cannot_be_exported():
    with pytest.raises(CommandError, match="there is no dataset 'moon'"):
        call_command("export_dataset", "moon", "--format", "csv")


def felm_line(**changes: object) -> bytes:
    return json.dumps(felm_row(**{"index": "8", **changes})).encode() + b"\n"


@pytest.mark.parametrize(
    ("second_line", "cause"),
    [
        (b'{"index": "\xff"}\n', "not UTF-8 text"),
        (b"index;domain\n", "not JSON"),
        (felm_line()[:-40], "the file may be cut off here"),
        (b"{}\n", "the key 'index' is missing"),
        (felm_line(colour="red"), "unknown key 'colour'"),
        (felm_line(labels=[True]), "labels has 1 items, segmented_response 2"),
        (felm_line(labels=["true", "false"]), "must be true or false"),
        (felm_line(prompt=float("nan")), "prompt must be text, not NaN"),
        (felm_line(prompt="\0"), "NUL character"),
        (felm_line(comment=["", "\udc00"]), "half of a surrogate pair"),
        (felm_line(index="7"), "the index '7' is already that of line 1"),
        (felm_line(index=10**500), "index has 501 characters"),
        (felm_line().replace(b'"8"', b"9" * 5000), "a number has too many digits"),
        (felm_line(source=json.loads("[" * 40 + "]" * 40)), "source must be text, not a list"),
        (felm_line().replace(b'"8"', b"[" * 20_000 + b"]" * 20_000), "brackets are nested too deeply"),
        (felm_line(source="x" * 11 * 1024**2), "longer than 10 MB"),
        (felm_line()[:-2] + b', "index": "9"}\n', "the key 'index' stands twice"),
        (b"PK\x03\x04" + bytes(100), "this is a zip archive"),
    ],
)
def test_a_bad_line_is_named_and_the_database_is_as_it_was(file, second_line, cause):
    file.write_bytes(json.dumps(felm_row()).encode() + b"\n" + second_line)
    with pytest.raises(CommandError) as caught:
        call_command("import_dataset", "moon", str(file), "--format", "felm", "--json")

    message = str(caught.value)
    assert message.startswith("rows.jsonl, line 2: ")
    assert cause in message
    assert "\n" not in message
    for model in (Dataset, Import, Response):
        assert not model.objects.exists()
