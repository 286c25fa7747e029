"""The session and the user of each request, read by prepared queries (annotate/database/prepared.py)."""

from time import time
from typing import Any

from django.conf import settings
from django.contrib.auth import SESSION_KEY
from django.contrib.auth.backends import ModelBackend
from django.contrib.auth.signals import user_logged_in
from django.contrib.sessions.backends import db
from django.contrib.sessions.models import Session
from django.dispatch import receiver
from django.http import HttpRequest
from django.utils import timezone

from annotate.database.prepared import Prepared, Slot
from annotate.models import User

# When the person logged in, in seconds since 1970.
BEGAN = "began"
# A session that is used is prolonged once this share of its idle time has gone: not with every request.
PROLONGED_AFTER = 1 / 14

_session = Prepared(lambda: Session.objects.filter(session_key=Slot("key"), expire_date__gt=Slot("now")))
_user = Prepared(lambda: User.objects.filter(pk=Slot("pk")))


class SessionStore(db.SessionStore):
    """Django's sessions in the database. They end after a time without use, and in any case some time after log-in."""

    def load(self) -> dict[str, Any]:
        now = timezone.now()
        session = _session.first(key=self.session_key or "", now=now)
        data = {} if session is None else self.decode(session.session_data)
        if session is None or _is_over(data):
            self._session_key = None
            return {}
        left = (session.expire_date - now).total_seconds()
        if left < settings.SESSION_COOKIE_AGE * (1 - PROLONGED_AFTER):
            self.modified = True
        return data


def _is_over(data: dict[str, Any]) -> bool:
    """Whether the log-in is too long ago, or of a version that did not note when it was."""
    return SESSION_KEY in data and time() - data.get(BEGAN, 0) > settings.SESSION_LONGEST_SECONDS


@receiver(user_logged_in)
def note_begin(request: HttpRequest, **signal: Any) -> None:
    request.session[BEGAN] = time()


class Backend(ModelBackend):
    """Django's log-in by name and password."""

    def get_user(self, user_id: int) -> User | None:
        user = _user.first(pk=user_id)
        return user if user is not None and self.user_can_authenticate(user) else None
