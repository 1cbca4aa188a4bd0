"""A program that uses the whole surface, for `mypy --strict`. It is checked and not run."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator

import httpx
from typing_extensions import assert_type

from job_gateway import (
    AsyncCall,
    AsyncJob,
    AsyncJobGateway,
    AsyncJobGatewayAdmin,
    AsyncStream,
    Call,
    CallFailedError,
    Job,
    JobGateway,
    JobGatewayAdmin,
    Stream,
    StreamedResponse,
    models,
    params,
    verify_webhook,
)

MESSAGES: list[params.ChatMessage] = [{"role": "user", "content": "Hello"}]


def of_a_team(gateway: JobGateway) -> None:
    job = gateway.jobs.create(job_type="t", budget={"max_calls": 3}, metadata={"a": [1]}, timeout=None, max_retries=0)
    assert_type(job, Job)
    answer = job.call(model_group="m", messages=MESSAGES, temperature=0.1, tool_choice="auto", idempotency_key="k")
    assert_type(answer, models.CallResponse)
    assert_type(answer.response.content, str)
    assert_type(answer.response.tool_calls, list[models.ToolCall] | None)
    call = job.call(model_group="m", messages=MESSAGES, background=True)
    assert_type(call, Call)
    assert_type(call.wait(timeout=3), models.CallResponse)
    assert_type(call.stop(), models.CallWithPayload)
    stream = job.stream(model_group="m", messages=MESSAGES)
    assert_type(stream, Stream)
    assert_type(iter(stream), Iterator[str])
    assert_type(stream.events(), Iterator[models.ChatCompletionChunk])
    assert_type(stream.final_response(), StreamedResponse)
    outcome = job.complete(metadata={"done": True})
    assert_type(outcome.costs.credits_remaining, int)
    job.fail("reason")
    job.cancel(reason=None)
    assert_type([one.cost_usd for one in job.calls.list(status="failed")], list[float])
    single = gateway.jobs.create_and_call(job_type="t", model="m", messages=MESSAGES)
    assert_type(single.costs.credit_applied, bool)
    assert_type(gateway.jobs.create_and_call(job_type="t", model="m", messages=MESSAGES, background=True), Call)
    for listed in gateway.jobs.list(status="failed", has_failed_calls=True, sort_by="created_at", limit=10):
        assert_type(listed.total_cost_usd, float)
    with gateway.jobs.run(job_type="t") as run:
        assert_type(run, Job)
    event = verify_webhook(b"", {"webhook-id": "1"}, ["a", "b"], tolerance_seconds=1)
    if event.event == "job.failed":
        assert_type(event.data.error_message, str | None)
    elif event.event == "credits.threshold":
        assert_type(event.data.threshold, int)
    gateway.webhooks.register(webhook_url="https://a.example", events=["job.completed"], auth_header=None)
    gateway.team.get_usage(period="2026-11")


def of_an_administrator(admin: JobGatewayAdmin) -> None:
    admin.organizations.create(organization_id="o", name="O")
    team = admin.teams.create(organization_id="o", team_id="t", model_groups=["m"], credits_allocated=3)
    assert_type(team.virtual_key, str)
    assert_type(admin.teams.rotate_key("t", grace_seconds=60).virtual_key, str)
    assert_type(admin.keys.create("t", name="k").virtual_key, str)
    admin.credits.adjust("t", credits_amount=-1, reason="r")
    admin.prices.set("report", credits=3, billing_policy="strict")
    admin.model_groups.create(group_name="m", models=[{"model_name": "x", "priority": 0}])
    admin.users.create(email="a@b.example", display_name="A", password="secret", role="admin")
    admin.usage.get_overview(from_="2026-01-01")
    for organization in admin.organizations.list(status="active"):
        assert_type(organization.organization_id, str)


async def asynchronously(gateway: AsyncJobGateway, admin: AsyncJobGatewayAdmin) -> None:
    async with gateway, gateway.jobs.run(job_type="t") as job:
        assert_type(job, AsyncJob)
        assert_type(await job.call(model_group="m", messages=MESSAGES), models.CallResponse)
        call = await job.call(model_group="m", messages=MESSAGES, background=True)
        assert_type(call, AsyncCall)
        stream = job.stream(model_group="m", messages=MESSAGES)
        assert_type(stream, AsyncStream)
        assert_type(aiter_of(stream), AsyncIterator[str])
        async for listed in gateway.jobs.list(limit=3):
            assert_type(listed.job_type, str)
    try:
        await admin.teams.retrieve("t")
    except CallFailedError as error:
        assert_type(error.error_code, str | None)


def aiter_of(stream: AsyncStream) -> AsyncIterator[str]:
    return stream.__aiter__()


JobGateway(base_url="http://x", api_key="k", http_client=httpx.Client(), headers={"a": "b"})
