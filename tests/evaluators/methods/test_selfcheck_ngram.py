"""SelfCheckGPT by n-grams: the formula by hand, and nltk's language model as a witness."""

import math
from dataclasses import replace

import pytest

from evaluators.methods.selfcheck_ngram import NGramModel, words_of
from tests.evaluators.methods.cases import ScriptedModel, make_case
from tests.evaluators.methods.felm_model import judge as judge_by

# Six words in all: ada 3 times, sang 2, rode 1; the fourth of the vocabulary is any other.
SEGMENTS = ["Ada sang.", "Ada rode."]
SAMPLES = ("Ada sang!",)
RODE, ADA, UNKNOWN = -math.log(2 / 10), -math.log(4 / 10), -math.log(1 / 10)


def judge(segments=SEGMENTS, samples=SAMPLES, **parameters):
    case = replace(make_case(segments=segments), samples=tuple(samples))
    return judge_by("selfcheck-ngram", ScriptedModel(""), case, **parameters)


def test_the_most_surprising_word_counts():
    _, rode = judge()
    assert rode.score == pytest.approx(1 / (1 + RODE))
    assert rode.rationale == "maximum surprise 1.61; most of all 'rode' 1.61"


def test_or_the_average_of_all_words():
    _, rode = judge(aggregate="average")
    assert rode.score == pytest.approx(1 / (1 + (ADA + RODE) / 2))


def test_two_words_together():
    # Ada is followed three times, once by rode; the first word stands alone.
    _, rode = judge(n=2, aggregate="average")
    assert rode.score == pytest.approx(1 / (1 + (ADA - math.log(2 / 7)) / 2))


def test_a_word_that_no_text_has_is_as_if_seen_never():
    facts = [["Ada flew."], []]
    case = replace(make_case(segments=SEGMENTS, facts=facts), samples=SAMPLES)
    [flew] = judge_by("selfcheck-ngram", ScriptedModel(""), case)
    assert flew.score == pytest.approx(1 / (1 + UNKNOWN))


def test_the_threshold_itself_supports():
    threshold = 1 / (1 + RODE)
    at, above = (judge(threshold=f"{threshold + more:.17f}")[1].value for more in (0, 1e-9))
    assert (at, above) == ("supported", "not_supported")


@pytest.mark.parametrize("n", [1, 2, 3])
def test_it_is_the_model_of_laplace(n):
    lm = pytest.importorskip("nltk.lm")
    texts = [words_of(text) for text in ("Ada sang and Ada rode, and Ada sang.", "She sang; Ada rode and sang")]
    unit = words_of("Ada sang and flew")
    grams = [
        [tuple(words[start:end]) for end in range(1, len(words) + 1) for start in range(max(0, end - n), end)]
        for words in texts
    ]
    witness = lm.Laplace(n)
    witness.fit(grams, [word for words in texts for word in words])

    expected = [-math.log(witness.score(word, unit[max(0, place - n + 1) : place])) for place, word in enumerate(unit)]

    assert NGramModel(texts, n).surprises(unit) == pytest.approx(expected)


@pytest.mark.parametrize("n", [1, 2])
def test_probabilities_after_any_words_add_up_to_one(n):
    model = NGramModel([["ada", "sang", "ada", "rode"], ["ada", "sang"]], n)
    for before in ([], ["ada"], ["rode"], ["flew"]):
        chances = [math.exp(-model.surprises([*before, word])[-1]) for word in ("ada", "sang", "rode", "flew")]
        assert sum(chances) == pytest.approx(1)


def test_words_have_neither_case_nor_marks():
    assert words_of("“Ada’s ÉCOLE, 3.5!”") == ["ada’s", "école", "3", "5"]


def test_what_cannot_be_judged_is_left_out_with_its_reason():
    reasons = [outcome.reason for outcome in judge(samples=()) + judge(samples=(" ",)) + judge(segments=["?!"])]
    assert reasons == [*["no other sample"] * 4, "no words"]
