"""A settlement is written once an item, with a reason."""

import pytest

from ratings.errors import SettleError
from ratings.models import NOTE_LIMIT
from ratings.settle import check_reason, settle
from tests.factories import make_person
from tests.ratings.kinds import KINDS

OUTCOMES = {
    "second_look": {"adjudication": None},
    "validation": {"non_factual": False, "fluent": True, "self_consistent": True, "error_type": ""},
}


@pytest.mark.parametrize(("why", "message"), [(" ", "Say why"), ("x" * (NOTE_LIMIT + 1), "at most"), ("\x00", "null")])
def test_a_reason_is_neither_missing_nor_too_long(why, message):
    with pytest.raises(SettleError, match=message):
        check_reason(why)


def test_spaces_around_a_reason_are_dropped():
    assert check_reason(" It is so. ") == "It is so."


@pytest.mark.django_db
@pytest.mark.parametrize("name", OUTCOMES)
def test_a_later_settlement_replaces_the_first(name):
    item = KINDS[name].make(1)
    ada, ben = make_person("ada"), make_person("ben")
    settle(item, ada, "It is so.", **OUTCOMES[name])
    later = settle(item, ben, "No, so.", **OUTCOMES[name])
    item.refresh_from_db()
    assert (item.settlement, later.settled_by, later.why) == (later, ben, "No, so.")
