from openai import OpenAI
from pydantic import BaseModel


class River(BaseModel):
    river: str
    length: float


def client_of(o):
    return OpenAI(
        base_url=o.base_url,
        api_key=o.api_key,
        default_headers=o.headers,
        max_retries=o.max_retries,
        timeout=o.timeout_seconds,
    )
