"""The addresses of log-in and of one's account, under the names that django-allauth looks for."""

from allauth.account import views as allauth
from allauth.mfa.webauthn import views as allauth_passkeys
from django.urls import include, path
from django.views.decorators.http import require_POST

from annotate.people import passkeys, views

urlpatterns = [
    path("login/", allauth.login, name="account_login"),
    path("logout/", require_POST(allauth.logout), name="account_logout"),
    path("account/", views.account, name="account"),
    path("account/confirm/", allauth.reauthenticate, name="account_reauthenticate"),
    path("account/password/", views.PasswordView.as_view(), name="account_change_password"),
    path("account/profile/", views.profile, name="profile"),
    path("account/email/", views.AddressView.as_view(), name="account_email"),
    path("account/email/confirm/<str:key>/", allauth.confirm_email, name="account_confirm_email"),
    path("password/", views.ResetView.as_view(), name="account_reset_password"),
    path("password/sent/", allauth.password_reset_done, name="account_reset_password_done"),
    path(
        "password/<slug:uidb36>/<str:key>/",
        allauth.password_reset_from_key,
        name="account_reset_password_from_key",
    ),
    path("password/changed/", allauth.password_reset_from_key_done, name="account_reset_password_from_key_done"),
    path("account/sessions/", views.SessionsView.as_view(), name="usersessions_list"),
    path("account/codes/", include("allauth.mfa.base.urls")),
    path("account/codes/totp/", include("allauth.mfa.totp.urls")),
    path("account/codes/recovery-codes/", include("allauth.mfa.recovery_codes.urls")),
    path("account/passkeys/", allauth_passkeys.list_webauthn, name="mfa_list_webauthn"),
    path("account/passkeys/add/", passkeys.AddView.as_view(), name="mfa_add_webauthn"),
    path("account/passkeys/<int:pk>/name/", passkeys.RenameView.as_view(), name="mfa_edit_webauthn"),
    path("account/passkeys/<int:pk>/remove/", passkeys.RemoveView.as_view(), name="mfa_remove_webauthn"),
    path("account/passkeys/confirm/", passkeys.ConfirmView.as_view(), name="mfa_reauthenticate_webauthn"),
    path("login/passkey/", passkeys.LoginView.as_view(), name="mfa_login_webauthn"),
]
