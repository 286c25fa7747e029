"""Files of other data sets on their way into the tables."""

import json

import pytest

from annotate.corpus.find_recipe import store_recipe
from annotate.corpus.importing import import_file
from annotate.export.dataset import export_dataset
from annotate.models import AtomicFact, Dataset, GoldLabel, Import, ReferenceLink, Response, Segment
from core.errors import DataError
from tests.annotate.corpus.files import felm_row, read_back, write_rows
from tests.annotate.corpus.recipes import (
    claims_recipe,
    claims_row,
    recipe_of,
    sentences_recipe,
    sentences_row,
)
from tests.factories import make_person

pytestmark = pytest.mark.django_db


@pytest.fixture
def file(tmp_path):
    return tmp_path / "rows.jsonl"


def import_by(document, path, name="moon", **options):
    return import_file(path, name, Import.Format.MAPPED, recipe=recipe_of(document), **options)


def test_claims_become_facts_with_gold_evidence_and_what_the_file_says(file):
    import_by(sentences_recipe(), write_rows(file, sentences_row()))
    dataset = Dataset.objects.get()
    assert dataset.scheme == "factscore"
    assert list(AtomicFact.objects.order_by("pk").values_list("text", "extra__kept__label")) == [
        ("The moon goes round the earth.", "yes"),
        ("The moon is far.", "unclear"),
        ("The moon is nice.", "opinion"),
    ]
    gold = GoldLabel.objects.get()
    assert (gold.fact.text, gold.value, gold.source) == ("The moon goes round the earth.", "supported", "import")
    assert list(ReferenceLink.objects.filter(gold=gold).values_list("url", "quote", "stance")) == [
        ("https://example.org/moon", "The moon orbits. See https://example.org/moon.", "supports")
    ]
    assert list(Response.objects.get().references.values_list("content", flat=True)) == [
        "It is 384,000 km away.",
        "A passage.",
    ]
    assert Import.objects.get().recipe == sentences_recipe()


def test_claims_without_sentences_are_counted_by_how_many_were_aligned(file):
    claims = [*claims_row()["claims"], {"claim": "Tides are caused by gravity.", "ok": True}]
    result = import_by(claims_recipe(), write_rows(file, claims_row(claims=claims), claims_row(question="Again?")))
    assert (result.mapped.claims, result.mapped.aligned) == (5, 4)
    whole = Segment.objects.get(extra={"claims": "not aligned"})
    assert (whole.text, whole.start) == (whole.response.text, None)
    assert whole.facts.get().text == "Tides are caused by gravity."


def test_the_same_file_again_is_unchanged_and_other_labels_are_an_error(file):
    path = write_rows(file, claims_row(), claims_row(question="Again?"))
    import_by(claims_recipe(), path)
    assert import_by(claims_recipe(), path).unchanged == 2
    swapped = {"true": "not_supported", "false": "supported"}
    units = {"each": "claims.*", "text": "claim", "label": {"at": "ok", "values": swapped}}
    # Rows without an index are known by their number, and other content gets another.
    assert import_by(claims_recipe(claims=units), path).created == 2
    indexed = write_rows(file, claims_row(id="a"))
    import_by(claims_recipe(index="id"), indexed, "sun")
    with pytest.raises(DataError, match="line 1: the index 'a' is already in the dataset with other content"):
        import_by(claims_recipe(index="id", claims=units), indexed, "sun")


def test_nothing_is_stored_where_a_label_is_not_mapped(file):
    rows = [claims_row(), claims_row(claims=[{"claim": "It is far.", "ok": "maybe"}])]
    with pytest.raises(DataError) as error:
        import_by(claims_recipe(), write_rows(file, *rows))
    assert str(error.value) == (
        "rows.jsonl, line 2: the recipe does not say what the label 'maybe' is (ok of claim 1); "
        "it names 'true', 'false'"
    )
    assert not Dataset.objects.exists()


def test_claims_do_not_fit_into_a_dataset_of_segments(file):
    import_file(write_rows(file, felm_row()), "moon", "felm")
    with pytest.raises(DataError, match="moon is a felm dataset: rows of the factscore scheme do not fit into it"):
        import_by(claims_recipe(), write_rows(file, claims_row()))


def test_segments_come_out_again_as_felm(file):
    units = {
        "each": {"zip": {"text": "parts", "label": "ok"}},
        "text": "text",
        "label": {"at": "label", "values": {"1": "supported", "0": "not_supported", "off": "irrelevant"}},
        "reason": {"value": "So the file says."},
    }
    rule = {"index": "id", "prompt": "question", "text": "answer", "segments": units}
    row = {"id": "a", "question": "What?", "answer": "It is far. It is flat. Hello."}
    row["parts"] = ["It is far.", "It is flat.", "Hello."]
    import_by({"recipe": 1, "title": "x", "responses": rule}, write_rows(file, {**row, "ok": [1, 0, "off"]}))
    (exported,) = read_back(export_dataset(Dataset.objects.get(), "felm"))
    assert (exported["segmented_response"], exported["labels"]) == (row["parts"], [True, False, False])
    assert exported["type"] == [None, None, "irrelevant_with_qst"]


def test_facts_come_out_again_as_factscore(file):
    row = claims_row()
    import_by(claims_recipe(), write_rows(file, row))
    (exported,) = read_back(export_dataset(Dataset.objects.get(), "factscore"))
    labels = [fact["label"] for sentence in exported["annotations"] for fact in sentence["human-atomic-facts"]]
    assert labels == ["S", "NS"]


def test_keys_that_the_recipe_does_not_read_are_named(file):
    row = sentences_row(colour="grey")
    row["sentences"]["s1"]["extra"] = {"deep": [1]}
    result = import_by(sentences_recipe(), write_rows(file, row), dry_run=True)
    assert result.mapped.unread == ["sentences.*.extra", "colour"]
    assert len(result.preview) == 1


def test_the_same_recipe_reads_every_kind_of_file(tmp_path):
    import pyarrow as pa
    import pyarrow.parquet as pq
    from datasets import Dataset as Table

    row = claims_row()
    write_rows(tmp_path / "rows.jsonl", row)
    (tmp_path / "rows.json").write_text(json.dumps([row]))
    pq.write_table(pa.Table.from_pylist([row]), tmp_path / "rows.parquet")
    Table.from_list([row]).save_to_disk(tmp_path / "saved")
    results = [
        import_by(claims_recipe(), tmp_path / name) for name in ("rows.jsonl", "rows.json", "rows.parquet", "saved")
    ]
    assert [(result.created, result.unchanged) for result in results] == [(1, 0), (0, 1), (0, 1), (0, 1)]


def test_a_recipe_keeps_no_name_of_the_project_and_replaces_ones_own():
    dora = make_person("dora")
    with pytest.raises(DataError, match="factool-qa is a recipe of the project"):
        store_recipe(dora, "factool-qa", recipe_of(claims_recipe()))
    with pytest.raises(DataError, match="A recipe's name is made of small letters"):
        store_recipe(dora, "My recipe", recipe_of(claims_recipe()))
    store_recipe(dora, "moon", recipe_of(claims_recipe()))
    store_recipe(dora, "moon", recipe_of(sentences_recipe()))
    assert dora.recipes.get().document == sentences_recipe()
