"""The messages that `ambit mcp` may send, as schemas for schema.py.

The field names, types and required fields are those of the schema that the Model Context Protocol publishes for its
revision 2025-06-18 (definitions JSONRPCResponse, JSONRPCError, InitializeResult, ServerCapabilities, Implementation,
ListToolsResult, Tool, ToolAnnotations, CallToolResult, TextContent). The published schema permits further fields. These
schemas reject them, because Ambit sends no other fields: a field with a typing error must not pass.
"""

from schema import errors_of

TEXT = {"type": "string"}
OBJECT = {"type": "object"}
FLAG = {"type": "boolean"}
ID = {"type": ["string", "integer"]}


def closed(properties, required=()):
    """Returns the schema of an object with these properties and no others."""
    return {
        "type": "object", "properties": properties, "required": list(required), "additionalProperties": False
    }  # fmt: skip


def message(**body):
    return closed({"jsonrpc": {"const": "2.0"}, "id": ID, **body}, ["jsonrpc", "id", *body])


ERROR = message(error=closed({"code": {"type": "integer"}, "message": TEXT, "data": {}}, ["code", "message"]))
INPUT = closed(
    {
        "type": {"const": "object"},
        "properties": {"type": "object", "additionalProperties": OBJECT},
        "required": {"type": "array", "items": TEXT},
        "additionalProperties": FLAG,
    },
    ["type"],
)
HINTS = closed(
    {"title": TEXT, "readOnlyHint": FLAG, "destructiveHint": FLAG, "idempotentHint": FLAG, "openWorldHint": FLAG}
)
TOOL = closed(
    {"name": TEXT, "title": TEXT, "description": TEXT, "inputSchema": INPUT, "annotations": HINTS},
    ["name", "inputSchema"],
)
RESULTS = {
    "initialize": closed(
        {
            "protocolVersion": TEXT,
            "capabilities": closed({"tools": closed({"listChanged": FLAG})}),
            "serverInfo": closed({"name": TEXT, "title": TEXT, "version": TEXT}, ["name", "version"]),
            "instructions": TEXT,
        },
        ["protocolVersion", "capabilities", "serverInfo"],
    ),
    "ping": closed({}),
    "tools/list": closed({"tools": {"type": "array", "items": TOOL}, "nextCursor": TEXT}, ["tools"]),
    "tools/call": closed(
        {
            "content": {"type": "array", "items": closed({"type": {"const": "text"}, "text": TEXT}, ["type", "text"])},
            "isError": FLAG,
            "structuredContent": OBJECT,
        },
        ["content"],
    ),
}


def violations(answer, method):
    """Returns each place at which the answer to a request violates the protocol. `method`: the request's method."""
    if "error" in answer or method not in RESULTS:
        # An answer to a request that cannot be parsed has no id (JSON-RPC 2.0, section 5).
        return errors_of({**answer, "id": answer["id"] if answer.get("id") is not None else 0}, ERROR)
    return errors_of(answer, message(result=RESULTS[method]))
