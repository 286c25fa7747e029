"""Which sentence of a document becomes its true completion, and why a document gives none."""

import pytest

from factor.selecting.sentence import DocumentSkip, Selected, select

FIRST = "Ermgard Lowe was born in the small town of Ulm in 1879 to a family of weavers."
SECOND = "In 1902 she took up work as a clerk in the office of patents, where she stayed."
THIRD = "Her daughter became the first woman who taught mathematics at the school of the town."


def drawn(text: str, title: str = "Ermgard Lowe") -> set[str]:
    """All sentences that some seed draws."""
    found = (select(text, title, str(seed)) for seed in range(40))
    return {each.sentence for each in found if isinstance(each, Selected)}


def test_every_sentence_but_the_first_can_be_drawn() -> None:
    assert drawn(f"{FIRST} {SECOND} {THIRD}") == {SECOND, THIRD}


def test_the_same_seed_draws_the_same_sentence() -> None:
    text = f"{FIRST} {SECOND} {THIRD}"
    assert select(text, "", "7/lowe") == select(text, "", "7/lowe")


def test_prefix_and_sentence_are_the_text_as_it_stands_there() -> None:
    text = f"{FIRST}\n{SECOND}\n"
    found = select(text, "", "7")
    assert isinstance(found, Selected)
    assert text[: found.start] == f"{FIRST}\n"
    assert text[found.start : found.end] == found.sentence == SECOND


@pytest.mark.parametrize(
    "headline",
    [
        "Early life of the first mathematician who ever taught at the school of Ulm",
        "A WOMAN WHO TAUGHT MATHEMATICS TO ALL THE CHILDREN OF THE TOWN OF ULM.",
        "and so it went on for many years until she left the office of patents.",
    ],
)
def test_a_headline_is_not_drawn(headline: str) -> None:
    assert drawn(f"{FIRST}\n{headline}\n{SECOND}") == {SECOND}


def test_the_title_repeated_is_a_headline() -> None:
    title = "Who was the first woman that taught mathematics at the school of Ulm?"
    assert drawn(f"{FIRST}\n{title}\n{SECOND}", title) == {SECOND}


def test_after_a_headline_the_first_sentence_has_a_prefix() -> None:
    assert drawn(f"Ermgard Lowe\n{FIRST}") == {FIRST}


def test_a_headline_and_the_sentence_below_it_are_apart() -> None:
    assert drawn(f"{FIRST}\nWork\n{SECOND}") == {SECOND}


def test_a_text_broken_into_lines_keeps_its_sentences() -> None:
    wrapped = (
        "Ermgard Lowe was born in the small town\nof Ulm in 1879 to a family of weavers. In 1902\nshe took up work as "
        "a clerk in the office of\npatents, where she stayed.\n\nIt was a quiet life\n\nHer daughter became the first "
        "woman who\ntaught mathematics at the school of the town."
    )
    assert drawn(wrapped) == {SECOND, THIRD}


def test_ten_words_are_enough_and_nine_are_not() -> None:
    nine = "She had nine brothers and no sister at all."
    ten = "She had nine brothers, and she had no sister there."
    assert drawn(f"{FIRST} {nine} {ten}") == {ten}


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", DocumentSkip.EMPTY),
        (" \n\t\n", DocumentSkip.EMPTY),
        ("Ulm\nThe weavers of Ulm", DocumentSkip.ONLY_HEADLINES),
        (FIRST, DocumentSkip.ONLY_FIRST),
        (f"{FIRST} She stayed.", DocumentSkip.ONLY_FIRST),
        ("She stayed. He left.", DocumentSkip.TOO_SHORT),
        (f"She stayed. And so {'on and ' * 60}on.", DocumentSkip.ENDLESS),
    ],
)
def test_a_document_without_a_sentence_says_why(text: str, reason: DocumentSkip) -> None:
    assert select(text, "", "7") == reason
