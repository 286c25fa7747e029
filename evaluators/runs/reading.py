"""Reading a run's raw answers again under another protocol profile, without a call to the model.

The reading is a run of its own: the same prompts, laid out as they were (parameter `layout`), so that every answer is
in the cache; only the reading of the answers differs. A request that the other profile would have made in addition
fails with that reason (evaluators/runs/tools.py).
"""

from annotate.models import Response, User
from evaluators.methods.base import PROFILES
from evaluators.methods.parameters import layout_of
from evaluators.models import Run
from evaluators.runs.build import RunError, find_method
from evaluators.runs.create import LONGEST_NAME, NewRun, make_run


def read_again(run: Run, profile: str, created_by: User | None = None) -> NewRun:
    """A run, not yet queued, that reads the answers of this one by the profile; of a reading, those of the run it
    reads. Raises RunError where the run has no answers, or reads them so itself."""
    source_run = run.reading_of or run
    evaluator = source_run.evaluator
    if "profile" not in evaluator.parameters:
        raise RunError(f"{evaluator.name} made no calls: no answers to parse again.")
    if source_run.is_active:
        raise RunError("The run is in progress: wait until it has ended.")
    if profile not in PROFILES:
        raise RunError(f"There is no profile {profile!r}; there are {', '.join(PROFILES)}.")
    if profile == evaluator.parameters["profile"]:
        raise RunError(f"The run already uses {profile}.")
    parameters = evaluator.parameters | {"profile": profile, "layout": layout_of(evaluator.parameters)}
    ending = f", read as {profile}"
    return make_run(
        source_run.dataset,
        find_method(evaluator.method),
        evaluator.name[: LONGEST_NAME - len(ending)] + ending,
        evaluator.model,
        parameters,
        Response.objects.filter(run_items__run=source_run).order_by("run_items__position"),
        force=False,
        asking=source_run.asking,
        reading_of=source_run,
        created_by=created_by,
    )
