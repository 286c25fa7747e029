"""The demo: a lab in the middle of its work (fixtures/README.md). Rows that are there already stay."""

import json
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib.auth.hashers import make_password
from django.db import transaction
from django.utils import timezone

from annotate.adjudication.decide import decide
from annotate.adjudication.unanimous import accept_unanimous
from annotate.corpus.importing import import_file
from annotate.corpus.reference_facts import import_reference_facts
from annotate.evidence.import_file import import_documents
from annotate.feedback.challenge import challenge
from annotate.feedback.outcome import closed_work, unit_outcomes
from annotate.gold.freeze import freeze_gold
from annotate.judgements.judgement import CitedReference, UnitJudgement
from annotate.judgements.units import readings_of
from annotate.labels.draft import save_draft
from annotate.labels.import_file import import_labels
from annotate.models import Dataset, Guideline, Membership, ReferenceLink, ReviewPolicy, Role, Segment, User, Value
from annotate.tasks.assign import assign
from annotate.tasks.serving import open_next
from evaluators.demo_editing import make_editing
from evaluators.demo_extraction import make_extraction
from evaluators.demo_mistakes import make_analysis, make_audit
from evaluators.models import Run
from evaluators.predictions.import_file import import_predictions
from evaluators.runs.create import create_run
from evaluators.runs.run_job import RunJob
from jobs.work import work_to_the_end
from knowledge.fetching.page import hash_of
from knowledge.models import Snapshot

FIXTURES: Path = settings.BASE_DIR / "fixtures"
FIVE_DOMAINS = "Demo: five domains"
BIOGRAPHIES = "Demo: biographies"
CLAIMS = "Demo: claims"
SUBJECTS = ("model-amber", "model-basalt")
# The methods that call no model. Biographies come without references, where "lexical" would look.
METHODS = {
    FIVE_DOMAINS: ("always-supported", "always-not-supported", "random", "lexical"),
    BIOGRAPHIES: ("always-supported", "always-not-supported", "random"),
    CLAIMS: ("always-supported", "always-not-supported", "random", "lexical"),
}
OUTSIDE_EVALUATOR = "outside judge"
# One that judges the biographies by claims that it extracted by itself.
EXTRACTING_EVALUATOR = "extracting judge"
EXTRACTED = "demo_extracted_claims.jsonl"
# Two that judged the five domains elsewhere: one with the cited pages before it, one without.
OUTSIDE_JUDGES = {
    "judge with evidence": "demo_judge_with_evidence.jsonl",
    "judge from memory": "demo_judge_from_memory.jsonl",
}
ADMINISTRATOR = "admin"
ANNOTATORS = ("ada", "ben", "cleo")
ADJUDICATOR = "dora"
RESEARCHER = "rhea"
# Everybody knows it: these people are there to be tried out.
PASSWORD = "touchstone"  # noqa: S105
FROZEN = "v1"
SEED = 7


def make_demo() -> None:
    """People, datasets and runs, each made where it is missing; changes by people stay."""
    make_people()
    if not Dataset.objects.filter(name=FIVE_DOMAINS).exists():
        make_five_domains()
    if not Dataset.objects.filter(name=BIOGRAPHIES).exists():
        make_biographies()
    if not Dataset.objects.filter(name=CLAIMS).exists():
        make_claims()
    make_extraction(Dataset.objects.get(name=BIOGRAPHIES), EXTRACTING_EVALUATOR, FIXTURES / EXTRACTED)
    for name, methods in METHODS.items():
        run_to_the_end(Dataset.objects.get(name=name), methods)
    five_domains = Dataset.objects.get(name=FIVE_DOMAINS)
    make_analysis(five_domains, next(iter(OUTSIDE_JUDGES)))
    make_audit(five_domains, ANNOTATORS[2], ADJUDICATOR)
    make_editing(Dataset.objects.get(name=BIOGRAPHIES), FIXTURES / "demo_corrections.jsonl", ADJUDICATOR)


