"""The chunks of an answer, over all the connections on which they arrive. Nothing here reads or waits."""

from __future__ import annotations

import json
from collections import defaultdict
from typing import Any

from pydantic import ValidationError

from . import models
from ._base import Answer
from ._errors import InvalidResponseError, call_failed
from ._sse import ServerSentEvent


class StreamedResponse(Answer):
    """The whole answer of a stream."""

    job_id: str | None
    call_id: str | None
    response: models.ModelResponse
    usage: models.ChatCompletionChunkUsage | None


class AnswerInChunks:
    """
    Passes on each piece of an answer once. A connection that reads the answer again from its start repeats what was
    passed on before, in other pieces: what lies before the end of that is left out.
    """

    def __init__(self, job_id: str | None, call_id: str | None) -> None:
        self.job_id = job_id
        self.call_id = call_id
        self.last_event_id: str | None = None
        self.done = False
        self._texts: dict[str, str] = defaultdict(str)
        self._tools: dict[int, dict[str, Any]] = {}
        self._position: dict[str, int] = defaultdict(int)
        self._half = ""
        self._has_role = False
        self._finish_reason: str | None = None
        self._usage: models.ChatCompletionChunkUsage | None = None

    def begin(self) -> None:
        """A connection begins, which reads on behind `last_event_id` or else from the start."""
        if self.last_event_id is None:
            self._position.clear()
            self._half = ""

    @property
    def has_begun(self) -> bool:
        """Whether anything of the answer was passed on."""
        return self._has_role or bool(self._texts) or bool(self._tools)

    def restart(self) -> None:
        self.last_event_id = None

    def receive(self, event: ServerSentEvent) -> models.ChatCompletionChunk | None:
        """The part of an event that is new. Raises the error of an error event."""
        chunk: models.ChatCompletionChunk | None = None
        if event.data == "[DONE]":
            self.done = True
        else:
            chunk = self._new_part(self._parse(event.data))
        if event.id:
            self.last_event_id = event.id
        return chunk

    def final(self) -> StreamedResponse:
        tools = [self._tools[index] for index in sorted(self._tools)]
        response = {
            "content": self._texts["content"],
            "finish_reason": self._finish_reason or "stop",
            **({"tool_calls": tools} if tools else {}),
        }
        return StreamedResponse(
            job_id=self.job_id,
            call_id=self.call_id,
            response=models.ModelResponse.model_validate(response),
            usage=self._usage,
        )

    def _parse(self, data: str) -> models.ChatCompletionChunk:
        try:
            fields = json.loads(data)
            if isinstance(fields, dict) and isinstance(fields.get("error"), dict):
                error = fields["error"]
                code = str(error.get("code") or "call_failed")
                raise call_failed(str(error.get("message")), code, self.job_id, self.call_id, error=error)
            return models.ChatCompletionChunk.model_validate(fields)
        except (ValueError, ValidationError) as error:
            raise InvalidResponseError(200, data, {}) from error

    def _new_part(self, chunk: models.ChatCompletionChunk) -> models.ChatCompletionChunk | None:
        self.call_id = self.call_id or chunk.id.removeprefix("chatcmpl-")
        self._usage = chunk.usage or self._usage
        is_new = False
        for choice in chunk.choices:
            delta = choice.delta
            if delta.content:
                delta.content = self._new_text("content", self._whole(delta.content)) or None
            delta.tool_calls = [call for call in delta.tool_calls or [] if self._is_new_tool(call)] or None
            if delta.role and self._has_role:
                delta.role = None
            self._has_role = self._has_role or delta.role is not None
            ends = choice.finish_reason is not None and self._finish_reason is None
            self._finish_reason = self._finish_reason or choice.finish_reason
            is_new = is_new or ends or bool(delta.content or delta.tool_calls or delta.role)
        return chunk if is_new else None

    def _whole(self, piece: str) -> str:
        """A piece that ends within a surrogate pair waits for its other half; a half without another is replaced."""
        piece = self._half + piece
        self._half = piece[-1] if "\ud800" <= piece[-1] <= "\udbff" else ""
        piece = piece[: len(piece) - len(self._half)]
        return piece.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")

    def _new_text(self, name: str, piece: str) -> str:
        """What of a piece, which begins at the position of the connection, was not passed on before."""
        known = len(self._texts[name]) - self._position[name]
        self._position[name] += len(piece)
        new = piece[max(0, known) :]
        self._texts[name] += new
        return new

    def _is_new_tool(self, call: dict[str, Any]) -> bool:
        """Shortens the piece of a tool call to what is new. Its id and name come with its first piece only."""
        index = int(call.get("index") or 0)
        begins = index not in self._tools
        function = call.get("function") or {}
        if begins:
            named = {"name": function.get("name"), "arguments": ""}
            self._tools[index] = {"id": call.get("id"), "type": "function", "function": named}
        else:
            for name in ("id", "type"):
                call.pop(name, None)
            function.pop("name", None)
        new = self._new_text(f"tool {index}", function.get("arguments") or "")
        if "arguments" in function:
            function["arguments"] = new
        self._tools[index]["function"]["arguments"] += new
        return begins or bool(new)
