"""A dataset whose sentences people corrected, and editors' runs over it."""

from annotate.models import Dataset
from evaluators.models import Run
from evaluators.runs.create import create_run
from evaluators.runs.run_job import RunJob
from jobs.work import work_on
from tests.factories import add_correction, add_facts, add_gold, make_dataset, make_response
from tests.knowledge.sources import make_source

RIDING = "Ada bred wrong horses in Bath."
TWICE = "She was wrong twice."


def make_lives(name: str = "lives") -> Dataset:
    """Of Ada a sentence that people corrected, one that they took out, and a right one; of Ben one that is wrong and
    that nobody corrected. The source has a page of Ada alone."""
    dataset = make_dataset(name, scheme="factscore")
    ada = make_response(dataset, [RIDING, TWICE, "She rode."], prompt="Ada", subject="m")
    facts = add_facts(ada, [["Ada bred wrong horses.", "Ada bred horses."], ["She was wrong twice."], ["She rode."]])
    for fact, value in zip(facts, ["not_supported", "supported", "not_supported", "supported"], strict=True):
        add_gold(fact, value)
    riding, twice, _ = ada.segments.all()
    add_correction(riding, "Ada bred right horses in Rome.")
    add_correction(twice, "")
    ben = make_response(dataset, ["Ben sang wrong songs."], prompt="Ben", subject="m")
    [fact] = add_facts(ben, [["Ben sang wrong songs."]])
    add_gold(fact, "not_supported")
    dataset.knowledge_source = make_source(Ada="Ada bred right horses in Rome.")
    dataset.save()
    dataset.refresh_from_db()
    return dataset


def worked(dataset: Dataset, editor: str, model: str = "", **parameters: str) -> Run:
    run = create_run(dataset, editor, model=model, parameters=parameters).run
    work_on(RunJob(), run.pk)
    run.refresh_from_db()
    assert run.state == "finished", run.error
    return run


def texts(run: Run) -> list[str | None]:
    rows = run.sentence_edits.order_by("segment__response__position", "segment__position")
    return list(rows.values_list("text", flat=True))
