"""What all answers have in common."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict


class Answer(BaseModel):
    """An answer of the gateway. Fields that this version of the client does not know are kept."""

    model_config = ConfigDict(extra="allow", protected_namespaces=(), populate_by_name=True, defer_build=True)
