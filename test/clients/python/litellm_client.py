import json

import litellm
from driver import WEATHER, serve
from pydantic import BaseModel

litellm.suppress_debug_info = True
litellm.telemetry = False


class River(BaseModel):
    river: str
    length: float


def completion(o, messages, **fields):
    return litellm.completion(
        model=f"openai/{o.model}",
        messages=messages,
        api_base=o.base_url,
        api_key=o.api_key,
        extra_headers=o.headers,
        max_retries=o.max_retries,
        timeout=o.timeout_seconds,
        **o.parameters,
        **fields,
    )


def asking(o):
    return [{"role": "user", "content": o.prompt}]


def plain(o):
    return {"content": completion(o, asking(o)).choices[0].message.content}


def stream(o):
    chunks = completion(o, asking(o), stream=True)
    return {"content": "".join(chunk.choices[0].delta.content or "" for chunk in chunks)}


def answer_of(o, messages):
    if not o.streamed:
        return completion(o, messages, tools=[WEATHER])
    chunks = list(completion(o, messages, tools=[WEATHER], stream=True))
    return litellm.stream_chunk_builder(chunks, messages=messages)


def tools(o):
    messages, cities = asking(o), []
    while True:
        message = answer_of(o, messages).choices[0].message
        if not message.tool_calls:
            return {"content": message.content, "cities": cities}
        messages.append(message)
        for call in message.tool_calls:
            cities.append(json.loads(call.function.arguments)["city"])
            messages.append({"role": "tool", "tool_call_id": call.id, "content": "rain"})


def structured(o):
    return json.loads(completion(o, asking(o), response_format=River).choices[0].message.content)


def abort(o):
    chunks = completion(o, asking(o), stream=True)
    content = next(chunk.choices[0].delta.content for chunk in chunks if chunk.choices[0].delta.content)
    chunks.completion_stream.response.close()
    return {"content": content}


serve({"plain": plain, "stream": stream, "tools": tools, "structured": structured, "abort": abort})
