"""The addresses of log-in by the identity provider."""

from django.urls import path

from annotate.openid import views

urlpatterns = [
    path("login/provider/", views.log_in, name="openid-login"),
    path("login/provider/return/", views.come_back, name="openid-callback"),
    path("invitation/provider/", views.accept_invitation, name="openid-invitation"),
    path("invitation/account/", views.new_account, name="openid-account"),
    path("account/provider/connect/", views.connect_account, name="openid-connect"),
    path("account/provider/disconnect/", views.disconnect_account, name="openid-disconnect"),
]
