"""Members and invitations as JSON, for adjudicators."""

from rest_framework import serializers

from annotate.models import Invitation, Membership, Role
from api.rest.views import Fields


class MemberSerializer(Fields):
    """A person's one role in the dataset."""

    id = serializers.IntegerField(source="pk", help_text="Of the membership.")
    username = serializers.CharField(source="user.username")
    name = serializers.CharField(source="user.first_name", allow_blank=True)
    is_active = serializers.BooleanField(source="user.is_active", help_text="False: the account is deactivated.")
    role = serializers.ChoiceField(Role.choices)


class NewMemberSerializer(serializers.Serializer[Membership]):
    username = serializers.CharField(max_length=150)
    role = serializers.ChoiceField(Role.choices)


class MemberChangeSerializer(serializers.Serializer[Membership]):
    role = serializers.ChoiceField(Role.choices)


class InvitationSerializer(Fields):
    """A link by which one person becomes a member."""

    id = serializers.IntegerField(source="pk")
    name = serializers.CharField()
    email = serializers.CharField(allow_blank=True)
    role = serializers.ChoiceField(Role.choices)
    state = serializers.SerializerMethodField()
    created_at = serializers.DateTimeField()
    expires_at = serializers.DateTimeField()
    accepted_by = serializers.CharField(source="accepted_by.username", default=None, allow_null=True)

    def get_state(self, invitation: Invitation) -> str:
        """open, accepted, revoked or expired."""
        if invitation.accepted_at is not None:
            return "accepted"
        if invitation.revoked_at is not None:
            return "revoked"
        return "open" if invitation.is_open else "expired"


class SentInvitationSerializer(InvitationSerializer):
    """The invitation with its link, which is in this answer and nowhere else."""

    link = serializers.CharField(allow_blank=True, help_text="Empty where it was sent by e-mail.")
    emailed = serializers.BooleanField()


class PastedSerializer(Fields):
    """One of the addresses, and what became of it."""

    line = serializers.IntegerField(help_text="In which it stands, from 1.")
    name = serializers.CharField()
    email = serializers.CharField()
    outcome = serializers.CharField(source="outcome.name", help_text="NEW: it was invited.")
    link = serializers.CharField(allow_blank=True, help_text="Empty where it was sent by e-mail, or not invited.")


class NewInvitationsSerializer(serializers.Serializer[Invitation]):
    addresses = serializers.CharField(max_length=20_000, help_text="In lines, or separated by commas or semicolons.")
    role = serializers.ChoiceField(Role.choices)


class NewInvitationSerializer(serializers.Serializer[Invitation]):
    name = serializers.CharField(max_length=150)
    email = serializers.EmailField(required=False, allow_blank=True)
    role = serializers.ChoiceField(Role.choices)
