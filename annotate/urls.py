"""The addresses of the experts' work."""

from django.urls import path

from annotate.corpus.statistics_view import statistics
from annotate.labels import views as labels
from annotate.tasks import views as tasks

urlpatterns = [
    path("datasets/<int:pk>/statistics/", statistics, name="statistics"),
    path("datasets/<int:pk>/label/", labels.label_next, name="label-next"),
    path("datasets/<int:pk>/work/", labels.work, name="work"),
    path("datasets/<int:pk>/tasks/", tasks.assign_page, name="assign"),
    path("assignments/<int:pk>/", labels.assignment, name="assignment"),
    path("assignments/<int:pk>/give-back/", tasks.give_back_place, name="give-back"),
]
