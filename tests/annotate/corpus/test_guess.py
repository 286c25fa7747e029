import pytest

from annotate.corpus.choices import Choices, list_of, make_document
from annotate.corpus.guess import find_paths, guess
from annotate.corpus.recipe_parser import parse_recipe
from core.errors import RowError
from tests.annotate.corpus.recipes import TRUTH, claims_row, sentences_row


def test_paths_are_found_with_an_example_and_their_values():
    found = find_paths([claims_row(), claims_row(question="Again?")])
    assert list(found) == ["question", "answer", "claims.*.claim", "claims.*.ok"]
    assert (found["question"].example, found["claims.*.ok"].values) == ("What is the moon?", ["true", "false"])


def test_an_object_with_other_keys_in_every_row_is_gone_through():
    other = sentences_row()
    other["sentences"] = {"s9": other["sentences"]["s1"]}
    assert "sentences.*.text" in find_paths([sentences_row(), other])


def test_a_field_of_many_values_is_not_listed_value_by_value():
    assert find_paths([{"id": number} for number in range(50)])["id"].values == []


def test_fields_are_guessed_by_their_names():
    guessed = guess(find_paths([{**claims_row(), "id": 1, "model": "m", "category": "moon"}]))
    assert {name: path for name, path in guessed.items() if path} == {
        "prompt": "question",
        "text": "answer",
        "index": "id",
        "model": "model",
        "domain": "category",
        "unit": "claims.*.claim",
        "kind": "claims",
    }


def test_the_label_of_a_claim_is_looked_for_beside_it():
    row = {"prompt": "Q", "response": "A.", "label": 1, "claims": [{"text": "a", "claim": "A.", "label": 0}]}
    assert guess(find_paths([row]))["label"] == "claims.*.label"


def felm_row():
    return {
        "index": "1",
        "prompt": "Q",
        "response": "A. B.",
        "segmented_response": ["A.", "B."],
        "labels": [True, False],
    }


@pytest.mark.parametrize(
    ("row", "unit", "label"),
    [
        (felm_row(), "segmented_response.*", "labels.*"),
        (
            {"prompt": "Q", "response": "A.", "sentences": [{"sentence": "A.", "label": 1}]},
            "sentences.*.sentence",
            "sentences.*.label",
        ),
        (
            {"prompt": "Q", "response": "A.", "sentences": [{"text": "A.", "verdict": "no"}]},
            "sentences.*.text",
            "sentences.*.verdict",
        ),
    ],
)
def test_sentences_are_guessed_as_segments(row, unit, label):
    guessed = guess(find_paths([row]))
    assert (guessed["kind"], guessed["unit"], guessed["label"]) == ("segments", unit, label)


def test_claims_of_sentences_are_guessed_as_claims():
    row = {"prompt": "Q", "response": "A.", "sentences": ["A."], "claims": [{"claim": "A.", "label": 1}]}
    guessed = guess(find_paths([row]))
    assert (guessed["kind"], guessed["unit"]) == ("claims", "claims.*.claim")


def annotated(**claim):
    return {"prompt": "Q", "response": "A.", "claims": [{"claim": "A.", **claim}]}


@pytest.mark.parametrize(
    ("row", "label", "others"),
    [
        (annotated(labels=["yes", "no"]), "claims.*.labels.*", []),
        (annotated(annotations=[{"by": 1, "label": "yes"}]), "claims.*.annotations.*.label", []),
        (annotated(annotator_1="yes", annotator_2="yes"), "claims.*.annotator_1", ["claims.*.annotator_2"]),
        (annotated(label_a=1, label_b=1, label_c=1), "claims.*.label_a", ["claims.*.label_b", "claims.*.label_c"]),
        ({**felm_row(), "labels": [[True, True], [False]]}, "labels.*.*", []),
        ({"prompt": "Q", "response": "A.", "labels": ["yes", "no"]}, "labels.*", []),
        ({"prompt": "Q", "response": "A.", "rater1": "yes", "rater2": "yes"}, "rater1", ["rater2"]),
    ],
)
def test_labels_of_several_annotators_are_guessed_and_settle_where_all_agree(row, label, others):
    guessed = guess(find_paths([row]))
    assert (guessed["label"], guessed["other_labels"], guessed["settle"]) == (label, others, "unanimous")


def test_one_label_beside_those_of_annotators_is_the_label():
    row = annotated(annotations=[{"label": "yes"}], annotator_1="yes", annotator_2="yes", label="yes")
    guessed = guess(find_paths([row]))
    assert (guessed["label"], guessed["other_labels"], guessed["settle"]) == ("claims.*.label", [], "")


def test_names_of_annotators_and_labels_of_other_lists_are_no_labels():
    assert guess(find_paths([annotated(annotator_1="anna", annotator_2="bob")]))["label"] == ""
    assert guess(find_paths([annotated(sources=[{"label": "A page"}])]))["label"] == ""


