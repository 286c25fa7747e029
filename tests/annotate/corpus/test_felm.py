import pytest

from annotate.corpus.felm import read_row
from annotate.corpus.rows import ImportedJudgement, ImportedReference
from core.errors import RowError
from tests.annotate.corpus.files import felm_row


def test_a_row_is_read_with_all_its_fields():
    row = read_row(felm_row())

    assert row.index == "7"
    assert (row.prompt.text, row.prompt.domain, row.prompt.source) == (
        "What is the moon?",
        "science",
        "written for the tests",
    )
    assert [segment.judged for segment in row.segments] == [
        ImportedJudgement("supported"),
        ImportedJudgement("not_supported", "knowledge", "It is made of rock."),
    ]
    assert row.references == (ImportedReference("https://example.org/moon", "The moon is a ball of rock."),)


def test_a_segment_of_type_irrelevant_has_the_value_irrelevant():
    row = read_row(felm_row(type=[None, "irrelevant_with_qst"]))
    assert row.segments[1].judged == ImportedJudgement("irrelevant", "irrelevant", "It is made of rock.")


def test_a_type_on_a_correct_segment_is_kept_and_the_label_decides():
    row = read_row(felm_row(type=["reasoning_error", "knowledge_error"]))
    assert row.segments[0].judged == ImportedJudgement("supported", "reasoning")


@pytest.mark.parametrize("blank", ["", []])
def test_empty_fields_may_be_text_or_list_and_are_kept_apart(blank):
    row = read_row(felm_row(type=blank, comment=blank, ref=blank, ref_contents=blank))
    assert row.segments[1].judged == ImportedJudgement("not_supported")
    assert row.references == ()
    assert row.extra == {"type": blank, "comment": blank, "ref": blank, "ref_contents": blank}


def test_more_links_than_contents_leave_the_last_links_without_one():
    row = read_row(felm_row(ref=["a", "b"], ref_contents=["about a"]))
    assert row.references == (ImportedReference("a", "about a"), ImportedReference("b", None))


def test_a_response_that_is_nan_becomes_its_segments_with_a_warning():
    row = read_row(felm_row(response=float("nan")))
    assert row.text == "The moon goes round the earth. It is made of cheese."
    assert row.warnings == ("response is NaN: its segments, joined by one space, stand for it",)


def test_the_row_with_its_segments_in_the_place_of_nan_is_the_same_row():
    joined = felm_row(response="The moon goes round the earth. It is made of cheese.")
    assert read_row(felm_row(response=float("nan"))).content_hash == read_row(joined).content_hash


def test_the_order_of_keys_does_not_change_the_content():
    row = felm_row()
    assert read_row(dict(reversed(row.items()))).content_hash == read_row(row).content_hash


def test_another_comment_is_another_content():
    assert read_row(felm_row(comment=["", "Rock."])).content_hash != read_row(felm_row()).content_hash


@pytest.mark.parametrize(
    ("changes", "cause"),
    [
        ({"labels": [True]}, "labels has 1 items, segmented_response 2"),
        ({"labels": [True, "false"]}, "labels, item 2, must be true or false, not 'false'"),
        ({"labels": [True, 0]}, "labels, item 2, must be true or false, not a number"),
        ({"comment": ["one"]}, "comment has 1 items, segmented_response 2"),
        ({"type": [None, "typo"]}, "type, item 2, must be null or one of knowledge_error"),
        ({"type": [None, None, None]}, "type has 3 items, segmented_response 2"),
        ({"segmented_response": [], "labels": []}, "segmented_response is empty"),
        ({"segmented_response": "one"}, "segmented_response must be a list, not 'one'"),
        ({"response": None}, "response must be text, not null"),
        ({"response": float("inf")}, "response must be text, not a number"),
        ({"prompt": float("nan")}, "prompt must be text, not NaN"),
        ({"domain": "d" * 101}, "domain has 101 characters; at most 100 fit"),
        ({"ref": ["a", None]}, "ref, item 2, must be text, not null"),
        ({"index": ""}, "index is empty"),
        ({"index": True}, "index must be text, not true"),
        ({"colour": "red"}, "unknown key 'colour'"),
        ({"prompt": "a\0b"}, "prompt holds a NUL character at character 2"),
        ({"ref_contents": ["ab\ud800"]}, "ref_contents, item 1, holds half of a surrogate pair at character 3"),
    ],
)
def test_what_is_wrong_with_a_row_is_said_in_one_sentence(changes, cause):
    with pytest.raises(RowError) as caught:
        read_row(felm_row(**changes))
    assert str(caught.value).startswith(cause)


def test_a_missing_key_is_named():
    row = felm_row()
    del row["labels"]
    with pytest.raises(RowError, match="the key 'labels' is missing"):
        read_row(row)