def make_people() -> None:
    names = (ADMINISTRATOR, *ANNOTATORS, ADJUDICATOR, RESEARCHER)
    there = set(User.objects.filter(username__in=names).values_list("username", flat=True))
    missing = [name for name in names if name not in there]
    # One hash for all: each takes as long as it would take an attacker.
    password = make_password(PASSWORD) if missing else ""
    for name in missing:
        administers = name == ADMINISTRATOR
        User.objects.create(username=name, password=password, is_superuser=administers, is_staff=administers)


@transaction.atomic
def make_five_domains() -> None:
    """Labelled twice, mostly settled, some of it in dispute; more that waits to be labelled, and science with gold.

    Two evaluators that ran elsewhere have judged what has gold: science has enough of it to tell them apart.
    """
    published = list(_read(FIXTURES / "demo_felm.jsonl"))
    dataset = _import_unlabelled(published)
    dataset.review = ReviewPolicy.BULK
    _introduce(dataset, "Short answers over five domains, with errors put in on purpose.", "demo_guidelines_felm.md")
    _judge_by(dataset, "Demo: things", "knowledge_things.jsonl")
    contents = _contents(published)
    _freeze_pages(contents)
    import_labels(dataset, FIXTURES / "demo_labels.jsonl")
    _settle(dataset)
    _challenge(dataset, ANNOTATORS[1])
    import_file(FIXTURES / "demo_responses.jsonl", FIVE_DOMAINS, "responses")
    _keep_contents(dataset, contents)
    assign(dataset, ANNOTATORS, overlap=1.0, seed=SEED)
    _begin_to_label(dataset, ANNOTATORS[0])
    import_file(FIXTURES / "demo_felm_science.jsonl", FIVE_DOMAINS, "felm")
    dataset.refresh_from_db()
    freeze_gold(dataset, FROZEN, User.objects.get(username=ADJUDICATOR))
    for evaluator, file in OUTSIDE_JUDGES.items():
        import_predictions(dataset, FIXTURES / file, evaluator)


@transaction.atomic
def make_biographies() -> None:
    """Texts of two subject models on the same people, with gold that came with the files.

    Two people are labelled anew, to see how well annotators agree, and wait for a reviewer's signature; the rest waits
    to be labelled. An evaluator that ran elsewhere has judged them all.
    """
    for subject in SUBJECTS:
        import_file(FIXTURES / f"demo_factscore_{subject}.jsonl", BIOGRAPHIES, "factscore", subject)
    dataset = Dataset.objects.get(name=BIOGRAPHIES)
    dataset.review = ReviewPolicy.REVIEWER
    _introduce(dataset, "Lives told by two invented models, fact by fact.", "demo_guidelines_factscore.md")
    _judge_by(dataset, "Demo: lives", "knowledge_lives.jsonl")
    import_reference_facts(dataset, FIXTURES / "demo_reference_facts.jsonl")
    import_labels(dataset, FIXTURES / "demo_factscore_labels.jsonl")
    assign(dataset, ANNOTATORS, overlap=0.1, seed=SEED)
    import_predictions(dataset, FIXTURES / "demo_predictions.jsonl", OUTSIDE_EVALUATOR)


@transaction.atomic
def make_claims() -> None:
    """Claims with their passages: some wait to be labelled, the others come with gold."""
    import_file(FIXTURES / "demo_claims_unlabelled.jsonl", CLAIMS, "claims")
    dataset = Dataset.objects.get(name=CLAIMS)
    dataset.review = ReviewPolicy.BULK
    _introduce(dataset, "Claims, each with the passages that decide it.", "demo_guidelines_claims.md")
    assign(dataset, ANNOTATORS, overlap=1.0, seed=SEED)
    import_file(FIXTURES / "demo_claims.jsonl", CLAIMS, "claims")


def run_to_the_end(dataset: Dataset, methods: Iterable[str]) -> None:
    """Run each of the methods over the dataset, unless it has been."""
    for method in methods:
        if not Run.objects.filter(dataset=dataset, evaluator__method=method).exists():
            work_to_the_end(RunJob(), create_run(dataset, method).run.pk)


def _read(path: Path) -> Iterator[dict[str, Any]]:
    with path.open(encoding="utf-8") as file:
        yield from map(json.loads, file)


