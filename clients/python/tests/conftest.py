"""
The tests run against a gateway: JOB_GATEWAY_BASE_URL and JOB_GATEWAY_ADMIN_TOKEN. `npm run test:clients --
job-gateway-python` starts one and sets them, with TEST_CONTROL_URL, where further processes of the api are started and
killed.
"""

from __future__ import annotations

import os
import uuid
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import httpx
import pytest
from relay import Relay

from job_gateway import AsyncJobGateway, JobGateway, JobGatewayAdmin, params

BASE_URL = os.environ["JOB_GATEWAY_BASE_URL"]
MESSAGES: list[params.ChatMessage] = [{"role": "user", "content": "Tell me of rivers"}]


@dataclass
class Team:
    team_id: str
    key: str
    models: list[str]
    admin: JobGatewayAdmin

    @property
    def model(self) -> str:
        return self.models[0]

    def gateway(self, url: str = BASE_URL, **options: Any) -> JobGateway:
        return JobGateway(base_url=url, api_key=self.key, team_id=self.team_id, **options)

    def async_gateway(self, url: str = BASE_URL, **options: Any) -> AsyncJobGateway:
        return AsyncJobGateway(base_url=url, api_key=self.key, team_id=self.team_id, **options)

    def credits_used(self) -> int:
        return self.admin.credits.retrieve(self.team_id).credits_used

    def billed(self) -> list[tuple[str, int, bool]]:
        """Of each job, the oldest first: its status, the number of its calls, and whether it was charged."""
        jobs = [(job.status, job.total_calls, job.credit_applied) for job in self.admin.jobs.list(team_id=self.team_id)]
        return jobs[::-1]


@pytest.fixture(scope="session")
def admin() -> Iterator[JobGatewayAdmin]:
    with JobGatewayAdmin() as admin:
        admin.organizations.create(organization_id=ORGANIZATION, name="Tests of the Python client")
        yield admin


ORGANIZATION = f"python-{uuid.uuid4()}"


@pytest.fixture
def given_team(admin: JobGatewayAdmin) -> Callable[..., Team]:
    """A team with a model group for each of the models of the simulated upstream."""

    def make(*models: str, **fields: Any) -> Team:
        suffix = uuid.uuid4().hex[:12]
        groups = []
        for model in models or ("sim-ok",):
            name = f"{model}-{suffix}"
            admin.model_groups.create(group_name=name, models=[{"model_name": model}])
            groups.append(name)
        team = admin.teams.create(
            organization_id=ORGANIZATION,
            team_id=f"team-{suffix}",
            **{
                "model_groups": groups,
                "credits_allocated": 100,
                "rpm_limit": 10_000,
                "tpm_limit": 10_000_000,
                **fields,
            },
        )
        return Team(team.team_id, team.virtual_key, groups, admin)

    return make


@pytest.fixture
def team(given_team: Callable[..., Team]) -> Team:
    return given_team()


@pytest.fixture
def relay() -> Iterator[Relay]:
    with Relay(BASE_URL) as relay:
        yield relay


class ApiProcesses:
    """Further processes of the api, which share the services of the gateway."""

    def __init__(self, control: str) -> None:
        self._control = control

    def start(self) -> str:
        return str(httpx.post(self._control, timeout=120).json()["url"])

    def kill(self, url: str) -> None:
        httpx.request("DELETE", self._control, params={"url": url}, timeout=60).raise_for_status()


@pytest.fixture
def apis() -> ApiProcesses:
    control = os.environ.get("TEST_CONTROL_URL")
    if not control:
        pytest.skip("needs TEST_CONTROL_URL")
    return ApiProcesses(control)
