"""SimAl by the vectors of a sentence-embedding model that runs here."""

import json
from io import StringIO

import numpy as np
import pytest
from django.core.management import CommandError, call_command

from annotate.models import Dataset
from evaluators.editing.similarity import by_vectors
from evaluators.models import Run
from tests.evaluators.editing.work import worked
from tests.evaluators.methods.tiny_model import ids_of
from tests.factories import add_correction, add_facts, add_gold, make_dataset, make_response

pytestmark = pytest.mark.django_db

# "wrong" is a word that the model does not know.
SOURCE, EDIT, GOLD = "Ada rode wrong horses.", "Ada wrote horses.", "Ada wrote letters."


def vector(weights, words):
    """Worked out anew: the whole model, the plain mean over its tokens."""
    import torch
    from transformers import BertModel

    with torch.no_grad():
        states = BertModel.from_pretrained(weights / "tiny").eval()(torch.tensor([ids_of(f"[CLS] {words} [SEP]")]))
    return states.last_hidden_state[0].double().numpy().mean(axis=0)


def similarity(one, other):
    return (1 + one @ other / np.linalg.norm(one) / np.linalg.norm(other)) / 2


@pytest.fixture
def lives() -> Dataset:
    dataset = make_dataset("lives", scheme="factscore")
    ada = make_response(dataset, [SOURCE], prompt="Ada", subject="m")
    [fact] = add_facts(ada, [["Ada rode wrong horses."]])
    add_gold(fact, "not_supported")
    add_correction(ada.segments.get(), GOLD)
    dataset.refresh_from_db()
    return dataset


def simal_of(**options: str) -> dict[str, object]:
    output = StringIO()
    call_command("report_edits", "lives", "--json", stdout=output, **options)
    document = json.loads(output.getvalue())
    figure = document["editors"][0]["slices"][0]["figures"]["simal"]
    return {"similarity": document["similarity"], **figure}


def test_simal_is_the_part_of_the_way_to_the_correction_that_the_edit_goes(lives, weights):
    run: Run = worked(lives, "edit-copy")
    run.sentence_edits.update(text=EDIT)
    source, edit, gold = (
        vector(weights, words) for words in ("ada rode [UNK] horses .", "ada wrote horses .", "ada wrote letters .")
    )
    gone = (similarity(gold, edit) - similarity(gold, source)) / (1 - similarity(gold, source))
    assert 0 < gone < 1
    found = simal_of(similarity_weights="tiny")
    assert (found["similarity"], found["n"]) == ("tiny", 1)
    assert found["mean"] == pytest.approx(gone, abs=1e-5)


def test_a_copy_goes_no_way_and_the_correction_itself_all_of_it(lives, weights):
    run: Run = worked(lives, "edit-copy")
    assert simal_of(similarity_weights="tiny")["mean"] == 0.0
    run.sentence_edits.update(text=GOLD)
    assert simal_of(similarity_weights="tiny")["mean"] == 1.0
    run.sentence_edits.update(text="")
    assert simal_of(similarity_weights="tiny")["mean"] == 0.0


def test_each_text_is_like_itself_and_the_order_of_a_pair_does_not_matter(weights):
    alike, one, other = by_vectors("tiny")([(GOLD, GOLD), (GOLD, SOURCE), (SOURCE, GOLD)])
    assert alike == 1.0
    assert 0 < one < 1
    assert one == other


def test_weights_that_are_not_there_are_named(lives, weights):
    worked(lives, "edit-copy")
    with pytest.raises(CommandError, match="--similarity-weights"):
        simal_of(similarity_weights="nowhere")
