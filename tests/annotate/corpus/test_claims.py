"""Claims against a source: their own format, recipes of the scheme, and passages that are stored once."""

import pytest

from annotate.corpus.importing import import_file
from annotate.datasets.contents import delete_contents
from annotate.export.dataset import export_dataset
from annotate.models import ClaimPassage, Dataset, GoldLabel, Response, Segment, SourcePassage
from core.errors import DataError
from tests.annotate.corpus.files import read_back, write_rows
from tests.annotate.corpus.recipes import recipe_of

pytestmark = pytest.mark.django_db

WATER = {"text": "Water is wet, always.", "title": "Water", "url": "https://example.org/water"}
SEA = {"text": "The sea holds salt."}
ALONE = {
    "index": "a",
    "claim": "Water is wet.",
    "label": "supported",
    "reason": "It says so.",
    "references": ["https://example.org/water"],
    "passages": [WATER, SEA],
}
OF_RESPONSE = {
    "index": "b",
    "prompt": "What is the sea like?",
    "domain": "nature",
    "subject": "m",
    "response": "It is salty and big, they say.",
    "claims": [
        {"claim": "The sea is salty.", "label": "not_enough_evidence", "passages": [SEA]},
        {"claim": "The sea is big.", "label": None, "passages": []},
    ],
}


@pytest.fixture
def file(tmp_path):
    return tmp_path / "claims.jsonl"


def take_in(file, *rows, name="sea"):
    import_file(write_rows(file, *rows), name, "claims")
    return Dataset.objects.get(name=name)


def test_rows_come_back_as_they_were(file):
    dataset = take_in(file, ALONE, OF_RESPONSE)
    assert dataset.scheme == "claims"
    assert read_back(export_dataset(dataset, "claims")) == [ALONE, OF_RESPONSE]


def test_an_export_is_imported_as_unchanged(file, tmp_path):
    dataset = take_in(file, ALONE, OF_RESPONSE)
    again = write_rows(tmp_path / "again.jsonl", *read_back(export_dataset(dataset, "claims")))
    result = import_file(again, "sea", "claims")
    assert (result.created, result.unchanged) == (0, 2)


def test_a_claim_that_stands_alone_is_a_response_that_nobody_asked_for(file):
    take_in(file, ALONE)
    response = Response.objects.get()
    assert (response.text, response.prompt.text, response.heading) == ("Water is wet.", "", "Water is wet.")
    assert list(response.segments.values_list("text", "start", "end")) == [("Water is wet.", 0, 13)]


def test_labels_become_gold_and_a_claim_without_one_has_none(file):
    take_in(file, ALONE, OF_RESPONSE)
    gold = GoldLabel.objects.order_by("pk").values_list("segment__text", "value", "reason")
    assert list(gold) == [
        ("Water is wet.", "supported", "It says so."),
        ("The sea is salty.", "not_enough_evidence", ""),
    ]


def test_a_passage_that_claims_share_is_stored_once_a_dataset(file, tmp_path):
    take_in(file, ALONE, OF_RESPONSE)
    take_in(tmp_path / "more.jsonl", {"index": "c", "claim": "It holds salt.", "passages": [SEA["text"]]})
    assert sorted(SourcePassage.objects.values_list("text", flat=True)) == [SEA["text"], WATER["text"]]
    take_in(tmp_path / "other.jsonl", ALONE, name="other")
    assert SourcePassage.objects.count() == 4
    places = ClaimPassage.objects.filter(claim__response__index="a", passage__dataset__name="sea")
    assert list(places.values_list("position", "passage__text")) == [(0, WATER["text"]), (1, SEA["text"])]


def test_a_table_holds_passages_as_json_or_one_a_line(tmp_path):
    path = tmp_path / "claims.csv"
    path.write_text('claim,label,passages\n"Water is wet.",supported,"One.\nTwo."\nIt is.,,\n')
    import_file(path, "sea", "claims")
    assert list(SourcePassage.objects.order_by("pk").values_list("text", flat=True)) == ["One.", "Two."]
    assert GoldLabel.objects.count() == 1


