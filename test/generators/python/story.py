"""One job by the generated client; prints what the test compares."""

import json
import os
import uuid

from job_based_llm_gateway_client import AuthenticatedClient
from job_based_llm_gateway_client.api.credits_ import get_team_credits
from job_based_llm_gateway_client.api.jobs import complete_job, create_job, get_job
from job_based_llm_gateway_client.api.llm_calls import call_in_job
from job_based_llm_gateway_client.models import (
    CallRequest,
    ChatMessage,
    ChatRole,
    JobCompletion,
    JobCompletionStatus,
    JobCreation,
)

client = AuthenticatedClient(base_url=os.environ["BASE_URL"], token=os.environ["KEY"])
team = os.environ["TEAM"]
request = CallRequest(
    model_group=os.environ["MODEL_GROUP"],
    messages=[ChatMessage(role=ChatRole.USER, content="Hello")],
    top_p=0.5,
)

created = create_job.sync(client=client, body=JobCreation(team_id=team, job_type="report"))
called = call_in_job.sync(created.job_id, client=client, body=request)
completed = complete_job.sync(
    created.job_id, client=client, body=JobCompletion(status=JobCompletionStatus.COMPLETED)
)
credits = get_team_credits.sync(team, client=client)
refused = call_in_job.sync(created.job_id, client=client, body=request)
unknown = get_job.sync(uuid.UUID("00000000-0000-4000-8000-000000000000"), client=client)

print(
    json.dumps(
        {
            "created": created.status.value,
            "finish_reason": called.response.finish_reason,
            "completed": completed.status.value,
            "calls": completed.costs.total_calls,
            "charged": completed.costs.credit_applied,
            "credits": credits.credits_remaining,
            "codes": [refused.code.value, unknown.code.value],
        }
    )
)
