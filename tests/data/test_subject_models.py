"""Where FActScore's subject models are precise, from the published files, as figures.json has it; and what corrections
and subsets make of them."""

import numpy as np
import pytest

from annotate.corpus.importing import import_file
from annotate.gold.read import read_gold
from annotate.models import Dataset
from annotate.statistics.figures import build_dataset_stats
from stats.arrays import number
from stats.bootstrap import Resampling
from stats.corrected_factscore import describe_corrections
from stats.factscore import response_shares
from stats.factscore_estimation import judged_shares
from stats.gold_table import SUPPORTED
from stats.prompt_subsets import describe_spread

pytestmark = [pytest.mark.data, pytest.mark.django_db]

SUBJECTS = ("ChatGPT", "InstructGPT")
FACTSCORE = {"InstructGPT": 0.4258, "ChatGPT": 0.5828}
BY_FREQUENCY = {
    "InstructGPT": (0.115, 0.243, 0.43, 0.649, 0.7),
    "ChatGPT": (0.163, 0.27, 0.538, 0.752, 0.798),
}
BY_POSITION = {"InstructGPT": (0.66, 0.45, 0.43, 0.354, 0.282), "ChatGPT": (0.748, 0.59, 0.646, 0.514, 0.425)}


@pytest.fixture(scope="module")
def lives(published, module_db):
    """(statistics by subject, gold)."""
    for subject in SUBJECTS:
        import_file(published / "factscore" / f"{subject}.jsonl", "lives measured", "factscore", subject)
    dataset = Dataset.objects.get(name="lives measured")
    return {row["subject"]: row for row in build_dataset_stats(dataset)["subjects"]}, read_gold(dataset)


def near(value):
    return pytest.approx(value, abs=0.0005001)


@pytest.mark.parametrize("subject", SUBJECTS)
def test_figure_2_with_intervals(lives, subject):
    found = lives[0][subject]["precision"]
    assert [row["share"] for row in found["by_frequency"]] == [near(share) for share in BY_FREQUENCY[subject]]
    assert [row["share"] for row in found["by_position"]] == [near(share) for share in BY_POSITION[subject]]
    for row in found["by_frequency"] + found["by_position"] + found["by_nationality"]:
        low, high = row["interval"]
        assert low < row["share"] < high
    # The rarest class and the most frequent one are told apart.
    assert found["by_frequency"][0]["interval"][1] < found["by_frequency"][-1]["interval"][0]


def test_of_rare_people_where_the_model_responds(lives):
    assert lives[0]["ChatGPT"]["precision"]["by_frequency_responding"][0]["share"] == near(0.262)


def test_neither_subject_cites(lives):
    for row in lives[0].values():
        assert [each["share"] for each in row["citations"]["cited_by_support"]] == [0.0, 0.0]


def test_subsets_of_the_20_cells_keep_the_ranking_more_often_the_larger_they_are(lives):
    table = lives[1]
    shares = response_shares(table)
    subjects, subject = number(table.responses.subject)
    cells = number(table.prompts.frequency + " · " + table.prompts.nationality)[1]
    scores = np.where(shares.responding, shares.score, np.nan)
    small, large, too_large = describe_spread(scores, subject, subjects, table.responses.prompt, cells)
    assert small["cells"] == 20
    for size in (small, large):
        for row in size["subjects"]:
            assert row["mean"] == pytest.approx(FACTSCORE[row["subject"]], abs=0.02)
    for before, after in zip(small["subjects"], large["subjects"], strict=True):
        assert after["deviation"] < before["deviation"]
    assert large["ranking_kept"] >= small["ranking_kept"] > 0.9
    # 183 people have published labels.
    assert too_large["undefined"] == "it takes 200 prompts, and there are 183"


def test_the_correction_finds_gold_again_where_the_evaluator_errs_alike(lives):
    table = lives[1]
    gold = table.units.value == SUPPORTED
    generator = np.random.default_rng(5)
    called = np.where(gold, generator.random(len(gold)) < 0.85, generator.random(len(gold)) > 0.8)
    everything = ~table.responses.abstained[table.response_of_unit]
    shares = judged_shares(table.response_of_unit, len(table.responses.key), everything, gold, everything, called)
    subjects, subject = number(table.responses.subject)
    described = describe_corrections(shares, subject, subjects, table.responses.prompt, Resampling(table.strata))
    assert described["calibration"]["sensitivity"] == pytest.approx(0.85, abs=0.02)
    assert described["calibration"]["specificity"] == pytest.approx(0.8, abs=0.02)
    for row in described["subjects"]:
        low, high = row["rogan_gladen_interval"]
        assert low < FACTSCORE[row["subject"]] < high
        assert abs(row["residual"]) < 0.03
        assert row["undefined"] == {
            "prediction_powered": "the subject has fewer than two judged responses without labels"
        }
