import json

from driver import WEATHER, serve
from openai_options import River, client_of


def request_of(o, **fields):
    return {"model": o.model, "messages": [{"role": "user", "content": o.prompt}], **o.parameters, **fields}


def plain(o):
    raw = client_of(o).chat.completions.with_raw_response.create(**request_of(o))
    return {"content": raw.parse().choices[0].message.content, "job_id": raw.headers["x-job-id"]}


def stream(o):
    pieces = []
    for chunk in client_of(o).chat.completions.create(**request_of(o, stream=True)):
        pieces += [choice.delta.content or "" for choice in chunk.choices]
    return {"content": "".join(pieces)}


def tools(o):
    client, request, cities = client_of(o), request_of(o, tools=[WEATHER]), []
    while True:
        if o.streamed:
            with client.chat.completions.stream(**request) as events:
                message = events.get_final_completion().choices[0].message
        else:
            message = client.chat.completions.create(**request).choices[0].message
        if not message.tool_calls:
            return {"content": message.content, "cities": cities}
        request["messages"].append(message.model_dump(exclude_none=True, exclude={"parsed"}))
        for call in message.tool_calls:
            cities.append(json.loads(call.function.arguments)["city"])
            request["messages"].append({"role": "tool", "tool_call_id": call.id, "content": "rain"})


def structured(o):
    completion = client_of(o).chat.completions.parse(**request_of(o, response_format=River))
    return completion.choices[0].message.parsed.model_dump()


def abort(o):
    with client_of(o).chat.completions.create(**request_of(o, stream=True)) as chunks:
        for chunk in chunks:
            if chunk.choices and chunk.choices[0].delta.content:
                return {"content": chunk.choices[0].delta.content}


serve({"plain": plain, "stream": stream, "tools": tools, "structured": structured, "abort": abort})
