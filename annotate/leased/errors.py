"""What goes wrong before there is work to be leased."""


class StartError(Exception):
    """Why work cannot be begun or gone on with: one sentence for a person. Nothing was written."""
