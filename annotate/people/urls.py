"""The addresses of log-in and of one's account, under the names that django-allauth looks for."""

from allauth.account import views as allauth
from django.urls import include, path
from django.views.decorators.http import require_POST

from annotate.people import views

urlpatterns = [
    path("login/", allauth.login, name="account_login"),
    path("logout/", require_POST(allauth.logout), name="account_logout"),
    path("account/", views.account, name="account"),
    path("account/confirm/", allauth.reauthenticate, name="account_reauthenticate"),
    path("account/password/", views.PasswordView.as_view(), name="account_change_password"),
    path("account/sessions/", views.SessionsView.as_view(), name="usersessions_list"),
    path("account/codes/", include("allauth.mfa.urls")),
]
