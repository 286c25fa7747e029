"""Addresses of labels and agreement."""

from django.urls import path

from api.labels import views

URLS = [
    path("datasets/<int:pk>/labels/", views.LabelsView.as_view(), name="labels"),
    path("datasets/<int:pk>/agreement/", views.AgreementView.as_view(), name="agreement"),
]
