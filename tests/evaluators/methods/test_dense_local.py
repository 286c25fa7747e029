"""Dense retrieval by a model that is run here: what a text's vector is, and which passages it finds."""

import asyncio
import json
import shutil

import numpy as np
import pytest

from evaluators.methods import METHODS
from evaluators.methods.base import NotReadyError, Passage
from evaluators.methods.factscore_passages import build_retrieval, nearest
from evaluators.methods.parameters import read_parameters
from evaluators.methods.sentence_vectors import embed, find_sentence_weights
from tests.evaluators.methods.cases import ScriptedModel, make_case
from tests.evaluators.methods.tiny_model import WINDOW, ids_of

PAGE = [
    Passage("Ada", text) for text in ("Ada was born in London.", "She rode horses.", "She wrote letters.", "Ben wrote.")
]
LOCAL = {"retrieval": "dense-local", "retrieval_weights": "tiny", "passages": "2"}


def mean_of(weights, words):
    """Worked out anew: ids by hand, the whole model, the plain mean."""
    import torch
    from transformers import BertModel

    with torch.no_grad():
        states = BertModel.from_pretrained(weights / "tiny").eval()(torch.tensor([ids_of(f"[CLS] {words} [SEP]")]))
    return states.last_hidden_state[0].numpy().mean(axis=0)


def test_the_vector_of_a_text_is_the_mean_of_its_tokens(weights):
    found = embed(weights / "tiny", ["Ada wrote.", "Ben rode horses in London."])
    expected = [mean_of(weights, words) for words in ("ada wrote .", "ben rode horses in london .")]
    np.testing.assert_allclose(found, expected, atol=1e-5)


def test_the_end_of_a_long_text_counts(weights):
    long = "Ada wrote. " * WINDOW
    one, other = embed(weights / "tiny", [long + "She rode horses.", long + "Ben was born."])
    assert not np.allclose(one, other, atol=1e-4)


def test_the_passages_nearest_to_the_fact_are_found(weights):
    parameters = read_parameters(METHODS["factscore-retrieve"], LOCAL)
    case = make_case(facts=[["She wrote letters.", "She rode horses."]])
    model = ScriptedModel("", passages={case.topic: PAGE})

    found = asyncio.run(build_retrieval(parameters)(model, case))

    words = ("ada was born in london .", "she rode horses .", "she wrote letters .", "ben wrote .")
    table = [mean_of(weights, f"ada . {each}") for each in words]  # under the title of their page
    facts = [mean_of(weights, words[place]) for place in (2, 1)]
    assert found == [[PAGE[place] for place in nearest(fact, table, 2)] for fact in facts]


def test_a_topic_without_a_page_loads_no_model(weights):
    parameters = read_parameters(METHODS["factscore-retrieve"], LOCAL)
    case = make_case(facts=[["She wrote letters."]])
    assert asyncio.run(build_retrieval(parameters)(ScriptedModel(""), case)) == [()]


@pytest.fixture
def sentence_weights(weights, tmp_path, settings):
    """As sentence-transformers writes them: "tiny" with a list of layers."""
    settings.WEIGHTS_DIR = tmp_path
    folder = tmp_path / "sentences"
    shutil.copytree(weights / "tiny", folder)
    (folder / "1_Pooling").mkdir()

    def write(pooling, *more):
        layers = [{"path": "", "type": "sentence_transformers.models.Transformer"}]
        layers += [{"path": "1_Pooling", "type": "sentence_transformers.models.Pooling"}, *more]
        (folder / "modules.json").write_text(json.dumps(layers))
        (folder / "1_Pooling" / "config.json").write_text(json.dumps(pooling))

    return write


MEAN = {"word_embedding_dimension": 32, "pooling_mode_cls_token": False, "pooling_mode_mean_tokens": True}
FIRST = {"word_embedding_dimension": 32, "pooling_mode_cls_token": True, "pooling_mode_mean_tokens": False}


def test_a_mean_with_normalization_is_taken(sentence_weights):
    sentence_weights(MEAN, {"path": "2_Normalize", "type": "sentence_transformers.models.Normalize"})
    assert find_sentence_weights("sentences", "retrieval_weights").name == "sentences"


@pytest.mark.parametrize(
    ("pooling", "more", "layer"),
    [
        (FIRST, [], "Pooling"),
        (MEAN, [{"path": "2_Dense", "type": "sentence_transformers.models.Dense"}], "Dense"),
    ],
)
def test_a_vector_that_is_not_the_mean_is_refused(sentence_weights, pooling, more, layer):
    sentence_weights(pooling, *more)
    with pytest.raises(NotReadyError, match=rf"^retrieval_weights is 'sentences'; its {layer} layer is not "):
        find_sentence_weights("sentences", "retrieval_weights")
