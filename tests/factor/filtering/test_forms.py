"""The fields of the filters become settings, and settings fields."""

import pytest

from factor.filtering.forms import FilterForm, initial_of
from factor.filtering.settings import ContradictionFilter, FilterSettings, FluencyFilter
from factor.models import ScoredModel
from llm.models import Endpoint
from tests.factories import make_dataset

pytestmark = pytest.mark.django_db


def sent(settings):
    """What a browser sends of the form that begins with the settings."""
    values = {name: getattr(value, "pk", value) for name, value in initial_of(settings).items()}
    return {name: value for name, value in values.items() if value is not None}


@pytest.mark.parametrize(
    "settings",
    [
        FilterSettings(),
        FilterSettings(
            ContradictionFilter(by="judge", endpoint="away", model="m", threshold=0.5, coreference_threshold=0.1),
            FluencyFilter(by="judge", endpoint="away", model="other", margin=0.4),
            near_words=7,
        ),
        FilterSettings(ContradictionFilter(by="weights", weights="nli"), FluencyFilter(by="model", model="small")),
    ],
    ids=["none", "judges", "models"],
)
def test_settings_come_back_from_their_fields(settings):
    dataset = make_dataset()
    Endpoint.objects.create(shared=True, name="away", base_url="http://127.0.0.1:1/v1")
    ScoredModel.objects.create(dataset=dataset, name="small", reached_by="llama-cpp", reached_as="small.gguf")
    form = FilterForm(dataset, sent(settings))
    assert form.is_valid(), form.errors
    assert form.settings == settings


def test_what_a_form_begins_with_leaves_the_other_fields_as_the_settings_have_them():
    form = FilterForm(make_dataset(), initial={"threshold": "0.4"})
    assert (form["threshold"].value(), form["margin"].value(), form["near_words"].value()) == ("0.4", 0.2, 50)


def test_what_is_missing_is_said_above_the_fields():
    form = FilterForm(make_dataset(), {**sent(FilterSettings()), "contradiction_by": "judge"})
    assert form.non_field_errors() == ["contradiction.model is empty; it must name the model that judges."]


def test_only_the_datasets_own_language_models_are_offered():
    mine, other = make_dataset(), make_dataset("other")
    ScoredModel.objects.create(dataset=other, name="theirs", reached_by="llama-cpp", reached_as="a.gguf")
    field = FilterForm(mine).fields["fluency_language_model"]
    assert [value for value, _ in field.choices] == [""]
    assert "None yet" in field.help_text
