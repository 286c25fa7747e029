"""The pages of gold audits."""

import pytest
from django.urls import reverse

from annotate.models import Role, User
from annotate.second_look.settle import state_of, uphold
from evaluators.models import GoldAudit
from tests.annotate.second_look.work import case_of
from tests.evaluators.audit.work import answer, make_audited, send_all
from tests.factories import make_dataset, make_person
from tests.figure_names import check_figure_names
from tests.pages import squeezed

pytestmark = pytest.mark.django_db


@pytest.fixture
def dataset():
    return make_audited(60, 4)[0]


@pytest.fixture
def page(dataset, client):
    client.force_login(User.objects.get(username="dora"))
    return reverse("gold-audits", args=[dataset.pk])


def test_the_page_counts_what_good_evaluators_contradict(client, page):
    text = squeezed(client.get(page).content.decode())
    assert "<strong>4 units</strong> are contradicted by 2 or more of the 3 selected evaluators" in text
    assert "3 or more: 2" in text


def test_units_are_counted_where_nobody_can_be_asked(client, page, dataset):
    dataset.memberships.filter(role=Role.ANNOTATOR).delete()
    text = squeezed(client.get(page).content.decode())
    assert "<strong>4 units</strong> are contradicted by 2 or more of the 3 selected evaluators" in text
    assert "4 of the contradicted cannot be sent: no annotator is left who has not had the task." in text
    assert "Nobody to ask" in text


def test_the_link_chooses_evaluators_and_how_many(client, page):
    answer = client.get(page, {"evaluator": ["judge 0", "judge 2"], "least": "2"})
    assert answer.context["candidates"] == 2
    assert answer.context["choice"].chosen


def test_an_adjudicator_sends(client, page):
    answer = client.post(f"{page}?least=3", {"most": 10, "controls": 3, "wants": 2, "seed": 5}, follow=True)
    audit = GoldAudit.objects.get()
    assert (audit.least, audit.seed, audit.second_look.raters, audit.chosen) == (3, 5, 2, False)
    assert "The units are listed when all second looks are adjudicated" in answer.content.decode()


def test_what_cannot_be_sent_says_why(client, page):
    answer = client.post(page, {"most": 10, "controls": 70, "wants": 1})
    assert answer.status_code == 422
    assert "Only 60 units can be controls, not 70." in answer.content.decode()


def test_a_researcher_looks_and_does_not_send(client, page, dataset):
    client.force_login(make_person("rhea", dataset, Role.RESEARCHER))
    assert "Only adjudicators can send units" in client.get(page).content.decode()
    assert client.post(page, {"most": 10, "controls": 3, "wants": 1}).status_code == 403


def test_which_units_are_controls_is_told_once_all_is_settled(client, page, dataset):
    audit = send_all(dataset)
    address = reverse("gold-audit", args=[audit.pk])
    (item,) = answer(audit, 1, control=False)
    answer(audit, 0, control=True)
    assert "is odd." not in client.get(address).content.decode()
    uphold(item, "Gold is right.", User.objects.get(username="dora"), state_of(case_of(item)))
    text = client.get(address).content.decode()
    assert text.count("is odd.") == 8 and "Gold is right." in text


def test_the_chart_and_the_table_can_be_taken_away(client, page, dataset):
    audit = send_all(dataset)
    answer(audit, 2, control=False)
    chart = client.get(reverse("audit-chart", args=[audit.pk, "audit", "csv"])).content.decode()
    assert chart.splitlines()[1].startswith("Contradicted,Candidates,0.5,")
    table = client.get(reverse("gold-audit", args=[audit.pk]) + "?table=audit&as=markdown").content.decode()
    assert table.splitlines()[2].startswith("| Candidates | 4 | 4 | 2 | 2 | 0.500 |")


def test_without_an_evaluator_the_page_says_what_to_do(client):
    dataset = make_dataset()
    client.force_login(make_person("rhea", dataset, Role.RESEARCHER))
    assert "Start a run" in client.get(reverse("gold-audits", args=[dataset.pk])).content.decode()


def test_names_of_figures_link_to_their_definitions(client, page, dataset):
    check_figure_names(client.get(page).text, "F1", "Above the trivial F1", "Decided")
    audit = send_all(dataset)
    answer(audit, 2, control=False)
    check_figure_names(client.get(reverse("gold-audit", args=[audit.pk])).text, "Gold changed", terms=True)
