"""Of every registered kind: how to make one job whose items take a moment, and what is there when all is done.

A colleague who declares a kind adds an entry here; tests/jobs and tests/services then put it to every test.
"""

import json
import zipfile
from collections.abc import Callable
from dataclasses import asdict, dataclass
from datetime import timedelta
from pathlib import Path
from tempfile import TemporaryDirectory

from django.core.files.base import ContentFile
from django.core.files.uploadedfile import SimpleUploadedFile
from django.utils import timezone

from annotate.corpus.rows import PromptRow
from annotate.corpus.uploads import receive
from annotate.gold.freeze import freeze_gold
from annotate.models import (
    Assignment,
    CollectedPrompt,
    Dataset,
    DatasetDeletion,
    DocumentUpload,
    FactSet,
    PersonalExport,
    Proposal,
    Pruning,
    Release,
    Response,
    Upload,
    User,
)
from annotate.prompts.collect import collect
from annotate.prompts.start import GenerationSettings, start
from annotate.prompts.writings import start_writing
from annotate.proposals.start import start as ask_for
from annotate.proposals.start import unproposed
from api.models import WebhookDelivery
from audit.models import Action, AuditEntry
from evaluators.bundle.export import export_results
from evaluators.comparison.question import ComparisonQuestion, key_of
from evaluators.models import Comparison, Evaluator, Prediction, Run
from evaluators.runs.create import create_run
from factor.building.start import BuildRequest
from factor.building.start import start as start_build
from factor.models import BenchmarkBuildItem, CompletionScore, OpenEndedGeneration, PerplexityItem, ScoredModel
from factor.open_ended.start import Design
from factor.open_ended.start import start as start_study
from factor.perplexity.start import PerplexityRequest
from factor.perplexity.start import start as start_perplexity
from factor.scoring.start import ScoringRequest
from factor.scoring.start import start as start_scoring
from jobs.budget import Spending
from jobs.models import Job, JobItem
from knowledge.models import Document, Snapshot
from llm.batch_api.collect import CollectedRequest, RequestBasket, make_batches
from llm.endpoints import default_endpoint
from llm.models import Call, Capabilities, RequestBatch
from llm.requests import Request
from tests.annotate.adjudication.work import make_task
from tests.annotate.corpus.files import felm_row
from tests.factor.open_ended.work import make_scoring as make_finished_scoring
from tests.factor.scoring.work import make_benchmark, served
from tests.factories import add_gold, make_dataset, make_person, make_response
from tests.knowledge.sources import make_source

KEPT_TOO_LONG = "has had their data for too long"


@dataclass(frozen=True)
class Example:
    """make: a job, an item that is work by itself, or one of a group, of so many items; not enqueued. results: the
    number of results in the database; each item brings one. asks: whether each item is a call of the model at the
    default endpoint, which can be held up. step: the dotted name of a function that an item calls in the middle of its
    work, where it is held up if it asks no model. locks: tables whose `beat_at` says, besides the lease, that an item
    is worked on."""

    make: Callable[[int], Job | JobItem]
    results: Callable[[], int]
    asks: bool = False
    step: str = ""
    locks: tuple[str, ...] = ()


def make_generation(items: int) -> Job:
    dataset = make_dataset(f"lives {Dataset.objects.count()}", scheme="factscore")
    collect(dataset, [PromptRow(f"Tell me a bio of Ines {n}.", topic=f"Ines {n}") for n in range(items)], "file")
    return start(dataset, default_endpoint(), GenerationSettings("m"))


def make_release(items: int) -> JobItem:
    dataset = make_dataset(f"released {Dataset.objects.count()}")
    for _ in range(items):
        for segment in make_response(dataset).segments.all():
            add_gold(segment, "supported")
    return Release.objects.create(version=freeze_gold(dataset, "v1"), licence="CC0-1.0")


def make_dataset_deletion(items: int) -> JobItem:
    dataset = make_dataset(f"{items} responses, deletion {DatasetDeletion.objects.count()}")
    for _ in range(items):
        make_response(dataset)
    return DatasetDeletion.objects.create(dataset=dataset, name=dataset.name)


