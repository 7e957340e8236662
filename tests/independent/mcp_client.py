"""Tools for agents, called by the client of the protocol's own library, which checks every message by its types.

    tests/independent/mcp_client.py FEEDWRIGHT
"""

import asyncio
import json
import sys
import tempfile
from pathlib import Path

import jsonschema
from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client

WALK = '+++\nid = "walk"\nslug = "walk"\ntitle = "A walk"\ndate_published = 2026-01-05T09:00:00Z\n+++\nThe ferry was late.\n'


async def call(session, schemas, name, **arguments):
    if name in schemas:
        jsonschema.validate(arguments, schemas[name])
    result = await session.call_tool(name, arguments)
    answer = result.structured_content
    assert result.is_error or json.loads(result.content[0].text) == answer, result
    return result.is_error, answer or result.content[0].text


async def visit(program, root, options, may_publish):
    server = StdioServerParameters(command=program, args=["mcp", "--site", str(root), *options])
    async with stdio_client(server) as (read, write), ClientSession(read, write) as session:
        hello = await session.initialize()
        assert hello.server_info.name == "feedwright" and "draft" in hello.instructions, hello
        tools = (await session.list_tools()).tools
        schemas = {tool.name: tool.input_schema for tool in tools}
        for schema in schemas.values():
            jsonschema.Draft202012Validator.check_schema(schema)
        assert ("publish" in schemas) == may_publish, schemas.keys()

        failed, found = await call(session, schemas, "search", words="ferry")
        assert not failed and found["results"][0]["id"] == "walk", found
        _, walk = await call(session, schemas, "read", file="walk")
        change = {"file": "walk", "version": walk["version"], "replacements": [{"old": "late", "new": "early"}]}
        failed, edited = await call(session, schemas, "propose_edit", **change)
        assert not failed and edited["state"] == ("saved" if may_publish else "proposed"), edited
        assert ("early" in (root / "content/items/walk.md").read_text()) == may_publish

        failed, made = await call(session, schemas, "create_draft", title="Tide", text="High.")
        assert not failed and 'status = "unpublished"' in (root / made["file"]).read_text(), made
        failed, shown = await call(session, schemas, "preview", file=made["file"])
        assert not failed and "High." in shown["text"], shown
        failed, checked = await call(session, schemas, "validate")
        assert not failed and checked["problems"] == [], checked
        if may_publish:
            failed, _ = await call(session, schemas, "publish", file=made["file"], version=made["version"])
            assert not failed and "status" not in (root / made["file"]).read_text()
        else:
            unpublish = {"file": made["file"], "version": made["version"], "fields": {"status": None}}
            failed, why = await call(session, schemas, "propose_edit", **unpublish)
            assert failed and "agents cannot publish" in why, why
        result = await session.call_tool("read", {"file": 5})
        assert result.is_error and "arguments.file" in result.content[0].text, result
        try:
            await session.call_tool("delete", {"file": "walk"})
            raise AssertionError("a tool that is not there was called")
        except Exception as error:
            assert "unknown tool" in str(error), error


def main(program):
    for options, may_publish in [([], False), (["--allow-publish"], True)]:
        with tempfile.TemporaryDirectory() as folder:
            root = Path(folder)
            (root / "content/items").mkdir(parents=True)
            (root / "site.toml").write_text('base_url = "https://walks.example"\n')
            (root / "content/channel.md").write_text('+++\ntitle = "Walks"\n+++\nBy the sea.\n')
            (root / "content/items/walk.md").write_text(WALK)
            asyncio.run(visit(program, root, options, may_publish))
    print("the client of the protocol's library finds, reads, drafts, proposes and previews; it publishes only where it may")


main(sys.argv[1])
