"""Pages as tests compare them."""


def squeezed(page: str) -> str:
    """The page with every run of white space as one space: a browser shows no other, wherever a template breaks."""
    return " ".join(page.split())
