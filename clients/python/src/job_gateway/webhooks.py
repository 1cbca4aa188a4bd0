"""Verification of webhook requests: Standard Webhooks 1.0."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import time
from collections.abc import Iterable
from datetime import datetime
from typing import Any, Literal, Protocol, TypeAlias, get_args, get_type_hints

from pydantic import ValidationError

from ._base import Answer
from ._errors import WebhookVerificationError

TOLERANCE_SECONDS = 300


class _Event(Answer):
    team_id: str
    timestamp: datetime


class _OfJob(Answer):
    job_type: str | None = None
    external_task_id: str | None = None
    user_id: str | None = None
    metadata: dict[str, Any] | None = None
    """None also if it has more than 2,048 bytes."""


class _OfEndedJob(_OfJob):
    total_calls: int
    failed_calls: int
    total_tokens: int
    total_cost_usd: float
    credit_applied: bool | None = None
    credits_charged: int | None = None
    duration_seconds: float | None = None


class JobCreatedEvent(_Event):
    event: Literal["job.created"]
    job_id: str
    data: _OfJob


class JobStartedData(_OfJob):
    started_at: datetime | None = None


class JobStartedEvent(_Event):
    event: Literal["job.started"]
    job_id: str
    data: JobStartedData


class JobCompletedEvent(_Event):
    event: Literal["job.completed"]
    job_id: str
    data: _OfEndedJob


class JobFailedData(_OfEndedJob):
    error_message: str | None = None


class JobFailedEvent(_Event):
    event: Literal["job.failed"]
    job_id: str
    data: JobFailedData


class JobCancelledData(_OfEndedJob):
    reason: str | None = None


class JobCancelledEvent(_Event):
    event: Literal["job.cancelled"]
    job_id: str
    data: JobCancelledData


class JobBudgetReachedData(_OfJob):
    cap: str
    limit: float | None = None
    spent: float | None = None
    held: float | None = None
    needed: float | None = None


class JobBudgetReachedEvent(_Event):
    event: Literal["job.budget_reached"]
    job_id: str
    data: JobBudgetReachedData


class CallEndedData(_OfJob):
    call_id: str
    purpose: str | None = None
    total_tokens: int | None = None
    latency_ms: int | None = None
    error: str | None = None


class CallCompletedEvent(_Event):
    event: Literal["call.completed"]
    job_id: str
    data: CallEndedData


class CallFailedEvent(_Event):
    event: Literal["call.failed"]
    job_id: str
    data: CallEndedData


class CreditsThresholdData(Answer):
    threshold: int
    credits_remaining: int
    transaction_id: str | None = None
    transaction_type: str | None = None


class CreditsThresholdEvent(_Event):
    event: Literal["credits.threshold"]
    job_id: str | None
    data: CreditsThresholdData


class CreditsExhaustedData(Answer):
    reason: str
    credits_remaining: int | None = None
    credits_available: int | None = None


class CreditsExhaustedEvent(_Event):
    event: Literal["credits.exhausted"]
    job_id: str | None
    data: CreditsExhaustedData


class AttentionSubjectData(Answer):
    type: str
    id: str
    name: str
    team_id: str | None = None


class AttentionData(Answer):
    attention_id: str
    """The same in the event that opens it and the one that closes it."""
    kind: str
    severity: str
    subject: AttentionSubjectData
    since: datetime | None = None
    sentence: str
    """For people: what is the matter, or what is over."""
    link: str
    """The page of the console: a path where the gateway has no PUBLIC_URL."""


class _OfInstallation(Answer):
    team_id: None
    job_id: None
    timestamp: datetime


class AttentionOpenedEvent(_OfInstallation):
    event: Literal["attention.opened"]
    data: AttentionData


class AttentionClosedData(AttentionData):
    ended_at: datetime


class AttentionClosedEvent(_OfInstallation):
    event: Literal["attention.closed"]
    data: AttentionClosedData


class WebhookTestData(Answer):
    webhook_id: str


class WebhookTestEvent(Answer):
    event: Literal["webhook.test"]
    job_id: str
    team_id: str | None
    """None of a webhook of the installation."""
    timestamp: datetime
    data: WebhookTestData


class UnknownEvent(Answer):
    """An event that this version of the client does not know: answer it with 200."""

    event: str
    team_id: str | None = None
    timestamp: datetime
    job_id: str | None = None
    data: dict[str, Any] = {}


WebhookEvent: TypeAlias = (
    JobCreatedEvent
    | JobStartedEvent
    | JobCompletedEvent
    | JobFailedEvent
    | JobCancelledEvent
    | JobBudgetReachedEvent
    | CallCompletedEvent
    | CallFailedEvent
    | CreditsThresholdEvent
    | CreditsExhaustedEvent
    | AttentionOpenedEvent
    | AttentionClosedEvent
    | WebhookTestEvent
)
"""The events, which `event.event == "job.completed"` tells apart. One that is not among them is an UnknownEvent."""

_CLASSES: dict[str, type[Answer]] = {
    get_args(get_type_hints(kind)["event"])[0]: kind for kind in get_args(WebhookEvent)
}


class Headers(Protocol):
    """The headers of a request, of any framework."""

    def items(self) -> Iterable[tuple[str, Any]]: ...


def verify_webhook(
    body: bytes | str,
    headers: Headers,
    secret: str | Iterable[str],
    *,
    tolerance_seconds: float = TOLERANCE_SECONDS,
    now: float | None = None,
) -> WebhookEvent:
    """
    The event of a webhook request. Raises WebhookVerificationError where its signature or its time is wrong.

    body: the bytes as they arrived; JSON that was parsed and written again has another signature.
    secret: the secret of the registration, or several of which one has to fit, during a rotation.
    """
    if not isinstance(body, (bytes, bytearray, memoryview, str)):
        raise WebhookVerificationError("the body has to be the bytes as they arrived")
    raw = body.encode() if isinstance(body, str) else bytes(body)
    sent = {name.lower(): _text(value) for name, value in headers.items()}
    message_id, timestamp, signatures = (
        sent.get(f"webhook-{name}", "").strip() for name in ("id", "timestamp", "signature")
    )
    if not (message_id and timestamp and signatures):
        raise WebhookVerificationError("webhook-id, webhook-timestamp or webhook-signature is missing")
    if not (timestamp.isascii() and timestamp.isdigit()):
        raise WebhookVerificationError("webhook-timestamp is no number")
    if abs((time.time() if now is None else now) - int(timestamp)) > tolerance_seconds:
        raise WebhookVerificationError("webhook-timestamp is too far from the time of this machine")
    signed = f"{message_id}.{timestamp}.".encode() + raw
    given = [_decoded(one[3:]) for one in signatures.split() if one.startswith("v1,")]
    secrets = [secret] if isinstance(secret, str) else list(secret)
    expected = [hmac.new(_key(one), signed, hashlib.sha256).digest() for one in secrets]
    # Every pair is compared, so that the time does not depend on which one fits.
    if not any([hmac.compare_digest(one, other) for one in expected for other in given]):
        raise WebhookVerificationError("no signature fits")
    try:
        kind: Any = _CLASSES.get(json.loads(raw)["event"], UnknownEvent)
        event: WebhookEvent = kind.model_validate_json(raw)
        return event
    except (ValidationError, ValueError, KeyError, TypeError) as error:
        raise WebhookVerificationError(f"the body is no event of the gateway: {error}") from error


def _text(value: Any) -> str:
    if isinstance(value, (list, tuple)):
        value = value[0] if value else ""
    return value.decode("latin-1") if isinstance(value, bytes) else str(value)


def _key(secret: str) -> bytes:
    try:
        key = base64.b64decode(secret.removeprefix("whsec_"), validate=True)
    except (binascii.Error, ValueError) as error:
        raise WebhookVerificationError("the secret is not that of a webhook: whsec_…") from error
    if not key:
        raise WebhookVerificationError("the secret is empty")
    return key


def _decoded(value: str) -> bytes:
    try:
        return base64.b64decode(value, validate=True)
    except (binascii.Error, ValueError):
        return b""
