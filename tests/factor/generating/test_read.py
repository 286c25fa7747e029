"""What can be read in a model's answer."""

import pytest

from factor.generating.read import WrittenContradiction, read

PLANNED = 'Change: "1902" to "1912".'
SAID = "In 1912 she took up work as a clerk."


@pytest.mark.parametrize(
    "answer",
    [
        f"1. {PLANNED}\nContradiction: {SAID}",
        f"1) {PLANNED} Contradiction: {SAID}",
        f"{PLANNED}\nContradiction: {SAID}",
        f'Sure, here it is:\n\n**1.** **{PLANNED}**\n**Contradiction:** "{SAID}"\n\nI hope that helps.',
        f"- 1. {PLANNED}\n  contradiction 1: {SAID}",
        f"1. {PLANNED}\n{SAID}",
    ],
)
def test_a_contradiction_is_read_however_it_is_laid_out(answer: str) -> None:
    assert read(answer) == [WrittenContradiction(PLANNED, SAID)]


def test_several_are_read_in_their_order() -> None:
    answer = "1. Change: a.\nContradiction: One.\n\n2. Change: b.\nContradiction: Two.\n3. Contradiction: Three."
    assert [each.text for each in read(answer)] == ["One.", "Two.", "Three."]


def test_several_are_told_apart_without_numbers() -> None:
    answer = "Change: a.\nContradiction: One.\nChange: b.\nContradiction: Two."
    assert read(answer) == [WrittenContradiction("Change: a.", "One."), WrittenContradiction("Change: b.", "Two.")]


def test_a_contradiction_without_a_plan_is_read() -> None:
    assert read(f"1. {SAID}\n2. Contradiction: Two.") == [
        WrittenContradiction("", SAID),
        WrittenContradiction("", "Two."),
    ]


def test_the_pronoun_and_additional_changes_belong_to_the_plan() -> None:
    answer = 'Pronoun: she. Change: "she" to "he". Additional changes: "her" to "his".\nContradiction: He left.'
    assert read(answer) == [
        WrittenContradiction('Pronoun: she. Change: "she" to "he". Additional changes: "her" to "his".', "He left.")
    ]


def test_the_last_of_an_answer_that_was_cut_off_is_unfinished() -> None:
    found = read("1. Contradiction: One.\n2. Contradiction: Two wou", cut_off=True)
    assert [(each.text, each.cut_off) for each in found] == [("One.", False), ("Two wou", True)]


def test_a_plan_at_whose_end_the_answer_was_cut_off_is_unfinished() -> None:
    assert read('1. Contradiction: One.\n2. Change: "a" t', cut_off=True)[1] == WrittenContradiction(
        'Change: "a" t', "", cut_off=True
    )


@pytest.mark.parametrize("answer", ["NA", "N/A.", ' "na" ', "1. NA"])
def test_na_says_that_there_is_nothing_to_change(answer: str) -> None:
    (found,) = read(answer)
    assert found.nothing


@pytest.mark.parametrize("answer", ["", "I would rather not.", "The sky is blue. So is the sea."])
def test_nonsense_has_no_contradiction(answer: str) -> None:
    assert read(answer) == []
