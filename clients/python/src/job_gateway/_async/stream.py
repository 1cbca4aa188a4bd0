"""An answer that is read while it is made."""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator

import anyio
import httpx

from .. import models
from .._chunks import AnswerInChunks, StreamedResponse
from .._errors import APIConnectionError, CallFailedError, InvalidResponseError, JobGatewayError, NotFoundError
from .._requests import Request, path
from .._retries import backoff
from .._sse import EventDecoder
from .transport import AsyncClosable, AsyncTransport, connection_error


class AsyncStream(AsyncClosable):
    """
    The text of an answer, piece by piece. A connection that is cut is replaced by another one, without a character lost
    or doubled. The request is sent when the first piece is read. Leaving a stream does not end its call: `stop()` does.
    """

    def __init__(
        self, transport: AsyncTransport, request: Request, job_id: str | None = None, call_id: str | None = None
    ) -> None:
        self._transport = transport
        self._request = request
        self._answer = AnswerInChunks(job_id, call_id)
        self._reads = call_id is not None
        self._events = self._receive()

    @property
    def job_id(self) -> str | None:
        """The job of the call. Of `create_and_call` it is known with the first piece."""
        return self._answer.job_id

    @property
    def call_id(self) -> str | None:
        """Known with the first piece."""
        return self._answer.call_id

    def events(self) -> AsyncIterator[models.ChatCompletionChunk]:
        """The chunks of the answer, which have tool calls, the finish reason and the usage too."""
        return self._events

    async def __aiter__(self) -> AsyncIterator[str]:
        async for chunk in self._events:
            for choice in chunk.choices:
                if choice.delta.content:
                    yield choice.delta.content

    async def final_response(self) -> StreamedResponse:
        """The whole answer, when the stream has ended."""
        async for _ in self._events:
            pass
        if not self._answer.done:
            raise APIConnectionError("the stream was closed before its end")
        return self._answer.final()

    async def stop(self) -> models.CallWithPayload:
        """Ends the call with what it has produced so far, which the stream then completes with."""
        if self.job_id is None or self.call_id is None:
            raise APIConnectionError("the call has not begun: read the first piece of the stream before it is stopped")
        url = path("/api/jobs/{}/calls/{}/stop", self.job_id, self.call_id)
        return await self._transport.request(models.CallWithPayload, Request("POST", url, has_body=False))

    async def close(self) -> None:
        """Ends the connection. The call goes on."""
        await self._events.aclose()

    async def _receive(self) -> AsyncGenerator[models.ChatCompletionChunk, None]:
        answer = self._answer
        failures = 0
        while not answer.done:
            response = await self._open()
            error: JobGatewayError = APIConnectionError("the stream ended before its last event")
            try:
                decoder = EventDecoder()
                async for piece in response.aiter_bytes():
                    for event in decoder.feed(piece):
                        chunk = answer.receive(event)
                        failures = 0
                        if chunk:
                            yield chunk
                    if answer.done:
                        return
            except httpx.RequestError as raised:
                error = connection_error(raised)
            except CallFailedError as raised:
                if raised.code != "unavailable" or answer.has_begun:
                    raise
                # No worker came, and the call has had no effect, as with a 503.
                error = raised
                answer.restart()
                self._reads = False
            finally:
                await response.aclose()
            failures += 1
            self._request.is_continued = True
            if failures > self._transport.settings.retries_of(self._request):
                raise error
            if failures > 1:
                await anyio.sleep(backoff(failures - 2))

    async def _open(self) -> httpx.Response:
        """The next connection: the call itself, or where that was cut, its answer read from where it was left."""
        answer = self._answer
        if self._reads:
            try:
                return self._begun(await self._transport.send(self._reading(), stream=True))
            except NotFoundError:
                # The call was retracted with the process that took it. The request makes it, under the same key.
                if self._request.method == "GET":
                    raise
                answer.restart()
        return self._begun(await self._transport.send(self._request, stream=True))

    def _begun(self, response: httpx.Response) -> httpx.Response:
        answer = self._answer
        answer.job_id = response.headers.get("x-job-id") or answer.job_id
        answer.call_id = response.headers.get("x-call-id") or answer.call_id
        self._reads = bool(answer.job_id and answer.call_id)
        answer.begin()
        if response.status_code == 204:
            answer.done = True
        elif "event-stream" not in response.headers.get("content-type", ""):
            raise InvalidResponseError(response.status_code, None, response.headers)
        return response

    def _reading(self) -> Request:
        answer = self._answer
        if self._request.method == "GET":
            url = self._request.path
        else:
            url = path("/api/jobs/{}/calls/{}/stream", answer.job_id or "", answer.call_id or "")
        last = {"Last-Event-ID": answer.last_event_id} if answer.last_event_id else {}
        options = {name: value for name, value in self._request.options.items() if name in ("timeout", "max_retries")}
        headers = {"Accept": "text/event-stream", **last}
        is_continued = self._request.is_continued
        return Request("GET", url, options, headers=headers, is_stream=True, is_continued=is_continued)
