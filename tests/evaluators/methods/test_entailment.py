"""Natural-language inference and MiniCheck: probabilities beside transformers' own pipeline over the same weights."""

import asyncio
import shutil
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache

import pytest

from evaluators.methods import METHODS
from evaluators.methods.base import EvidencePassage, Judgement, Skip
from evaluators.methods.entailment import find_entailment
from evaluators.methods.parameters import read_parameters
from llm import pair_classifier
from llm.pair_classifier import load_pair_classifier
from llm.weights import NotReadyError
from tests.evaluators.methods.cases import ScriptedModel, make_case
from tests.factor.filtering.tiny_nli import LABELS, name_labels
from tests.waiting import wait_until

UNIT = "the ferry left at seven ."
MORNING, BELLS, LATE = "the ferry left at nine in the morning .", "bells rang .", "it was late ."
DOCUMENT = "the ferry arrived at nine . bells rang early in the cold morning . " * 3


def judge(method, *units, references=(), page=(), of_claims=None, **parameters):
    case = make_case(segments=list(units), references=list(references), passages=of_claims)
    model = ScriptedModel("", passages={case.topic: list(page)})
    build = METHODS[method].build
    return asyncio.run(build(read_parameters(METHODS[method], {"nli_weights": "nli", **parameters}))(case, model))


@pytest.fixture
def witness(weights):
    """The probability that the premise entails the hypothesis, by transformers' pipeline."""
    import transformers

    classify = transformers.pipeline("text-classification", model=str(weights / "nli"), top_k=None)

    @lru_cache
    def probability(premise, hypothesis=UNIT):
        found = {each["label"]: each["score"] for each in classify({"text": premise, "text_pair": hypothesis})}
        return found[LABELS[0]]

    return probability


def test_the_passage_that_entails_the_unit_most_decides(witness):
    expected = {text: witness(text) for text in (MORNING, BELLS, LATE)}
    best = max(expected, key=expected.__getitem__)

    [said] = judge("nli", UNIT, references=[MORNING, BELLS, LATE])

    assert said.score == pytest.approx(expected[best], abs=1e-6)
    assert said.rationale == f"entailed with {expected[best]:.2f} by: {best}"
    assert [judge("nli", UNIT, references=order) for order in ([BELLS, LATE, MORNING], [LATE, MORNING, BELLS])] == [
        [said],
        [said],
    ]


def test_only_the_passages_that_share_most_words_are_read(witness):
    [said] = judge("nli", UNIT, references=[BELLS, LATE, MORNING], passages="1")
    assert said.score == pytest.approx(witness(MORNING), abs=1e-6)


def test_the_threshold_itself_supports(witness):
    [said] = judge("nli", UNIT, references=[MORNING])
    at, above = (judge("nli", UNIT, references=[MORNING], threshold=f"{said.score + more:.17f}") for more in (0, 1e-9))
    assert (at[0].value, above[0].value) == ("supported", "not_supported")


def test_units_of_a_case_are_judged_together_as_each_by_itself(weights):
    units = [UNIT, "it was late in the evening .", BELLS]
    together = judge("nli", *units, references=[MORNING, LATE], batch="2")
    alone = [judge("nli", unit, references=[MORNING, LATE])[0] for unit in units]
    assert [said.score for said in together] == pytest.approx([said.score for said in alone], abs=1e-6)


def test_minicheck_reads_the_whole_document_in_pieces_that_the_model_takes(witness):
    # 42 words in chunks of 30: 30 and 12. Beside the unit's 6 and 3 special tokens it takes 23: 15, 15 and 12.
    words = DOCUMENT.split()
    expected = max(witness(" ".join(words[start:end])) for start, end in ((0, 15), (15, 30), (30, 42)))

    [said] = judge("minicheck", UNIT, references=[DOCUMENT], words="30")

    assert said.score == pytest.approx(expected, abs=1e-6)


def test_the_page_of_the_topic_is_the_evidence_where_the_source_is_asked(witness):
    page = [EvidencePassage("Ferries", BELLS), EvidencePassage("Ferries", MORNING)]
    [said] = judge("minicheck", UNIT, page=page, evidence="source")
    assert said.score == pytest.approx(witness(f"{BELLS}\n{MORNING}"), abs=1e-6)


@pytest.mark.parametrize("method", ["nli", "minicheck"])
def test_what_cannot_be_judged_is_left_out_with_its_reason(weights, method):
    reasons = [
        judge(method, UNIT),
        judge(method, UNIT, references=["  "]),
        judge(method, UNIT, evidence="source"),
        judge(method, "late " * 40, references=[MORNING]),
    ]
    assert [outcome.reason for [outcome] in reasons] == [
        "no reference",
        "no reference",
        "no page of the topic",
        "longer than the model takes",
    ]
    short, long = judge(method, UNIT, "late " * 40, references=[MORNING])
    assert (type(short), type(long)) == (Judgement, Skip)


@pytest.mark.parametrize(
    ("labels", "name", "place"),
    [
        (("CONTRADICTION", "NEUTRAL", "ENTAILMENT"), "", 2),
        (("supported", "unsupported"), "", 0),
        (("LABEL_0", "LABEL_1"), "", 1),
        (("no", "yes"), "YES", 1),
    ],
)
def test_the_label_is_found_by_its_name(weights, tmp_path, labels, name, place):
    shutil.copy(weights / "nli" / "config.json", tmp_path)
    name_labels(tmp_path, labels)
    assert find_entailment(tmp_path, name) == place


