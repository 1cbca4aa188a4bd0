"""Requests, before they are sent."""

from __future__ import annotations

import json
import os
import platform
import uuid
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from keyword import iskeyword
from typing import Any, TypedDict, TypeVar
from urllib.parse import quote, urlencode

import httpx
from pydantic import BaseModel, ValidationError

from ._errors import InvalidResponseError, JobGatewayError
from ._version import __version__

T = TypeVar("T", bound=BaseModel)

MANAGEMENT_TIMEOUT = 60.0
CALL_TIMEOUT = 3600.0
STREAM_TIMEOUT = 60.0
"""Seconds without a byte. The gateway sends a comment after 15 s in which it has sent nothing."""
CONNECT_TIMEOUT = 10.0
"""Seconds: a call may take an hour, but connecting may not."""


class RequestOptions(TypedDict, total=False):
    """What each method takes beside the fields of the API."""

    timeout: float | None
    """Seconds that one attempt may take, of a stream: without a byte. None: no limit."""
    max_retries: int
    """How often the request is repeated at most."""
    idempotency_key: str
    """Of a write: your own key, such as the id of an order. The same key has one effect within 24 hours."""
    extra_headers: Mapping[str, str]
    extra_body: Mapping[str, Any]
    """Fields of the body that this version of the client does not know."""


OPTIONS = frozenset(RequestOptions.__annotations__)


@dataclass
class Request:
    """One operation of the API, with all that its attempts have in common."""

    method: str
    path: str
    arguments: Mapping[str, Any] = field(default_factory=dict)
    """Fields of the API, of the body or of the query of a GET, and the options of the request."""
    headers: dict[str, str] = field(default_factory=dict)
    is_call: bool = False
    is_stream: bool = False
    repeatable: bool = True
    """False: the gateway takes no Idempotency-Key there, and a repetition could have a second effect."""
    has_body: bool = True
    is_continued: bool = False
    """An earlier connection of the same operation was lost."""

    def __post_init__(self) -> None:
        self.options = {name: value for name, value in self.arguments.items() if name in OPTIONS}
        self.fields = {_api_name(name): value for name, value in self.arguments.items() if name not in OPTIONS}
        self.fields.update(self.options.get("extra_body") or {})
        if self.method != "GET":
            self.headers.setdefault("Idempotency-Key", self.options.get("idempotency_key") or str(uuid.uuid4()))
        self.headers.update(self.options.get("extra_headers") or {})

    @property
    def content(self) -> bytes | None:
        if self.method == "GET" or not (self.has_body or self.fields):
            return None
        return json.dumps(self.fields, default=_encode, allow_nan=False, separators=(",", ":")).encode()

    @property
    def target(self) -> str:
        query = list(_pairs(self.fields)) if self.method == "GET" else []
        return f"{self.path}?{urlencode(query)}" if query else self.path


@dataclass
class Settings:
    """How a client reaches the gateway."""

    base_url: str
    key: str
    max_retries: int
    timeout: float | None
    has_timeout: bool
    headers: dict[str, str]

    def retries_of(self, request: Request) -> int:
        return int(request.options.get("max_retries", self.max_retries))

    def timeout_of(self, request: Request) -> float | None:
        if "timeout" in request.options:
            timeout: float | None = request.options["timeout"]
            return timeout
        if self.has_timeout:
            return self.timeout
        if request.is_stream:
            return STREAM_TIMEOUT
        return CALL_TIMEOUT if request.is_call else MANAGEMENT_TIMEOUT

    def http_timeout(self, request: Request) -> httpx.Timeout:
        timeout = self.timeout_of(request)
        return httpx.Timeout(timeout, connect=CONNECT_TIMEOUT if timeout is None else min(timeout, CONNECT_TIMEOUT))

    def headers_of(self, request: Request) -> dict[str, str]:
        content = {"Content-Type": "application/json"} if request.content is not None else {}
        return {
            "User-Agent": f"job-gateway-python/{__version__} Python/{platform.python_version()}",
            "Accept": "application/json",
            **content,
            **({"Authorization": f"Bearer {self.key}"} if self.key else {}),
            **self.headers,
            **request.headers,
        }


class Unset:
    """An argument that was not given, where None has a meaning."""


UNSET = Unset()


def settings(
    base_url: str | None,
    key: str | None,
    variable: str,
    max_retries: int,
    timeout: float | None | Unset,
    headers: Mapping[str, str] | None,
) -> Settings:
    url = (base_url or os.environ.get("JOB_GATEWAY_BASE_URL") or "").rstrip("/")
    key = key or os.environ.get(f"JOB_GATEWAY_{variable}") or ""
    if not url.startswith(("http://", "https://")):
        raise JobGatewayError("base_url is needed, such as https://gateway.example.com, or JOB_GATEWAY_BASE_URL")
    if not key and variable == "API_KEY":
        raise JobGatewayError("api_key is needed, or JOB_GATEWAY_API_KEY")
    given = not isinstance(timeout, Unset)
    return Settings(url, key, max_retries, None if isinstance(timeout, Unset) else timeout, given, dict(headers or {}))


def path(template: str, *values: str) -> str:
    """A path with ids in it. An id that would change the path is refused."""
    for value in values:
        if not value or value in (".", ".."):
            raise JobGatewayError(f"{value!r} is no id, for {template}")
    return template.format(*(quote(str(value), safe="") for value in values))


def parse(model: type[T], response: httpx.Response) -> T:
    """The answer of a success."""
    try:
        return model.model_validate_json(response.content)
    except ValidationError:
        pass
    try:
        # Half a surrogate pair, which a model has answered, is no text: it becomes a replacement character.
        text = json.dumps(response.json(), ensure_ascii=False)
        return model.model_validate_json(text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace"))
    except (ValueError, ValidationError) as error:
        raise invalid(response) from error


def invalid(response: httpx.Response) -> InvalidResponseError:
    try:
        body: Any = response.json()
    except ValueError:
        body = response.text
    return InvalidResponseError(response.status_code, body, response.headers)


def _api_name(argument: str) -> str:
    """`from_` is `from`, which is a word of Python."""
    return argument[:-1] if argument.endswith("_") and iskeyword(argument[:-1]) else argument


def _encode(value: Any) -> Any:
    if isinstance(value, BaseModel):
        return value.model_dump(mode="json", by_alias=True, exclude_unset=True)
    if isinstance(value, (datetime, date)):
        return value.isoformat()
    if isinstance(value, uuid.UUID):
        return str(value)
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, (set, frozenset, tuple)):
        return list(value)
    raise TypeError(f"{type(value).__name__} cannot be sent as JSON")


def _pairs(fields: Mapping[str, Any]) -> list[tuple[str, str]]:
    pairs: list[tuple[str, str]] = []
    for name, value in fields.items():
        if isinstance(value, Mapping):
            pairs += [(f"{name}[{key}]", _text(item)) for key, item in value.items()]
        elif isinstance(value, (list, tuple, set, frozenset)):
            pairs += [(name, _text(item)) for item in value]
        elif value is not None:
            pairs.append((name, _text(value)))
    return pairs


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return value.isoformat() if isinstance(value, (datetime, date)) else str(value)
