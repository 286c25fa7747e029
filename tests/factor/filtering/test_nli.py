"""A contradiction's probability by weights on this machine, beside an independent reading of the same weights."""

import shutil

import pytest

from factor.filtering.nli import find_nli_weights, load_nli
from factor.filtering.sentence_pairs import SentencePair
from llm.weights import NotReadyError
from tests.factor.filtering.tiny_nli import LABELS, make_nli, name_labels

ORIGINAL, LATE = "the ferry left at seven .", "the ferry left at nine ."
NEAR = "bells rang . it was cold . "


@pytest.fixture(scope="module")
def made(tmp_path_factory, neural):
    folder = tmp_path_factory.mktemp("weights")
    make_nli(folder / "nli")
    return folder


@pytest.fixture
def weights(made, settings):
    settings.WEIGHTS_DIR = made
    return made


def witness(folder, premise, hypothesis, place=2):
    """By transformers' own pipeline."""
    import transformers

    classify = transformers.pipeline("text-classification", model=str(folder), top_k=None)
    found = {each["label"]: each["score"] for each in classify({"text": premise, "text_pair": hypothesis})}
    return found[LABELS[place]]


def test_the_probability_is_that_of_the_label_with_the_near_context_before_both(weights):
    (found,) = load_nli(weights / "nli").contradictions([SentencePair(NEAR, ORIGINAL, LATE)])
    assert found == pytest.approx(witness(weights / "nli", NEAR + ORIGINAL, NEAR + LATE), abs=1e-6)
    assert found != pytest.approx(witness(weights / "nli", ORIGINAL, LATE), abs=1e-4)


def test_pairs_of_different_length_in_one_batch_are_as_each_by_itself(weights):
    model = load_nli(weights / "nli")
    pairs = [SentencePair("", ORIGINAL, LATE), SentencePair(NEAR, ORIGINAL, "it was late .")]
    assert model.contradictions(pairs) == pytest.approx([model.contradictions([pair])[0] for pair in pairs], abs=1e-6)


def test_of_too_long_a_context_the_end_is_read(weights):
    model = load_nli(weights / "nli")
    # 32 tokens: 3 special ones and twice 6 of the sentences leave room for twice 8 of the context.
    (found,) = model.contradictions([SentencePair("in the evening . " + "late " * 3 + NEAR, ORIGINAL, LATE)])
    assert found == pytest.approx(model.contradictions([SentencePair("late " + NEAR, ORIGINAL, LATE)])[0], abs=1e-6)


def test_sentences_that_are_too_long_by_themselves_have_no_probability(weights):
    pairs = [SentencePair(NEAR, "late " * 30, LATE), SentencePair(NEAR, ORIGINAL, LATE)]
    long, short = load_nli(weights / "nli").contradictions(pairs)
    assert long is None
    assert short is not None


def test_the_label_is_found_by_its_name_wherever_it_stands(weights, tmp_path, settings):
    shutil.copytree(weights / "nli", tmp_path / "other")
    name_labels(tmp_path / "other", ("CONTRADICTION", "NEUTRAL", "ENTAILMENT"))
    settings.WEIGHTS_DIR = tmp_path
    pair = SentencePair("", ORIGINAL, LATE)
    (found,) = load_nli(find_nli_weights("other", "contradiction.weights")).contradictions([pair])
    assert found == pytest.approx(witness(weights / "nli", ORIGINAL, LATE, place=0), abs=1e-6)


def test_a_model_without_such_a_label_is_refused_before_it_is_loaded(weights, tmp_path, settings):
    (tmp_path / "moods").mkdir()
    shutil.copy(weights / "nli" / "config.json", tmp_path / "moods")
    name_labels(tmp_path / "moods", ("glad", "sad"))
    settings.WEIGHTS_DIR = tmp_path
    with pytest.raises(NotReadyError, match="its labels are glad, sad, and exactly one must be called contradiction"):
        find_nli_weights("moods", "contradiction.weights")


def test_weights_that_are_not_there_name_the_field(weights):
    with pytest.raises(NotReadyError, match=r"contradiction\.weights is 'none'"):
        find_nli_weights("none", "contradiction.weights")


def test_a_folder_that_cannot_be_loaded_says_so(weights, tmp_path, settings):
    (tmp_path / "half").mkdir()
    shutil.copy(weights / "nli" / "config.json", tmp_path / "half")
    settings.WEIGHTS_DIR = tmp_path
    with pytest.raises(NotReadyError, match="half cannot be loaded"):
        load_nli(find_nli_weights("half", "contradiction.weights"))
