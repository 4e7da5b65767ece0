"""Lists and calls every tool of `contextpack mcp` with the public Python client.

    mcp_client.py TOOL TREE INDEX

Over standard input and output and over HTTP, by the newest protocol and by the one with `initialize`. Fails when a
reply is not what the command line prints, is over its budget, or does not fit its tool's output schema, which the
client checks.
"""

import asyncio
import os
import subprocess
import sys

from mcp import Client, ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared._httpx_utils import create_mcp_http_client

TOOL, TREE, INDEX = sys.argv[1:]
TOOLS = ["pack", "read", "search", "outline", "show", "spec_context"]
TOKEN = "a-token-for-this-run"
# What a reply keeps of max_tokens for all but its text.
RESERVE = 128


def printed(*arguments):
    return subprocess.run([TOOL, *arguments], check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout.decode()


def check(is_so, what):
    if not is_so:
        sys.exit("mcp-clients: %s" % what)


async def exercise(client, name):
    """Everything that a client does; the two kinds of client have the same methods."""
    tools = {tool.name: tool for tool in (await client.list_tools()).tools}
    check(list(tools) == TOOLS, "%s lists %s" % (name, list(tools)))
    check(all(tool.output_schema for tool in tools.values()), "%s: a tool has no output schema" % name)

    steps = []

    async def tell(progress, total, message):
        steps.append(progress)

    async def call(tool, expected, **arguments):
        result = await client.call_tool(tool, arguments, progress_callback=tell)
        check(not result.is_error, "%s: %s failed: %s" % (name, tool, result.content))
        text = result.content[0].text
        check(text == expected, "%s: %s differs from the command line:\n%s" % (name, tool, text))
        check(result.structured_content["stale"] is False, "%s: %s is stale" % (name, tool))
        return result.structured_content

    query, place = "how is an order settled", ["--repo", TREE, "--index", INDEX]
    pack = printed("pack", *place, "--query", query, "--max-tokens", str(900 - RESERVE))
    facts = await call("pack", pack, query=query, max_tokens=900)
    await call("pack", pack, pack_id=facts["packId"], max_tokens="900")
    spec = printed("spec", "context", "REQ-201", "--repo", TREE, "--format", "markdown", "--max-tokens", "8000")
    await call("spec_context", spec, ids=["REQ-201"])
    shown = printed("show", "Amount", "--index", INDEX, "--callers")
    await call("show", shown, symbol="Amount", views="callers")
    await call("read", printed("read", "Amount.show", *place), what=["Amount.show"])
    await call("search", printed("search", "order", "--no-tests", *place), text="order", no_tests=True)
    await call("outline", printed("outline", "shop", *place), path="shop")
    check(steps and steps[-1] == 100, "%s was told no progress: %s" % (name, steps))

    refused = await client.call_tool("show", {"symbol": "Amount", "view": "callers"})
    check(refused.is_error and "did you mean `views`?" in refused.content[0].text, "%s: %s" % (name, refused))
    check(refused.structured_content["code"] == "POC_E_BAD_REQUEST", "%s: %s" % (name, refused))

    resources = (await client.list_resources()).resources
    uri = next(str(resource.uri) for resource in resources if facts["packId"] in str(resource.uri))
    read = await client.read_resource(uri)
    check(read.contents[0].text == pack, "%s reads another pack" % name)
    print("mcp-clients: python, %s: %d tools, %d steps of progress" % (name, len(tools), len(steps)))


async def with_session(transport, name):
    async with transport as streams, ClientSession(streams[0], streams[1]) as session:
        await session.initialize()
        await exercise(session, name)


async def with_client(transport, name):
    async with Client(transport) as client:
        check(client.protocol_version == "2026-07-28", "%s: it is %s" % (name, client.protocol_version))
        await exercise(client, name)


def over_stdio():
    return stdio_client(StdioServerParameters(command=TOOL, args=["mcp", "--root", TREE, "--index", INDEX]))


async def over_http():
    environment = dict(os.environ, MCP_TOKEN=TOKEN)
    server = subprocess.Popen(
        [TOOL, "mcp", "--root", TREE, "--index", INDEX, "--http", "127.0.0.1:0", "--token-env", "MCP_TOKEN"],
        stderr=subprocess.PIPE, text=True, env=environment)
    try:
        url = server.stderr.readline().strip().rpartition(" ")[2]
        check(url.startswith("http://127.0.0.1:"), "the server does not say where it listens")
        for run, name in [(with_client, "newest protocol over http"), (with_session, "initialize over http")]:
            headers = {"Authorization": "Bearer " + TOKEN}
            async with create_mcp_http_client(headers=headers) as http:
                await run(streamable_http_client(url, http_client=http), name)
    finally:
        server.kill()
        server.wait()


async def main():
    await with_client(over_stdio(), "newest protocol over stdio")
    await with_session(over_stdio(), "initialize over stdio")
    await over_http()


asyncio.run(main())
