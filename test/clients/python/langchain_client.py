from driver import serve
from langchain.agents import create_agent
from langchain_core.tools import tool
from langchain_openai import ChatOpenAI
from pydantic import BaseModel


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
        **o.parameters,
        **fields,
    )


def plain(o):
    return {"content": model_of(o).invoke(o.prompt).content}


def stream(o):
    return {"content": "".join(chunk.content for chunk in model_of(o).stream(o.prompt))}


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
        return {"content": agent.invoke(question, config)["messages"][-1].content, "cities": cities}
    pieces = [chunk.content for chunk, _ in agent.stream(question, config, stream_mode="messages") if chunk.type == "AIMessageChunk"]
    return {"content": "".join(pieces), "cities": cities}


def structured(o):
    return model_of(o).with_structured_output(River).invoke(o.prompt).model_dump()


def abort(o):
    chunks = model_of(o).stream(o.prompt)
    content = next(chunk.content for chunk in chunks if chunk.content)
    chunks.close()
    return {"content": content}


serve({"plain": plain, "stream": stream, "tools": tools, "structured": structured, "abort": abort})