@pytest.mark.parametrize(
    ("row", "cause"),
    [
        ({}, "the key 'response' is missing"),
        ({"response": "x"}, "the key 'claims' is missing"),
        ({"claim": "x", "response": "y"}, "unknown key 'response'"),
        ({"claim": " "}, "claim is empty"),
        ({"claim": "x", "label": "true"}, "label must be one of supported, not_supported, irrelevant, not_enough"),
        ({"claim": "x", "reason": "so"}, "reason and references belong to a label, and there is none"),
        ({"claim": "x", "passages": "text"}, "passages must be a list, not "),
        ({"claim": "x", "passages": [7]}, "passage 1 must be a text or an object, not a number"),
        ({"claim": "x", "passages": ["a", {"text": ""}]}, "passage 2: text is empty"),
        ({"claim": "x", "passages": [{"text": "a", "colour": "red"}]}, "unknown key 'colour' in passage 1"),
        ({"response": "x", "claims": []}, "claims is empty"),
        ({"response": "x", "claims": ["y"]}, "claim 1 must be an object, not "),
        ({"response": "x", "claims": [{"claim": "y", "label": 1}]}, "claim 1: label must be one of "),
        ({"response": "x", "claims": [{"text": "y"}]}, "the key 'claim' is missing in claim 1"),
    ],
)
def test_a_fault_names_its_line_and_its_cause(file, row, cause):
    with pytest.raises(DataError) as error:
        import_file(write_rows(file, ALONE, row), "sea", "claims")
    assert "line 2" in str(error.value)
    assert cause in str(error.value)
    assert not Dataset.objects.exists()


def test_claims_do_not_go_into_a_dataset_of_segments(file):
    Dataset.objects.create(name="sea", scheme="felm", ready=True)
    with pytest.raises(DataError, match="sea is a felm dataset: rows of the claims scheme do not fit into it"):
        import_file(write_rows(file, ALONE), "sea", "claims")


def test_an_import_that_fails_leaves_no_passage(file):
    take_in(file, ALONE)

    def fail(written, total):
        raise KeyboardInterrupt

    more = write_rows(file, {"index": "c", "claim": "Salt is white.", "passages": [SEA, "Salt is a crystal."]})
    with pytest.raises(KeyboardInterrupt):
        import_file(more, "sea", "claims", progress=fail)
    assert sorted(SourcePassage.objects.values_list("text", flat=True)) == [SEA["text"], WATER["text"]]


def test_passages_go_with_their_dataset(file, tmp_path):
    take_in(tmp_path / "other.jsonl", ALONE, name="other")
    delete_contents(take_in(file, ALONE, OF_RESPONSE))
    assert set(SourcePassage.objects.values_list("dataset__name", flat=True)) == {"other"}


RECIPE = {
    "recipe": 1,
    "title": "Papers",
    "scheme": "claims",
    "responses": {
        "prompt": "question?",
        "text": "answer",
        "passages": {"text": "abstract"},
        "claims": {
            "each": "claims.*",
            "text": "text",
            "label": {
                "at": "verdict",
                "values": {"yes": "supported", "unclear": "not_enough_evidence", "n/a": "irrelevant"},
            },
            "passages": {"each": "sources.*", "text": "body", "title": "name?", "url": "link?", "skip": ["NA"]},
        },
    },
}
ROW = {
    "question": "What is the sea?",
    "answer": "It is salty.",
    "abstract": "On the sea.",
    "claims": [
        {
            "text": "The sea is salty.",
            "verdict": "unclear",
            "sources": [{"body": "NA"}, {"body": "Salt.", "name": "Salt", "link": "https://example.org/salt"}],
        },
        {"text": "It is nice.", "verdict": "n/a", "sources": [{"body": "Salt."}, {"body": "On the sea."}]},
    ],
}


def test_a_recipe_gives_claims_their_own_passages_and_those_of_the_response(file):
    result = import_file(write_rows(file, ROW), "sea", "mapped", recipe=recipe_of(RECIPE))
    ties = ClaimPassage.objects.order_by("claim__position", "position")
    assert list(ties.values_list("claim__position", "passage__title", "passage__text")) == [
        (0, "Salt", "Salt."),
        (0, "", "On the sea."),
        (1, "", "Salt."),
        (1, "", "On the sea."),
    ]
    # Of an irrelevant segment FELM's type says so; claims have no types.
    assert list(GoldLabel.objects.order_by("pk").values_list("value", "error_type")) == [
        ("not_enough_evidence", ""),
        ("irrelevant", ""),
    ]
    assert (result.mapped.units, result.mapped.claims, result.mapped.passages) == (2, 0, 4)
    assert result.mapped.outcomes == {"not_enough_evidence": 1, "irrelevant": 1}
    assert result.mapped.unread == []


def test_claims_of_a_recipe_stand_in_their_order_without_sentences(file):
    import_file(write_rows(file, ROW), "sea", "mapped", recipe=recipe_of(RECIPE))
    assert list(Segment.objects.values_list("text", flat=True)) == ["The sea is salty.", "It is nice."]


def test_a_response_without_claims_is_an_error_of_its_row(file):
    with pytest.raises(DataError, match="line 1: claims: the response has none"):
        import_file(write_rows(file, {**ROW, "claims": []}), "sea", "mapped", recipe=recipe_of(RECIPE))
