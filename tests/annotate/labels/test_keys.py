"""The keyboard: as it comes, and as a person maps it."""

import pytest
from django.urls import reverse

from annotate.labels.keys import COMMANDS, KeysError, commands_of, keys_of, remap
from tests.annotate.labels.work import client_of, felm_work, page_of
from tests.factories import make_person
from tests.pages import squeezed

pytestmark = pytest.mark.django_db


def test_each_key_does_one_thing():
    assert len({command.key for command in COMMANDS}) == len(COMMANDS)


def test_a_scheme_has_its_own_commands():
    assert {"edit", "whole"} <= {command.name for command in commands_of({}, "factscore")}
    assert not {"edit", "whole"} & {command.name for command in commands_of({}, "felm")}


def test_a_key_is_mapped_anew_and_the_others_stay():
    ada = make_person("ada")
    remap(ada, {"next": "ö"})
    ada.refresh_from_db()
    assert ada.keys == {"next": "ö"}
    assert (keys_of(ada.keys)["next"], keys_of(ada.keys)["previous"]) == ("ö", "k")


def test_two_commands_swap_their_keys():
    ada = make_person("ada")
    remap(ada, {"undo": "r", "reason": "u"})
    assert (keys_of(ada.keys)["undo"], keys_of(ada.keys)["reason"]) == ("r", "u")


@pytest.mark.parametrize(
    ("key", "message"),
    [
        ("k", "is used twice"),
        ("Tab", "is used by the browser"),
        (" ", "Space is used by the browser"),
        ("F5", "not one character"),
        ("", "There is no key"),
        ("\n", "not one character"),
    ],
)
def test_a_key_that_cannot_be_is_refused(key, message):
    ada = make_person("ada")
    with pytest.raises(KeysError, match=message):
        remap(ada, {"next": key})
    ada.refresh_from_db()
    assert ada.keys == {}


def test_commands_of_two_schemes_can_share_a_key():
    ada = make_person("ada")
    remap(ada, {"type": "w"})
    assert (keys_of(ada.keys)["type"], keys_of(ada.keys)["whole"]) == ("w", "w")


def test_a_refusal_says_which_scheme_has_the_other_command():
    with pytest.raises(KeysError, match="the whole sentence is irrelevant \\(FActScore"):
        remap(make_person("ada"), {"next": "w"})


def test_the_list_comes_back_with_what_is_wrong():
    client = client_of(make_person("ada"))
    answer = client.post(reverse("keys"), {"scheme": "felm", "next": "k"})
    assert answer.status_code == 422
    assert "“k” is used twice" in squeezed(answer.content.decode())
    assert 'name="next" id="key-next" value="k"' in squeezed(answer.content.decode())


def test_the_workbench_goes_by_ones_own_keys():
    work = felm_work()
    client = client_of(work.annotator)
    assert client.post(reverse("keys"), {"scheme": "felm", "undo": "z"}).status_code == 200
    assert '<kbd data-key="undo">z</kbd>' in client.get(page_of(work)).content.decode()


def test_a_person_says_whether_a_judgement_leads_on():
    work = felm_work()
    client, ada = client_of(work.annotator), work.annotator
    for said, kept in (("yes", True), ("no", False), ("", False)):
        fields = {"scheme": "felm", "moves_on": said} if said else {"scheme": "felm"}
        answer = squeezed(client.post(reverse("keys"), fields).content.decode())
        ada.refresh_from_db()
        assert ada.moves_on is kept
        assert ('value="no" selected' in answer) is not kept
        assert ('value="no" selected' in squeezed(client.get(page_of(work)).content.decode())) is not kept
