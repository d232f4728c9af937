#!/usr/bin/env python3
"""What registries and hosts are told of Pith agrees with their published rules, with the program and with itself; the
MCPB bundle starts a server that answers. The hosts' own validators run in tests/clients/run.sh registration.

  tests/registration_test.py PITH VERSION
"""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import zipfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
MCPB_FIELDS = {
    "manifest_version", "name", "display_name", "version", "description", "long_description", "author", "license",
    "keywords", "server", "tools", "prompts_generated", "compatibility", "user_config"}


def load(name):
    return json.loads((ROOT / name).read_text())


def check_server_json(server, version):
    """The rules of the schema that it names: name, lengths, and for each package a fixed version and a hash."""
    assert server["$schema"].startswith("https://static.modelcontextprotocol.io/schemas/"), server["$schema"]
    assert re.fullmatch(r"[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+", server["name"]) and 3 <= len(server["name"]) <= 200
    assert 1 <= len(server["description"]) <= 100 and 1 <= len(server["title"]) <= 100
    assert server["version"] == version
    for package in server.get("packages", []):
        assert package["registryType"] == "mcpb" and package["transport"] == {"type": "stdio"}
        assert package["identifier"].startswith("https://") and package["identifier"].endswith(".mcpb")
        assert package["version"] == version
        assert re.fullmatch(r"[a-f0-9]{64}", package["fileSha256"])


def check_mcpb(manifest, version, tools):
    assert manifest["manifest_version"] == "0.3" and manifest["version"] == version
    assert set(manifest) <= MCPB_FIELDS, set(manifest) - MCPB_FIELDS
    assert manifest["author"]["name"] and manifest["server"]["type"] == "binary"
    assert manifest["server"]["mcp_config"]["command"] == "${__dirname}/" + manifest["server"]["entry_point"]
    assert [tool["name"] for tool in manifest["tools"]] == tools, "the manifest lists the tools as the server does"
    for name in re.findall(r"\$\{user_config\.(\w+)\}", json.dumps(manifest["server"])):
        assert {"type", "title", "description"} <= set(manifest["user_config"][name])


def check_plugin(version):
    marketplace = load(".claude-plugin/marketplace.json")
    assert re.fullmatch(r"[a-z0-9-]+", marketplace["name"]) and marketplace["owner"]["name"]
    for entry in marketplace["plugins"]:
        folder = ROOT / entry["source"]
        assert entry["source"].startswith("./") and ".." not in entry["source"]
        plugin = json.loads((folder / ".claude-plugin/plugin.json").read_text())
        assert re.fullmatch(r"[a-z0-9-]+", plugin["name"]) and plugin["name"] == entry["name"]
        assert plugin["version"] == entry["version"] == version
        return plugin["mcpServers"]["pith"]


def listed_tools(argv, environment):
    """The names that a server lists, asked in the newest revision."""
    request = {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {"_meta": {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {}}}}
    done = subprocess.run(argv, input=json.dumps(request) + "\n", capture_output=True, text=True, timeout=30,
                          env={**os.environ, **environment})
    assert done.returncode == 0, done.stderr
    return [tool["name"] for tool in json.loads(done.stdout)["result"]["tools"]]


def filled(text, folder):
    return text.replace("${__dirname}", folder).replace("${user_config.folder}", "")


def run_bundle(program, scratch):
    """Makes the bundle twice, unpacks it and starts it as a host does."""
    made = []
    for out in ("one", "two"):
        done = subprocess.run([sys.executable, ROOT / "packaging/bundle.py", program, scratch / out, "--url",
                               "https://example.org/releases/"], capture_output=True, text=True, check=True)
        made.append(pathlib.Path(done.stdout.strip()))
    assert made[0].read_bytes() == made[1].read_bytes(), "the same program gives the same bundle"
    home = scratch / "installed"
    with zipfile.ZipFile(made[0]) as bundle:
        for entry in bundle.infolist():
            target = pathlib.Path(bundle.extract(entry, home))
            target.chmod(entry.external_attr >> 16 & 0o777)
    config = json.loads((home / "manifest.json").read_text())["server"]["mcp_config"]
    argv = [filled(word, str(home)) for word in [config["command"], *config["args"]]]
    environment = {name: filled(value, str(home)) for name, value in config["env"].items()}
    return listed_tools(argv, environment), json.loads((made[0].parent / "server.json").read_text())


def main():
    program, version = str(pathlib.Path(sys.argv[1]).resolve()), sys.argv[2]
    with tempfile.TemporaryDirectory() as folder:
        os.environ["XDG_STATE_HOME"] = folder + "/state"
        tools = listed_tools([program, "serve"], {})
        check_server_json(load("server.json"), version)
        check_mcpb(load("packaging/mcpb/manifest.json"), version, tools)
        plugin = check_plugin(version)
        assert plugin["command"] == "pith" and listed_tools([program, *plugin["args"]], {}) == tools
        from_bundle, server = run_bundle(program, pathlib.Path(folder))
        assert from_bundle == tools
        assert server["packages"], "with an address, the bundle is named"
        check_server_json(server, version)
    print("server.json, bundle, plugin and marketplace agree with the program")


main()
