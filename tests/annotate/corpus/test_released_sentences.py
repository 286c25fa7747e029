"""The published code's sentences, and lists that stay whole under ours."""

import json

import pytest
from django.core.management import call_command

from annotate.corpus.released_sentences import released_sentences
from annotate.corpus.sentences import sentence_spans, sentences
from annotate.models import Segment


@pytest.mark.parametrize(
    ("text", "cut"),
    [
        # A line is a paragraph, and nothing is joined across it.
        ("Ada sang.\n\n  Bo\nran. ", ["Ada sang.", "Bo", "ran."]),
        # One word at the beginning waits for the next longer sentence; elsewhere it goes to the one before.
        ("Wow! He swam home. Ada left.", ["Wow! He swam home.", "Ada left."]),
        ("Wow! Yes! He swam home.", ["Wow! Yes! He swam home."]),
        ("He met Bo here. Yes. Ada left.", ["He met Bo here. Yes.", "Ada left."]),
        # A letter that is not upper case goes on with the sentence before; a digit or a bracket does not.
        ("He swam. iPads sold well. Ada left.", ["He swam. iPads sold well.", "Ada left."]),
        ("Ada left. 3 dogs came.", ["Ada left.", "3 dogs came."]),
        ("He won! (nobody saw it.)", ["He won!", "(nobody saw it.)"]),
        ("He swam. She 走了. 她 走了.", ["He swam.", "She 走了. 她 走了."]),
        ("1. Ada sang.\n2. Bo sang.", ["1. Ada sang.", "2. Bo sang."]),
        ("1. Ada sang. 2. Bo sang.", ["1. Ada sang. 2.", "Bo sang."]),
        (" \n ", []),
    ],
)
def test_what_the_published_code_cuts(text, cut):
    assert released_sentences(text) == cut


def test_initials_that_came_apart_are_joined_once_for_each_find():
    # Punkt cuts after "J."; A. and Z. stay together, and so do B. and Y.
    assert released_sentences("He met J. K. Rowe there. Ada left.") == ["He met J. K. Rowe there.", "Ada left."]
    assert released_sentences("He saw A. Z. He saw B. Y. Moe.") == ["He saw A. Z.", "He saw B. Y. Moe."]


@pytest.mark.parametrize(
    ("text", "cut"),
    [
        ("1. Born in Rome\n2. Died in Paris", ["1. Born in Rome", "2. Died in Paris"]),
        ("1. Ada sang. 2. Bo sang.", ["1. Ada sang.", "2. Bo sang."]),
        (
            "She did this:\n1) Sang\n2) Danced\nThen she left.",
            ["She did this:", "1) Sang", "2) Danced\nThen she left."],
        ),
        ("Born in Rome.\n2.", ["Born in Rome.", "2."]),
        ("She left in 1990.\nHe came.", ["She left in 1990.", "He came."]),
    ],
)
def test_an_item_of_a_list_begins_a_sentence_and_keeps_its_number(text, cut):
    assert sentences(text) == cut
    assert [text[start:end] for start, end in sentence_spans(text)] == cut


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("profile", "cut"),
    [("repaired", ["1. Ada sang.", "2. Bo sang."]), ("released-code", ["1. Ada sang. 2.", "Bo sang."])],
)
def test_an_import_cuts_as_the_profile_says(tmp_path, profile, cut):
    file = tmp_path / "lists.jsonl"
    row = {"index": "1", "prompt": "Who?", "domain": "wk", "response": "1. Ada sang. 2. Bo sang."}
    file.write_text(json.dumps(row), encoding="utf-8")
    call_command("import_dataset", "lists", str(file), "--format", "responses", "--sentences", profile)
    assert list(Segment.objects.values_list("text", flat=True)) == cut
    assert not Segment.objects.filter(start=None).exists()
