"""The map of addresses: one file a room holds its own."""

from allauth.account.decorators import secure_admin_login
from django.contrib import admin
from django.urls import include, path
from django.views.generic import RedirectView

handler429 = "annotate.people.throttle.refuse_for_the_longest"
handler500 = "config.unavailable.answer_error"

# People log in at one place, with its limits and its second step.
admin.site.login = secure_admin_login(admin.site.login)  # type: ignore[method-assign]

urlpatterns = [
    path("", include("annotate.urls")),  # the first that are tried
    path("admin/password_change/", RedirectView.as_view(pattern_name="account_change_password"), name="admin-password"),
    path("admin/", admin.site.urls),
    path("", include("annotate.people.urls")),
    path("", include("annotate.openid.urls")),
    path("", include("audit.urls")),
    path("", include("health.urls")),
    path("", include("api.urls")),
    path("", include("evaluators.urls")),
    path("", include("factor.urls")),
]
