import pytest

from annotate.corpus.responses import read_row, read_row_for_facts
from annotate.corpus.rows import ImportedReference
from core.errors import RowError


def test_a_prompt_and_a_response_suffice():
    row = read_row({"prompt": "Why?", "response": "Because. So there."})
    assert row.index is None
    assert row.segments is None
    assert row.subject == ""


def test_all_that_a_row_may_say_is_kept():
    row = read_row(
        {
            "index": 12,
            "prompt": "Why?",
            "response": "Because. So there.",
            "domain": "wk",
            "source": "our own",
            "subject": "model",
            "topic": "reasons",
            "references": ["https://example.org"],
            "segments": ["Because.", "So there."],
        }
    )
    assert row.index == "12"
    assert (row.prompt.domain, row.prompt.source, row.prompt.topic, row.subject) == (
        "wk",
        "our own",
        "reasons",
        "model",
    )
    assert row.references == (ImportedReference("https://example.org", None),)
    assert [segment.text for segment in row.segments] == ["Because.", "So there."]


def test_the_subject_named_for_the_file_is_that_of_rows_without_one():
    assert read_row({"prompt": "Why?", "response": "So."}, "model").subject == "model"
    assert read_row({"prompt": "Why?", "response": "So.", "subject": "other"}, "model").subject == "other"


@pytest.mark.parametrize(
    ("row", "cause"),
    [
        ({"prompt": "Why?"}, "the key 'response' is missing"),
        ({"prompt": "Why?", "response": " "}, "response is empty"),
        ({"prompt": "Why?", "response": "So.", "segments": []}, "segments is empty"),
        ({"prompt": "Why?", "response": "So.", "label": True}, "unknown key 'label'"),
        ({"prompt": "Why?", "response": "So.", "references": "x"}, "references must be a list, not 'x'"),
    ],
)
def test_what_is_wrong_with_a_row_is_said_in_one_sentence(row, cause):
    with pytest.raises(RowError, match=cause):
        read_row(row)


def test_a_row_for_facts_is_known_by_its_subject_and_topic():
    row = read_row_for_facts(
        {"prompt": "Who was Ada?", "response": "A person.", "topic": "Ada", "frequency": "rare"}, "m"
    )
    assert (row.index, row.subject, row.prompt.topic, row.prompt.frequency) == ("m/Ada", "m", "Ada", "rare")
    assert row.segments is None
    assert not row.abstained


@pytest.mark.parametrize(
    ("row", "cause"),
    [
        ({"prompt": "Who?", "response": "Me.", "topic": "Ada"}, "subject is missing"),
        ({"prompt": "Who?", "response": "Me.", "subject": "m"}, "the key 'topic' is missing"),
        ({"prompt": "Who?", "response": "Me.", "subject": "m", "topic": "Ada", "index": 1}, "unknown key 'index'"),
    ],
)
def test_what_is_wrong_with_a_row_for_facts_is_said_in_one_sentence(row, cause):
    with pytest.raises(RowError, match=cause):
        read_row_for_facts(row)
