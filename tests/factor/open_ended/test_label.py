"""Facts and labels: who may say what of which text, changed and taken back."""

import pytest
from django.db import IntegrityError, transaction

from factor.models import OpenEndedLabel
from factor.open_ended.facts import unwritten, write_fact
from factor.open_ended.label import before, label, next_text
from ratings.errors import FullError, RatingError
from tests.factor.open_ended.work import make_study, texts_of, written_study
from tests.factories import make_person

pytestmark = pytest.mark.django_db


def words(person):
    own = OpenEndedLabel.objects.filter(rater=person).order_by("item__pair__position", "item__sample")
    return list(own.values_list("answer", flat=True))


def test_texts_come_pair_by_pair():
    study, ada = written_study(), make_person("ada")

    seen = []
    while (text := next_text(study, ada)) is not None:
        seen.append(text)
        label(text, ada, "neutral")

    assert seen == texts_of(study)


def test_a_text_is_labelled_once_its_pair_has_its_fact():
    study, ada = written_study(facts=False), make_person("ada")
    assert next_text(study, ada) is None

    second = study.pairs.get(position=1)
    write_fact(second, ada, " Maria  painted in Lima. ")

    assert next_text(study, ada).pair == second
    second.refresh_from_db()
    assert second.fact == "Maria painted in Lima."
    assert unwritten(study).count() == 3


def test_what_is_not_written_yet_is_not_labelled():
    assert next_text(make_study(), make_person("ada")) is None


def test_a_pair_that_is_left_out_is_not_labelled():
    study, ada = written_study(facts=False), make_person("ada")
    write_fact(study.pairs.get(position=0), ada, "", "not_factual")

    assert next_text(study, ada) is None
    assert unwritten(study).count() == 3


@pytest.mark.parametrize(
    ("fact", "excluded", "why"),
    [
        ("", "", "Write the fact, or choose a reason"),
        ("A fact.", "not_factual", "Write the fact, or choose a reason"),
        ("", "ill_formatted", "is not contradicted"),
        ("x" * 1001, "", "1,000 characters"),
    ],
)
def test_a_fact_or_a_reason(fact, excluded, why):
    pair = make_study(facts=False).pairs.first()

    with pytest.raises(match=why):
        write_fact(pair, make_person("ada"), fact, excluded)
    pair.refresh_from_db()
    assert pair.written_at is None


def test_a_fact_stays_once_a_text_is_labelled_after_it():
    study, ada = written_study(), make_person("ada")
    text = next_text(study, ada)
    label(text, ada, "true")

    with pytest.raises(match="already labelled"):
        write_fact(text.pair, ada, "Another fact.")


def test_one_label_is_enough_for_one_rater():
    study, ada, ben = written_study(), make_person("ada"), make_person("ben")
    first, second = texts_of(study)[:2]
    label(first, ada, "true")

    assert next_text(study, ben) == second
    with pytest.raises(FullError):
        label(first, ben, "false")


def test_two_raters_label_each_text_and_do_not_wait_for_each_other():
    study, ada, ben, cleo = written_study(raters=2), *map(make_person, ("ada", "ben", "cleo"))
    first, second = texts_of(study)[:2]
    label(first, ada, "true")
    assert next_text(study, ben) == first
    label(first, ben, "false")

    assert next_text(study, cleo) == second
    with pytest.raises(FullError):
        label(first, cleo, "true")


def test_a_label_is_changed_not_doubled():
    study, ada = written_study(), make_person("ada")
    text = next_text(study, ada)
    label(text, ada, "true")

    label(text, ada, "neutral", "On second thoughts.")

    assert list(OpenEndedLabel.objects.values_list("answer", "note")) == [("neutral", "On second thoughts.")]


def test_one_goes_back_label_by_label():
    study, ada = written_study(), make_person("ada")
    first, second, third = texts_of(study)[:3]
    assert before(study, ada, first) is None
    label(first, ada, "true")
    label(second, ada, "false")

    assert before(study, ada, third) == second
    assert before(study, ada, second) == first
    assert before(study, ada, first) is None


def test_a_reason_of_the_pair_holds_for_its_texts_and_is_taken_back_with_it():
    study, ada = written_study(), make_person("ada")
    first, second, third = texts_of(study)[:3]
    label(first, ada, "true")

    label(second, ada, "not_contradictory")
    assert words(ada) == ["not_contradictory"] * 2
    assert next_text(study, ada) == third

    label(second, ada, "false")
    assert words(ada) == ["false"]
    assert next_text(study, ada) == first


def test_a_reason_of_the_text_is_of_that_text_alone():
    study, ada = written_study(), make_person("ada")
    first, second = texts_of(study)[:2]

    label(first, ada, "ill_formatted")

    assert next_text(study, ada) == second


def test_a_reason_of_the_pair_does_not_push_in_where_others_have_labelled():
    study, ada, ben = written_study(), make_person("ada"), make_person("ben")
    first, second = texts_of(study)[:2]
    label(first, ben, "true")

    label(second, ada, "not_factual")

    assert words(ben) == ["true"]
    assert words(ada) == ["not_factual"]


def test_only_the_words_there_are():
    study, ada = written_study(), make_person("ada")

    with pytest.raises(RatingError, match="true, false or neutral"):
        label(next_text(study, ada), ada, "perhaps")
    with pytest.raises(RatingError, match="2,000 characters"):
        label(next_text(study, ada), ada, "true", "x" * 2001)
    assert not OpenEndedLabel.objects.exists()


def test_the_database_keeps_one_label_a_person():
    study, ada = written_study(), make_person("ada")
    text = next_text(study, ada)
    label(text, ada, "true")

    with pytest.raises(IntegrityError), transaction.atomic():
        OpenEndedLabel.objects.create(item=text, rater=ada, answer="false")
