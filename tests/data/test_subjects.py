"""Abstention and the trivial evaluators on FActScore's published responses, as figures.json has them."""

import pytest

from annotate.corpus.importing import import_file
from annotate.models import Dataset
from evaluators.methods.abstention import abstains
from evaluators.methods.factscore_facts import FACTS_PARAMETERS
from evaluators.runs.create import create_run
from evaluators.runs.run_job import RunJob
from evaluators.subjects.describe import describe_dataset
from jobs.work import work_on

pytestmark = [pytest.mark.data, pytest.mark.django_db]

DEFAULTS = {parameter.name: parameter.default for parameter in FACTS_PARAMETERS}
RESPONDING = {"ChatGPT": 157, "InstructGPT": 182}
FACTS = {"ChatGPT": 34.6, "InstructGPT": 26.2}
PROMPTS = 183


@pytest.fixture(scope="module")
def lives(published, django_db_setup, django_db_blocker):
    with django_db_blocker.unblock():
        for subject in RESPONDING:
            import_file(published / "factscore" / f"{subject}.jsonl", "lives ranked", "factscore", subject)
        dataset = Dataset.objects.get(name="lives ranked")
        yield dataset
        dataset.delete()


def test_the_rules_find_the_responses_that_people_called_abstentions_and_no_other(lives):
    found = {response.pk for response in lives.responses.all() if abstains(response.text, DEFAULTS)}
    assert found == set(lives.responses.filter(abstained=True).values_list("pk", flat=True))
    assert len(found) == 2 * PROMPTS - sum(RESPONDING.values())


def test_trivial_evaluators_give_the_scores_that_they_must(lives):
    for method, score in (("always-supported", 1.0), ("always-not-supported", 0.0)):
        work_on(RunJob(), create_run(lives, method).run.pk)
        described = describe_dataset(lives, [method])["evaluators"][0]
        for row in described["subjects"]:
            assert row["estimated"] == score
            assert row["responding"] == RESPONDING[row["subject"]] / PROMPTS
            # Of relevant sentences people's, of the others the model's.
            assert row["facts_per_response"] == pytest.approx(FACTS[row["subject"]], abs=0.05)
        assert described["common_prompts"]["n"] == 156
