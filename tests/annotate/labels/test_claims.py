"""Claims against a source at the workbench: four values, passages below the claim, and no other scheme has either."""

import pytest
from django.urls import reverse

from annotate.evidence.find import find
from annotate.judgements.judgement import JudgementError, UnitJudgement, check_judgement
from annotate.labels.choices import choices_of
from annotate.labels.keys import commands_of
from annotate.labels.submit import submit
from annotate.models import Assignment, Dataset, Label, Proposal
from annotate.segments.rewrite import rewrite
from annotate.segments.untouched import FixedError, untouched
from annotate.tasks.create import create_tasks
from tests.annotate.labels.work import client_of, factscore_work, felm_work, open_for, page_of, save
from tests.factories import add_passages, make_dataset, make_person, make_response
from tests.pages import squeezed

pytestmark = pytest.mark.django_db

NOT_ENOUGH = UnitJudgement("not_enough_evidence")


@pytest.fixture
def work() -> Assignment:
    """Ada's, on a claim that stands alone and one more of the same response, the first with two passages."""
    dataset = make_dataset("sea", "claims")
    first, _ = make_response(dataset, ("The sea is salty.", "It is big."), prompt="").segments.all()
    add_passages(first, "The sea holds salt & more.", "Rivers carry salt.")
    return open_for(make_person("ada", dataset), dataset)


def test_a_claim_has_a_fourth_value():
    assert [choice.value for choice in choices_of("claims")] == [
        "supported",
        "not_supported",
        "irrelevant",
        "not_enough_evidence",
    ]
    for scheme in ("felm", "factscore"):
        assert "not_enough_evidence" not in {choice.value for choice in choices_of(scheme)}
        assert "not_enough_evidence" not in dict(Dataset(scheme=scheme).values)
        assert "not_enough_evidence" not in {command.name for command in commands_of({}, scheme)}
    assert {"not_enough_evidence", "keep"} <= {command.name for command in commands_of({}, "claims")}


@pytest.mark.parametrize("scheme", ["felm", "factscore"])
def test_other_schemes_refuse_it_by_name(scheme):
    with pytest.raises(JudgementError) as error:
        check_judgement(NOT_ENOUGH, Dataset(name="lab", scheme=scheme), whole_sentence=False)
    assert str(error.value) == "not_enough_evidence is a value of claims against a source, and lab has none"


def test_a_claim_has_neither_types_nor_kinds():
    dataset = Dataset(name="sea", scheme="claims")
    with pytest.raises(JudgementError, match="claims have no error types"):
        check_judgement(UnitJudgement("not_supported", "knowledge"), dataset, whole_sentence=True)
    irrelevant = check_judgement(UnitJudgement("irrelevant", irrelevance="unrelated"), dataset, whole_sentence=True)
    assert irrelevant == UnitJudgement("irrelevant")


def test_what_is_saved_is_submitted(work):
    save(work, u0=NOT_ENOUGH, u1=UnitJudgement("supported"))
    submit(Assignment.objects.get())
    assert list(Label.objects.order_by("segment__position").values_list("value", flat=True)) == [
        "not_enough_evidence",
        "supported",
    ]


@pytest.mark.parametrize("query", ["", "?plain"])
def test_the_page_shows_the_passages_of_each_claim(work, query):
    html = squeezed(client_of(work.annotator).get(page_of(work) + query).content.decode())
    assert html.count('aria-label="Passages of the claim"') == 1
    assert "The sea holds salt &amp; more." in html
    assert "2 of 2" in html
    assert "Not enough evidence" in html
    assert "Corrected sentence" not in html
    assert "Keep or remove this response" in html
    # Nobody was asked.
    assert '<span class="quiet">Prompt' not in html


@pytest.mark.parametrize("make", [felm_work, factscore_work])
def test_pages_of_other_schemes_do_not_name_the_value(make):
    work = make()
    html = client_of(work.annotator).get(page_of(work)).content.decode()
    assert "ot enough evidence" not in html


def test_the_search_beside_it_reads_the_passages(work):
    response = work.task.responses.get()
    found = find(work.task.dataset, [response], "rivers")
    assert ["".join(piece.text for piece in each.pieces) for each in found] == ["Rivers carry salt."]


def test_a_submitted_page_still_shows_the_passages(work):
    save(work, u0=NOT_ENOUGH, u1=UnitJudgement("supported"))
    submit(Assignment.objects.get())
    html = squeezed(client_of(work.annotator).get(page_of(work)).content.decode())
    assert "? Not enough evidence" in html
    assert "Rivers carry salt." in html


def test_a_claim_that_nobody_asked_for_is_listed_by_its_text(work):
    html = client_of(work.annotator).get(reverse("work", args=[work.task.dataset_id])).content.decode()
    assert "The sea is salty." in html


def test_claims_of_a_prompt_are_tasks_of_their_own():
    dataset = make_dataset("sea", "claims")
    first = make_response(dataset, ["Salt is white."])
    make_response(dataset, ["Salt is black."], prompt=first.prompt)
    assert create_tasks(dataset) == 2


def test_claims_are_neither_cut_nor_broken_up():
    dataset = make_dataset("sea", "claims")
    response = make_response(dataset, ["Salt is white."])
    with pytest.raises(FixedError, match="The segments stay as they are: claims are as their file gives them"):
        rewrite(response, [(0, 4), (5, 14)], "human")
    for kind in Proposal.Kind.values:
        assert not untouched(dataset.responses.all(), kind).exists()


def test_the_navigation_leaves_out_what_claims_have_none_of(work):
    dora = make_person("dora", work.task.dataset, "adjudicator")
    html = client_of(dora).get(reverse("statistics", args=[work.task.dataset_id])).content.decode()
    for name in ("prompts", "segments", "facts"):
        assert f'href="{reverse(name, args=[work.task.dataset_id])}"' not in html
