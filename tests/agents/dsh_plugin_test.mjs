// The plugin of agents/dsh/ in Node, against a stand-in of the harness: it captures listeners, tools, effects and logger, and
// its waterfall is as the harness's (outermost first, `next()` gives the inner decision). Ledger lines are compared whole.
//
//   node tests/agents/dsh_plugin_test.mjs PITH
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync, existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as plugin from "../../agents/dsh/plugin.js";

const folder = mkdtempSync(join(tmpdir(), "pith-dsh-"));
process.env.HOME = folder;
process.env.XDG_CONFIG_HOME = join(folder, "config");
for (const key of Object.keys(process.env)) if (key.startsWith("PITH_")) delete process.env[key];

const counts = {};
let suite = "";
const check = (condition, what) => {
  counts[suite] = (counts[suite] ?? 0) + 1;
  assert.ok(condition, `${suite}: ${what}`);
};
const same = (got, want, what) => {
  counts[suite] = (counts[suite] ?? 0) + 1;
  assert.deepEqual(got, want, `${suite}: ${what}`);
};

class Host {
  constructor(options = {}) {
    this.lines = [];
    this.warnings = [];
    this.listeners = { "tools/post-execute": [], "agent/pre-step": [] };
    this.registered = [];
    this.effects = [];
    this.tools = { register: (tool) => { this.registered.push(tool); return () => this.drop(tool); } };
    this.logger = { info: (line) => this.lines.push(line), warn: (line) => this.warnings.push(line) };
    this.options = { binary: process.argv[2], ...options };
    this.returned = plugin.apply(this, this.options);
  }
  drop(tool) { this.registered = this.registered.filter((other) => other !== tool); }
  on(event, listener, { prepend = false } = {}) {
    const list = this.listeners[event];
    if (prepend) list.unshift({ listener, prepend }); else list.push({ listener, prepend });
    return () => { this.listeners[event] = list.filter((row) => row.listener !== listener); };
  }
  effect(start) { this.effects.push(start()); }
  unload() { for (const end of this.effects) end(); }
  async result(name, text, { isError = false, inner, callId, session, parent, content } = {}) {
    const exec = { name, arguments: { command: "make" }, callId, parent, agent: session ? { session } : undefined };
    const result = { isError, content: content ?? [{ type: "text", text }] };
    const decision = inner ?? { accept: true };
    const [row] = this.listeners["tools/post-execute"];
    const got = await row.listener(exec, result, async () => decision);
    return { got, decision, result };
  }
  async step(session, turn, decision = { enter: true }) {
    const [row] = this.listeners["agent/pre-step"];
    return row.listener({ agent: { session }, turn, step: 1 }, async () => decision);
  }
  async retrieve(hash, range) {
    try {
      return { text: await this.registered[0].execute({ hash, range }) };
    } catch (error) {
      return { error: error.message };
    }
  }
  async settled() { for (let i = 0; i < 200 && this.lines.length === 0; i++) await new Promise((r) => setTimeout(r, 10)); }
  async quiet() { await new Promise((r) => setTimeout(r, 30)); }
}

class Session {
  constructor(id) { this.id = id; this.results = new Map(); this.events = []; }
  toolResult(callId) { return this.results.get(callId); }
  replaceToolResult(callId, result) { this.events.push(callId); this.results.set(callId, result); }
}

const hashOf = (text) => createHash("sha256").update(text).digest("hex").slice(0, 24);
const textOf = (n, seed = "line") => Array.from({ length: n }, (_, i) => `${seed} number ${i}\n`).join("");
const sized = (n) => textOf(n).slice(0, n - 1) + "\n";
const markerOf = (text, type = "terminal") => `<<<CCR:${hashOf(text)}|${type}|${Buffer.byteLength(text)}>>>`;

