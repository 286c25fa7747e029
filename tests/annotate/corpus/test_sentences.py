from annotate.corpus.sentences import sentence_spans, sentences


def test_sentences_are_cut_at_their_ends():
    assert sentences("It rains. Take a coat! Will you?") == ["It rains.", "Take a coat!", "Will you?"]


def test_an_abbreviation_does_not_end_a_sentence():
    assert sentences("Dr. Woolf saw Mrs. Dalloway at 5 p.m. on Monday. They talked.") == [
        "Dr. Woolf saw Mrs. Dalloway at 5 p.m. on Monday.",
        "They talked.",
    ]


def test_white_space_around_a_sentence_is_left_out_of_its_offsets():
    text = "  One here.\n\nTwo there.  "
    assert [text[start:end] for start, end in sentence_spans(text)] == ["One here.", "Two there."]


def test_a_blank_text_has_no_sentence():
    assert sentences(" \n ") == []