@pytest.mark.parametrize(
    ("labels", "name"), [(("glad", "sad"), ""), (("LABEL_0", "LABEL_1", "LABEL_2"), ""), (LABELS, "yes")]
)
def test_without_such_a_label_the_run_is_refused_with_the_labels(weights, tmp_path, settings, labels, name):
    shutil.copytree(weights / "nli", tmp_path / "other")
    name_labels(tmp_path / "other", labels)
    settings.WEIGHTS_DIR = tmp_path
    with pytest.raises(NotReadyError, match=f"other are {', '.join(labels)}; entailment_label must name"):
        judge("nli", UNIT, references=[MORNING], nli_weights="other", entailment_label=name)


@pytest.mark.parametrize("method", ["nli", "minicheck", "selfcheck-nli"])
def test_a_folder_that_is_not_there_is_named_in_full(weights, method):
    with pytest.raises(NotReadyError) as refused:
        METHODS[method].build(read_parameters(METHODS[method], {"nli_weights": "small/nli"}))
    folder = weights / "small" / "nli"
    assert str(refused.value) == (
        f"nli_weights is 'small/nli'; the folder {folder} is to be filled: it has no config.json."
    )


def test_a_device_that_is_not_there_is_said(weights):
    import torch

    if torch.cuda.is_available():
        pytest.skip("there is a GPU")
    with pytest.raises(NotReadyError, match="device is cuda"):
        judge("nli", UNIT, references=[MORNING], device="cuda")


def test_weights_are_loaded_once_in_the_precision_asked_for(weights, witness):
    exact, half = (judge("nli", UNIT, references=[MORNING], dtype=dtype)[0] for dtype in ("float32", "bfloat16"))
    assert half.score != exact.score
    assert half.score == pytest.approx(exact.score, abs=0.05)
    assert load_pair_classifier(weights / "nli", "auto", "float32") is load_pair_classifier(weights / "nli")


def ask_at_once(classifier, questions):
    """Futures of their answers; all of them are asked before the first is read."""
    threads = ThreadPoolExecutor(len(questions))
    with pair_classifier._one_at_a_time:
        asked = [threads.submit(classifier.probabilities, pairs) for pairs in questions]
        wait_until(lambda: len(classifier._asked) == len(questions), "all have asked")
    threads.shutdown()
    return asked


def test_pairs_of_several_threads_go_through_the_model_together(weights):
    classifier = load_pair_classifier(weights / "nli")
    questions = [[(MORNING, UNIT)], [("it was late in the evening .", UNIT), (BELLS, UNIT)], [], [(LATE, UNIT)]]
    alone = [classifier.probabilities(pairs) for pairs in questions]
    batches = []
    handle = classifier._model.register_forward_hook(lambda _, __, output: batches.append(len(output.logits)))

    together = [answer.result() for answer in ask_at_once(classifier, questions)]

    handle.remove()
    assert batches == [4]
    for found, expected in zip(together, alone, strict=True):
        assert len(found) == len(expected)
        assert found == [pytest.approx(each, abs=2e-6) for each in expected]


def test_an_error_of_the_model_spoils_no_other_threads_pairs(weights):
    classifier = load_pair_classifier(weights / "nli")
    alone = classifier.probabilities([(MORNING, UNIT)])
    too_long = (UNIT * classifier.window, UNIT)

    good, bad = ask_at_once(classifier, [[(MORNING, UNIT)], [too_long]])

    assert good.result() == [pytest.approx(alone[0], abs=2e-6)]
    assert isinstance(bad.exception(), RuntimeError)


@pytest.mark.parametrize("method", ["nli", "minicheck"])
def test_a_claim_is_judged_by_its_own_passages(witness, method):
    claims = [UNIT, UNIT, UNIT]
    said = judge(method, *claims, references=[LATE], of_claims=[[BELLS, MORNING], [LATE], []])
    expected = [max(witness(BELLS), witness(MORNING)), witness(LATE)]
    assert [each.score for each in said[:2]] == pytest.approx(expected, abs=1e-6)
    # The reference of the response is no passage of the claim.
    assert (type(said[2]), said[2].reason) == (Skip, "no passage")


@pytest.mark.parametrize("method", ["nli", "minicheck"])
def test_a_claim_that_no_passage_entails_or_contradicts_lacks_evidence(weights, method):
    """Entailment, neutral and contradiction are 0.98, 0.00, 0.02 by the first passage, 0.08, 0.89, 0.03 by the second
    and 0.08, 0.12, 0.80 by the third."""
    said = judge(method, *[UNIT] * 4, of_claims=[[BELLS], [LATE], [BELLS, LATE], [BELLS, MORNING]])
    assert [each.value for each in said] == ["not_enough_evidence", "not_supported", "not_supported", "supported"]
    assert said[0].score == pytest.approx(0.08, abs=0.005)
    [as_before] = judge(method, UNIT, of_claims=[[BELLS]], neutral="not_supported")
    # A unit of another scheme has no such value.
    [segment] = judge(method, UNIT, references=[BELLS])
    assert (as_before.value, segment.value) == ("not_supported", "not_supported")


@pytest.mark.parametrize("labels", [("entailment", "not_entailment", "other"), ("entailment", "neutral", "other")])
def test_weights_that_do_not_tell_a_contradiction_from_neither_say_not_supported(weights, tmp_path, settings, labels):
    settings.WEIGHTS_DIR = tmp_path
    shutil.copytree(weights / "nli", tmp_path / "other")
    name_labels(tmp_path / "other", labels)
    [said] = judge("nli", UNIT, of_claims=[[BELLS]], nli_weights="other")
    assert said.value == "not_supported"


def test_a_claim_can_be_held_against_the_knowledge_source_too(witness):
    page = [EvidencePassage("Ferries", MORNING)]
    [said] = judge("nli", UNIT, page=page, of_claims=[[BELLS]], evidence="source")
    assert said.score == pytest.approx(witness(MORNING), abs=1e-6)
