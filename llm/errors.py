"""The errors of models. The messages are for people and never hold a key."""

from datetime import timedelta

from jobs.errors import ItemError, JobError, PostponedError, StartError, UnavailableError


class ModelError(ItemError):
    """A call to a model failed."""


class EndpointAddressError(ModelError, JobError):
    """The endpoint's address cannot be used."""


class NotGrantedError(EndpointAddressError, StartError):
    """The endpoint may not be used for this dataset, or not any more."""


class RequestRefusedError(ModelError):
    """The endpoint will not answer this request, now or later: it was not tried again."""


class AccessRefusedError(RequestRefusedError, JobError):
    """The endpoint will answer no request at all: the key, the address, the model or the quota is at fault."""


class EndpointUnavailableError(ModelError, UnavailableError):
    """The endpoint did not answer, in as many attempts as were allowed."""


class ParkedError(ModelError, PostponedError):  # type: ignore[misc]
    """The endpoint asks to be left alone for so long that the work is put off until then."""

    def __init__(self, message: str, delay: timedelta) -> None:
        super().__init__(delay)
        self.args = (message,)


class CallLimitError(ModelError, JobError):
    """The run has made as many calls as it may."""


class UnknownPriceError(ModelError, JobError):
    """The model has no price, and a limit in US dollars holds."""


class BudgetSpentError(ModelError, JobError):
    """The budget is spent: the next call would exceed it."""
