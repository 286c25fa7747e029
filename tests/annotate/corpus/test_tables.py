"""Responses without labels, from every form of file, and the faults of many rows at once."""

import csv
import json

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command

from annotate.corpus.importing import import_file
from annotate.models import AtomicFact, Dataset, GoldLabel, Import, Response, Segment
from core.errors import FaultsError
from tests.annotate.corpus.files import factscore_row, felm_row, sentence, write_rows
from tests.annotate.corpus.test_pages import send
from tests.core.rows.test_forms import write_workbook
from tests.factories import make_dataset, make_person

pytestmark = pytest.mark.django_db

SEA = {
    "index": "sea",
    "prompt": "Why is the sea salty?",
    "response": "Rain dissolves minerals. Rivers carry them.",
    "domain": "science",
    "segments": ["Rain dissolves minerals.", "Rivers carry them."],
    "references": ["https://example.org/sea"],
}
SKY = {"index": "sky", "prompt": "Why is the sky blue?", "response": "Blue light is scattered."}


def without(row, *keys):
    return {key: value for key, value in row.items() if key not in keys}


def write_as(form, path, rows):
    """The rows in that form; a table has empty cells for what a row lacks."""
    columns = list(dict.fromkeys(key for row in rows for key in row))
    if form == "lines":
        write_rows(path, *rows)
    elif form == "array":
        path.write_text(json.dumps(rows))
    elif form == "parquet":
        pq.write_table(pa.table({key: [row.get(key) for row in rows] for key in columns}), path)
    else:
        with path.open("w", newline="") as file:
            writer = csv.DictWriter(file, columns)
            writer.writeheader()
            for row in rows:
                writer.writerow({key: json.dumps(row[key]) if isinstance(row[key], list) else row[key] for key in row})
    return path


FORMS = {"lines": "jsonl", "array": "json", "csv": "csv", "parquet": "parquet"}


@pytest.mark.parametrize("form", FORMS)
def test_responses_of_ones_own_go_in_from_every_form_of_file(tmp_path, form):
    path = write_as(form, tmp_path / f"rows.{FORMS[form]}", [SEA, SKY])
    assert import_file(path, "own", "responses").created == 2

    sea, sky = Response.objects.order_by("position")
    assert (sea.index, sea.prompt.domain, sea.references.get().url) == ("sea", "science", "https://example.org/sea")
    assert [segment.text for segment in sea.segments.all()] == SEA["segments"]
    assert [segment.text for segment in sky.segments.all()] == ["Blue light is scattered."]
    assert not GoldLabel.objects.exists()


def test_the_same_rows_in_another_form_are_unchanged(tmp_path):
    for form, ending in FORMS.items():
        result = import_file(write_as(form, tmp_path / f"rows.{ending}", [SEA, SKY]), "own", "responses")
        assert result.created == (2 if form == "lines" else 0)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("missing", [("labels",), ("labels", "comment", "type", "ref", "ref_contents")])
def test_a_felm_file_without_labels_is_to_be_labelled(tmp_path, form, missing):
    row = without(felm_row(comment=[], type=[]), *missing)
    import_file(write_as(form, tmp_path / f"rows.{FORMS[form]}", [row]), "moon", "felm")

    assert [segment.text for segment in Segment.objects.all()] == row["segmented_response"]
    assert not GoldLabel.objects.exists()


def test_a_felm_file_whose_labels_are_null_or_empty_is_to_be_labelled(tmp_path):
    rows = [felm_row("1", labels=None, comment=[], type=None), felm_row("2", labels=[], comment="", type="")]
    import_file(write_rows(tmp_path / "rows.jsonl", *rows), "moon", "felm")
    assert (Response.objects.count(), GoldLabel.objects.count()) == (2, 0)


