"""The pages of open-ended generation: Dora begins, Rhea reads, Ada labels blindly."""

import pytest
from django.urls import reverse

from annotate.models import Role, User
from factor.models import OpenEndedLabel, OpenEndedStudy
from factor.open_ended.label import label
from factor.open_ended.open_ended_job import OpenEndedJob
from jobs.work import work_on
from llm.endpoints import default_endpoint
from llm.models import Endpoint
from tests.factor.open_ended.work import AT_ONCE, make_benchmark, make_scoring, make_study, texts_of, written_study
from tests.factories import make_dataset, make_person
from tests.figure_names import check_figure_names
from tests.pages import squeezed, without_tokens

pytestmark = pytest.mark.django_db

DESIGN = {"per_group": 2, "generations": 2, "raters": 1, "temperature": 1, "answer_tokens": 9, "prompt_characters": 99}
HTMX = {"HX-Request": "true"}


@pytest.fixture
def lab():
    return make_dataset()


@pytest.fixture
def dora(client, lab):
    client.force_login(make_person("dora", lab, Role.ADJUDICATOR))
    return client


@pytest.fixture
def ada(client, lab):
    client.force_login(make_person("ada", lab))
    return client


def study_in(lab, **design):
    scoring = make_scoring(make_benchmark(dataset=lab), (-2, -3, -1), (-2, -3, -1), name="secret-model")
    return written_study(scoring=scoring, **design)


def text_of(response):
    return squeezed(response.content.decode())


def test_a_study_is_begun_and_watched(dora, lab, model):
    model.control(answer=" Lima.")
    benchmark = make_benchmark(dataset=lab)
    scoring = make_scoring(benchmark, (-2, -3, -1), (-2, -3, -1), endpoint=default_endpoint())
    address = reverse("open-ended", args=[benchmark.pk])

    page = dora.post(address, {**DESIGN, "scoring": scoring.pk, "seed": 5}, follow=True)

    study = OpenEndedStudy.objects.get()
    assert page.redirect_chain == [(reverse("open-ended-study", args=[study.pk]), 302)]
    assert "0 of 8 texts written" in text_of(page)
    assert (study.reached_as, study.endpoint, study.seed, study.created_by.username) == (
        "tiny-as-served",
        default_endpoint(),
        5,
        "dora",
    )
    work_on(OpenEndedJob(AT_ONCE), study.pk)
    progress = dora.get(reverse("open-ended-study-progress", args=[study.pk]), headers=HTMX)
    assert "8 of 8 texts written" in text_of(progress)
    assert progress["HX-Refresh"] == "true"


def test_a_model_of_local_weights_needs_an_endpoint(dora, lab):
    benchmark = make_benchmark(dataset=lab)
    scoring = make_scoring(benchmark, (-2, -3, -1), (-2, -3, -1))
    type(scoring.model).objects.update(reached_by="llama-cpp", endpoint=None)

    page = dora.post(reverse("open-ended", args=[benchmark.pk]), {**DESIGN, "scoring": scoring.pk})

    assert (page.status_code, OpenEndedStudy.objects.count()) == (422, 0)
    assert "tiny has its weights here: choose an endpoint that serves it." in text_of(page)

    served = {"endpoint": Endpoint.objects.get().pk}
    page = dora.post(reverse("open-ended", args=[benchmark.pk]), {**DESIGN, "scoring": scoring.pk, **served})
    assert "Enter the name of tiny at e." in text_of(page)


def test_what_cannot_be_is_said_at_the_form(dora, lab):
    benchmark = make_benchmark(dataset=lab)
    scoring = make_scoring(benchmark, (-2, -3, -1), (-2, -3, -1))

    page = dora.post(reverse("open-ended", args=[benchmark.pk]), {**DESIGN, "scoring": scoring.pk, "temperature": 0})

    assert page.status_code == 422
    assert "enter a higher one" in text_of(page)


def test_without_a_scored_model_the_page_says_what_to_do(dora, lab):
    page = text_of(dora.get(reverse("open-ended", args=[make_benchmark(dataset=lab).pk])))

    assert "No scorings yet" in page
    assert '<form method="post"' not in page.split("<main")[1]


def test_a_page_that_waits_says_when_no_worker_lives(dora, lab):
    scoring = make_scoring(make_benchmark(dataset=lab), (-2, -3, -1), (-2, -3, -1))
    study = make_study(scoring)
    OpenEndedStudy.objects.update(created_at="2020-01-01T00:00:00Z")

    assert "No worker is running" in text_of(dora.get(reverse("open-ended-study", args=[study.pk])))


