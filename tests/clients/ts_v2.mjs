// The TypeScript SDK, version 2: node ts_v2.mjs stdio|http legacy|auto|2026-07-28
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { blocksOf, journey } from './journey.mjs';

const [kind, mode] = process.argv.slice(2);
const transport = kind === 'stdio'
  ? new StdioClientTransport({ command: process.env.PITH, args: ['serve'], env: process.env })
  : new StreamableHTTPClientTransport(new URL(process.env.PITH_URL));
const negotiation = mode === 'legacy' || mode === 'auto' ? mode : { pin: mode };
const client = new Client({ name: 'pith-test-v2', version: '1.0.0' }, { versionNegotiation: { mode: negotiation } });
await client.connect(transport);
const { tools } = await client.listTools();
const said = await journey(tools.map((tool) => tool.name),
  async (name, args) => blocksOf(await client.callTool({ name, arguments: args })));
const { resources } = await client.listResources();
if (!resources.length) throw new Error('the original is not listed as a resource');
await client.readResource({ uri: resources[0].uri });
const revision = client.getNegotiatedProtocolVersion();
await client.close();
console.log(`ok: ${said}, ${revision}`);
process.exit(0);
