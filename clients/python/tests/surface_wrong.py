"""Programs with mistakes, each of which `mypy --strict` has to find."""

from job_gateway import JobGateway

gateway = JobGateway()
gateway.jobs.create()  # error
gateway.jobs.create(job_type=1)  # error
gateway.jobs.create(job_type="t", jobtype="t")  # error
gateway.jobs.create(job_type="t", budget={"max_cost": 1})  # error
job = gateway.jobs.create(job_type="t")
job.call(model_group="m", messages=[{"role": "usr", "content": ""}])  # error
job.call(messages=[])  # error
print(job.call(model_group="m", messages=[]).content)  # error
gateway.jobs.list(status="done")  # error
