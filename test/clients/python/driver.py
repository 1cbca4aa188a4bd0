"""Serves operations of one client: a request a line on standard input, its result a line on standard output."""

import json
import os
import sys
from types import SimpleNamespace
from typing import Any, Callable

Operation = Callable[[SimpleNamespace], Any]


def serve(operations: dict[str, Operation]) -> None:
    # Libraries print to standard output too: that goes to standard error.
    results = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    for line in sys.stdin:
        request = json.loads(line)
        try:
            outcome = {"result": operations[request["operation"]](SimpleNamespace(**request["options"]))}
        except Exception as error:
            outcome = {"error": describe(error)}
        print(json.dumps({"id": request["id"], **outcome}), file=results, flush=True)


def describe(error: Exception) -> dict[str, Any]:
    body = getattr(error, "body", None)
    of_anthropic = body.get("error") if isinstance(body, dict) else None
    details = of_anthropic.get("details") or {} if isinstance(of_anthropic, dict) else {}
    return {
        "type": type(error).__name__,
        "status": getattr(error, "status_code", None),
        "code": getattr(error, "code", None) or details.get("error_code"),
        "message": str(error)[:1000],
    }


WEATHER = {
    "type": "function",
    "function": {
        "name": "get_weather",
        "description": "The weather of a city",
        "parameters": {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]},
    },
}
