"""One list, in all the ways in which models write it."""

import pytest
from hypothesis import given
from hypothesis import strategies as some

from annotate.prompts.json_answers import read_json
from annotate.prompts.list_answers import read_list

BORN, DIED = "Ada was born in 1815.", "Ada died in London."
BOTH = (BORN, DIED)
MARKS = ("- ", "* ", "+ ", "• ", "•", "– ", "— ", "▪ ", "- [ ] ", "-", "~ ", "→ ", "➤", "✓ ", "✅ ", "\\- ", "&bull; ")
NUMBERS = (
    "{}. ",
    "{}) ",
    "({}) ",
    "[{}] ",
    "{}: ",
    "Fact {}: ",
    "Atomic fact {}. ",
    "Claim {}. ",
    "**{}.** ",
    "- {}. ",
    "{}.",
    "{}/ ",
    "{} - ",
)
FORMS = [mark + "{}" for mark in MARKS] + ["- **{}**", '- "{}"', "> - {}", "  - {}"]


def marked(form, texts):
    return "\n".join(form.format(text) for text in texts)


def numbered(form, texts):
    return "\n".join(form.format(number) + text for number, text in enumerate(texts, start=1))


OTHERS = [
    f"a. {BORN}\nb. {DIED}",
    f"i. {BORN}\nii. {DIED}",
    f"I) {BORN}\nII) {DIED}",
    f"①{BORN}\n②{DIED}",
    f"| # | Fact |\n|---|:--|\n| 1 | {BORN} |\n| 2 | {DIED} |",
    f"<ul>\n<li>{BORN}</li>\n<li>{DIED}</li>\n</ul>",
    f"<fact>{BORN}</fact><fact>{DIED}</fact>",
    f'"{BORN}",\n"{DIED}"',
]
LISTS = [marked(form, BOTH) for form in FORMS] + [numbered(form, BOTH) for form in NUMBERS] + OTHERS
JSON_LISTS = [
    '["Ada was born in 1815.", "Ada died in London."]',
    "['Ada was born in 1815.', 'Ada died in London.']",
    '```json\n[\n  "Ada was born in 1815.",\n  "Ada died in London."\n]\n```',
    '[{"fact": "Ada was born in 1815."}, {"fact": "Ada died in London."}]',
    '[{"id": 1, "claim": "Ada was born in 1815.", "source": "a"}, {"text": "Ada died in London."}]',
    '{"sentence": "s", "facts": ["Ada was born in 1815.", "Ada died in London."]}',
    '{"facts": ["- Ada was born in 1815.", "- Ada died in London."]}',
    '{"1": "Ada was born in 1815.", "2": "Ada died in London."}',
    '{"fact": "Ada was born in 1815."}\n{"fact": "Ada died in London."}',
]


@pytest.mark.parametrize("answer", LISTS + JSON_LISTS)
def test_the_mark_of_a_list_is_no_part_of_its_items(answer):
    assert read_list(answer) == BOTH
    assert read_list(f"Sure, here are the facts:\n\n{answer}\n\nThese are all facts.") == BOTH


@pytest.mark.parametrize(
    "question", ["Sentence: Bo sang.", "**Input:** Bo", "Please breakdown the following: Bo sang."]
)
@pytest.mark.parametrize("answer", LISTS + JSON_LISTS)
def test_what_the_model_asks_itself_belongs_to_nobody(answer, question):
    assert read_list(f"{answer}\n\n{question}\n- Bo sang.") == BOTH


def test_a_sentence_that_is_repeated_before_the_list_ends_none():
    assert read_list(f"Sentence: Ada was born and died.\n- {BORN}\n- {DIED}") == BOTH


@pytest.mark.parametrize(
    "answer",
    [
        "none",
        "None.",
        "**None**",
        "- None",
        "1. N/A",
        "[]",
        '{"facts": []}',
        '["None"]',
        "Here are the facts:\n- None",
        "No facts.",
        "There are no verifiable claims in this sentence.",
        "null",
        "{}",
        "Nothing to extract.",
        "There is nothing factual here.",
        "This sentence does not contain any facts.",
        "- This sentence does not state any facts.",
        "None\n\nSentence: Bo sang.\n- Bo sang.",
    ],
)
def test_none_is_no_item(answer):
    assert read_list(answer) == ()


def test_none_among_items_is_passed_over():
    assert read_list(f"- {BORN}\n- None") == (BORN,)


@pytest.mark.parametrize(
    "answer",
    ["", "Ada was born in 1815.", "- \n-", "---", "Facts:", "- Facts:", "There are no other facts.", "[1, 2]", '["cut'],
)
def test_prose_is_no_list(answer):
    assert read_list(answer) is None


@pytest.mark.parametrize(
    "fact",
    [
        "The drought lasted 1976 - 1977.",
        "1815 was a year.",
        "12 monkeys came at 10:30.",
        "12. Mai 1815 is a date.",
        '"Yesterday" is a song.',
        "He sold 5 * 3 = 15 [1].",
        "No facts were presented at the trial.",
    ],
)
def test_a_fact_keeps_its_own_signs(fact):
    assert read_list(f"- Ada sang.\n- {fact}") == ("Ada sang.", fact)


def test_an_item_goes_on_in_lines_further_to_the_right():
    assert read_list("1. Ada was born\n   in 1815.\nThat is all.\n   Or is it?") == (BORN,)


def test_a_line_that_announces_others_is_no_item():
    assert read_list(f"1. Life:\n   - {BORN}\n2. Death:\n   - {DIED}") == BOTH


def test_json_after_a_list_is_no_list():
    assert read_list(f'- {BORN}\n- {DIED}\n\nNotes: {{"facts": ["Bo sang."]}}') == BOTH


def test_the_part_that_is_named_is_the_item():
    assert read_list('[{"claim": "Ada sang.", "query": "Ada songs"}]', "query") == ("Ada songs",)


def test_half_a_character_in_json_can_be_stored():
    assert read_list('["\\ud800 Ada"]') == ("\ufffd Ada",)


def test_what_is_no_json_is_none():
    assert [read_json(text) for text in ("", "no", "[" * 5_000, "{1: ", "[f(1)]")] == [None] * 5


WORDS = some.lists(some.sampled_from(["Ada", "sang", "1815", "in", "3"]), min_size=2, max_size=6).map(" ".join)


@given(some.lists(WORDS.map(lambda words: f"It says {words}"), min_size=1, max_size=9), some.sampled_from(FORMS))
def test_whatever_the_mark_the_items_are_the_same(items, form):
    assert read_list(marked(form, items)) == tuple(items)
