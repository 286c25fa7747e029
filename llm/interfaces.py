"""What a model speaks: chat messages, or a text that it goes on with."""

from collections.abc import Sequence

CHAT, COMPLETION = "chat", "completion"
INTERFACES = (CHAT, COMPLETION)


def as_text(messages: Sequence[dict[str, str]]) -> str:
    """Chat messages as the one text that a base model continues: the turns one after the other, without their roles."""
    return "\n\n".join(message["content"] for message in messages)
