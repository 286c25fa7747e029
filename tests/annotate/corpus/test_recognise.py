"""Files are recognised by their first rows, as far as they fit to the dataset."""

import json

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from annotate.corpus.find_recipe import shipped_recipes
from annotate.corpus.importing import import_file
from annotate.corpus.recognise import recognise
from annotate.models import GoldLabel, Role, Upload
from tests.annotate.corpus.files import factscore_row, felm_row, write_rows
from tests.annotate.corpus.recipes import claims_row
from tests.factories import make_dataset, make_person

pytestmark = pytest.mark.django_db

OWN = {"prompt": "Why?", "response": "So."}
KNOWN = {"knowledge": "Rain is wet.", "question": "Is it?", "right_answer": "Yes.", "hallucinated_answer": "No."}


def found(path, *rows, into="new"):
    format, recipe = recognise(write_rows(path / "rows.jsonl", *rows), into, "")
    return format, recipe and recipe.title


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        (OWN, ("responses", None)),
        (felm_row(), ("felm", None)),
        (factscore_row(), ("factscore", None)),
        ({"claim": "The sea is salty.", "label": "supported", "passages": ["It is."]}, ("claims", None)),
        (claims_row(), ("mapped", None)),
    ],
)
def test_a_format_is_recognised(tmp_path, row, expected):
    assert found(tmp_path, row) == expected


def test_a_known_data_set_is_recognised(tmp_path):
    format, title = found(tmp_path, KNOWN)
    assert format == "mapped"
    assert "HaluEval" in title


SPAN = {"start": 0, "end": 2, "text": "So", "label_type": "Subtle Conflict", "implicit_true": False}
RAGTRUTH = {"id": "1", "source_id": "7", "model": "m", "response": "So it is.", "labels": [SPAN]}


@pytest.mark.parametrize(
    ("row", "title", "gold"),
    [
        ({**RAGTRUTH, "prompt": "Why?"}, "RAGTruth", 1),
        ({"dataset": "News", "doc": "It is far.", "claim": "It is far.", "label": 1}, "LLM-AggreFact", 1),
        (
            {"id": 5, "text": "So it is.", "prompt": "Why?", "label": [[0, 2, "false"]]},
            "doccano, sequence labelling",
            1,
        ),
        (
            {"text": "So it is.", "meta": {"prompt": "Why?"}, "_task_hash": 2, "answer": "accept", "spans": []},
            "Prodigy, spans",
            1,
        ),
        (
            {
                "id": "5",
                "fields": {"prompt": "Why?", "text": "So it is. It was."},
                "responses": {"label": [{"value": "true", "user_id": "a"}]},
            },
            "Argilla, labels",
            1,
        ),
        (
            {"id": "5", "displayed_text": "So it is.", "prompt": "Why?", "label_annotations": {"it": {"true": "true"}}},
            "Potato, labels",
            1,
        ),
        (KNOWN, "HaluEval, question answering", 2),
    ],
)
def test_files_of_others_go_in_without_a_recipe_of_ones_own(tmp_path, row, title, gold):
    path = write_rows(tmp_path / "rows.jsonl", row)
    format, recipe = recognise(path, "new", "")
    assert recipe.title == title
    import_file(path, "new", format, recipe=recipe)
    assert GoldLabel.objects.count() == gold


FACTBENCH = {
    "prompt": "What is the moon?",
    "response": "It is far. It sings.",
    "response_label": False,
    "claims": ["The moon is far.", "The moon sings."],
    "claim_labels": [True, False],
    "ability_to_test": "knowledge",
    "source": "factool-qa",
    "hallucination_spans": None,
}
ANSWER = {"prompt": "How many?", "label": True, "entry_point": None}
SUM = {"math_calculation": "2 + 3", "calculated_answer": "5"}
PAPER = {"paper_title": "On Moons", "paper_author(s)": "Ada B.", "paper_pub_year": "1999", "label": False}
EXPERT = {
    "question": "Is it far?",
    "metadata": {"field": "Astronomy", "specific_field": "Moons", "question_type": "I"},
    "annotator_id": "a",
    "answers": {
        "gpt4": {
            "answer_string": "It is far [1].",
            "attribution": ["[1] https://a.example/moon It is far."],
            "claims": [
                {
                    "claim_string": "It is far [1].",
                    "evidence": ["[1] https://a.example/moon It is far."],
                    "support": "Complete",
                    "reason_missing_support": None,
                    "informativeness": "Very informative",
                    "worthiness": "Strong",
                    "correctness": "Probably correct",
                    "reliability": "Reliable",
                    "revised_claim": "It is far [1].",
                    "revised_evidence": [],
                }
            ],
            "revised_answer_string": "It is far [1].",
            "usefulness": "Useful",
            "annotation_time": 12.5,
            "annotator_id": "a",
        }
    },
}
SHROOM = {
    "id": "val-de-1",
    "lang": "DE",
    "model_input": "Was ist der Mond?",
    "model_output_text": "Der Mond ist weit weg. Er singt.",
    "model_id": "m",
    "soft_labels": [{"start": 26, "prob": 0.9, "end": 31}],
    "hard_labels": [[26, 31]],
}
GENERAL = {"user_query": "Is it far?", "chatgpt_response": "It sings.", "hallucination_spans": ["It sings."]}


