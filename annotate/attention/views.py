"""The number of items in the navigation, dismissal of an item, and the switch of the daily e-mail."""

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST

from annotate.access import MemberRequest
from annotate.attention.read import dismiss, items_of
from annotate.models import User
from core.requests import redirect_back


@require_GET
@never_cache
def attention_count(request: MemberRequest) -> HttpResponse:
    """The number of one's own items as it stands in the navigation; nothing where there is none."""
    return render(request, "attention/count.html", {"number": len(items_of(request.user))})


@require_POST
def attention_dismiss(request: MemberRequest) -> HttpResponse:
    """Hide an item of one's own; back to the page of the button."""
    dismiss(request.user, request.POST.get("key", ""))
    return redirect_back(request, "home")


@require_POST
def digest(request: MemberRequest) -> HttpResponse:
    """Turn the daily e-mail on, or off where the field `digest` is missing."""
    User.objects.filter(pk=request.user.pk).update(digest="digest" in request.POST)
    return redirect("account")
