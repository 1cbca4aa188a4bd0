"""What the client returns, raises and sends."""

from __future__ import annotations

import asyncio
import threading
import uuid
from collections.abc import Callable

import httpx
import pytest
from conftest import BASE_URL, MESSAGES, Team
from relay import Relay

import job_gateway
from job_gateway import (
    APIError,
    APITimeoutError,
    AuthenticationError,
    CallFailedError,
    ConflictError,
    InvalidResponseError,
    JobGateway,
    JobGatewayAdmin,
    JobGatewayError,
    NotFoundError,
    PaymentRequiredError,
    PermissionDeniedError,
    UnprocessableEntityError,
)


def test_402_is_raised_without_a_repetition(team: Team, relay: Relay) -> None:
    job = team.gateway(relay.url).jobs.create(job_type="t", budget={"max_calls": 1})
    job.call(model_group=team.model, messages=MESSAGES)

    with pytest.raises(PaymentRequiredError) as raised:
        job.call(model_group=team.model, messages=MESSAGES)

    assert raised.value.code == "job_budget_reached" and raised.value.body["cap"] == "max_calls"
    assert len(relay.received) == 3
    job.change_budget(max_calls=2)
    job.call(model_group=team.model, messages=MESSAGES)


@pytest.mark.parametrize("single", [False, True], ids=["in a job", "single-call job"])
def test_a_failed_call_is_raised_without_a_repetition(
    given_team: Callable[..., Team], relay: Relay, single: bool
) -> None:
    team = given_team("sim-fail-400")
    gateway = team.gateway(relay.url)
    job = gateway.jobs.create(job_type="t")
    relay.received.clear()

    with pytest.raises(CallFailedError) as raised:
        if single:
            gateway.jobs.create_and_call(job_type="t", model=team.model, messages=MESSAGES)
        else:
            job.call(model_group=team.model, messages=MESSAGES)

    assert raised.value.status == 500 and raised.value.request_id and raised.value.call_id and raised.value.job_id
    assert len(relay.received) == 1
    assert team.credits_used() == 0


def test_a_failed_call_that_is_waited_for_is_raised_with_its_reason(given_team: Callable[..., Team]) -> None:
    team = given_team("sim-fail-400")
    job = team.gateway().jobs.create(job_type="t")

    with pytest.raises(CallFailedError) as raised:
        job.call(model_group=team.model, messages=MESSAGES, background=True).wait()

    assert raised.value.error_code == "upstream_rejected"


def test_a_conflict_with_retry_after_is_repeated(given_team: Callable[..., Team], relay: Relay) -> None:
    team = given_team("sim-slow-6000")
    job = team.gateway(relay.url).jobs.create(job_type="t")
    answers: list[str] = []

    def call(max_retries: int) -> None:
        answer = job.call(model_group=team.model, messages=MESSAGES, idempotency_key="one", max_retries=max_retries)
        answers.append(answer.call_id)

    first = threading.Thread(target=call, args=(0,))
    first.start()
    threading.Event().wait(0.5)
    with pytest.raises(ConflictError) as raised:
        call(0)
    call(3)
    first.join()

    assert raised.value.code == "request_in_progress" and raised.value.retry_after
    assert len(answers) == 2 and answers[0] == answers[1]
    job.complete()
    assert team.billed() == [("completed", 1, True)]


def test_a_job_that_has_ended_is_a_conflict_which_is_not_repeated(team: Team, relay: Relay) -> None:
    job = team.gateway(relay.url).jobs.create(job_type="t")
    job.cancel()
    relay.received.clear()

    with pytest.raises(ConflictError) as raised:
        job.call(model_group=team.model, messages=MESSAGES)

    assert raised.value.code == "job_finished" and len(relay.received) == 1


def test_other_refusals_have_their_class_and_code(team: Team, given_team: Callable[..., Team]) -> None:
    gateway = team.gateway()
    poor = given_team(credits_allocated=0, low_balance_policy="block").gateway()

    def raised(call: Callable[[], object]) -> tuple[type[Exception], str | None]:
        with pytest.raises(APIError) as error:
            call()
        assert error.value.request_id
        return type(error.value), error.value.code

    assert raised(lambda: gateway.jobs.retrieve(str(uuid.uuid4()))) == (NotFoundError, "job_not_found")
    assert raised(lambda: gateway.jobs.create(job_type="")) == (UnprocessableEntityError, "request_invalid")
    assert raised(lambda: poor.jobs.create(job_type="t")) == (PermissionDeniedError, "insufficient_credits")
    wrong = JobGateway(base_url=BASE_URL, api_key="sk-wrong", team_id=team.team_id)
    assert raised(lambda: wrong.jobs.create(job_type="t")) == (AuthenticationError, "key_invalid")
    with pytest.raises(UnprocessableEntityError, match="job_type"):
        gateway.jobs.create(job_type="")