def test_a_felm_row_without_segments_is_cut_into_sentences(tmp_path):
    row = without(felm_row(), "segmented_response", "labels", "comment", "type", "ref", "ref_contents")
    import_file(write_rows(tmp_path / "rows.jsonl", row), "moon", "felm")
    assert [segment.text for segment in Segment.objects.all()] == [
        "The moon goes round the earth.",
        "It is made of cheese.",
    ]


def test_labelled_and_unlabelled_rows_may_stand_in_one_file(tmp_path):
    row = felm_row("8", labels=None, comment=None, type=None)
    import_file(write_rows(tmp_path / "rows.jsonl", felm_row(), row), "moon", "felm")
    assert set(GoldLabel.objects.values_list("segment__response__index", flat=True)) == {"7"}


@pytest.mark.parametrize("form", FORMS)
def test_a_factscore_file_without_annotations_is_to_be_broken_into_facts(tmp_path, form):
    row = without(factscore_row(), "annotations")
    import_file(write_as(form, tmp_path / f"rows.{FORMS[form]}", [row]), "lives", "factscore", "model")

    response = Response.objects.get()
    assert (response.index, response.abstained, response.prompt.frequency) == ("model/Ada Byron", False, "rare")
    assert [segment.text for segment in response.segments.all()] == [
        "Ada Byron wrote the first program.",
        "Ask me more.",
    ]


def test_facts_without_labels_are_kept_and_have_no_gold(tmp_path):
    facts = {**sentence("Ada wrote."), "human-atomic-facts": [{"text": "Ada wrote."}]}
    row = factscore_row(annotations=[facts, sentence("She sang.", human=[("She sang.", "S")])])
    import_file(write_rows(tmp_path / "rows.jsonl", row), "lives", "factscore", "model")

    assert list(AtomicFact.objects.values_list("text", flat=True)) == ["Ada wrote.", "She sang."]
    assert GoldLabel.objects.get().fact.text == "She sang."


def test_sentences_of_which_no_facts_are_named_are_no_abstention(tmp_path):
    row = factscore_row(annotations=[{"text": "Ada wrote.", "is-relevant": True}])
    import_file(write_rows(tmp_path / "rows.jsonl", row), "lives", "factscore", "model")
    assert not Response.objects.get().abstained


def test_a_list_in_a_cell_may_be_written_an_item_a_line(tmp_path):
    path = tmp_path / "rows.csv"
    path.write_text('prompt;response;segments\nWhy?;"One. Two.";"One.\nTwo."\n')
    import_file(path, "own", "responses")
    assert [segment.text for segment in Segment.objects.all()] == ["One.", "Two."]


def test_a_cell_that_begins_as_json_and_is_none_is_a_fault(tmp_path):
    path = tmp_path / "rows.csv"
    path.write_text("prompt,response,segments\nWhy?,One.,['One.']\n")
    with pytest.raises(FaultsError, match=r"rows.csv, row 2: segments begins as JSON and is none"):
        import_file(path, "own", "responses")


def test_up_to_twenty_faults_are_listed_and_nothing_is_stored(tmp_path):
    rows = [felm_row(str(n), colour="red") if n % 2 else felm_row(str(n)) for n in range(60)]
    with pytest.raises(FaultsError) as caught:
        import_file(write_rows(tmp_path / "rows.jsonl", *rows), "moon", "felm")

    # Index n stands in line n + 1: the odd ones in lines 2, 4 … 40.
    assert caught.value.found == tuple((line, "unknown key 'colour'") for line in range(2, 41, 2))
    assert caught.value.is_cut
    for model in (Dataset, Import, Response):
        assert not model.objects.exists()


def test_faults_of_different_kinds_come_in_the_order_of_their_lines(tmp_path):
    path = write_rows(tmp_path / "rows.jsonl", felm_row(), felm_row(), {}, felm_row("9", labels=[True]))
    path.write_bytes(path.read_bytes() + b"rubbish\n")
    with pytest.raises(FaultsError) as caught:
        import_file(path, "moon", "felm")
    assert caught.value.found == (
        (2, "the index '7' is already that of line 1"),
        (3, "the key 'index' is missing"),
        (4, "labels has 1 items, segmented_response 2"),
        (5, "not JSON: Expecting value (character 1)"),
    )


