"""Addresses of knowledge sources and links."""

from django.urls import path

from api.knowledge.views import (
    ChosenSourceView,
    DocumentUploadsView,
    DocumentUploadView,
    DocumentView,
    LinksView,
    PassagesView,
    SourcesView,
)
from core.uploads import takes_uploads

KNOWLEDGE = [
    path("datasets/<int:pk>/knowledge/", ChosenSourceView.as_view(), name="knowledge"),
    path("datasets/<int:pk>/knowledge/sources/", SourcesView.as_view(), name="knowledge-sources"),
    path("datasets/<int:pk>/knowledge/passages/", PassagesView.as_view(), name="passages"),
    path(
        "datasets/<int:pk>/knowledge/uploads/",
        takes_uploads(DocumentUploadsView.as_view()),
        name="document-uploads",
    ),
    path("document-uploads/<int:pk>/", DocumentUploadView.as_view(), name="document-upload"),
    path("datasets/<int:pk>/documents/<int:document>/", DocumentView.as_view(), name="document"),
    path("datasets/<int:pk>/links/", LinksView.as_view(), name="links"),
]
