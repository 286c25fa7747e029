"""The addresses of the audit log."""

from django.urls import path

from audit import views

urlpatterns = [
    path("audit-log/", views.audit_log, name="audit-log"),
    path("audit-log/export/", views.audit_export, name="audit-log-export"),
]
