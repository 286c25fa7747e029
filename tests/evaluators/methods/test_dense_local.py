"""Dense retrieval by a model that is run here: what a text's vector is, and which passages it finds."""

import asyncio
import json
import shutil

import numpy as np
import pytest

from evaluators.methods import METHODS
from evaluators.methods.base import EvidencePassage
from evaluators.methods.factscore_passages import build_retrieval, nearest
from evaluators.methods.parameters import read_parameters
from evaluators.methods.sentence_vectors import embed, find_sentence_weights
from llm.weights import NotReadyError
from tests.evaluators.methods.cases import ScriptedModel, make_case
from tests.evaluators.methods.tiny_model import WINDOW, ids_of

PAGE = [
    EvidencePassage("Ada", text)
    for text in ("Ada was born in London.", "She rode horses.", "She wrote letters.", "Ben wrote.")
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


def test_of_a_model_that_has_a_decoder_the_encoder_is_taken(weights, tmp_path):
    import transformers

    transformers.T5Model(
        transformers.T5Config(vocab_size=40, d_model=16, d_kv=8, d_ff=16, num_layers=1, num_heads=2)
    ).save_pretrained(tmp_path)
    for name in ("tokenizer.json", "tokenizer_config.json"):
        shutil.copy(weights / "tiny" / name, tmp_path)
    assert np.shape(embed(tmp_path, ["Ada wrote.", "Ben rode. " * 400])) == (2, 16)


# As sentence-transformers writes folders: with a list of layers

MEAN = {"word_embedding_dimension": 32, "pooling_mode_cls_token": False, "pooling_mode_mean_tokens": True}
FIRST = {"word_embedding_dimension": 32, "pooling_mode_cls_token": True, "pooling_mode_mean_tokens": False}
LINEAR = {"in_features": 32, "out_features": 2, "activation_function": "torch.nn.modules.linear.Identity"}
CURVED = {"in_features": 32, "out_features": 2, "activation_function": "torch.nn.modules.activation.Tanh"}


@pytest.fixture
def write(weights, tmp_path, settings):
    """Writes the folder "sentences" of "tiny" with these layers behind it, each a kind and what its file says."""
    settings.WEIGHTS_DIR = tmp_path
    folder = tmp_path / "sentences"
    shutil.copytree(weights / "tiny", folder)

    def write(*layers):
        listed = [{"path": "", "type": "sentence_transformers.models.Transformer"}]
        for place, (kind, said) in enumerate(layers, start=1):
            listed.append({"path": f"{place}_{kind}", "type": f"sentence_transformers.models.{kind}"})
            (folder / f"{place}_{kind}").mkdir()
            (folder / f"{place}_{kind}" / "config.json").write_text(json.dumps(said))
        (folder / "modules.json").write_text(json.dumps(listed))
        return folder

    return write


def test_normalization_changes_no_angle_and_is_left_out(weights, write):
    folder = write(("Pooling", MEAN), ("Normalize", {}))
    assert find_sentence_weights("sentences", "retrieval_weights") == folder
    np.testing.assert_allclose(embed(folder, ["Ada wrote."]), embed(weights / "tiny", ["Ada wrote."]))


def test_the_mean_is_sent_through_a_linear_layer(weights, write):
    import torch
    from safetensors.torch import save_file

    folder = write(("Pooling", MEAN), ("Dense", LINEAR), ("Normalize", {}))
    weight, bias = torch.arange(64.0).reshape(2, 32), torch.tensor([0.5, -0.5])
    save_file({"linear.weight": weight, "linear.bias": bias}, folder / "2_Dense" / "model.safetensors")

    [found] = embed(find_sentence_weights("sentences", "retrieval_weights"), ["Ada wrote."])

    mean = mean_of(weights, "ada wrote .")
    expected = [sum(float(w) * float(m) for w, m in zip(row, mean, strict=True)) for row in weight]
    assert found == pytest.approx([expected[0] + 0.5, expected[1] - 0.5], rel=1e-4)


@pytest.mark.parametrize(
    ("layers", "named"),
    [
        ([("Pooling", FIRST)], "Pooling"),
        ([("Pooling", MEAN), ("Dense", CURVED)], "Dense"),
        ([("Pooling", MEAN), ("LSTM", {})], "LSTM"),
    ],
)
def test_a_layer_that_is_not_applied_is_refused(write, layers, named):
    write(*layers)
    with pytest.raises(NotReadyError, match=rf"^retrieval_weights is 'sentences'; its {named} layer is not "):
        find_sentence_weights("sentences", "retrieval_weights")
