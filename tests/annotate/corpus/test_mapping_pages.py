"""The pages on which a file's fields are mapped and recipes are kept."""

import json
import re
from io import BytesIO
from pathlib import Path
from shutil import make_archive
from zipfile import ZipFile

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from annotate.corpus.upload_job import UploadJob
from annotate.datasets.create import set_right
from annotate.models import AtomicFact, Role, Upload, User
from jobs.work import work_on
from tests.annotate.corpus.recipes import claims_recipe, claims_row, sentences_recipe, sentences_row
from tests.factories import make_dataset, make_person
from tests.pages import squeezed

pytestmark = pytest.mark.django_db


@pytest.fixture
def dora(client) -> User:
    person = make_person("dora")
    set_right(person, True)
    client.force_login(User.objects.get(pk=person.pk))
    return person


def as_file(*rows: object) -> SimpleUploadedFile:
    return SimpleUploadedFile("claims.jsonl", "".join(json.dumps(row) + "\n" for row in rows).encode())


def send(client, *rows: object, **fields: object):
    form = {"file": as_file(*rows), "dataset_name": "moon", "format": "mapped", "subject": "", "recipe": ""}
    return client.post("/import/", {**form, **fields})


CHOSEN = {
    "kind": "claims",
    "prompt": "question",
    "text": "answer",
    "unit": "claims.*.claim",
    "label": "claims.*.ok",
    "value-0": "supported",
    "value-1": "not_supported",
    "preview": "",
}


def test_a_file_is_mapped_seen_and_imported(client, dora):
    mapping = send(client, claims_row(colour="grey"))
    assert mapping.status_code == 302
    page = client.get(mapping.url).content.decode()
    assert '<option value="claims.*.claim" selected>' in page
    assert "It is made of cheese." in page

    preview = client.post(mapping.url, CHOSEN)
    upload = Upload.objects.get()
    assert (preview.status_code, preview.url) == (302, f"/import/{upload.pk}/")
    page = client.get(preview.url).content.decode()
    assert "Import 1 response" in page
    assert "<code>colour</code>" in page
    assert "The moon is made of cheese." in page

    client.post(f"/import/{upload.pk}/confirm/")
    work_on(UploadJob(), upload.pk)
    assert AtomicFact.objects.filter(gold__value="not_supported").get().text == "The moon is made of cheese."


def test_annotators_in_fields_of_their_own_are_proposed_and_settled(client, dora):
    claims = [{"claim": "The moon goes round the earth.", "label_a": "yes", "label_b": "yes"}]
    claims.append({"claim": "The moon is made of cheese.", "label_a": "yes", "label_b": "no"})
    mapping = send(client, claims_row(claims=claims)).url
    page = client.get(mapping).content.decode()
    assert page.count('<option value="claims.*.label_b" selected>') == 1
    assert '<option value="unanimous" selected>' in page
    assert ">yes</label>" in page and ">no</label>" in page

    annotators = {"label": "claims.*.label_a", "other_labels": ["claims.*.label_b"]}
    without = client.post(mapping, {**CHOSEN, **annotators, "settle": ""})
    assert "Each unit has several labels: choose how they become one." in without.content.decode()
    preview = client.post(mapping, {**CHOSEN, **annotators, "settle": "unanimous"})
    assert Upload.objects.get().preview["mapped"]["outcomes"] == {"no_label": 1, "supported": 1}
    assert "no label ([&quot;yes&quot;, &quot;no&quot;])" in client.get(preview.url).content.decode()
    assert '<option value="claims.*.label_b" selected>' in client.get(mapping).content.decode()


