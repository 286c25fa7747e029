"""The addresses of outside evaluators."""

from django.urls import path

from api.outside import views

OUTSIDE = [
    path("datasets/<int:pk>/outside-runs/", views.OutsideRunsView.as_view(), name="outside-runs"),
    path("runs/<int:pk>/leases/", views.LeasesView.as_view(), name="run-leases"),
    path("runs/<int:pk>/leases/renew/", views.LeaseRenewalView.as_view(), name="run-lease-renewal"),
    path("runs/<int:pk>/judgements/", views.JudgementsView.as_view(), name="run-judgements"),
]
