"""Every kind of rating with one item of a new sample: how it is made, and how a person rates it."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from annotate.judgements.judgement import UnitJudgement
from annotate.models import SampleRating, User
from annotate.samples.draw import draw_sample as draw_verification
from annotate.second_look.look import look_at
from annotate.second_look.send import send
from evaluators.editing.draw import draw_sample as draw_edits
from evaluators.errors.causes import causes_of
from evaluators.errors.tag import tag, take_place
from evaluators.models import EditRating
from factor.models import ThresholdLabel
from factor.open_ended.label import label
from factor.thresholds.draw import draw_sample as draw_thresholds
from factor.validation.draw import draw_validation
from ratings.rate import rate
from tests.evaluators.editing.work import make_lives, worked
from tests.evaluators.errors.work import make_mistakes, sample_of
from tests.factor.open_ended.work import texts_of, written_study
from tests.factor.thresholds.work import make_build
from tests.factor.validation.work import GOOD, make_benchmark
from tests.factories import add_gold, make_dataset, make_person, make_response


@dataclass(frozen=True)
class Kind:
    """`raters`: how many an item of it may want."""

    make: Callable[[int], Any]
    rate: Callable[[Any, User], object]
    raters: int = 2


def verification(raters: int) -> Any:
    dataset = make_dataset("verification")
    make_response(dataset)
    return draw_verification(dataset, "safety", 1, raters, 7, make_person("dora")).items.get()


def second_look(raters: int) -> Any:
    dataset = make_dataset("second look")
    segment = make_response(dataset, ["One is odd."]).segments.get()
    add_gold(segment, "supported")
    dataset.refresh_from_db()
    return send(dataset, [(segment.pk, None)], raters, 7, dataset.gold_revision, make_person("dora"))[0]


def validation(raters: int) -> Any:
    benchmark = make_benchmark(make_dataset("validation"), false=1)
    return draw_validation(benchmark, 1, raters, 7, None).items.get()


def thresholds(raters: int) -> Any:
    return draw_thresholds(make_build(make_dataset("thresholds")), 1, 7, None).items.get()


def mistakes(raters: int) -> Any:
    return sample_of(make_mistakes(1, name="mistakes")[1], 1).items.get()


def tag_mistake(item: Any, person: User) -> object:
    cause = causes_of(item.sample.run.dataset)[0]
    return tag(take_place(item.sample, person), item, cause)


def edits(raters: int) -> Any:
    dataset = make_lives("edits")
    run = worked(dataset, "edit-noise", share="1")
    return draw_edits(run, 1, raters, 7, None).items.get()


def open_ended(raters: int) -> Any:
    return texts_of(written_study(raters=raters))[0]


KINDS = {
    "verification": Kind(verification, lambda item, person: rate(item, person, SampleRating(safe=True, valid=True))),
    "second_look": Kind(second_look, lambda item, person: look_at(item, person, UnitJudgement("supported"))),
    "edits": Kind(edits, lambda item, person: rate(item, person, EditRating(accepted=True, new_error=False))),
    "mistakes": Kind(mistakes, tag_mistake),
    "validation": Kind(validation, lambda item, person: rate(item, person, GOOD)),
    "thresholds": Kind(
        thresholds, lambda item, person: rate(item, person, ThresholdLabel(contradictory=True, sound=True)), raters=1
    ),
    "open_ended": Kind(open_ended, lambda item, person: label(item, person, "true")),
}