def test_texts_of_several_fields_rows_left_out_and_a_second_label(client, dora):
    claims = [
        {"claim": "The moon goes", "rest": "round the earth.", "ok": True, "sure": "yes"},
        {"claim": "It is made", "rest": "of cheese.", "ok": False, "sure": "no"},
    ]
    rows = [claims_row(claims=claims, said=said, id=number) for number, said in enumerate(("accept", "ignore"))]
    mapping = send(client, *rows).url
    chosen = {
        **CHOSEN,
        "more_text": ["claims.*.rest"],
        "skip": "said",
        "unless": "claims.*.sure",
        "unless-1": "no_label",
    }
    assert "Say which values are left out." in client.post(mapping, chosen).content.decode()
    preview = client.post(mapping, {**chosen, "skip_values": "ignore, reject"})

    upload = Upload.objects.get()
    assert upload.recipe["where"] == {"at": "said?", "not": ["ignore", "reject"]}
    assert (upload.preview["created"], upload.preview["mapped"]["outcomes"]) == (1, {"no_label": 1, "supported": 1})
    page = client.get(preview.url).content.decode()
    assert "The moon goes round the earth." in page
    assert "<dt>Left out by the recipe's condition</dt><dd>1</dd>" in page

    client.post(f"{preview.url}confirm/")
    work_on(UploadJob(), upload.pk)
    report = client.get(f"/imports/{Upload.objects.get().imported_id}/").content.decode()
    assert "<dt>Left out by the recipe's condition</dt><dd>1</dd>" in report


def test_claims_with_their_documents_are_proposed_as_claims_against_a_source(client, dora):
    rows = [
        {"dataset": "moon", "doc": "The moon is far.", "claim": f"It is far: {n}.", "label": n % 2} for n in range(4)
    ]
    mapping = send(client, *rows).url
    page = client.get(mapping).content.decode()
    for path in ("against", "doc", "claim", "label"):
        assert f'<option value="{path}" selected>' in page
    chosen = {"kind": "against", "text": "claim", "evidence": "doc", "label": "label", "domain": "dataset"}
    preview = client.post(mapping, {**chosen, "value-0": "not_supported", "value-1": "supported", "preview": ""})
    mapped = Upload.objects.get().preview["mapped"]
    assert (mapped["outcomes"], mapped["passages"]) == ({"not_supported": 2, "supported": 2}, 4)
    assert "Passages of claims" in client.get(preview.url).content.decode()


def test_claims_are_mapped_within_their_sentences(client, dora):
    row = sentences_row()
    row["sentences"]["s2"]["stances"] = [["for"]]
    mapping = send(client, row, {**row, "id": 8, "sentences": {"s1": row["sentences"]["s1"]}}).url
    page = client.get(mapping).content.decode()
    for path in ("sentences.*.claims.*", "sentences.*.text", "sentences.*.labels.*", "sentences.*.passages.*.*"):
        assert f'<option value="{path}" selected>' in page
    chosen = {
        "kind": "claims",
        "prompt": "question",
        "text": "answer",
        "index": "id",
        "unit": "sentences.*.claims.*",
        "sentence": "sentences.*.text",
        "label": "sentences.*.labels.*",
        "evidence": "sentences.*.passages.*.*",
        "value-0": "supported",
        "value-1": "not_enough_evidence",
        "value-2": "not_checkworthy",
        "preview": "",
    }
    assert client.post(mapping, chosen).status_code == 302
    mapped = Upload.objects.get().preview["mapped"]
    assert mapped["outcomes"] == {"not_checkworthy": 1, "not_enough_evidence": 2, "supported": 2}
    assert (mapped["evidence"], mapped["share_aligned"]) == (4, None)


def test_a_packed_folder_that_datasets_saved_is_mapped_and_imported(client, dora, tmp_path):
    from datasets import Dataset

    Dataset.from_list([claims_row()]).save_to_disk(tmp_path / "saved")
    packed = make_archive(str(tmp_path / "moon"), "zip", tmp_path, "saved")
    mapping = send(client, file=SimpleUploadedFile("moon.zip", Path(packed).read_bytes())).url
    assert '<option value="claims.*.claim" selected>' in client.get(mapping).content.decode()
    preview = client.post(mapping, CHOSEN)
    assert "Import 1 response" in client.get(preview.url).content.decode()
    upload = Upload.objects.get()
    client.post(f"/import/{upload.pk}/confirm/")
    work_on(UploadJob(), upload.pk)
    assert AtomicFact.objects.filter(gold__value="not_supported").get().text == "The moon is made of cheese."


