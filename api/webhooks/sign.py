"""The secret of a webhook, and the signature of what is sent to it, as Standard Webhooks defines them.

The secret is stored nowhere: it is made of the row's nonce and of SECRET_KEY.
"""

import hmac
from base64 import b64encode
from hashlib import sha256
from secrets import token_hex

from django.utils.crypto import salted_hmac

from api.models import Webhook

PREFIX = "whsec_"


def new_nonce() -> str:
    return token_hex(32)


def key_of(webhook: Webhook) -> bytes:
    """32 bytes."""
    return salted_hmac("api.webhooks", webhook.nonce, algorithm="sha256").digest()


def secret_of(webhook: Webhook) -> str:
    """The key as people copy it."""
    return PREFIX + b64encode(key_of(webhook)).decode()


def sign(key: bytes, message_id: str, timestamp: int, body: bytes) -> str:
    """HMAC-SHA256 over "id.timestamp.body". `timestamp`: seconds since 1970."""
    signed = f"{message_id}.{timestamp}.".encode() + body
    return "v1," + b64encode(hmac.new(key, signed, sha256).digest()).decode()
