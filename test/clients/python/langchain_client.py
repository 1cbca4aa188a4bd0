import sys

from driver import serve
from langchain.agents import create_agent
from langchain_core.messages import HumanMessage
from langchain_core.tools import tool
from langchain_openai import ChatOpenAI
from pydantic import BaseModel


# The endpoint of the gateway is the first argument of this driver.
uses_responses = sys.argv[1] == "responses"


class River(BaseModel):
    """A river."""

    river: str
    length: float


def model_of(o, **fields):
    return ChatOpenAI(
        base_url=o.base_url,
        api_key=o.api_key,
        model=o.model,
        default_headers=o.headers,
        max_retries=o.max_retries,
        timeout=o.timeout_seconds,
        use_responses_api=uses_responses,
        **o.parameters,
        **fields,
    )


def plain(o):
    return {"content": model_of(o).invoke(o.prompt).text}


def stream(o):
    return {"content": "".join(chunk.text for chunk in model_of(o).stream(o.prompt))}


def tools(o):
    cities = []

    @tool
    def get_weather(city: str) -> str:
        """The weather of a city"""
        cities.append(city)
        return "rain"

    agent = create_agent(model_of(o, streaming=o.streamed), [get_weather])
    question = {"messages": [{"role": "user", "content": o.prompt}]}
    config = {"recursion_limit": 50}
    if not o.streamed:
        return {"content": agent.invoke(question, config)["messages"][-1].text, "cities": cities}
    pieces = [chunk.text for chunk, _ in agent.stream(question, config, stream_mode="messages") if chunk.type == "AIMessageChunk"]
    return {"content": "".join(pieces), "cities": cities}


def structured(o):
    return model_of(o).with_structured_output(River).invoke(o.prompt).model_dump()


def follow_up(o):
    model, question = model_of(o), HumanMessage(o.prompt)
    first = model.invoke([question])
    second = model.invoke([question, first, HumanMessage(o.next)])
    return {"contents": [first.text, second.text]}


def abort(o):
    chunks = model_of(o).stream(o.prompt)
    content = next(chunk.text for chunk in chunks if chunk.text)
    chunks.close()
    return {"content": content}


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
