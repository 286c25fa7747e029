import pytest

from annotate.corpus.rows import Card, ResponseRow
from annotate.corpus.segmenting import segments_of
from annotate.corpus.unread import unread_keys
from core.errors import DataError, RowError
from core.rows.files import open_rows
from tests.annotate.corpus.files import write_rows
from tests.annotate.corpus.recipes import (
    TRUTH,
    claims_recipe,
    claims_row,
    fault_of,
    read_all,
    read_one,
    recipe_of,
    sentences_recipe,
    sentences_row,
)


@pytest.fixture
def file(tmp_path):
    return tmp_path / "rows.jsonl"


def test_claims_get_their_label_and_their_sentence(file):
    row = read_one(write_rows(file, claims_row()), claims_recipe(), "moon-1")
    assert (row.prompt.text, row.subject, row.index) == ("What is the moon?", "moon-1", None)
    first, second = segments_of(row)
    assert [(fact.text, fact.judged.value) for fact in first.human_facts] == [
        ("The moon goes round the earth.", "supported")
    ]
    assert [(fact.text, fact.judged.value) for fact in second.human_facts] == [
        ("The moon is made of cheese.", "not_supported")
    ]


def test_claims_of_no_sentence_stand_under_the_whole_response(file):
    claims = [{"claim": "Tides are caused by gravity.", "ok": True}]
    row = read_one(write_rows(file, claims_row(claims=claims)), claims_recipe())
    *sentences, whole = segments_of(row)
    assert [len(sentence.human_facts) for sentence in sentences] == [0, 0]
    assert (whole.text, whole.human_facts[0].text) == (row.text, "Tides are caused by gravity.")


def test_sentences_bring_claims_labels_evidence_and_what_is_kept(file):
    row = read_one(write_rows(file, sentences_row()), sentences_recipe())
    assert (row.index, row.subject, row.extra) == ("7", "moon-1", {"kept": {"verdict": False}})
    first, second = row.segments
    assert first.extra == {"kept": {"edited": "The moon goes round the earth."}}
    supported, unclear = first.human_facts
    # The link of the text without the full stop; "none found" is skipped.
    assert supported.judged.cards == (
        Card("https://example.org/moon", "The moon orbits. See https://example.org/moon.", "supports"),
    )
    assert (unclear.judged, unclear.extra) == (
        None,
        {"kept": {"label": "unclear", "outcome": "not_enough_evidence"}},
    )
    assert second.human_facts[0].extra["kept"]["outcome"] == "not_checkworthy"
    # Evidence of claims without gold stands with the response.
    assert [reference.content for reference in row.references] == ["It is 384,000 km away.", "A passage."]


def test_an_unmapped_label_is_an_error_that_names_claim_and_value(file):
    claims = [{"claim": "It is far.", "ok": True}, {"claim": "It is near.", "ok": "maybe"}]
    fault = fault_of(write_rows(file, claims_row(claims=claims)), claims_recipe())
    assert fault == ("the recipe does not say what the label 'maybe' is (ok of claim 2); it names 'true', 'false'")


@pytest.mark.parametrize("label", ["True", "TRUE", " true", True])
def test_a_label_in_another_case_is_the_same(file, label):
    row = read_one(write_rows(file, claims_row(claims=[{"claim": "It is far.", "ok": label}])), claims_recipe())
    (claim,) = [claim for segment in segments_of(row) for claim in segment.human_facts]
    assert claim.judged.value == "supported"


def test_an_unmapped_stance_is_an_error_too(file):
    row = sentences_row()
    row["sentences"]["s1"]["stances"][0][0] = "hm"
    fault = fault_of(write_rows(file, row), sentences_recipe())
    assert fault == "the recipe does not say what the stance 'hm' is (stance of evidence 1 of claim 1 of sentence s1)"


@pytest.mark.parametrize(
    ("changes", "cause"),
    [
        ({"answer": " "}, "answer is empty"),
        ({"question": None}, "question is empty"),
        ({"question": 7.5}, "question must be text, not a number"),
        ({"claims": "none"}, "claims must be a list, not 'none'"),
        ({"claims": [{"claim": "It is far."}]}, "ok of claim 1 is missing"),
        ({"claims": [{"claim": "", "ok": True}]}, "claim of claim 1 is empty"),
        ({"answer": "The moon\x00."}, "answer holds a NUL character at character 9"),
    ],
)
def test_what_is_wrong_with_a_row_is_named(file, changes, cause):
    assert cause in fault_of(write_rows(file, claims_row(**changes)), claims_recipe())


