"""A tiny model of random weights, beside a calculation of our own from its logits."""

import asyncio
import math

import numpy as np
import pytest

from factor.language_models.base import NotScorableError
from factor.language_models.folder import load_folder
from factor.language_models.gguf import spans_of
from factor.language_models.local import LocalModel, log_softmax_at, shared_length
from tests.factor.perplexity.tiny_gpt import POSITIONS

PREFIX = "Ants march in lines. "
COMPLETIONS = ["Bees dance on combs.", "Bees fly far again.", "Wasps dance on paper.", "Bees dance on combs."]


@pytest.fixture
def model(weights):
    return LocalModel(load_folder("tiny", POSITIONS))


def score(model, prefix, completions, context_length=POSITIONS):
    return asyncio.run(model.score(prefix, completions, context_length))


def by_hand(folder, prefix, completion, context_length=POSITIONS, before=()):
    """Straight from transformers: the whole text at once, log-softmax of each row."""
    import torch
    import transformers

    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    gpt = transformers.AutoModelForCausalLM.from_pretrained(folder).eval()
    border = len(prefix) - prefix.endswith(" ")
    read = tokenizer(prefix + completion, return_offsets_mapping=True, add_special_tokens=False)
    own = sum(end > border for _, end in read["offset_mapping"])
    ids = [*before, *read["input_ids"]][-context_length:]
    with torch.inference_mode():
        logits = gpt(torch.tensor([ids])).logits[0].double()
    found = []
    for place in range(len(ids) - own, len(ids)):
        row = logits[place - 1].tolist()
        found.append(row[ids[place]] - math.log(sum(math.exp(value) for value in row)))
    return found


def test_scores_equal_a_calculation_by_hand(model, weights):
    for found, completion in zip(score(model, PREFIX, COMPLETIONS), COMPLETIONS, strict=True):
        expected = by_hand(weights / "tiny", PREFIX, completion)
        assert [token.logprob for token in found.tokens] == pytest.approx(expected, abs=1e-5)
        assert found.mean == pytest.approx(sum(expected) / len(expected), rel=1e-6)
        assert "".join(completion[token.start : token.end] for token in found.tokens) == completion
        assert found.moved == 1


def test_the_longest_completion_decides_how_much_of_the_prefix_is_cut(model, weights):
    prefix, short, long = "Bees fly far. " * 20, "Ants march.", "Ants march in lines on paper combs."

    together, alone = score(model, prefix, [short, long], 32), score(model, prefix, [short], 32)

    assert together[1].prefix_tokens + len(together[1].tokens) == 32
    assert together[0].prefix_tokens == together[1].prefix_tokens < alone[0].prefix_tokens
    assert alone[0].mean == pytest.approx(np.mean(by_hand(weights / "tiny", prefix, short, 32)), rel=1e-6)


def test_before_a_completion_without_prefix_stands_the_token_of_the_beginning(model, weights):
    (found,) = score(model, "", ["Bees dance."])

    assert [token.logprob for token in found.tokens] == pytest.approx(
        by_hand(weights / "tiny", "", "Bees dance.", before=[0]), abs=1e-5
    )
    assert found.prefix_tokens == 0


def test_a_completion_longer_than_the_context_has_no_score_and_spoils_no_other(model):
    found = score(model, PREFIX, ["Bees dance.", "Bees fly far again and again. " * 5], 24)

    assert found[0].total < 0
    assert isinstance(found[1], NotScorableError)
    assert "too many for a context of 24" in str(found[1])


def test_characters_of_several_tokens(model):
    (found,) = score(model, "Bees 🙂 ", ["fly 🙂 far"])

    covered = {place for token in found.tokens for place in range(token.start, token.end)}
    assert covered == set(range(len("fly 🙂 far")))


def test_weights_that_are_no_number_give_no_score(model, weights):
    class Broken:
        beginning, opening, longest = (), (0,), POSITIONS
        tokenize = staticmethod(load_folder("tiny", POSITIONS).tokenize)

        def begin(self, ids, kept):
            return np.full((kept, 320), np.nan, dtype=np.float32)

        def go_on(self, ids):
            return np.full((len(ids), 320), np.nan, dtype=np.float32)

    found = score(LocalModel(Broken()), PREFIX, ["Bees dance."])

    assert "not a number" in str(found[0])


def test_what_all_sequences_share_leaves_each_a_token():
    assert shared_length([[1, 2, 3, 4], [1, 2, 5]]) == 2
    assert shared_length([[1, 2, 3], [1, 2, 3]]) == 2
    assert shared_length([[1, 2], [3, 4]]) == 0


def test_log_softmax_worked_by_hand():
    logits = np.array([[0.0, math.log(3)], [-np.inf, 0.0]], dtype=np.float32)

    assert log_softmax_at(logits, [1, 1]) == pytest.approx([math.log(3 / 4), 0.0])
    assert log_softmax_at(logits, [0, 0]) == pytest.approx([math.log(1 / 4), -9999.0])


def test_pieces_of_bytes_have_every_character_of_which_they_have_a_part():
    euro = "€".encode()

    assert spans_of([b"5", euro[:1], euro[1:], b"."], "5€.".encode()) == [(0, 1), (1, 2), (1, 2), (2, 3)]
    assert spans_of([b"6"], b"5") == []


class Starting:
    """The tiny weights, of a tokenizer that puts a token before every text."""

    beginning, opening = (0,), (0,)

    def __init__(self):
        weights = load_folder("tiny", POSITIONS)
        self.longest, self.tokenize = weights.longest, weights.tokenize
        self.begin, self.go_on = weights.begin, weights.go_on


@pytest.mark.parametrize(("start_token", "before"), [(True, [0]), (False, [])])
def test_a_text_begins_with_the_tokenizers_token_where_it_is_asked_for(weights, start_token, before):
    (found,) = score(LocalModel(Starting(), start_token), PREFIX, COMPLETIONS[:1])

    expected = by_hand(weights / "tiny", PREFIX, COMPLETIONS[0], before=before)
    assert [token.logprob for token in found.tokens] == pytest.approx(expected, abs=1e-5)


def test_weights_load_in_the_precision_that_their_config_names(weights, tmp_path, settings):
    import json
    import shutil

    import torch

    settings.WEIGHTS_DIR = tmp_path
    for name, dtype in (("named", "bfloat16"), ("unnamed", None)):
        shutil.copytree(weights / "tiny", tmp_path / name)
        config = json.loads((tmp_path / name / "config.json").read_text())
        config.pop("torch_dtype", None)
        (tmp_path / name / "config.json").write_text(json.dumps({**config, "dtype": dtype}))
    assert load_folder("named", POSITIONS)._model.dtype == torch.bfloat16
    assert load_folder("unnamed", POSITIONS)._model.dtype == torch.float32
