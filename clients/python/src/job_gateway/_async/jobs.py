"""Jobs, and the calls in them."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any, Literal, TypeVar, overload

from pydantic import PrivateAttr
from typing_extensions import Unpack

from .. import _arguments, models
from .._base import Answer
from .._errors import JobGatewayError
from .._requests import Request, RequestOptions, path
from .calls import AsyncCall, AsyncCalls
from .pages import AsyncPages, AsyncResource, list_pages, needed_team
from .stream import AsyncStream
from .transport import AsyncTransport

ERROR_MESSAGE_LENGTH = 1000

AnyJob = TypeVar("AnyJob", bound="AsyncJobMethods")


class AsyncJobMethods(Answer):
    """What can be done with a job, whoever made it."""

    job_id: str
    status: str
    _transport: AsyncTransport = PrivateAttr()
    _outcome: models.JobOutcome | None = PrivateAttr(default=None)

    @property
    def calls(self) -> AsyncCalls:
        """The calls of the job."""
        return AsyncCalls(self._transport, self.job_id)

    @property
    def outcome(self) -> models.JobOutcome:
        """How the job ended, with its costs: of a job that was ended by this object."""
        if self._outcome is None:
            raise JobGatewayError("the job was not ended by this object")
        return self._outcome

    @overload
    async def call(
        self, *, background: Literal[False] = False, **arguments: Unpack[_arguments.CallInJobArguments]
    ) -> models.CallResponse: ...

    @overload
    async def call(
        self, *, background: Literal[True], **arguments: Unpack[_arguments.CallInJobArguments]
    ) -> AsyncCall: ...

    async def call(
        self, *, background: bool = False, **arguments: Unpack[_arguments.CallInJobArguments]
    ) -> models.CallResponse | AsyncCall:
        """Makes a call and returns its answer; in the background, a handle of the call that goes on."""
        url = self._url("llm-call")
        if background:
            return await background_call(self._transport, url, arguments)
        return await self._transport.request(models.CallResponse, Request("POST", url, arguments, is_call=True))

    def stream(self, **arguments: Unpack[_arguments.CallInJobArguments]) -> AsyncStream:
        """Makes a call and iterates over the text of its answer, while it is made."""
        return AsyncStream(self._transport, stream_request(self._url("llm-call-stream"), arguments), self.job_id)

    async def complete(self, **arguments: Unpack[_arguments.JobEndArguments]) -> models.JobOutcome:
        """Ends the job as completed: it is charged, if no call of it has failed."""
        return await self._end("complete", {"status": "completed", **arguments})

    async def fail(
        self, error_message: str | None = None, **arguments: Unpack[_arguments.JobEndArguments]
    ) -> models.JobOutcome:
        """Ends the job as failed."""
        message = None if error_message is None else storable(error_message)
        return await self._end("complete", {"status": "failed", "error_message": message, **arguments})

    async def cancel(self, **arguments: Unpack[_arguments.CancelJobArguments]) -> models.JobOutcome:
        """Ends the job as cancelled, and aborts its calls."""
        return await self._end("cancel", arguments)

    async def update_metadata(
        self, metadata: Mapping[str, Any], **options: Unpack[RequestOptions]
    ) -> models.UpdatedMetadata:
        """Merges keys into the metadata of the job."""
        request = Request("PATCH", self._url("metadata"), {**options, "metadata": metadata})
        return await self._transport.request(models.UpdatedMetadata, request)

    async def change_budget(self, **arguments: Unpack[_arguments.ChangeJobBudgetArguments]) -> models.ChangedBudget:
        """Changes the caps that are given. None lifts a cap."""
        return await self._transport.request(models.ChangedBudget, Request("PATCH", self._url("budget"), arguments))

    async def get_costs(self, **options: Unpack[RequestOptions]) -> models.JobCostBreakdown:
        """What the job has cost so far, call by call."""
        return await self._transport.request(models.JobCostBreakdown, Request("GET", self._url("costs"), options))

    async def get_timeline(self, **arguments: Unpack[_arguments.GetJobTimelineArguments]) -> models.JobTimeline:
        """What happened to the job, and why it was charged or not."""
        return await self._transport.request(models.JobTimeline, Request("GET", self._url("timeline"), arguments))

    async def delete_payloads(self, **options: Unpack[RequestOptions]) -> models.DeletedPayloads:
        """Deletes the texts of the calls of a job that has ended."""
        request = Request("DELETE", self._url("payloads"), options, has_body=False)
        return await self._transport.request(models.DeletedPayloads, request)

    def _url(self, operation: str) -> str:
        return path("/api/jobs/{}/{}", self.job_id, operation)

    async def _end(self, operation: str, arguments: Mapping[str, Any]) -> models.JobOutcome:
        request = Request("POST", self._url(operation), arguments)
        self._outcome = await self._transport.request(models.JobOutcome, request)
        self.status = self._outcome.status
        return self._outcome


class AsyncJob(AsyncJobMethods, models.CreatedJob):
    """A job that was created."""


class AsyncRetrievedJob(AsyncJobMethods, models.JobWithBudget):
    """A job as it is recorded."""


class AsyncListedJob(AsyncJobMethods, models.ListedJob):
    """A job of a list, with its figures."""


class AsyncJobs(AsyncResource):
    """The jobs of the team."""

    async def create(self, **arguments: Unpack[_arguments.CreateJobArguments]) -> AsyncJob:
        """Creates a job. It is open until it is completed, failed or cancelled."""
        request = Request("POST", "/api/jobs/create", self._of_team(arguments))
        return self._with_transport(await self._transport.request(AsyncJob, request))

    @asynccontextmanager
    async def run(self, **arguments: Unpack[_arguments.CreateJobArguments]) -> AsyncIterator[AsyncJob]:
        """
        A job for a `with` block: completed at the end of the block, or failed with the message of its error, which is
        raised again. A job that the block has ended itself is left as it is.
        """
        job = await self.create(**arguments)
        try:
            yield job
        except BaseException as error:
            if job._outcome is None:
                try:
                    await job.fail(str(error) or type(error).__name__)
                except Exception:
                    pass  # The error of the block is the one that matters; the job stays open.
            raise
        if job._outcome is None:
            await job.complete()

    @overload
    async def create_and_call(
        self, *, background: Literal[False] = False, **arguments: Unpack[_arguments.CreateAndCallArguments]
    ) -> models.SingleCallResponse: ...

    @overload
    async def create_and_call(
        self, *, background: Literal[True], **arguments: Unpack[_arguments.CreateAndCallArguments]
    ) -> AsyncCall: ...

    async def create_and_call(
        self, *, background: bool = False, **arguments: Unpack[_arguments.CreateAndCallArguments]
    ) -> models.SingleCallResponse | AsyncCall:
        """A job of one call: created, called and completed in one request."""
        url = "/api/jobs/create-and-call"
        body = self._of_team(arguments)
        if background:
            return await background_call(self._transport, url, body)
        return await self._transport.request(models.SingleCallResponse, Request("POST", url, body, is_call=True))

    def create_and_stream_call(self, **arguments: Unpack[_arguments.CreateAndCallArguments]) -> AsyncStream:
        """A job of one call, whose answer is read while it is made."""
        request = stream_request("/api/jobs/create-and-call-stream", self._of_team(arguments))
        return AsyncStream(self._transport, request)

    async def retrieve(self, job_id: str, **options: Unpack[RequestOptions]) -> AsyncRetrievedJob:
        """A job, with everything that can be done with it."""
        request = Request("GET", path("/api/jobs/{}", job_id), options)
        return self._with_transport(await self._transport.request(AsyncRetrievedJob, request))

    def list(self, **arguments: Unpack[_arguments.ListJobsArguments]) -> AsyncPages[AsyncListedJob]:
        """Jobs, the newest first."""
        return list_pages(self._transport, AsyncListedJob, "jobs", "/api/jobs", arguments, self._with_transport)

    async def cancel(self, **arguments: Unpack[_arguments.CancelJobsArguments]) -> models.CancelledJobs:
        """Cancels open jobs: those of a list of ids, or of a filter."""
        return await self._request(models.CancelledJobs, "POST", "/api/jobs/cancel", arguments)

    def _of_team(self, arguments: Mapping[str, Any]) -> dict[str, Any]:
        return {**arguments, "team_id": needed_team(arguments.get("team_id") or self._given_team_id)}

    def _with_transport(self, job: AnyJob) -> AnyJob:
        job._transport = self._transport
        return job


def storable(message: str) -> str:
    """What the gateway takes of a message: 1,000 units of UTF-16, without NUL and without half surrogate pairs."""
    units = message.replace("\0", "\ufffd").encode("utf-16-le", "surrogatepass")[: 2 * ERROR_MESSAGE_LENGTH]
    return units.decode("utf-16-le", "replace")


def stream_request(url: str, arguments: Mapping[str, Any]) -> Request:
    return Request("POST", url, arguments, headers={"Accept": "text/event-stream, application/json"}, is_stream=True)


async def background_call(transport: AsyncTransport, url: str, arguments: Mapping[str, Any]) -> AsyncCall:
    request = Request("POST", url, arguments, headers={"Prefer": "respond-async"})
    call = await transport.request(AsyncCall, request)
    call._transport = transport
    return call