def test_a_zip_of_something_else_is_not_kept(client, dora):
    answer = send(client, file=SimpleUploadedFile("moon.zip", b"no zip"))
    assert answer.status_code == 422
    assert "moon.zip is no whole zip file" in answer.content.decode()
    assert not Upload.objects.exists()


def test_the_preview_shows_ten_rows_what_becomes_details_and_the_share_aligned(client, dora):
    rows = [claims_row(id=f"row-{n}", colour="grey", meta={"by": "anna"}) for n in range(12)]
    # One of 24 claims shares no word with a sentence: 23 of 24 are aligned.
    rows[11]["claims"][0]["claim"] = "Tides rise twice daily."
    preview = client.post(send(client, *rows).url, {**CHOSEN, "index": "id"})
    page = client.get(preview.url).content.decode()
    assert "Import 12 responses" in page
    assert page.count('<li class="card">') == 10
    assert "row-9" in page and "row-10" not in page
    kept = page[page.index("Kept as details:") :].partition(".\n")[0]
    assert "<code>colour</code>" in kept and "<code>meta</code>" in kept
    assert kept.count("<code>") == 2
    facts = dict(re.findall(r"<div><dt>(.*?)</dt><dd>(.*?)</dd></div>", page))
    assert facts["Aligned to a sentence"].split() == ["95.8", "%"]
    assert (facts["Units"], facts["Supported"], facts["Not supported"]) == ("24", "12", "12")


def test_the_preview_says_that_nothing_is_lost_and_shows_no_share_of_segments(client, dora):
    row = {"prompt": "Q", "response": "A. B.", "segmented_response": ["A.", "B."], "labels": [True, False]}
    chosen = {"kind": "segments", "prompt": "prompt", "text": "response", "unit": "segmented_response.*"}
    mapping = send(client, row).url
    assert '<option value="segments" selected>' in client.get(mapping).content.decode()
    values = {"value-0": "supported", "value-1": "not_supported", "preview": ""}
    page = client.get(client.post(mapping, {**chosen, "label": "labels.*", **values}).url).content.decode()
    assert "Every key of the first rows is read." in page
    assert "Aligned to a sentence" not in page


def test_what_labels_mean_is_never_guessed(client, dora):
    mapping = send(client, claims_row()).url
    without = {name: value for name, value in CHOSEN.items() if not name.startswith("value")}
    answer = client.post(mapping, without)
    assert answer.status_code == 422
    assert answer.content.decode().count("Choose what this label means.") == 2
    assert Upload.objects.get().recipe is None


def test_label_values_of_another_field_are_shown_before_the_preview(client, dora):
    mapping = send(client, claims_row(verdict="mixed")).url
    page = client.post(mapping, {"kind": "whole", "label": "verdict", "update": ""}).content.decode()
    assert ">mixed</label>" in page


def as_read(page: str) -> list[str]:
    """What stands beside each of the first rows."""
    shown = page.partition("<h2>First rows</h2>")[2].split("<h3>As it is read</h3>")[1:]
    return [squeezed(re.sub(r"<[^>]*>", " ", each.partition("<h3>")[0])) for each in shown]


def test_three_rows_are_shown_as_the_guessed_fields_read_them(client, dora):
    claims = [{"claim": "", "ok": True}]
    mapping = send(client, claims_row(), claims_row(claims=claims), claims_row(answer="Far."), claims_row()).url
    page = client.get(mapping).content.decode()
    first, second, third = as_read(page)
    assert "It is made of cheese. 1 fact The moon is made of cheese." in first
    assert second == "It cannot be read: claim of claim 1 is empty."
    assert "Far." in third
    assert 'role="alert"' not in page

    chosen = {name: value for name, value in CHOSEN.items() if name != "preview" and not name.startswith("value")}
    page = client.post(mapping, chosen).content.decode()
    assert "The moon is made of cheese. no label (false)" in as_read(page)[0]
    assert "Say what these labels mean: true, false. Until then they count as no label." in page
    assert 'role="alert"' not in page

    values = {"value-0": "supported", "value-1": "not_supported", "skip": "answer", "skip_values": "Far."}
    page = client.post(mapping, chosen | values).content.decode()
    first, _, third = as_read(page)
    assert "The moon is made of cheese. E rror" in first
    assert third == "Left out by the condition."
    assert "Until then" not in page


