"""Addresses of public links."""

from django.urls import path

from api.sharing.views import ShareRevokeView, SharesView, ShareView

SHARING = [
    path("datasets/<int:pk>/shares/", SharesView.as_view(), name="shares"),
    path("shares/<int:pk>/", ShareView.as_view(), name="share"),
    path("shares/<int:pk>/revoke/", ShareRevokeView.as_view(), name="share-revoke"),
]
