"""The forms of an account: profile, reset of the password."""

from zoneinfo import available_timezones

from allauth.account.forms import ResetPasswordForm
from allauth.account.models import EmailAddress
from django import forms
from django.conf import settings
from django.utils.translation import gettext_lazy as _

from annotate.models import User


def _languages() -> list[tuple[str, object]]:
    partly = _("%(language)s (in part)")
    return [
        ("", _("As the browser asks")),
        *((code, name) for code, name in settings.LANGUAGES if code in settings.COMPLETE_LANGUAGES),
        *(
            (code, partly % {"language": name})
            for code, name in settings.LANGUAGES
            if code not in settings.COMPLETE_LANGUAGES
        ),
    ]


def _time_zones() -> list[tuple[str, str]]:
    return [("", "UTC"), *((zone, zone) for zone in sorted(available_timezones()) if "/" in zone)]


class ProfileForm(forms.ModelForm):  # type: ignore[type-arg]
    language = forms.ChoiceField(label=_("Language"), choices=_languages, required=False)
    time_zone = forms.ChoiceField(
        label=_("Time zone"), choices=_time_zones, required=False, help_text=_("Times on pages are in it.")
    )

    class Meta:
        model = User
        fields = ("first_name", "language", "time_zone")
        labels = {"first_name": _("Name")}
        help_texts = {"first_name": _("Adjudicators of your datasets see this name.")}


class ResetForm(ResetPasswordForm):  # type: ignore[misc]
    """Sends the link to the person with this address, if they have confirmed it, and to nobody else."""

    def clean_email(self) -> str:
        email: str = self.cleaned_data["email"]
        found = EmailAddress.objects.filter(email__iexact=email, verified=True, user__is_active=True)
        address = found.select_related("user").first()
        self.users = [address.user] if address else []
        # To the address as it was confirmed: what was typed may only look like it.
        return address.email if address else email
