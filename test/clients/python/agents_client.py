import asyncio
import sys

from agents import (
    Agent,
    ModelSettings,
    OpenAIChatCompletionsModel,
    OpenAIResponsesModel,
    Runner,
    function_tool,
    set_tracing_disabled,
)
from driver import serve
from openai import AsyncOpenAI
from openai.types.responses import ResponseTextDeltaEvent
from pydantic import BaseModel

set_tracing_disabled(True)

most_turns = 30
# The endpoint of the gateway is the first argument of this driver.
model_class = {"chat": OpenAIChatCompletionsModel, "responses": OpenAIResponsesModel}[sys.argv[1]]


class River(BaseModel):
    river: str
    length: float


def agent_of(o, **fields):
    client = AsyncOpenAI(
        base_url=o.base_url,
        api_key=o.api_key,
        default_headers=o.headers,
        max_retries=o.max_retries,
        timeout=o.timeout_seconds,
    )
    model = model_class(model=o.model, openai_client=client)
    settings = ModelSettings(extra_args=o.parameters or None)
    return Agent(name="Assistant", instructions="Answer briefly.", model=model, model_settings=settings, **fields)


async def run(agent, o):
    return (await Runner.run(agent, o.prompt, max_turns=most_turns)).final_output


async def run_twice(agent, o):
    first = await Runner.run(agent, o.prompt)
    conversation = [*first.to_input_list(), {"role": "user", "content": o.next}]
    return [first.final_output, (await Runner.run(agent, conversation)).final_output]


async def text_of_stream(agent, o):
    pieces = []
    running = Runner.run_streamed(agent, o.prompt, max_turns=most_turns)
    async for event in running.stream_events():
        if event.type == "raw_response_event" and isinstance(event.data, ResponseTextDeltaEvent):
            pieces.append(event.data.delta)
    return "".join(pieces)


def plain(o):
    return {"content": asyncio.run(run(agent_of(o), o))}


def stream(o):
    return {"content": asyncio.run(text_of_stream(agent_of(o), o))}


def tools(o):
    cities = []

    @function_tool
    def get_weather(city: str) -> str:
        """The weather of a city"""
        cities.append(city)
        return "rain"

    agent = agent_of(o, tools=[get_weather])
    return {"content": asyncio.run((text_of_stream if o.streamed else run)(agent, o)), "cities": cities}


def structured(o):
    return asyncio.run(run(agent_of(o, output_type=River), o)).model_dump()


def follow_up(o):
    return {"contents": asyncio.run(run_twice(agent_of(o), o))}


def abort(o):
    async def first_piece():
        running = Runner.run_streamed(agent_of(o), o.prompt)
        async for event in running.stream_events():
            if event.type == "raw_response_event" and isinstance(event.data, ResponseTextDeltaEvent):
                running.cancel()
                return event.data.delta

    return {"content": asyncio.run(first_piece())}


serve(
    {
        "plain": plain,
        "stream": stream,
        "tools": tools,
        "structured": structured,
        "followUp": follow_up,
        "abort": abort,
    }
)
