"""The map of addresses: one file a room holds its own."""

from django.contrib import admin
from django.contrib.auth import views as auth
from django.urls import include, path

handler500 = "config.unavailable.answer_error"

urlpatterns = [
    path(
        "login/",
        auth.LoginView.as_view(template_name="site/login.html", redirect_authenticated_user=True),
        name="login",
    ),
    path("logout/", auth.LogoutView.as_view(), name="logout"),
    path("admin/", admin.site.urls),
    path("", include("annotate.urls")),
    path("", include("evaluators.urls")),
    path("", include("factor.urls")),
]
