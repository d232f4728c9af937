// What bench_latency compares with: the same two tools on the TypeScript SDK, originals in memory, over stdio or with
// `--http 127.0.0.1:0` over HTTP. Run where @modelcontextprotocol/server and /node are installed (tests/clients/run.sh
// puts them into build/clients/hosts).
import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import { McpServer, createMcpHandler } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { toNodeHandler } from '@modelcontextprotocol/node';
import * as z from 'zod';

const originals = new Map();
const text = (value) => ({ content: [{ type: 'text', text: value }] });

function makeServer() {
  const server = new McpServer({ name: 'peer', version: '1.0.0' });
  server.registerTool('compact', { description: 'Keeps a text', inputSchema: z.object({ content: z.string() }) }, ({ content }) => {
    const token = createHash('sha256').update(content).digest('hex').slice(0, 24);
    originals.set(token, content);
    return text(token);
  });
  server.registerTool('tokenjuice_retrieve', { description: 'Gives it back', inputSchema: z.object({ token: z.string() }) },
    ({ token }) => text(originals.get(token)));
  return server;
}

if (process.argv[2] === '--http') {
  const listener = createServer({ keepAliveTimeout: 60_000 }, toNodeHandler(createMcpHandler(makeServer)));
  listener.listen(0, '127.0.0.1', () => console.error(`listening on http://127.0.0.1:${listener.address().port}/mcp`));
} else {
  serveStdio(makeServer);
}
