import pytest

from annotate.corpus.factscore import read_row
from annotate.corpus.rows import FactRow, ImportedJudgement
from core.errors import RowError
from tests.annotate.corpus.files import factscore_row, sentence


def test_a_row_is_read_with_all_its_fields():
    row = read_row(factscore_row(), "model")

    assert row.index == "model/Ada Byron"
    assert row.subject == "model"
    assert (row.prompt.topic, row.prompt.frequency, row.prompt.nationality) == (
        "Ada Byron",
        "rare",
        "Europe/Middle East",
    )
    first, second = row.segments
    assert first.human_facts == (
        FactRow("Ada Byron wrote a program.", ImportedJudgement("supported")),
        FactRow("It was the first program.", ImportedJudgement("not_supported")),
    )
    assert first.model_facts == (FactRow("Ada Byron wrote the first program."),)
    assert first.judged is None
    assert second.judged == ImportedJudgement("irrelevant")
    assert not second.relevant


def test_a_row_without_annotations_is_an_abstention():
    row = read_row(factscore_row(annotations=None), "model")
    assert row.abstained
    assert row.segments == ()


@pytest.mark.parametrize(("human", "shape"), [(None, {}), ([], {"human_facts": "empty"}), ([("Ada wrote.", "IR")], {})])
def test_no_human_facts_and_an_empty_list_of_them_are_kept_apart(human, shape):
    row = read_row(factscore_row(annotations=[sentence("Ada wrote.", human=human, model=["Ada wrote."])]), "model")
    assert row.segments[0].extra == shape


def test_absent_facts_are_kept_apart_from_null():
    bare = {"text": "Ada wrote.", "is-relevant": True}
    row = read_row(factscore_row(annotations=[bare]), "model")
    assert row.segments[0].extra == {"human_facts": "missing", "model_facts": "missing"}


@pytest.mark.parametrize(
    ("changes", "cause"),
    [
        ({"cat": ["rare"]}, "cat has 1 items"),
        ({"cat": "rare"}, "cat must be a list, not 'rare'"),
        ({"topic": " "}, "topic is empty"),
        ({"annotations": {}}, "annotations must be a list, not an object"),
        ({"annotations": ["one"]}, "sentence 1 must be an object, not 'one'"),
        ({"annotations": [{"text": "One."}]}, "the key 'is-relevant' is missing in sentence 1"),
        ({"annotations": [{**sentence("One."), "is-relevant": 1}]}, "is-relevant of sentence 1 must be true or false"),
        ({"annotations": [{**sentence("One."), "colour": 1}]}, "unknown key 'colour' in sentence 1"),
        (
            {"annotations": [sentence("One.", human=[("One.", "T")])]},
            "label of human fact 1 of sentence 1 must be S, NS or IR, not 'T'",
        ),
        (
            {"annotations": [sentence("One.", human=[("One.", "S")], relevant=False)]},
            "sentence 1 is not relevant and yet has human-atomic-facts",
        ),
        (
            {"annotations": [{**sentence("One."), "model-atomic-facts": [{"text": None}]}]},
            "text of model fact 1 of sentence 1 must be text, not null",
        ),
        ({"output": "a\0"}, "output holds a NUL character at character 2"),
    ],
)
def test_what_is_wrong_with_a_row_is_said_in_one_sentence(changes, cause):
    with pytest.raises(RowError) as caught:
        read_row(factscore_row(**changes), "model")
    assert str(caught.value).startswith(cause)
