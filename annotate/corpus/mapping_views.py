"""The pages on which a file's fields are mapped, and those of recipes."""

from collections.abc import Mapping
from itertools import islice
from pathlib import Path
from typing import Any, cast

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_GET, require_POST

from annotate.access import fetch_own_upload
from annotate.corpus.find_recipe import find_recipe, recipe_text, shipped_recipes, store_recipe
from annotate.corpus.guess import find_paths, shown_rows
from annotate.corpus.mapping_form import LISTS, FilesForm, MappingForm, RecipeFileForm, RecipeNameForm
from annotate.corpus.recipe import Recipe
from annotate.corpus.recipe_parser import LARGEST, parse_recipe, parse_recipe_text
from annotate.corpus.uploads import map_upload, may_upload, opened, read_as
from annotate.models import StoredRecipe, Upload, User
from core.errors import DataError, FaultsError
from core.uploads import takes_uploads

# Rows that the page shows, of those in which fields and label values are looked for.
SHOWN = 3
# Responses that it shows of a row which holds several.
MOST_RESPONSES = 3


def upload_mapping(request: HttpRequest, pk: int) -> HttpResponse:
    """Say what the fields of an uploaded file are; what comes of it is shown before anything is imported."""
    upload = fetch_own_upload(request.user, pk)
    if upload.confirmed_at is not None:
        return redirect("upload", upload.pk)
    try:
        with opened(upload) as path:
            return _mapping_page(request, upload, path)
    except DataError as error:
        messages.error(request, str(error))
        return redirect("import")


def _mapping_page(request: HttpRequest, upload: Upload, path: Path) -> HttpResponse:
    """path: of the file, or of the folder that it packs. Only a form that is sent shows errors; another one shows the
    rows as they are mapped so far."""
    is_sent = "preview" in request.POST
    chosen = _chosen(request.POST) if request.POST else dict(upload.preview.get("mapping") or {})
    files = FilesForm(path, initial=chosen)
    rows, not_joined = files.first_rows()
    data = request.POST.copy() if is_sent else None
    form = MappingForm(
        find_paths(list(rows.values())), upload.dataset_name, _meanings(upload), files, data, initial=chosen
    )
    faults = None
    if is_sent and form.is_valid():
        try:
            map_upload(upload, form.recipe, form.chosen(), form.meanings())
        except DataError as error:
            faults = error if isinstance(error, FaultsError) and error.is_several else None
            form.add_error(None, "The file does not fit the mapping. Nothing was stored." if faults else str(error))
        else:
            return redirect("upload", upload.pk)
    first = dict(islice(rows.items(), SHOWN))
    recipe, missing = form.draft()
    try:
        shown = _read_rows(upload, path, recipe, first)
    except DataError as error:
        shown, missing = _read_rows(upload, path, None, first), [str(error)]
    context = {
        "upload": upload,
        "form": form,
        "not_joined": not_joined,
        "faults": faults,
        "missing": missing,
        "is_read": recipe is not None,
        "rows": shown,
    }
    return render(request, "corpus/mapping.html", context, status=422 if is_sent else 200)


def _chosen(post: QueryDict) -> dict[str, Any]:
    """What stands in a form that is not sent to its end."""
    return {**{name: post.getlist(name) for name in LISTS}, **{name: post[name] for name in post if name not in LISTS}}


def _read_rows(
    upload: Upload, path: Path, recipe: Recipe | None, rows: Mapping[int, dict[str, Any]]
) -> list[dict[str, Any]]:
    """Each row as the file has it, and as the recipe reads it: its responses as the preview shows them, or one sentence
    why there is none; neither without a recipe. Raises DataError where the recipe is for another kind of file."""
    read = read_as(path, recipe, upload, list(rows)) if recipe else {}
    texts = zip(rows.items(), shown_rows(list(rows.values())), strict=True)
    shown = []
    for (number, row), text in texts:
        found = read.get(number) or (_why_nothing(recipe, row) if recipe else "")
        responses, why = ([], found) if isinstance(found, str) else (found[:MOST_RESPONSES], "")
        shown.append({"number": number, "text": text, "responses": responses, "why": why})
    return shown


def _why_nothing(recipe: Recipe, row: dict[str, Any]) -> str:
    if not recipe.takes(row):
        return "Left out by the condition."
    return "Part of the response of a row before." if recipe.together else "It holds no response."


def _meanings(upload: Upload) -> dict[str, str]:
    """Of labels that its first rows do not have; "" for one that has none yet."""
    refused = {kind["said"]: "" for kind in upload.preview.get("refused", []) if kind["said"] is not None}
    return {**refused, **upload.preview.get("meanings", {})}


@require_POST
def upload_recipe(request: HttpRequest, pk: int) -> HttpResponse:
    """Keep the recipe of an uploaded file under a name."""
    upload = fetch_own_upload(request.user, pk)
    form = RecipeNameForm(request.POST)
    if upload.recipe is None:
        raise Http404("This file has no recipe.")
    if form.is_valid():
        try:
            store_recipe(upload.uploaded_by, form.cleaned_data["name"], parse_recipe(upload.recipe))
        except DataError as error:
            form.add_error("name", str(error))
        else:
            return redirect("recipes")
    return _recipes_page(request, upload.uploaded_by, RecipeFileForm(), name_form=form, upload=upload)


@takes_uploads
def recipes(request: HttpRequest) -> HttpResponse:
    """The recipes that the person may use; a file adds one."""
    user = _admit(request)
    form = RecipeFileForm(request.POST or None, request.FILES or None)
    if request.method == "POST" and form.is_valid():
        try:
            file = form.cleaned_data["file"]
            store_recipe(user, form.cleaned_data["name"], parse_recipe_text(file.read(LARGEST + 1), file.name))
        except DataError as error:
            form.add_error("file", str(error))
        else:
            return redirect("recipes")
    return _recipes_page(request, user, form)


@require_GET
def recipe(request: HttpRequest, name: str) -> HttpResponse:
    """A recipe as a file."""
    user = _admit(request)
    try:
        text = recipe_text(find_recipe(name, user))
    except DataError as error:
        raise Http404(str(error)) from None
    headers = {"Content-Disposition": f'attachment; filename="{name}.json"'}
    return HttpResponse(text, content_type="application/json", headers=headers)


@require_POST
def recipe_delete(request: HttpRequest, name: str) -> HttpResponse:
    """Forget one of the person's own recipes."""
    get_object_or_404(StoredRecipe, owner=_admit(request), name=name).delete()
    return redirect("recipes")


def _recipes_page(
    request: HttpRequest,
    user: User,
    form: RecipeFileForm,
    name_form: RecipeNameForm | None = None,
    upload: Upload | None = None,
) -> HttpResponse:
    context = {
        "form": form,
        "name_form": name_form,
        "upload": upload,
        "own": StoredRecipe.objects.filter(owner=user),
        "shipped": shipped_recipes(),
    }
    wrong = form.errors or (name_form and name_form.errors)
    return render(request, "corpus/recipes.html", context, status=422 if wrong else 200)


def _admit(request: HttpRequest) -> User:
    """Raises PermissionDenied for everyone who can import nothing."""
    user = cast(User, request.user)
    if not may_upload(user):
        raise PermissionDenied("You may not import data: you adjudicate no dataset and may not make one.")
    return user
