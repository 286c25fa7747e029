"""Background work by the API: list, stop, resume."""
