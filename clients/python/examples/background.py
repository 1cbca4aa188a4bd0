"""A call that outlives the process that made it: one process begins it, another one reads its answer."""

import subprocess
import sys

from job_gateway import JobGateway

gateway = JobGateway()

if len(sys.argv) == 1:
    job = gateway.jobs.create(job_type="book")
    call = job.call(
        model_group="smart", messages=[{"role": "user", "content": "Write a book on rivers."}], background=True
    )
    print(f"begun: {call.job_id} {call.call_id}", flush=True)
    subprocess.run([sys.executable, __file__, call.job_id, call.call_id], check=True)
else:
    job_id, call_id = sys.argv[1:]
    found = gateway.jobs.retrieve(job_id)
    for text in found.calls.retrieve(call_id).stream():
        print(text, end="", flush=True)
    print()
    print(f"charged: {found.complete().costs.credit_applied}")
