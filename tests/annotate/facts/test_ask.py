import pytest

from annotate.facts.ask import read_facts
from annotate.prompts.asking import UnreadableError


def test_only_what_begins_a_line_begins_a_fact():
    answer = "Here they are:\n- The drought lasted 1976 - 1977.\n  - It was dry.\n\nThat is all - I think."

    assert read_facts(answer) == ("The drought lasted 1976 - 1977.", "It was dry.")


@pytest.mark.parametrize("answer", ["none", "None.\n"])
def test_a_sentence_may_state_nothing(answer):
    assert read_facts(answer) == ()


@pytest.mark.parametrize("answer", ["", "It was dry.", "- \n-"])
def test_an_answer_without_a_fact_cannot_be_read(answer):
    with pytest.raises(UnreadableError):
        read_facts(answer)
