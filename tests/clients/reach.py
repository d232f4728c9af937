"""What the sessions with real hosts share: the build that their models ask for, files, and the token that a view names."""
import os
import re

BUILD = """#!/bin/sh
i=0
while [ $i -lt 700 ]; do
  i=$((i+1))
  echo "[$i/900] Building CXX object src/module_$((i % 9))/CMakeFiles/part.dir/file_$i.cc.o"
  [ $i = 411 ] && [ "$1" = fail ] && echo "src/module_6/file_411.cc:37:9: error: use of undeclared identifier 'frob'" >&2
done
[ "$1" = fail ] && { echo "ninja: build stopped: subcommand failed."; exit 2; }
echo "[900/900] Linking CXX executable app"
"""


def write(path, text, mode=0o644):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    os.chmod(path, mode)


def token_in(text):
    """The token that the footer of a view names, also within a JSON string; None where there is no view."""
    found = re.search(r'(?:tokenjuice_retrieve token \\?"|pith retrieve )([0-9a-f]{24})', text)
    return found and found[1]
