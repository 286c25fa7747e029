"""Webhooks of a dataset by the API: list, add, change, remove, new secret; deliveries: list, follow, repeat."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.db import transaction
from django.db.models import QuerySet
from django.urls import reverse
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from annotate.access import fetch_dataset, fetch_in_dataset
from annotate.models import Role
from api.models import Webhook, WebhookDelivery
from api.rest.idempotency import once
from api.rest.problems import Conflict
from api.rest.sent import read_body
from api.rest.views import ApiView, ListView, check_match, etag_of
from api.webhooks.change import add_webhook, remove_webhook, renew_secret, repeat, save_webhook
from api.webhooks.serializers import (
    DeliverySerializer,
    NewWebhookSerializer,
    WebhookChangeSerializer,
    WebhookSecretSerializer,
    WebhookSerializer,
)
from api.webhooks.sign import secret_of

Method = Callable[..., Response]


def with_secret(post: Method) -> Method:
    """The answer with the webhook's secret: it stands outside of `once`, which keeps answers in the database."""

    @wraps(post)
    def answer(*args: Any, **kwargs: Any) -> Response:
        response = post(*args, **kwargs)
        webhook = Webhook.objects.get(pk=response.data["id"])
        response.data = {**response.data, "secret": secret_of(webhook)}
        return response

    return answer


class WebhooksView(ListView):
    """The webhooks of a dataset, for adjudicators."""

    serializer_class = WebhookSerializer

    def rows(self) -> QuerySet[Webhook]:
        return fetch_dataset(self.request.user, self.kwargs["pk"], Role.ADJUDICATOR).webhooks.all()

    @extend_schema(operation_id="webhooks_list", responses=WebhookSerializer(many=True))
    def get(self, request: Request, pk: int) -> Response:
        """The webhooks of the dataset, the oldest first."""
        return super().get(request)

    @with_secret
    @once
    @extend_schema(
        operation_id="webhooks_create", request=NewWebhookSerializer, responses={201: WebhookSecretSerializer}
    )
    def post(self, request: Request, pk: int) -> Response:
        """Add a webhook. Only this answer holds its secret."""
        dataset = fetch_dataset(self.request.user, pk, Role.ADJUDICATOR)
        sent = read_body(NewWebhookSerializer, request)
        made = add_webhook(request._request, dataset, self.request.user, **sent)
        location = reverse("api:webhook", args=[made.pk])
        return Response(WebhookSerializer(made).data, status=201, headers={"Location": location})


class WebhookView(ApiView):
    """One webhook."""

    def fetch(self, pk: int) -> Webhook:
        webhooks = Webhook.objects.select_related("dataset")
        return fetch_in_dataset(self.request.user, webhooks, pk, "dataset", Role.ADJUDICATOR)

    @extend_schema(operation_id="webhook", responses=WebhookSerializer)
    def get(self, request: Request, pk: int) -> Response:
        """The webhook, with the ETag that a change names."""
        data = WebhookSerializer(self.fetch(pk), context={"request": request}).data
        return Response(data, headers={"ETag": etag_of(data)})

    @extend_schema(operation_id="webhook_change", request=WebhookChangeSerializer, responses=WebhookSerializer)
    @transaction.atomic
    def patch(self, request: Request, pk: int) -> Response:
        """Change address or events, switch on or off. Send the ETag as If-Match."""
        self.fetch(pk)
        webhook = Webhook.objects.select_for_update().get(pk=pk)
        check_match(request, WebhookSerializer(webhook).data)
        sent = WebhookChangeSerializer(webhook, data=request.data, partial=True)
        sent.is_valid(raise_exception=True)
        for name, value in sent.validated_data.items():
            setattr(webhook, name, value)
        save_webhook(request._request, webhook)
        data = WebhookSerializer(webhook).data
        return Response(data, headers={"ETag": etag_of(data)})

    @extend_schema(operation_id="webhook_delete", responses={204: None})
    def delete(self, request: Request, pk: int) -> Response:
        """Remove the webhook with its deliveries."""
        remove_webhook(request._request, self.fetch(pk))
        return Response(status=204)


class WebhookSecretView(WebhookView):
    """The secret of a webhook."""

    http_method_names = ["post"]

    @with_secret
    @once
    @extend_schema(operation_id="webhook_secret", request=None, responses=WebhookSecretSerializer)
    def post(self, request: Request, pk: int) -> Response:
        """Make a new secret; the earlier one signs nothing any more. Only this answer holds it."""
        webhook = self.fetch(pk)
        renew_secret(request._request, webhook)
        return Response(WebhookSerializer(webhook).data)


class DeliveriesView(ListView):
    """What was sent to a webhook, or waits to be sent; kept for 30 days."""

    serializer_class = DeliverySerializer

    def rows(self) -> QuerySet[WebhookDelivery]:
        webhooks = Webhook.objects.select_related("dataset")
        webhook = fetch_in_dataset(self.request.user, webhooks, self.kwargs["pk"], "dataset", Role.ADJUDICATOR)
        return webhook.deliveries.all()

    @extend_schema(operation_id="deliveries_list", responses=DeliverySerializer(many=True))
    def get(self, request: Request, pk: int) -> Response:
        """The deliveries of the webhook, the oldest first."""
        return super().get(request)


class DeliveryView(ApiView):
    """One delivery."""

    def fetch(self, pk: int) -> WebhookDelivery:
        deliveries = WebhookDelivery.objects.select_related("webhook__dataset")
        return fetch_in_dataset(self.request.user, deliveries, pk, "webhook.dataset", Role.ADJUDICATOR)

    @extend_schema(operation_id="delivery", responses=DeliverySerializer)
    def get(self, request: Request, pk: int) -> Response:
        """The delivery, with its state."""
        return Response(DeliverySerializer(self.fetch(pk), context={"request": request}).data)


class DeliveryRepeatView(DeliveryView):
    """A delivery once more."""

    http_method_names = ["post"]

    @once
    @extend_schema(operation_id="delivery_repeat", request=None, responses={202: DeliverySerializer})
    def post(self, request: Request, pk: int) -> Response:
        """Send it once more, under the same id; 409 while it still waits."""
        delivery = self.fetch(pk)
        if not repeat(delivery):
            raise Conflict("It is being sent or waits to be sent.")
        delivery.refresh_from_db()
        location = reverse("api:delivery", args=[pk])
        return Response(DeliverySerializer(delivery).data, status=202, headers={"Location": location})
