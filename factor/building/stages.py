"""The four stages of an item: each is asked for by itself, and what it brings is stored with the step to the next."""

from collections.abc import Callable

from annotate.leased.shift import Question
from factor.building.choosing import prepare_choosing
from factor.building.filtering import prepare_filtering
from factor.building.generating import prepare_generating
from factor.building.selecting import prepare_selecting
from factor.filtering.measure import Filters
from factor.models import BenchmarkBuildItem

Stage = BenchmarkBuildItem.Stage


def stages(filters: Filters) -> Callable[[BenchmarkBuildItem], Question]:
    """What is to be done about an item in its stage, which comes with its build and document."""
    prepare: dict[str, Callable[[BenchmarkBuildItem], Question]] = {
        Stage.SELECT: prepare_selecting,
        Stage.GENERATE: prepare_generating,
        Stage.FILTER: lambda item: prepare_filtering(item, filters),
        Stage.CHOOSE: prepare_choosing,
    }
    return lambda item: prepare[item.stage](item)
