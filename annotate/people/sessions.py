"""The session and the user of each request, read by one prepared query (annotate/database/prepared.py)."""

from datetime import datetime
from time import time
from typing import Any

from allauth.core import context
from django.conf import settings
from django.contrib.auth import SESSION_KEY
from django.contrib.auth.backends import ModelBackend
from django.contrib.auth.signals import user_logged_in
from django.contrib.sessions.backends import db
from django.contrib.sessions.models import Session
from django.db.models import Subquery
from django.dispatch import receiver
from django.http import HttpRequest
from django.utils import timezone

from annotate.database.prepared import Prepared, Slot
from annotate.models import User

# When the person logged in, in seconds since 1970.
BEGAN = "began"
# A session that is used is prolonged once this share of its idle time has gone: not with every request.
PROLONGED_AFTER = 1 / 14

_sessions = Session.objects.filter(session_key=Slot("key"), expire_date__gt=Slot("now"))
_session = Prepared(_sessions.all)
_user = Prepared(lambda: User.objects.filter(pk=Slot("pk")))
# With their session: django-allauth notes whose it is at the log-in.
_user_of_session = Prepared(
    lambda: User.objects.filter(usersession__session_key=Slot("key")).annotate(
        session_data=Subquery(_sessions.values("session_data")), session_end=Subquery(_sessions.values("expire_date"))
    )
)


class SessionStore(db.SessionStore):
    """Django's sessions in the database. They end after a time without use, and in any case some time after log-in.

    `user`: whose it is, as read with it; None of a session without a log-in.
    """

    user: User | None = None

    def load(self) -> dict[str, Any]:
        now = timezone.now()
        stored = self._read(now)
        data = {} if stored is None else self.decode(stored[0])
        if stored is None or _is_over(data):
            self._session_key = None
            return {}
        left = (stored[1] - now).total_seconds()
        if left < settings.SESSION_COOKIE_AGE * (1 - PROLONGED_AFTER):
            self.modified = True
        return data

    def _read(self, now: datetime) -> tuple[str, datetime] | None:
        """Its data and its end; None where it has ended."""
        key = self.session_key or ""
        self.user = _user_of_session.first(key=key, now=now)
        if self.user is not None:
            data, end = vars(self.user).pop("session_data"), vars(self.user).pop("session_end")
            return None if data is None else (data, end)
        session = _session.first(key=key, now=now)
        return None if session is None else (session.session_data, session.expire_date)


def _is_over(data: dict[str, Any]) -> bool:
    """Whether the log-in is too long ago, or of a version that did not note when it was."""
    return SESSION_KEY in data and time() - data.get(BEGAN, 0) > settings.SESSION_LONGEST_SECONDS


@receiver(user_logged_in)
def note_begin(request: HttpRequest, **signal: Any) -> None:
    request.session[BEGAN] = time()


class Backend(ModelBackend):
    """Django's log-in by name and password."""

    def get_user(self, user_id: int) -> User | None:
        """The user whose number a session holds: mostly the one who was read with the session of this request."""
        user = getattr(getattr(context.request, "session", None), "user", None)
        if user is None or user.pk != user_id:
            user = _user.first(pk=user_id)
        return user if user is not None and self.user_can_authenticate(user) else None
