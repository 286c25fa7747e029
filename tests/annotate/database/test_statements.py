"""Statements asked one by one and together answer the same, on PostgreSQL as on SQLite."""

import pytest
from django.db import IntegrityError, transaction

from annotate.database.prepared import Insert, Prepared, Slot, Update
from annotate.database.statements import ask, tell, together
from annotate.models import User
from tests.factories import make_person

pytestmark = pytest.mark.django_db

NAMES = "SELECT username FROM annotate_user ORDER BY username"
RENAME = "UPDATE annotate_user SET username = %s WHERE username = %s"

_people = Insert(User)
_named = Prepared(lambda: User.objects.filter(username=Slot("name")))
_move = Update(lambda: User.objects.filter(username=Slot("name")), "last_name")


def people(*names: str) -> list[User]:
    return [User(username=name, keys={"flag": "f"}) for name in names]


def test_what_is_asked_together_is_answered_in_its_order():
    make_person("ada")
    with together():
        before, renamed = ask(NAMES, []), tell(RENAME, ["ben", "ada"])
        after, nobody = ask(NAMES, []), tell(RENAME, ["cleo", "dora"])
    assert (before(), renamed(), after(), nobody()) == ([("ada",)], 1, [("ben",)], 0)


def test_an_answer_can_be_looked_at_again():
    make_person("ada")
    names = ask(NAMES, [])
    assert names() == names() == [("ada",)]


def test_prepared_statements_can_be_asked_together():
    make_person("ada")
    with together():
        moved, found, missing = _move(name="ada", last_name="Byron"), _named(name="ada"), _named(name="ben")
    assert moved() == 1
    assert found.get().last_name == "Byron"
    assert missing.first() is None


def test_what_is_inserted_is_as_bulk_create_would_write_it():
    new = people("ada", "ben")
    assert _people(new)() == new
    stored = User.objects.order_by("username")
    assert [(each.pk, each.username, each.keys) for each in stored] == [
        (each.pk, each.username, {"flag": "f"}) for each in new
    ]
    new[0].last_name = "Byron"
    new[0].save()  # it is known to be stored
    assert User.objects.get(username="ada").last_name == "Byron"


def test_more_rows_than_a_statement_takes_are_written_in_several():
    names = [f"person{number:03}" for number in range(150)]
    written = _people(people(*names))()
    assert len({each.pk for each in written}) == 150
    assert list(User.objects.order_by("pk").values_list("username", flat=True)) == names


def test_nothing_to_insert_is_no_statement(django_assert_num_queries):
    with django_assert_num_queries(0):
        assert _people([])() == []


def test_what_goes_wrong_is_raised_as_the_orm_raises_it_and_nothing_stays():
    make_person("ada")
    with pytest.raises(IntegrityError), transaction.atomic(), together():
        tell(RENAME, ["renamed", "ada"])
        _people(people("ben", "ben"))
    assert list(User.objects.values_list("username", flat=True)) == ["ada"]


def test_after_a_mistake_the_connection_is_of_use():
    with pytest.raises(Exception, match="no_such_table"), transaction.atomic(), together():
        ask("SELECT 1 FROM no_such_table", [])
    assert ask(NAMES, [])() == []
