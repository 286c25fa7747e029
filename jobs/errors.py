"""The one policy of errors: what an item raises decides what becomes of it and of its job.

An exception that is none of these is unforeseen. It is logged, and the item is tried again until its attempts are used.
A database that is out of reach (OperationalError, InterfaceError) ends the task; the sweep finds what it left.
"""

from datetime import timedelta


class StartError(Exception):
    """A job cannot be started or resumed: one sentence for a person. Nothing was written."""


class ItemError(Exception):
    """One item cannot be done; the message is a sentence for a person.

    `retry`: another attempt may help; `delay`: the time before it.
    """

    retry = False
    delay: timedelta | None = None


class UnavailableError(ItemError):
    """What the item needs did not answer. Where as many in a row as are under way fail so, the job stops."""

    retry = True


class JobError(Exception):
    """No item of the job can be done; the message is a sentence for a person. Items under way keep their attempts."""


class PostponedError(Exception):
    """The item has to wait for something else, such as another import. It keeps its attempts."""

    def __init__(self, delay: timedelta) -> None:
        super().__init__(f"to be tried again after {delay}")
        self.delay = delay
