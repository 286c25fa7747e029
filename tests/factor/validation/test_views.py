"""The pages of a validation: what raters get, what others do not."""

from datetime import UTC, datetime

import pytest
from django.urls import reverse

from annotate.models import Role
from factor.models import CompletionRating, Example, Exclusion
from ratings.rate import rate
from tests.factor.validation.work import FACTUAL, draw, make_benchmark, rate_all, verdict
from tests.factories import make_dataset, make_person
from tests.figure_names import check_figure_names

pytestmark = pytest.mark.django_db

ANSWERS = {"non_factual": "yes", "fluent": "yes", "self_consistent": "yes", "error_type": "entity"}
SECRET = "Zanzibar"


@pytest.fixture
def dataset():
    found = make_dataset()
    for name in ("ada", "ben"):
        make_person(name, found)
    make_person("dora", found, Role.ADJUDICATOR)
    return found


@pytest.fixture
def sample(dataset):
    return draw(make_benchmark(dataset, examples=2))


def login(client, name):
    client.force_login(make_person(name))
    return client


def test_a_rater_reads_rates_and_is_given_the_next(client, sample):
    address = reverse("validation-rate", args=[sample.pk])
    item = sample.next_item(make_person("ada"))
    page = login(client, "ada").get(address).content.decode()
    assert "The town council of Ulm met" in page
    assert "<mark>" in page
    answer = client.post(address, {**ANSWERS, "item": item.pk, "note": "Plain."})
    assert (answer.status_code, answer.url) == (302, address)
    assert "1 rated; 5 are open." in client.get(address).content.decode()
    rating = CompletionRating.objects.get()
    assert (rating.rater.username, rating.item, rating.error_type, rating.note) == ("ada", item, "entity", "Plain.")


def test_htmx_gets_the_next_one_alone(client, sample):
    item = sample.next_item(make_person("ada"))
    answer = login(client, "ada").post(
        reverse("validation-rate", args=[sample.pk]), {**ANSWERS, "item": item.pk}, HTTP_HX_REQUEST="true"
    )
    assert answer.status_code == 200
    assert answer.content.decode().strip().startswith('<div id="item">')
    assert "Completion 2" in answer.content.decode()


def test_what_is_missing_is_said_and_what_was_chosen_is_kept(client, sample):
    item = sample.next_item(make_person("ada"))
    sent = {**ANSWERS, "error_type": "", "item": item.pk, "note": "Both words?"}
    answer = login(client, "ada").post(reverse("validation-rate", args=[sample.pk]), sent)
    page = answer.content.decode()
    assert answer.status_code == 422
    assert "Say in what the completion is wrong" in page
    assert "Both words?" in page
    assert page.count(" checked") == 3


def test_the_last_one_comes_back_as_it_was_rated(client, sample):
    ada = make_person("ada")
    rate(sample.next_item(ada), ada, verdict(True, False, True, "link", "Clumsy."))
    page = login(client, "ada").get(reverse("validation-rate", args=[sample.pk]) + "?last").content.decode()
    assert "Completion 1" in page
    assert "Clumsy." in page
    assert page.count(" checked") == 4


def test_a_type_chosen_before_the_answer_became_no_is_dropped(client, sample):
    item = sample.next_item(make_person("ada"))
    login(client, "ada").post(
        reverse("validation-rate", args=[sample.pk]), {**ANSWERS, "non_factual": "no", "item": item.pk}
    )
    assert CompletionRating.objects.get().error_type == ""


def test_a_rater_learns_neither_others_words_nor_which_prompt_it_was(client, sample):
    ben = make_person("ben")
    for _ in range(3):
        rate(sample.next_item(ben), ben, verdict(False, False, False, note=SECRET))
    type(sample).objects.update(created_at=datetime(2026, 1, 1, tzinfo=UTC))  # "now" becomes "a second ago"
    client = login(client, "ada")
    addresses = [
        reverse("completions-to-rate", args=[sample.benchmark.dataset_id]),
        reverse("validation-rate", args=[sample.pk]),
        reverse("validation-rate", args=[sample.pk]) + "?last",
    ]
    before = [client.get(address).content for address in addresses]
    assert not any(SECRET.encode() in page for page in before)
    sample.items.get(position=0).completion.__class__.objects.filter(place__gt=0).update(error_type="link")
    after = [client.get(address).content for address in addresses]
    assert [without_token(page) for page in before] == [without_token(page) for page in after]


def without_token(page):
    """Without what differs from answer to answer."""
    return [line for line in page.decode().splitlines() if "csrf" not in line.lower()]


def test_results_wait_until_all_ratings_are_in(client, sample):
    rate_all(sample, make_person("ada"), {(0, 1): verdict(False, True, True, note=SECRET)})
    client = login(client, "dora")
    page = client.get(reverse("validation", args=[sample.pk])).content.decode()
    assert "6 of 12 ratings complete" in page
    assert SECRET not in page
    assert client.get(reverse("validation-export", args=[sample.pk])).status_code == 403
    assert client.get(reverse("validation-settle", args=[sample.pk])).status_code == 403
    rate_all(sample, make_person("ben"))
    assert "No majority for 1 completion" in client.get(reverse("validation", args=[sample.pk])).content.decode()