@pytest.mark.parametrize(
    ("row", "chosen"),
    [
        (
            {"dataset": "moon", "doc": "The moon is far.", "claim": "It is far.", "label": 1},
            {"text": "claim", "domain": "dataset", "evidence": "doc", "label": "label"},
        ),
        (
            {
                "id": 7,
                "label": "SUPPORTS",
                "claim": "It is far.",
                "evidence": [[[1, 2, "Moon", 0]]],
                "passages": [{"title": "Moon", "text": "The moon is far.", "url": "https://example.org"}],
            },
            {
                "text": "claim",
                "index": "id",
                "evidence": "passages.*.text",
                "url": "passages.*.url",
                "label": "label",
            },
        ),
        ({"claim": "It is far.", "label": "yes"}, {"text": "claim", "label": "label"}),
        (
            {"document": "The moon is far.", "summary": "It is far.", "label": 1},
            {"text": "summary", "evidence": "document", "label": "label"},
        ),
        (
            {"context": "The moon is far.", "answer": "It is far.", "claims": [{"claim": "It is far.", "label": 1}]},
            {"text": "answer", "unit": "claims.*.claim", "evidence": "context", "label": "claims.*.label"},
        ),
    ],
)
def test_claims_that_nobody_asked_for_are_guessed_as_claims_against_their_source(row, chosen):
    guessed = guess(find_paths([row]))
    assert {name: path for name, path in guessed.items() if path} == {"kind": "against", **chosen}


def test_a_source_beside_a_question_is_evidence_of_the_answer():
    row = {"question": "Q", "context": "The moon is far.", "answer": "A.", "label": 1}
    guessed = guess(find_paths([row]))
    assert (guessed["kind"], guessed["evidence"]) == ("whole", "context")


def test_evidence_in_a_list_of_its_own_kind_is_not_guessed():
    row = annotated(label=1) | {"pages": [{"parts": [{"evidence": "A page."}]}]}
    assert guess(find_paths([row]))["evidence"] == ""


def bench_row(**sentence):
    """As Factcheck-Bench: an object of sentences, with lists beside their claims."""
    first = {
        "text": "It is far.",
        "sentence_label": False,
        "claims": ["The moon is far.", "The moon is near."],
        "human_evidence": ["NA", "A page."],
        "auto_evidence": [["It is far.", "Yes."], ["No."]],
        "auto_evidence_url": [["https://a.org", "https://b.org"], ["https://c.org"]],
        "is_automatic_evidence": [True, True],
        "if_claim_needs_edit": ["no", "yes"],
    }
    first = {key: value for key, value in {**first, **sentence}.items() if value is not None}
    second = {**first, "text": "I like it."}
    return {"prompt": "Q", "response": "It is far. I like it.", "sentences": {"s1": first, "s2": second}}


def bench_paths(**sentence):
    row = bench_row(**sentence)
    other = {**row, "sentences": {"s1": row["sentences"]["s1"]}}
    return find_paths([row, other])


def test_claims_of_sentences_are_guessed_with_their_label_and_evidence():
    guessed = guess(bench_paths())
    assert {name: path for name, path in guessed.items() if path} == {
        "prompt": "prompt",
        "text": "response",
        "kind": "claims",
        "unit": "sentences.*.claims.*",
        "sentence": "sentences.*.text",
        "label": "sentences.*.if_claim_needs_edit.*",
        "evidence": "sentences.*.auto_evidence.*.*",
        "url": "sentences.*.auto_evidence_url.*.*",
    }


def test_labelled_sentences_are_judged_where_their_claims_have_no_label():
    guessed = guess(bench_paths(if_claim_needs_edit=None))
    assert (guessed["kind"], guessed["unit"]) == ("segments", "sentences.*.text")
    assert guessed["label"] == "sentences.*.sentence_label"


@pytest.mark.parametrize("key", ["is_supported", "factual", "claim_verdict"])
def test_verdicts_are_guessed_by_their_names(key):
    assert guess(find_paths([annotated(**{key: True})]))["label"] == f"claims.*.{key}"


def test_what_tells_whether_there_is_evidence_is_none():
    assert guess(find_paths([annotated(evidence=True)]))["evidence"] == ""
    assert guess(find_paths([annotated(evidence="A page.")]))["evidence"] == "claims.*.evidence"


def test_claims_of_sentences_make_a_recipe():
    chosen = Choices(
        "claims",
        "prompt",
        "response",
        unit="sentences.*.claims.*",
        sentence="sentences.*.text",
        label="sentences.*.needs_edit.*",
        evidence="sentences.*.pages.*.*",
        url="sentences.*.links.*.*",
        values={"no": "supported"},
    )
    document = make_document("x", chosen)
    assert document["responses"]["sentences"] == {
        "each": "sentences.*",
        "text": "text",
        "claims": {
            "each": {"zip": {"text": "claims", "label": "needs_edit", "evidence": "pages", "url": "links"}},
            "text": "text",
            "label": {"at": "label", "values": {"no": "supported"}},
            "evidence": {"each": {"zip": {"text": "evidence", "url": "url"}}, "text": "text", "url": "url"},
        },
    }
    assert "evidence" not in document["responses"]
    parse_recipe(document)
    objects = Choices("claims", "q", "a", unit="s.*.claims.*.text", sentence="s.*.text", label="s.*.claims.*.ok")
    assert make_document("x", objects)["responses"]["sentences"]["claims"]["each"] == "claims.*"


