"""The Python SDK: python_sdk.py stdio|http legacy|auto. Does what journey.mjs does."""
import asyncio
import os
import re
import sys

from mcp import Client, StdioServerParameters

TOOLS = ["compact", "tokenjuice_retrieve", "retrieve_tool_output", "ccr_retrieve", "ccr_search", "ccr_stats"]


async def call(client, name, arguments):
    result = await client.call_tool(name, arguments)
    assert not result.is_error, result
    return [block.text for block in result.content]


async def fetch_all(client, arguments):
    text, offset = "", 0
    while offset is not None:
        blocks = await call(client, "tokenjuice_retrieve", {**arguments, "offset": offset})
        text += blocks[0]
        found = re.search(r"next offset (\d+)", " ".join(blocks[1:]))
        offset = int(found[1]) if found else None
    return text


async def journey(client):
    tools = await client.list_tools()
    assert [tool.name for tool in tools.tools] == TOOLS, tools
    with open(os.environ["SAMPLE"], encoding="utf-8", newline="") as file:
        original = file.read()
    view = (await call(client, "compact", {"content": original, "command": "make"}))[0]
    assert len(view) < len(original) / 2
    token = re.search(r'PARTIAL view of \d+ bytes.*"([0-9a-f]{24})"', view)[1]
    gaps = re.findall(r"omitted: (\d+)-(\d+)", view)
    assert gaps
    lines = original.split("\n")
    for first, last in gaps:
        expected = "".join(line + "\n" for line in lines[int(first) - 1 : int(last)])
        assert await fetch_all(client, {"token": token, "lines": f"{first}-{last}"}) == expected, (first, last)
    assert await fetch_all(client, {"token": token}) == original
    resources = await client.list_resources()
    assert resources.resources
    await client.read_resource(resources.resources[0].uri)
    return f"ok: {len(gaps)} gaps and {len(original)} bytes compared, {client.protocol_version}"


async def main():
    transport, mode = sys.argv[1:3]
    target = os.environ["PITH_URL"] if transport == "http" else StdioServerParameters(
        command=os.environ["PITH"], args=["serve"], env=dict(os.environ))
    async with Client(target, mode=mode) as client:
        print(await journey(client))


asyncio.run(main())