def _import_unlabelled(published: Iterable[dict[str, Any]]) -> Dataset:
    """The rows of a FELM file without their labels."""
    rows = [
        {
            "index": row["index"],
            "domain": row["domain"],
            "source": row["source"],
            "prompt": row["prompt"],
            "response": row["response"],
            "segments": row["segmented_response"],
            "references": row["ref"],
        }
        for row in published
    ]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "demo_felm.jsonl"
        path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
        import_file(path, FIVE_DOMAINS, "responses")
    return Dataset.objects.get(name=FIVE_DOMAINS)


def _contents(published: Iterable[dict[str, Any]]) -> dict[str, str]:
    """The retrieved text of the references, by their addresses."""
    contents = {link["url"]: link["content"] for link in _read(FIXTURES / "demo_contents.jsonl")}
    for row in published:
        contents.update(zip(row["ref"], row["ref_contents"], strict=False))
    return contents


def _freeze_pages(contents: Mapping[str, str]) -> None:
    """The cited pages. They cannot be fetched: their encyclopedia is made up."""
    Snapshot.objects.bulk_create(
        Snapshot(
            url=url,
            state=Snapshot.State.DONE,
            settled_at=timezone.now(),
            final_url=url,
            media_type="text/plain",
            title=url.rpartition("/")[2].replace("-", " ").title(),
            text=content,
            text_hash=hash_of(content),
        )
        for url, content in contents.items()
        if not Snapshot.objects.filter(url=url).exists()
    )


def _keep_contents(dataset: Dataset, contents: Mapping[str, str]) -> None:
    """Unlabelled rows name the addresses of their references only."""
    links = list(ReferenceLink.objects.filter(response__dataset=dataset))
    for link in links:
        link.content = contents.get(link.url or "")
    ReferenceLink.objects.bulk_update(links, ["content"])


def _introduce(dataset: Dataset, description: str, guidelines: str) -> None:
    """Describe the dataset to its members, with the guidelines for their work."""
    dataset.description = description
    dataset.save(update_fields=["description", "review"])
    roles = {**dict.fromkeys(ANNOTATORS, Role.ANNOTATOR), ADJUDICATOR: Role.ADJUDICATOR, RESEARCHER: Role.RESEARCHER}
    people = User.objects.in_bulk(roles, field_name="username")
    for name, role in roles.items():
        Membership.objects.get_or_create(user=people[name], dataset=dataset, defaults={"role": role})
    text = (FIXTURES / guidelines).read_text(encoding="utf-8")
    Guideline.objects.create(dataset=dataset, version=1, text=text)


def _judge_by(dataset: Dataset, source: str, file: str) -> None:
    """Give the dataset a knowledge source with the documents of the file."""
    dataset.knowledge_source = import_documents(FIXTURES / file, source).source
    dataset.save(update_fields=["knowledge_source"])


def _settle(dataset: Dataset) -> None:
    """Dora decides most disagreements and accepts unanimous judgements."""
    dora = User.objects.get(username=ADJUDICATOR)
    segments = Segment.objects.filter(response__dataset=dataset)
    for ruling in _read(FIXTURES / "demo_rulings.jsonl"):
        segment = segments.get(response__index=ruling.pop("index"), position=ruling.pop("segment"))
        ruling["references"] = [CitedReference(url) for url in ruling["references"]]
        decide((segment.pk, None), dora, **ruling)
    accept_unanimous(dataset, dora, "Both annotators agree; I read through all of them.")


def _challenge(dataset: Dataset, name: str) -> None:
    """One annotator doubts the first gold label that differs from theirs."""
    for assignment in closed_work(dataset, User.objects.get(username=name)):
        for unit in unit_outcomes(assignment):
            if unit.differs:
                text = "I read the sentence otherwise: taken by itself it says no more than its source does."
                challenge(assignment, unit.label.segment_id, unit.label.fact_id, text)
                return


def _begin_to_label(dataset: Dataset, name: str) -> None:
    """A task in work: its first two segments are judged."""
    assignment = open_next(dataset, User.objects.get(username=name))
    if assignment is None:
        raise LookupError(f"nothing waits for {name} in {dataset}")
    sentences = readings_of(assignment.task)[0].sentences[:2]
    draft = {sentence.whole.key: UnitJudgement(Value.SUPPORTED.value) for sentence in sentences}
    save_draft(assignment, draft, assignment.draft_version)