def test_choices_make_a_recipe():
    chosen = Choices(
        "claims", "question", "answer", index="id", unit="claims.*.claim", label="claims.*.ok", values=TRUTH
    )
    document = make_document("Moon", chosen)
    assert document == {
        "recipe": 1,
        "title": "Moon",
        "responses": {
            "prompt": "question",
            "text": "answer",
            "index": "id?",
            "claims": {"each": "claims.*", "text": "claim", "label": {"at": "ok", "values": TRUTH}},
        },
    }
    parse_recipe(document)


def test_lists_beside_one_another_are_zipped():
    chosen = Choices("segments", "q", "a", unit="parts.*", label="labels.*", values={"1": "supported"})
    units = make_document("x", chosen)["responses"]["segments"]
    assert units["each"] == {"zip": {"text": "parts", "label": "labels"}}


def test_what_stands_above_an_item_is_reached_from_it():
    chosen = Choices(
        "claims",
        "question",
        "answers.*.text",
        domain="meta.field",
        unit="answers.*.claims.*.claim",
        label="answers.*.claims.*.ok",
        evidence="answers.*.claims.*.docs.*.text",
        url="answers.*.claims.*.docs.*.url",
        values=TRUTH,
    )
    response = make_document("x", chosen)["responses"]
    assert (response["each"], response["prompt"], response["domain"]) == ("answers.*", "^question", "^meta.field?")
    assert response["claims"]["evidence"] == {"each": "docs.*", "text": "text", "url": "url"}
    parse_recipe(make_document("x", chosen))


def test_labels_of_several_annotators_are_settled():
    chosen = Choices("claims", "q", "a", unit="claims.*.claim", label="claims.*.oks.*", values=TRUTH, settle="majority")
    label = make_document("x", chosen)["responses"]["claims"]["label"]
    assert label == {"at": "oks", "values": TRUTH, "settle": "majority"}
    whole = Choices("whole", "q", "a", label="oks.*", values=TRUTH, settle="unanimous")
    assert make_document("x", whole)["responses"]["label"]["at"] == "oks"


def test_annotators_in_fields_of_their_own_are_settled():
    fields = {"values": TRUTH, "settle": "majority"}
    chosen = Choices(
        "claims", "q", "a", unit="claims.*.claim", label="claims.*.a", other_labels=("claims.*.b",), **fields
    )
    assert make_document("x", chosen)["responses"]["claims"]["label"] == {"at": ["a", "b"], **fields}
    objects = Choices("claims", "q", "a", unit="claims.*.claim", label="claims.*.by.*.ok", **fields)
    assert make_document("x", objects)["responses"]["claims"]["label"] == {"at": "by.*.ok", **fields}
    lists = Choices("segments", "q", "a", unit="parts.*", label="a.*", other_labels=("b.*",), **fields)
    assert make_document("x", lists)["responses"]["segments"] == {
        "each": {"zip": {"text": "parts", "label": "a", "label_2": "b"}},
        "text": "text",
        "label": {"at": ["label", "label_2"], **fields},
    }
    for each in (chosen, objects, lists):
        parse_recipe(make_document("x", each))


def test_rows_may_be_claims():
    chosen = Choices("claims", "q", "a", unit="claim", label="ok", values=TRUTH, together="id")
    document = make_document("x", chosen)
    assert (document["together"], document["responses"]["claims"]["each"]) == ("id", "@rows")
    parse_recipe(document)


@pytest.mark.parametrize(
    ("changes", "cause"),
    [
        ({"text": "a.*.b.*.c"}, "the response stands in a list within a list"),
        ({"sentence": "s.*.text"}, "claims and segments must stand in a list of their sentence"),
        ({"sentence": "text"}, "sentences must stand in a list of the response"),
        ({"unit": "claim"}, "claims and segments must stand in a list of the response"),
        ({"label": "others.*.ok"}, "units and labels stand in two lists of objects"),
        ({"label": "claims.*.oks.*"}, "each unit has several labels: choose how they become one"),
        ({"prompt": "others.*.q"}, "the prompt stands in another list than what it is of"),
    ],
)
def test_choices_that_do_not_fit_together_are_an_error(changes, cause):
    fields = {"prompt": "q", "text": "a", "unit": "claims.*.claim", "label": "claims.*.ok", **changes}
    with pytest.raises(RowError, match=cause):
        make_document("x", Choices("claims", values=TRUTH, **fields))


@pytest.mark.parametrize(("path", "items"), [("a", ""), ("a.*", "a.*"), ("a.*.b", "a.*"), ("a.*.b.*.c", "a.*.b.*")])
def test_the_items_of_a_path(path, items):
    assert list_of(path) == items
