import json

import pytest

from annotate.corpus.find_recipe import shipped_recipes
from annotate.corpus.recipe import Outcome
from annotate.corpus.recipe_fields import escape_key, parse_path
from annotate.corpus.recipe_parser import parse_recipe, parse_recipe_text
from annotate.models import Scheme
from core.errors import DataError
from tests.annotate.corpus.recipes import claims_recipe, sentences_recipe

SETTLED_TWICE = {"at": ["l", "l"], "values": {"1": "supported"}, "settle": "majority"}


def test_a_recipe_says_how_rows_and_labels_are_read():
    recipe = parse_recipe(claims_recipe())
    (rule,) = recipe.responses
    assert (recipe.title, recipe.tested, recipe.scheme) == ("Moon claims", True, Scheme.FACTSCORE)
    assert rule.claims.label.values == {"true": Outcome.SUPPORTED, "false": Outcome.NOT_SUPPORTED}
    assert recipe.lists == ("claims",)


def test_segments_and_whole_responses_are_of_the_scheme_of_segments():
    whole = {"prompt": "q", "text": "a", "label": {"value": "supported"}}
    assert parse_recipe({"recipe": 1, "title": "x", "responses": whole}).scheme == Scheme.FELM


def test_a_recipe_names_the_scheme_of_claims_and_then_nobody_need_be_asked():
    recipe = parse_recipe({"recipe": 1, "title": "x", "scheme": "claims", "responses": {"text": "claim"}})
    assert (recipe.scheme, recipe.responses[0].prompt) == (Scheme.CLAIMS, None)


@pytest.mark.parametrize(
    ("document", "cause"),
    [
        ({**claims_recipe(), "scheme": "facts"}, "scheme must be one of claims, not 'facts'"),
        (
            {**claims_recipe(claims={"each": "c.*", "text": "t"}, spans={}), "scheme": "claims"},
            "responses has claims and spans; a response is judged by one of them",
        ),
        (
            {
                **claims_recipe(),
                "scheme": "claims",
                "responses": {"text": "a", "segments": {"each": "s.*", "text": "."}},
            },
            "responses has segments; in the scheme claims it has claims, or is a claim itself",
        ),
        (
            claims_recipe(claims={"each": "c.*", "text": "t", "passages": {"text": "p"}}),
            'responses has passages; they belong to claims against a source ("scheme": "claims")',
        ),
        (claims_recipe(passages={"text": "p"}), "responses has passages; they belong to claims against a source"),
        (
            {"recipe": 1, "title": "x", "scheme": "claims", "responses": {"text": "a", "passages": {"url": "u"}}},
            "the key 'text' is missing in passages of responses",
        ),
        ([], "the recipe must be an object, not a list"),
        ({"recipe": 1, "title": "x"}, "the key 'responses' is missing"),
        ({**claims_recipe(), "recipe": 2}, "recipe must be 1, the version of this form, not a number"),
        ({**claims_recipe(), "colour": "red"}, "unknown key 'colour'"),
        ({**claims_recipe(), "title": " "}, "title is empty"),
        (
            claims_recipe(label={"at": "l", "values": {"\x00": "supported"}}),
            "a text of the recipe holds a NUL character at character 1",
        ),
        (
            {**claims_recipe(), "format": "xml"},
            "format must be one of json-lines, json, csv, spreadsheet, parquet, arrow, folder, not 'xml'",
        ),
        ({**claims_recipe(), "tested": "yes"}, "tested must be true or false, not 'yes'"),
        ({**claims_recipe(), "responses": []}, "responses is empty"),
        (claims_recipe(text="claims.*"), "text of responses is one value, 'claims.*' is several: go through them with"),
        (claims_recipe(prompt="a..b"), "prompt of responses: 'a..b' is no path: a key is missing in it"),
        (
            claims_recipe(segments={"each": "s.*", "text": "."}),
            "responses has claims and segments; a response is judged",
        ),
        (
            claims_recipe(claims={"each": "claims", "text": "claim"}),
            "each of claims of responses must end with \".*\", the sign for every item, not 'claims'",
        ),
        (
            claims_recipe(claims={"each": "c.*", "text": "t", "label": {"at": "l", "values": {"1": "true"}}}),
            "values of label of claims of responses, '1', must be supported, not_supported, irrelevant, "
            "not_enough_evidence, not_checkworthy or no_label, not 'true'",
        ),
        (
            claims_recipe(claims={"each": "c.*", "text": "t", "label": {"at": "l", "values": {}}}),
            "values of label of claims of responses must name 1 to 500 values of the file",
        ),
        (
            claims_recipe(claims={"each": "c.*", "text": "t", "label": {"at": ["l"], "values": {"1": "supported"}}}),
            "at of label of claims of responses must be text, not a list",
        ),
        (
            claims_recipe(claims={"each": "c.*", "text": "t", "label": SETTLED_TWICE}),
            "at of label of claims of responses must name two paths or more, each once",
        ),
        (
            claims_recipe(evidence={"text": "doc", "stance": {"at": "s", "values": {"x": "pro"}}}),
            "stance of evidence of responses, 'x', must be supports, refutes, insufficient or none, not 'pro'",
        ),
        (claims_recipe(evidence={"skip": []}), "evidence of responses has neither text nor url"),
        (claims_recipe(keep=["a.x", "b.x"]), "keep of responses: there is another 'x'"),
        (
            claims_recipe(claims={"each": "c.*", "text": "t", "keep": ["label"]}),
            "keep of claims of responses: there is another 'label'",
        ),
        ({**claims_recipe(each="answers.*"), "together": "id"}, "rows that are one response together have no items"),
        (
            {
                **claims_recipe(),
                "responses": [
                    claims_recipe()["responses"],
                    {"prompt": "q", "text": "a", "label": {"value": "supported"}},
                ],
            },
            "responses: some have claims and some have segments; a dataset has one of the two",
        ),
    ],
)
def test_what_is_wrong_with_a_recipe_is_named_with_its_place(document, cause):
    with pytest.raises(DataError) as error:
        parse_recipe(document, "mine.json")
    assert str(error.value).startswith("mine.json: ")
    assert cause in str(error.value)


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        (b'{"recipe": 1,\n"title"}', "mine.json, line 2: not JSON: "),
        (b'{"recipe": 1, "recipe": 1}', "mine.json: the key 'recipe' stands twice"),
        (b"\xff", "mine.json is not UTF-8 text."),
        (b" " * 200_001, "mine.json: a recipe has at most 200,000 bytes."),
    ],
)
def test_a_file_that_is_no_recipe_is_refused(text, cause):
    with pytest.raises(DataError) as error:
        parse_recipe_text(text, "mine.json")
    assert str(error.value).startswith(cause)


def test_a_recipe_is_read_from_its_own_export():
    recipe = parse_recipe(sentences_recipe())
    assert parse_recipe_text(json.dumps(recipe.document).encode(), "again") == recipe


def test_the_shipped_recipes_are_sound_and_say_which_are_tested():
    tested = {name: recipe.tested for name, recipe in shipped_recipes().items()}
    assert sorted(name for name, is_tested in tested.items() if is_tested) == [
        "expertqa",
        "factcheck-bench",
        "factcheck-bench-sentences",
        "factool-qa",
    ]
    assert {"fever", "halueval-qa", "llm-aggrefact", "ragtruth", "safe"} < tested.keys()


@pytest.mark.parametrize("key", ["plain", "a.b", "why?", "^up", "@key", "back\\slash", "a.b?"])
def test_a_key_is_found_again_by_its_escaped_path(key):
    assert parse_path(escape_key(key)).keys == (key,)
