"""The client of the job gateway."""

from . import models, params, webhooks
from ._async.calls import AsyncCall, AsyncRetrievedCall
from ._async.client import AsyncJobGateway, AsyncJobGatewayAdmin
from ._async.jobs import AsyncJob, AsyncListedJob, AsyncRetrievedJob
from ._async.pages import AsyncPages
from ._async.stream import AsyncStream
from ._chunks import StreamedResponse
from ._errors import (
    APIConnectionError,
    APIError,
    APITimeoutError,
    AuthenticationError,
    BadRequestError,
    CallFailedError,
    ConflictError,
    InternalServerError,
    InvalidResponseError,
    JobGatewayError,
    NotFoundError,
    PaymentRequiredError,
    PermissionDeniedError,
    RateLimitError,
    UnprocessableEntityError,
    WebhookVerificationError,
)
from ._requests import RequestOptions
from ._sync.calls import Call, RetrievedCall
from ._sync.client import JobGateway, JobGatewayAdmin
from ._sync.jobs import Job, ListedJob, RetrievedJob
from ._sync.pages import Pages
from ._sync.stream import Stream
from ._version import __version__
from .webhooks import WebhookEvent, verify_webhook

__all__ = [
    "APIConnectionError",
    "APIError",
    "APITimeoutError",
    "AsyncCall",
    "AsyncJob",
    "AsyncJobGateway",
    "AsyncJobGatewayAdmin",
    "AsyncListedJob",
    "AsyncPages",
    "AsyncRetrievedCall",
    "AsyncRetrievedJob",
    "AsyncStream",
    "AuthenticationError",
    "BadRequestError",
    "Call",
    "CallFailedError",
    "ConflictError",
    "InternalServerError",
    "InvalidResponseError",
    "Job",
    "JobGateway",
    "JobGatewayAdmin",
    "JobGatewayError",
    "ListedJob",
    "NotFoundError",
    "Pages",
    "PaymentRequiredError",
    "PermissionDeniedError",
    "RateLimitError",
    "RequestOptions",
    "RetrievedCall",
    "RetrievedJob",
    "Stream",
    "StreamedResponse",
    "UnprocessableEntityError",
    "WebhookEvent",
    "WebhookVerificationError",
    "__version__",
    "models",
    "params",
    "verify_webhook",
    "webhooks",
]
