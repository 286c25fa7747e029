"""The claims of FELM's runs, kept and measured: beside responses that such a run judges by segments."""

import pytest
from django.urls import reverse

from evaluators.bundle.export import export_results
from evaluators.bundle.take_in import import_results
from evaluators.comparison.report import build_report
from evaluators.models import ExtractedClaim, Run
from evaluators.predictions.counts import judged_without_claims
from evaluators.reproduction.measure import scratch_database
from evaluators.runs.create import create_run
from evaluators.runs.manage import delete_run, goes_with
from evaluators.runs.run_job import RunJob
from jobs.work import work_on
from stats.extraction import NOT_EXTRACTED
from tests.factories import add_gold, make_dataset, make_person, make_response
from tests.pages import squeezed

pytestmark = pytest.mark.django_db


def add_response(dataset, segments, domain, prompt):
    """A response of the subject "m"; gold calls a segment wrong that says so."""
    response = make_response(dataset, segments, prompt, domain, subject="m")
    for segment in response.segments.all():
        add_gold(segment, "not_supported" if "wrong" in segment.text else "supported")
    return response


def make_answers():
    """Ada's has two claims below a greeting; Ben's holds none, and nobody is to be asked of them; the third is
    mathematics, which is judged by segments."""
    dataset = make_dataset("answers")
    add_response(dataset, ["Certainly!", "Ada wrote a program.", "This is wrong."], "wk", "Ada")
    add_response(dataset, ["Hello!", "Well!"], "wk", "Ben")
    add_response(dataset, ["Two is even.", "Four is odd: wrong."], "math", "Numbers")
    return dataset


@pytest.fixture
def answers(db):
    return make_answers()


def work(dataset, method="felm-claim", **parameters):
    texts = {name: str(value) for name, value in parameters.items()}
    run = create_run(dataset, method, model="m", parameters=texts).run
    work_on(RunJob(), run.pk)
    run.refresh_from_db()
    assert (run.state, run.error) == ("finished", "")
    return run


def entry_of(dataset, run, **options):
    (entry,) = [each for each in build_report(dataset, **options)["evaluators"] if each["run"] == run.pk]
    return entry


def counts_of(part):
    return {key: (figure["count"], figure["n"]) for key, figure in part["figures"].items()}


def claims_of(run):
    """Of each claim its response's prompt, text, verdict and segment, and the segments that it is aligned to."""
    return [
        (
            claim.response.prompt.text,
            claim.text,
            claim.value,
            claim.segment,
            [each.segment.position for each in claim.alignments.in_reading_order()],
        )
        for claim in run.extracted_claims.in_reading_order()
    ]


KEPT = [
    ("Ada", "Ada wrote a program.", "supported", 1, [1]),
    ("Ada", "This is wrong.", "not_supported", 2, [2]),
]
# Of the five segments of Ada's and Ben's the two with a claim are covered; the three greetings are not.
FIGURES = {
    "claim_precision": (2, 2),
    "unit_coverage": (2, 5),
    "missing_units": (3, 5),
    "invented_claims": (0, 2),
    "merged_claims": (0, 2),
}


@pytest.mark.parametrize(
    ("method", "parameters"),
    [("felm-claim", {}), ("felm-claim-cot", {}), ("felm-self-consistency", {"over": "felm-claim", "samples": 3})],
)
def test_claims_are_kept_each_at_its_own_segment_with_its_calls(answers, model, method, parameters):
    run = work(answers, method, **parameters)

    assert claims_of(run) == KEPT
    of_segments = {each.segment_id: set(each.calls.all()) for each in run.predictions.all()}
    for claim in run.extracted_claims.all():
        assert set(claim.calls.all()) == of_segments[claim.alignments.get().segment_id]


def test_a_response_judged_by_segments_is_left_out_and_one_without_a_claim_is_missed(answers, model):
    found = entry_of(answers, work(answers))["extraction"]

    assert (found["claims"], found["units"], found["left_out"], counts_of(found)) == (2, 5, 1, FIGURES)
    wk, math = found["slices"]["wk"], found["slices"]["math"]
    assert (wk["left_out"], counts_of(wk)) == (0, FIGURES)
    assert (math["units"], math["left_out"]) == (0, 1)
    assert {(figure["share"], figure["why"]) for figure in math["figures"].values()} == {(None, NOT_EXTRACTED)}


def test_predictions_of_segments_are_those_of_the_verdicts_as_before(answers, model):
    run = work(answers)

    rows = run.predictions.in_reading_order().values_list("value", "score", "rationale", "fallback")
    assert list(rows) == [
        ("supported", None, "no claim", ""),
        ("supported", None, "Answer: 2", ""),
        ("not_supported", None, "Answer: 2", ""),
        ("supported", None, "no claim", ""),
        ("supported", None, "no claim", ""),
        ("supported", None, "Answer: 2", "math"),
        ("not_supported", None, "Answer: 2", "math"),
    ]


def test_claims_that_cannot_be_read_are_missed_not_left_out(answers, model):
    """No response has a claim then; Ada's and Ben's count as those of which claims were sought."""
    model.control(answer="Answer: 2")
    run = work(answers)

    assert not run.extracted_claims.exists()
    assert judged_without_claims(run) == {answers.responses.get(index="m/Numbers").pk}


