"""Calls that have ended."""

from __future__ import annotations

from . import models
from ._errors import APIError, call_failed


def answer_of(call: models.CallWithPayload) -> models.CallResponse | None:
    """The answer of a call that has ended, in the form of `job.call`. None: it is too long to be read with the call."""
    if call.status != "succeeded":
        message = call.error or f"the call was {call.status}"
        raise call_failed(message, "call_failed", call.job_id, call.call_id, error_code=call.error_code)
    if call.truncated:
        return None
    # A call that was stopped before its first token has no answer.
    answer = {} if call.response is None and call.payload_stored else call.response
    if not isinstance(answer, dict) or "not_kept" in answer:
        raise APIError(410, {"detail": "Call payload is no longer stored", "code": "payload_deleted"}, {})
    fields = {"content": answer.get("content") or "", "finish_reason": call.finish_reason or "stop"}
    if answer.get("tool_calls"):
        fields["tool_calls"] = answer["tool_calls"]
    return response_of(call, models.ModelResponse.model_validate(fields))


def response_of(call: models.CallWithPayload, response: models.ModelResponse) -> models.CallResponse:
    metadata = models.CallResponseMetadata(
        tokens_used=call.total_tokens, latency_ms=call.latency_ms or 0, model_group=call.requested_model
    )
    return models.CallResponse(call_id=call.call_id, response=response, metadata=metadata)
