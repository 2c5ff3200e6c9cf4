"""Validates documents against a schema in docs/reference.

This file implements the keywords that the schemas use, so the tests need no package. If python3-jsonschema is
installed, this package validates each document, too.
"""

import json
import pathlib

ROOT = pathlib.Path(__file__).resolve().parents[2]
TYPES = {
    "object": lambda value: isinstance(value, dict),
    "array": lambda value: isinstance(value, list),
    "string": lambda value: isinstance(value, str),
    "boolean": lambda value: isinstance(value, bool),
    "null": lambda value: value is None,
    "integer": lambda value: isinstance(value, int) and not isinstance(value, bool),
    "number": lambda value: isinstance(value, (int, float)) and not isinstance(value, bool),
}
KEYWORDS = {
    "$schema", "$defs", "title", "description", "type", "required", "properties", "items", "enum", "const", "$ref",
    "oneOf", "allOf", "if", "then", "minimum", "maximum", "exclusiveMinimum", "minItems", "maxItems", "minLength",
    "additionalProperties",
}  # fmt: skip


def read_schema(name):
    return json.loads((ROOT / "docs/reference" / name).read_text())


def errors_of(value, schema, root=None, path="$"):
    """Returns each place at which the value violates the schema, with the violated keyword."""
    root = schema if root is None else root
    unknown = set(schema) - KEYWORDS
    assert not unknown, f"schema.py does not implement {unknown}"
    found = []

    def require(condition, keyword):
        if not condition:
            found.append(f"{path}: {keyword} {schema[keyword]!r}: {value!r:.80}")

    if "$ref" in schema:
        target = root
        for part in schema["$ref"].removeprefix("#/").split("/"):
            target = target[part]
        found += errors_of(value, target, root, path)
    if "type" in schema:
        types = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
        require(any(TYPES[one](value) for one in types), "type")
    if "enum" in schema:
        require(value in schema["enum"], "enum")
    if "const" in schema:
        require(value == schema["const"], "const")
    if "oneOf" in schema:
        require(sum(not errors_of(value, one, root, path) for one in schema["oneOf"]) == 1, "oneOf")
    for one in schema.get("allOf", []):
        found += errors_of(value, one, root, path)
    if "if" in schema and not errors_of(value, schema["if"], root, path):
        found += errors_of(value, schema["then"], root, path)
    if TYPES["number"](value):
        require(value >= schema.get("minimum", value), "minimum")
        require(value <= schema.get("maximum", value), "maximum")
        if "exclusiveMinimum" in schema:
            require(value > schema["exclusiveMinimum"], "exclusiveMinimum")
    if isinstance(value, str):
        require(len(value) >= schema.get("minLength", 0), "minLength")
    if isinstance(value, list):
        require(schema.get("minItems", 0) <= len(value), "minItems")
        require(len(value) <= schema.get("maxItems", len(value)), "maxItems")
        for i, one in enumerate(value):
            found += errors_of(one, schema.get("items", {}), root, f"{path}[{i}]")
    if isinstance(value, dict):
        for name in schema.get("required", []):
            if name not in value:
                found.append(f"{path}: {name!r} is missing")
        properties = schema.get("properties", {})
        for name, one in value.items():
            if name in properties:
                found += errors_of(one, properties[name], root, f"{path}.{name}")
            elif schema.get("additionalProperties", True) is False:
                found.append(f"{path}: {name!r} is not allowed")
            elif isinstance(schema.get("additionalProperties"), dict):
                found += errors_of(one, schema["additionalProperties"], root, f"{path}.{name}")
    return found


def validate(document, name):
    schema = read_schema(name)
    found = errors_of(document, schema)
    assert not found, "\n".join(found)
    try:
        import jsonschema
    except ImportError:
        return
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.validate(document, schema, cls=jsonschema.Draft202012Validator)
