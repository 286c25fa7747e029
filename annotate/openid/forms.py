"""The form of somebody who was invited and comes back from the identity provider for the first time."""

import re
from typing import Any

from django.http import HttpRequest

from annotate.invitations.forms import PersonForm
from annotate.models import User
from annotate.openid.connect import connect
from annotate.openid.provider import Identity


class AccountForm(PersonForm):
    """User name and name as the provider has them, to be changed. The account logs in by the provider."""

    def __init__(self, request: HttpRequest, identity: Identity, name: str, **named: Any) -> None:
        """name: as the invitation has it, for a provider that has none."""
        username = re.sub(r"[^\w.+-]", "", identity.username.partition("@")[0])
        super().__init__(initial={"username": username, "name": identity.name or name}, **named)
        self.request, self.identity = request, identity

    def make_user(self) -> User:
        made = super().make_user()
        connect(self.request, made, self.identity)
        return made
