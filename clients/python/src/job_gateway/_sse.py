"""Server-sent events, from bytes as they arrive."""

from __future__ import annotations

import codecs
from collections.abc import Iterator
from dataclasses import dataclass


@dataclass
class ServerSentEvent:
    data: str
    id: str | None


class EventDecoder:
    """Takes the bytes of one connection. An event that is cut off is not an event."""

    def __init__(self) -> None:
        self._decoder = codecs.getincrementaldecoder("utf-8-sig")(errors="replace")
        self._rest = ""
        self._data: list[str] = []
        self._id: str | None = None

    def feed(self, piece: bytes) -> Iterator[ServerSentEvent]:
        text = self._rest + self._decoder.decode(piece)
        # A line may end with \r\n, whose second half has not arrived yet.
        held = text.endswith("\r")
        lines = (text[:-1] if held else text).replace("\r\n", "\n").replace("\r", "\n").split("\n")
        self._rest = lines.pop() + ("\r" if held else "")
        for line in lines:
            event = self._line(line)
            if event:
                yield event

    def _line(self, line: str) -> ServerSentEvent | None:
        if line == "":
            event = ServerSentEvent("\n".join(self._data), self._id) if self._data else None
            self._data = []
            return event
        name, _, value = line.partition(":")
        value = value[1:] if value.startswith(" ") else value
        if name == "data":
            self._data.append(value)
        elif name == "id" and "\0" not in value:
            self._id = value
        return None
