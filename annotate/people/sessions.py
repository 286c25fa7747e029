"""The session and the user of each request, read by prepared queries (annotate/database/prepared.py)."""

from typing import Any

from django.contrib.auth.backends import ModelBackend
from django.contrib.sessions.backends import db
from django.contrib.sessions.models import Session
from django.utils import timezone

from annotate.database.prepared import Prepared, Slot
from annotate.models import User

_session = Prepared(lambda: Session.objects.filter(session_key=Slot("key"), expire_date__gt=Slot("now")))
_user = Prepared(lambda: User.objects.filter(pk=Slot("pk")))


class SessionStore(db.SessionStore):
    """Django's sessions in the database."""

    def load(self) -> dict[str, Any]:
        session = _session.first(key=self.session_key or "", now=timezone.now())
        if session is None:
            self._session_key = None
            return {}
        return self.decode(session.session_data)


class Backend(ModelBackend):
    """Django's log-in by name and password."""

    def get_user(self, user_id: int) -> User | None:
        user = _user.first(pk=user_id)
        return user if user is not None and self.user_can_authenticate(user) else None
