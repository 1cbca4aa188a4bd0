from anthropic import Anthropic, beta_tool
from driver import serve
from pydantic import BaseModel


class River(BaseModel):
    river: str
    length: float


def client_of(o):
    return Anthropic(
        base_url=o.base_url,
        auth_token=o.api_key,
        default_headers=o.headers,
        max_retries=o.max_retries,
        timeout=o.timeout_seconds,
    )


def request_of(o, **fields):
    question = [{"role": "user", "content": o.prompt}]
    return {"model": o.model, "max_tokens": 1000, "messages": question, **o.parameters, **fields}


def text_of(message):
    return "".join(block.text for block in message.content if block.type == "text")


def plain(o):
    raw = client_of(o).messages.with_raw_response.create(**request_of(o))
    return {"content": text_of(raw.parse()), "job_id": raw.headers["x-job-id"]}


def stream(o):
    events = client_of(o).messages.create(**request_of(o, stream=True))
    deltas = [event.delta for event in events if event.type == "content_block_delta"]
    return {"content": "".join(delta.text for delta in deltas if delta.type == "text_delta")}


def helper(o):
    with client_of(o).messages.stream(**request_of(o)) as events:
        return {"content": events.get_final_text()}


def tools(o):
    """The runner keeps the conversation in a message thread: each request has only what is new."""
    cities = []

    @beta_tool
    def get_weather(city: str) -> str:
        """The weather of a city"""
        cities.append(city)
        return "rain"

    runner = client_of(o).beta.messages.tool_runner(**request_of(o, tools=[get_weather], stream=o.streamed))
    return {"content": text_of(runner.until_done()), "cities": cities}


def structured(o):
    return client_of(o).messages.parse(**request_of(o, output_format=River)).parsed_output.model_dump()


def count(o):
    question = [{"role": "user", "content": o.prompt}]
    return {"tokens": client_of(o).messages.count_tokens(model=o.model, messages=question).input_tokens}


def follow_up(o):
    messages, request = client_of(o).messages, request_of(o)
    first = messages.create(**request)
    request["messages"] += [{"role": "assistant", "content": first.content}, {"role": "user", "content": o.next}]
    return {"contents": [text_of(first), text_of(messages.create(**request))]}


def abort(o):
    with client_of(o).messages.create(**request_of(o, stream=True)) as events:
        for event in events:
            if event.type == "content_block_delta" and event.delta.type == "text_delta":
                return {"content": event.delta.text}


serve(
    {
        "plain": plain,
        "stream": stream,
        "helper": helper,
        "tools": tools,
        "structured": structured,
        "count": count,
        "followUp": follow_up,
        "abort": abort,
    }
)