def test_what_is_not_the_gateway_is_named(team: Team) -> None:
    with pytest.raises(InvalidResponseError):
        httpx_client = httpx.Client(transport=httpx.MockTransport(lambda _: httpx.Response(200, text="<html>")))
        team.gateway(http_client=httpx_client).jobs.create(job_type="t")


@pytest.mark.parametrize("job_id", ["", ".", ".."])
def test_an_id_that_would_change_the_path_is_not_sent(team: Team, relay: Relay, job_id: str) -> None:
    with pytest.raises(JobGatewayError):
        team.gateway(relay.url).jobs.retrieve(job_id)
    assert relay.received == []


def test_an_id_with_any_characters_arrives(team: Team) -> None:
    name = f"a/b?c#d %2F é {uuid.uuid4()}"
    team.admin.model_groups.create(group_name=name, models=[{"model_name": "sim-ok"}])

    assert team.admin.model_groups.retrieve(name).group_name == name
    team.admin.model_groups.delete(name)


@pytest.mark.parametrize("missing", ["base_url", "api_key"])
def test_a_client_without_address_or_key_says_so(monkeypatch: pytest.MonkeyPatch, missing: str) -> None:
    for name in ("BASE_URL", "API_KEY", "TEAM_ID"):
        monkeypatch.delenv(f"JOB_GATEWAY_{name}", raising=False)
    given = {"base_url": BASE_URL, "api_key": "sk-x"}
    with pytest.raises(JobGatewayError, match=missing):
        JobGateway(**{name: value for name, value in given.items() if name != missing})  # type: ignore[arg-type]
    with pytest.raises(JobGatewayError, match="team_id"):
        JobGateway(**given).jobs.create(job_type="t")  # type: ignore[arg-type]


def test_a_run_completes_its_job_or_fails_it_with_the_error(team: Team) -> None:
    gateway = team.gateway()
    with gateway.jobs.run(job_type="t") as job:
        job.call(model_group=team.model, messages=MESSAGES)
    assert job.outcome.costs.credit_applied and job.status == "completed"

    message = "no \0 river " + "🐟" * 600
    with pytest.raises(ValueError, match="river"):
        with gateway.jobs.run(job_type="t") as job:
            raise ValueError(message)
    assert (gateway.jobs.retrieve(job.job_id).error_message or "").startswith("no \ufffd river 🐟")

    with gateway.jobs.run(job_type="t") as job:
        job.cancel(reason="not needed")
    assert gateway.jobs.retrieve(job.job_id).status == "cancelled"


def test_the_error_of_a_block_is_raised_although_its_job_cannot_be_failed(team: Team) -> None:
    with pytest.raises(ValueError, match="first"):
        with team.gateway().jobs.run(job_type="t") as job:
            team.gateway().jobs.retrieve(job.job_id).cancel()
            raise ValueError("first")


def test_the_same_idempotency_key_is_one_job(team: Team) -> None:
    gateway = team.gateway()
    ids = {gateway.jobs.create(job_type="t", idempotency_key="order 1".replace(" ", "-")).job_id for _ in range(3)}

    assert len(ids) == 1
    with pytest.raises(UnprocessableEntityError):
        gateway.jobs.create(job_type="other", idempotency_key="order-1")


def test_each_write_has_a_key_of_its_own(team: Team, relay: Relay) -> None:
    gateway = team.gateway(relay.url, headers={"X-Source": "tests"})
    for _ in range(3):
        gateway.jobs.create(job_type="t", extra_headers={"X-Request-Id": "mine"})

    assert len(set(relay.headers("idempotency-key"))) == 3
    assert relay.headers("x-request-id") == ["mine"] * 3 and relay.headers("x-source") == ["tests"] * 3


def test_lists_go_over_all_pages(team: Team, relay: Relay) -> None:
    gateway = team.gateway(relay.url)
    made = [gateway.jobs.create(job_type="t", metadata={"n": str(n)}).job_id for n in range(7)]
    relay.received.clear()

    listed = gateway.jobs.list(limit=3, status=["pending", "failed"])

    assert [job.job_id for job in listed] == made[::-1]
    assert [job.job_id for job in listed] == made[::-1]
    assert len(relay.received) >= 6
    assert [job.job_id for job in gateway.jobs.list(metadata={"n": "2"})] == [made[2]]
    assert [len(page) for page in gateway.jobs.list(limit=5).pages()][:2] == [5, 2]
    next(iter(gateway.jobs.list(limit=1))).cancel()
    groups = {group.group_name for group in team.admin.model_groups.list(limit=1)}
    assert team.model in groups


