"""Calls at the same time, in one job, within a budget."""

import asyncio

from job_gateway import AsyncJob, AsyncJobGateway

CITIES = ["Bonn", "Paris", "Rome"]


async def describe(job: AsyncJob, city: str) -> str:
    answer = await job.call(
        model_group="smart", purpose=city, messages=[{"role": "user", "content": f"Describe {city}."}]
    )
    return answer.response.content


async def main() -> None:
    async with AsyncJobGateway() as gateway:
        async with gateway.jobs.run(job_type="guide", budget={"max_calls": 10}) as job:
            texts = await asyncio.gather(*(describe(job, city) for city in CITIES))
        for city, text in zip(CITIES, texts, strict=True):
            print(f"{city}: {text}")
        print(f"calls: {job.outcome.costs.total_calls}, charged: {job.outcome.costs.credit_applied}")


asyncio.run(main())
