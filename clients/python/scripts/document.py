"""Prepares the OpenAPI document for the generator of models."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from typing import Any

Json = dict[str, Any]

CONSTRAINTS = ("minLength", "maxLength", "pattern", "minimum", "maximum", "minItems", "maxItems", "default", "example")
"""What the gateway checks is not checked here too: an older client would refuse what a newer gateway takes."""


def references(node: Any) -> Iterator[str]:
    if isinstance(node, dict):
        if "$ref" in node:
            yield node["$ref"].rsplit("/", 1)[1]
        for value in node.values():
            yield from references(value)
    elif isinstance(node, list):
        for value in node:
            yield from references(value)


def closure(schemas: Json, roots: Iterator[str]) -> set[str]:
    """The names of the schemas that the roots refer to, directly or not."""
    found: set[str] = set()
    waiting = list(roots)
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting.extend(references(schemas[name]))
    return found


def plain(node: Any, enums: Json) -> Any:
    """
    A schema without constraints. The enums that are given become their type: an answer may have a value that a later
    version of the gateway has added.
    """
    if isinstance(node, list):
        return [plain(item, enums) for item in node]
    if not isinstance(node, dict):
        return node
    if "$ref" in node and node["$ref"].rsplit("/", 1)[1] in enums:
        return {"type": enums[node["$ref"].rsplit("/", 1)[1]]["type"].replace("number", "integer")}
    if "allOf" in node and len(node["allOf"]) == 1:
        only = plain(node["allOf"][0], enums)
        rest = {key: plain(value, enums) for key, value in node.items() if key != "allOf" and key not in CONSTRAINTS}
        return {**rest, **only} if "$ref" not in only else {**rest, "allOf": [only]}
    result: Json = {}
    for key, value in node.items():
        if key == "properties":
            result[key] = {name: plain(schema, enums) for name, schema in value.items()}
        elif key in CONSTRAINTS or (key == "format" and value in ("uuid", "double")):
            continue
        else:
            result[key] = plain(value, enums)
    return result


def subset(document: Json, roots: Iterator[str], *, answers: bool) -> Json:
    """A document with nothing but the schemas that the roots refer to."""
    schemas: Json = copy.deepcopy(document["components"]["schemas"])
    enums = {name: schema for name, schema in schemas.items() if "enum" in schema} if answers else {}
    names = sorted(closure(schemas, roots) - set(enums))
    return {
        "openapi": document["openapi"],
        "info": {"title": "job-gateway", "version": "0"},
        "paths": {},
        "components": {"schemas": {name: plain(schemas[name], enums) for name in names}},
    }
