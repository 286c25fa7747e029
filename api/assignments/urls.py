"""Addresses of an annotator's own work."""

from django.urls import path

from api.assignments import views

URLS = [
    path("datasets/<int:pk>/assignments/", views.OwnWorkView.as_view(), name="assignments"),
    path("datasets/<int:pk>/assignments/next/", views.NextWorkView.as_view(), name="assignment-next"),
    path("assignments/<slug:key>/", views.AssignmentView.as_view(), name="assignment"),
    path("assignments/<slug:key>/draft/", views.DraftView.as_view(), name="assignment-draft"),
    path("assignments/<slug:key>/submit/", views.SubmitView.as_view(), name="assignment-submit"),
    path("assignments/<slug:key>/skip/", views.SkipView.as_view(), name="assignment-skip"),
    path("assignments/<slug:key>/take-up/", views.TakeUpView.as_view(), name="assignment-take-up"),
    path("assignments/<slug:key>/take-back/", views.TakeBackView.as_view(), name="assignment-take-back"),
    path("assignments/<slug:key>/keep/", views.KeepView.as_view(), name="assignment-keep"),
]
