"""Addresses of members and invitations."""

from django.urls import path

from api.members.views import InvitationsView, InvitationView, ManyInvitationsView, MembersView, MemberView

MEMBERS = [
    path("datasets/<int:pk>/members/", MembersView.as_view(), name="members"),
    path("members/<int:pk>/", MemberView.as_view(), name="member"),
    path("datasets/<int:pk>/invitations/", InvitationsView.as_view(), name="invitations"),
    path("datasets/<int:pk>/invitations/many/", ManyInvitationsView.as_view(), name="invitations-many"),
    path("invitations/<int:pk>/", InvitationView.as_view(), name="invitation"),
]
