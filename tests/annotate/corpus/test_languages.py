"""Languages of responses, and the sentences of each."""

import json

import pytest

from annotate.corpus.importing import import_file
from annotate.corpus.languages import count_words, language_of
from annotate.corpus.sentences import sentences
from annotate.models import Response, Segment
from bench.sentences import FILES, borders, f1, joined, read_gold
from core.errors import FaultsError


@pytest.mark.parametrize("name", FILES)
def test_the_texts_of_each_language_are_cut_as_by_hand(name):
    """The least figures are those of docs/methods.md, Languages."""
    gold = read_gold(name)
    assert len(gold) == 13
    for language, texts in gold.items():
        whole = [joined(language, text) for text in texts]
        assert [language_of(text) for text in whole] == [language] * len(texts)
        found = [(borders(text, cut), borders(text, sentences(text))) for text, cut in zip(whole, texts, strict=True)]
        assert f1(found) >= (0.8 if language == "th" else 0.87), language


def test_what_says_nothing_of_its_language_is_cut_as_english():
    assert [language_of(text) for text in ("Sure!", "E = mc^2", "", "\x00", "42")] == ["en"] * 5


def test_letters_tell_where_words_do_not():
    assert [language_of(text) for text in ("Ада", "阿", "हाँ")] == ["ru", "zh", "hi"]


def test_each_block_of_a_mixed_text_is_cut_by_its_own_language():
    text = "她很有名。她写了程序。\n\nDr. Byron was her father. She wrote.\n\nОна родилась в 1815 г. в Лондоне. Он жил."
    assert sentences(text) == [
        *("她很有名。", "她写了程序。", "Dr. Byron was her father.", "She wrote."),
        *("Она родилась в 1815 г. в Лондоне.", "Он жил."),
    ]


def test_full_stops_of_another_script_end_sentences_within_a_block():
    assert sentences("She left. 她走了。Then he left.") == ["She left.", "她走了。", "Then he left."]


def test_a_letter_after_a_vowel_sign_is_no_initial():
    cut = ["نهر النيل طويل جدًا.", "ينبع من أوروبا."]
    assert sentences(" ".join(cut)) == cut


@pytest.mark.parametrize(
    ("language", "cut"),
    [
        ("zh", ["他想了想……还是没去。", "天黑了...他没来……\n", "他走了……。", "“等等……”她喊道。", "后来呢？"]),
        ("zh", ["真的……？！", "真的!?", "好!", "（他笑了。）", "“不知道……”", "“为什么？”", "来了。", "2020年走了。"]),
        ("zh", ["他说“好。”，走了。", "他问：“去吗？”", "她写了《你好！》这书。", "“为何？”的问题（难。）大。"]),
        ("ja", ["考えた…でも行かず。", "去った...戻らず。", "「ええ…」と言った。", "え…\n", "「え...」", "「はい。」"]),
        ("ko", ["음... 몰라요. ", "배… 등이 있다. ", "갔다… ", '"네..."라고 했다. ', "예...\n", "정말?!"]),
    ],
)  # fmt: skip
def test_after_an_ellipsis_or_a_quotation_a_sentence_goes_on_as_its_language_does(language, cut):
    assert sentences("".join(cut), language) == [each.strip() for each in cut]


def test_words_are_counted_in_scripts_without_spaces():
    assert count_words("Ada wrote it") == 3
    assert count_words("阿达写程序") == 1 + 2


def _file(tmp_path, *rows):
    path = tmp_path / "own.jsonl"
    path.write_text("".join(json.dumps({"prompt": "q", **row}) + "\n" for row in rows), encoding="utf-8")
    return path


@pytest.mark.django_db
def test_an_import_cuts_each_response_by_its_language(tmp_path):
    path = _file(
        tmp_path,
        {"response": "阿达出生于伦敦。她写了一个程序！她很有名。"},
        {"response": "आदा का जन्म लंदन में हुआ। वे लेखिका थीं।"},
        {"response": "Fa. Ax war hier. Ja.", "language": "de-AT"},
    )
    import_file(path, "own", "responses")
    segments = [[segment.text for segment in each.segments.all()] for each in Response.objects.all()]
    assert segments == [
        ["阿达出生于伦敦。", "她写了一个程序！", "她很有名。"],
        ["आदा का जन्म लंदन में हुआ।", "वे लेखिका थीं।"],
        ["Fa. Ax war hier.", "Ja."],
    ]
    assert all(each.response.text[each.start : each.end] == each.text for each in Segment.objects.all())
    assert [each.extra for each in Response.objects.all()] == [{}, {}, {"language": "de"}]


@pytest.mark.django_db
def test_the_language_of_a_whole_file_can_be_named(tmp_path):
    path = _file(tmp_path, {"response": "Fa. Ax war hier. Ja."}, {"response": "M. X. Ja.", "language": "fr"})
    [first, _] = import_file(path, "own", "responses", dry_run=True, sentences="de").preview
    assert first.language == ""
    import_file(path, "own", "responses", sentences="de")
    assert Segment.objects.filter(response__index="1").count() == 2


@pytest.mark.django_db
def test_a_language_that_is_not_known_is_a_fault(tmp_path):
    with pytest.raises(FaultsError, match="line 1: language is 'tlh', and must be one of ar, bn, de"):
        import_file(_file(tmp_path, {"response": "Qapla'.", "language": "tlh"}), "own", "responses")


@pytest.mark.django_db
def test_a_long_response_that_stays_one_segment_is_named(tmp_path):
    long, cut = "word " * 61, "Some word. " * 61
    given = {"response": long, "segments": [long]}
    result = import_file(_file(tmp_path, {"response": cut}, {"response": long}, given), "own", "responses")
    message = "the response stays one segment of 61 words: check its language, or cut it by hand"
    assert result.warnings == [{"line": 2, "message": message}]
