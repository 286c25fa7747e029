"""Parameters from text."""

import pytest

from evaluators.methods.base import Method, Parameter
from evaluators.methods.parameters import ParameterError, read_parameters, split_pairs

METHOD = Method(
    name="weigh",
    title="Weigh",
    description="Weighs.",
    build=lambda parameters: None,
    own_parameters=(
        Parameter("count", 3, "How many.", minimum=1, maximum=9),
        Parameter("share", 0.5, "How much.", minimum=0, maximum=1),
        Parameter("strict", False, "How."),
        Parameter("mode", "plain", "Which.", choices=("plain", "fancy")),
        Parameter("note", "", "Anything."),
    ),
)
DEFAULTS = {"count": 3, "share": 0.5, "strict": False, "mode": "plain", "note": ""}


def test_what_is_not_given_has_its_default():
    assert read_parameters(METHOD, {}) == DEFAULTS


@pytest.mark.parametrize(
    ("name", "text", "value"),
    [
        ("count", "9", 9),
        ("count", " 4 ", 4),
        ("share", "1", 1.0),
        ("share", "1e-3", 0.001),
        ("strict", "True", True),
        ("mode", "fancy", "fancy"),
        ("note", "a=b", "a=b"),
        ("share", 0.25, 0.25),
        ("strict", True, True),
    ],
)
def test_a_text_or_value_becomes_a_value_of_the_type_of_the_default(name, text, value):
    read = read_parameters(METHOD, {name: text})

    assert read == DEFAULTS | {name: value}
    assert type(read[name]) is type(value)


@pytest.mark.parametrize(
    ("name", "text", "must_be"),
    [
        ("count", "0", "a whole number from 1 to 9"),
        ("count", "10", "a whole number from 1 to 9"),
        ("count", "2.5", "a whole number from 1 to 9"),
        ("count", "many", "a whole number from 1 to 9"),
        ("count", "1_0", "a whole number from 1 to 9"),
        ("count", "", "a whole number from 1 to 9"),
        ("share", "nan", "a number from 0 to 1"),
        ("share", "inf", "a number from 0 to 1"),
        ("share", "-0.1", "a number from 0 to 1"),
        ("strict", "yes", "true or false"),
        ("mode", "Fancy", "one of plain, fancy"),
    ],
)
def test_a_bad_value_is_one_error_that_says_what_it_must_be(name, text, must_be):
    with pytest.raises(ParameterError) as error:
        read_parameters(METHOD, {name: text})

    assert str(error.value) == f"{name} is {text!r}; it must be {must_be}."


def test_an_unknown_name_is_an_error_that_names_the_known_ones():
    with pytest.raises(ParameterError) as error:
        read_parameters(METHOD, {"size": "1"})

    assert str(error.value) == "weigh has no parameter 'size'; it takes: count, share, strict, mode, note."


def test_pairs_are_split_at_the_first_equals_sign():
    assert split_pairs(["a=1", "b=c=d", "e="]) == {"a": "1", "b": "c=d", "e": ""}


@pytest.mark.parametrize(("texts", "cause"), [(["a"], "name=value"), (["=1"], "name=value"), (["a=1", "a=1"], "twice")])
def test_what_is_no_pair_is_an_error(texts, cause):
    with pytest.raises(ParameterError, match=cause):
        split_pairs(texts)
