"""The one policy of errors: the exception of an item decides on the item and its job.

Any other exception is unforeseen. It is logged, and the item is tried again until its attempts are used. A database
that is out of reach (OperationalError, InterfaceError) ends the task; the sweep finds the rest.
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
    """Something that the item needs does not answer. The job stops when as many items in a row fail so as are under
    way."""

    retry = True


class JobError(Exception):
    """No item of the job can be done; the message is a sentence for a person. Items under way keep their attempts."""


class PostponedError(Exception):
    """The item has to wait for something else, such as another import. It keeps its attempts."""

    def __init__(self, delay: timedelta) -> None:
        super().__init__(f"to be tried again after {delay}")
        self.delay = delay
