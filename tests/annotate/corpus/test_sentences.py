import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from annotate.corpus.sentences import sentence_spans, sentences


def test_sentences_are_cut_at_their_ends():
    assert sentences("It rains. Take a coat! Will you?") == ["It rains.", "Take a coat!", "Will you?"]


def test_white_space_around_a_sentence_is_left_out_of_its_offsets():
    text = "  One here.\n\nTwo there.  "
    assert [text[start:end] for start, end in sentence_spans(text)] == ["One here.", "Two there."]


def test_a_blank_text_has_no_sentence():
    assert sentences(" \n ") == []


@pytest.mark.parametrize(
    "cut",
    [
        ["Dr. Woolf saw Mrs. Dalloway at 5 p.m. on Monday.", "They talked."],
        ["It grew, i.e. It doubled.", "Then it shrank."],
        ["E. B. White wrote it.", "Ada read it."],
        ["Ada Lovelace (b. 1815) wrote it.", "Bo read it."],
        ["Am 3. Oktober kam er.", "Dann ging er."],
        ["She was born.[1]", "She wrote. [2]", "She died.[3, 4]"],
        ["**She was born.**", "*She wrote.*", "She died."],
        ["“She was born.”", "(She wrote.)", 'She said "I go."', "She went."],
        ['She sang "Hello!", and left.', "He stayed."],
        ["She paid $5.", "He paid $6."],
        ["See https://a.example/b.c?d=e.", "Then go."],
        ["See [A. B.](https://a.example).", "Then go."],
        ["It is round.", "![A circle](https://a.example/circle.png)"],
        ["Take `a. B`.", "Then $x. Y$ holds.", r"So \(x. Y\) does."],
        ["It prints print('It rains. Go.') here.", "Then it ends."],
    ],
)
def test_what_ends_no_sentence(cut):
    assert sentences(" ".join(cut)) == cut


@pytest.mark.parametrize(
    ("text", "cut"),
    [
        ("# Life. And work\nAda wrote. She died.", ["# Life. And work", "Ada wrote.", "She died."]),
        (
            "Key facts:\n- Born in 1815\n- Died in 1852\n\nShe is famous.",
            ["Key facts:", "- Born in 1815", "- Died in 1852", "She is famous."],
        ),
        ("Facts:\n* One. And two\n* Three", ["Facts:", "* One.", "And two", "* Three"]),
        ("• One\n• Two", ["• One", "• Two"]),
        ("Name: Ada\nBorn: 1815\nShe is famous.", ["Name: Ada", "Born: 1815", "She is famous."]),
        ("**Early life**\nAda was born.", ["**Early life**", "Ada was born."]),
        (
            "| Name. A | Year |\n|---|---|\n| Ada. B | 1815 |\n| Bo | 1816 |",
            ["| Name. A | Year |\n|---|---|", "| Ada. B | 1815 |", "| Bo | 1816 |"],
        ),
        ("So:\n```\nprint('a. B')\n\nx = 1.\n```\nYes.", ["So:", "```\nprint('a. B')\n\nx = 1.\n```", "Yes."]),
        ("So\n\\[\nx = 1. \n- 3\n\\]\nholds.", ["So", "\\[\nx = 1. \n- 3\n\\]", "holds."]),
        ("So\n$$x = 1. Y$$,\nwhich holds.", ["So", "$$x = 1. Y$$,", "which holds."]),
        ("> Ada wrote.\n> Bo read.", ["> Ada wrote.", "> Bo read."]),
        ("Ada wrote.\n\n---\n\nBo read.", ["Ada wrote.\n\n---", "Bo read."]),
        ("Ada wrote:\n```python\n```\nBo read.\n\n```py", ["Ada wrote:\n```python\n```", "Bo read.\n\n```py"]),
        ("Ada wrote.\n\n|---|---|\n\n```\n\nBo read.", ["Ada wrote.\n\n|---|---|", "```\n\nBo read."]),
        ("Ada\n\nBo", ["Ada", "Bo"]),
        ("Ada wrote:\n\\[ x\nBo read.", ["Ada wrote:\n\\[ x\nBo read."]),
    ],
)
def test_blocks_of_markdown_stay_what_they_are(text, cut):
    assert sentences(text) == cut


PIECES = st.sampled_from(
    [
        *("\n", "\n\n", "\r\n", "\r", "\x0b", "\u2028", "\t", " ", "    ", ". ", "? ", "# ", "- ", "1. ", "> ", "```"),
        *("\\[", "\\]", "\\(", "`", "| a | b |\n|--|--|\n", "[1]", "**", "”", '"', ")", "。", "؟", "।", "😀", "e.g."),
        *(
            "$$",
            "$",
            "---",
            "Ada",
            "born",
            "Ада",
            "阿达",
            "ครับ",
            "إنها",
            "K: v",
            "[a]: b",
            "<div>",
            "\\begin{a}",
            "\x00",
        ),
    ]
)


@settings(max_examples=300, deadline=None)
@given(st.lists(PIECES, max_size=25).map("".join), st.sampled_from(["", "en", "zh", "th", "de", "ar"]))
def test_segments_stand_in_order_and_hold_all_but_white_space(text, language):
    place = 0
    for start, end in sentence_spans(text, language):
        assert place <= start < end
        assert text[place:start].strip() == ""
        assert text[start:end] == text[start:end].strip()
        place = end
    assert text[place:].strip() == ""
