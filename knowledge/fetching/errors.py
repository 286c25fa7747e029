"""Why a page was not frozen."""

from jobs.errors import ItemError


class FetchError(ItemError):
    """The message is a sentence for whoever gave the link. `retry`: it may be different in a while."""

    def __init__(self, message: str, retry: bool = False) -> None:
        super().__init__(message)
        self.retry = retry
