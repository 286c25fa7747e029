"""The addresses of the experts' work."""

from django.urls import path

from annotate import views
from annotate.adjudication import views as adjudication
from annotate.agreement import views as agreement
from annotate.corpus import views as corpus
from annotate.corpus.statistics_view import statistics
from annotate.gold import views as gold
from annotate.labels import views as labels
from annotate.people import views as people
from annotate.tasks import views as tasks

urlpatterns = [
    path("import/", corpus.import_page, name="import"),
    path("import/<int:pk>/", corpus.upload_page, name="upload"),
    path("import/<int:pk>/confirm/", corpus.confirm_upload, name="upload-confirm"),
    path("import/<int:pk>/discard/", corpus.discard_upload, name="upload-discard"),
    path("", views.home, name="home"),
    path("datasets/<int:pk>/", views.dataset, name="dataset"),
    path("responses/<int:pk>/", views.response, name="response"),
    path("datasets/<int:pk>/adjudicate/", adjudication.adjudicate, name="adjudicate"),
    path("datasets/<int:pk>/adjudicate/unanimous/", adjudication.unanimous, name="unanimous"),
    path("datasets/<int:pk>/adjudicate/<int:segment>/", adjudication.adjudicate_unit, name="adjudicate-segment"),
    path(
        "datasets/<int:pk>/adjudicate/<int:segment>/<int:fact>/", adjudication.adjudicate_unit, name="adjudicate-fact"
    ),
    path("datasets/<int:pk>/agreement/", agreement.agreement, name="agreement"),
    path("datasets/<int:pk>/gold/", gold.gold, name="gold"),
    path("datasets/<int:pk>/people/", people.people, name="people"),
    path("datasets/<int:pk>/people/add/", people.member_add, name="member-add"),
    path("datasets/<int:pk>/guidelines/", people.guidelines_save, name="guidelines-save"),
    path("members/<int:pk>/", people.member_change, name="member-change"),
    path("datasets/<int:pk>/statistics/", statistics, name="statistics"),
    path("datasets/<int:pk>/label/", labels.label_next, name="label-next"),
    path("datasets/<int:pk>/my-work/", labels.work, name="work"),
    path("datasets/<int:pk>/tasks/", tasks.assign_page, name="assign"),
    path("assignments/<int:pk>/", labels.assignment, name="assignment"),
    path("assignments/<int:pk>/give-back/", tasks.give_back_place, name="give-back"),
]
