"""The addresses of webhooks: by the API, and of their pages."""

from django.urls import path

from api.webhooks import pages, views

API = [
    path("datasets/<int:pk>/webhooks/", views.WebhooksView.as_view(), name="webhooks"),
    path("webhooks/<int:pk>/", views.WebhookView.as_view(), name="webhook"),
    path("webhooks/<int:pk>/secret/", views.WebhookSecretView.as_view(), name="webhook-secret"),
    path("webhooks/<int:pk>/deliveries/", views.DeliveriesView.as_view(), name="deliveries"),
    path("webhook-deliveries/<int:pk>/", views.DeliveryView.as_view(), name="delivery"),
    path("webhook-deliveries/<int:pk>/repeat/", views.DeliveryRepeatView.as_view(), name="delivery-repeat"),
]

PAGES = [
    path("datasets/<int:pk>/webhooks/", pages.webhooks, name="webhooks"),
    path("webhooks/<int:pk>/", pages.webhook, name="webhook"),
    path("webhooks/<int:pk>/secret/", pages.webhook_secret, name="webhook-secret"),
    path("webhooks/<int:pk>/delete/", pages.webhook_delete, name="webhook-delete"),
    path("webhook-deliveries/<int:pk>/repeat/", pages.delivery_repeat, name="webhook-delivery-repeat"),
]
