import pytest

from annotate.corpus.no_claim import lacks_claim


@pytest.mark.parametrize(
    "text",
    [
        *(
            "Sure!",
            "Of course.",
            "**Certainly!**",
            "Sure, here is a short biography of Ada Lovelace:",
            "Here are some facts:",
        ),
        *("I hope this helps!", "Hope this helps.", "Let me know if you have any questions.", "You’re welcome! 😊"),
        *("Is there anything else I can help you with?", "Gerne!", "Ich hoffe, das hilft dir weiter.", "Bien sûr !"),
        *("¡Por supuesto!", "Конечно!", "当然可以！", "希望这对你有帮助。", "もちろんです！"),
    ],
)
def test_small_talk_lacks_a_claim(text):
    assert lacks_claim(text)


@pytest.mark.parametrize(
    "text",
    [
        *("Sure, Ada was born in 1815.", "Okay was a band.", "Here is where Ada was born.", "Of course, Rome fell."),
        *(
            "I hope this helps: Ada was born in 1815.",
            "Thanks to Ada, it works.",
            "Hello is a song.",
            "",
            "当然，她很有名。",
        ),
    ],
)
def test_what_may_be_a_claim_is_not_marked(text):
    assert not lacks_claim(text)