def test_a_missing_key_is_an_error_unless_the_path_allows_it(file):
    row = write_rows(file, claims_row())
    assert fault_of(row, claims_recipe(domain="field")) == "field is missing"
    assert read_one(row, claims_recipe(domain="field?")).prompt.domain == ""


def test_lists_within_lists_are_gone_through(file):
    recipe = claims_recipe(evidence={"each": "pages.*.passages.*", "text": ".", "url": "^link"})
    pages = [
        {"link": "https://example.org/a", "passages": ["One.", "Two."]},
        {"link": "https://example.org/b", "passages": ["Three."]},
    ]
    row = read_one(write_rows(file, claims_row(pages=pages)), recipe)
    assert [(each.url, each.content) for each in row.references] == [
        ("https://example.org/a", "One."),
        ("https://example.org/a", "Two."),
        ("https://example.org/b", "Three."),
    ]
    fault = fault_of(write_rows(file, claims_row(pages=[pages[0], {"link": ""}])), recipe)
    assert fault == "passages of evidence 2 is missing"


def test_zipped_lists_of_different_length_are_an_error(file):
    row = sentences_row()
    row["sentences"]["s1"]["labels"] = ["yes"]
    fault = fault_of(write_rows(file, row), sentences_recipe())
    assert "the lists of claim of sentence s1 differ in length: claims has 2, labels has 1" in fault


def test_one_row_may_be_several_responses_each_named_by_its_key(file):
    answers = {"small": claims_row(), "large": claims_row()}
    rule = {**claims_recipe()["responses"], "each": "answers.*", "model": "@key", "prompt": "^question"}
    document = {"recipe": 1, "title": "x", "responses": rule}
    rows = read_all(write_rows(file, {"question": "Which?", "answers": answers}), document)
    assert [(number, row.subject, row.prompt.text) for number, row in rows] == [
        (1, "small", "Which?"),
        (1, "large", "Which?"),
    ]


def test_two_rules_make_two_responses_of_a_row(file):
    rules = [
        {"prompt": "q", "text": key, "label": {"value": value}}
        for key, value in (("right", "supported"), ("wrong", "not_supported"))
    ]
    rows = read_all(
        write_rows(file, {"q": "Why?", "right": "So.", "wrong": "No."}), {"recipe": 1, "title": "x", "responses": rules}
    )
    assert [(row.text, row.segments[0].judged.value) for _, row in rows] == [
        ("So.", "supported"),
        ("No.", "not_supported"),
    ]


def together() -> dict[str, object]:
    units = {"each": "@rows", "text": "claim", "label": {"at": "ok", "values": TRUTH}}
    return {**claims_recipe(claims=units), "together": "id"}


def test_rows_that_follow_one_another_are_one_response(file):
    about = {"question": "What?", "answer": "It is far. It is round."}
    rows = write_rows(
        file,
        {**about, "id": 1, "claim": "It is far.", "ok": True},
        {**about, "id": 1, "claim": "It is round.", "ok": False},
        {**about, "id": 2, "claim": "It is far.", "ok": True},
    )
    found = read_all(rows, together())
    assert [(number, row.index, [claim.text for claim in row.claims]) for number, row in found] == [
        (1, "1", ["It is far.", "It is round."]),
        (3, "2", ["It is far."]),
    ]


def test_rows_of_one_response_must_repeat_its_text(file):
    rows = write_rows(
        file,
        {"question": "What?", "answer": "It is far.", "id": 1, "claim": "It is far.", "ok": True},
        {"question": "What?", "answer": "It is near.", "id": 1, "claim": "It is near.", "ok": True},
    )
    assert fault_of(rows, together()) == "answer is not the same in all rows of the response"


@pytest.mark.parametrize(
    ("settle", "labels", "value"),
    [
        ("unanimous", [True, True], "supported"),
        ("unanimous", [True, False], None),
        ("majority", [True, True, False], "supported"),
        ("majority", [True, False], None),
        ("majority", [], None),
    ],
)
def test_labels_of_several_annotators_are_settled_as_the_recipe_says(file, settle, labels, value):
    units = {"each": "claims.*", "text": "claim", "label": {"at": "ok", "values": TRUTH, "settle": settle}}
    row = claims_row(claims=[{"claim": "It is far.", "ok": labels}])
    (claim,) = read_one(write_rows(file, row), claims_recipe(claims=units)).claims
    assert (claim.judged.value if claim.judged else None) == value
    assert claim.extra["kept"]["label"] == labels


