"""Addresses of jobs."""

from django.urls import path

from api.jobs.views import JobsView

JOBS = [path("jobs/", JobsView.as_view(), name="jobs")]
