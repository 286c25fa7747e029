"""A small corpus for tests: three lives with sentences, and documents that give none."""

from factor.building.build_job import BuildJob
from factor.building.start import BuildRequest, start
from factor.models import BenchmarkBuild
from jobs.work import work_on
from llm.endpoints import default_endpoint
from llm.retries import RetryPolicy
from tests.factories import make_dataset
from tests.knowledge.sources import make_source

AT_ONCE = RetryPolicy(attempts=2, first_wait=0.01)
LIVES = {
    "Ermgard_Lowe": (
        "Ermgard Lowe was born in Ulm in 1879 and grew up in a family of weavers.\n"
        "She took up work as a clerk in the office of patents in 1902, after her father had died."
    ),
    "Piet_Hale": (
        "Piet Hale was a sculptor who lived on the coast for most of his life.\n"
        "Before he moved to Northwick in 1911 he shared a studio with the painter Nora Feld."
    ),
    "Martha_Lind": (
        "Martha Lind drew up the plans of most bridges over the river Elder.\n"
        "Her longest bridge was finished in 1923 because the railway paid for most of the work."
    ),
}
WITHOUT = {"Empty": " ", "Headlines": "Ulm\nThe weavers of Ulm", "Short": "She stayed. He left."}


def begin(documents: int = 10, name: str = "lives", **wish: object) -> BenchmarkBuild:
    """A build of the corpus, of which nobody has worked on anything yet."""
    dataset = make_dataset()
    source = make_source("lives", **LIVES, **WITHOUT)
    return start(dataset, name, source, default_endpoint(), BuildRequest("tiny", documents, **wish))  # type: ignore[arg-type]


def work(build: BenchmarkBuild) -> BenchmarkBuild:
    """Work on it until it has ended or stopped."""
    work_on(BuildJob(AT_ONCE), build.pk)
    build.refresh_from_db()
    return build


def outcomes(build: BenchmarkBuild) -> dict[str, str]:
    """Of each document what became of it."""
    return {item.document.title: item.reason or item.outcome for item in build.items.select_related("document")}
