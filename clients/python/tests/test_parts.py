"""The parts that neither send nor wait."""

from __future__ import annotations

import pickle
from typing import Any

import pytest

from job_gateway import APIConnectionError, APIError, CallFailedError, JobGatewayError, NotFoundError
from job_gateway._chunks import AnswerInChunks
from job_gateway._errors import error_of
from job_gateway._requests import Request
from job_gateway._retries import Attempts, backoff, retry_after
from job_gateway._sse import EventDecoder, ServerSentEvent

STREAM = (
    "\ufeff: a comment\nretry: 1000\nid: 1\ndata: größe 👩‍👩‍👧\n\n"
    "data: a\ndata:b\nevent: x\n\nid: 2\r\ndata\r\n\r\ndata: cut"
)


@pytest.mark.parametrize("size", [1, 2, 3, 7, 1000])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_events_are_read_from_pieces_of_any_size(size: int, end: str) -> None:
    text = STREAM.replace("\r\n", "\n").replace("\n", end).encode()
    decoder = EventDecoder()

    events = [event for at in range(0, len(text), size) for event in decoder.feed(text[at : at + size])]

    assert [(event.data, event.id) for event in events] == [("größe 👩‍👩‍👧", "1"), ("a\nb", "1"), ("", "2")]


def chunk(content: str | None = None, **more: Any) -> str:
    import json

    delta = {"role": "assistant", "content": content} if more.pop("first", False) else {"content": content}
    choice = {"index": 0, "delta": delta, "finish_reason": more.pop("finish_reason", None)}
    return json.dumps(
        {"id": "chatcmpl-c", "object": "chat.completion.chunk", "created": 1, "model": "m", "choices": [choice], **more}
    )


def texts(answer: AnswerInChunks, *events: ServerSentEvent) -> str:
    answer.begin()
    chunks = [answer.receive(event) for event in events]
    return "".join(one.choices[0].delta.content or "" for one in chunks if one)


def test_what_was_passed_on_is_left_out_whatever_its_pieces_are() -> None:
    answer = AnswerInChunks("j", None)
    first = texts(answer, *(ServerSentEvent(chunk(text), None) for text in ("The r", "iver \ud83d")))
    whole = ("The", " river ", "\ud83d\udc1f is", " long")
    second = texts(answer, *(ServerSentEvent(chunk(text), f"e{n}") for n, text in enumerate(whole[:2])))
    third = texts(answer, *(ServerSentEvent(chunk(text), f"f{n}") for n, text in enumerate(whole[2:])))

    assert (first, second, third) == ("The river ", "", "🐟 is long")
    assert answer.last_event_id == "f1" and answer.final().response.content == "The river 🐟 is long"


def refusal(status: int, code: str = "c", headers: dict[str, str] | None = None) -> APIError:
    sent = headers or {}
    return error_of(status, sent, f'{{"detail": "d", "code": "{code}"}}', retry_after(sent))


@pytest.mark.parametrize(
    ("error", "repeated"),
    [
        (refusal(400), False),
        (refusal(401), False),
        (refusal(402), False),
        (refusal(402, headers={"retry-after": "1"}), False),
        (refusal(404), False),
        (refusal(408), True),
        (refusal(409), False),
        (refusal(409, headers={"retry-after": "1"}), True),
        (refusal(422), False),
        (refusal(429), True),
        (refusal(429, headers={"retry-after": "60"}), True),
        (refusal(429, headers={"retry-after": "61"}), False),
        (refusal(500, "internal_error"), True),
        (refusal(500, "call_failed"), False),
        (refusal(502), True),
        (refusal(503), True),
        (APIConnectionError(), True),
    ],
    ids=str,
)
def test_what_is_repeated(error: APIConnectionError | APIError, repeated: bool) -> None:
    attempts = Attempts(2, 60, repeatable=True)

    delays = [attempts.delay_after(error) for _ in range(3)]

    assert [delay is not None for delay in delays] == [repeated, repeated, False]
    asked = error.retry_after if isinstance(error, APIError) else None
    if repeated and asked:
        assert all(asked <= delay <= asked * 1.1 for delay in delays[:2] if delay)


def test_what_no_key_protects_is_repeated_only_if_it_had_no_effect() -> None:
    def repeated(error: APIConnectionError | APIError, never_sent: bool = False) -> bool:
        return Attempts(2, 60, repeatable=False).delay_after(error, never_sent) is not None

    assert [repeated(refusal(status)) for status in (429, 503, 500, 502)] == [True, True, False, False]
    assert [repeated(APIConnectionError(), never_sent) for never_sent in (False, True)] == [False, True]


def test_waiting_for_a_request_that_was_lost_is_no_repetition() -> None:
    running = refusal(409, "request_in_progress", {"retry-after": "1"})
    attempts = Attempts(1, 60, repeatable=True)

    assert attempts.delay_after(APIConnectionError()) is not None
    assert all(attempts.delay_after(running) for _ in range(20))
    assert attempts.delay_after(APIConnectionError()) is None


def test_a_gateway_that_was_lost_is_waited_for_while_it_refuses_connections() -> None:
    lost, continued = Attempts(1, 60, True), Attempts(2, 60, True, continued=True)
    unrepeated = Attempts(0, 60, True, continued=True)

    assert lost.delay_after(APIConnectionError()) is not None
    assert all(attempts.delay_after(APIConnectionError(), True) for attempts in [lost, continued] for _ in range(20))
    assert unrepeated.delay_after(APIConnectionError(), True) is None
    assert [Attempts(1, 60, True).delay_after(APIConnectionError(), True) is not None, lost._left] == [True, 0]


def test_the_delay_doubles_up_to_eight_seconds() -> None:
    assert all(wanted <= backoff(n) <= 1.5 * wanted for n, wanted in enumerate([0.5, 1, 2, 4, 8, 8, 8]))


@pytest.mark.parametrize(
    ("value", "seconds"),
    [("3", 3), ("0", 0), ("-5", 0), ("Wed, 21 Oct 2015 07:28:10 GMT", 10), ("soon", None), ("nan", None), ("", None)],
)
def test_retry_after_is_a_number_or_a_date(value: str, seconds: float | None) -> None:
    assert retry_after({"retry-after": value}, now=1445412480) == seconds


def test_an_error_survives_pickling() -> None:
    error = pickle.loads(pickle.dumps(refusal(404, "job_not_found", {"x-request-id": "r"})))

    assert isinstance(error, NotFoundError) and (error.code, error.request_id) == ("job_not_found", "r")
    assert isinstance(refusal(500, "call_failed"), CallFailedError)
    assert "<html>" in str(error_of(502, {}, "<html>", None))


def test_a_query_has_lists_maps_words_of_python_and_no_none() -> None:
    query = {"from_": "2026-01-01", "status": ["a", "b"], "metadata": {"k": "v&"}, "charged": True, "user_id": None}

    assert Request("GET", "/x", query).target == (
        "/x?from=2026-01-01&status=a&status=b&metadata%5Bk%5D=v%26&charged=true"
    )


def test_a_body_that_is_no_json_is_refused_before_it_is_sent() -> None:
    for value in (float("nan"), object()):
        with pytest.raises((ValueError, TypeError, JobGatewayError)):
            _ = Request("POST", "/x", {"a": value}).content
    assert Request("POST", "/x", {"a": None, "b": (1, 2)}).content == b'{"a":null,"b":[1,2]}'
