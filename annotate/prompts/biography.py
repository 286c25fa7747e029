"""The prompt for a biography."""


def biography_prompt(name: str) -> str:
    """The prompt for a biography (FActScore §3.1 has the scheme)."""
    return f"Tell me a bio of {name}."
