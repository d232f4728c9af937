// What every client does: lists the tools, has a real output compacted, fetches each gap of the view by its address and
// then the whole, and compares bytes. `call(name, arguments)` gives the content blocks of a result that is no error.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';

const TOOLS = ['compact', 'tokenjuice_retrieve', 'retrieve_tool_output', 'ccr_retrieve', 'ccr_search', 'ccr_stats'];

function linesOf(text, from, to) {
  const lines = text.split('\n');
  return lines.slice(from - 1, to).map((line) => line + '\n').join('');
}

async function fetchAll(call, args) {
  let bytes = '';
  for (let offset = 0; offset !== undefined;) {
    const blocks = await call('tokenjuice_retrieve', { ...args, offset });
    bytes += blocks[0].text;
    const next = blocks.slice(1).map((block) => /next offset (\d+)/.exec(block.text)).find(Boolean);
    offset = next ? Number(next[1]) : undefined;
  }
  return bytes;
}

export async function journey(names, call) {
  assert.deepEqual(names, TOOLS);
  const original = readFileSync(process.env.SAMPLE, 'utf8');
  const view = (await call('compact', { content: original, command: 'make' }))[0].text;
  assert.ok(view.length < original.length / 2, 'the view is much smaller than its original');
  const token = /PARTIAL view of \d+ bytes.*"([0-9a-f]{24})"/.exec(view)?.[1];
  assert.ok(token, 'the footer names the token');
  const gaps = [...view.matchAll(/omitted: (\d+)-(\d+)/g)];
  assert.ok(gaps.length > 0, 'the view has gaps');
  for (const [, from, to] of gaps) {
    const bytes = await fetchAll(call, { token, lines: `${from}-${to}` });
    assert.equal(bytes, linesOf(original, Number(from), Number(to)), `the gap ${from}-${to} comes back exactly`);
  }
  assert.equal(await fetchAll(call, { token }), original, 'the whole comes back exactly');
  return `${gaps.length} gaps and ${original.length} bytes compared`;
}

// For clients that give the whole result: refuses errors, gives the blocks.
export function blocksOf(result) {
  assert.ok(!result.isError, JSON.stringify(result).slice(0, 500));
  assert.ok(!('structuredContent' in result), 'no structured content: hosts would hide the text');
  return result.content;
}
