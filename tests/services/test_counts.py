"""The numbers of cases under races, on both databases."""

from tests.processes import run, run_program
from tests.services.conftest import House


def test_numbers_that_are_read_while_people_work_are_right_afterwards(house: House) -> None:
    done = run(run_program, "tests.services.count_race", "60", environment=house.environment)
    assert done.returncode == 0, done.stderr
    assert int(done.stdout.splitlines()[-1]) > 10, "the work changed hardly anything"
