"""The pages of one's tokens."""

from allauth.account.decorators import reauthentication_required
from django.contrib import messages
from django.db import transaction
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_POST

from annotate.access import MemberRequest
from api.models import Token
from api.tokens.create import create_token
from api.tokens.forms import TokenForm
from audit.models import Action
from audit.record import record


@require_http_methods(["GET", "HEAD"])
def tokens(request: MemberRequest) -> HttpResponse:
    """One's tokens, those that open nothing any more last."""
    own = Token.objects.filter(user=request.user).select_related("dataset")
    return render(request, "api/tokens.html", {"tokens": sorted(own, key=lambda token: not token.is_valid)})


@reauthentication_required  # type: ignore[untyped-decorator]
@require_http_methods(["GET", "HEAD", "POST"])
def token_new(request: MemberRequest) -> HttpResponse:
    """Make a token; its text is in this one answer only."""
    form = TokenForm(request.user, request.POST if request.method == "POST" else None)
    if form.is_bound and form.is_valid():
        fields = form.cleaned_data
        with transaction.atomic():
            token, text = create_token(request.user, fields["name"], fields["scopes"], form.lifetime, fields["dataset"])
            record(request, Action.TOKEN_CREATED, token, detail=", ".join(token.scope_names))
        return render(request, "api/token_created.html", {"token": token, "text": text})
    return render(request, "api/token_new.html", {"form": form}, status=422 if form.is_bound else 200)


@require_POST
def token_revoke(request: MemberRequest, pk: int) -> HttpResponse:
    """Revoke one's token: it opens nothing any more."""
    token = get_object_or_404(Token, pk=pk, user=request.user)
    with transaction.atomic():
        if Token.objects.filter(pk=pk, revoked_at=None).update(revoked_at=timezone.now()):
            record(request, Action.TOKEN_REVOKED, token)
    messages.success(request, f"“{token}” is revoked.")
    return redirect("tokens")
