"""Addresses of jobs."""

from django.urls import path

from api.jobs.views import JobsView, JobView

JOBS = [
    path("jobs/", JobsView.as_view(), name="jobs"),
    path("jobs/<slug:kind>/<int:pk>/", JobView.as_view(), name="job"),
]