def test_a_field_that_is_still_missing_is_named_without_an_error(client, dora):
    mapping = send(client, {"frage": "Is it far?", "antwort": "Yes."}).url
    page = client.get(mapping).content.decode()
    assert "Still to be chosen: Prompt, Response." in page
    page = client.post(mapping, {"kind": "nothing", "prompt": "frage", "text": "", "update": ""}).content.decode()
    assert "Still to be chosen: Response." in page
    assert as_read(page) == [] and 'role="alert"' not in page
    assert as_read(client.post(mapping, {"kind": "nothing", "prompt": "frage", "text": "antwort"}).content.decode())


def test_a_meaning_stays_with_its_value_when_another_label_is_chosen(client, dora):
    mapping = send(client, claims_row(claims=[{"claim": "It is far.", "ok": True, "sure": "no"}])).url
    shown = {"said-value-0": "true", "value-0": "supported"}
    other = {**CHOSEN, **shown, "label": "claims.*.sure"}
    del other["value-1"]
    assert "Choose what this label means." in client.post(mapping, other).content.decode()
    page = client.post(mapping, {**CHOSEN, **shown, "update": ""} | {"other_labels": ["claims.*.sure"]})
    assert page.status_code == 422  # the label of "no" is open


def packed(**files: list[dict[str, object]]) -> SimpleUploadedFile:
    content = BytesIO()
    with ZipFile(content, "w") as archive:
        for name, rows in files.items():
            archive.writestr(f"{name}.jsonl", "".join(json.dumps(row) + "\n" for row in rows))
    return SimpleUploadedFile("moon.zip", content.getvalue())


def test_two_files_are_joined_by_a_key_of_each(client, dora):
    answers = [{"qid": 1, "answer": "Far.", "ok": True}, {"qid": 2, "answer": "Near.", "ok": False}]
    questions = [{"id": 1, "question": "How far is the moon?"}]
    mapping = send(client, file=packed(answers=answers, questions=questions)).url
    files = {"rows_file": "answers.jsonl", "join_file": "questions.jsonl", "update": ""}
    page = client.post(mapping, files).content.decode()
    assert "Choose the file with the rows, and the key of each of the two files." in page
    assert '<option value="qid">' in page and '<option value="id">' in page

    files |= {"join_by": "qid", "join_there": "id"}
    page = client.post(mapping, files).content.decode()
    assert '<option value="question" selected>question: How far is the moon?</option>' in page
    assert "How far is the moon? Far." in as_read(page)[0]
    values = {"kind": "whole", "prompt": "question", "text": "answer", "label": "ok", "value-0": "supported"}
    preview = client.post(mapping, {**files, **values, "value-1": "not_supported", "preview": ""})
    upload = Upload.objects.get()
    assert upload.recipe["join"] == [{"file": "questions.jsonl", "by": "qid", "there": "id"}]
    assert (upload.preview["created"], upload.preview["refused"][0]["kind"]) == (1, "no qid in both")
    assert '<option value="qid" selected>' in client.get(mapping).content.decode()
    assert "Import 1 response," in squeezed(client.get(preview.url).content.decode())


def test_keys_that_join_no_row_leave_the_rows_as_they_are_and_say_so(client, dora):
    mapping = send(client, file=packed(a=[{"qid": 1, "answer": "Far."}], b=[{"id": 2, "question": "How far?"}])).url
    files = {"rows_file": "a.jsonl", "join_file": "b.jsonl", "join_by": "qid", "join_there": "id"}
    page = client.post(mapping, {**files, "update": ""}).content.decode()
    assert "No row of a.jsonl is completed: b.jsonl has no row whose id is &#x27;1&#x27;." in page
    assert '<option value="answer" selected>' in page


