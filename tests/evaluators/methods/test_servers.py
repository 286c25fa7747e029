"""Each method that asks a model, whole, against the kinds of servers that people meet: every unit is judged."""

import pytest

from annotate.models import ReferenceLink
from evaluators.methods import EDITORS, METHODS
from evaluators.methods.base import FACTS
from evaluators.runs.create import create_run
from evaluators.runs.progress import progress_of
from evaluators.runs.run_job import RunJob
from jobs.work import work_on
from tests.evaluators.editing.work import make_lives, texts
from tests.evaluators.methods.test_contract import NEEDED
from tests.factories import add_facts, make_dataset, make_response
from tests.fake_dialects import SERVERS
from tests.knowledge.sources import make_source

pytestmark = pytest.mark.django_db

JUDGES = [method for method in METHODS.values() if method.needs_model]
ASKING_EDITORS = [method for method in EDITORS.values() if method.needs_model]
# Refused by a server that takes nothing optional.
OPTIONS = {"reasoning_effort": "low", "top_p": "0.9", "extra_body": '{"seed": 7}'}
TEXTS = (["Ada wrote a program.", "Ada flew, which is wrong."], ["Ada sang.", "Ada swam."])


@pytest.fixture(scope="module")
def datasets(module_db):
    """By their schemes: two responses of two units each, of which one is wrong; and sentences to be corrected."""
    source = make_source("pages", Ada="Ada wrote a program. Ada sang.")
    return {scheme: make_lab(scheme, source) for scheme in ("felm", "factscore")} | {"edits": make_lives()}


def make_lab(scheme, source):
    dataset = make_dataset(scheme, scheme)
    dataset.guidelines.create(version=1, text="What is wrong is an error.")
    dataset.knowledge_source = source
    dataset.save()
    for number, segments in enumerate(TEXTS):
        response = make_response(dataset, segments, prompt="Ada", domain="wk", subject="m", index=str(number))
        ReferenceLink.objects.create(response=response, position=0, url="https://example.org/a", content="Ada sang.")
        response.other_samples.create(position=0, text="Ada wrote, sang and swam.")
        if scheme == FACTS:
            add_facts(response, [[text] for text in segments])
    return dataset


@pytest.fixture(params=SERVERS)
def server(request, model):
    model.control(dialects=SERVERS[request.param])
    return request.param


def worked(dataset, method, request):
    if any(name.endswith("_weights") for name in NEEDED.get(method.name, {})):
        request.getfixturevalue("weights")
    parameters = OPTIONS | NEEDED.get(method.name, {})
    run = create_run(dataset, method.name, model="m", parameters=parameters).run
    work_on(RunJob(), run.pk)
    run.refresh_from_db()
    now = progress_of(run)
    assert (run.state, now.failed, now.unparsed, now.refused, now.cut_off) == ("finished", 0, 0, 0, 0), run.error
    return run


@pytest.mark.parametrize("method", JUDGES, ids=lambda method: method.name)
def test_every_unit_is_judged(datasets, server, method, request):
    run = worked(datasets[method.schemes[0]], method, request)

    values = list(run.predictions.in_reading_order().values_list("value", flat=True))
    if "np_weights" in NEEDED.get(method.name, {}):  # its tiny model has a say too
        assert values == ["not_supported"] * 4
    else:
        assert values == ["supported", "not_supported", "supported", "supported"]


@pytest.mark.parametrize("method", ASKING_EDITORS, ids=lambda method: method.name)
def test_every_sentence_is_corrected(datasets, server, method, request):
    run = worked(datasets["edits"], method, request)

    # The source has a page of Ada alone.
    of_ben = ["Ben sang right songs."] * (not method.needs_source)
    assert texts(run) == ["Ada bred right horses in Bath.", "She was right twice.", *of_ben]
