"""The four stages of an item: each is asked for by itself, and what it brings is stored with the step to the next."""

from collections.abc import Callable

from annotate.leased.shift import Question
from factor.filtering.measure import Filters
from factor.making.choosing import prepare_choosing
from factor.making.filtering import prepare_filtering
from factor.making.generating import prepare_generating
from factor.making.selecting import prepare_selecting
from factor.models import MakingItem

Stage = MakingItem.Stage


def stages(filters: Filters) -> Callable[[MakingItem], Question]:
    """What is to be done about an item in its stage, which comes with its making and document."""
    prepare: dict[str, Callable[[MakingItem], Question]] = {
        Stage.SELECT: prepare_selecting,
        Stage.GENERATE: prepare_generating,
        Stage.FILTER: lambda item: prepare_filtering(item, filters),
        Stage.CHOOSE: prepare_choosing,
    }
    return lambda item: prepare[item.stage](item)
