"""The agreement pages."""

import re

import pytest

from annotate.cases.counts import count_changed
from annotate.judgements.judgement import UnitJudgement
from annotate.models import Segment, Task, ViewReceipt
from annotate.rebuttal.answer import let_stand, revise
from tests.annotate.agreement.test_report import label
from tests.annotate.rebuttal.work import all_as, disputed_task
from tests.factories import add_facts, add_gold, make_dataset, make_person, make_response
from tests.figure_names import check_figure_names
from tests.pages import squeezed

pytestmark = pytest.mark.django_db


@pytest.fixture
def dataset(client):
    """Ada and Ben differ on one of four segments; Dora, who adjudicates, is logged in."""
    dataset = make_dataset()
    ada, ben = make_person("ada", dataset), make_person("ben", dataset)
    for domain, other in (("math", "SN"), ("wk", "SS")):
        segments = make_response(dataset, domain=domain).segments.all()
        label(ada, dict(zip(segments, "SN", strict=True)))
        label(ben, dict(zip(segments, other, strict=True)))
    Task.objects.update(wants=2)
    for task in Task.objects.all():
        dataset.responses.filter(position=task.position).update(task=task)
    client.force_login(make_person("dora", dataset, "adjudicator"))
    return dataset


def page_of(dataset, rest=""):
    return f"/datasets/{dataset.pk}/agreement/{rest}"


def test_without_a_shared_unit_the_page_says_what_to_do(client):
    dataset = make_dataset()
    client.force_login(make_person("dora", dataset, "adjudicator"))
    page = client.get(page_of(dataset)).content.decode()
    assert "No shared units yet" in page
    assert "No differences" in client.get(page_of(dataset, "units/")).content.decode()


def test_the_heat_map_shows_the_figure_that_the_address_names(client, dataset):
    page = client.get(page_of(dataset, "?figure=percent&values=all")).content.decode()
    heat = page[page.index('<table class="heat">') :]
    # Three of four segments.
    assert '<td class="step-3">' in heat and "0.750" in heat[: heat.index("</table>")]


def test_an_unknown_choice_in_the_address_is_the_default(client, dataset):
    assert client.get(page_of(dataset, "?figure=positive&values=all&over=moon")).status_code == 200


def test_the_unit_that_splits_people_shows_both_sides_and_leads_to_adjudication(client, dataset):
    page = client.get(page_of(dataset, "units/?who=ada&other=ben")).content.decode()
    assert page.count("Two is odd.") == 1
    assert "E Error" in page and "S Supported" in page
    split = Segment.objects.get(response__prompt__domain="wk", position=1)
    assert f'href="/datasets/{dataset.pk}/adjudicate/{split.pk}/"' in page


def test_units_are_filtered_by_the_address(client, dataset):
    assert "No matching units" in client.get(page_of(dataset, "units/?slice=math")).content.decode()
    assert "No matching units" in client.get(page_of(dataset, "units/?kind=type")).content.decode()
    assert "Two is odd." in client.get(page_of(dataset, "units/?slice=wk&kind=error&sort=people")).content.decode()


def test_whoever_sees_the_labels_of_a_task_is_in_its_receipt(client, dataset):
    for _ in range(2):
        client.get(page_of(dataset, "units/"))
    (receipt,) = ViewReceipt.objects.filter(what="labels")
    assert (receipt.who.username, receipt.times, receipt.task.position) == ("dora", 2, 1)


def test_a_researcher_sees_the_units_but_no_way_to_settle_them(client, dataset):
    client.force_login(make_person("rhea", dataset, "researcher"))
    page = client.get(page_of(dataset, "units/")).content.decode()
    assert "Two is odd." in page and f"/datasets/{dataset.pk}/adjudicate/" not in page


def test_differing_scope_is_told_apart_from_labels(client):
    dataset = make_dataset(scheme="factscore")
    ada, ben = make_person("ada", dataset), make_person("ben", dataset)
    life = make_response(dataset, ["Ada sang.", "The sea is wide."], prompt="Ada", subject="amber")
    sang, sea = add_facts(life, [["Ada sang."], ["The sea is wide."]])
    label(ada, {sang: "S", life.segments.last(): "I"})
    label(ben, {sang: "S", sea: "S"})
    client.force_login(make_person("dora", dataset, "adjudicator"))
    assert "1 of them" in client.get(page_of(dataset)).content.decode()
    units = client.get(page_of(dataset, "units/")).content.decode()
    assert "labelled its facts" in units and "The sentence, or its facts" in units


def test_new_labels_are_on_the_page_at_once(client, dataset):
    before = client.get(page_of(dataset)).content.decode()
    segments = make_response(dataset, domain="new").segments.all()
    for name in ("ada", "ben"):
        label(make_person(name), dict(zip(segments, "SS", strict=True)))
    assert "new" not in before.split("<main")[1].split("</table>")[0]
    assert "new" in client.get(page_of(dataset)).content.decode().split("<main")[1].split("</table>")[0]


def test_after_a_rebuttal_both_versions_are_compared(client):
    ada, ben = disputed_task()
    revise(ada, all_as(ada, UnitJudgement("not_supported", "knowledge")), ada.draft_version)
    let_stand(ben, ben.draft_version)
    dataset = ada.task.dataset
    client.force_login(make_person("dora", dataset, "adjudicator"))
    page = squeezed(client.get(page_of(dataset)).content.decode())
    assert "Before and after rebuttal" in page and "1 of 2 labels changed: 1 unit now agree" in page
    # All else on the page is of what was said independently.
    assert "<strong>0 %</strong> of the labels agree" in page


def test_figures_against_gold_are_shown_with_their_intervals_or_why_there_are_none(client, dataset):
    for segment in Segment.objects.all():
        add_gold(segment, "supported" if segment.position == 0 else "not_supported")
    page = client.get(page_of(dataset)).content.decode()
    of_ben = re.split(r'<tr><th scope="row">ben</th>\s*<td class="num">4', page)[1].split("</tr>")[0]
    # Ben finds one of two errors, in the one of two prompts: too few for an interval.
    assert "0.750" in of_ben and "it rests on 2 prompts, and below 8 none holds" in of_ben
    assert "0.667" in of_ben and "it rests on 2 prompts with an error, and below 8 none holds" in of_ben
    assert of_ben.count("<svg") == 0


def test_a_figure_against_gold_that_is_undefined_says_why(client, dataset):
    for segment in Segment.objects.filter(position=0):
        add_gold(segment, "supported")
    page = client.get(page_of(dataset)).content.decode()
    assert page[page.index("Annotator against gold") :].count('title="nobody called anything an error"') == 2


def test_the_pages_ask_for_little(client, dataset, django_assert_max_num_queries):
    count_changed()
    with django_assert_max_num_queries(32):
        client.get(page_of(dataset))
    with django_assert_max_num_queries(17):  # the figures are kept
        client.get(page_of(dataset))
    with django_assert_max_num_queries(22):
        client.get(page_of(dataset, "units/"))


def test_names_of_figures_link_to_their_definitions(client, dataset):
    check_figure_names(client.get(page_of(dataset)).text, "Percent agreement", "Krippendorff's α")
