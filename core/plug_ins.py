"""Code of other packages: what it raises is named, and ends nothing else."""

# A plug-in may raise whatever it likes, and may try to leave the program.
ANY_FAULT = (Exception, SystemExit)


def said_by(error: BaseException) -> str:
    """Type and text of the error on one line, with a full stop."""
    text = " ".join(str(error).split()).rstrip(".")
    return f"{type(error).__name__}: {text}." if text else f"{type(error).__name__}."
