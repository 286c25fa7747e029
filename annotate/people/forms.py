"""The forms of an account: profile, reset of the password."""

from allauth.account.forms import ResetPasswordForm
from allauth.account.models import EmailAddress
from django import forms

from annotate.models import User


class ProfileForm(forms.ModelForm):  # type: ignore[type-arg]
    class Meta:
        model = User
        fields = ("first_name",)
        labels = {"first_name": "Name"}
        help_texts = {"first_name": "Adjudicators of your datasets see this name."}


class ResetForm(ResetPasswordForm):  # type: ignore[misc]
    """Sends the link to the person with this address, if they have confirmed it, and to nobody else."""

    def clean_email(self) -> str:
        email: str = self.cleaned_data["email"]
        found = EmailAddress.objects.filter(email__iexact=email, verified=True, user__is_active=True)
        address = found.select_related("user").first()
        self.users = [address.user] if address else []
        # To the address as it was confirmed: what was typed may only look like it.
        return address.email if address else email
