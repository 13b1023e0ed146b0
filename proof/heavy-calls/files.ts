import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { runCommand } from '../../test/support/command.ts';
import { folderWith } from '../../test/support/folders.ts';
import { transactionsXml } from '../../test/support/receipt-files.ts';
import { receipt, rules, saved } from './content.ts';
import { each, get, many, post, put, times } from './heavy-call.ts';
import type { HeavyCall, Send } from './heavy-call.ts';

/** Writes a scenario of 1,000 rules and 500 steps, and returns the path of its file. */
function scenarioFile(ending: string): string {
  const steps = times(500, (n) => ({ request: { method: 'POST', path: '/api/v3/receipts', body: receipt(n, 2) } }));
  const content = { rules: rules(1000), steps };
  const name = `long.${ending}`;
  return join(folderWith({ [name]: ending === 'json' ? content : stringify(content) }), name);
}

/** Makes a fixture of so many contacts with two receipts each, and creates a tenant of it. */
const tenantOf = (count: number): Pick<HeavyCall, 'prepare' | 'call'> => {
  let fixtures = '';
  return {
    prepare: async () => {
      fixtures = join(folderWith(), 'named.json');
      await runCommand(['generate', '--contacts', String(count), '--out', fixtures]);
    },
    call: (send) => post('/__admin/tenants', { name: 'named', fixtures })(send),
  };
};

/** Writes a file, and creates a tenant of it as its fixture. */
const tenantOfFile = (textOf: () => string): Pick<HeavyCall, 'isRefused' | 'call'> => ({
  isRefused: true,
  call: (send) =>
    post('/__admin/tenants', { name: 'odd', fixtures: join(folderWith({ 'odd.json': textOf() }), 'odd.json') })(send),
});

/** Returns the default fixture as JSON, with one section replaced. */
const fixtureWith = (section: string, content: unknown): string =>
  JSON.stringify({ ...JSON.parse(readFileSync('fixtures/default.json', 'utf8')), [section]: content });

/** Writes a scenario file, and has a tenant follow it. */
const scenarioOfFile = (name: string, textOf: () => string): Pick<HeavyCall, 'call'> => ({
  call: (send) => put('/__admin/scenario', join(folderWith({ [name]: textOf() }), name))(send),
});

/** Holds calls that have a file read: fixtures, scenarios, receipts. */
export const fileCalls: readonly HeavyCall[] = [
  { name: 'a tenant of a named fixture of 100 contacts', ...tenantOf(100) },
  { name: 'a tenant of a named fixture of 3,000 contacts', ...tenantOf(3000) },
  { name: 'a tenant of a named fixture of 10,000 contacts', ...tenantOf(10_000) },
  { name: 'a tenant of a named fixture of 50,000 contacts', ...tenantOf(50_000) },
  { name: 'a tenant of a named fixture of 20,000 contacts, with --data', args: saved, ...tenantOf(20_000) },
  {
    name: 'a tenant of a fixture with 100,000 unknown fields in a contact',
    ...tenantOfFile(() => fixtureWith('contacts', [Object.fromEntries(times(100_000, (n) => [`field${n}`, n]))])),
  },
  {
    name: 'a tenant of a fixture with 50,000 definitions that are wrong',
    ...tenantOfFile(() =>
      fixtureWith(
        'pointDefinitions',
        times(50_000, (n) => ({ id: n, nam: 'x' })),
      ),
    ),
  },
  {
    name: 'a tenant of a fixture with 50,000 stores',
    ...tenantOfFile(() =>
      fixtureWith(
        'stores',
        times(50_000, (n) => ({ externalId: `S-${n}`, name: `Store ${n}` })),
      ),
    ),
    isRefused: false,
  },
  {
    name: 'a tenant of a fixture with a key that stands 300,000 times',
    ...tenantOfFile(() => `{"retailer": {${times(300_000, () => '"name": 1').join(',')}}}`),
  },
  {
    name: 'a tenant of a fixture of five million levels',
    ...tenantOfFile(() => `{"contacts": [{"x": ${'['.repeat(5_000_000)}${']'.repeat(5_000_000)}}]}`),
  },
  {
    name: 'a tenant of a fixture of two million levels in what is no list of items',
    ...tenantOfFile(() => `{"retailer": ${'['.repeat(2_500_000)}${']'.repeat(2_500_000)}}`),
  },
  ...['yaml', 'json'].map((ending) => ({
    name: `a scenario file with a text of a MB, .${ending}`,
    isRefused: true,
    ...scenarioOfFile(`long.${ending}`, () => JSON.stringify({ rules: [{ id: 'x'.repeat(990_000) }] })),
  })),
  {
    name: 'a scenario file with 40,000 wrong headers',
    isRefused: true,
    ...scenarioOfFile('headers.json', () =>
      JSON.stringify({
        rules: [
          { match: {}, fault: { status: 500, headers: Object.fromEntries(times(40_000, (n) => [`h ${n}`, n])) } },
        ],
      }),
    ),
  },
  {
    name: 'the verdict on 20,000 receipts that came by file',
    prepare: each(
      many(5, (file) => ({
        method: 'POST',
        path: '/__admin/imports',
        body: {
          name: `2026030112000${file}_${file}_transactions.xml`,
          content: transactionsXml(...times(4000, (n) => ({ id: `f-${file}-${n}`, price: file * 4000 + n }))),
        },
      })),
      post('/__admin/clock', { advance: '15m' }),
    ),
    call: get('/__admin/verdict'),
  },
  ...['yaml', 'json'].map((ending) => ({
    name: `a scenario file of 1,000 rules and 500 steps, .${ending}`,
    call: (send: Send) => put('/__admin/scenario', scenarioFile(ending))(send),
  })),
  {
    name: `a file of 1,000 receipts`,
    call: post('/__admin/imports', {
      name: '20260301120000_1_transactions.xml',
      content: transactionsXml(...times(1000, (n) => ({ id: `f-${n}` }))),
    }),
  },
  {
    name: 'a file of 60 receipts that make 1,000 vouchers each',
    prepare: post('/__admin/imports', {
      name: '20260301120000_1_transactions.xml',
      content: transactionsXml(...times(60, (n) => ({ id: `f-${n}`, price: 5_000_000 }))),
    }),
    call: post('/__admin/clock', { advance: '15m' }),
  },
];
