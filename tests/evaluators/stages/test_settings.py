"""What is known of an evaluator's stages, and what to run to swap gold in."""

import shlex
from urllib.parse import parse_qs

import pytest

from evaluators.methods import METHODS
from evaluators.methods.parameters import read_parameters, split_pairs
from evaluators.stages.pipeline import Pipeline
from evaluators.stages.settings import FACTS, JUDGE, OF_ALL_REQUESTS, PASSAGES


def pipeline(method: str, model: str = "amber", **given: str) -> Pipeline:
    return Pipeline(method, model, read_parameters(METHODS[method], given))


def differing(one: Pipeline, other: Pipeline) -> tuple[str, ...]:
    return one.settings.differing(other.settings)


@pytest.mark.parametrize(
    ("one", "other", "stages"),
    [
        (pipeline("factscore-retrieve"), pipeline("factscore-retrieve", retrieval="gold"), (PASSAGES,)),
        (pipeline("factscore-retrieve"), pipeline("factscore-retrieve", passages="3"), (PASSAGES,)),
        (pipeline("factscore-retrieve"), pipeline("factscore-no-context"), (PASSAGES,)),
        (pipeline("factscore-self-check"), pipeline("factscore-no-context"), (PASSAGES,)),
        (pipeline("factscore-retrieve"), pipeline("factscore-retrieve", facts="generated"), (FACTS,)),
        (pipeline("factscore-retrieve"), pipeline("factscore-retrieve", "basalt"), (JUDGE,)),
        (pipeline("factscore-retrieve"), pipeline("factscore-retrieve", samples="3"), (JUDGE,)),
        (pipeline("factscore-retrieve"), pipeline("factscore-retrieve-np", np_weights="x"), (JUDGE,)),
        (pipeline("felm-segment"), pipeline("felm-segment-doc"), (PASSAGES,)),
        (pipeline("felm-claim-link"), pipeline("felm-segment-link"), (FACTS,)),
        (pipeline("felm-segment"), pipeline("felm-segment-cot"), (JUDGE,)),
        (pipeline("felm-segment"), pipeline("felm-segment", reasoning_effort="low"), (JUDGE,)),
        (pipeline("felm-claim"), pipeline("felm-claim", top_p="0.5"), (FACTS, JUDGE)),
        (
            pipeline("factscore-retrieve", facts="generated"),
            pipeline("factscore-retrieve", facts="generated", extra_body='{"seed": 7}'),
            (FACTS, JUDGE),
        ),
        (
            pipeline("factscore-retrieve", facts="generated"),
            pipeline("factscore-retrieve", facts="generated", json_schema="true"),
            (FACTS,),
        ),
        (pipeline("felm-segment-doc"), pipeline("felm-segment-doc", chunk_tokens="64"), (PASSAGES,)),
    ],
)
def test_what_differs_is_told_by_stage(one, other, stages):
    assert differing(one, other) == stages


def test_another_model_that_also_writes_the_facts_differs_at_two_stages():
    one, other = (pipeline("factscore-retrieve", model, facts="generated") for model in ("amber", "basalt"))
    assert differing(one, other) == (FACTS, JUDGE)


def test_what_does_not_change_an_outcome_is_no_difference():
    assert differing(pipeline("felm-segment"), pipeline("felm-segment", in_flight="3")) == ()
    # Dense retrieval embeds with the run's own model unless told otherwise.
    one, other = (pipeline("factscore-retrieve", retrieval="dense", embedding_model=name) for name in ("", "amber"))
    assert differing(one, other) == ()
    # BM25 embeds nothing, whatever is said of embedding.
    assert differing(pipeline("factscore-retrieve"), pipeline("factscore-retrieve", embedding_model="small")) == ()


def test_every_method_that_asks_a_model_has_known_stages_and_each_parameter_its_own():
    """So that a parameter added to a method cannot pass for no difference."""
    for method in METHODS.values():
        if not method.needs_model or method.name not in PIPELINES:
            continue
        base = pipeline(method.name)
        for parameter in method.parameters:
            other = Pipeline(method.name, "amber", {**base.parameters, parameter.name: "something else"})
            told = differing(base, other) if parameter.name not in SPECIAL else ()
            assert len(told) == (parameter.name not in NO_MATTER | SPECIAL), (method.name, parameter.name)


PIPELINES = {name for name in METHODS if name.startswith(("felm-", "factscore-"))}
# Calls at once; what matters only with another choice beside it; what names another method.
NO_MATTER = {
    "in_flight",
    "embedding_model",
    "retrieval_weights",
    "demonstrations",
    "demonstration_order",
    "json_schema",
}
SPECIAL = {"over", "retrieval", "chunk_tokens", "tokenizer", "claim_tokens", "prompts", "endpoint", *OF_ALL_REQUESTS}


def test_an_evaluator_that_ran_elsewhere_has_no_known_stages():
    assert Pipeline("imported", "", {}).settings is None


@pytest.mark.parametrize(
    ("here", "stage", "there"),
    [
        (
            pipeline("factscore-retrieve", facts="generated", demonstrations="3"),
            FACTS,
            ("factscore-retrieve", "judged"),
        ),
        (pipeline("factscore-no-context"), PASSAGES, ("factscore-retrieve", "gold")),
        (pipeline("factscore-retrieve", retrieval="dense"), PASSAGES, ("factscore-retrieve", "gold")),
        (pipeline("felm-claim"), FACTS, ("felm-segment", "")),
        (pipeline("felm-claim-link"), PASSAGES, ("felm-claim-doc", "")),
    ],
)
def test_gold_is_swapped_in_at_one_stage(here, stage, there):
    swapped = here.with_gold(stage)
    assert swapped.method == there[0]
    assert there[1] in (*map(str, swapped.parameters.values()), "")
    assert differing(here, swapped) == (stage,)


@pytest.mark.parametrize(
    ("here", "stage"),
    [
        (pipeline("factscore-retrieve"), FACTS),
        (pipeline("factscore-retrieve", retrieval="gold"), PASSAGES),
        (pipeline("factscore-np", "", np_weights="x"), PASSAGES),
        (pipeline("felm-segment-cot"), PASSAGES),
        (pipeline("felm-segment-doc"), PASSAGES),
        (pipeline("felm-segment"), JUDGE),
    ],
)
def test_where_gold_is_there_already_or_no_method_takes_it_nothing_is_swapped(here, stage):
    """No method of FELM's thinks aloud over documents: two stages would change."""
    assert here.with_gold(stage) is None


def test_the_command_makes_that_evaluator_and_no_other():
    swapped = pipeline("factscore-retrieve", "amber 7b", facts="generated", samples="3").with_gold(FACTS)
    words = shlex.split(swapped.command("World's facts"))
    assert words[:7] == [
        "python",
        "manage.py",
        "evaluate",
        "World's facts",
        "factscore-retrieve",
        "--model",
        "amber 7b",
    ]
    pairs = split_pairs(words[words.index("--param") + 1 : words.index("--name")])
    assert pipeline("factscore-retrieve", "amber 7b", **pairs) == swapped


def test_the_link_fills_in_the_page_of_a_new_run():
    query = parse_qs(pipeline("factscore-no-context", samples="3").with_gold(PASSAGES).query())
    assert query["method"] == ["factscore-retrieve"]
    assert query["parameter-retrieval"] == ["gold"]
    assert query["parameter-samples"] == ["3"]
    assert query["model"] == ["amber"]
