// The TypeScript SDK, version 1: node ts_v1.mjs stdio|http
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { blocksOf, journey } from './journey.mjs';

const transport = process.argv[2] === 'stdio'
  ? new StdioClientTransport({ command: process.env.PITH, args: ['serve'], env: process.env })
  : new StreamableHTTPClientTransport(new URL(process.env.PITH_URL));
const client = new Client({ name: 'pith-test-v1', version: '1.0.0' });
await client.connect(transport);
const { tools } = await client.listTools();
const said = await journey(tools.map((tool) => tool.name),
  async (name, args) => blocksOf(await client.callTool({ name, arguments: args })));
const { resources } = await client.listResources();
if (!resources.length) throw new Error('the original is not listed as a resource');
await client.readResource({ uri: resources[0].uri });
await client.getPrompt({ name: (await client.listPrompts()).prompts[0].name });
await client.ping();
await client.close();
console.log(`ok: ${said}`);
process.exit(0);
