"""A knowledge source belongs to a dataset or is shared to be read: another dataset's is as if it were not there."""

from importlib import import_module

import pytest
from django.apps import apps
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command
from django.urls import reverse

from annotate.evidence.document_upload_job import DocumentUploadJob
from annotate.evidence.source import claim_source, may_extend, sources_of
from annotate.models import DocumentUpload, Role, SourceOwner
from core.errors import DataError
from factor.models import ScoredModel
from factor.perplexity.forms import PerplexityForm
from factor.perplexity.start import PerplexityRequest, start
from jobs.errors import StartError
from jobs.work import work_on
from knowledge.models import Document, KnowledgeSource
from tests.factories import make_dataset, make_person, own_source
from tests.knowledge.sources import make_source

pytestmark = pytest.mark.django_db

LINE = '{"title": "Bee", "text": "A bee has six legs."}\n'


@pytest.fixture
def lab():
    return make_dataset()


@pytest.fixture
def other():
    return make_dataset("other")


@pytest.fixture
def theirs(other):
    source = make_source(name="theirs", Wasp="Wasps rest.")
    own_source(other, source)
    source.refresh_from_db()
    return source


@pytest.fixture
def dora(client, lab):
    client.force_login(make_person("dora", lab, Role.ADJUDICATOR))
    return client


@pytest.fixture
def root(client):
    root = make_person("root")
    root.is_superuser = True
    root.save()
    client.force_login(root)
    return client


def upload(client, dataset, name):
    file = SimpleUploadedFile("bees.jsonl", LINE.encode())
    body = {"file": file, "name": name, "tokenizer": "sentences"}
    return client.post(reverse("knowledge-upload", args=[dataset.pk]), body)


def test_another_datasets_source_is_neither_offered_nor_chosen(dora, lab, theirs):
    assert "theirs" not in dora.get(reverse("knowledge", args=[lab.pk])).content.decode()
    answer = dora.post(reverse("knowledge-choose", args=[lab.pk]), {"source": "theirs"})
    assert answer.status_code == 422
    assert "there is no such source" in answer.content.decode()
    lab.refresh_from_db()
    assert lab.knowledge_source is None


def test_its_documents_are_not_there(dora, lab, theirs):
    document = Document.objects.filter(source=theirs).first()
    assert dora.get(reverse("document", args=[lab.pk, document.pk])).status_code == 404


def test_nothing_is_added_to_it(dora, lab, theirs):
    answer = upload(dora, lab, "theirs")
    assert answer.status_code == 422
    assert "The name theirs is taken" in answer.content.decode()
    assert not DocumentUpload.objects.exists()


def test_nor_by_a_file_that_waited_while_another_made_it(dora, lab, other):
    upload(dora, lab, "bees")
    claim_source(other, "bees")
    [waiting] = DocumentUpload.objects.all()
    work_on(DocumentUploadJob(), waiting.pk)
    waiting.refresh_from_db()
    assert waiting.state == DocumentUpload.State.FAILED
    assert "The name bees is taken" in waiting.error
    assert not Document.objects.exists()


def test_a_new_source_is_the_datasets_own(dora, lab, other):
    upload(dora, lab, "bees")
    work_on(DocumentUploadJob(), DocumentUpload.objects.get().pk)
    source = KnowledgeSource.objects.get(name="bees")
    assert (source.shared, source.owner.dataset) == (False, lab)
    assert [list(sources_of(lab)), list(sources_of(other))] == [[source], []]
    assert may_extend(lab, "bees") and not may_extend(other, "bees")


def test_a_shared_source_is_read_by_all_and_extended_by_none(dora, lab):
    shared = make_source(name="shared", Owl="Owls watch.")
    assert dora.post(reverse("knowledge-choose", args=[lab.pk]), {"source": "shared"}).status_code == 302
    assert upload(dora, lab, "shared").status_code == 422
    page = dora.get(reverse("knowledge", args=[lab.pk])).content.decode()
    assert "Shared: all datasets can read it" in page
    topic = {"topic": "bees", "title": shared.documents.first().title}
    assert dora.post(reverse("topic-name", args=[lab.pk]), topic).status_code == 422


def test_an_administrator_shares_a_source_for_good(root, other, lab, theirs):
    assert root.post(reverse("knowledge-share", args=[lab.pk])).status_code == 404
    assert root.post(reverse("knowledge-share", args=[other.pk])).status_code == 302
    assert list(sources_of(lab)) == [theirs]
    assert not may_extend(other, "theirs")


def test_commands_keep_to_the_wall(lab, other, theirs, tmp_path):
    file = tmp_path / "bees.jsonl"
    file.write_text(LINE)
    with pytest.raises(CommandError, match="The name theirs is taken"):
        call_command("import_documents", "theirs", file, dataset="lab")
    call_command("import_documents", "bees", file, dataset="lab")
    assert KnowledgeSource.objects.get(name="bees").owner.dataset == lab
    call_command("import_documents", "open", file)
    assert KnowledgeSource.objects.get(name="open").shared
    with pytest.raises(CommandError, match="there is no knowledge source 'theirs' for lab"):
        call_command("make_benchmark", "lab", "b", source="theirs", model="m")


def test_models_are_not_scored_on_it(lab, theirs):
    model = ScoredModel.objects.create(dataset=lab, name="m", reached_by="transformers", reached_as="m")
    assert list(PerplexityForm(lab).fields["source"].queryset) == []
    with pytest.raises(StartError, match="There is no such knowledge source"):
        start(model, theirs, PerplexityRequest())


def test_a_name_that_another_has_is_not_claimed(lab, theirs):
    with pytest.raises(DataError):
        claim_source(lab, "theirs")


def test_earlier_sources_go_to_the_one_dataset_that_used_them_else_are_shared(lab, other):
    migration = import_module("factor.migrations.0003_what_datasets_own")
    own, both, _ = (make_source(name=name) for name in ("own", "both", "unused"))
    KnowledgeSource.objects.update(shared=False)
    lab.knowledge_source, other.knowledge_source = own, both
    lab.save()
    other.save()
    lab.benchmarks.create(name="b", source=both)

    migration.give_sources(apps, None)

    assert dict(KnowledgeSource.objects.values_list("name", "shared")) == {"own": False, "both": True, "unused": True}
    assert SourceOwner.objects.get().dataset == lab
