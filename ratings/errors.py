"""Errors of drawing, rating and settling. The message is for the person; nothing was written."""


class DrawError(ValueError):
    """The sample cannot be drawn."""


class RatingError(ValueError):
    """The rating cannot be taken."""


class FullError(RatingError):
    """Other raters have given all ratings that the item wants, or have all places."""


class SettleError(ValueError):
    """The item cannot be settled like that."""
