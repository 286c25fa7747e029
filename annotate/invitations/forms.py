"""The forms of an invitation: of the adjudicator who makes it, and of the person who joins with a new account."""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.conf import settings
from django.contrib.auth.password_validation import password_validators_help_texts, validate_password
from django.core.exceptions import ValidationError
from django.utils.functional import lazy

from annotate.models import Role, User


class InviteForm(forms.Form):
    """Asks for an address only where a link can be sent to it."""

    name = forms.CharField(max_length=150, label="Name", help_text="For your list of invitations.")
    email = forms.EmailField(required=False, label="E-mail", help_text="Optional.")
    role = forms.ChoiceField(choices=Role.choices, label="Role")

    def __init__(self, data: Mapping[str, Any] | None = None) -> None:
        super().__init__(data)
        if not settings.EMAIL_CONFIGURED:
            del self.fields["email"]


class InviteManyForm(forms.Form):
    addresses = forms.CharField(
        max_length=20_000,
        label="E-mail addresses",
        widget=forms.Textarea(attrs={"rows": 8, "spellcheck": "false"}),
        help_text="One in each line, or separated by commas. A name may stand before: Ada Example <ada@example.org>",
    )
    role = forms.ChoiceField(choices=Role.choices, label="Role")


class PersonForm(forms.Form):
    """User name and name shown of a new account, which has no password."""

    username = forms.CharField(
        max_length=150,
        label="User name",
        validators=User._meta.get_field("username").validators,
        widget=forms.TextInput(attrs={"autocomplete": "username", "autocapitalize": "none"}),
        help_text="For log-in. Letters, digits and @ . + - _",
    )
    name = forms.CharField(
        max_length=150,
        required=False,
        label="Name",
        widget=forms.TextInput(attrs={"autocomplete": "name"}),
        help_text="Adjudicators of your datasets see this name.",
    )

    def clean_username(self) -> str:
        name: str = User.normalize_username(self.cleaned_data["username"])
        if User.objects.filter(username__iexact=name).exists():
            raise ValidationError("This user name is taken. Choose another one.")
        return name

    def make_user(self) -> User:
        return User.objects.create_user(
            self.cleaned_data["username"],
            password=self.cleaned_data.get("password1"),
            first_name=self.cleaned_data["name"],
        )


class NewAccountForm(PersonForm):
    """The same, and a password."""

    password1 = forms.CharField(
        label="Password",
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}),
        # Made when it is shown: the validators read a list of 20,000 words.
        help_text=lazy(lambda: " ".join(password_validators_help_texts()), str)(),
    )
    password2 = forms.CharField(
        label="Password again", strip=False, widget=forms.PasswordInput(attrs={"autocomplete": "new-password"})
    )

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        first, again = cleaned.get("password1"), cleaned.get("password2")
        if first and again and first != again:
            self.add_error("password2", "The passwords differ.")
        elif first:
            try:
                validate_password(first, User(username=cleaned.get("username", ""), first_name=cleaned.get("name", "")))
            except ValidationError as error:
                self.add_error("password1", error)
        return cleaned
