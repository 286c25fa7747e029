import pytest

from evaluators.methods import METHODS
from evaluators.methods.abstention import NO_FACT, RULES, abstains
from evaluators.methods.factscore_facts import FACTS_PARAMETERS
from evaluators.methods.parameters import read_parameters
from tests.evaluators.methods.search_abstentions import ABSTENTIONS, ANSWERS, MISSED, WRONGLY_FOUND

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


@pytest.mark.parametrize("text", ABSTENTIONS)
def test_models_with_a_search_of_the_web_abstain_in_many_words(text):
    assert abstains(text, ALL_ON)
    assert not abstains(text, {**ALL_ON, "abstain_nothing_found": False, "abstain_apology": False})


@pytest.mark.parametrize("text", ANSWERS)
def test_an_answer_may_say_that_something_was_not_found(text):
    assert not abstains(text, ALL_ON)


def test_the_rules_make_mistakes_and_the_documentation_counts_them():
    """docs/methods.md, Abstention."""
    assert not any(abstains(text, ALL_ON) for text in MISSED)
    assert all(abstains(text, ALL_ON) for text in WRONGLY_FOUND)
    assert (len(ABSTENTIONS), len(MISSED), len(ANSWERS), len(WRONGLY_FOUND)) == (42, 3, 33, 1)


def test_an_empty_text_abstains_under_any_rules():
    assert abstains(" \n", dict.fromkeys(RULES, False))


def test_every_rule_is_a_parameter_of_the_methods():
    assert {*RULES, NO_FACT} < ALL_ON.keys()


# text, whether it abstains by: our rules, generic, perplexity_ai
DETECTED = [
    ("I'm sorry, I know nobody.", True, True, False),
    (" I'm sorry, I know nobody.", True, False, False),
    ("I’m sorry, I know nobody.", True, False, False),
    ("Well, I'm sorry to say it.", False, False, False),
    ("She would provide more ships.", True, True, False),
    ("Provide more detail, please.", False, False, False),
    ("[1] There is no information on Bo.", True, False, True),
    ("Bo sang. No sources found.\n\nCy sang.", True, False, True),
    ("Bo sang.\n\nThere is no information on Cy.", False, False, False),
    # The published detector deletes the empty line with the citation.
    ("Bo sang.[2]\n\nThere is no information on Cy.", False, False, True),
    ("In her view there is no information age.", False, False, True),
    ("", True, True, True),
]


@pytest.mark.parametrize(
    ("text", "rules", "generic", "perplexity_ai"), DETECTED, ids=[repr(row[0]) for row in DETECTED]
)
def test_the_published_detectors_can_be_chosen_by_name(text, rules, generic, perplexity_ai):
    assert abstains(text, ALL_ON) == rules
    assert abstains(text, {**ALL_ON, "abstention": "generic"}) == generic
    assert abstains(text, {**ALL_ON, "abstention": "perplexity_ai"}) == perplexity_ai
    assert abstains(text, {**ALL_ON, "abstention": "none"}) == (not text)


def test_the_published_code_detects_none_unless_told_to():
    method = METHODS["factscore-no-context"]
    assert read_parameters(method, {"profile": "released-code"})["abstention"] == "none"
    assert read_parameters(method, {"profile": "released-code", "abstention": "generic"})["abstention"] == "generic"
    assert read_parameters(method, {})["abstention"] == "rules"
