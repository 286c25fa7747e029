"""The keys of reset links."""

from django.contrib.auth.tokens import PasswordResetTokenGenerator

from annotate.models import User


class ResetTokens(PasswordResetTokenGenerator):
    """The keys of reset links. They end with a log-in, a new password, another address, and with any change of what the
    person may do: a link made for an annotator never opens the account of an adjudicator."""

    def _make_hash_value(self, user: User, timestamp: int) -> str:
        roles = sorted(user.memberships.values_list("dataset", "role"))
        rights = sorted(user.user_permissions.values_list("pk", flat=True))
        value = super()._make_hash_value(user, timestamp)
        return f"{value}{roles}{rights}{user.is_active}{user.is_staff}{user.is_superuser}"