def make_comparison(items: int) -> JobItem:
    dataset = make_dataset(f"compared {Dataset.objects.count()}")
    for _ in range(items):
        for segment in make_response(dataset).segments.all():
            add_gold(segment, "supported")
    question = ComparisonQuestion("response", "domain")
    return Comparison.objects.create(dataset=dataset, key=key_of(dataset, None, question), question=asdict(question))


def make_upload(items: int) -> JobItem:
    dora = User.objects.create_superuser(f"dora {User.objects.count()}")
    content = "".join(json.dumps(felm_row(str(n))) + "\n" for n in range(items)).encode()
    upload = receive(dora, SimpleUploadedFile("rows.jsonl", content), f"moon {Upload.objects.count()}", "felm", "")
    Upload.objects.filter(pk=upload.pk).update(confirmed_at=timezone.now())
    return upload


def make_document_upload(items: int) -> JobItem:
    number = DocumentUpload.objects.count()
    pages = ({"title": f"Bee {n}", "text": f"This is number {n}. Its sisters dance."} for n in range(items))
    return DocumentUpload.objects.create(
        file=ContentFile("".join(json.dumps(page) + "\n" for page in pages).encode(), name="bees.jsonl"),
        file_name="bees.jsonl",
        dataset=make_dataset(f"insects {number}"),
        source_name=f"insects {number}",
        uploaded_by=User.objects.create_superuser(f"dora {number}"),
    )


def make_results_upload(items: int) -> JobItem:
    """A bundle of one run with so many predictions; the run itself is there no more."""
    number = Dataset.objects.count()
    dataset = make_dataset(f"measured {number}")
    evaluator = Evaluator.objects.create(name=f"judge {number}", method="imported")
    run = Run.objects.create(evaluator=evaluator, dataset=dataset, state="finished", finished_at=timezone.now())
    for _ in range(items):
        run.predictions.create(segment=make_response(dataset).segments.all()[0], value="supported")
    with TemporaryDirectory() as folder:
        path = Path(folder, "results.zip")
        export_results(dataset, path)
        run.delete()
        return dataset.results_uploads.create(
            file=ContentFile(path.read_bytes(), name=path.name),
            file_name=path.name,
            uploaded_by=User.objects.create_superuser(f"rhea {number}"),
        )


def make_proposals(items: int) -> JobItem:
    dataset = make_dataset(f"proposed {Dataset.objects.count()}", scheme="factscore")
    for n in range(items):
        make_response(dataset, [f"Ines {n} painted."], prompt=f"Ines {n}", subject="amber")
    ask_for(dataset, unproposed(dataset, Proposal.Kind.FACTS), Proposal.Kind.FACTS, "m")
    return Proposal.objects.filter(response__dataset=dataset)[0]


def make_writing(items: int) -> JobItem:
    dataset = make_dataset(f"written {Dataset.objects.count()}")
    collect(dataset, [PromptRow("Why is the sky blue at noon?")], "file")
    return start_writing(dataset, default_endpoint(), "m", items, 7)


def make_snapshot(items: int) -> JobItem:
    return Snapshot.objects.create(url=f"{default_endpoint().base_url}/pages/{items}")


def make_delivery(items: int) -> JobItem:
    dataset = make_dataset(f"told of {Dataset.objects.count()}")
    webhook = dataset.webhooks.create(address=f"{default_endpoint().base_url}/completions", events=[], nonce="n")
    # As the fake server of models wants it: it takes anything with a prompt.
    body = {"model": "m", "prompt": "Hello.", "objects": [{"kind": "task", "id": n} for n in range(items)]}
    return webhook.deliveries.create(event="task.settled", body=json.dumps(body))


def make_own_data(items: int) -> JobItem:
    person = make_person(f"curious {PersonalExport.objects.count()}")
    for number in range(items):
        AuditEntry.objects.create(person=person, action=Action.LOGIN, object_name=f"log-in {number}")
    return PersonalExport.objects.create(person=person)


