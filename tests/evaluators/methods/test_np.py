"""NP: what the probability of a fact is, and what is made of it."""

import asyncio
import math

import numpy as np
import pytest

from evaluators.methods import METHODS, neural
from evaluators.methods.base import EvidencePassage, Judgement, Skip
from evaluators.methods.neural import load_masked
from evaluators.methods.nonparametric import Bank, encode_passage, probabilities, words_in
from evaluators.methods.parameters import read_parameters
from evaluators.methods.released_stop_tokens import RELEASED_STOP_TOKENS
from evaluators.runs.build import RunError
from evaluators.runs.create import create_run
from llm import weights as weights_of
from llm.weights import NotReadyError, find_weights
from tests.evaluators.methods.cases import ScriptedModel, make_case
from tests.evaluators.methods.tiny_model import WINDOW, ids_of, make_byte_weights
from tests.factories import make_dataset
from tests.knowledge.sources import make_source

FACT = "Ada was born in 1815."
PAGE = [
    EvidencePassage("Ada Lovelace", "Ada was born in London."),
    EvidencePassage("Ada Lovelace", "She wrote letters."),
]


def judge(*facts, page=PAGE, **parameters):
    method = METHODS["factscore-np"]
    case = make_case(facts=[facts])
    model = ScriptedModel("", passages={case.topic: page})
    return asyncio.run(method.build(read_parameters(method, {"np_weights": "tiny", **parameters}))(case, model))


def score(*facts, page=PAGE):
    return [outcome.score for outcome in judge(*facts, page=page)]


def test_probabilities_worked_by_hand():
    # Width 4, so products are halved: 1, 0 and 1 for the first state, 0, ln 2 and 0 for the second.
    bank = Bank(np.array([5, 6, 5]), np.array([[2, 0, 0, 0], [0, 2 * math.log(2), 0, 0], [2, 0, 0, 0]], "float32"))
    states = np.array([[1, 0, 0, 0], [0, 1, 0, 0], [0, 1, 0, 0]], "float32")

    found = probabilities(states, [5, 6, 7], bank)

    assert found == pytest.approx([2 * math.e / (2 * math.e + 1), 2 / (1 + 2 + 1), 0])


def test_large_products_overflow_nothing():
    bank = Bank(np.array([5, 6]), np.array([[4000.0], [0.0]], "float32"))
    assert probabilities(np.array([[1.0]], "float32"), [5], bank) == pytest.approx([1])


def test_the_score_is_the_mean_over_the_masked_words(weights):
    """Worked out anew: the ids by hand, the hidden states from the whole model, the sums in plain Python."""
    import torch
    from transformers import BertForMaskedLM

    model = BertForMaskedLM.from_pretrained(weights / "tiny").eval()

    def states(ids):
        with torch.no_grad():
            return model(torch.tensor([ids]), output_hidden_states=True).hidden_states[-1][0].numpy()

    passages = [ids_of(f"[CLS] {words} [SEP]") for words in ("ada was born in london .", "she wrote letters .")]
    bank = [pair for ids in passages for pair in zip(ids[1:-1], states(ids)[1:-1], strict=True)]
    fact = ids_of("[CLS] fact : ada was born in 1815 . [SEP]")
    chances = []
    for place in (3, 5, 7):  # ada, born, 1815; "was" and "in" are stop words
        masked = [*fact[:place], *ids_of("[MASK]"), *fact[place + 1 :]]
        at_mask = states(masked)[place]
        weight = [math.exp(float(np.dot(at_mask, vector)) / math.sqrt(32)) for _, vector in bank]
        of_word = [each for each, (token, _) in zip(weight, bank, strict=True) if token == fact[place]]
        chances.append(sum(of_word) / sum(weight))

    [said] = judge(FACT)

    assert chances[2] == 0  # no passage has the year
    assert said.score == pytest.approx(sum(chances) / 3, rel=1e-4)
    assert said.rationale == f"Ada {chances[0]:.2f}, born {chances[1]:.2f}, 1815 0.00"