def test_a_response_whose_segments_are_all_longer_than_the_context_is_left_out(answers, model):
    long = add_response(answers, ["It goes on and on. " * 300], "wk", "Long")
    add_response(answers, ["It goes on and on. " * 300, "Fine!"], "wk", "Partly")
    run = work(answers, context=1500, claim_tokens=100, max_tokens=100)

    assert [item.skipped for item in run.items.all()][3:] == [{"longer than the context": 1}] * 2
    assert claims_of(run) == KEPT
    assert judged_without_claims(run) == {answers.responses.get(index="m/Numbers").pk, long.pk}
    # Both segments of the last response are missed.
    assert counts_of(entry_of(answers, run)["extraction"])["missing_units"] == (5, 7)


def test_a_run_of_an_earlier_version_keeps_no_claims_and_has_no_figures_of_them(answers, model):
    run = work(answers)
    entry = entry_of(answers, run, k=2)
    ExtractedClaim.objects.all().delete()

    earlier = entry_of(answers, run, k=2)
    assert (earlier["extraction"], earlier["at_k"]) == (None, None)
    assert earlier["results"] == entry["results"]


def test_what_an_earlier_version_judged_before_a_run_went_on_is_left_out(answers, model):
    """The claims of Ada's response were judged and not kept; those of Eve's are."""
    add_response(answers, ["Eve sang."], "wk", "Eve")
    run = work(answers)
    run.extracted_claims.filter(response__prompt__text="Ada").delete()

    found = entry_of(answers, run)["extraction"]
    assert (found["claims"], found["left_out"]) == (1, 2)
    # Eve's segment, and Ben's two.
    assert counts_of(found)["unit_coverage"] == (1, 3)


def test_f1_at_k_is_of_the_responses_judged_by_claims(answers, model):
    """Ada's has S = N = 1: at K = 2 precision and recall are 1/2. Ben's has none, which counts 0. Mathematics is left
    out, where it abstains too: neither it nor its domain counts 0."""
    add_response(answers, ["I'm sorry, I cannot say."], "math", "Refused")
    run = work(answers)

    [subject] = entry_of(answers, run, k=2)["at_k"]["subjects"]
    assert (subject["n"], subject["left_out"]) == (2, 2)
    assert subject["f1"] == pytest.approx((1 / 2 + 0) / 2)
    by_domain = entry_of(answers, run)["at_k"]
    assert (by_domain["domains"], by_domain["subjects"][0]["f1"]) == (
        [{"domain": "wk", "k": 2.0, "n": 1}],
        pytest.approx(1 / 4),
    )


def test_a_response_whose_claims_could_not_be_read_has_no_f1_at_k(answers, model):
    """Ben's two segments are unparsed then: the claims are unknown, not none."""
    run = work(answers)
    run.predictions.filter(segment__response__prompt__text="Ben").update(value=None, unparsed=True, rationale="Well?")

    entry = entry_of(answers, run, k=2)
    [subject] = entry["at_k"]["subjects"]
    assert (subject["n"], subject["left_out"], subject["f1"]) == (1, 1, 1 / 2)
    assert counts_of(entry["extraction"]) == FIGURES


def test_recall_of_lists_is_of_the_responses_judged_by_claims(answers, model):
    """Of Ada's list one of two facts is covered; the list of the numbers is not looked at."""
    for name, facts in (("Ada", ["Ada wrote a program.", "Whales sing songs."]), ("Numbers", ["Two is even."])):
        prompt = answers.responses.get(index=f"m/{name}").prompt
        prompt.reference_facts = facts
        prompt.save()

    [subject] = entry_of(answers, work(answers))["reference"]["subjects"]
    assert (subject["n"], subject["recall"]) == (1, 0.5)


def test_elsewhere_the_same_figures_follow_from_a_bundle(answers, model, tmp_path):
    run = work(answers)
    entry = entry_of(answers, run, k=2)
    export_results(answers, tmp_path / "r.zip")
    with scratch_database():
        here = make_answers()
        assert import_results(here, tmp_path / "r.zip").differences == []
        there = Run.objects.get()
        assert claims_of(there) == KEPT
        again = entry_of(here, there, k=2)
        assert (again["extraction"], again["at_k"]) == (entry["extraction"], entry["at_k"])


def test_the_pages_say_how_many_responses_are_left_out(answers, model, client):
    run = work(answers)
    client.force_login(make_person("rhea", answers, "researcher"))

    def read(name, key, **query):
        return squeezed(client.get(reverse(name, args=[key]), query).content.decode())

    text = read("run", run.pk)
    assert "2 claims extracted by the method, aligned to 5 units with gold." in text
    assert "Left out: 1 response judged without claims of its own." in text
    assert text.count("Claims of the method") == 1
    # The answer is a link away, for claims as for segments.
    assert "Answer: 2" not in text
    board = read("leaderboard", answers.pk, column="unit_coverage")
    assert 'title="2 of 5; left out: 1 response judged without claims"' in board
    of_math = read("leaderboard", answers.pk, column="unit_coverage", slice="math")
    assert NOT_EXTRACTED in of_math
    assert "2 responses, 1 judged without claims left out" in read("leaderboard", answers.pk, level="recall", k="2")


def test_claims_go_with_the_run(answers, model):
    run = work(answers)

    assert ("extracted claims", 2) in goes_with(run)
    delete_run(run)
    assert not ExtractedClaim.objects.exists()
