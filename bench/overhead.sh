#!/bin/sh
# What reach costs a call: the wrapper beside the bare command, a hook that passes through beside /bin/true; and beside
# them what rtk, tokenjuice and TinyJuice have for the same, where they are installed (RTK, TOKENJUICE and TINYJUICE name
# the programs, else the PATH's; TinyJuice has no wrapper). Medians of one run, to be read as ratios; the load of the
# machine is printed, for above 1 or so they say little.
#
#   bench/overhead.sh PITH [RUNS]
set -eu
pith=$1 runs=${2:-200}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export HOME="$work/home" XDG_STATE_HOME="$work/state"
mkdir -p "$HOME"
yes 'a line of a file that is shown as it is, with nothing in it' | head -c 10000000 >"$work/10mb"
i=0
while [ $i -lt 900 ]; do echo "2026-01-02 03:04:05 INFO worker took item $i"; i=$((i + 1)); done >"$work/log"
printf '#!/bin/sh\nexec cat %s\n' "$work/log" >"$work/job"
chmod +x "$work/job"
cat >"$work/time.py" <<'PY'
# Started without a shell, stdout and stderr one pipe that is read to its end: as hosts do it.
import os, shutil, sys, time
work, runs, name, source, *argv = sys.argv[1:]
program = shutil.which(argv[0]) or argv[0]
times = []
for run in range(-5, int(runs)):
    began = time.perf_counter()
    reader, writer = os.pipe()
    child = os.posix_spawn(program, argv, os.environ, file_actions=[
        (os.POSIX_SPAWN_OPEN, 0, source, os.O_RDONLY, 0), (os.POSIX_SPAWN_DUP2, writer, 1), (os.POSIX_SPAWN_DUP2, writer, 2),
        (os.POSIX_SPAWN_CLOSE, reader)])
    os.close(writer)
    while os.read(reader, 1 << 20):
        pass
    os.close(reader)
    status = os.waitpid(child, 0)[1]
    if run >= 0:
        times.append(time.perf_counter() - began)
    if status != 0:
        sys.exit(1)
    if sum(times) > 10:  # of a program that takes seconds, a few runs
        break
median, first = sorted(times)[len(times) // 2], work + "/first"
if not os.path.exists(first):
    open(first, "w").write(str(median))
print(f"  {name:52} {median * 1e3:8.2f} ms {median / float(open(first).read()):7.2f} x", flush=True)
PY
python3 - "$work" <<'PY'
import json, sys
work = sys.argv[1]
text = open(work + "/log").read()
base = {"session_id": "s", "hook_event_name": "PostToolUse", "transcript_path": "/t", "cwd": "/w"}
payloads = {"read": {"tool_name": "Read", "tool_input": {"file_path": "/src/a.py"}, "tool_response": {"file": {"content": text}}},
            "small": {"tool_name": "Grep", "tool_input": {"pattern": "x"}, "tool_response": {"mode": "content", "content": "a:1:x"}},
            "view": {"tool_name": "Grep", "tool_input": {"pattern": "x"}, "tool_response": {"mode": "content", "content": text}},
            "bash": {"tool_name": "Bash", "tool_input": {"command": "make"},
                     "tool_response": {"stdout": text, "stderr": "", "interrupted": False, "isImage": False}},
            "command": {"hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": {"command": "ls"}}}
for name, payload in payloads.items():
    json.dump({**base, **payload}, open(f"{work}/{name}.json", "w"))
PY

measure() {  # measure NAME INPUT COMMAND...: its median, and how many times the first of the group it is
  python3 "$work/time.py" "$work" "$runs" "$@" || echo "  $1: could not be run"
}
rival() {  # rival PROGRAM NAME INPUT COMMAND...: where the program is here
  [ -n "$1" ] || return 0
  shift
  measure "$@"
}
group() { rm -f "$work/first"; echo "$1"; }

rtk=${RTK:-$(command -v rtk || true)} tokenjuice=${TOKENJUICE:-$(command -v tokenjuice || true)}
tinyjuice=${TINYJUICE:-$(command -v tinyjuice || true)}
for one in "rtk $rtk" "tokenjuice $tokenjuice" "TinyJuice $tinyjuice"; do
  [ -n "${one#* }" ] || echo "  not here, left out: ${one% }"
done
if [ -r /proc/loadavg ]; then echo "  load of this machine: $(cut -d' ' -f1-3 /proc/loadavg)"; fi
group "-- the wrapper, nothing printed"
measure "true" /dev/null /bin/true
measure "pith run -- true" /dev/null "$pith" run -- true
rival "$rtk" "rtk proxy true" /dev/null "$rtk" proxy true
rival "$tokenjuice" "tokenjuice wrap -- true" /dev/null "$tokenjuice" wrap -- true
group "-- the wrapper, a viewer of 10 MB"
measure "cat 10MB" /dev/null cat "$work/10mb"
measure "pith run -- cat 10MB" /dev/null "$pith" run -- cat "$work/10mb"
rival "$rtk" "rtk proxy cat 10MB" /dev/null "$rtk" proxy cat "$work/10mb"
group "-- the wrapper, a log of 40 KB that becomes a view, its original kept"
measure "job" /dev/null "$work/job"
measure "pith run -- job" /dev/null "$pith" run -- "$work/job"
"$pith" run -- "$work/job" 2>&1 </dev/null | grep -q "PARTIAL view" || echo "  it was no view: the line above says nothing"
rival "$rtk" "rtk log of it" /dev/null "$rtk" log "$work/log"
rival "$tokenjuice" "tokenjuice wrap -- job" /dev/null "$tokenjuice" wrap -- "$work/job"
group "-- a hook process"
measure "/bin/true" /dev/null /bin/true
measure "pith hook, a file read of 40 KB: not for us" "$work/read.json" "$pith" hook claude-code PostToolUse
measure "pith hook, a small result: not for us" "$work/small.json" "$pith" hook claude-code PostToolUse
measure "pith hook, a long result: a view" "$work/view.json" "$pith" hook claude-code PostToolUse
measure "pith hook, a command's log of 40 KB: a view" "$work/bash.json" "$pith" hook claude-code PostToolUse
rival "$rtk" "rtk hook claude" "$work/command.json" "$rtk" hook claude
rival "$tokenjuice" "tokenjuice claude-code-pre-tool-use" "$work/command.json" "$tokenjuice" claude-code-pre-tool-use
rival "$tinyjuice" "tinyjuice claude-code-post-tool-use, a small result" "$work/small.json" "$tinyjuice" claude-code-post-tool-use
rival "$tinyjuice" "tinyjuice claude-code-post-tool-use, the log" "$work/bash.json" "$tinyjuice" claude-code-post-tool-use
