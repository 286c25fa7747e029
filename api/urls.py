"""The addresses of the API, and the pages of one's tokens and of its documentation."""

from django.urls import include, path

from api import documentation
from api.administration.urls import ADMINISTRATION
from api.assignments.urls import URLS as ASSIGNMENTS
from api.batches.urls import BATCHES
from api.benchmarks.urls import BENCHMARKS
from api.bundles.urls import BUNDLES
from api.comparison.urls import COMPARISON
from api.datasets import views as datasets
from api.editing.urls import EDITING
from api.evaluators.urls import EVALUATORS
from api.exports.urls import EXPORTS
from api.gold.urls import URLS as GOLD
from api.imports.urls import IMPORTS
from api.jobs.urls import JOBS
from api.knowledge.urls import KNOWLEDGE
from api.labels.urls import URLS as LABELS
from api.members.urls import MEMBERS
from api.outside.urls import OUTSIDE
from api.predictions.urls import PREDICTIONS
from api.responses.urls import RESPONSES
from api.runs.urls import RUNS
from api.sharing.urls import SHARING
from api.tasks.urls import URLS as TASKS
from api.tokens import views as tokens
from api.webhooks import urls as webhooks

API = [
    path("openapi.json", documentation.openapi, name="openapi"),
    path("datasets/", datasets.DatasetsView.as_view(), name="datasets"),
    path("datasets/<int:pk>/", datasets.DatasetView.as_view(), name="dataset"),
    *IMPORTS,
    *EXPORTS,
    *BUNDLES,
    *ADMINISTRATION,
    *MEMBERS,
    *KNOWLEDGE,
    *RESPONSES,
    *OUTSIDE,
    *EVALUATORS,
    *RUNS,
    *EDITING,
    *BATCHES,
    *PREDICTIONS,
    *COMPARISON,
    *SHARING,
    *JOBS,
    *BENCHMARKS,
    *ASSIGNMENTS,
    *GOLD,
    *LABELS,
    *TASKS,
    *webhooks.API,
]

urlpatterns = [
    path("api/v1/", include((API, "api"))),
    path("api/", documentation.api_documentation, name="api-documentation"),
    path("account/tokens/", tokens.tokens, name="tokens"),
    path("account/tokens/new/", tokens.token_new, name="token-new"),
    path("account/tokens/<int:pk>/revoke/", tokens.token_revoke, name="token-revoke"),
    *webhooks.PAGES,
]
