// The plugin of OpenCode and the extension of pi, as `pith install` writes them, in Node, against stand-ins of their hosts.
// Facts of the stand-ins: OpenCode calls every exported function once, awaits it, and calls "tool.execute.after" with
// {tool, sessionID, callID, args} and {title, output, metadata}, whose members it then hands to the model; pi calls the default
// export with its API, and takes what a handler of "tool_result" returns ({content?, details?, isError?}) in place of the same
// members of the event.
//
//   node tests/agents/plugins_test.mjs PITH
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const pith = process.argv[2];
const home = mkdtempSync(join(tmpdir(), "pith-plugins-"));
for (const key of Object.keys(process.env)) if (key.startsWith("PITH_") || key.startsWith("XDG_")) delete process.env[key];
process.env.HOME = home;
let checks = 0;
const check = (condition, what) => { checks += 1; assert.ok(condition, what); };
const run = (...words) => spawnSync(pith, words, { encoding: "utf8", cwd: home });

const lines = (count) => Array.from({ length: count }, (_, i) =>
  i === 450 ? "12:00:01 ERROR disk full at /var/lib/thing" : `12:00:00 INFO request ${i} served from cache`).join("\n") + "\n";
const log = lines(900);
const token = (text) => /(?:token "|retrieve )([0-9a-f]{24})/.exec(text)?.[1];
const isViewOf = (text, original) => text.includes("PARTIAL view of") && text.includes("disk full") &&
  text.length < original.length / 2 && run("retrieve", token(text)).stdout === original;

async function load(written, name) {
  const copy = join(home, name);
  copyFileSync(written, copy);
  return import(copy);
}

async function openCode() {
  check(run("install", "opencode").status === 0, "installed");
  const file = join(home, ".config/opencode/plugin/pith.js");
  const module = await load(file, "opencode.mjs");
  const hooks = [];
  for (const plugin of Object.values(module)) hooks.push(await plugin({ directory: home, worktree: home }));
  const after = async (tool, args, text, metadata = {}) => {
    const output = { title: "t", output: text, metadata };
    for (const hook of hooks) await hook["tool.execute.after"]({ tool, sessionID: "s", callID: "c", args }, output);
    return output;
  };
  const failing = await after("bash", { command: "make" }, log, { exit: 2 });
  check(isViewOf(failing.output, log), "a failing command becomes a view");
  check(failing.output.includes("[exit code 2]"), "which says how it ended");
  check(failing.title === "t" && failing.metadata.exit === 2, "nothing else is touched");
  check(isViewOf((await after("webfetch", { url: "http://a" }, log)).output, log), "a page becomes a view");
  for (const [what, tool, args, text] of [["a read", "read", { filePath: "a" }, log], ["a viewer", "bash", { command: "cat a" }, log],
    ["a small text", "bash", { command: "make" }, "done\n"], ["secrets", "bash", { command: "env" }, log],
    ["our own tool", "pith_tokenjuice_retrieve", {}, log]]) {
    check((await after(tool, args, text)).output === text, `${what} stays as it is`);
  }
  check((await after("bash", undefined, undefined)).output === undefined, "a result without text is left alone");
  process.env.PITH_NO_HOOKS = "1";
  check((await after("bash", { command: "make" }, log)).output === log, "a kill switch holds");
  delete process.env.PITH_NO_HOOKS;
  const gone = readFileSync(file, "utf8").replaceAll(pith, "/nowhere/pith");
  writeFileSync(join(home, "gone.mjs"), gone);
  hooks.length = 0;
  for (const plugin of Object.values(await import(join(home, "gone.mjs")))) hooks.push(await plugin({}));
  check((await after("bash", { command: "make" }, log)).output === log, "without the binary the result stands");
  check(run("uninstall", "opencode").status === 0 && !existsSync(file), "taken out");
}

async function pi() {
  check(run("install", "pi").status === 0, "installed");
  const file = join(home, ".pi/agent/extensions/pith.ts");
  const module = await load(file, "pi.mjs");
  const handlers = {};
  module.default({ on: (event, handler) => (handlers[event] ??= []).push(handler) });
  const result = async (toolName, input, content, isError = false) => {
    const event = { type: "tool_result", toolName, toolCallId: "c", input, content, details: { a: 1 }, isError };
    for (const handler of handlers.tool_result) {
      const changed = await handler(event, {});
      if (changed?.content) event.content = changed.content;
      if (changed && ("details" in changed || "isError" in changed)) event.other = true;
    }
    return event;
  };
  const text = (value) => [{ type: "text", text: value }];
  const made = await result("bash", { command: "make" }, text(log));
  check(made.content.length === 1 && isViewOf(made.content[0].text, log), "a command's result becomes a view");
  check(!made.other, "nothing else is touched");
  for (const [what, name, input, content, failed] of [["a read", "read", { path: "a" }, text(log)], ["a failure", "bash", { command: "make" }, text(log), true],
    ["a picture", "bash", { command: "make" }, [{ type: "image", data: "x" }]], ["a small text", "bash", { command: "make" }, text("done\n")],
    ["two blocks", "bash", { command: "make" }, [...text(log), ...text(log)]]]) {
    check((await result(name, input, content, failed)).content === content, `${what} stays as it is`);
  }
  check(run("uninstall", "pi").status === 0 && !existsSync(file), "taken out");
}

try {
  await openCode();
  await pi();
  console.log(`OpenCode and pi: ${checks} checks`);
} finally {
  rmSync(home, { recursive: true, force: true });
}
