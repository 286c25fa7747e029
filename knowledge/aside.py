"""Pages of an encyclopaedia that say nothing of their title themselves: lists of its meanings, and redirects."""

import re

# So many characters of a text show what kind of page it is.
HEAD = 400
# A page that only lists the pages of a name is the page of none of them, and shows that there are several.
LIST_OF_PAGES = "(disambiguation)"
# "Mercury may refer to:", "Merkur steht für:", in the first sentence.
MEANINGS = re.compile(
    r"[^.\n]{1,200}?\b(?:(?:may|can|could|might) (?:also |either |variously )?(?:refer to|stand for|mean:)"
    r"|(?:refers? to|stands for|is the name of|steht für|bezeichnet|peut (?:désigner|faire référence à)"
    r"|puede (?:referirse|hacer referencia) a|può (?:riferirsi a|indicare))\s?[^.\n:]{0,60}:)"
)
REDIRECT = re.compile(
    r"\s*#\s*(?:REDIRECT\w*|REDIRECCIÓN|WEITERLEITUNG|RINVIA|重定向|転送)\s*:?\s*(?:\[\[)?\s*:?([^\[\]|#\n]+)",
    re.IGNORECASE,
)


def lists_meanings(title: str, head: str) -> bool:
    """Whether the page lists what its title may mean, by its title or by how its text begins."""
    return title.casefold().endswith(LIST_OF_PAGES) or MEANINGS.match(head[:HEAD]) is not None


def redirect_target(head: str) -> str | None:
    """The title that the page leads to; None: it is no redirect."""
    found = REDIRECT.match(head[:HEAD])
    return " ".join(found[1].replace("_", " ").split()) if found else None