def test_a_stopped_call_has_succeeded_with_what_it_had(given_team: Callable[..., Team]) -> None:
    team = given_team("sim-tokens-200-every-50", "sim-slow-9000")
    job = team.gateway().jobs.create(job_type="t")
    stream = job.stream(model_group=team.model, messages=MESSAGES)
    text = ""
    for piece in stream:
        text += piece
        if len(text) > 20:
            break
    assert stream.stop().status == "succeeded"
    assert stream.final_response().response.finish_reason == "stopped"
    assert stream.final_response().response.content.startswith(text)

    call = job.call(model_group=team.models[1], messages=MESSAGES, background=True)
    with pytest.raises(APITimeoutError):
        call.wait(timeout=0.5)
    call.stop()
    assert call.wait().response.finish_reason == "stopped"


def test_waiting_returns_what_the_call_would_have_returned(given_team: Callable[..., Team]) -> None:
    team = given_team("sim-unicode-tokens-30", "sim-tokens-300000")
    job = team.gateway().jobs.create(job_type="t")

    direct = job.call(model_group=team.model, messages=MESSAGES)
    waited = job.call(model_group=team.model, messages=MESSAGES, background=True).wait()

    assert waited.response == direct.response
    assert waited.metadata.model_dump(exclude={"latency_ms"}) == direct.metadata.model_dump(exclude={"latency_ms"})
    long = job.call(model_group=team.models[1], messages=MESSAGES, background=True).wait()
    assert len(long.response.content) > 1_500_000


def test_half_a_surrogate_pair_of_a_model_is_replaced(given_team: Callable[..., Team]) -> None:
    team = given_team("sim-lone-surrogate-every-20")
    job = team.gateway().jobs.create(job_type="t")

    plain = job.call(model_group=team.model, messages=MESSAGES).response.content
    streamed = "".join(job.stream(model_group=team.model, messages=MESSAGES))

    assert "\ufffd" in plain and plain == streamed
    plain.encode()


def test_fields_that_the_client_does_not_know_are_kept_and_sent(team: Team, relay: Relay) -> None:
    gateway = team.gateway(relay.url)
    job = gateway.jobs.create(job_type="t", extra_body={"user_id": "u-1", "seed": 1})

    assert gateway.jobs.retrieve(job.job_id).user_id == "u-1"
    answer = job_gateway.models.AcceptedCall.model_validate({"job_id": "j", "call_id": "c", "status": "new", "more": 1})
    assert answer.model_dump() == {"job_id": "j", "call_id": "c", "status": "new", "more": 1}


def test_asynchronous_calls_at_the_same_time_are_one_job(team: Team) -> None:
    async def story() -> int:
        async with team.async_gateway() as gateway, gateway.jobs.run(job_type="t") as job:
            answers = await asyncio.gather(*(job.call(model_group=team.model, messages=MESSAGES) for _ in range(20)))
            return len({answer.call_id for answer in answers})

    assert asyncio.run(story()) == 20
    assert team.billed() == [("completed", 20, True)]


def test_the_secret_of_a_client_is_not_in_its_text(team: Team) -> None:
    gateway = team.gateway()

    assert team.key not in repr(gateway) + repr(vars(gateway)) + repr(gateway.jobs)


def test_an_administrator_without_a_token_may_log_in_only(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("JOB_GATEWAY_ADMIN_TOKEN")
    visitor = JobGatewayAdmin()

    with pytest.raises(AuthenticationError):
        visitor.teams.retrieve("t")
    with pytest.raises(AuthenticationError, match="401"):
        visitor.users.log_in(email="a@b.example", password="no")


def test_admin_users_are_managed_with_a_token_of_theirs_only(admin: JobGatewayAdmin) -> None:
    with pytest.raises(AuthenticationError):
        admin.users.list().__iter__().__next__()


def test_a_closed_client_raises_an_error_of_the_library(given_team: Callable[..., Team]) -> None:
    gateway = given_team().gateway()
    gateway.close()

    with pytest.raises(JobGatewayError, match="closed"):
        gateway.jobs.retrieve("a")