def test_a_value_after_the_first_rows_is_named_in_the_preview(client, dora):
    rows = [claims_row() for _ in range(200)]
    mapping = send(client, *rows, claims_row(claims=[{"claim": "It is far.", "ok": "maybe"}])).url
    page = client.get(client.post(mapping, CHOSEN).url).content.decode()
    assert "<td>the recipe does not say what the label &#x27;maybe&#x27; is" in page
    assert "<td>201</td>" in " ".join(page.split())


def test_a_recipe_may_be_written_as_json(client, dora):
    mapping = send(client, sentences_row()).url
    assert client.post(mapping, {"kind": "claims", "document": "{", "preview": ""}).status_code == 422
    answer = client.post(mapping, {"kind": "claims", "document": json.dumps(sentences_recipe()), "preview": ""})
    assert answer.status_code == 302
    assert "not enough evidence (unclear)" in client.get(answer.url).content.decode()
    assert "&quot;zip&quot;" in client.get(mapping).content.decode()


def test_a_file_that_is_not_mapped_cannot_be_confirmed(client, dora):
    send(client, claims_row())
    upload = Upload.objects.get()
    assert client.get(f"/import/{upload.pk}/").url == f"/import/{upload.pk}/mapping/"
    client.post(f"/import/{upload.pk}/confirm/")
    upload.refresh_from_db()
    assert upload.confirmed_at is None


def test_a_file_that_cannot_be_read_is_not_kept(client, dora):
    answer = send(client, file=SimpleUploadedFile("bad.jsonl", b"no json\n"))
    assert answer.status_code == 422
    assert "bad.jsonl, line 1: not JSON" in answer.content.decode()
    assert not Upload.objects.exists()


def test_a_row_that_cannot_be_read_is_named_before_the_mapping(client, dora):
    lines = [json.dumps(claims_row())] * 30 + ["no json"]
    answer = send(client, file=SimpleUploadedFile("late.jsonl", "\n".join(lines).encode()))
    assert answer.status_code == 422
    assert "late.jsonl, line 31: not JSON" in answer.content.decode()
    assert not Upload.objects.exists()


def test_a_named_recipe_needs_no_mapping(client, dora):
    dora.recipes.create(name="moon", document=claims_recipe())
    page = squeezed(client.get(send(client, claims_row(), recipe="moon").url).content.decode())
    assert "Import 1 response" in page and "Moon claims, by a recipe" in page


def test_a_recipe_is_saved_given_out_taken_in_and_forgotten(client, dora):
    client.post(send(client, claims_row()).url, CHOSEN)
    upload = Upload.objects.get()
    assert client.post(f"/import/{upload.pk}/recipe/", {"name": "Moon!"}).status_code == 422
    assert client.post(f"/import/{upload.pk}/recipe/", {"name": "moon"}).status_code == 302
    given = client.get("/recipes/moon/")
    assert given["Content-Disposition"] == 'attachment; filename="moon.json"'
    assert json.loads(given.content) == upload.recipe

    again = {"name": "again", "file": SimpleUploadedFile("moon.json", given.content)}
    assert client.post("/recipes/", again).status_code == 302
    assert [recipe.name for recipe in dora.recipes.all()] == ["again", "moon"]
    client.post("/recipes/again/delete/")
    assert [recipe.name for recipe in dora.recipes.all()] == ["moon"]


def test_a_wrong_recipe_is_named_on_the_page(client, dora):
    file = SimpleUploadedFile("moon.json", json.dumps({**claims_recipe(), "recipe": 2}).encode())
    answer = client.post("/recipes/", {"name": "moon", "file": file})
    assert answer.status_code == 422
    assert "moon.json: recipe must be 1, the version of this form" in answer.content.decode()
    assert not dora.recipes.exists()


def test_recipes_are_their_owners_alone(client, dora):
    make_person("dan", make_dataset("sun"), Role.ADJUDICATOR).recipes.create(name="sun", document=claims_recipe())
    assert client.get("/recipes/sun/").status_code == 404
    assert client.post("/recipes/sun/delete/").status_code == 404
    assert "sun" not in client.get("/recipes/").content.decode()
    assert json.loads(client.get("/recipes/factool-qa/").content)["title"] == "FacTool knowledge QA"
