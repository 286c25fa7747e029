"""The address of the page; probes are answered before addresses are looked up (health/probes.py)."""

from django.urls import path

from health import views

urlpatterns = [path("server/", views.server, name="server")]