def test_stop_and_go_on(dora, lab):
    study = make_study(make_scoring(make_benchmark(dataset=lab), (-2, -3, -1), (-2, -3, -1)))

    assert "Continue" in text_of(dora.post(reverse("open-ended-study-stop", args=[study.pk]), follow=True))
    dora.post(reverse("open-ended-study-resume", args=[study.pk]))
    study.refresh_from_db()
    assert study.state == "asking"


def test_a_finished_study_is_resumed_only_for_what_failed(dora, lab):
    study = study_in(lab)
    address = reverse("open-ended-study", args=[study.pk])
    assert reverse("open-ended-study-resume", args=[study.pk]) not in text_of(dora.get(address))

    failed = texts_of(study)[0]
    type(failed).objects.filter(pk=failed.pk).update(state="failed", error="It was refused.")
    page = text_of(dora.get(address))

    assert "Retry failed texts" in page
    assert "1 × It was refused." in page
    assert "Pair 1, text 1" in page


def test_facts_are_written_one_after_the_other(dora, lab):
    study = study_in(lab, facts=False)
    address = reverse("open-ended-facts", args=[study.pk])
    first, second = study.pairs.all()[:2]
    page = dora.get(address)
    assert page.context["item"] == first

    page = dora.post(address, {"pair": first.pk, "fact": "Maria painted in Lima."}, headers=HTMX)
    assert page.context["item"] == second
    assert "<html" not in text_of(page)
    page = dora.post(address, {"pair": second.pk, "fact": "", "excluded": "not_factual"}, follow=True)
    assert "2 of 4 pairs are done" in text_of(page)

    again = dora.get(address, {"at": 1})
    assert "Maria painted in Lima." in text_of(again)
    first.refresh_from_db()
    assert first.written_by.username == "dora"


def test_a_fact_that_is_refused_is_still_in_the_form(dora, lab):
    study = study_in(lab, facts=False)
    pair = study.pairs.first()

    page = dora.post(
        reverse("open-ended-facts", args=[study.pk]), {"pair": pair.pk, "fact": "A fact.", "excluded": "not_factual"}
    )

    assert page.status_code == 422
    assert "Write the fact, or choose a reason" in text_of(page)
    assert "A fact.</textarea>" in text_of(page)


def test_whoever_labels_is_told_neither_the_model_nor_the_group(ada, lab):
    study = study_in(lab)
    right, wrong = (study.pairs.filter(right=side).first() for side in (True, False))

    work = text_of(ada.get(reverse("open-ended-work", args=[lab.pk])))
    shown = {}
    for side, pair in ((True, right), (False, wrong)):
        study.pairs.exclude(pk=pair.pk).update(excluded="not_factual")
        study.pairs.filter(pk=pair.pk).update(excluded="")
        shown[side] = text_of(ada.get(reverse("open-ended-label", args=[study.pk])))
    for page in (work, *shown.values()):
        main = without_tokens(page.split("<main")[1])
        assert "secret-model" not in main
        assert "right" not in main.lower().replace("copyright", "")
        assert "wrong" not in main.lower()


def test_labels_are_given_one_after_the_other_and_changed(ada, lab):
    study = study_in(lab)
    first, second = texts_of(study)[:2]
    address = reverse("open-ended-label", args=[study.pk])
    assert " text 0." in text_of(ada.get(address))

    page = ada.post(address, {"text": first.pk, "answer": "true"}, headers=HTMX)
    assert page.context["item"] == second
    assert "1 labelled, 7 open." in text_of(page)

    page = ada.get(address, {"at": first.pk})
    assert 'value="true" required data-key="1" checked' in text_of(page)
    ada.post(address, {"text": first.pk, "answer": "neutral", "note": "Hm."})
    assert list(OpenEndedLabel.objects.values_list("answer", "note")) == [("neutral", "Hm.")]


def test_a_label_without_a_word_is_refused_in_place(ada, lab):
    study = study_in(lab)
    text = texts_of(study)[0]

    page = ada.post(reverse("open-ended-label", args=[study.pk]), {"text": text.pk, "note": "Kept."})

    assert page.status_code == 422
    assert "Kept.</textarea>" in text_of(page)
    assert "true, false or neutral" in text_of(page)


def test_a_text_that_others_have_labelled_gives_way_to_the_next(ada, lab):
    study = study_in(lab)
    first, second = texts_of(study)[:2]
    label(first, make_person("ben", lab), "true")

    page = ada.post(reverse("open-ended-label", args=[study.pk]), {"text": first.pk, "answer": "false"}, headers=HTMX)

    assert (page.status_code, page.context["item"]) == (409, second)
    assert "complete or left out" in text_of(page)


