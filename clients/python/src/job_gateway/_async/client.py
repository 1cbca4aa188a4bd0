"""The clients: of a team, and of an administrator."""

from __future__ import annotations

import os
from collections.abc import Mapping

import httpx

from .._requests import UNSET, Unset, settings
from . import resources
from .jobs import AsyncJobs
from .transport import AsyncClosable, AsyncTransport


class AsyncJobGateway(AsyncClosable):
    """The gateway, for a team. Use one for all requests: it keeps connections open. `close()` or a `with` ends them."""

    def __init__(
        self,
        *,
        base_url: str | None = None,
        api_key: str | None = None,
        team_id: str | None = None,
        max_retries: int = 2,
        timeout: float | None | Unset = UNSET,
        headers: Mapping[str, str] | None = None,
        http_client: httpx.AsyncClient | None = None,
    ) -> None:
        """
        What is not given is read from JOB_GATEWAY_BASE_URL, JOB_GATEWAY_API_KEY and JOB_GATEWAY_TEAM_ID.

        timeout: seconds that one attempt may take, 60 by default, and 3,600 for calls.
        http_client: a client of httpx, with your proxies and certificates; you close it.
        """
        given = settings(base_url, api_key, "API_KEY", max_retries, timeout, headers)
        self._transport = AsyncTransport(given, http_client)
        self.team_id = team_id or os.environ.get("JOB_GATEWAY_TEAM_ID")
        self.jobs = AsyncJobs(self._transport, self.team_id)
        self.team = resources.AsyncTeam(self._transport, self.team_id)
        self.webhooks = resources.AsyncTeamWebhooks(self._transport, self.team_id)

    async def close(self) -> None:
        await self._transport.close()


class AsyncJobGatewayAdmin(AsyncClosable):
    """The gateway, for an administrator: with the platform key, or the access token of an admin user."""

    def __init__(
        self,
        *,
        base_url: str | None = None,
        token: str | None = None,
        max_retries: int = 2,
        timeout: float | None | Unset = UNSET,
        headers: Mapping[str, str] | None = None,
        http_client: httpx.AsyncClient | None = None,
    ) -> None:
        """What is not given is read from JOB_GATEWAY_BASE_URL and JOB_GATEWAY_ADMIN_TOKEN. `log_in` needs none."""
        given = settings(base_url, token, "ADMIN_TOKEN", max_retries, timeout, headers)
        transport = AsyncTransport(given, http_client)
        self._transport = transport
        self.organizations = resources.AsyncOrganizations(transport)
        self.teams = resources.AsyncTeams(transport)
        self.keys = resources.AsyncKeys(transport)
        self.credits = resources.AsyncCredits(transport)
        self.prices = resources.AsyncPrices(transport)
        self.model_groups = resources.AsyncModelGroups(transport)
        self.model_aliases = resources.AsyncModelAliases(transport)
        self.model_access_groups = resources.AsyncModelAccessGroups(transport)
        self.users = resources.AsyncUsers(transport)
        self.usage = resources.AsyncUsage(transport)
        self.jobs = resources.AsyncAdminJobs(transport)
        self.webhooks = resources.AsyncWebhooks(transport)

    async def close(self) -> None:
        await self._transport.close()
