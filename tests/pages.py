"""Pages as tests compare them."""

import re


def squeezed(page: str) -> str:
    """The page with every run of white space as one space: a browser shows no other, wherever a template breaks."""
    return " ".join(page.split())


def without_tokens(page: str) -> str:
    """The page without its CSRF tokens, which may hold any short word by chance."""
    return re.sub(r'(name="csrfmiddlewaretoken" value=)"\w+"', r"\1", page)
