"""Recipes by name: those that the project ships, and those that people keep."""

import json
import re
from functools import cache
from operator import attrgetter
from pathlib import Path

from annotate.corpus.recipe import Recipe
from annotate.corpus.recipe_parser import parse_recipe, read_recipe
from annotate.models import StoredRecipe, User
from annotate.models.stored_recipe import LONGEST_RECIPE_NAME, RECIPE_NAME
from core.errors import DataError

FOLDER = Path(__file__).resolve().parent / "recipes"
NAME = re.compile(RECIPE_NAME)
SUFFIX = ".json"


@cache
def shipped_recipes() -> dict[str, Recipe]:
    """By name."""
    return {path.stem: read_recipe(path) for path in sorted(FOLDER.glob(f"*{SUFFIX}"), key=attrgetter("stem"))}


def find_recipe(name: str, owner: User | None) -> Recipe:
    """The shipped recipe of this name, else the owner's; None: anybody's. DataError: there is none, or several."""
    if name in shipped_recipes():
        return shipped_recipes()[name]
    named = StoredRecipe.objects.filter(name=name)
    found = list(named.filter(owner=owner) if owner else named[:2])
    if not found:
        raise DataError(f"There is no recipe {name!r}; shipped are {', '.join(shipped_recipes())}.")
    if len(found) > 1:
        raise DataError(f"Several people have a recipe {name!r}: export the right one and name its file.")
    return parse_recipe(found[0].document, name)


def recipe_choices(owner: User) -> list[tuple[str, str]]:
    """Name and title of every recipe that the person may name, for a form."""
    own = [(stored.name, f"{stored.name}: your own") for stored in StoredRecipe.objects.filter(owner=owner)]
    return [*own, *((name, title_of(recipe)) for name, recipe in shipped_recipes().items())]


def title_of(recipe: Recipe) -> str:
    return recipe.title if recipe.tested else f"{recipe.title} (not tested on its file)"


def store_recipe(owner: User, name: str, recipe: Recipe) -> StoredRecipe:
    """Keep the recipe under the name, in place of the owner's other one of that name. DataError: that is no name, or
    the project's."""
    if not NAME.fullmatch(name) or len(name) > LONGEST_RECIPE_NAME:
        raise DataError(f"A recipe's name is made of small letters, digits and hyphens, at most {LONGEST_RECIPE_NAME}.")
    if name in shipped_recipes():
        raise DataError(f"{name} is a recipe of the project: give yours another name.")
    stored, _ = StoredRecipe.objects.update_or_create(
        owner=owner, name=name, defaults={"document": dict(recipe.document)}
    )
    return stored


def recipe_text(recipe: Recipe) -> str:
    """The recipe as a file."""
    return json.dumps(recipe.document, ensure_ascii=False, indent=2) + "\n"
