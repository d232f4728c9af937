#!/usr/bin/env python3
"""Makes what registries and desktop hosts install: an MCPB bundle and the server.json that names it.

  packaging/bundle.py PITH OUT_DIR [--url BASE]

PITH is the statically linked program. OUT_DIR gets pith-VERSION-linux-ARCH.mcpb (the same bytes for the same program)
and server.json; with --url, where releases of that file can be fetched, server.json names it with its SHA-256.
"""
import argparse
import hashlib
import json
import pathlib
import platform
import zipfile

HERE = pathlib.Path(__file__).resolve().parent
EPOCH = (1980, 1, 1, 0, 0, 0)  # the earliest time that a zip entry can hold


def add(bundle, name, data, mode):
    entry = zipfile.ZipInfo(name, EPOCH)
    entry.external_attr = (0o100000 | mode) << 16
    entry.create_system = 3  # Unix: the mode counts
    entry.compress_type = zipfile.ZIP_DEFLATED
    bundle.writestr(entry, data)


def make_bundle(program, out):
    manifest = (HERE / "mcpb/manifest.json").read_bytes()
    version = json.loads(manifest)["version"]
    path = out / f"pith-{version}-linux-{platform.machine()}.mcpb"
    with zipfile.ZipFile(path, "w") as bundle:
        add(bundle, "manifest.json", manifest, 0o644)
        add(bundle, "server/pith", program.read_bytes(), 0o755)
        add(bundle, "LICENSE", (HERE.parent / "LICENSE").read_bytes(), 0o644)
    return path


def make_server_json(bundle, url):
    server = json.loads((HERE.parent / "server.json").read_text())
    if url:
        server["packages"] = [{
            "registryType": "mcpb",
            "identifier": url.rstrip("/") + "/" + bundle.name,
            "version": server["version"],
            "fileSha256": hashlib.sha256(bundle.read_bytes()).hexdigest(),
            "transport": {"type": "stdio"},
        }]
    return json.dumps(server, indent=2) + "\n"


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("pith", type=pathlib.Path)
    arguments.add_argument("out", type=pathlib.Path)
    arguments.add_argument("--url", default="")
    words = arguments.parse_args()
    words.out.mkdir(parents=True, exist_ok=True)
    bundle = make_bundle(words.pith, words.out)
    (words.out / "server.json").write_text(make_server_json(bundle, words.url))
    print(bundle)


main()
