"""Who may do what in a dataset, and how that changes."""

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from annotate.administration.guidelines import GuidelineError, save_guidelines
from annotate.administration.members import MemberError, add_member, change_role, remove_member
from annotate.models import Assignment, Membership, Role
from tests.annotate.adjudication.work import judge, make_task
from tests.factories import make_dataset, make_person, make_response
from tests.pages import squeezed

pytestmark = pytest.mark.django_db


def test_a_person_is_added_by_name() -> None:
    dataset, ada = make_dataset(), make_person("ada")
    assert add_member(dataset, " ada ", Role.ANNOTATOR).user == ada


def test_a_second_role_is_refused() -> None:
    dataset = make_dataset()
    make_person("ada", dataset)
    with pytest.raises(MemberError, match="already a member"):
        add_member(dataset, "ada", Role.RESEARCHER)


def test_nobody_of_that_name_is_said() -> None:
    with pytest.raises(MemberError, match="no user is called 'zoe'"):
        add_member(make_dataset(), "zoe", Role.ANNOTATOR)


def test_the_only_adjudicator_cannot_be_removed() -> None:
    dora = make_person("dora", make_dataset(), Role.ADJUDICATOR)
    with pytest.raises(MemberError, match="only adjudicator"):
        remove_member(dora.memberships.get())


def test_the_only_adjudicator_cannot_take_another_role() -> None:
    dora = make_person("dora", make_dataset(), Role.ADJUDICATOR)
    with pytest.raises(MemberError, match="only adjudicator"):
        change_role(dora.memberships.get(), Role.RESEARCHER)


def test_one_of_two_adjudicators_can_go() -> None:
    dataset = make_dataset()
    dora, dan = (make_person(name, dataset, Role.ADJUDICATOR) for name in ("dora", "dan"))
    remove_member(dora.memberships.get())
    assert list(Membership.objects.values_list("user", flat=True)) == [dan.pk]


def test_an_annotator_with_work_at_hand_keeps_the_role() -> None:
    dataset = make_dataset()
    ada = make_person("ada", dataset)
    Assignment.objects.create(task=make_task(make_response(dataset)), annotator=ada, place=0)
    with pytest.raises(MemberError, match="open work"):
        change_role(ada.memberships.get(), Role.RESEARCHER)


@pytest.mark.parametrize("role", [Role.RESEARCHER, Role.ADJUDICATOR])
def test_who_leaves_with_unsettled_work_does_not_come_back_to_see_the_others(role: str) -> None:
    dataset = make_dataset()
    ada = make_person("ada", dataset)
    judge(make_task(make_response(dataset)), ada, {})
    remove_member(ada.memberships.get())
    with pytest.raises(MemberError, match="ada has open work"):
        add_member(dataset, "ada", role)
    assert not ada.memberships.exists()


def test_who_left_with_unsettled_work_may_annotate_again_and_see_more_once_it_is_settled() -> None:
    dataset = make_dataset()
    ada = make_person("ada", dataset)
    task = make_task(make_response(dataset))
    judge(task, ada, {})
    remove_member(ada.memberships.get())
    add_member(dataset, "ada", Role.ANNOTATOR).delete()
    task.closed_at = timezone.now()
    task.save()
    assert add_member(dataset, "ada", Role.RESEARCHER).user == ada


def test_the_places_of_who_goes_are_free_again() -> None:
    dataset = make_dataset()
    ada = make_person("ada", dataset)
    place = Assignment.objects.create(task=make_task(make_response(dataset)), annotator=ada, place=0)
    remove_member(ada.memberships.get())
    place.refresh_from_db()
    assert place.state == "lapsed"


def test_guidelines_get_a_version_each_time_they_change() -> None:
    dataset = make_dataset()
    save_guidelines(dataset, "Look it up.", since=0)
    assert save_guidelines(dataset, "Look it up, and cite it.", since=1).version == 2


def test_the_same_guidelines_again_are_no_new_version() -> None:
    dataset = make_dataset()
    save_guidelines(dataset, "Look it up.", since=0)
    with pytest.raises(GuidelineError, match="the same as in version 1"):
        save_guidelines(dataset, "Look it up.\r\n", since=0)


def test_guidelines_that_somebody_changed_meanwhile_are_not_overwritten_unseen(client: Client) -> None:
    dataset = make_dataset()
    client.force_login(make_person("dora", dataset, Role.ADJUDICATOR))
    save_guidelines(dataset, "Look it up.", since=0)
    assert '<input type="hidden" name="since" value="1">' in client.get(reverse("people", args=[dataset.pk])).text
    save_guidelines(dataset, "Look it up, and cite it.", since=1)

    address, text = reverse("guidelines-save", args=[dataset.pk]), "Look it up twice."
    answer = client.post(address, {"text": text, "since": "1"})
    assert answer.status_code == 422
    assert "version 2 was made meanwhile" in answer.text
    assert f">{text}</textarea>" in answer.text
    assert "<details open><summary>Version 2, current" in squeezed(answer.text)
    assert dataset.guidelines.count() == 2

    # Having seen version 2 the person may save over it.
    assert '<input type="hidden" name="since" value="2">' in answer.text
    client.post(address, {"text": text, "since": "2"})
    assert dataset.guidelines.first().text == text


@pytest.mark.parametrize("role", Role.values)
def test_members_read_what_changed_in_the_guidelines(client: Client, role: str) -> None:
    dataset = make_dataset()
    client.force_login(make_person("ada", dataset, role))
    save_guidelines(dataset, "# Rules\n\nLook it up.", since=0)
    save_guidelines(dataset, "# Rules\n\nLook it up twice.", since=1)
    page = squeezed(client.get(reverse("guideline-changes", args=[dataset.pk]), {"since": "1"}).text)
    assert "Changes since version 1" in page
    assert page.count("<del >") == page.count("<ins>") == 1 and "<ins> up twice.</ins>" in page
    assert "Rules</span>" not in page


@pytest.mark.parametrize("since", ["", "2", "7", "one"])
def test_without_an_older_version_nothing_has_changed(client: Client, since: str) -> None:
    dataset = make_dataset()
    client.force_login(make_person("ada", dataset))
    for version, text in enumerate(("Look it up.", "Look it up twice.")):
        save_guidelines(dataset, text, since=version)
    page = client.get(reverse("guideline-changes", args=[dataset.pk]), {"since": since}).text
    assert "Look it up twice." in page and "Changes since" not in page


def test_an_empty_text_does_not_make_a_stale_page_fresh(client: Client) -> None:
    dataset = make_dataset()
    client.force_login(make_person("dora", dataset, Role.ADJUDICATOR))
    save_guidelines(dataset, "Look it up.", since=0)
    answer = client.post(reverse("guidelines-save", args=[dataset.pk]), {"text": " ", "since": "0"})
    assert answer.status_code == 422
    assert '<input type="hidden" name="since" value="0">' in answer.text


@pytest.mark.parametrize("since", ["", "one", pytest.param("9" * 5000, id="nines")])
def test_a_form_that_names_no_version_is_taken_as_stale(client: Client, since: str) -> None:
    dataset = make_dataset()
    client.force_login(make_person("dora", dataset, Role.ADJUDICATOR))
    save_guidelines(dataset, "Look it up.", since=0)
    answer = client.post(reverse("guidelines-save", args=[dataset.pk]), {"text": "Guess.", "since": since})
    assert answer.status_code == 422
    assert dataset.guidelines.count() == 1
