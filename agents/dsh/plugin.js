// The harness loads this file; it registers the listener on tool results, with `contextEngine` the one between turns, and
// the tool `ccr_retrieve`, and hands all three to one long-lived `pith hook dsh --serve`. Whatever fails leaves the
// harness's own result as it is.
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { createInterface } from "node:readline";

const names = { type: "array", items: { type: "string", minLength: 1 } };
const count = (least, otherwise) => ({ type: "integer", minimum: least, default: otherwise });

export const name = "pith-ccr";
export const inject = ["tools", "logger"];
export const schema = {
  type: "object",
  additionalProperties: false,
  properties: {
    targets: { ...names, default: ["bash", "read", "grep", "glob", "web_fetch", "web_search", "list", "search"] },
    exempt: { ...names, default: ["ccr_retrieve"] },
    compressFailures: { type: "boolean", default: false },
    inlineThresholdBytes: count(0, 1024),
    thresholdBytes: count(0, 1024),
    multipliers: {
      type: "object",
      additionalProperties: { type: "number", exclusiveMinimum: 0 },
      default: { error: 8, file: 3, grep: 2, paths: 2, json: 1, terminal: 1, web: 2, default: 1 },
    },
    autoExpand: { type: "boolean", default: true },
    autoExpandLimitBytes: count(0, 102400),
    previewMaxChars: count(16, 240),
    ttlSeconds: count(1, 3600),
    storeBudgetBytes: count(1, 268435456),
    journalPath: { type: "string", default: "" },
    contextEngine: { type: "boolean", default: false },
    log: { type: "boolean", default: false },
    logFile: { type: "string", default: "" },
    binary: { type: "string", default: "pith" },
  },
};

// Read at each use, so that a change holds from the next call on.
const volatileFields = ["thresholdBytes", "multipliers", "previewMaxChars", "log", "logFile"];

const description =
  "Restore a tool output that was replaced by a CCR marker. Pass the 24-character hash from " +
  "`<<<CCR:hash|type|size>>>` exactly as printed. Add range {start, count} to get only those lines; start counts from 1.";

function picked(options, keys) {
  return Object.fromEntries(keys.filter((key) => options[key] !== undefined).map((key) => [key, options[key]]));
}

function hasType(value, rule) {
  if (rule.type === "array") return Array.isArray(value) && value.every((item) => hasType(item, rule.items));
  if (rule.type === "integer") return Number.isInteger(value) && value >= rule.minimum;
  if (rule.type === "number") return Number.isFinite(value) && value > rule.exclusiveMinimum;
  if (rule.type === "string") return typeof value === "string" && value.length >= (rule.minLength ?? 0);
  if (rule.type === "boolean") return typeof value === "boolean";
  return value !== null && typeof value === "object" &&
    Object.values(value).every((item) => hasType(item, rule.additionalProperties));
}

function check(options) {
  for (const [key, value] of Object.entries(options)) {
    const rule = schema.properties[key];
    if (!rule) throw new Error(`${name}: unknown field ${key}`);
    if (value !== undefined && !hasType(value, rule)) throw new Error(`${name}: ${key} is not as the schema says`);
  }
}

class Gate {
  constructor(options, logger) {
    this.options = options;
    this.next = 1;
    this.waiting = new Map();
    const fields = picked(options, Object.keys(schema.properties).filter((key) => key !== "binary"));
    const env = Object.keys(fields).length > 0 ? { ...process.env, PITH_DSH: JSON.stringify(fields) } : process.env;
    this.child = spawn(options.binary ?? "pith", ["hook", "dsh", "--serve"], { stdio: ["pipe", "pipe", "pipe"], env });
    createInterface({ input: this.child.stdout }).on("line", (line) => this.take(line));
    createInterface({ input: this.child.stderr }).on("line", (line) => {
      if (line.startsWith("ccr: gate failed")) logger?.warn?.(line);
      else logger?.info?.(line);
    });
    const gone = () => {
      this.child = null;
      for (const { reject } of this.waiting.values()) reject(new Error("pith has ended"));
      this.waiting.clear();
    };
    this.child.on("error", gone);
    this.child.on("exit", gone);
    this.child.stdin.on("error", () => {});
    this.child.unref?.();
  }

