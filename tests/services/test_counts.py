"""The numbers of cases under races, on both databases."""

from tests.services.conftest import House, printed_by


def test_numbers_that_are_read_while_people_work_are_right_afterwards(house: House) -> None:
    printed = printed_by("count_race", 60, **house.environment)
    assert int(printed.splitlines()[-1]) > 10, "the work changed hardly anything"
