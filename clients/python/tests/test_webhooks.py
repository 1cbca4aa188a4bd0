"""Webhook requests: those that a gateway has sent, and those that somebody else has."""

from __future__ import annotations

import base64
import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any

import pytest
from conftest import MESSAGES, Team

from job_gateway import WebhookVerificationError, verify_webhook
from job_gateway.webhooks import JobCompletedEvent, UnknownEvent

Delivery = tuple[bytes, dict[str, str]]


class Receiver:
    def __init__(self) -> None:
        received: list[Delivery] = []
        arrived = threading.Semaphore(0)

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                received.append((self.rfile.read(int(self.headers["Content-Length"])), dict(self.headers.items())))
                self.send_response(200)
                self.end_headers()
                arrived.release()

            def log_message(self, *_: Any) -> None:
                pass

        self.received = received
        self.arrived = arrived
        self.server = HTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}/"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def next(self) -> Delivery:
        assert self.arrived.acquire(timeout=30)
        return self.received[-1]


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    receiver = Receiver()
    yield receiver
    receiver.server.shutdown()


def test_a_delivery_is_verified_and_typed(team: Team, receiver: Receiver) -> None:
    gateway = team.gateway()
    secret = gateway.webhooks.register(webhook_url=receiver.url, events=["job.completed"]).secret
    with gateway.jobs.run(job_type="report", metadata={"cart": "c-1"}) as job:
        job.call(model_group=team.model, messages=MESSAGES)

    body, headers = receiver.next()
    event = verify_webhook(body, headers, secret)

    assert isinstance(event, JobCompletedEvent)
    assert (event.job_id, event.data.metadata, event.data.total_calls) == (job.job_id, {"cart": "c-1"}, 1)
    assert event.data.credit_applied is True
    for other in (body + b" ", body.replace(b"report", b"raport")):
        with pytest.raises(WebhookVerificationError, match="signature"):
            verify_webhook(other, headers, secret)


def test_each_secret_of_a_rotation_fits_its_delivery(team: Team, receiver: Receiver) -> None:
    gateway = team.gateway()
    webhooks = [gateway.webhooks.register(webhook_url=receiver.url, events=["job.completed"]) for _ in range(2)]

    for webhook in webhooks:
        gateway.webhooks.test(webhook.webhook_id)
        body, headers = receiver.next()
        event = verify_webhook(body, headers, [one.secret for one in webhooks])
        assert event.event == "webhook.test" and event.data.webhook_id == webhook.webhook_id
        other = next(one.secret for one in webhooks if one is not webhook)
        with pytest.raises(WebhookVerificationError):
            verify_webhook(body, headers, other)
        with pytest.raises(WebhookVerificationError):
            verify_webhook(body, headers, [])


# The example of the specification of Standard Webhooks, with a body of the gateway.
SECRET = "whsec_" + base64.b64encode(b"0123456789abcdef01234567").decode()
BODY = json.dumps({"event": "job.paused", "job_id": None, "team_id": "t", "timestamp": "2026-01-31T12:00:00.000Z"})
TIME = 1_769_860_800


def signed(body: str = BODY, secret: str = SECRET, timestamp: str = str(TIME)) -> dict[str, str]:
    import hashlib
    import hmac

    key = base64.b64decode(secret.removeprefix("whsec_"))
    digest = hmac.new(key, f"m1.{timestamp}.{body}".encode(), hashlib.sha256).digest()
    signature = f"v1,{base64.b64encode(digest).decode()}"
    return {"webhook-id": "m1", "webhook-timestamp": timestamp, "webhook-signature": signature}


def test_an_event_of_a_later_version_has_its_fields() -> None:
    event = verify_webhook(BODY, signed(), SECRET, now=TIME)

    assert isinstance(event, UnknownEvent) and event.event == "job.paused"


def test_one_of_several_signatures_is_enough() -> None:
    headers = signed()
    headers["webhook-signature"] = f"v1a,abc v1,!!! v1,AAAA {headers['webhook-signature']}"
    upper = {name.upper(): value for name, value in headers.items()}

    assert verify_webhook(BODY.encode(), upper, SECRET.removeprefix("whsec_"), now=TIME).team_id == "t"


@pytest.mark.parametrize("late", [-301, 301])
def test_a_time_out_of_tolerance_is_refused(late: int) -> None:
    with pytest.raises(WebhookVerificationError, match="too far"):
        verify_webhook(BODY, signed(), SECRET, now=TIME + late)
    assert verify_webhook(BODY, signed(), SECRET, now=TIME + late, tolerance_seconds=400)


@pytest.mark.parametrize(
    "change",
    [
        {"webhook-id": ""},
        {"webhook-id": "m2"},
        {"webhook-timestamp": str(TIME + 1)},
        {"webhook-timestamp": "soon"},
        {"webhook-timestamp": "٣"},
        {"webhook-signature": ""},
        {"webhook-signature": "v1,"},
        {"webhook-signature": "v2,AAAA"},
        {"webhook-signature": signed()["webhook-signature"][3:]},
    ],
    ids=str,
)
def test_a_wrong_header_is_refused(change: dict[str, str]) -> None:
    with pytest.raises(WebhookVerificationError):
        verify_webhook(BODY, {**signed(), **change}, SECRET, now=TIME)


@pytest.mark.parametrize("secret", ["", "whsec_", "whsec_ü", "not base64!"])
def test_a_secret_that_is_none_is_refused(secret: str) -> None:
    with pytest.raises(WebhookVerificationError):
        verify_webhook(BODY, signed(), secret, now=TIME)


@pytest.mark.parametrize("body", ["", "[]", "{}", "no json", '{"event": 1}', '{"event": "job.completed"}'])
def test_a_signed_body_that_is_no_event_is_refused(body: str) -> None:
    with pytest.raises(WebhookVerificationError):
        verify_webhook(body, signed(body), SECRET, now=TIME)


def test_a_body_that_was_parsed_before_is_an_error_of_the_library() -> None:
    body: Any = {"event": "job.completed"}
    sent = {"webhook-id": "1", "webhook-timestamp": "1", "webhook-signature": "v1,"}

    with pytest.raises(WebhookVerificationError, match="as they arrived"):
        verify_webhook(body, sent, "whsec_" + base64.b64encode(b"secret").decode())
