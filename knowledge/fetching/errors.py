"""Why a page was not frozen."""

from jobs.errors import ItemError


class FetchError(ItemError):
    """The message is a sentence for the person who gave the link. `retry`: another attempt later may succeed."""

    def __init__(self, message: str, retry: bool = False) -> None:
        super().__init__(message)
        self.retry = retry
