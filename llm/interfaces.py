"""The interfaces of a model: chat messages, or a text that it continues."""

from collections import Counter
from collections.abc import Mapping, Sequence

CHAT, COMPLETION = "chat", "completion"
INTERFACES = (CHAT, COMPLETION)  # in which a question is put
TEXT = "text"  # a model continues exactly the text of the request
MOST_STOPS = 4  # that every kind of endpoint takes


def as_text(messages: Sequence[Mapping[str, str]]) -> str:
    """Chat messages as one text for a base model: a template's file without the lines that name its turns."""
    return "\n".join(message["content"] for message in messages)


def word_for_word(messages: Sequence[Mapping[str, str]]) -> str:
    """The text of the messages alone, so that the model continues in the middle of a sentence."""
    return "".join(message["content"] for message in messages)


def next_turns(messages: Sequence[Mapping[str, str]]) -> list[str]:
    """The signs that a base model's turn has ended and it writes another of the user's: a line that opens with a word
    that opens two or more of the user's turns, as in demonstrations."""
    turns = [message["content"] for message in messages if message["role"] == "user"]
    openings = Counter(word for turn in turns for word in turn.split()[:1])
    return [f"\n{word}" for word, times in openings.most_common(MOST_STOPS) if times > 1]