@pytest.mark.parametrize(
    ("at", "claim"),
    [
        (["a", "b", "meta.c"], {"a": True, "b": True, "meta": {"c": False}}),
        ("by.*.ok", {"by": [{"ok": True}, {"ok": True}, {"ok": False}]}),
        ("by.*.ok", {"by": {"anna": {"ok": True}, "bob": {"ok": True}, "cleo": {"ok": False}}}),
    ],
)
def test_annotators_in_fields_and_objects_of_their_own_are_settled(file, at, claim):
    units = {"each": "claims.*", "text": "claim", "label": {"at": at, "values": TRUTH, "settle": "majority"}}
    row = claims_row(claims=[{"claim": "It is far.", **claim}])
    (read,) = read_one(write_rows(file, row), claims_recipe(claims=units)).claims
    assert read.judged is not None and read.judged.value == "supported"
    assert read.extra["kept"]["label"] == [True, True, False]


def test_a_label_that_one_of_several_annotators_lacks_is_named(file):
    units = {"each": "claims.*", "text": "claim", "label": {"at": ["a", "b"], "values": TRUTH, "settle": "majority"}}
    row = claims_row(claims=[{"claim": "It is far.", "a": True}])
    assert fault_of(write_rows(file, row), claims_recipe(claims=units)) == "b of claim 1 is missing"
    row["claims"][0]["b"] = "maybe"
    fault = fault_of(write_rows(file, row), claims_recipe(claims=units))
    assert "does not say what the label 'maybe' is (a and b of claim 1)" in fault


def test_columns_of_annotators_are_settled_in_a_table(tmp_path):
    path = tmp_path / "rows.csv"
    path.write_text("question,answer,a,b\nWhat?,It is far.,yes,yes\nWhat else?,It is near.,yes,\n")
    values = {"yes": "supported", "": "no_label"}
    document = claims_recipe(label={"at": ["a", "b"], "values": values, "settle": "unanimous"})
    del document["responses"]["claims"]
    segments = [row.segments[0].judged for _, row in read_all(path, document)]
    assert [judged.value for judged in segments] == ["supported", "supported"]
    assert unread_keys(recipe_of(document), open_rows(path).rows) == []


def test_the_path_of_an_unread_key_with_a_dot_can_be_written_into_the_recipe(file):
    row = {**claims_row(), "quality.responses": ["good"], "about": {"v1.0": {"by?": "ada"}}}
    write_rows(file, row)
    unread = [r"quality\.responses", r"about"]
    assert [path for path in unread_keys(recipe_of(claims_recipe()), open_rows(file).rows) if path in unread] == unread
    document = claims_recipe()
    document["responses"]["keep"] = [*unread, r"about.v1\.0"]
    assert unread_keys(recipe_of(document), open_rows(file).rows) == []
    kept = read_one(file, document).extra["kept"]
    assert (kept["quality.responses"], kept["v1.0"]) == (["good"], {"by?": "ada"})


def test_several_labels_without_a_rule_are_an_error(file):
    row = claims_row(claims=[{"claim": "It is far.", "ok": [True]}])
    assert "of several labels the recipe must say how they settle" in fault_of(write_rows(file, row), claims_recipe())


SPANS = {
    "recipe": 1,
    "title": "Spans",
    "responses": {
        "prompt": "question",
        "text": "answer",
        "spans": {
            "each": "errors.*",
            "start": "start",
            "end": "end",
            "text": "text?",
            "label": {"at": "type", "values": {"conflict": "not_supported"}},
            "elsewhere": "supported",
        },
    },
}


def test_a_sentence_has_the_label_of_the_span_that_touches_it(file):
    answer = "The moon goes round the earth. It is made of cheese."
    errors = [{"start": 45, "end": 51, "text": "cheese", "type": "conflict"}]
    row = read_one(write_rows(file, {"question": "What?", "answer": answer, "errors": errors}), SPANS)
    assert [segment.judged.value for segment in segments_of(row)] == ["supported", "not_supported"]


@pytest.mark.parametrize(
    ("span", "cause"),
    [
        ({"start": 5, "end": 5}, "span 1 ends before it begins"),
        ({"start": 0, "end": 99}, "end of span 1 must be a whole number from 0 to the length of the text"),
        ({"start": 0, "end": 2, "text": "No"}, "text of span 1 is not what stands at its offsets"),
    ],
)
def test_a_span_must_stand_in_its_response(file, span, cause):
    errors = [{**span, "type": "conflict"}]
    assert cause in fault_of(write_rows(file, {"question": "What?", "answer": "It is far.", "errors": errors}), SPANS)


