"""Calls that are read later."""

from __future__ import annotations

import time

from pydantic import PrivateAttr
from typing_extensions import Unpack

from .. import _arguments, models
from .._base import Answer
from .._calls import answer_of, response_of
from .._errors import APITimeoutError
from .._requests import Request, RequestOptions, path
from .pages import AsyncPages, list_pages
from .stream import AsyncStream
from .transport import AsyncTransport

WAIT_SECONDS = 50
"""How long the gateway holds a request that waits for the end of a call."""
WHOLE = 268_435_456
"""Bytes: an answer is never cut."""


class AsyncCallMethods(Answer):
    """What can be done with a call, whoever made it."""

    job_id: str
    call_id: str
    status: str
    _transport: AsyncTransport = PrivateAttr()

    def _url(self, *more: str) -> str:
        return "/".join([path("/api/jobs/{}/calls/{}", self.job_id, self.call_id), *more])

    async def wait(self, timeout: float | None = None) -> models.CallResponse:
        """The answer, when the call has ended. Raises CallFailedError, or after `timeout` APITimeoutError."""
        until = None if timeout is None else time.monotonic() + timeout
        while True:
            left = WAIT_SECONDS if until is None else max(0, min(WAIT_SECONDS, int(until - time.monotonic())))
            query = {"wait": left, "include": ["response"], "max_bytes": WHOLE, "timeout": left + 30.0}
            call = await self._transport.request(models.CallWithPayload, Request("GET", self._url(), query))
            self.status = call.status
            if call.status not in ("queued", "running"):
                answer = answer_of(call)
                return answer or response_of(call, (await self.stream().final_response()).response)
            if until is not None and time.monotonic() >= until - 1:
                raise APITimeoutError(f"call {self.call_id} is still {call.status}; it goes on")

    async def retrieve(self, **arguments: Unpack[_arguments.GetJobCallArguments]) -> models.CallWithPayload:
        """The call as it is now. `include=["request", "response"]` adds the texts."""
        call = await self._transport.request(models.CallWithPayload, Request("GET", self._url(), arguments))
        self.status = call.status
        return call

    def stream(self, **options: Unpack[RequestOptions]) -> AsyncStream:
        """The answer from its start, of any call, also of one that has ended."""
        headers = {"Accept": "text/event-stream"}
        request = Request("GET", self._url("stream"), options, headers=headers, is_stream=True)
        return AsyncStream(self._transport, request, self.job_id, self.call_id)

    async def stop(self, **options: Unpack[RequestOptions]) -> models.CallWithPayload:
        """Ends the call with what it has produced so far: it has succeeded with that."""
        request = Request("POST", self._url("stop"), options, has_body=False)
        call = await self._transport.request(models.CallWithPayload, request)
        self.status = call.status
        return call


class AsyncCall(AsyncCallMethods, models.AcceptedCall):
    """A call that goes on in the background."""


class AsyncRetrievedCall(AsyncCallMethods, models.CallWithPayload):
    """A call as it is recorded."""


class AsyncCalls:
    """The calls of one job."""

    def __init__(self, transport: AsyncTransport, job_id: str) -> None:
        self._transport = transport
        self._url = path("/api/jobs/{}/calls", job_id)

    async def retrieve(self, call_id: str, **arguments: Unpack[_arguments.GetJobCallArguments]) -> AsyncRetrievedCall:
        """One call. `include=["request", "response"]` adds the texts."""
        request = Request("GET", f"{self._url}/{path('{}', call_id)}", arguments)
        call = await self._transport.request(AsyncRetrievedCall, request)
        call._transport = self._transport
        return call

    def list(self, **arguments: Unpack[_arguments.ListJobCallsArguments]) -> AsyncPages[models.CallRecord]:
        """The calls of the job, in the order in which they were made."""
        return list_pages(self._transport, models.CallRecord, "calls", self._url, arguments)
