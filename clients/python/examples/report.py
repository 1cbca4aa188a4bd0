"""A job of several calls, of which the last one is streamed."""

from job_gateway import CallFailedError, JobGateway

with JobGateway() as gateway:
    with gateway.jobs.run(job_type="quarterly_report", external_task_id="order-4711") as job:
        outline = job.call(
            model_group="smart",
            purpose="outline",
            messages=[{"role": "user", "content": "Outline a report on rivers."}],
        )
        try:
            for text in job.stream(
                model_group="smart",
                purpose="draft",
                messages=[
                    {"role": "user", "content": "Outline a report on rivers."},
                    {"role": "assistant", "content": outline.response.content},
                    {"role": "user", "content": "Write it."},
                ],
            ):
                print(text, end="", flush=True)
        except CallFailedError as error:
            # The job is failed with this message, and free.
            raise SystemExit(f"the model has failed: {error.error_code}") from error
    print()
    print(f"charged: {job.outcome.costs.credit_applied}, left: {job.outcome.costs.credits_remaining}")
