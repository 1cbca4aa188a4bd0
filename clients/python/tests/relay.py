"""A relay between the client and the gateway, which counts requests and cuts connections."""

from __future__ import annotations

import re
import socket
import threading
from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

Cut = Callable[[bytes], bool]
"""Whether a connection is cut, by all bytes of its answers so far."""


class Relay:
    def __init__(self, target: str) -> None:
        self.target = target
        self.received: list[str] = []
        """The heads of the requests."""
        self.cuts: list[Cut] = []
        """Each is for one connection: the next one whose answer it fits cuts that, and the others go on."""
        self._open: set[socket.socket] = set()
        self._lock = threading.Lock()
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._listener.getsockname()[1]}"

    def __enter__(self) -> Relay:
        threading.Thread(target=self._accept, daemon=True).start()
        return self

    def __exit__(self, *_: Any) -> None:
        self._listener.close()
        self.cut_all()

    def lines(self) -> list[str]:
        """The methods and paths of the requests, without ids."""
        return [re.sub(r"[0-9a-f]{8}-[0-9a-f-]{27}", "*", head.split(" HTTP/")[0]) for head in self.received]

    def headers(self, name: str) -> list[str]:
        return [
            line[len(name) + 2 :]
            for head in self.received
            for line in head.split("\r\n")
            if line.lower().startswith(f"{name}: ")
        ]

    def be_away(self, seconds: float) -> None:
        """Refuses connections for that long, as a gateway that starts again."""
        address = self._listener.getsockname()
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        self.cut_all()

        def come_back() -> None:
            self._listener = socket.create_server(address)
            self.__enter__()

        threading.Timer(seconds, come_back).start()

    def cut_all(self) -> None:
        """Cuts every connection that is open."""
        with self._lock:
            connections = list(self._open)
        for connection in connections:
            reset(connection)

    def _accept(self) -> None:
        while True:
            try:
                client, _ = self._listener.accept()
            except OSError:
                return
            threading.Thread(target=self._serve, args=(client,), daemon=True).start()

    def _serve(self, client: socket.socket) -> None:
        address = urlsplit(self.target)
        try:
            server = socket.create_connection((str(address.hostname), int(address.port or 80)))
        except OSError:
            reset(client)
            return
        with self._lock:
            self._open |= {client, server}
        threading.Thread(target=self._forward, args=(client, server), daemon=True).start()
        answered = b""
        try:
            while piece := server.recv(65536):
                for byte in range(len(piece)):
                    if self._is_cut(answered + piece[: byte + 1]):
                        client.sendall(piece[: byte + 1])
                        return
                    if not self.cuts:
                        break
                answered += piece
                client.sendall(piece)
        except OSError:
            pass
        finally:
            reset(client)
            reset(server)

    def _is_cut(self, answered: bytes) -> bool:
        with self._lock:
            if self.cuts and self.cuts[0](answered):
                self.cuts.pop(0)
                return True
        return False

    def _forward(self, client: socket.socket, server: socket.socket) -> None:
        rest = b""
        try:
            while piece := client.recv(65536):
                rest += piece
                while b"\r\n\r\n" in rest:
                    head, rest = rest.split(b"\r\n\r\n", 1)
                    start = re.search(rb"(GET|POST|PUT|PATCH|DELETE) /[^\r\n]* HTTP/1.1[\s\S]*$", head)
                    if start:
                        self.received.append(start.group().decode())
                server.sendall(piece)
        except OSError:
            pass
        reset(server)


def reset(connection: socket.socket) -> None:
    """Ends a connection as the end of its process does. What was sent before arrives."""
    try:
        connection.shutdown(socket.SHUT_RDWR)
    except OSError:
        pass
    connection.close()


def after(count: int) -> Cut:
    """Cuts a stream after so many bytes of its body."""
    return lambda answered: b"\r\n\r\n" in answered and len(answered.split(b"\r\n\r\n", 1)[1]) >= count


def before_answer(answered: bytes) -> bool:
    """Cuts when the first byte of an answer comes: the client gets only that."""
    return len(answered) > 0
