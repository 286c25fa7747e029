"""What a model speaks: chat messages, or a text that it goes on with."""

from collections import Counter
from collections.abc import Mapping, Sequence

CHAT, COMPLETION = "chat", "completion"
INTERFACES = (CHAT, COMPLETION)  # in which a question is put
TEXT = "text"  # a model goes on with exactly what it is given
MOST_STOPS = 4  # that every kind of endpoint takes


def as_text(messages: Sequence[Mapping[str, str]]) -> str:
    """Chat messages as the one text that a base model continues: the turns without their roles, a blank line after
    each, the last too, so that what comes next is a turn of the model's."""
    return "".join(f"{message['content']}\n\n" for message in messages)


def word_for_word(messages: Sequence[Mapping[str, str]]) -> str:
    """What the messages say and nothing else, so that the model goes on in the middle of a sentence."""
    return "".join(message["content"] for message in messages)


def next_turns(messages: Sequence[Mapping[str, str]]) -> list[str]:
    """What a base model writes where its turn has ended and it goes on with another of the user's: a blank line, and a
    word with which two or more of the user's turns begin, as those of demonstrations do."""
    turns = [message["content"] for message in messages if message["role"] == "user"]
    openings = Counter(word for turn in turns for word in turn.split()[:1])
    return [f"\n\n{word}" for word, times in openings.most_common(MOST_STOPS) if times > 1]
