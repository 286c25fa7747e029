"""An audit is sent: which candidates, which controls, and what is kept of it."""

import pytest

from annotate.gold.freeze import freeze_gold
from annotate.models import SecondLook, User
from ratings.errors import DrawError
from tests.evaluators.audit.work import make_audited, send_all

pytestmark = pytest.mark.django_db


def test_candidates_and_controls_go_together():
    dataset, units = make_audited(20, 4)
    audit = send_all(dataset, controls=4)
    sent = {each.item.segment: each for each in audit.items.select_related("item__segment")}
    assert {unit for unit, each in sent.items() if not each.is_control} == set(units[20:])
    assert sum(each.is_control for each in sent.values()) == 4
    assert [sent[unit].against for unit in units[20:]] == [3, 2, 3, 2]
    assert {(each.judged) for each in sent.values()} == {3}


def test_the_mix_of_gold_is_that_of_the_candidates():
    dataset, _ = make_audited(20, 4)
    golds = [each.gold for each in send_all(dataset, controls=4).items.all() if each.is_control]
    assert sorted(golds) == ["not_supported"] * 2 + ["supported"] * 2


def test_too_many_candidates_are_drawn_from():
    dataset, _ = make_audited(20, 4)
    audit = send_all(dataset, most=3, controls=2)
    assert (audit.candidates, sum(not each.is_control for each in audit.items.all())) == (4, 3)


def test_an_audit_says_how_it_was_made():
    dataset, _ = make_audited(20, 4)
    version = freeze_gold(dataset, "v1", User.objects.get(username="dora"))
    audit = send_all(dataset)
    assert (audit.least, audit.seed, audit.version, audit.made_by.username) == (2, 7, version, "dora")
    assert [run.evaluator.name for run in audit.runs.order_by("pk")] == ["judge 0", "judge 1", "judge 2"]


@pytest.mark.parametrize(
    ("asked", "match"), [({"least": 4}, "No unit"), ({"controls": 21}, "Only 20 units can be controls")]
)
def test_what_cannot_be_sent_is_not_sent_in_part(asked, match):
    dataset, _ = make_audited(20, 4)
    with pytest.raises(DrawError, match=match):
        send_all(dataset, **asked)
    assert not SecondLook.objects.exists()