def make_pruning(items: int) -> JobItem:
    """Of the days from today on, so that a worker makes no other one for today."""
    long_ago = timezone.now() - timedelta(days=100)
    number = Pruning.objects.count()
    for place in range(items):
        person = User.objects.create(username=f"{KEPT_TOO_LONG} {number} {place}")
        PersonalExport.objects.create(person=person, state="done", settled_at=long_ago)
    return Pruning.objects.create(day=timezone.localdate() + timedelta(days=number))


def make_requested_page(items: int) -> JobItem:
    dataset = make_dataset(f"asked {Dataset.objects.count()}")
    task = make_task(make_response(dataset))
    assignment = Assignment.objects.create(task=task, annotator=make_person("asks"), place=0)
    return assignment.requested_pages.create(url=f"{default_endpoint().base_url}/pages/{items}")


def make_run(items: int) -> Job:
    dataset = make_dataset(f"judged {Dataset.objects.count()}")
    for number in range(items):
        make_response(dataset, [f"{number} is odd."])
    return create_run(dataset, "felm-segment", model="m").run


def make_scoring(items: int) -> Job:
    dataset = make_dataset(f"scored {Dataset.objects.count()}")
    examples = [(f"Of the ant {n}. ", ("It marches.",)) for n in range(items)]
    return start_scoring(make_benchmark(dataset, examples), served_anew(dataset), ScoringRequest(context_length=64))


def make_perplexity(items: int) -> Job:
    number = Dataset.objects.count()
    source = make_source(
        f"corpus {number}", **{f"Bee {number} {n}": f"Bee {n} of {number} dances." for n in range(items)}
    )
    model = served_anew(make_dataset(f"read {number}"))
    return start_perplexity(model, source, PerplexityRequest(documents=items, context_length=64))


def make_study(items: int) -> Job:
    dataset = make_dataset(f"gone on with {Dataset.objects.count()}")
    examples = [(f"Of the wasp {n} of {dataset.pk}. ", ("It hums.", "It sings.")) for n in range(items)]
    means = [(-1.0, -2.0)] * items
    scoring = make_finished_scoring(make_benchmark(dataset, examples), *means, endpoint=default_endpoint())
    return start_study(scoring, default_endpoint(), "m", Design(seed=7, per_group=items, generations=1))


def make_request_batch(items: int) -> JobItem:
    """One file of so many requests."""
    endpoint = default_endpoint()
    basket = RequestBasket("a reader")
    for number in range(items):
        messages = [{"role": "user", "content": f"Is {number} odd?"}]
        request = Request(endpoint.base_url, "m", messages, {"max_tokens": 8}, sample=RequestBatch.objects.count())
        basket.collect(CollectedRequest(endpoint, request, Spending(request.most_tokens, None)))
    [batch], _ = make_batches(basket, None)
    return batch


def make_build(items: int) -> Job:
    number = Dataset.objects.count()
    dataset = make_dataset(f"built {number}")
    texts = {
        f"Piet {number} {n}": f"Piet {n} of {number} was a sculptor who lived on the coast for most of his life.\n"
        f"Before he moved to Northwick in 1911 he shared the studio {n} of {number} with the painter Nora Feld."
        for n in range(items)
    }
    source = make_source(f"lives {number}", **texts)
    return start_build(dataset, "lives", source, default_endpoint(), BuildRequest("m", items))


def served_anew(dataset: Dataset) -> ScoredModel:
    """The default endpoint's model, which is known to echo."""
    Capabilities.objects.filter(endpoint=default_endpoint(), model="m").delete()
    return served(dataset)


def responses_of_generations() -> int:
    return Response.objects.filter(subject="m").count()


def responses_released() -> int:
    """The responses of releases that are done; 0 before."""
    return sum(Release.objects.done().exclude(file="").values_list("written", flat=True))


def responses_compared() -> int:
    """The responses with which comparisons that are done compare their first evaluator."""
    documents = Comparison.objects.done().values_list("figures", flat=True)
    return sum(document["evaluators"][0]["results"]["all"]["n"] for document in documents)


