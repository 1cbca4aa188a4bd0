import json

from driver import serve
from openai_options import River, client_of


WEATHER = {
    "type": "function",
    "name": "get_weather",
    "description": "The weather of a city",
    "strict": True,
    "parameters": {
        "type": "object",
        "properties": {"city": {"type": "string"}},
        "required": ["city"],
        "additionalProperties": False,
    },
}


def responses_of(o):
    return client_of(o).responses


def request_of(o, **fields):
    return {"model": o.model, "input": o.prompt, **o.parameters, **fields}


def plain(o):
    raw = responses_of(o).with_raw_response.create(**request_of(o))
    return {"content": raw.parse().output_text, "job_id": raw.headers["x-job-id"]}


def stream(o):
    events = responses_of(o).create(**request_of(o, stream=True))
    return {"content": "".join(event.delta for event in events if event.type == "response.output_text.delta")}


def final_response(responses, request):
    with responses.stream(**request) as events:
        return events.get_final_response()


def helper(o):
    return {"content": final_response(responses_of(o), request_of(o)).output_text}


def tools(o):
    responses, cities = responses_of(o), []
    conversation = [{"role": "user", "content": o.prompt}]
    while True:
        request = request_of(o, input=conversation, tools=[WEATHER])
        response = final_response(responses, request) if o.streamed else responses.create(**request)
        calls = [item for item in response.output if item.type == "function_call"]
        if not calls:
            return {"content": response.output_text, "cities": cities}
        conversation += [item.model_dump(exclude_none=True, exclude={"parsed_arguments"}) for item in response.output]
        for call in calls:
            cities.append(json.loads(call.arguments)["city"])
            conversation.append({"type": "function_call_output", "call_id": call.call_id, "output": "rain"})


def structured(o):
    return responses_of(o).parse(**request_of(o, text_format=River)).output_parsed.model_dump()


def follow_up(o):
    responses = responses_of(o)
    first = responses.create(**request_of(o))
    second = responses.create(**request_of(o, input=o.next, previous_response_id=first.id))
    return {"contents": [first.output_text, second.output_text]}


def background(o):
    """A response in the background, whose events are left after a few and taken up where they were left."""
    responses, numbers, response_id = responses_of(o), [], None
    with responses.create(**request_of(o, background=True, stream=True)) as events:
        for event in events:
            response_id = response_id or event.response.id
            numbers.append(event.sequence_number)
            if len(numbers) == 8:
                break
    for event in responses.retrieve(response_id, stream=True, starting_after=numbers[-1]):
        numbers.append(event.sequence_number)
    response = responses.retrieve(response_id)
    return {"numbers": numbers, "status": response.status, "content": response.output_text}


def embeddings(o):
    def create(**fields):
        answer = client_of(o).embeddings.create(model=o.model, input=["rivers", "lakes"], **fields)
        return [item.embedding for item in answer.data]

    return {"vectors": create(), "same": create(encoding_format="float")}


def abort(o):
    with responses_of(o).create(**request_of(o, stream=True)) as events:
        for event in events:
            if event.type == "response.output_text.delta":
                return {"content": event.delta}


serve(
    {
        "plain": plain,
        "stream": stream,
        "helper": helper,
        "tools": tools,
        "structured": structured,
        "followUp": follow_up,
        "background": background,
        "embeddings": embeddings,
        "abort": abort,
    }
)
