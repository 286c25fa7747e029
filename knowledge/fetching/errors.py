"""Why a page was not frozen."""


class FetchError(Exception):
    """The message is a sentence for whoever gave the link. `temporary`: it may be different in a while."""

    def __init__(self, message: str, temporary: bool = False) -> None:
        super().__init__(message)
        self.temporary = temporary
