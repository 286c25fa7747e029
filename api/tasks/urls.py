"""Addresses of tasks."""

from django.urls import path

from api.tasks import views

URLS = [
    path("datasets/<int:pk>/tasks/", views.TasksView.as_view(), name="tasks"),
    path("datasets/<int:pk>/tasks/assign/", views.TasksAssignView.as_view(), name="tasks-assign"),
    path("datasets/<int:pk>/tasks/assign-by-hand/", views.AssignByHandView.as_view(), name="tasks-assign-by-hand"),
    path("datasets/<int:pk>/tasks/unassign/", views.UnassignView.as_view(), name="tasks-unassign"),
    path("datasets/<int:pk>/tasks/reassign/", views.ReassignView.as_view(), name="tasks-reassign"),
    path("datasets/<int:pk>/tasks/need/", views.NeedView.as_view(), name="tasks-need"),
    path("datasets/<int:pk>/tasks/kind/", views.TaskKindsView.as_view(), name="tasks-kind"),
    path("task-moves/<int:pk>/undo/", views.UndoMoveView.as_view(), name="task-move-undo"),
    path("assignments/<int:pk>/send-back/", views.SendBackView.as_view(), name="send-back"),
    path("assignments/<int:pk>/send-back/end/", views.EndReturnView.as_view(), name="send-back-end"),
]
