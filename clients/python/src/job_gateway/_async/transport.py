"""Sends requests, and repeats them."""

from __future__ import annotations

from types import TracebackType

import anyio
import httpx
from typing_extensions import Self

from .._errors import APIConnectionError, APIError, APITimeoutError, JobGatewayError, error_of
from .._requests import Request, Settings, T, parse
from .._retries import Attempts, retry_after

LIMITS = httpx.Limits(max_connections=1000, max_keepalive_connections=100)


class AsyncTransport:
    """The connections to one gateway."""

    def __init__(self, settings: Settings, http_client: httpx.AsyncClient | None) -> None:
        self.settings = settings
        self.http = http_client or httpx.AsyncClient(limits=LIMITS)
        self._is_own = http_client is None

    async def request(self, model: type[T], request: Request) -> T:
        return parse(model, await self.send(request))

    async def send(self, request: Request, stream: bool = False) -> httpx.Response:
        """A success; of a stream without its body. Raises what no repetition has helped against."""
        settings = self.settings
        attempts = Attempts(
            settings.retries_of(request), settings.timeout_of(request), request.repeatable, request.is_continued
        )
        while True:
            if self.http.is_closed:
                raise JobGatewayError("the client is closed")
            error: APIConnectionError | APIError
            never_sent = False
            try:
                response = await self.http.send(self._built(request), stream=stream)
                if response.is_success:
                    return response
                await response.aread()
                if stream:
                    await response.aclose()
                error = error_of(response.status_code, response.headers, response.text, retry_after(response.headers))
                cause: Exception | None = None
            except httpx.RequestError as raised:
                error = connection_error(raised)
                cause = raised
                never_sent = isinstance(raised, (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout))
            delay = attempts.delay_after(error, never_sent)
            if delay is None:
                raise error from cause
            await anyio.sleep(delay)

    def _built(self, request: Request) -> httpx.Request:
        settings = self.settings
        return self.http.build_request(
            request.method,
            settings.base_url + request.target,
            content=request.content,
            headers=settings.headers_of(request),
            timeout=settings.http_timeout(request),
        )

    async def close(self) -> None:
        if self._is_own:
            await self.http.aclose()


def connection_error(error: httpx.RequestError) -> APIConnectionError:
    kind = APITimeoutError if isinstance(error, httpx.TimeoutException) else APIConnectionError
    return kind(f"{type(error).__name__}: {error}" if str(error) else type(error).__name__)


class AsyncClosable:
    """Something that is open until it is closed, by itself or at the end of a `with`."""

    async def close(self) -> None:
        raise NotImplementedError

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()