  take(line) {
    const answer = JSON.parse(line);
    this.waiting.get(answer.id)?.resolve(answer);
    this.waiting.delete(answer.id);
  }

  ask(request) {
    if (!this.child) return Promise.reject(new Error("pith is not running"));
    const id = this.next++;
    const fields = picked(this.options, volatileFields);
    const line = { id, ...request, ...(Object.keys(fields).length > 0 ? { fields } : {}) };
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve, reject });
      this.child.stdin.write(JSON.stringify(line) + "\n");
    });
  }

  close() {
    this.child?.stdin.end();
  }
}

function payloadOf(content) {
  if (typeof content === "string") return content;
  if (!Array.isArray(content) || content.some((block) => block.type !== "text")) return null;
  return content.map((block) => block.text).join("");
}

const hashOf = (payload) => createHash("sha256").update(payload, "utf8").digest("hex").slice(0, 24);

// What was shown whole in an earlier turn gives way to preview and marker: a result that is appended in its stead.
async function archive(gate, { agent, turn }) {
  const session = agent.session;
  const { archive: found } = await gate.ask({ op: "pre-step", session: String(session.id), turn });
  const callIds = [];
  try {
    for (const { callId, hash, content } of found) {
      const result = session.toolResult(callId);
      const payload = result && payloadOf(result.content);
      if (payload === null || payload === undefined || hashOf(payload) !== hash) continue;
      session.replaceToolResult(callId, { ...result, content });
      callIds.push(callId);
    }
  } finally {
    if (callIds.length > 0) await gate.ask({ op: "archived", session: String(session.id), callIds });
  }
}

export function apply(context, options = {}) {
  check(options);
  const gate = new Gate(options, context.logger);
  const fail = (error) => context.logger?.warn?.(`ccr: gate failed, kept inline: ${error.message}`);
  gate.ask({ op: "hello" }).catch(fail);
  const undo = [];

  undo.push(context.on("tools/post-execute", async (exec, result, next) => {
    const decision = await next();
    try {
      if (decision?.block || decision?.feedback !== undefined || "value" in (decision ?? {})) return decision;
      const content = decision?.content ?? result.content;
      const session = exec.agent?.session?.id;
      const answer = await gate.ask({
        op: "post-execute",
        exec: {
          name: exec.name,
          arguments: exec.arguments,
          callId: exec.callId,
          session: session === undefined ? "" : String(session),
          parent: exec.parent ? true : null,
        },
        result: { isError: Boolean(result.isError), content },
      });
      return answer.content ? { ...decision, content: answer.content } : decision;
    } catch (error) {
      fail(error);
      return decision;
    }
  }, { prepend: true }));

  if (options.contextEngine) {
    undo.push(context.on("agent/pre-step", async (step, next) => {
      const decision = await next();
      if (decision?.reject) return decision;
      await archive(gate, step).catch(fail);
      return decision;
    }));
  }

  undo.push(context.tools.register({
    name: "ccr_retrieve",
    description,
    parameters: {
      type: "object",
      additionalProperties: false,
      required: ["hash"],
      properties: {
        hash: { type: "string" },
        range: {
          type: "object",
          additionalProperties: false,
          required: ["start", "count"],
          properties: { start: { type: "integer" }, count: { type: "integer" } },
        },
      },
    },
    async execute({ hash, range }) {
      const answer = await gate.ask({ op: "retrieve", hash, range });
      if (answer.isError) throw new Error(answer.text);
      return answer.text;
    },
  }));

  context.effect?.(() => () => {
    for (const remove of undo) remove?.();
    gate.close();
  });
}
