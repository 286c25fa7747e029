import pytest

from evaluators.methods.abstention import NO_FACT, RULES, abstains
from evaluators.methods.factscore_facts import FACTS_PARAMETERS

ALL_ON = {parameter.name: parameter.default for parameter in FACTS_PARAMETERS}


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("I'm sorry, I know nobody of that name.", "abstain_apology"),
        ("I’m sorry, but I cannot help.", "abstain_apology"),
        ("There are several. Please provide more context.", "abstain_asks_more"),
        ("Could you provide me with more details?", "abstain_asks_more"),
        ("I could not find any information on her.", "abstain_nothing_found"),
        ("There are no search results for him.", "abstain_nothing_found"),
    ],
)
def test_each_rule_can_be_turned_off(text, rule):
    assert abstains(text, ALL_ON)
    assert not abstains(text, {**ALL_ON, rule: False})


@pytest.mark.parametrize(
    "text", ["She said: I'm sorry.", "He provided more than 40 songs.", "In her view there is no information age."]
)
def test_a_text_that_only_sounds_like_it_answers(text):
    assert not abstains(text, ALL_ON)


def test_an_empty_text_abstains_under_any_rules():
    assert abstains(" \n", dict.fromkeys(RULES, False))


def test_every_rule_is_a_parameter_of_the_methods():
    assert {*RULES, NO_FACT} < ALL_ON.keys()
