"""Calls every operation of the content API with the client that openapi-python-client generated.

    generated.py CALLS DESCRIPTION

The client's package is on PYTHONPATH; FEEDWRIGHT_API_KEY is set. The description says where the server is.
"""

import enum
import importlib
import inspect
import io
import json
import os
import pkgutil
import re
import sys
import typing
from urllib.parse import urlsplit

calls = json.load(open(sys.argv[1]))
description = json.load(open(sys.argv[2]))

METHODS = {"get", "head", "post", "put", "delete", "patch"}
# The path of each operation: some are at an address of their own.
DESCRIBED = {
    operation["operationId"]: path
    for path in description["paths"].values()
    for method, operation in path.items()
    if method in METHODS
}

[name] = [found.name for found in pkgutil.iter_modules([os.environ["PYTHONPATH"]]) if found.name.endswith("_client")]
package = importlib.import_module(name)
types = importlib.import_module(f"{name}.types")
api = importlib.import_module(f"{name}.api")
functions = {
    module.name.rsplit(".", 1)[-1]: module.name
    for module in pkgutil.walk_packages(api.__path__, f"{name}.api.")
    if not module.ispkg
}


def snake(text):
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "_", text).replace("-", "_").lower()


assert set(functions) == {snake(call["operation"]) for call in calls}, "the calls are of other operations"
# A show has some of the operations.
calls = [call for call in calls if call["operation"] in DESCRIBED]
assert {call["operation"] for call in calls} == DESCRIBED.keys(), (functions, DESCRIBED)

key = os.environ["FEEDWRIGHT_API_KEY"]
kept = {}


def typed(annotation, value):
    """The value as the generated function takes it."""
    for kind in typing.get_args(annotation) or [annotation]:
        if inspect.isclass(kind) and issubclass(kind, enum.Enum):
            return kind(value)
        if hasattr(kind, "from_dict"):
            return kind.from_dict(value)
    return value


for call in calls:
    operation = call["operation"]
    function = importlib.import_module(functions[snake(operation)]).sync_detailed
    hints = typing.get_type_hints(function)
    arguments = {}
    for name, value in {**call.get("path", {}), **call.get("query", {}), **call.get("headers", {})}.items():
        if isinstance(value, str) and value.startswith("$"):
            value = kept[value[1:]]
        arguments[snake(name)] = typed(hints[snake(name)], value)
    if "body" in call:
        arguments["body"] = typed(hints["body"], call["body"])
        sent = arguments["body"].to_dict()
        assert sent == call["body"], f"{operation}: {sent} is sent"
    if "bytes" in call:
        arguments["body"] = types.File(payload=io.BytesIO(call["bytes"].encode()))
    path = DESCRIBED[operation]
    if "servers" in path:
        client = package.Client(base_url=path["servers"][0]["url"])
    else:
        client = package.AuthenticatedClient(base_url=description["servers"][0]["url"], token=key)
    response = function(client=client, **arguments)
    assert response.status_code == call["status"], f"{operation}: {response.status_code} {response.content}"
    if operation.startswith("head"):
        assert response.content == b"", operation
        continue
    received = json.loads(response.content)
    shown = response.parsed.to_dict()
    assert shown.keys() == received.keys(), f"{operation}: {shown.keys()} of {received.keys()}"
    for place, field in call.get("keep", {}).items():
        kept[place] = urlsplit(received[field]).path.rsplit("/", 1)[-1]

print(f"openapi-python-client: {len(calls)} operations called")
