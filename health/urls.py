"""The addresses of the pages; probes are answered before addresses are looked up (health/probes.py)."""

from django.urls import path

from health import views

urlpatterns = [
    path("server/", views.server, name="server"),
    path("server/work/", views.work, name="work-of-site"),
    path("server/work/<slug:kind>/<int:pk>/retry/", views.work_retry, name="work-retry"),
]
