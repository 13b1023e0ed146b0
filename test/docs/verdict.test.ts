/** The page on the verdict shows what is really found, but for how long things took. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Client } from '../support/client.ts';
import { mistakes } from '../support/verdict-examples.ts';
import { formatTimeline } from '../../src/format/timeline.ts';
import type { OperationJson } from '../../src/verdict/verdict-json.ts';

const page = readFileSync('docs/verdict.md', 'utf8');

const withoutTimes = (text: string): string => text.replaceAll(/[\d.]+ m?s\b/g, '… ms').replaceAll(/ +/g, ' ');

async function timelines({ get }: Client): Promise<string> {
  const operations: OperationJson[] = (await get('/__admin/verdict')).body.operations;
  const failed = operations.find(({ verdict }) => verdict === 'FAIL');
  return failed ? formatTimeline(failed).join('\n') : '';
}

describe('docs/verdict.md', () => {
  it.each(Object.entries(mistakes))('shows %s', async (rule, play) => {
    const shown = new RegExp(`^### ${rule} .*?\`\`\`text\n(.*?)\n\`\`\``, 'ms').exec(page)?.[1] ?? '';
    const found = await timelines(await play());
    expect(withoutTimes(shown)).toBe(withoutTimes(found));
  });
});