@pytest.mark.parametrize("query", ["?at=999999", "?at=1"])
def test_only_own_labels_are_gone_back_to(ada, lab, query):
    study = study_in(lab)

    assert ada.get(reverse("open-ended-label", args=[study.pk]) + query).status_code == 404


def test_results_beside_another_study(dora, lab):
    study = study_in(lab)
    other = make_study(study.scoring, seed=8)
    for text in texts_of(study):
        label(text, make_person("ben"), "true" if text.pair.right else "false")
    address = reverse("open-ended-results", args=[study.pk])

    page = text_of(dora.get(address, {"with": other.pk}))

    assert "All (weighted)" in page
    assert "No comparison" in page
    assert "8 of 8 labels complete" not in page
    assert dora.get(address, {"with": 999}).status_code == 404


def test_whoever_is_in_the_middle_of_labelling_is_not_shown_what_came_of_it(dora, lab):
    study, person = study_in(lab), User.objects.get(username="dora")
    results = reverse("open-ended-results", args=[study.pk])
    chart = reverse("open-ended-chart", args=[study.pk, "accuracy", "csv"])
    texts = texts_of(study)
    assert "All (weighted)" in text_of(dora.get(results))  # not begun

    label(texts[0], person, "true")
    page = text_of(dora.get(results))
    assert "and 7 are open" in page
    assert "All (weighted)" not in page
    assert "Agreement" not in page
    table = {"table": "accuracy", "as": "csv"}
    assert [dora.get(address, query).status_code for address, query in ((results, table), (chart, {}))] == [403, 403]

    for text in texts[1:]:
        label(text, make_person("ben"), "neutral")
    assert "All (weighted)" in text_of(dora.get(results))  # nothing is left to her


def test_a_study_that_one_labels_is_not_shown_beside_another(dora, lab):
    study = study_in(lab)
    labelled = written_study(scoring=study.scoring, seed=8)
    label(texts_of(labelled)[0], User.objects.get(username="dora"), "true")
    results = reverse("open-ended-results", args=[study.pk])

    assert "All (weighted)" in text_of(dora.get(results))
    assert "All (weighted)" not in text_of(dora.get(results, {"with": labelled.pk}))


def test_an_interval_of_few_documents_is_a_dash(dora, lab):
    study = study_in(lab)
    for text in texts_of(study):
        label(text, make_person("ben"), "true" if text.pair.right else "false")

    page = text_of(dora.get(reverse("open-ended-results", args=[study.pk])))

    assert page.count('title="no interval: fewer than 8 documents') == 12
    assert "0.500 to 0.500" not in page


def test_tables_and_chart_to_take_away(dora, lab):
    study = study_in(lab)
    for text in texts_of(study):
        label(text, make_person("ben"), "true" if text.pair.right else "false")

    table = dora.get(reverse("open-ended-results", args=[study.pk]), {"table": "shares", "as": "csv"})
    chart = dora.get(reverse("open-ended-chart", args=[study.pk, "accuracy", "csv"]))

    assert table.content.decode().splitlines()[1].startswith("secret-model,Right,4,0.0")
    assert chart.content.decode().splitlines()[1].startswith("Right,secret-model")
    assert dora.get(reverse("open-ended-chart", args=[study.pk, "none", "csv"])).status_code == 404


def test_labels_go_out_only_when_all_are_in(dora, lab):
    study = study_in(lab)
    address = reverse("open-ended-export", args=[study.pk])
    assert dora.get(address).status_code == 403

    for text in texts_of(study):
        label(text, make_person("ben"), "neutral")
    answer = dora.get(address)
    assert answer.status_code == 200
    assert len(b"".join(answer.streaming_content).splitlines()) == 9


def test_the_queries_of_a_list_do_not_grow_with_it(dora, lab, django_assert_max_num_queries):
    study = study_in(lab)
    for seed in range(12):
        make_study(study.scoring, facts=False, seed=seed, generations=1)

    dora.get(reverse("account"))  # the number in the navigation is counted once a minute
    for address in (
        reverse("open-ended", args=[study.scoring.benchmark_id]),
        reverse("open-ended-work", args=[lab.pk]),
    ):
        with django_assert_max_num_queries(20):
            dora.get(address)


def test_names_of_figures_link_to_their_definitions(dora, lab):
    study = study_in(lab)
    for text in texts_of(study):
        label(text, make_person("ben"), "true" if text.pair.right else "false")
    page = dora.get(reverse("open-ended-results", args=[study.pk])).text
    check_figure_names(page, "Neutral", "Factual accuracy T/(T+F)")