SPANS_BY_TEXT = {
    "recipe": 1,
    "title": "Spans by text",
    "responses": {
        "prompt": "q",
        "text": "a",
        "spans": {"each": "spans.*", "text": ".", "label": {"value": "not_supported"}, "elsewhere": "supported"},
    },
}


def test_a_span_without_offsets_is_found_by_its_text(file):
    row = {"q": "Bio", "a": "Ada Lovelace was born  in Rome. She wrote a program.", "spans": ["born in Rome"]}
    read = read_one(write_rows(file, row), SPANS_BY_TEXT)
    assert [segment.judged.value for segment in segments_of(read)] == ["not_supported", "supported"]
    assert unread_keys(recipe_of(SPANS_BY_TEXT), open_rows(file).rows) == []


@pytest.mark.parametrize(
    ("span", "cause"),
    [
        ("in Paris", "span 1, 'in Paris', stands nowhere in the response"),
        ("She", "span 1, 'She', stands several times in the response"),
        ("", "span 1, '', stands nowhere in the response"),
    ],
)
def test_a_span_by_its_text_must_stand_in_its_response_once(file, span, cause):
    row = {"q": "Bio", "a": "She was born in Rome. She wrote a program.", "spans": [span]}
    assert cause in fault_of(write_rows(file, row), SPANS_BY_TEXT)


def test_a_claim_that_stands_alone_is_a_response_that_is_judged_as_a_whole(file):
    label = {"at": "label", "values": {"1": "supported", "0": "not_supported"}}
    rule = {"prompt": {"value": "Is it so?"}, "text": "claim", "evidence": {"text": "doc"}, "label": label}
    document = {"recipe": 1, "title": "x", "responses": rule}
    row = read_one(write_rows(file, {"claim": "It is far. Very.", "doc": "It is near.", "label": 0}), document)
    (segment,) = segments_of(row)
    assert (segment.text, segment.judged.value, row.references[0].content) == (
        "It is far. Very.",
        "not_supported",
        "It is near.",
    )


def test_characters_that_cannot_be_stored_are_left_out_of_evidence_with_a_warning(file):
    row = read_one(write_rows(file, claims_row(doc="A\x00 page")), claims_recipe(evidence={"text": "doc"}))
    assert row.references[0].content == "A page"
    assert row.warnings == ("doc holds characters that cannot be stored: they are left out",)


def test_the_same_row_by_the_same_recipe_has_the_same_hash(file):
    one = read_one(write_rows(file, claims_row()), claims_recipe())
    again = read_one(write_rows(file, dict(reversed(claims_row().items()))), claims_recipe())
    swapped = {"true": "not_supported", "false": "supported"}
    units = {"each": "claims.*", "text": "claim", "label": {"at": "ok", "values": swapped}}
    other = read_one(write_rows(file, claims_row()), claims_recipe(claims=units))
    assert one.content_hash == again.content_hash != other.content_hash


def test_a_file_of_another_kind_than_the_recipe_says_is_refused(file):
    with pytest.raises(DataError, match=r"rows.jsonl is json-lines, and the recipe Moon claims is for csv\."):
        read_all(write_rows(file, claims_row()), {**claims_recipe(), "format": "csv"})


def test_cells_of_a_table_hold_lists_as_json(tmp_path):
    path = tmp_path / "rows.csv"
    path.write_text(
        "question,answer,claims,labels\n"
        'What?,It is far. It is round.,"[""It is far."", ""It is round.""]","[true, ""false""]"\n',
        encoding="utf-8",
    )
    units = {
        "each": {"zip": {"text": "claims", "label": "labels"}},
        "text": "text",
        "label": {"at": "label", "values": TRUTH},
    }
    row = read_one(path, claims_recipe(claims=units))
    assert [(claim.text, claim.judged.value) for claim in row.claims] == [
        ("It is far.", "supported"),
        ("It is round.", "not_supported"),
    ]


def test_a_faulty_line_does_not_hide_the_rows_after_it(file):
    file.write_text('{"id": 1\n' + '{"question": "Q", "answer": "A.", "claims": []}\n', encoding="utf-8")
    (_, fault), (_, row) = read_all(file, claims_recipe())
    assert isinstance(fault, RowError)
    assert isinstance(row, ResponseRow)
