"""Which requests are repeated, and when. Nothing here sends or waits."""

from __future__ import annotations

import random
import time
from collections.abc import Mapping
from email.utils import parsedate_to_datetime

from ._errors import APIConnectionError, APIError, CallFailedError

FIRST_DELAY = 0.5
LONGEST_DELAY = 8.0
LONGEST_RESTART = 60.0
"""Seconds for which connections may be refused after one was lost: an api that is killed starts again within 3 to 8."""
LONGEST_RETRY_AFTER = 60.0
"""Seconds. An answer that asks for more time is raised at once."""


def retry_after(headers: Mapping[str, str], now: float | None = None) -> float | None:
    """The seconds of Retry-After, which is a number or a date."""
    value = headers.get("retry-after")
    if not value:
        return None
    try:
        seconds = float(value)
    except ValueError:
        try:
            seconds = parsedate_to_datetime(value).timestamp() - (time.time() if now is None else now)
        except (ValueError, TypeError):
            return None
    return max(0.0, seconds) if seconds == seconds else None


def backoff(repetitions: int) -> float:
    """Half a second, doubled each time, and up to half as much again."""
    return min(LONGEST_DELAY, FIRST_DELAY * 2.0**repetitions) * random.uniform(1, 1.5)


class Attempts:
    """
    The attempts at one request, which all carry the same Idempotency-Key. `continued`: a connection of the same
    operation was lost before.
    """

    def __init__(self, max_retries: int, timeout: float | None, repeatable: bool, continued: bool = False) -> None:
        self._max = max_retries
        self._left = max_retries
        self._repeatable = repeatable
        self._lost_at = time.monotonic() if continued else None
        self._patient_until = None if timeout is None else time.monotonic() + timeout

    def delay_after(self, error: APIConnectionError | APIError, never_sent: bool = False) -> float | None:
        """The seconds until the next attempt. None: the error is raised."""
        if isinstance(error, APIError):
            return self._after_answer(error)
        if not never_sent:
            self._lost_at = time.monotonic()
        elif self._may_start_again():
            return backoff(self._max - self._left)
        # A request that is not protected by its key is repeated only if it cannot have had an effect.
        return self._counted(None) if self._repeatable or never_sent else None

    def _may_start_again(self) -> bool:
        """Waiting for a gateway that was lost is no repetition."""
        return self._max > 0 and self._lost_at is not None and time.monotonic() - self._lost_at < LONGEST_RESTART

    def _after_answer(self, error: APIError) -> float | None:
        if error.status == 409 and error.retry_after is not None:
            if self._lost_at is not None and error.code == "request_in_progress" and self._is_patient():
                # The gateway still works on the attempt whose connection was lost: this is waiting, and no repetition.
                return self._permitted(error.retry_after)
            return self._counted(error.retry_after)
        if error.status in (429, 503):
            return self._counted(error.retry_after)
        if not self._repeatable or isinstance(error, CallFailedError):
            return None
        if error.status == 408 or error.status >= 500:
            return self._counted(error.retry_after)
        return None

    def _counted(self, wanted: float | None) -> float | None:
        if self._left <= 0:
            return None
        delay = backoff(self._max - self._left) if wanted is None else self._permitted(wanted)
        self._left -= 1
        return delay

    def _permitted(self, wanted: float) -> float | None:
        return None if wanted > LONGEST_RETRY_AFTER else max(wanted, 0.1) * random.uniform(1, 1.1)

    def _is_patient(self) -> bool:
        return self._patient_until is None or time.monotonic() < self._patient_until