def responses_deleted() -> int:
    """By the names of the deleted datasets."""
    names = DatasetDeletion.objects.filter(dataset=None).values_list("name", flat=True)
    return sum(int(name.split()[0]) for name in names)


def responses_imported() -> int:
    return Response.objects.visible().filter(imported__isnull=False).count()


def sets_of_facts() -> int:
    return FactSet.objects.filter(origin=FactSet.Origin.MODEL).count()


def prompts_written() -> int:
    return CollectedPrompt.objects.filter(origin=CollectedPrompt.Origin.MODEL).count()


def lines_frozen() -> int:
    texts = Snapshot.objects.done().values_list("text", flat=True)
    return sum(len(text.splitlines()) for text in texts)


def objects_told() -> int:
    """The objects of messages that were delivered."""
    bodies = WebhookDelivery.objects.done().values_list("body", flat=True)
    return sum(len(json.loads(body)["objects"]) for body in bodies)


def actions_given_out() -> int:
    """The recorded actions in the files of people's own data."""
    number = 0
    for export in PersonalExport.objects.done().exclude(file=""):
        with export.file.open("rb") as file, zipfile.ZipFile(file) as archive:
            number += len(archive.read("audit.jsonl").splitlines())
    return number


def exports_deleted() -> int:
    people = User.objects.filter(username__startswith=KEPT_TOO_LONG)
    return people.filter(personal_export=None).count()


def documents_imported() -> int:
    return Document.objects.visible().count()


def predictions_taken_in() -> int:
    return Prediction.objects.filter(run__manifest__has_key="bundle").count()


def documents_built() -> int:
    return BenchmarkBuildItem.objects.made().count()


def completions_scored() -> int:
    return CompletionScore.objects.exclude(total=None).count()


def texts_written() -> int:
    return OpenEndedGeneration.objects.exclude(text="").count()


def documents_scored() -> int:
    return PerplexityItem.objects.exclude(total=None).count()


EXAMPLES = {
    "comparison": Example(make_comparison, responses_compared, step="evaluators.comparison.figures.read_annotators"),
    "build": Example(make_build, documents_built, step="factor.building.selecting.select"),
    "dataset_deletion": Example(
        make_dataset_deletion, responses_deleted, step="annotate.datasets.deletion_job.delete_contents"
    ),
    "document_upload": Example(
        make_document_upload,
        documents_imported,
        step="knowledge.writing.build_index",
        locks=("knowledge_knowledgesource",),
    ),
    "results_upload": Example(make_results_upload, predictions_taken_in, step="evaluators.bundle.take_in.fingerprint"),
    "generation": Example(make_generation, responses_of_generations, asks=True),
    "prompt_writing": Example(make_writing, prompts_written, step="annotate.prompts.writing_job.write"),
    "own_data": Example(make_own_data, actions_given_out, step="annotate.personal_data.own_data_job.write_own"),
    "proposal": Example(make_proposals, sets_of_facts, asks=True),
    "prune": Example(make_pruning, exports_deleted, step="annotate.retention.prune_job.prune"),
    "run": Example(make_run, Prediction.objects.count, asks=True),
    "request_batch": Example(
        make_request_batch, Call.objects.count, step="llm.batch_api.request_batch_job.read_results"
    ),
    "release": Example(make_release, responses_released, step="annotate.release.make.write_tables"),
    "snapshot": Example(make_snapshot, lines_frozen, step="knowledge.fetching.freeze.read"),
    "requested_page": Example(make_requested_page, lines_frozen, step="knowledge.fetching.freeze.read"),
    "open_ended": Example(make_study, texts_written, asks=True),
    "perplexity": Example(make_perplexity, documents_scored, step="factor.perplexity.perplexity_job.score_document"),
    "scoring": Example(make_scoring, completions_scored, asks=True),
    "webhook": Example(make_delivery, objects_told, step="api.webhooks.delivery_job.post"),
    "upload": Example(
        make_upload, responses_imported, step="annotate.corpus.importing._finish", locks=("annotate_import",)
    ),
}
