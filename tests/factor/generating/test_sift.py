"""Which contradictions can be candidates."""

import pytest

from factor.generating.read import WrittenContradiction, read
from factor.generating.sift import Unfit, sift

SENTENCE = "In 1902 she took up work as a clerk in the office of patents, where she stayed."
OTHER = "In 1912 she took up work as a clerk in the office of patents, where she stayed."


def unfit(*texts: str, sentence: str = SENTENCE) -> list[Unfit | None]:
    return [each.unfit for each in sift(sentence, {"entity": ("", [WrittenContradiction("", text) for text in texts])})]


def test_a_changed_sentence_is_a_candidate() -> None:
    assert unfit(OTHER) == [None]


def test_a_full_stop_that_was_left_out_is_put_back() -> None:
    (found,) = sift(SENTENCE, {"entity": ("", [WrittenContradiction("", OTHER.rstrip("."))])})
    assert (found.text, found.unfit) == (OTHER, None)


@pytest.mark.parametrize("text", [SENTENCE, f"  {SENTENCE.upper()} ", SENTENCE.replace(" ", "  ").rstrip(".")])
def test_the_original_in_whatever_case_and_spacing_is_none(text: str) -> None:
    assert unfit(text) == [Unfit.UNCHANGED]


def test_of_those_that_say_the_same_the_first_counts_across_types() -> None:
    answers = {
        name: ("", [WrittenContradiction("", text)]) for name, text in (("entity", OTHER), ("link", OTHER.upper()))
    }
    assert [(each.error_type, each.unfit) for each in sift(SENTENCE, answers)] == [
        ("entity", None),
        ("link", Unfit.REPEATED),
    ]


def test_several_sentences_are_none() -> None:
    assert unfit("In 1912 she took up work as a clerk. She stayed there.") == [Unfit.SEVERAL_SENTENCES]


def test_far_longer_and_far_shorter_ones_are_none() -> None:
    assert unfit(f"{SENTENCE[:-1]} {'and on ' * 20}.", "She left.") == [Unfit.LENGTH, Unfit.LENGTH]


def test_another_sentence_is_none() -> None:
    assert unfit("He moved to the coast in spring, and sold three of his boats to a friend.") == [Unfit.UNLIKE]


def test_one_without_a_word_is_none() -> None:
    assert unfit("…") == [Unfit.UNREADABLE]


def test_an_unfinished_one_is_none_and_does_not_count_as_there() -> None:
    answer = f"1. Contradiction: {OTHER}"
    answers = {"entity": (answer, read(answer, cut_off=True)), "link": (answer, read(answer))}
    assert [each.unfit for each in sift(SENTENCE, answers)] == [Unfit.CUT_OFF, None]


def test_na_is_kept_as_not_applicable() -> None:
    (found,) = sift(SENTENCE, {"link": ("NA", read("NA"))})
    assert (found.text, found.unfit) == ("NA", Unfit.NOT_APPLICABLE)


def test_an_answer_in_which_nothing_is_found_is_kept_itself() -> None:
    (found,) = sift(SENTENCE, {"link": ("I would rather not.", [])})
    assert (found.position, found.text, found.unfit) == (0, "I would rather not.", Unfit.UNREADABLE)