@pytest.mark.parametrize(
    ("rows", "title", "gold"),
    [
        (
            [FACTBENCH, {**FACTBENCH, "response_label": None, "claims": [], "claim_labels": []}],
            "Factbench",
            ["not_supported"],
        ),
        (
            [
                {
                    **ANSWER,
                    "response": "2 + 3 = 5",
                    "answer": "5",
                    "claims": [{"label": True, "claim": SUM}, {"label": "null", "claim": SUM}],
                }
            ],
            "FacTool math",
            ["supported"],
        ),
        ([{**ANSWER, "response": "Ada wrote.", "claims": [PAPER]}], "FacTool scientific literature", ["not_supported"]),
        ([EXPERT], "ExpertQA", ["supported"]),
        ([SHROOM], "Mu-SHROOM", ["supported", "not_supported"]),
        ([{**GENERAL, "hallucination": "yes"}], "HaluEval, general", ["not_supported"]),
        ([{**GENERAL, "ID": "5", "hallucination_label": "no"}], "HaluEval, general", ["supported"]),
    ],
)
def test_published_sets_go_in_as_they_are(tmp_path, rows, title, gold):
    path = write_rows(tmp_path / "rows.jsonl", *rows)
    format, recipe = recognise(path, "new", "")
    assert recipe.title == title
    import_file(path, "new", format, recipe=recipe)
    assert list(GoldLabel.objects.order_by("pk").values_list("value", flat=True)) == gold


@pytest.mark.parametrize("name", ["rows.csv", "rows.parquet"])
def test_tables_of_published_sets_go_in_as_they_are(tmp_path, name):
    rows = [{"dataset": "News", "doc": "It is far.", "claim": f"Claim {label}.", "label": label} for label in (1, 0)]
    if name.endswith("csv"):
        text = "dataset,doc,claim,label\n" + "".join(",".join(map(str, row.values())) + "\n" for row in rows)
        (tmp_path / name).write_text(text)
    else:
        pq.write_table(pa.Table.from_pylist(rows), tmp_path / name)
    format, recipe = recognise(tmp_path / name, "new", "")
    assert recipe.title == "LLM-AggreFact"
    import_file(tmp_path / name, "new", format, recipe=recipe)
    assert sorted(GoldLabel.objects.values_list("value", flat=True)) == ["not_supported", "supported"]


def test_claims_of_an_answer_are_read_by_the_recipe_for_them(tmp_path):
    path = write_rows(tmp_path / "rows.jsonl", FACTBENCH, {**FACTBENCH, "claims": [], "claim_labels": []})
    result = import_file(path, "new", "mapped", recipe=shipped_recipes()["factbench-claims"])
    assert result.created == 1
    assert sorted(GoldLabel.objects.values_list("value", flat=True)) == ["not_supported", "supported"]


def test_two_files_that_belong_together_are_recognised(tmp_path):
    write_rows(tmp_path / "response.jsonl", RAGTRUTH)
    write_rows(tmp_path / "source_info.jsonl", {"source_id": "7", "prompt": "Why?", "source_info": "It is."})
    format, recipe = recognise(tmp_path, "new", "")
    assert recipe.title == "RAGTruth"
    import_file(tmp_path, "new", format, recipe=recipe)
    assert GoldLabel.objects.get().value == "not_supported"


def test_rows_that_cannot_be_taken_hide_nothing(tmp_path):
    assert found(tmp_path, {**OWN, "response": None}, OWN, OWN) == ("responses", None)


def test_the_format_fits_to_the_dataset(tmp_path):
    make_dataset("lives", scheme="factscore")
    row = {**OWN, "topic": "Ada"}
    assert found(tmp_path, row) == ("responses", None)
    assert found(tmp_path, row, into="lives") == ("responses-for-facts", None)
    assert found(tmp_path, felm_row(), into="lives") == ("mapped", None)


def send(client, *rows):
    content = "".join(json.dumps(row) + "\n" for row in rows).encode()
    form = {"file": SimpleUploadedFile("rows.jsonl", content), "dataset_name": "moon"}
    return client.post("/import/", form)


def test_nobody_says_what_a_file_is(client):
    client.force_login(make_person("dora", make_dataset("moon"), Role.ADJUDICATOR))
    preview = send(client, felm_row()).url
    assert Upload.objects.get().format == "felm"
    assert "Map its fields" in client.get(preview).content.decode()
    other = send(client, claims_row())
    assert other.url.endswith("/mapping/")


def test_a_recognised_file_can_be_mapped_all_the_same(client):
    client.force_login(make_person("dora", make_dataset("moon"), Role.ADJUDICATOR))
    preview = send(client, OWN).url
    chosen = {"kind": "nothing", "prompt": "response", "text": "prompt", "preview": ""}
    assert client.post(f"{preview}mapping/", chosen).url == preview
    assert Upload.objects.get().preview["rows"][0]["prompt"] == "So."


def test_who_may_not_import_is_told_whom_to_ask(client):
    moon = make_dataset("moon")
    make_person("dora", moon, Role.ADJUDICATOR)
    client.force_login(make_person("rhea", moon, Role.RESEARCHER))
    answer = client.get("/import/")
    assert answer.status_code == 403
    assert "To add to moon: ask dora" in answer.content.decode()
    assert "create a sandbox" in answer.content.decode()
