#!/usr/bin/env bash
# What registries and hosts are told of Pith, by their own validators:
#   registration.sh mcpb NODE MCPB       the bundle's manifest, and a bundle packed by us is one that MCPB can unpack
#   registration.sh plugin CLAUDE        manifests, then a real installation whose server must be Connected
#   registration.sh server PYTHON        server.json, with and without a package, against the registry's own schema
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

case $1 in
  mcpb)
    "$2" "$3" validate "$root/packaging/mcpb/manifest.json" >&2
    bundle=$(python3 "$root/packaging/bundle.py" "$PITH" "$scratch")
    "$2" "$3" unpack "$bundle" "$scratch/unpacked" >&2
    cmp "$PITH" "$scratch/unpacked/server/pith"
    echo "ok: valid; the bundle unpacks to the same program" ;;
  plugin)
    mkdir "$scratch/bin"
    ln -s "$PITH" "$scratch/bin/pith"
    program=$2
    claude() { env -i HOME="$scratch" XDG_STATE_HOME="$scratch/state" PATH="$scratch/bin:/usr/bin:/bin" "$program" "$@"; }
    claude plugin validate --strict "$root" >&2
    claude plugin validate --strict "$root/packaging/claude-code" >&2
    claude plugin marketplace add "$root" >&2
    claude plugin install pith@pith >&2
    cd "$scratch"
    claude mcp list | tee /dev/stderr | grep -q 'plugin:pith:pith.*Connected'
    echo "ok: valid; installed from the marketplace and Connected" ;;
  server)
    module=$(cd "$scratch" && go mod download -json github.com/modelcontextprotocol/registry@v1.8.9 | sed -n 's/.*"Dir": "\(.*\)".*/\1/p')
    python3 "$root/packaging/bundle.py" "$PITH" "$scratch" --url https://example.org/releases >&2
    "$2" - "$module/internal/validators/schemas/2025-12-11.json" "$root/server.json" "$scratch/server.json" <<'PY'
import json, sys
import jsonschema
schema = json.load(open(sys.argv[1]))
for name in sys.argv[2:]:
    server = json.load(open(name))
    assert server["$schema"] == schema["$id"], (server["$schema"], schema["$id"])
    jsonschema.validate(server, schema)
PY
    echo "ok: valid, with and without a package" ;;
esac
