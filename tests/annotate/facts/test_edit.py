"""What people make of a model's facts, and where each fact came from."""

import pytest

from annotate.facts.edit import SheetError, StaleFactsError, save
from annotate.facts.judged import judged_addresses, judged_facts
from annotate.facts.sheet import FactDraft, read_sheet
from annotate.models import AtomicFact, FactSet
from annotate.proposals.fact_listing import count_states, read_boundaries, read_sets
from annotate.segments.untouched import FixedError
from tests.annotate.adjudication.work import judge, make_task
from tests.factories import add_facts, make_dataset, make_person, make_response

pytestmark = pytest.mark.django_db


@pytest.fixture
def response():
    return make_response(
        make_dataset(scheme="factscore"), ["Maria painted and sang.", "She died in Turku."], subject="amber"
    )


@pytest.fixture
def proposed(response):
    """Three facts of the first sentence and one of the second, by a model."""
    return add_facts(
        response, [["Maria painted and sang.", "Maria sang.", "Maria sang songs."], ["She died."]], "model"
    )


@pytest.fixture
def dora():
    return make_person("dora")


def written(response):
    """Text and sources of each human fact, by sentence."""
    facts = AtomicFact.objects.filter(fact_set__response=response, fact_set__origin="human")
    return [
        (fact.segment.position, fact.position, fact.text, sorted(fact.derived_from.values_list("text", flat=True)))
        for fact in facts.order_by("segment__position", "position")
    ]


def test_splits_and_merges_keep_what_a_fact_was_made_of(response, proposed, dora):
    first = response.segments.first()
    both, sang, songs, _ = proposed

    save(
        response,
        dora,
        0,
        {
            first.pk: [
                FactDraft("Maria painted.", (both.pk,)),
                FactDraft("Maria sang.", (both.pk,)),
                FactDraft("Maria sang songs.", (sang.pk, songs.pk)),
                FactDraft("Maria lived."),
            ]
        },
    )

    assert written(response) == [
        (0, 0, "Maria painted.", ["Maria painted and sang."]),
        (0, 1, "Maria sang.", ["Maria painted and sang."]),
        (0, 2, "Maria sang songs.", ["Maria sang songs.", "Maria sang."]),
        (0, 3, "Maria lived.", []),
        (1, 0, "She died.", ["She died."]),
    ]
    assert [fact.text for fact in both.became.order_by("position")] == ["Maria painted.", "Maria sang."]
    people = FactSet.objects.get(origin="human")
    assert (people.author, people.draft, people.version) == (dora, True, 1)


def test_only_the_sentences_that_changed_are_written_anew(response, proposed, dora):
    first, second = response.segments.all()
    save(response, dora, 0, {first.pk: [FactDraft("Maria painted.", (proposed[0].pk,))]})
    unchanged = AtomicFact.objects.get(fact_set__origin="human", segment=first)

    save(response, dora, 1, {second.pk: []})

    assert written(response) == [(0, 0, "Maria painted.", ["Maria painted and sang."])]
    assert AtomicFact.objects.filter(pk=unchanged.pk).exists()


def test_facts_can_be_written_without_a_model(response, dora):
    first = response.segments.first()

    save(response, dora, 0, {first.pk: [FactDraft("Maria painted.")]}, finish=True)

    assert written(response) == [(0, 0, "Maria painted.", [])]


def test_a_draft_is_not_judged_and_a_finished_set_is(response, proposed, dora):
    first, second = response.segments.all()
    save(response, dora, 0, {first.pk: [FactDraft("Maria painted.")]})

    assert [fact.text for fact in judged_facts([response.pk])[second.pk]] == ["She died."]
    assert judged_facts([response.pk])[first.pk] == proposed[:3]
    assert judged_addresses(response.dataset)[first.pk] == [(fact.pk, fact.position) for fact in proposed[:3]]

    save(response, dora, 1, {}, finish=True)

    assert [fact.text for fact in judged_facts([response.pk])[first.pk]] == ["Maria painted."]


def test_a_sentence_that_people_left_without_a_fact_has_nothing_to_judge(response, proposed, dora):
    first, second = response.segments.all()

    save(response, dora, 0, {second.pk: []}, finish=True)
    assert list(judged_facts([response.pk])) == [first.pk]

    save(response, dora, 1, {first.pk: [FactDraft("Maria painted.")]})
    assert list(judged_facts([response.pk])) == [first.pk, second.pk]  # a draft again: the model's are judged


def test_a_stale_save_is_refused_with_what_stands(response, proposed, dora):
    first = response.segments.first()
    save(response, make_person("rhea"), 0, {first.pk: [FactDraft("Rhea's.")]})

    with pytest.raises(StaleFactsError) as refused:
        save(response, dora, 0, {first.pk: [FactDraft("Dora's.")]})

    assert refused.value.sheet.sentences[0].pieces == (FactDraft("Rhea's."),)
    assert written(response)[0][2] == "Rhea's."


