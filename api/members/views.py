"""Members and invitations: for adjudicators; everybody may leave a dataset."""

from django.db.models import QuerySet
from django.urls import reverse
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from annotate.access import fetch_dataset, fetch_in_dataset
from annotate.administration import recorded
from annotate.administration.members import MemberError
from annotate.invitations.forms import InviteForm
from annotate.invitations.pasted import Outcome, read_pasted
from annotate.invitations.send import revoke_invitation, send_invitation, send_pasted
from annotate.models import Dataset, Invitation, Membership, Role
from api.members.serializers import (
    InvitationSerializer,
    MemberChangeSerializer,
    MemberSerializer,
    NewInvitationSerializer,
    NewInvitationsSerializer,
    NewMemberSerializer,
    PastedSerializer,
    SentInvitationSerializer,
)
from api.rest.idempotency import SecretResponse, once
from api.rest.problems import Conflict, Unprocessable, check_form, sentence_of
from api.rest.sent import read_body
from api.rest.views import ApiView, ListView


class MembersView(ListView):
    """The members of a dataset."""

    serializer_class = MemberSerializer
    dataset: Dataset

    def rows(self) -> QuerySet[Membership]:
        return self.dataset.memberships.select_related("user")

    @extend_schema(operation_id="members", responses=MemberSerializer(many=True))
    def get(self, request: Request, pk: int) -> Response:
        """The members, with their roles."""
        self.dataset = fetch_dataset(self.request.user, pk, Role.ADJUDICATOR)
        return super().get(request)

    @once
    @extend_schema(operation_id="member_add", request=NewMemberSerializer, responses={201: MemberSerializer})
    def post(self, request: Request, pk: int) -> Response:
        """Make a person with an account a member."""
        dataset = fetch_dataset(self.request.user, pk, Role.ADJUDICATOR)
        fields = read_body(NewMemberSerializer, request)
        try:
            member = recorded.add(request._request, dataset, fields["username"], fields["role"])
        except MemberError as error:
            raise Unprocessable(sentence_of(error)) from None
        location = reverse("api:member", args=[member.pk])
        return Response(MemberSerializer(member).data, status=201, headers={"Location": location})


class MemberView(ApiView):
    """One membership."""

    @extend_schema(operation_id="member", responses=MemberSerializer)
    def get(self, request: Request, pk: int) -> Response:
        """The membership: of the person, or for adjudicators."""
        return Response(MemberSerializer(recorded.fetch_member(self.request.user, pk)).data)

    @extend_schema(operation_id="member_change", request=MemberChangeSerializer, responses=MemberSerializer)
    def patch(self, request: Request, pk: int) -> Response:
        """Give the member another role."""
        member = fetch_in_dataset(self.request.user, recorded.MEMBERS.all(), pk, "dataset", Role.ADJUDICATOR)
        sent = read_body(MemberChangeSerializer, request)
        try:
            recorded.change(request._request, member, sent["role"])
        except MemberError as error:
            raise Unprocessable(sentence_of(error)) from None
        return Response(MemberSerializer(member).data)

    @extend_schema(operation_id="member_remove", responses={204: None})
    def delete(self, request: Request, pk: int) -> Response:
        """End the membership; of your own one: leave the dataset. Labels stay."""
        try:
            recorded.remove(request._request, recorded.fetch_member(self.request.user, pk))
        except MemberError as error:
            raise Unprocessable(sentence_of(error)) from None
        return Response(status=204)


class InvitationsView(ListView):
    """The invitations to a dataset."""

    serializer_class = InvitationSerializer
    dataset: Dataset

    def rows(self) -> QuerySet[Invitation]:
        return self.dataset.invitations.select_related("accepted_by")

    @extend_schema(operation_id="invitations", responses=InvitationSerializer(many=True))
    def get(self, request: Request, pk: int) -> Response:
        """The invitations, with their states."""
        self.dataset = fetch_dataset(self.request.user, pk, Role.ADJUDICATOR)
        return super().get(request)

    @once
    @extend_schema(
        operation_id="invitation_create", request=NewInvitationSerializer, responses={201: SentInvitationSerializer}
    )
    def post(self, request: Request, pk: int) -> Response:
        """Invite a person: the answer has the link, unless it was sent by e-mail."""
        dataset = fetch_dataset(self.request.user, pk, Role.ADJUDICATOR)
        fields = read_body(NewInvitationSerializer, request)
        form = InviteForm(fields)
        check_form(form)
        made = send_invitation(request._request, dataset, self.request.user, **form.cleaned_data)
        data = {**InvitationSerializer(made.invitation).data, "link": made.link, "emailed": made.emailed}
        location = reverse("api:invitation", args=[made.invitation.pk])
        return SecretResponse(data, status=201, headers={"Location": location})


class ManyInvitationsView(ApiView):
    """Invitations of many people at once."""

    @once
    @extend_schema(
        operation_id="invitations_create",
        request=NewInvitationsSerializer,
        responses={201: PastedSerializer(many=True)},
    )
    def post(self, request: Request, pk: int) -> Response:
        """Invite the owners of the addresses that are new: each with its link, unless it was sent by e-mail."""
        dataset = fetch_dataset(self.request.user, pk, Role.ADJUDICATOR)
        fields = read_body(NewInvitationsSerializer, request)
        pasted = read_pasted(dataset, fields["addresses"])
        sent = iter(send_pasted(request._request, dataset, self.request.user, pasted, fields["role"]))
        rows = [
            {**PastedSerializer({**vars(each), "link": next(sent).link if each.outcome == Outcome.NEW else ""}).data}
            for each in pasted
        ]
        return SecretResponse(rows, status=201)


class InvitationView(ApiView):
    """One invitation."""

    @extend_schema(operation_id="invitation", responses=InvitationSerializer)
    def get(self, request: Request, pk: int) -> Response:
        """The invitation, without its link."""
        return Response(InvitationSerializer(self._fetch(pk)).data)

    @extend_schema(operation_id="invitation_revoke", responses={204: None})
    def delete(self, request: Request, pk: int) -> Response:
        """Revoke the invitation: its link no longer works."""
        if not revoke_invitation(request._request, self._fetch(pk)):
            raise Conflict("The invitation was accepted or revoked before.")
        return Response(status=204)

    def _fetch(self, pk: int) -> Invitation:
        invitations = Invitation.objects.select_related("dataset", "accepted_by")
        return fetch_in_dataset(self.request.user, invitations, pk, "dataset", Role.ADJUDICATOR)
