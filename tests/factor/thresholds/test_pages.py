"""The pages of thresholds: drawing, labelling blind, results."""

import pytest
from django.urls import reverse

from annotate.models import Role
from factor.filtering.forms import FilterForm
from factor.filtering.settings import read_settings
from factor.models import Benchmark, ThresholdLabel, ThresholdSample
from factor.thresholds.adopt import with_thresholds
from factor.thresholds.draw import draw_sample
from tests.factor.thresholds.work import labelled_sample, make_build
from tests.factories import make_dataset, make_person
from tests.figure_names import check_figure_names
from tests.pages import squeezed

pytestmark = pytest.mark.django_db


@pytest.fixture
def build(client):
    dataset = make_dataset()
    client.force_login(make_person("dora", dataset, Role.ADJUDICATOR))
    return make_build(dataset)


def page_of(build):
    return reverse("filter-thresholds", args=[build.benchmark_id])


def test_an_adjudicator_draws_a_sample(client, build):
    assert "No samples yet" in client.get(page_of(build)).content.decode()
    drawn = client.post(page_of(build), {"size": "6", "seed": "7"}, follow=True)
    assert "0 of 6 labelled" in squeezed(drawn.content.decode())
    assert ThresholdSample.objects.get().created_by.username == "dora"


def test_what_cannot_be_drawn_says_why(client, build):
    answer = client.post(page_of(build), {"size": "11", "seed": "7"})
    assert answer.status_code == 422
    assert "draw 1 to 10 of the measured candidates, not 11" in answer.content.decode()


def test_the_labelling_page_tells_nothing_of_what_filters_and_prompts_say(client, build):
    sample = draw_sample(build, 1, 7, None)
    candidate = sample.items.get().candidate
    candidate.contradiction = 0.86420975  # no time of day has these digits by chance
    candidate.save()
    shown = client.get(reverse("threshold-label", args=[sample.pk])).content.decode()
    assert candidate.text.split("number")[1].split()[1] in shown
    assert str(candidate.contradiction) not in shown
    assert candidate.get_error_type_display() not in shown


def test_labels_are_taken_one_after_the_other_until_none_is_left(client, build):
    sample = draw_sample(build, 2, 7, None)
    address = reverse("threshold-label", args=[sample.pk])
    for item in sample.items.order_by("position"):
        client.post(address, {"item": item.pk, "contradictory": "yes", "sound": "no"})
    assert "All candidates are labelled" in client.get(address).content.decode()
    assert list(sample.items.values_list("ratings__contradictory", "ratings__sound")) == [(True, False)] * 2


def test_half_an_answer_is_refused_and_kept_on_the_page(client, build):
    sample = draw_sample(build, 1, 7, None)
    address = reverse("threshold-label", args=[sample.pk])
    answer = client.post(address, {"item": sample.items.get().pk, "contradictory": "no"})
    assert answer.status_code == 422
    assert "Answer both questions." in answer.content.decode()
    assert 'value="no" data-key="2" checked' in squeezed(answer.content.decode())


def test_annotators_find_what_is_left_to_label_beside_the_completions_to_rate(client, build):
    dataset = build.benchmark.dataset
    sample = draw_sample(build, 1, 7, None)
    client.force_login(make_person("ada", dataset))
    page = reverse("completions-to-rate", args=[dataset.pk])
    assert reverse("threshold-label", args=[sample.pk]) in client.get(page).content.decode()
    labelled_sample(build, make_person("ben"))  # another sample
    ThresholdLabel.objects.create(item=sample.items.get(), rater=make_person("ben"), contradictory=True, sound=True)
    assert "No completions to rate" in client.get(page).content.decode()


def test_an_item_of_another_sample_is_not_there(client, build):
    sample, other = draw_sample(build, 1, 7, None), draw_sample(build, 1, 8, None)
    given = {"item": other.items.get().pk, "contradictory": "yes", "sound": "yes"}
    assert client.post(reverse("threshold-label", args=[sample.pk]), given).status_code == 404


def test_results_come_with_the_last_label(client, build):
    draw_sample(build, 10, 7, None)
    assert "Chosen thresholds" not in squeezed(client.get(page_of(build)).content.decode())
    labelled_sample(build, make_person("ada"))
    page = squeezed(client.get(page_of(build)).content.decode())
    assert "Threshold by the rule: <strong>0.3</strong>" in page
    assert "keep 3 of its 10 measured candidates; the proposed ones would keep" in page
    assert (
        client.get(page_of(build), {"table": "threshold", "as": "csv"})
        .content.decode("utf-8-sig")
        .startswith("threshold,kept")
    )


def test_the_form_of_the_next_build_opens_with_the_chosen_thresholds(client, build):
    labelled_sample(build, make_person("ada"))
    page = client.get(page_of(build))
    carried = {**page.context["carried"], **page.context["proposed"], "name": "ferries again"}
    form = client.get(reverse("build-new", args=[build.benchmark.dataset_id]), carried).context
    assert (form["form"]["name"].value(), form["form"]["model"].value()) == ("ferries again", "m")
    # As a browser would send it.
    sent = {field.name: field.value() for field in form["filter_form"] if field.value() is not None}
    settings = read_settings(build.filters)
    filters = FilterForm(build.benchmark.dataset, sent)
    assert filters.is_valid(), filters.errors
    assert filters.settings == with_thresholds(
        settings, {"threshold": 0.3, "coreference_threshold": 0.1, "margin": 0.3}
    )


def test_the_chart_is_that_of_the_sample_on_the_page(client, build):
    sample = labelled_sample(build, make_person("ada"))
    address = reverse("filter-thresholds-chart", args=[build.benchmark_id, "margin", "csv"])
    chart = client.get(address, {"sample": sample.pk})
    assert chart.content.decode("utf-8-sig").startswith("threshold,share,low,high,of,n\n0.1,")
    assert client.get(address, {"sample": 0}).status_code == 404


def test_a_benchmark_that_came_as_a_file_has_no_thresholds(client, build):
    other = Benchmark.objects.create(dataset=build.benchmark.dataset, name="from a file")
    page = client.get(reverse("filter-thresholds", args=[other.pk]))
    assert "No build" in page.content.decode()


def test_a_page_takes_few_queries_however_many_labels(client, build, django_assert_max_num_queries):
    labelled_sample(build, make_person("ada"))
    client.get(reverse("account"))  # the number in the navigation is counted once a minute
    with django_assert_max_num_queries(20):
        client.get(page_of(build))


def test_names_of_figures_link_to_their_definitions(client, build):
    labelled_sample(build, make_person("ada"))
    check_figure_names(client.get(page_of(build)).text, "Threshold", "Kept", "Good candidates kept", "Fluency")