@pytest.mark.parametrize("finish", [False, True])
def test_a_save_whose_answer_was_lost_is_stored_already(response, proposed, dora, finish):
    changes = {response.segments.first().pk: [FactDraft("Maria sang.", (proposed[2].pk, proposed[1].pk))]}
    save(response, dora, 0, changes, finish=finish)

    sheet = save(response, dora, 0, changes, finish=finish)

    assert (sheet.version, sheet.finished) == (1, finish)
    assert FactSet.objects.get(origin="human").version == 1


@pytest.mark.parametrize("difference", ["text", "sources", "finish", "author"])
def test_what_is_not_the_save_that_was_stored_is_stale(response, proposed, dora, difference):
    first = response.segments.first().pk
    save(response, dora, 0, {first: [FactDraft("Maria sang.", (proposed[1].pk,))]})
    text = "Maria drew." if difference == "text" else "Maria sang."
    sources = () if difference == "sources" else (proposed[1].pk,)
    author = make_person("rhea") if difference == "author" else dora

    with pytest.raises(StaleFactsError):
        save(response, author, 0, {first: [FactDraft(text, sources)]}, finish=difference == "finish")

    assert FactSet.objects.get(origin="human").version == 1


def test_an_empty_fact_may_stand_in_a_draft_only(response, proposed, dora):
    first = response.segments.first()
    save(response, dora, 0, {first.pk: [FactDraft("")]})

    with pytest.raises(SheetError, match="Sentence 1 has an empty fact"):
        save(response, dora, 1, {}, finish=True)

    assert read_sheet(response).version == 1


def test_facts_of_a_labelled_response_stay(response, proposed, dora):
    judge(make_task(response), "ada", {proposed[0]: "supported"})

    with pytest.raises(FixedError, match="somebody has begun to label"):
        save(response, dora, 0, {})

    assert not FactSet.objects.filter(origin="human").exists()


@pytest.mark.parametrize("fault", ["sentence", "source"])
def test_what_belongs_to_another_response_is_refused(response, proposed, dora, fault):
    other = make_response(response.dataset, ["Otto sang."], prompt="Otto", subject="amber")
    (foreign,) = add_facts(other, [["Otto sang."]], "model")
    changes = {
        "sentence": {other.segments.get().pk: []},
        "source": {response.segments.first().pk: [FactDraft("Maria.", (foreign.pk,))]},
    }

    with pytest.raises(SheetError):
        save(response, dora, 0, changes[fault])

    assert not FactSet.objects.filter(origin="human").exists()


def test_irrelevant_sentences_are_not_edited(response, proposed, dora):
    response.segments.filter(position=1).update(relevant=False)

    save(response, dora, 0, {}, finish=True)

    assert {position for position, *_ in written(response)} == {0}


def test_the_shares_of_splits_and_merges_are_counted_by_sentence(response, proposed, dora):
    """Three model facts became two in the first sentence (merged); one stayed one in the second."""
    first = response.segments.first()
    dataset = response.dataset
    assert read_boundaries(dataset).split is None

    save(response, dora, 0, {first.pk: [FactDraft("Maria painted."), FactDraft("Maria sang.")]})
    assert read_boundaries(dataset).sentences == 0  # a draft counts nothing
    save(response, dora, 1, {}, finish=True)

    shares = read_boundaries(dataset)
    assert (shares.sentences, shares.split, shares.merged) == (2, 0.0, 0.5)


def test_facts_that_no_model_proposed_are_neither_split_nor_merged(response, proposed, dora):
    save(response, dora, 0, {}, finish=True)
    by_hand = make_response(response.dataset, ["Otto sang.", "He died."], prompt="Otto", subject="amber")

    save(by_hand, dora, 0, {segment.pk: [FactDraft("Otto.")] for segment in by_hand.segments.all()}, finish=True)

    shares = read_boundaries(response.dataset)
    assert (shares.sentences, shares.split, shares.merged) == (2, 0.0, 0.0)


def test_responses_are_counted_by_how_far_their_facts_are(response, proposed, dora):
    make_response(response.dataset, ["Otto sang."], prompt="Otto", subject="amber")
    assert count_states(response.dataset, read_sets(response.dataset)) == {
        "none": 1,
        "proposed": 1,
        "editing": 0,
        "finished": 0,
    }

    save(response, dora, 0, {})
    assert count_states(response.dataset, read_sets(response.dataset))["editing"] == 1

    save(response, dora, 1, {}, finish=True)
    assert count_states(response.dataset, read_sets(response.dataset)) == {
        "none": 1,
        "proposed": 0,
        "editing": 0,
        "finished": 1,
    }
