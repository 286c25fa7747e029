"""A token is made and found."""

from datetime import timedelta
from secrets import token_urlsafe

from django.utils import timezone

from annotate.models import Dataset, User
from api.models import Token
from core.secret_keys import hash_of_key

PREFIX = "ts_"
HINT_LENGTH = 8
USE_NOTED_EVERY = timedelta(minutes=1)


def create_token(
    user: User, name: str, scopes: list[str], lifetime: timedelta, dataset: Dataset | None = None
) -> tuple[Token, str]:
    """The token's row, and its text, which nothing can show again."""
    text = PREFIX + token_urlsafe(32)
    token = Token.objects.create(
        user=user,
        name=name,
        hint=text[:HINT_LENGTH],
        secret_hash=hash_of_key(text),
        scopes=scopes,
        dataset=dataset,
        expires_at=timezone.now() + lifetime,
    )
    return token, text


def find_token(text: str) -> Token | None:
    """The valid token of this text, its use noted; None where there is none."""
    token = Token.objects.valid().select_related("user").filter(secret_hash=hash_of_key(text)).first()
    now = timezone.now()
    if token is not None and (token.last_used_at is None or now - token.last_used_at > USE_NOTED_EVERY):
        Token.objects.filter(pk=token.pk).update(last_used_at=now)
    return token
