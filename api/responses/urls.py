"""Addresses of responses and prompts."""

from django.urls import path

from api.responses.views import PromptsView, ReferenceListsView, ResponsesView, ResponseView
from core.uploads import takes_uploads

RESPONSES = [
    path("datasets/<int:pk>/responses/", ResponsesView.as_view(), name="responses"),
    path("responses/<int:pk>/", ResponseView.as_view(), name="response"),
    path("datasets/<int:pk>/prompts/", takes_uploads(PromptsView.as_view()), name="prompts"),
    path("datasets/<int:pk>/reference-lists/", takes_uploads(ReferenceListsView.as_view()), name="reference-lists"),
]
