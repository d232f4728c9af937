// The harness loads this file; it registers the listener on tool results and the tool `ccr_retrieve`, and hands both to
// one long-lived `pith hook dsh --serve`. Whatever fails leaves the harness's own result as it is.
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

export const name = "pith-ccr";
export const inject = ["tools", "logger"];
export const schema = { type: "object", additionalProperties: false, properties: { binary: { type: "string" } } };

const description =
  "Restore a tool output that was replaced by a CCR marker. Pass the 24-character hash from " +
  "`<<<CCR:hash|type|size>>>` exactly as printed. Add range {start, count} to get only those lines; start counts from 1.";

class Gate {
  constructor(binary, logger) {
    this.next = 1;
    this.waiting = new Map();
    this.child = spawn(binary, ["hook", "dsh", "--serve"], { stdio: ["pipe", "pipe", "pipe"] });
    createInterface({ input: this.child.stdout }).on("line", (line) => this.take(line));
    createInterface({ input: this.child.stderr }).on("line", (line) => logger?.info?.(line));
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
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve, reject });
      this.child.stdin.write(JSON.stringify({ id, ...request }) + "\n");
    });
  }

  close() {
    this.child?.stdin.end();
  }
}

export function apply(context, options = {}) {
  const gate = new Gate(options.binary ?? "pith", context.logger);

  const removeListener = context.on("tools/post-execute", async (exec, result, next) => {
    const decision = await next();
    try {
      if (decision?.block || decision?.feedback !== undefined || "value" in (decision ?? {})) return decision;
      const content = decision?.content ?? result.content;
      const answer = await gate.ask({
        op: "post-execute",
        exec: { name: exec.name, arguments: exec.arguments, parent: exec.parent ? true : null },
        result: { isError: Boolean(result.isError), content },
      });
      return answer.content ? { ...decision, content: answer.content } : decision;
    } catch (error) {
      context.logger?.warn?.(`ccr: gate failed, kept inline: ${error.message}`);
      return decision;
    }
  }, { prepend: true });

  const removeTool = context.tools.register({
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
  });

  context.effect?.(() => () => {
    removeListener?.();
    removeTool?.();
    gate.close();
  });
}