def test_rows_that_are_there_with_other_content_are_all_named(tmp_path):
    path = tmp_path / "rows.jsonl"
    import_file(write_rows(path, felm_row("1"), felm_row("2"), felm_row("3")), "moon", "felm")
    write_rows(path, felm_row("1"), felm_row("2", prompt="What?"), felm_row("3", prompt="What?"))
    with pytest.raises(FaultsError) as caught:
        import_file(path, "moon", "felm")
    assert [line for line, _ in caught.value.found] == [2, 3]


def test_the_command_names_all_faults_in_one_line(tmp_path):
    path = write_rows(tmp_path / "rows.jsonl", {}, {}, felm_row(), {}, felm_row("8", labels=[True]))
    with pytest.raises(CommandError) as caught:
        call_command("import_dataset", "moon", str(path), "--format", "felm")
    assert str(caught.value) == (
        "rows.jsonl, line 1: the key 'index' is missing (also line 2, 4); "
        "line 5: labels has 1 items, segmented_response 2"
    )


def test_a_file_that_breaks_off_after_faults_names_both(tmp_path):
    path = tmp_path / "rows.csv"
    path.write_bytes(b'prompt,response\nWhy?\nHow?,So.\nWhat?,"x" y\n')
    with pytest.raises(FaultsError) as caught:
        import_file(path, "own", "responses")
    assert caught.value.found == ((2, "1 cells, where the first row names 2 columns"),)
    assert caught.value.last.startswith("rows.csv, row 4: not CSV")


def test_the_page_lists_the_faults_with_their_rows(client):
    client.force_login(make_person("dora", make_dataset("moon"), "adjudicator"))
    page = send(
        client,
        file=SimpleUploadedFile("rows.csv", b"prompt,response\nWhy?,\n,So.\n"),
        format="responses",
    )
    assert page.status_code == 422
    assert page.context["faults"].found == ((2, "response is empty"), (3, "prompt is empty"))
    assert "<td>response is empty</td>" in page.content.decode()
    assert not Response.objects.exists()


def test_a_csv_file_leads_to_its_preview(client):
    client.force_login(make_person("dora", make_dataset("moon"), "adjudicator"))
    sent = send(client, file=SimpleUploadedFile("rows.csv", b"prompt,response\nWhy?,So.\n"), format="responses")
    assert "Why?" in client.get(sent.url).content.decode()


def test_what_was_guessed_of_a_file_is_told_in_its_preview(client):
    """A table of a data frame with row numbers, saved by a spreadsheet of Western Europe."""
    client.force_login(make_person("dora", make_dataset("moon"), "adjudicator"))
    content = "; prompt; response\r\n0;Wer war Käthe?;Eine Künstlerin.\r\n".encode("cp1252")
    sent = send(client, file=SimpleUploadedFile("rows.csv", content), format="responses")
    page = client.get(sent["Location"]).content.decode()
    assert "Wer war Käthe?" in page
    assert "is read as Western European (Windows-1252), such as “Käthe?;Eine”" in page
    assert "the first column has no name of its own and is left out" in page


def test_a_workbook_leads_to_its_preview_and_is_imported(client, tmp_path):
    client.force_login(make_person("dora", make_dataset("moon"), "adjudicator"))
    path = write_workbook(
        tmp_path / "book.xlsx", {"Answers": [["prompt", "response"], ["Wer war Käthe?", "Eine Künstlerin."]]}
    )
    sent = send(client, file=SimpleUploadedFile("book.xlsx", path.read_bytes()), format="responses")
    assert "Wer war Käthe?" in client.get(sent.url).content.decode()
    import_file(path, "own", "responses")
    assert Response.objects.get().text == "Eine Künstlerin."