const suites = {
  async "Config-And-Activation"() {
    check(typeof plugin.name === "string" && plugin.name.length > 0, "name");
    check(plugin.inject.includes("tools"), "inject");
    check(plugin.schema.additionalProperties === false, "schema");
    const defaults = {
      targets: ["bash", "read", "grep", "glob", "web_fetch", "web_search", "list", "search"], exempt: ["ccr_retrieve"],
      compressFailures: false, inlineThresholdBytes: 1024, thresholdBytes: 1024,
      multipliers: { error: 8, file: 3, grep: 2, paths: 2, json: 1, terminal: 1, web: 2, default: 1 },
      autoExpand: true, autoExpandLimitBytes: 102400, previewMaxChars: 240, ttlSeconds: 3600,
      storeBudgetBytes: 268435456, journalPath: "", contextEngine: false, log: false, logFile: "" };
    for (const [key, value] of Object.entries(defaults)) same(plugin.schema.properties[key].default, value, key);
    const logFile = join(folder, "logs", "ccr.log");
    const host = new Host({ log: true, logFile });
    await host.settled();
    same(host.lines, ["ccr: activated (bundle 0.2.1, targets 8, budget 268435456)"], "activation line");
    const written = () => existsSync(logFile) && readFileSync(logFile, "utf8").endsWith("\n");
    for (let tries = 0; tries < 200 && !written(); ++tries) await new Promise((done) => setTimeout(done, 25));
    check(/^\[[^\]]+Z\] ccr: activated \(bundle 0.2.1, targets 8, budget 268435456\)\n$/.test(readFileSync(logFile, "utf8")), "file");
    same(host.listeners["tools/post-execute"].map((row) => row.prepend), [true], "listener once, prepended");
    same(host.registered.map((tool) => tool.name), ["ccr_retrieve"], "tool once");
    same(host.listeners["agent/pre-step"].length, 0, "no pre-step listener");
    host.unload();
    const silent = join(folder, "silent.log");
    const other = new Host({ log: false, logFile: silent });
    await other.settled();
    check(!existsSync(silent), "log: false writes no file");
    other.unload();
    for (const bad of [{ nope: 1 }, { previewMaxChars: 15 }, { ttlSeconds: 0 }, { targets: [""] }, { multipliers: { a: 0 } }]) {
      assert.throws(() => new Host(bad));
      check(true, "refused");
    }
  },
  async "Engine-Flag-Off"() {
    const host = new Host({ autoExpandLimitBytes: 4000 });
    await host.settled();
    same(host.listeners["agent/pre-step"].length, 0, "no listener");
    const small = sized(3000);
    const { got, decision } = await host.result("bash", small);
    check(got === decision, "the same object");
    await host.quiet();
    same(host.lines.at(-1), `ccr: stored bash terminal 3000 -> ${hashOf(small)}`, "stored");
    const large = sized(5231);
    const replaced = (await host.result("bash", large)).got;
    check(replaced.content.length === 1 && replaced.accept === true, "one block, the rest kept");
    check(/^\[terminal:exit 0 \| \d+ lines \| .*\]\n<<<CCR:[0-9a-f]{24}\|terminal\|5231>>>$/.test(replaced.content[0].text), "grammar");
    await host.quiet();
    same(host.lines.at(-1), `ccr: compressed bash terminal 5231 -> ${hashOf(large)}`, "compressed");
    same((await host.retrieve(hashOf(large))).text, large, "retrieval");
    check(!host.lines.some((line) => line.includes("engine")), "no engine line");
    host.unload();
    same([host.listeners["tools/post-execute"].length, host.registered.length], [0, 0], "unload");
  },
  async "Engine-Flag-On"() {
    const host = new Host({ contextEngine: true });
    await host.settled();
    same(host.lines[0], "ccr: activated (bundle 0.2.1, targets 8, budget 268435456)", "same activation line");
    same(host.listeners["agent/pre-step"].length, 1, "registered");
    const session = new Session("s1");
    const give = async (callId, text, more = {}) => {
      session.results.set(callId, { isError: Boolean(more.isError), content: more.content ?? [{ type: "text", text }], extra: 7 });
      return host.result(more.tool ?? "bash", text, { callId, session, ...more });
    };
    const decision = { enter: true };
    check((await host.step(session, 1, decision)) === decision, "the decision by identity");
    const [a, b] = [textOf(300, "a"), textOf(300, "b")];
    await give("c1", a);
    await give("c2", b);
    await give("small", "short\n");
    await give("failed", textOf(900, "f"), { isError: true });
    await give("image", "", { content: [{ type: "image", data: "x" }] });
    await give("exempt", textOf(300, "e"), { tool: "ccr_retrieve" });
    await give("marked", textOf(300, "m") + "<<<CCR:\n");
    await host.step(session, 1);
    same(session.events, [], "nothing in the same turn");
    const rejected = { reject: true };
    check((await host.step(session, 2, rejected)) === rejected, "a reject is honoured");
    same(session.events, [], "no pass after a reject");
    await host.step(session, 2);
    same(session.events, ["c1", "c2"], "archived, in order, the others left alone");
    const one = session.results.get("c1");
    same(one.content, [{ type: "text", text: `[terminal:exit 0 | 300 lines | a number 299]\n${markerOf(a)}` }], "preview and marker");
    same([one.isError, one.extra], [false, 7], "other fields kept");
    await host.quiet();
    same(host.lines.at(-1), "ccr: engine archived 2 results", "count line");
    const lines = host.lines.length;
    await host.step(session, 2);
    await host.step(session, 3);
    await host.quiet();
    same(session.events.length, 2, "a second pass changes nothing");
    same(host.lines.length, lines, "and writes nothing");
    same((await host.retrieve(hashOf(a))).text, a, "retrieval after archiving");
    same((await host.retrieve(hashOf(a), { start: 2, count: 1 })).text, "a number 1\n", "a range of it");
    await give("c3", textOf(300, "c"));
    session.results.set("c3", { content: [{ type: "text", text: "somebody changed it" }] });
    await give("c4", textOf(300, "d"));
    const replace = session.replaceToolResult;
    session.replaceToolResult = () => { throw new Error("no surface"); };
    await host.step(session, 4);
    await host.quiet();
    same(host.warnings, ["ccr: gate failed, kept inline: no surface"], "a throw is contained");
    session.replaceToolResult = replace;
    await host.step(session, 5);
    same(session.events, ["c1", "c2", "c4"], "what was changed since is left, the rest is archived");
    const other = new Session("s2");
    await host.step(other, 9);
    same(other.events, [], "another session's results are not touched");
    host.unload();
    same(host.listeners["agent/pre-step"].length, 0, "unload");
  },
  async "Journal-Compaction"() {
    const journalPath = join(folder, "journal", "ccr.jsonl");
    const text = sized(5000);
    const first = new Host({ journalPath });
    await first.settled();
    check(!existsSync(journalPath), "nothing before the first put");
    await first.result("bash", text);
    const record = JSON.parse(readFileSync(journalPath, "utf8"));
    same(Object.keys(record), ["hash", "type", "size", "ttlAt", "payload"], "five fields in order");
    same(Buffer.from(record.payload, "base64").toString(), text, "base64 round trip");
    first.unload();
    const expired = { ...record, hash: hashOf("x"), size: 1, ttlAt: 1, payload: Buffer.from("x").toString("base64") };
    const wrong = { ...record, hash: hashOf("y") };
    writeFileSync(journalPath, ["{ broken", JSON.stringify(expired), JSON.stringify(wrong), JSON.stringify(record),
      JSON.stringify(record)].join("\n") + "\n");
    const second = new Host({ journalPath });
    await second.settled();
    await second.quiet();
    same(second.lines, [`ccr: evicted ${hashOf("x")} (ttl)`, "ccr: activated (bundle 0.2.1, targets 8, budget 268435456)"], "boot");
    same(readFileSync(journalPath, "utf8"), JSON.stringify(record) + "\n", "rewritten: one whole record");
    same((await second.retrieve(record.hash)).text, text, "reload, then retrieve");
    check((await second.retrieve(hashOf("x"))).error.includes("has expired"), "dropped as expired");
    second.unload();
    writeFileSync(join(folder, "plain"), "");
    const third = new Host({ journalPath: join(folder, "plain", "ccr.jsonl") });
    await third.settled();
    await third.result("bash", text);
    same((await third.retrieve(hashOf(text))).text, text, "an unwritable path goes on in memory");
    third.unload();
  },
  async "Retrieve-And-Marker"() {
    const host = new Host({ autoExpand: false });
    await host.settled();
    for (const [tool, text, first] of [
      ["bash", sized(2000) + "[exit code: 2]\n", "[terminal:exit 2 | "],
      ["read", sized(4000), "[file:"],
      ["grep", Array.from({ length: 200 }, (_, i) => `src/a${i % 9}.ts:${i}: match\n`).join(""), "[grep:200 matches | 9 files | src/a0.ts:0"],
      ["glob", Array.from({ length: 300 }, (_, i) => `src/file${i}.ts\n`).join(""), "[paths:300 paths | .ts x300 | src/file0.ts"],
      ["bash", JSON.stringify(Array.from({ length: 200 }, (_, i) => ({ id: i, name: "n" }))), "[json:array | 200 items | id, name"],
      ["web_fetch", "# Title\n\n" + sized(4000), "[web:"],
      ["bash", "TypeError: no\n" + sized(9000), "[error:"],
    ]) {
      const { got } = await host.result(tool, text);
      check(got.content?.[0].text.startsWith(first), `${tool}: ${first}: ${got.content?.[0].text}`);
      const hash = hashOf(text);
      check(got.content[0].text.endsWith(`|${Buffer.byteLength(text)}>>>`), "size");
      same((await host.retrieve(hash)).text, text, "exact bytes");
    }
    const odd = "é\r\nb\r\n" + sized(2000) + "no end";
    await host.result("bash", odd);
    const hash = hashOf(odd);
    const lines = odd.match(/[^\n]*\n|[^\n]+$/g);
    same((await host.retrieve(hash)).text, odd, "CRLF and no final newline");
    same((await host.retrieve(hash, { start: 1, count: 1 })).text, lines[0], "first line");
    same((await host.retrieve(hash, { start: 3, count: 2 })).text, lines.slice(2, 4).join(""), "middle");
    same((await host.retrieve(hash, { start: lines.length, count: 99 })).text, "no end", "clamped");
    same((await host.retrieve(hash, { start: lines.length + 1, count: 1 })).text,
      `[ccr: line ${lines.length + 1} is past the end, ${lines.length} lines stored]`, "past the end");
    for (const range of [{ start: 0, count: 1 }, { start: 1, count: 0 }, { start: 1.5, count: 1 }]) {
      same((await host.retrieve(hash, range)).error, "ccr: range needs integers start >= 1 and count >= 1", "bad range");
    }
    let joined = "";
    for (let at = 1; at <= lines.length; at += 7) joined += (await host.retrieve(hash, { start: at, count: 7 })).text;
    same(joined, odd, "slices rejoin");
    for (const bad of ["0".repeat(24), hash.toUpperCase(), hash.slice(0, 12), `${hash} `]) {
      same((await host.retrieve(bad)).error, `ccr: no stored output for hash ${bad} (unknown). Use the 24-character hash from a ` +
        "<<<CCR:hash|type|size>>> marker, or re-run the original tool.", "miss");
      await host.quiet();
      same(host.lines.at(-1), `ccr: retrieval miss ${bad} (unknown)`, "ledger");
    }
    const marked = sized(5000) + "<<<CCR:";
    const guarded = await host.result("bash", marked);
    check(guarded.got === guarded.decision, "marker guard");
    const own = await host.result("ccr_retrieve", sized(5000));
    check(own.got === own.decision, "ccr_retrieve is never compressed");
    host.unload();
  },
  async "Run-One-State"() {
    const host = new Host({ autoExpand: false, storeBudgetBytes: 12000 });
    await host.settled();
    same(host.returned, undefined, "apply returns nothing");
    const [a, b, c] = [sized(5000), "b" + sized(5000), "c" + sized(5000)];
    await host.result("bash", a);
    await host.result("bash", b);
    await host.retrieve(hashOf(a));
    await host.result("bash", c);
    await host.quiet();
    same(host.lines.slice(-2), [`ccr: evicted ${hashOf(b)} (budget)`, `ccr: compressed bash terminal 5001 -> ${hashOf(c)}`], "least recently used goes, before the line of the put");
    same((await host.retrieve(hashOf(a))).text, a, "what was used stays");
    const huge = await host.result("bash", sized(13000));
    check(huge.got === huge.decision, "larger than the budget stays inline");
    await host.quiet();
    check(host.warnings.length === 1 && host.warnings[0].startsWith("ccr: gate failed, kept inline: "), "with a warning");
    for (const inner of [{ block: true, feedback: "no" }, { accept: true, value: 3 }]) {
      const { got } = await host.result("bash", a, { inner });
      check(got === inner, "block and value by identity");
    }
    const nested = await host.result("bash", a, { parent: { callId: "p" } });
    check(nested.got === nested.decision, "nested");
    const inner = { accept: true, content: [{ type: "text", text: "replaced downstream\n" + sized(3000) }], additionalContexts: ["x"] };
    const { got } = await host.result("bash", a, { inner });
    same(got.additionalContexts, ["x"], "contexts kept");
    same((await host.retrieve(got.content[0].text.match(/CCR:([0-9a-f]{24})/)[1])).text, inner.content[0].text, "what is gated is the inner content");
    const other = new Host({ autoExpand: false });
    await other.settled();
    check((await other.retrieve(hashOf(a))).error.includes("(unknown)"), "two instances do not share");
    other.unload();
    host.unload();
    const gone = new Host({ binary: join(folder, "no-such-program") });
    const failed = await gone.result("bash", a);
    check(failed.got === failed.decision, "without the program the result stays");
    check(gone.warnings.length > 0, "and a warning is given");
  },
  async "Volatile-Refresh"() {
    const host = new Host({ autoExpand: false });
    await host.settled();
    const text = sized(2000);
    check((await host.result("bash", text)).got.content !== undefined, "over the threshold");
    host.options.thresholdBytes = 4000;
    const { got, decision } = await host.result("bash", text);
    check(got === decision, "the changed threshold holds for the next call");
    same(host.lines.filter((line) => line.includes("activated")).length, 1, "no second activation");
    host.unload();
  },
};

try {
  for (const [name, run] of Object.entries(suites)) {
    suite = name;
    await run();
    console.log(`${name}: ${counts[name]}`);
  }
  console.log(`ok: ${Object.values(counts).reduce((sum, n) => sum + n, 0)} checks`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
process.exit(0);
