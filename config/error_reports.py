"""Errors, sent to a Sentry server where SENTRY_DSN names one: what broke and where in the code, nothing of the data.

A message of an exception may hold a text, a label or a key, as may local variables, addresses, queries, forms, cookies
and log lines. So a report is made anew from a list of what may leave the machine, and all else stays here.
"""

from typing import TYPE_CHECKING, Any

from django.conf import settings

from config.request_ids import request_id

if TYPE_CHECKING:
    from sentry_sdk.types import Event, Hint

# `transaction` is the name of a view.
KEPT = ("event_id", "timestamp", "platform", "level", "logger", "transaction", "release", "server_name", "sdk")
FRAME = ("filename", "function", "module", "lineno", "in_app")
ABOUT_EXCEPTION = ("type", "module", "mechanism")
MECHANISM = ("type", "handled")


def start_reports() -> None:
    """Nothing is sent unless SENTRY_DSN is set; no traces and no sessions ever are."""
    if not settings.SENTRY_DSN:
        return
    import sentry_sdk
    from sentry_sdk.integrations.django import DjangoIntegration

    sentry_sdk.init(
        dsn=settings.SENTRY_DSN,
        before_send=scrubbed,
        integrations=[DjangoIntegration(transaction_style="function_name", signals_spans=False)],
        auto_enabling_integrations=False,
        auto_session_tracking=False,
        include_local_variables=False,
        include_source_context=False,
        max_breadcrumbs=0,
        max_request_body_size="never",
        send_default_pii=False,
        send_client_reports=False,
    )


def scrubbed(event: "Event", hint: "Hint") -> "Event":
    """The report with what is KEPT of it, exceptions without their messages, and the number of the request, under which
    the server's own log says more."""
    whole: dict[str, Any] = dict(event)
    report = _some(whole, KEPT)
    report["tags"] = {"request_id": request_id.get() or "-"}
    values = (whole.get("exception") or {}).get("values") or []
    report["exception"] = {"values": [_about(exception) for exception in values]}
    return report  # type: ignore[return-value]  # a dictionary with the keys of an Event


def _about(exception: dict[str, Any]) -> dict[str, Any]:
    frames = (exception.get("stacktrace") or {}).get("frames") or []
    return {
        **_some(exception, ABOUT_EXCEPTION),
        "mechanism": _some(exception.get("mechanism") or {}, MECHANISM),
        "stacktrace": {"frames": [_some(frame, FRAME) for frame in frames]},
    }


def _some(whole: dict[str, Any], names: tuple[str, ...]) -> dict[str, Any]:
    return {name: whole[name] for name in names if name in whole}
