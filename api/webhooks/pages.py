"""The pages of a dataset's webhooks, for adjudicators."""

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_POST

from annotate.access import MemberRequest, fetch_dataset, fetch_in_dataset
from annotate.models import Role
from api.models import Webhook, WebhookDelivery
from api.webhooks.change import add_webhook, remove_webhook, renew_secret, repeat, save_webhook
from api.webhooks.delivery_job import WebhookJob
from api.webhooks.forms import WebhookChangeForm, WebhookForm
from api.webhooks.sign import secret_of
from core.errors import DataError
from jobs.models import is_worker_alive

PAGE = 50


@require_http_methods(["GET", "HEAD", "POST"])
def webhooks(request: MemberRequest, pk: int) -> HttpResponse:
    """The webhooks of a dataset; with POST, one more, whose secret is on the answer and nowhere else."""
    dataset = fetch_dataset(request.user, pk, Role.ADJUDICATOR)
    form = WebhookForm(request.POST if request.method == "POST" else None)
    if form.is_bound and form.is_valid():
        try:
            return _secret(request, add_webhook(request, dataset, request.user, **form.cleaned_data))
        except DataError as error:
            form.add_error(None, str(error))
    context = {
        "dataset": dataset,
        "role": Role.ADJUDICATOR,
        "tab": "settings",
        "form": form,
        "webhooks": dataset.webhooks.all(),
    }
    return render(request, "webhooks/webhooks.html", context, status=422 if form.is_bound else 200)


@require_http_methods(["GET", "HEAD", "POST"])
def webhook(request: MemberRequest, pk: int) -> HttpResponse:
    """One webhook: its deliveries, the newest first, and its form."""
    webhook = _fetch(request, pk)
    form = WebhookChangeForm(request.POST if request.method == "POST" else None, instance=webhook)
    if form.is_bound and form.is_valid():
        save_webhook(request, webhook)
        messages.success(request, "Saved.")
        return redirect("webhook", pk)
    if form.is_bound:
        webhook.refresh_from_db()
    context = {
        "dataset": webhook.dataset,
        "role": Role.ADJUDICATOR,
        "tab": "settings",
        "form": form,
        "webhook": webhook,
        "page": Paginator(webhook.deliveries.order_by("-pk"), PAGE).get_page(request.GET.get("page")),
        "worker_alive": is_worker_alive(WebhookJob.queue),
    }
    return render(request, "webhooks/webhook.html", context, status=422 if form.is_bound else 200)


@require_POST
def webhook_secret(request: MemberRequest, pk: int) -> HttpResponse:
    """A new secret, on this one answer."""
    webhook = _fetch(request, pk)
    renew_secret(request, webhook)
    return _secret(request, webhook)


@require_POST
def webhook_delete(request: MemberRequest, pk: int) -> HttpResponse:
    webhook = _fetch(request, pk)
    remove_webhook(request, webhook)
    messages.success(request, "The webhook is deleted.")
    return redirect("webhooks", webhook.dataset_id)


@require_POST
def delivery_repeat(request: MemberRequest, pk: int) -> HttpResponse:
    """Send a message once more, under the same id."""
    deliveries = WebhookDelivery.objects.select_related("webhook__dataset")
    delivery = fetch_in_dataset(request.user, deliveries, pk, "webhook.dataset", Role.ADJUDICATOR)
    if repeat(delivery):
        messages.success(request, "The message is sent once more.")
    return redirect("webhook", delivery.webhook_id)


def _fetch(request: MemberRequest, pk: int) -> Webhook:
    webhooks = Webhook.objects.select_related("dataset")
    return fetch_in_dataset(request.user, webhooks, pk, "dataset", Role.ADJUDICATOR)


def _secret(request: MemberRequest, webhook: Webhook) -> HttpResponse:
    context = {
        "dataset": webhook.dataset,
        "role": Role.ADJUDICATOR,
        "tab": "settings",
        "webhook": webhook,
        "secret": secret_of(webhook),
    }
    return render(request, "webhooks/secret.html", context)
