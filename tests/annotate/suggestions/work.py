"""A lab whose judge calls the first segment of each response supported and the second an error."""

from annotate.models import Dataset, Response, Suggesting
from evaluators.models import Evaluator, Prediction, Run
from tests.factories import make_dataset, make_response

SAID = ("supported", "not_supported")


def make_run(dataset: Dataset, name: str = "judge") -> Run:
    """It says nothing of segments after the second."""
    evaluator = Evaluator.objects.create(name=name, method="always-supported")
    run = Run.objects.create(dataset=dataset, evaluator=evaluator, state=Run.State.FINISHED)
    for response in dataset.responses.all():
        for segment, value in zip(response.segments.order_by("position"), SAID, strict=False):
            Prediction.objects.create(run=run, segment=segment, value=value, rationale=f"Because {segment.pk}.")
    return run


def suggesting_lab(when: str = Suggesting.BEFORE, withheld: float = 0, responses: int = 1) -> tuple[Dataset, Run]:
    dataset = make_dataset()
    for _ in range(responses):
        make_response(dataset)
    run = make_run(dataset)
    turn_on(dataset, run, when, withheld)
    return dataset, run


def turn_on(dataset: Dataset, run: Run, when: str = Suggesting.BEFORE, withheld: float = 0) -> None:
    dataset.suggesting, dataset.suggestion_run, dataset.suggestion_withheld = when, run.pk, withheld
    dataset.save()


def first_of(response: Response) -> int:
    return response.segments.get(position=0).pk
