"""The filters' settings as JSON, and what is wrong with others."""

import json

import pytest

from factor.filtering.settings import (
    ContradictionFilter,
    FilterSettings,
    FilterSettingsError,
    FluencyFilter,
    read_settings,
)


def test_settings_come_back_from_json_as_they_were():
    settings = FilterSettings(
        ContradictionFilter(by="judge", model="m", endpoint="away", logprobs=False, threshold=0.5),
        FluencyFilter(by="model", model="small", context_length=512, margin=0.3),
        near_words=10,
    )
    assert read_settings(json.loads(json.dumps(settings.as_json()))) == settings


def test_nothing_said_filters_nothing_with_the_papers_thresholds():
    settings = read_settings({})
    assert (settings.contradiction.by, settings.fluency.by) == ("none", "none")
    assert (settings.contradiction.threshold, settings.contradiction.coreference_threshold) == (0.6, 0.3)
    assert settings.fluency.margin == 0.2


def test_a_whole_number_may_stand_for_one_with_decimals():
    assert read_settings({"fluency": {"margin": 1}}).fluency.margin == 1.0


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ([], "the filters must be an object"),
        ({"contradictions": {}}, "the filters has no field 'contradictions'"),
        ({"contradiction": {"by": "magic"}}, "contradiction.by is 'magic'; it must be one of none, weights, judge"),
        ({"contradiction": {"threshold": 1.4}}, "contradiction.threshold is 1.4; it must lie between 0 and 1"),
        ({"contradiction": {"threshold": "0.6"}}, "contradiction.threshold is '0.6'; it must be a number"),
        ({"contradiction": {"threshold": True}}, "contradiction.threshold is True; it must be a number"),
        ({"contradiction": {"coreference_threshold": float("nan")}}, "contradiction.coreference_threshold is nan"),
        ({"contradiction": {"by": "weights"}}, "contradiction.weights is empty"),
        ({"contradiction": {"by": "judge", "model": " "}}, "contradiction.model is empty"),
        ({"contradiction": {"interface": "letter"}}, "contradiction.interface is 'letter'"),
        ({"fluency": {"by": "model"}}, "fluency.model is empty"),
        ({"fluency": {"margin": -0.1}}, "fluency.margin is -0.1"),
        ({"fluency": {"context_length": 1}}, "fluency.context_length is 1"),
        ({"near_words": 2.5}, "near_words is 2.5; it must be a whole number"),
        ({"near_words": -1}, "near_words is -1"),
    ],
)
def test_what_is_wrong_names_its_field(given, why):
    with pytest.raises(FilterSettingsError) as refused:
        read_settings(given)
    assert str(refused.value).startswith(why)