def test_supported_is_what_exceeds_the_threshold(weights):
    [at] = score(FACT)
    assert [judge(FACT, np_threshold=str(bound))[0].value for bound in (at - 0.001, at, at + 0.001)] == [
        "supported",
        "not_supported",
        "not_supported",
    ]


def test_what_stands_in_the_passages_word_for_word_is_more_probable_than_what_does_not(weights):
    there, elsewhere = score("She wrote letters.", "Ben rode horses.")
    assert there > elsewhere == 0


def test_a_fact_is_judged_alike_alone_and_among_others(weights):
    facts = [FACT, "She wrote letters.", "Ada wrote letters in London."]
    assert score(*facts) == pytest.approx([score(fact)[0] for fact in facts])


def test_a_batch_gives_what_its_texts_give_one_by_one(weights):
    encoder = load_masked(weights / "tiny")
    texts = [
        ids_of("[CLS] ada wrote . [SEP]"),
        ids_of("[CLS] she rode horses in london . [SEP]"),
        ids_of("[CLS] [SEP]"),
    ]
    for together, text in zip(encoder.encode(texts), texts, strict=True):
        [alone] = encoder.encode([text])
        assert together.shape == (len(text), 32)
        np.testing.assert_allclose(together, alone, atol=1e-5)


def test_more_texts_than_a_batch_takes_are_all_encoded(weights, monkeypatch):
    monkeypatch.setattr(neural, "AT_ONCE", 2)
    texts = [ids_of("[CLS] ada . [SEP]")] * 5
    assert len(list(load_masked(weights / "tiny").encode(texts))) == 5


def test_of_a_passage_longer_than_the_model_takes_nothing_is_lost(weights):
    bank = encode_passage(load_masked(weights / "tiny"), "Ada wrote letters. " * WINDOW)
    assert list(bank.ids) == ids_of("ada wrote letters .") * WINDOW
    assert bank.vectors.shape == (4 * WINDOW, 32)


def test_only_so_many_passages_are_looked_in(weights):
    first, both = (judge("She wrote letters.", np_passages=count)[0].score for count in ("1", "2"))
    assert first == 0 < both


@pytest.mark.parametrize(
    ("fact", "page", "reason"),
    [
        (FACT, [], "no page of the topic"),
        ("It was in.", PAGE, "no content words"),
        ("Ada wrote. " * WINDOW, PAGE, "longer than the model takes"),
    ],
)
def test_what_is_skipped(weights, fact, page, reason):
    [said] = judge(fact, page=page)
    assert isinstance(said, Skip)
    assert said.reason == reason


def test_a_response_that_abstains_is_not_judged(weights):
    method = METHODS["factscore-np"]
    case = make_case(["I'm sorry, I know nothing."], facts=[[FACT]])
    judge_it = method.build(read_parameters(method, {"np_weights": "tiny"}))
    assert asyncio.run(judge_it(case, ScriptedModel(""))) == [Skip(case.units[0], "abstained")]


def test_bytes_as_tokens_and_positions_behind_the_paddings(weights, tmp_path):
    """As NPM and all of RoBERTa's kind have them: a word begins with its blank, and the first position is 2."""
    make_byte_weights(tmp_path, positions=26)
    encoder = load_masked(tmp_path)

    bank = encode_passage(encoder, "Ada was born in London. She wrote letters. " * 9)
    words = words_in(encoder, "Ada was born in London.", bank)

    assert encoder.window == 24
    assert "".join(word.text for word in words) == "AdabornLondon"
    assert all(0 < word.probability < 1 for word in words)


def test_the_weights_are_loaded_once(weights):
    assert load_masked(weights / "tiny") is load_masked(weights / "tiny")


# Where something is missing


def with_source():
    dataset = make_dataset(scheme="factscore")
    dataset.knowledge_source = make_source(Ada="She wrote.")
    dataset.save()
    return dataset


def test_without_the_extra_the_error_names_it(db, monkeypatch):
    monkeypatch.setattr(weights_of, "PACKAGES", ("a_package_that_nobody_has",))
    with pytest.raises(RunError, match=r'the extra "neural", which is not installed: make neural\.$'):
        create_run(with_source(), "factscore-np", parameters={"np_weights": "tiny"})


