"""What the classes of operations have in common, and lists."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Mapping
from typing import Any, Generic, TypeVar

import httpx
from pydantic import BaseModel, ValidationError

from .._errors import JobGatewayError
from .._requests import Request, T, invalid, path
from .transport import AsyncTransport

Item = TypeVar("Item", bound=BaseModel)


class AsyncPages(Generic[Item]):
    """The items of a list, over all its pages. `limit` is the size of a page, which is requested when it is reached."""

    def __init__(self, fetch: Callable[[str], Any], read: Callable[[httpx.Response], tuple[list[Item], str | None]]):
        self._fetch = fetch
        self._read = read

    async def __aiter__(self) -> AsyncIterator[Item]:
        async for page in self.pages():
            for item in page:
                yield item

    async def pages(self) -> AsyncIterator[list[Item]]:
        """The items of each page."""
        cursor: str | None = ""
        while cursor is not None:
            response = await self._fetch(cursor)
            items, cursor = self._read(response)
            yield items


class AsyncResource:
    """The operations of a part of the API."""

    def __init__(self, transport: AsyncTransport, team_id: str | None = None) -> None:
        self._transport = transport
        self._given_team_id = team_id

    @property
    def _team_id(self) -> str:
        """The team of the gateway. An operation that needs it says so."""
        return needed_team(self._given_team_id)

    _path = staticmethod(path)

    async def _request(
        self,
        model: type[T],
        method: str,
        url: str,
        arguments: Mapping[str, Any],
        *,
        has_body: bool = True,
        repeatable: bool = True,
        for_team: bool = False,
    ) -> T:
        if for_team:
            arguments = {**arguments, "team_id": needed_team(arguments.get("team_id") or self._given_team_id)}
        request = Request(method, url, arguments, has_body=has_body, repeatable=repeatable)
        return await self._transport.request(model, request)

    def _list(self, model: type[Item], items: str | None, url: str, arguments: Mapping[str, Any]) -> AsyncPages[Item]:
        return list_pages(self._transport, model, items, url, arguments)


def needed_team(team_id: str | None) -> str:
    if not team_id:
        raise JobGatewayError("team_id is needed: of the client, or JOB_GATEWAY_TEAM_ID")
    return team_id


def list_pages(
    transport: AsyncTransport,
    model: type[Item],
    items: str | None,
    url: str,
    arguments: Mapping[str, Any],
    complete: Callable[[Item], Item] = lambda item: item,
) -> AsyncPages[Item]:
    """A list by cursor. The cursor of an array is in a header, and of an object beside its `items`."""

    async def fetch(cursor: str) -> httpx.Response:
        return await transport.send(Request("GET", url, {**arguments, "cursor": cursor, "count": "none"}))

    def read(response: httpx.Response) -> tuple[list[Item], str | None]:
        try:
            body = response.json()
            rows = body if items is None else body[items]
            cursor = response.headers.get("x-next-cursor") if items is None else body["next_cursor"]
            return [complete(model.model_validate(row)) for row in rows], cursor or None
        except (ValidationError, ValueError, KeyError, TypeError) as error:
            raise invalid(response) from error

    return AsyncPages(fetch, read)
