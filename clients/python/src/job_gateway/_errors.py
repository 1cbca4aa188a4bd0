"""The errors that the client raises."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any


class JobGatewayError(Exception):
    """The base of all errors of this library."""


class APIConnectionError(JobGatewayError):
    """The gateway was not reached, or the connection was lost, and repetitions have not helped."""


class APITimeoutError(APIConnectionError):
    """The gateway has not answered in time."""


class WebhookVerificationError(JobGatewayError):
    """A webhook request whose signature or time is wrong: answer it with 400."""


class APIError(JobGatewayError):
    """An answer of the gateway that is not a success."""

    def __init__(self, status: int, body: Any, headers: Mapping[str, str], retry_after: float | None = None) -> None:
        fields: dict[str, Any] = body if isinstance(body, dict) else {}
        self.status = status
        self.body = body
        self.headers = headers
        self.code: str | None = fields.get("code")
        """Why, for programs. A code that you do not know is to be treated by its status."""
        self.detail: Any = fields.get("detail")
        """Why, for people: a sentence, or of a 422 a list of `{loc, msg, type}`."""
        self.request_id: str | None = headers.get("x-request-id")
        """Give it to the operator of the gateway."""
        self.retry_after = retry_after
        """Seconds after which a repetition may succeed."""
        self.job_id: str | None = headers.get("x-job-id")
        self.call_id: str | None = headers.get("x-call-id")
        super().__init__(self._message())

    def _message(self) -> str:
        detail = self.detail
        if isinstance(detail, list):
            detail = "; ".join(_problem(item) for item in detail)
        elif detail is None:
            detail = self.body if isinstance(self.body, str) else json.dumps(self.body)
            detail = detail[:200]
        code = f" {self.code}" if self.code else ""
        request_id = f" (request {self.request_id})" if self.request_id else ""
        return f"{self.status}{code}: {detail}{request_id}"

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.status, self.body, dict(self.headers), self.retry_after)


class BadRequestError(APIError):
    """400"""


class AuthenticationError(APIError):
    """401: the key is missing, unknown, expired or revoked."""


class PaymentRequiredError(APIError):
    """402: a cap of the budget of the job is reached. It is never repeated."""


class PermissionDeniedError(APIError):
    """403: the key may not do this, or credits are missing."""


class NotFoundError(APIError):
    """404"""


class ConflictError(APIError):
    """409: the job has ended, or the state is another one that does not allow it."""


class UnprocessableEntityError(APIError):
    """422: `detail` is a list of what is wrong and where."""


class RateLimitError(APIError):
    """429: a limit, and repetitions have not helped."""


class InternalServerError(APIError):
    """5xx"""


class CallFailedError(InternalServerError):
    """The call has failed. Its job stays open: call again, or end it. It is never repeated by the client."""

    @property
    def error_code(self) -> str | None:
        """Why the call failed, where the gateway states that, such as `context_length_exceeded`."""
        value = self.body.get("error_code") if isinstance(self.body, dict) else None
        return value if isinstance(value, str) else None


class InvalidResponseError(APIError):
    """A success whose body is not what this version of the client expects. `body` has it."""

    def _message(self) -> str:
        return f"unexpected answer with status {self.status}: {str(self.body)[:500]}"


_BY_STATUS: dict[int, type[APIError]] = {
    400: BadRequestError,
    401: AuthenticationError,
    402: PaymentRequiredError,
    403: PermissionDeniedError,
    404: NotFoundError,
    409: ConflictError,
    422: UnprocessableEntityError,
    429: RateLimitError,
}


def error_of(status: int, headers: Mapping[str, str], text: str, retry_after: float | None) -> APIError:
    """The error of an answer that is not a success."""
    try:
        body: Any = json.loads(text)
    except ValueError:
        body = text
    code = body.get("code") if isinstance(body, dict) else None
    kind = _BY_STATUS.get(status, InternalServerError if status >= 500 else APIError)
    if status == 500 and code == "call_failed":
        kind = CallFailedError
    return kind(status, body, headers, retry_after)


def call_failed(message: str, code: str, job_id: str | None, call_id: str | None, **more: Any) -> CallFailedError:
    """The error of a call of which there is no answer with a status: of a stream, or of one that was waited for."""
    headers = {"x-job-id": job_id, "x-call-id": call_id}
    body = {"detail": message, "code": code, **more}
    return CallFailedError(500, body, {name: value for name, value in headers.items() if value})


def _problem(item: Any) -> str:
    if not isinstance(item, dict):
        return str(item)
    return f"{'.'.join(str(part) for part in item.get('loc', []))}: {item.get('msg')}"
