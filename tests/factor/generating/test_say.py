"""What is said to the model for each type of error."""

import pytest

from annotate.models.prompt_set import PROJECT_SET
from annotate.prompt_sets.templates import read_template
from factor.generating.read import read
from factor.generating.say import messages, template_name
from factor.generating.sift import sift
from factor.models import FactorErrorType
from llm.interfaces import next_turns


def template_for(error_type):
    return read_template(PROJECT_SET, template_name(error_type))


@pytest.mark.parametrize("error_type", FactorErrorType.values)
def test_the_last_turn_asks_about_the_sentence_in_its_context(error_type: str) -> None:
    said = messages(template_for(error_type), "She was poor.\nThen", "She took up work for $5 a day.", 4)[-1]["content"]
    assert "Sentence: She took up work for $5 a day." in said
    assert said.endswith("Write 4 variants.")
    assert ("Context: She was poor. Then" in said) is (error_type != FactorErrorType.LINK)


@pytest.mark.parametrize("error_type", FactorErrorType.values)
def test_every_demonstration_is_read_whole(error_type: str) -> None:
    """As many as were asked for, all fit to be candidates: the wording and the reading agree."""
    turns = [text for _, text in template_for(error_type).turns[1:-1]]
    for asked, answer in zip(turns[::2], turns[1::2], strict=True):
        sentence = asked.split("Sentence: ")[1].split("\n")[0]
        sifted = sift(sentence, {error_type: (answer, read(answer))})
        if answer != "NA":
            assert f"Write {len(sifted)} variant" in asked
            assert [each.unfit for each in sifted] == [None] * len(sifted)
            assert all(each.edits.startswith(("Change:", "Pronoun:")) for each in sifted)


@pytest.mark.parametrize("error_type", FactorErrorType.values)
def test_a_base_model_stops_before_another_demonstration(error_type: str) -> None:
    opening = "Sentence:" if error_type == FactorErrorType.LINK else "Context:"
    assert next_turns(messages(template_for(error_type), "", "She left.", 3)) == [f"\n{opening}"]
