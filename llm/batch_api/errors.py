"""Why a request has no answer yet, and why a file was not taken."""

from datetime import timedelta

from jobs.errors import PostponedError
from llm.endpoints import key_of
from llm.errors import ModelError
from llm.faults import LONGEST_MESSAGE, Fault
from llm.models import Endpoint

LOOK_AGAIN = timedelta(hours=1)  # should nobody have said that the answers are there


def sentence_of(endpoint: Endpoint, said: str) -> str:
    """To be stored and shown: not too long, and without the key, which some servers repeat."""
    return said.replace(key_of(endpoint), "***")[:LONGEST_MESSAGE]


class WaitsForBatchError(ModelError, PostponedError):  # type: ignore[misc]
    """The request is in a batch, or will be in the next."""

    def __init__(self) -> None:
        super().__init__(LOOK_AGAIN)
        self.args = ("The answer comes with a batch.",)


class BatchFaultError(Exception):
    """The server did not do what it was asked for."""

    def __init__(self, fault: Fault, path: str) -> None:
        super().__init__(fault.message)
        self.fault = fault
        self.path = path


class ServerAwayError(Exception):
    """The server cannot be reached, or gave no answer that can be read."""