def test_a_source_is_missing_before_anything_is_paid(db):
    with pytest.raises(RunError, match=r"^factscore-np needs a knowledge source, and \w+ has none"):
        create_run(make_dataset(scheme="factscore"), "factscore-np", parameters={"np_weights": "tiny"})


@pytest.mark.parametrize("name", ["", "elsewhere", "../weights/tiny", "/tiny"])
def test_weights_that_are_not_there_are_an_error(weights, name):
    with pytest.raises(NotReadyError, match=r"^np_weights is "):
        find_weights(name, "np_weights")


def test_without_a_folder_of_weights_the_error_names_the_variable(weights, settings):
    settings.WEIGHTS_DIR = None
    with pytest.raises(NotReadyError, match="WEIGHTS_DIR"):
        find_weights("tiny", "np_weights")


def test_weights_that_cannot_be_loaded_are_named(weights, tmp_path):
    (tmp_path / "broken").mkdir()
    (tmp_path / "broken" / "config.json").write_text("{}")
    with pytest.raises(NotReadyError, match=r"^The weights broken cannot be loaded: "):
        load_masked(tmp_path / "broken")


def test_both_must_support(weights):
    method = METHODS["factscore-retrieve-np"]
    case = make_case(facts=[["She wrote letters.", "Ben rode horses."]])
    judge_it = method.build(read_parameters(method, {"np_weights": "tiny", "np_threshold": "0.1"}))

    said = asyncio.run(judge_it(case, ScriptedModel("True", passages={case.topic: PAGE})))

    alone = judge("She wrote letters.", np_threshold="0.1")
    assert [(outcome.value, outcome.score) for outcome in said] == [("supported", None), ("not_supported", None)]
    assert [outcome.value for outcome in alone] == ["supported"]
    assert all(isinstance(outcome, Judgement) and len(outcome.calls) == 1 for outcome in said)


def test_as_released_the_model_sees_passages_without_its_own_tokens(weights):
    encoder = load_masked(weights / "tiny")
    ids = ids_of("ada wrote .")
    [states] = encoder.encode([ids])
    bank = encode_passage(encoder, " Ada wrote. ", released=True)
    assert bank.ids.tolist() == ids
    np.testing.assert_allclose(bank.vectors, states, atol=1e-6)
    assert not np.allclose(bank.vectors, encode_passage(encoder, "Ada wrote.").vectors, atol=1e-3)


@pytest.mark.usefixtures("neural")
def test_as_released_subwords_are_stopped_at_by_their_ids(tmp_path, monkeypatch):
    make_byte_weights(tmp_path, 64)
    encoder = load_masked(tmp_path)
    fact = "Ada wrote."
    [tokens] = encoder.tokenize(f"Fact: {fact}")
    behind = [place for place, (start, _) in enumerate(tokens.spans) if not tokens.special[place] and start >= 5]
    stopped = tokens.ids[behind[0]]
    monkeypatch.setattr("evaluators.methods.nonparametric.RELEASED_STOP_TOKENS", {stopped})
    left = [place for place in behind if tokens.ids[place] != stopped]
    bank = encode_passage(encoder, "She wrote.", released=True)

    words = words_in(encoder, fact, bank, released=True)

    # Worked out anew: the text is written out with the mask and read again with the model's own tokens.
    own = [token for token, special in zip(tokens.ids, tokens.special, strict=True) if not special]
    read, mask = encoder.mask_again(own, left[0] - 1)
    [states] = encoder.encode([read])
    assert read[mask] == encoder.mask(own, 0)[0]
    assert len(words) == len(left) < len(behind)
    [expected] = probabilities(states[mask : mask + 1], [tokens.ids[left[0]]], bank)
    assert words[0].probability == pytest.approx(expected, rel=1e-4)


def test_the_published_stop_tokens_are_211():
    assert len(RELEASED_STOP_TOKENS) == 211
    assert {4, 16, 45152} <= RELEASED_STOP_TOKENS
    assert not {0, 2, 35 + 3, 50264} & RELEASED_STOP_TOKENS


def test_the_profile_chooses_how_np_reads(weights):
    [ours], [released] = judge(FACT), judge(FACT, profile="released-code")
    assert ours.score != released.score
