"""Connections that are cut: nothing is lost, doubled, or charged twice."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable

import pytest
from conftest import MESSAGES, ApiProcesses, Team
from relay import Relay, after, before_answer

from job_gateway import (
    APIConnectionError,
    APITimeoutError,
    AsyncJobGateway,
    CallFailedError,
    JobGatewayError,
    RateLimitError,
    params,
)

TOOL: params.Tool = {
    "type": "function",
    "function": {
        "name": "get_weather",
        "parameters": {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]},
    },
}


def recorded(team: Team, job_id: str | None, call_id: str | None) -> str:
    call = team.gateway().jobs.retrieve(job_id or "").calls.retrieve(call_id or "", include=["response"])
    assert isinstance(call.response, dict)
    return str(call.response["content"])


@pytest.mark.parametrize("single", [False, True], ids=["in a job", "single-call job"])
def test_an_answer_that_is_lost_is_got_by_a_repetition(team: Team, relay: Relay, single: bool) -> None:
    gateway = team.gateway(relay.url)
    if single:
        relay.cuts.append(before_answer)
        text = gateway.jobs.create_and_call(job_type="t", model=team.model, messages=MESSAGES).response.content
    else:
        job = team.gateway().jobs.create(job_type="t")
        again = gateway.jobs.retrieve(job.job_id)
        relay.cut_all()
        relay.received.clear()
        relay.cuts.append(before_answer)
        text = again.call(model_group=team.model, messages=MESSAGES).response.content
        relay.cuts.append(before_answer)
        relay.cut_all()
        again.complete()

    assert text
    keys = relay.headers("idempotency-key")
    assert len(keys) == (2 if single else 4)
    assert len(set(keys)) == (1 if single else 2)
    assert team.billed() == [("completed", 1, True)]
    assert team.credits_used() == 1


def test_a_job_whose_creation_was_answered_into_a_cut_is_one_job(team: Team, relay: Relay) -> None:
    relay.cuts += [before_answer, before_answer]

    team.gateway(relay.url).jobs.create(job_type="t").cancel()

    assert team.billed() == [("cancelled", 0, False)]


@pytest.mark.parametrize("single", [False, True], ids=["in a job", "single-call job"])
def test_a_long_call_whose_connection_is_cut_is_waited_for(
    given_team: Callable[..., Team], relay: Relay, single: bool
) -> None:
    team = given_team("sim-slow-12000")
    gateway = team.gateway(relay.url)
    job = gateway.jobs.create(job_type="t") if not single else None
    timer = threading.Timer(2, relay.cut_all)
    timer.start()

    if job:
        text = job.call(model_group=team.model, messages=MESSAGES).response.content
        job.complete()
    else:
        text = gateway.jobs.create_and_call(job_type="t", model=team.model, messages=MESSAGES).response.content

    assert text
    assert team.billed() == [("completed", 1, True)]
    assert team.credits_used() == 1


@pytest.mark.parametrize("places", [[1], [150], [400, 600, 500], [2000, 1]], ids=str)
@pytest.mark.parametrize("single", [False, True], ids=["in a job", "single-call job"])
def test_a_stream_that_is_cut_goes_on(
    given_team: Callable[..., Team], relay: Relay, single: bool, places: list[int]
) -> None:
    team = given_team("sim-unicode-tokens-50-every-80")
    gateway = team.gateway(relay.url)
    job = gateway.jobs.create(job_type="t") if not single else None
    relay.cuts += [after(place) for place in places]

    if job:
        stream = job.stream(model_group=team.model, messages=MESSAGES)
    else:
        stream = gateway.jobs.create_and_stream_call(job_type="t", model=team.model, messages=MESSAGES)
    text = "".join(stream)

    assert relay.cuts == []
    assert stream.final_response().response.content == text
    assert stream.final_response().usage is not None
    assert text == recorded(team, stream.job_id, stream.call_id)
    if job:
        job.complete()
    assert team.billed() == [("completed", 1, True)]
    assert team.credits_used() == 1


def test_a_stream_is_cut_at_each_of_its_events_and_goes_on(given_team: Callable[..., Team], relay: Relay) -> None:
    team = given_team("sim-unicode-tokens-30-every-150")
    job = team.gateway(relay.url).jobs.create(job_type="t")
    relay.cuts += [after(500)] * 8

    stream = job.stream(model_group=team.model, messages=MESSAGES)
    text = "".join(stream)

    assert text == recorded(team, stream.job_id, stream.call_id)
    assert len(relay.received) > 4


@pytest.mark.parametrize("place", [100, 300, 450, 600])
def test_tool_calls_of_a_stream_that_is_cut_are_whole(
    given_team: Callable[..., Team], relay: Relay, place: int
) -> None:
    team = given_team("sim-tools-every-50")
    job = team.gateway(relay.url).jobs.create(job_type="t")
    whole = team.gateway().jobs.retrieve(job.job_id)
    expected = whole.call(model_group=team.model, messages=MESSAGES, tools=[TOOL]).response.tool_calls
    relay.cuts.append(after(place))

    stream = job.stream(model_group=team.model, messages=MESSAGES, tools=[TOOL])
    pieces = [call for chunk in stream.events() for call in chunk.choices[0].delta.tool_calls or []]

    assert expected is not None
    arguments = "".join(piece["function"].get("arguments", "") for piece in pieces)
    assert arguments == expected[0].function.arguments
    assert [piece["function"]["name"] for piece in pieces if "name" in piece["function"]] == ["get_weather"]
    final = stream.final_response().response.tool_calls
    assert final is not None and final[0].function == expected[0].function


def test_a_stream_that_may_not_be_repeated_raises_its_cut(given_team: Callable[..., Team], relay: Relay) -> None:
    team = given_team("sim-tokens-40-every-20")
    job = team.gateway(relay.url).jobs.create(job_type="t")
    relay.cuts.append(after(500))

    with pytest.raises(APIConnectionError):
        list(job.stream(model_group=team.model, messages=MESSAGES, max_retries=0))


def test_waiting_for_a_call_and_reading_it_survive_cuts(given_team: Callable[..., Team], relay: Relay) -> None:
    team = given_team("sim-tokens-40-every-50")
    job = team.gateway(relay.url).jobs.create(job_type="t")
    relay.cut_all()
    relay.cuts.append(before_answer)
    call = job.call(model_group=team.model, messages=MESSAGES, background=True)
    threading.Timer(0.5, relay.cut_all).start()

    answer = call.wait()

    relay.cut_all()
    relay.cuts += [after(600), after(700)]
    assert "".join(call.stream()) == answer.response.content
    job.complete()
    assert team.billed() == [("completed", 1, True)]


@pytest.mark.parametrize("single", [False, True], ids=["in a job", "single-call job"])
def test_an_api_that_is_killed_during_a_stream_loses_no_character(
    given_team: Callable[..., Team], relay: Relay, apis: ApiProcesses, single: bool
) -> None:
    team = given_team("sim-unicode-tokens-60-every-50")
    first, relay.target = relay.target, apis.start()
    doomed = relay.target
    gateway = team.gateway(relay.url)
    job = gateway.jobs.create(job_type="t") if not single else None
    if job:
        stream = job.stream(model_group=team.model, messages=MESSAGES)
    else:
        stream = gateway.jobs.create_and_stream_call(job_type="t", model=team.model, messages=MESSAGES)

    text = ""
    for number, piece in enumerate(stream):
        text += piece
        if number == 4:
            relay.target = first
            apis.kill(doomed)

    assert text == recorded(team, stream.job_id, stream.call_id)
    if job:
        job.complete()
    assert team.billed() == [("completed", 1, True)]
    assert team.credits_used() == 1


@pytest.mark.parametrize("single", [False, True], ids=["in a job", "single-call job"])
def test_an_api_that_is_killed_during_a_call_is_not_noticed(
    given_team: Callable[..., Team], relay: Relay, apis: ApiProcesses, single: bool
) -> None:
    team = given_team("sim-slow-6000")
    first, relay.target = relay.target, apis.start()
    doomed = relay.target
    gateway = team.gateway(relay.url)
    job = gateway.jobs.create(job_type="t") if not single else None

    def kill() -> None:
        relay.target = first
        apis.kill(doomed)

    threading.Timer(2, kill).start()
    if job:
        text = job.call(model_group=team.model, messages=MESSAGES).response.content
        job.complete()
    else:
        text = gateway.jobs.create_and_call(job_type="t", model=team.model, messages=MESSAGES).response.content

    assert text
    assert team.billed() == [("completed", 1, True)]
    assert team.credits_used() == 1


def test_an_api_that_is_killed_while_a_job_is_completed_charges_once(
    given_team: Callable[..., Team], relay: Relay, apis: ApiProcesses
) -> None:
    team = given_team("sim-slow-4000")
    first, relay.target = relay.target, apis.start()
    doomed = relay.target
    job = team.gateway(relay.url).jobs.create(job_type="t")
    call = job.call(model_group=team.model, messages=MESSAGES, background=True)

    def kill() -> None:
        relay.target = first
        apis.kill(doomed)

    # The completion waits for the call that is under way.
    threading.Timer(1, kill).start()
    outcome = job.complete()

    assert outcome.costs.credit_applied
    assert call.wait().response.content
    assert team.credits_used() == 1


def test_a_gateway_that_starts_again_is_waited_for(given_team: Callable[..., Team], relay: Relay) -> None:
    team = given_team("sim-unicode-slow-2000-tokens-60-every-50")
    gateway = team.gateway(relay.url)
    job = gateway.jobs.create(job_type="t")

    threading.Timer(1, relay.be_away, (6,)).start()
    called = job.call(model_group=team.model, messages=MESSAGES)
    stream = job.stream(model_group=team.model, messages=MESSAGES)
    text = ""
    for number, piece in enumerate(stream):
        text += piece
        if number == 4:
            relay.be_away(6)

    assert called.response.content
    assert text == recorded(team, stream.job_id, stream.call_id)
    job.complete()
    assert team.billed() == [("completed", 2, True)]
    assert team.credits_used() == 1


def test_a_gateway_that_is_not_there_is_a_connection_error(team: Team) -> None:
    with pytest.raises(APIConnectionError):
        team.gateway("http://127.0.0.1:1", max_retries=1).jobs.create(job_type="t")


def test_a_timeout_is_an_error_and_the_call_is_charged_once_at_most(given_team: Callable[..., Team]) -> None:
    team = given_team("sim-slow-3000")
    job = team.gateway().jobs.create(job_type="t")

    with pytest.raises(APITimeoutError):
        job.call(model_group=team.model, messages=MESSAGES, timeout=0.5, max_retries=0)

    job.complete()
    assert team.billed() == [("completed", 1, True)]


def test_an_asynchronous_stream_that_is_cut_goes_on(given_team: Callable[..., Team], relay: Relay) -> None:
    team = given_team("sim-unicode-tokens-40-every-20")
    relay.cuts += [after(400), after(500)]

    async def story() -> None:
        async with team.async_gateway(relay.url) as gateway:
            async with gateway.jobs.run(job_type="t") as job:
                stream = job.stream(model_group=team.model, messages=MESSAGES)
                text = "".join([piece async for piece in stream])
        assert text == await asyncio.to_thread(recorded, team, stream.job_id, stream.call_id)

    asyncio.run(story())
    assert relay.cuts == []
    assert team.billed() == [("completed", 1, True)]


def test_a_task_that_is_cancelled_ends_its_connection_and_fails_its_job(given_team: Callable[..., Team]) -> None:
    team = given_team("sim-slow-3000")

    async def story(gateway: AsyncJobGateway) -> None:
        async with gateway, gateway.jobs.run(job_type="t") as job:
            await job.call(model_group=team.model, messages=MESSAGES)

    async def cancelled() -> None:
        task = asyncio.create_task(story(team.async_gateway()))
        await asyncio.sleep(0.7)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(cancelled())
    assert team.billed() == [("failed", 1, False)]


def test_a_stream_that_is_left_is_finished_and_charged(given_team: Callable[..., Team]) -> None:
    team = given_team("sim-tokens-20-every-20")
    with team.gateway().jobs.run(job_type="t") as job:
        with job.stream(model_group=team.model, messages=MESSAGES) as stream:
            for _ in stream:
                break
        with pytest.raises(JobGatewayError):
            stream.final_response()

    assert job.outcome.costs.total_tokens > 20
    assert team.credits_used() == 1


def test_an_error_in_a_stream_comes_after_its_text_and_is_not_repeated(
    given_team: Callable[..., Team], relay: Relay
) -> None:
    team = given_team("sim-error-in-stream-3")
    job = team.gateway(relay.url).jobs.create(job_type="t")
    pieces: list[str] = []

    with pytest.raises(CallFailedError) as raised:
        pieces.extend(iter(job.stream(model_group=team.model, messages=MESSAGES)))

    assert raised.value.call_id and raised.value.status == 500
    assert relay.lines()[1:] == ["POST /api/jobs/*/llm-call-stream"]


def test_a_limit_that_is_over_soon_is_waited_for(given_team: Callable[..., Team], relay: Relay) -> None:
    team = given_team("sim-slow-2000")
    job = team.gateway(relay.url).jobs.create(job_type="t", budget={"max_tokens": 1500})
    job.call(model_group=team.model, messages=MESSAGES, max_tokens=1200, background=True)

    with pytest.raises(RateLimitError) as raised:
        job.call(model_group=team.model, messages=MESSAGES, max_retries=0)
    answer = job.call(model_group=team.model, messages=MESSAGES, max_retries=5)

    assert raised.value.code == "job_budget_held" and raised.value.retry_after == 1
    assert answer.response.content