def test_a_completion_of_another_sample_is_not_there(client, dataset, sample):
    other = draw(sample.benchmark)
    item = other.next_item(make_person("ada"))
    answer = login(client, "ada").post(reverse("validation-rate", args=[sample.pk]), {**ANSWERS, "item": item.pk})
    assert answer.status_code == 404
    assert not CompletionRating.objects.exists()


def test_an_adjudicator_settles_one_after_the_other(client, sample):
    rate_all(sample, make_person("ada"), {(0, 1): FACTUAL})
    rate_all(sample, make_person("ben"))
    address = reverse("validation-settle", args=[sample.pk])
    client = login(client, "dora")
    page = client.get(address).content.decode()
    assert "1 to adjudicate" in page
    assert "It is fluent" not in page
    item = sample.items.get(completion__place=1, completion__example__position=0)
    assert client.post(address, {"item": item.pk, "non_factual": "yes", "error_type": ""}).status_code == 422
    client.post(address, {"item": item.pk, "non_factual": "yes", "error_type": "entity"})
    assert (item.settlement.fluent, item.settlement.error_type) == (True, "entity")
    assert "Nothing to adjudicate" in client.get(address).content.decode()
    assert client.get(f"{address}?item={item.pk}").content.decode().count(" checked") == 2
    client.post(address, {"item": item.pk, "non_factual": "no"})
    item.settlement.refresh_from_db()
    assert item.settlement.non_factual is False


def test_where_the_raters_differ_on_the_type_alone_only_that_is_asked(client, sample):
    rate_all(sample, make_person("ada"), {(0, 1): verdict(True, True, True, "link")})
    rate_all(sample, make_person("ben"))
    address = reverse("validation-settle", args=[sample.pk])
    client = login(client, "dora")
    page = client.get(address).content.decode()
    assert "Error type" in page
    assert "It contradicts the original" not in page
    item = sample.items.get(completion__place=1, completion__example__position=0)
    assert client.post(address, {"item": item.pk, "error_type": "link"}).status_code == 302
    assert (item.settlement.non_factual, item.settlement.error_type) == (True, "link")


def test_tables_are_there_to_copy_and_ratings_to_download(client, sample):
    for name in ("ada", "ben"):
        rate_all(sample, make_person(name), {(0, 1): FACTUAL})
    client = login(client, "dora")
    table = client.get(reverse("validation", args=[sample.pk]) + "?table=properties&as=csv").content.decode()
    assert table.splitlines()[1].startswith("Non-factual,0.8333333333333334,")
    export = client.get(reverse("validation-export", args=[sample.pk]))
    lines = b"".join(export.streaming_content).decode("utf-8-sig").splitlines()
    assert len(lines) == 1 + 12
    assert sum(",ada,0,1,1,," in line for line in lines) == 1


def test_an_example_is_left_out_with_its_reason_and_counted_again(client, sample):
    example = sample.benchmark.examples.first()
    client = login(client, "dora")
    client.post(reverse("example-exclude", args=[example.pk]), {"reason": "It is true."})
    assert example not in Example.objects.counted()
    again = client.post(reverse("example-exclude", args=[example.pk]), {"reason": "Twice."}, follow=True)
    assert "already excluded" in again.content.decode()
    assert "It is true." in again.content.decode()
    lifted = client.post(reverse("exclusion-lift", args=[Exclusion.objects.get().pk]), {"next": "1"})
    assert lifted.url == reverse("validations", args=[example.benchmark_id])
    assert example in Example.objects.counted()
    assert Exclusion.objects.get().lifted_by.username == "dora"
    client.post(reverse("example-exclude", args=[example.pk]), {"reason": "It is true indeed."})
    assert list(Exclusion.objects.in_force().values_list("reason", flat=True)) == ["It is true indeed."]


def test_what_cannot_be_drawn_is_said_on_the_page(client, sample):
    address = reverse("validations", args=[sample.benchmark_id])
    answer = login(client, "dora").post(address, {"size": "5", "raters": "2"})
    assert answer.status_code == 422
    assert "Nothing was drawn: draw 1 to 2 of the benchmark&#x27;s examples, not 5." in answer.content.decode()


def test_the_pages_ask_as_much_of_many_as_of_few(client, dataset, django_assert_max_num_queries):
    sample = draw(make_benchmark(dataset, examples=12))
    for name in ("ada", "ben"):
        rate_all(sample, make_person(name), {(place, 1): FACTUAL for place in range(12)})
    client = login(client, "dora")
    client.get(reverse("account"))  # the number in the navigation is counted once a minute
    with django_assert_max_num_queries(16):
        client.get(reverse("validation", args=[sample.pk]))
    with django_assert_max_num_queries(16):
        client.get(reverse("validations", args=[sample.benchmark_id]))


def test_names_of_figures_link_to_their_definitions(client, sample):
    for name in ("ada", "ben"):
        rate_all(sample, make_person(name))
    page = login(client, "dora").get(reverse("validation", args=[sample.pk])).text
    check_figure_names(page, "Share", "All raters agree", "Generated as this")
