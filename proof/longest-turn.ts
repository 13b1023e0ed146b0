import { readFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { stringify } from 'yaml';
import { runCommand, startCommand, tidy } from '../test/support/command.ts';
import { folderWith } from '../test/support/folders.ts';
import { astrid, bo } from '../test/support/people.ts';
import { receiptOf } from '../test/support/receipt.ts';
import { closeReceivers, openReceiver, webhookKey } from '../test/support/receiver.ts';
import { transactionsXml } from '../test/support/receipt-files.ts';
import type { ProofRow } from './row.ts';
import { sender } from './traffic.ts';
import type { Answer, Call } from './traffic.ts';

const [limit, contacts] = [100, 10_000];

type Send = (call: Call) => Promise<Answer>;

/** Describes a request of the largest size that the service takes, and what must have been done before it. */
interface HeavyCall {
  readonly name: string;
  /** True for one that is about a large state in place of the default fixture. */
  readonly isLarge?: boolean;
  /** True for one that is about a point master, which takes all webhooks. */
  readonly isFollowed?: boolean;
  readonly args?: readonly string[];
  readonly prepare?: (send: Send) => Promise<unknown>;
  readonly call: (send: Send) => Promise<Answer>;
  /** True for one that is refused with 400. */
  readonly isRefused?: boolean;
  /** Holds the status of the response, where it is neither a success nor 400. */
  readonly status?: number;
}

const get = (path: string) => (send: Send) => send({ method: 'GET', path });
const post = (path: string, body?: unknown) => (send: Send) => send({ method: 'POST', path, body });
const put = (path: string, body?: unknown) => (send: Send) => send({ method: 'PUT', path, body });
const patch = (path: string, body?: unknown) => (send: Send) => send({ method: 'PATCH', path, body });
const times = <T>(count: number, item: (n: number) => T): T[] => Array.from({ length: count }, (_, n) => item(n));

/** Sends as many calls, eight at once. */
const many = (count: number, call: (n: number) => Call) => async (send: Send) => {
  const queue = times(count, call)[Symbol.iterator]();
  await Promise.all(
    times(8, async () => {
      for (const one of queue) await send(one);
    }),
  );
};

/** Does one thing after another; the last one gives the response. */
const each =
  (...calls: readonly ((send: Send) => Promise<unknown>)[]) =>
  async (send: Send): Promise<void> => {
    for (const call of calls) await call(send);
  };

const crowd = (street: string, prefix = 'crowd') =>
  times(4000, (n) => ({
    email: `${prefix}${n}@example.com`,
    firstName: `First ${n}`,
    lastName: `Last ${n}`,
    street,
    consents: [{ id: 'newsletter', value: true }],
  }));
const createCrowd = post('/api/v3/contacts/bulk', crowd('Storgatan 1'));
const changeCrowd = patch('/api/v3/contacts/bulk', crowd('Storgatan 2'));
const points = times(1000, (n) => ({
  contactId: n % 2 ? astrid : bo,
  definitionId: 1,
  amount: 10,
  description: `n${n}`,
}));
const balances = times(4000, (n) => ({ contactId: n % 2 ? astrid : bo, definitionId: 1, amount: n }));
const line = (n: number) => ({
  type: 'PURCHASE',
  quantity: 1,
  grossPaidPrice: 1,
  taxAmount: 0.2,
  taxPercent: 25,
  sku: `${n}-M`,
  articleNumber: String(n),
  articleName: 'T-shirt',
});
const receipt = (n: number, lines = 3, fields: object = {}) =>
  receiptOf(astrid, `long-${n}`, { items: times(lines, line), totalGrossPrice: lines, ...fields });
/** Returns fields that nobody reads. */
const unknown = (count: number) => Object.fromEntries(times(count, (n) => [`field${n}`, n]));
const receipts = many(3000, (n) => ({ method: 'POST', path: '/api/v3/receipts', body: receipt(n) }));
/** Sends receipts, changes of a contact and points, some of which look alike. */
const work = many(30_000, (n) => {
  if (n % 3 === 0) return { method: 'POST', path: '/api/v3/receipts', body: receipt(n) };
  if (n % 3 === 1) return { method: 'PATCH', path: `/api/v3/contacts/${astrid}`, body: { street: `Street ${n}` } };
  const row = { contactId: bo, definitionId: 1, amount: 1, description: `n${n % 500}` };
  return { method: 'POST', path: '/api/v3/point-accounts/transactions', body: [row] };
});
const rules = (count: number) =>
  times(count, (n) => ({
    match: { method: 'POST', path: '/api/v3/receipts', body: { uniqueReceiptId: `r-${n}` } },
    fault: '500',
  }));
/** Writes a scenario of 1,000 rules and 500 steps, and returns the path of its file. */
function scenarioFile(ending: string): string {
  const steps = times(500, (n) => ({ request: { method: 'POST', path: '/api/v3/receipts', body: receipt(n, 2) } }));
  const content = { rules: rules(1000), steps };
  const name = `long.${ending}`;
  return join(folderWith({ [name]: ending === 'json' ? content : stringify(content) }), name);
}
const expectations = times(1000, (n) => ({
  request: { endpoint: 'createReceipt', body: { uniqueReceiptId: `r-${n}` } },
  exactly: 0,
}));

/** Holds as many values as a body may hold, none of which fits. */
const ones = times(398_000, () => 1);
const scenario = (fields: object) => put('/__admin/scenario', fields);
const firstRule = (fields: object) => scenario({ rules: [{ match: {}, fault: '500', ...fields }] });

const fieldsOf = (count: number, value: () => unknown) => Object.fromEntries(times(count, (n) => [`x${n}`, value()]));

/** Fills the lists and objects that have a place in a body with as much as it may hold, all of it wrong. */
const filledBodies: Readonly<Record<string, (send: Send) => Promise<Answer>>> = {
  '398,000 rules that are no objects': scenario({ rules: ones }),
  '199,000 empty rules': scenario({ rules: times(199_000, () => ({})) }),
  '7,900 rules that are no objects': scenario({ rules: times(7900, () => 1) }),
  '398,000 steps that are no objects': scenario({ steps: ones }),
  '398,000 expectations that are no objects': scenario({ expectations: ones }),
  'a rule for 398,000 numbers of requests': firstRule({ nth: ones.map(() => 'x') }),
  'a rule for 398,000 endpoints': firstRule({ match: { endpoint: ones.map(() => 'x') } }),
  'a rule for 9,900 headers that are lists': firstRule({
    match: { headers: Object.fromEntries(times(9900, (n) => [`h${n}`, []])) },
  }),
  'a contact with 398,000 consents that are no objects': post('/api/v3/contacts', { consents: ones }),
  'a contact with 199,000 empty consents': post('/api/v3/contacts', { consents: times(199_000, () => ({})) }),
  'a contact with 130,000 unknown consents': post('/api/v3/contacts', {
    consents: times(130_000, (n) => ({ id: `n${n}`, value: true })),
  }),
  'a contact with 1,001 consents': post('/api/v3/contacts', {
    consents: times(1001, () => ({ id: 'a', value: true })),
  }),
  'a receipt of 5,000 lines with 75 discounts each that are no objects': post('/api/v3/receipts', {
    items: times(5000, () => ({ discounts: times(75, () => 1) })),
  }),
  'an order of 950 lines with 400 pairs each that are no objects': post('/api/v3/orders', {
    items: times(950, () => ({ extraData: times(400, () => 1) })),
  }),
  'a rule with a delay of 100,000 digits': firstRule({ fault: { delay: '1'.repeat(100_000) } }),
  'a step that restores a snapshot whose name has 300,000 characters': scenario({
    steps: [{ snapshot: 'x'.repeat(300_000) }, { restore: `${'y'.repeat(150_000)}${'x'.repeat(150_000)}` }],
  }),
  'a step with 1,000 names that nobody captures, after one with 9,900 that are captured': scenario({
    steps: [
      { request: 'GET /api/v3/stores', capture: fieldsOf(9900, () => '$.a') },
      { request: { method: 'POST', path: '/api/v3/receipts', body: times(1000, (n) => `\${zz${n}}`) } },
    ],
  }),
  'a step with 390,000 names that nobody captures': scenario({
    steps: [{ request: { method: 'POST', path: '/api/v3/receipts', body: times(390_000, () => '${zzz}') } }],
  }),
  '1,000 steps with 190 query parameters each that are lists': scenario({
    steps: times(1000, () => ({ request: { path: '/api/v3/stores', query: fieldsOf(190, () => []) } })),
  }),
  '39 rules with 9,900 unknown fields each': scenario({
    rules: times(39, () => ({ fault: 503, ...fieldsOf(9900, () => 1) })),
  }),
  '1,000 rules for 390 endpoints each': scenario({
    rules: times(1000, (rule) => ({ match: { endpoint: times(390, (n) => `e${rule}x${n}`) }, fault: 503 })),
  }),
  'a policy with 390,000 pauses': scenario({ policy: { minBackoff: ones.map(() => '1s') } }),
  'an expectation that allows 190,000 requests': scenario({
    expectations: [{ noUnexpectedRequests: true, allow: times(190_000, () => ({})) }],
  }),
  '95 expectations of 4,000 kinds of pending points each': scenario({
    expectations: times(95, () => ({ state: { contact: 'a@example.com', pendingPoints: fieldsOf(4000, () => 'y') } })),
  }),
  '39 rules for bodies of 9,900 fields each': scenario({
    rules: times(39, () => ({ match: { body: fieldsOf(9900, () => 1) }, fault: 503 })),
  }),
  'a scenario whose name has 15,000,000 characters': scenario({ scenario: 'x'.repeat(15_000_000) }),
  '100 rules with 990 unknown fields each': scenario({
    rules: times(100, () => ({ fault: 503, ...fieldsOf(990, () => 1) })),
  }),
  '99,000 names that no step captures': scenario({
    steps: [{ request: { method: 'POST', path: '/api/v3/receipts', body: times(99_000, () => '${zzz}') } }],
  }),
  '1,000 steps with 90 names each that no step captures': scenario({
    steps: times(1000, () => ({ request: { method: 'POST', path: '/x', body: times(90, () => '${zzz}') } })),
  }),
  '1,000 steps with 45 query parameters each that are lists': scenario({
    steps: times(1000, () => ({ request: { path: '/api/v3/stores', query: fieldsOf(45, () => []) } })),
  }),
  '98 expectations of 990 kinds of pending points each': scenario({
    expectations: times(98, () => ({ state: { contact: 'a@example.com', pendingPoints: fieldsOf(990, () => 'y') } })),
  }),
  '50 expectations with 980 wrong query parameters each': scenario({
    expectations: times(50, () => ({ request: { query: fieldsOf(980, () => ({})) } })),
  }),
  '50 rules with 980 wrong headers each': scenario({
    rules: times(50, () => ({ match: { headers: fieldsOf(980, () => []) }, fault: 503 })),
  }),
  'an expectation that allows 49,000 requests': scenario({
    expectations: [{ noUnexpectedRequests: true, allow: times(49_000, () => ({})) }],
  }),
  'a tenant with 990 unknown assumptions': post('/__admin/tenants', {
    name: 'another',
    assumptions: fieldsOf(990, () => 'x'),
  }),
  'a scenario with 990 unknown fields': scenario(fieldsOf(990, () => 1)),
  'a rule for a path of 50,000 wildcards': firstRule({ match: { path: `/${'*x'.repeat(50_000)}` } }),
  'a rule for a field whose path has 1,000,000 steps': firstRule({ match: { body: { ['a.'.repeat(1_000_000)]: 1 } } }),
  'a step with a text of 5,000,000 names': scenario({
    steps: [{ request: { method: 'POST', path: '/api/v3/receipts', body: '${a}'.repeat(3_700_000) } }],
  }),
  '390,000 scopes of a reset': post('/__admin/reset', { scopes: ones.map(() => 'x') }),
  '390,000 kinds of events of a tenant': post('/__admin/tenants', {
    name: 'another',
    webhookEvents: ones.map(() => 'x'),
  }),
  'a bulk of 398,000 numbers': post('/api/v3/contacts/bulk', ones),
  '398,000 point transactions that are no objects': post('/api/v3/point-accounts/transactions', ones),
  'a receipt of 398,000 lines that are no objects': post('/api/v3/receipts', { items: ones }),
};

const nested = times(90, (n) => n).reduce<unknown>((inner, n) => ({ p: `${'x'.repeat(60_000)}${n}`, n: inner }), 1);

/** Sends adjustments of odd amounts, and after every third a balance that no sum of them explains. */
const wrongBalances = async (send: Send): Promise<void> => {
  const own = { contactId: astrid, definitionId: 1 };
  for (let n = 0; n < 120; n++) {
    await post('/__admin/trigger', { event: 'adjustPoints', ...own, amount: 101 + ((n * 7919) % 997) })(send);
    if (n % 3 < 2) continue;
    await get('/__admin/webhooks?wait=60s')(send);
    await post('/api/v3/point-accounts/balances', [{ ...own, amount: 20_000 + ((n * 104_729) % 30_011) + 0.5 }])(send);
  }
};

/** Holds 39,000 lines of a receipt that nobody sells. */
const manyLines = { items: times(39_000, (n) => ({ sku: `sku-${n}`, note: 'abab' })) };
const postLines = post('/api/v3/receipts', manyLines);
const lineRules = (count: number, wanted: (n: number) => unknown) =>
  scenario({
    rules: times(count, (n) => ({
      match: { endpoint: 'createReceipt', body: { 'items[*].sku': wanted(n) } },
      fault: '503',
    })),
  });
const patternRules = lineRules(900, (n) => ({ matches: `sku-(x|y)*${n}x$` }));
const slowPattern = { matches: '[ab]*a[ab]{200}c' };
/** Holds a text as long as this pattern searches, with another state of the search after each character. */
const someText = `c${times(9600, (n) => ((n * 7919 * (n % 31)) % 5 < 2 ? 'a' : 'b')).join('')}`;
const wide = (n: number) => post('/api/v3/contacts', { email: `wide${n}@example.com`, a: times(390_000, () => 1) });
const tall = (n: number) =>
  post('/api/v3/contacts', { email: `tall${n}@example.com`, ...fieldsOf(15, () => 'x'.repeat(990_000)) });
/** Creates 15 contacts with as much in their fields as a body may hold. */
const big = (prefix: string) =>
  post(
    '/api/v3/contacts/bulk',
    times(15, (n) => ({ email: `${prefix}${n}@example.com`, firstName: 'x', street: 'ä'.repeat(480_000) })),
  );

/** Looks for what takes long in rules and in responses that hold bodies of the journal. */
const wideMatches: readonly HeavyCall[] = [
  {
    name: 'a body of 39,000 lines next to 900 rules with patterns',
    prepare: patternRules,
    call: postLines,
    isRefused: true,
  },
  {
    name: 'a body of 39,000 lines next to 900 rules for lines that are not there',
    isRefused: true,
    prepare: lineRules(900, (n) => `none-${n}`),
    call: postLines,
  },
  {
    name: 'a body of 39,000 lines next to 900 rules for numbers',
    isRefused: true,
    prepare: lineRules(900, (n) => ({ atLeast: n })),
    call: postLines,
  },
  {
    name: 'a body of 39,000 lines next to a rule for 1,000 objects',
    isRefused: true,
    prepare: lineRules(1, () => ({ oneOf: times(1000, (n) => ({ sku: n })) })),
    call: postLines,
  },
  {
    name: 'a body of 39,000 lines next to a rule for 98,000 values',
    isRefused: true,
    prepare: lineRules(1, () => ({ oneOf: times(900, (n) => ({ sku: times(100, () => n) })) })),
    call: postLines,
  },
  {
    name: 'why 900 rules with patterns let a body of 39,000 lines pass',
    prepare: each(patternRules, postLines),
    call: get('/__admin/requests/default-1'),
  },
  {
    name: 'a scenario from one of 900 rules with patterns, after ten bodies of 39,000 lines',
    prepare: each(patternRules, ...times(10, () => postLines)),
    call: get('/__admin/faults/rule-1/scenario'),
    status: 409,
  },
  {
    name: 'a body of 14 texts of a million characters next to a slow pattern',
    prepare: firstRule({ match: { body: { street: slowPattern } } }),
    call: post('/api/v3/contacts', {
      email: 'x@example.com',
      ...fieldsOf(14, () => 'c'.padEnd(990_000, 'ab')),
      street: someText,
    }),
  },
  {
    name: 'a short body next to 100 rules with slow patterns',
    prepare: scenario({
      rules: times(100, (n) => ({
        match: { body: { street: { matches: `[ab]*a[ab]{${200 - n}}c` } } },
        fault: '503',
      })),
    }),
    call: post('/api/v3/contacts', { email: 'x@example.com', street: someText }),
  },
  {
    name: 'a body of 390,000 values next to 512 rules that spell their place in different ways',
    isRefused: true,
    prepare: scenario({
      rules: times(512, (n) => ({
        match: { body: { [`a${times(9, (i) => ((n >> i) & 1 ? '.a' : '["a"]')).join('')}[*]`]: 'no' } },
        fault: '503',
      })),
    }),
    call: post(
      '/api/v3/contacts',
      times(10, () => 0).reduce<unknown>(
        (a) => ({ a }),
        times(390_000, () => 1),
      ),
    ),
  },
  {
    name: 'a body of 390,000 values next to a rule by chance',
    prepare: firstRule({ probability: 0.0001 }),
    call: wide(0),
  },
  {
    name: 'a body of 15 texts of a million characters next to a rule by chance',
    prepare: firstRule({ probability: 0.0001 }),
    call: tall(0),
  },
  {
    name: 'a bulk of 4,000 contacts next to rules for contacts',
    prepare: scenario({ rules: times(900, (n) => ({ match: { contact: `no${n}@example.com` }, fault: '503' })) }),
    call: createCrowd,
  },
  {
    name: 'a bulk of 130,000 items next to a rule for a contact',
    prepare: scenario({ rules: [{ match: { contact: 'no@example.com' }, fault: '503' }] }),
    isRefused: true,
    call: post(
      '/api/v3/contacts/bulk',
      times(130_000, (n) => ({ email: `e${n}@example.com`, id: n })),
    ),
  },
  {
    name: 'a response of 15 MB in 10,000 chunks',
    prepare: post('/__admin/faults', {
      fault: { status: 200, body: 'x'.repeat(15_000_000), dribble: { chunks: 10_000, interval: 0 } },
      match: { path: '/api/v3/stores' },
      times: 1,
    }),
    call: get('/api/v3/stores'),
  },
  {
    name: 'expectations about twelve bodies of 390,000 values',
    prepare: each(
      scenario({
        expectations: times(50, (n) => ({
          request: { endpoint: 'createContact', body: { 'a[*]': { atLeast: n + 2 } } },
          exactly: 0,
        })),
      }),
      ...times(12, wide),
    ),
    call: get('/__admin/verdict'),
  },
  {
    name: 'an expectation of 98,000 values about twelve bodies of 390,000',
    prepare: each(
      scenario({
        expectations: [
          {
            request: { endpoint: 'createContact', body: { a: [...times(97_000, () => 1), 2] } },
            exactly: 1,
          },
        ],
      }),
      ...times(12, wide),
    ),
    call: get('/__admin/verdict'),
  },
  { name: 'a request of 15 MB in full', prepare: tall(0), call: get('/__admin/requests/default-1') },
  { name: 'a request of 390,000 values in full', prepare: wide(0), call: get('/__admin/requests/default-1') },
  {
    name: 'a scenario from a request of 15 MB',
    prepare: tall(0),
    call: post('/__admin/requests/default-1/scenario'),
    status: 409,
  },
  {
    name: 'a scenario from a request of 390,000 values',
    prepare: wide(0),
    call: post('/__admin/requests/default-1/scenario'),
  },
  {
    name: 'the list of 12 requests of 15 MB',
    prepare: each(...times(12, tall)),
    call: get('/__admin/requests?limit=1000'),
  },
  {
    name: 'twelve requests of 15 MB as HAR',
    prepare: each(...times(12, tall)),
    call: get('/__admin/requests/har?limit=1000'),
  },
  {
    name: 'twelve requests of 390,000 values as HAR',
    prepare: each(...times(12, wide)),
    call: get('/__admin/requests/har?limit=1000'),
  },
  {
    name: 'the verdict on twelve requests of 15 MB',
    prepare: each(...times(12, tall)),
    call: get('/__admin/verdict'),
  },
  {
    name: 'the verdict on twelve requests of 390,000 values',
    prepare: each(...times(12, wide)),
    call: get('/__admin/verdict'),
  },
  {
    name: 'the timeline of twelve requests of 15 MB',
    prepare: each(...times(12, tall)),
    call: get('/__admin/timeline'),
  },
  {
    name: 'the difference of 60 contacts of 500 KB',
    prepare: each(big('a'), big('b'), big('c'), big('d')),
    call: get('/__admin/snapshots/diff?limit=1000'),
  },
  {
    name: 'the webhooks about 60 contacts of 500 KB',
    isFollowed: true,
    prepare: each(big('a'), big('b'), big('c'), big('d')),
    call: get('/__admin/webhooks?limit=1000'),
  },
  {
    name: 'a queue of four bulks of 15 MB',
    args: ['--queue-delay', '1h'],
    prepare: each(big('a'), big('b'), big('c'), big('d')),
    call: get('/__admin/queue'),
  },
  {
    name: '60 contacts of 500 KB by their names',
    prepare: each(big('a'), big('b'), big('c'), big('d')),
    call: get('/__admin/contacts?limit=1000'),
  },
];

/** Returns a pattern of about so many steps, each of which a character of some texts takes. */
const slow = (n: number, steps = 200): string => `[a-e${n}]{${steps - 10}}[x-z]`;
const patterns = (count: number, steps: number, first = 0) =>
  Object.fromEntries(times(count, (n) => [`f${n}`, { matches: slow(first * count + n, steps) }]));
const patternOrder = times(300, (n) => ({ endpoint: 'createReceipt', body: patterns(20, 200, n) }));
/** Adjusts points with a long description, of which the point master hears. */
const describedPoints = post('/__admin/trigger', {
  event: 'adjustPoints',
  contactId: astrid,
  definitionId: 1,
  amount: 1,
  description: 'abcde'.repeat(1800),
});
/** Sends receipts of 5,000 lines, eight of a MB. */
const longReceipts = (count: number) =>
  many(count, (n) => ({ method: 'POST', path: '/api/v3/receipts', body: receipt(n, 5000) }));
const emptyMember = gzipSync('');
/** Compresses a body behind as many empty parts as a body may have. */
const emptyParts = Buffer.concat([
  ...times(780_000, () => emptyMember),
  gzipSync(JSON.stringify({ email: 'gzip@example.com' })),
]);

/** Saves the state in the folder that the command runs in. */
const saved = ['--data', 'state.json'];

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

/** Creates 48,000 contacts. */
const twelveCrowds = each(...times(12, (n) => post('/api/v3/contacts/bulk', crowd('Storgatan 1', `crowd${n}x`))));

/** Sends the same call over and over until another one is answered. */
const whileCalling =
  (repeated: Call, call: (send: Send) => Promise<Answer>) =>
  async (send: Send): Promise<Answer> => {
    const progress = { isOver: false };
    const answer = call(send).finally(() => (progress.isOver = true));
    while (!progress.isOver) await send(repeated);
    return answer;
  };

const adjustment = { event: 'adjustPoints', contactId: astrid, definitionId: 1, amount: 5, by: 'manual' };

/** Adds a fault with a response of 15 MB. */
const longFault = post('/__admin/faults', {
  match: { path: '/api/v3/stores' },
  fault: { status: 200, body: 'x'.repeat(15_000_000) },
});

/** Makes a call while as many readers as there may be listen to events. */
const amongReaders = (call: (send: Send) => Promise<Answer>) => async (send: Send) => {
  const reading = times(31, () => send({ method: 'GET', path: '/__admin/events?for=3s' }));
  await sleep(1000);
  const answer = await call(send);
  await Promise.all(reading);
  return answer;
};

/** Holds calls that were found by searching for such ones. */
const foundCalls: readonly HeavyCall[] = [
  { name: 'a tenant of a named fixture of 100 contacts', ...tenantOf(100) },
  { name: 'a tenant of a named fixture of 3,000 contacts', ...tenantOf(3000) },
  { name: 'a tenant of a named fixture of 10,000 contacts', ...tenantOf(10_000) },
  { name: 'a tenant of a named fixture of 50,000 contacts', ...tenantOf(50_000) },
  { name: 'a tenant of a named fixture of 20,000 contacts, with --data', args: saved, ...tenantOf(20_000) },
  { name: 'a fault with a response of 15 MB, put while 31 readers listen', call: amongReaders(longFault) },
  {
    name: 'a fault with a response of 15 MB that fires while 31 readers listen',
    prepare: longFault,
    call: amongReaders(get('/api/v3/stores')),
  },
  {
    name: 'the verdict on 8 bulks of 4,000 contacts with 20 unknown consents each',
    prepare: many(8, (bulk) => ({
      method: 'POST',
      path: '/api/v3/contacts/bulk',
      body: crowd('Storgatan 1', `unknown${bulk}x`).map((contact) => ({
        ...contact,
        consents: times(20, (n) => ({ id: `unknown${n}`, value: true })),
      })),
    })),
    call: get('/__admin/verdict'),
  },
  {
    name: '300 callers who wait for a word, and a request of 15 MB',
    call: async (send) => {
      const waiting = times(300, (n) =>
        send({ method: 'GET', path: `/__admin/requests?search=nowhere${n}&wait=2s&atLeast=1` }),
      );
      await sleep(500);
      const answer = await tall(0)(send);
      await Promise.all(waiting);
      return answer;
    },
  },
  {
    name: '20 rules for webhooks with a slow pattern each',
    isFollowed: true,
    prepare: scenario({
      webhooks: times(20, (n) => ({ match: { payload: { description: { matches: slow(n) } } }, fault: 'drop' })),
    }),
    call: async (send) => {
      const answer = await describedPoints(send);
      await sleep(1000);
      return answer;
    },
  },
  {
    name: 'a rule of 1,000 patterns of 900 steps',
    isRefused: true,
    call: firstRule({ match: { body: patterns(1000, 900) } }),
  },
  {
    name: '100 rules with a pattern of 200 steps each',
    call: scenario({ rules: times(100, (n) => ({ match: { body: { a: { matches: slow(n) } } }, fault: 503 })) }),
  },
  {
    name: '1,000 rules with a pattern of 200 steps each',
    call: scenario({ rules: times(1000, (n) => ({ match: { body: { a: { matches: slow(n) } } }, fault: 503 })) }),
  },
  {
    name: '1,000 expectations with a pattern of 200 steps each',
    call: scenario({
      expectations: times(1000, (n) => ({
        request: { endpoint: 'createReceipt', body: { a: { matches: slow(n) } } },
        exactly: 0,
      })),
    }),
  },
  {
    name: 'an expectation of 300 requests in order, with 20 patterns each',
    call: scenario({ expectations: [{ order: patternOrder }] }),
  },
  {
    name: '300 rules with 20 patterns each',
    call: scenario({ rules: times(300, (n) => ({ match: { body: patterns(20, 200, n) }, fault: 503 })) }),
  },
  {
    name: 'the verdict on 300 requests in order, with 20 patterns each',
    prepare: each(scenario({ expectations: [{ order: patternOrder }] }), receipts),
    call: get('/__admin/verdict'),
  },
  {
    name: 'the clock moved over 10,000 queued receipts',
    args: ['--queue-delay', '1h'],
    prepare: many(10_000, (n) => ({ method: 'POST', path: '/api/v3/receipts', body: receipt(n) })),
    call: post('/__admin/clock', { advance: '1d' }),
  },
  {
    name: '30 receipts of 5,000 lines by /transactions',
    prepare: longReceipts(30),
    call: get(`/api/v3/transactions?contactId=${astrid}&limit=1000`),
  },
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
    name: 'an adjustment by trigger that makes 1,000 vouchers',
    call: post('/__admin/trigger', { ...adjustment, amount: 5_000_000 }),
  },
  {
    name: '4,000 contacts of a queued bulk, while points are adjusted by trigger all the time',
    args: ['--queue-delay', '1h'],
    prepare: createCrowd,
    call: whileCalling(
      { method: 'POST', path: '/__admin/trigger', body: adjustment },
      post('/__admin/queue', { drain: true }),
    ),
  },
  {
    name: 'a snapshot of 48,000 contacts restored, with --data',
    args: saved,
    prepare: each(twelveCrowds, post('/__admin/snapshots/a'), post('/__admin/reset')),
    call: post('/__admin/snapshots/a/restore'),
  },
  {
    name: 'a reset after 48,000 contacts, with --data',
    args: saved,
    prepare: twelveCrowds,
    call: post('/__admin/reset'),
  },
  {
    name: 'a tenant branched off before 48,000 contacts, with --data',
    args: saved,
    prepare: each(post('/api/v3/contacts', { email: 'first@example.com' }), twelveCrowds),
    call: post('/__admin/tenants', { name: 'branched', branch: { request: 'default-1' } }),
  },
  {
    name: 'a tenant branched off after 48,000 contacts, with --data',
    args: saved,
    prepare: each(twelveCrowds, post('/api/v3/contacts', { email: 'last@example.com' })),
    call: post('/__admin/tenants', { name: 'branched', branch: { request: 'default-13' } }),
  },
  {
    name: 'twelve requests of 15 MB, searched for six words, as HAR',
    prepare: each(...times(12, tall)),
    call: get('/__admin/requests/har?limit=1000&search=no+such+words+are+in+there'),
  },
  {
    name: 'the timeline of twelve requests of 15 MB, searched for six words',
    prepare: each(...times(12, tall)),
    call: get('/__admin/timeline?search=no+such+words+are+in+there'),
  },
  {
    name: 'a body of 780,000 compressed parts that are empty',
    call: (send) =>
      send({
        method: 'POST',
        path: '/api/v3/contacts',
        body: emptyParts,
        headers: { 'content-encoding': 'gzip' },
      }),
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
];

const heavyCalls: readonly HeavyCall[] = [
  ...wideMatches,
  ...foundCalls,
  { name: '4,000 contacts created by a bulk', call: createCrowd },
  { name: '4,000 contacts changed by a bulk', prepare: createCrowd, call: changeCrowd },
  { name: '4,000 contacts refused by a bulk', prepare: createCrowd, call: createCrowd },
  {
    name: '4,000 contacts of a queued bulk',
    args: ['--queue-delay', '1h'],
    prepare: createCrowd,
    call: post('/__admin/queue', { drain: true }),
  },
  { name: '1,000 point transactions by a bulk', call: post('/api/v3/point-accounts/transactions', points) },
  { name: 'a receipt of 1,000 lines', call: post('/api/v3/receipts', receipt(0, 1000)) },
  { name: 'a receipt of 5,000 lines', call: post('/api/v3/receipts', receipt(0, 5000)) },
  {
    name: '4,000 balances of an external point master',
    args: ['--mode', 'point-follower'],
    call: post('/api/v3/point-accounts/balances', balances),
  },
  {
    name: 'the report on a point master whose 40 balances nothing explains',
    isFollowed: true,
    prepare: wrongBalances,
    call: get('/__admin/webhooks/report'),
  },
  {
    name: 'the report on 25,000 webhooks that nobody took',
    args: ['--mode', 'point-follower'],
    prepare: many(25_000, () => ({
      method: 'POST',
      path: '/__admin/trigger',
      body: { event: 'adjustPoints', contactId: astrid, definitionId: 1, amount: 1 },
    })),
    call: get('/__admin/webhooks/report'),
  },
  {
    name: 'the card of a contact with 3,000 receipts',
    prepare: receipts,
    call: get(`/__admin/contacts/${astrid}/card?limit=1000`),
  },
  {
    name: 'the points of a contact with 3,000 receipts',
    prepare: receipts,
    call: get(`/__admin/contacts/${astrid}/points?limit=1000`),
  },
  {
    name: '3,000 receipts by /transactions',
    prepare: receipts,
    call: get(`/api/v3/transactions?contactId=${astrid}&limit=1000`),
  },
  ...['%', '\\', "'", 'x'].map((sign) => ({
    name: `a curl line for a body of 7 texts of ${sign}`,
    prepare: post('/api/v3/contacts', {
      email: 'x@example.com',
      ...fieldsOf(7, () => sign.repeat(900_000 / JSON.stringify(sign).length)),
    }),
    call: get('/__admin/requests/default-1/curl'),
  })),
  { name: 'the description of the service and its control API', call: get('/__admin/openapi.json') },
  { name: 'the list of scenarios', call: get('/__admin/scenarios') },
  { name: 'the journal as JSON', prepare: receipts, call: get('/__admin/requests?limit=1000') },
  {
    name: 'the journal searched for a text',
    prepare: receipts,
    call: get('/__admin/requests?search=nothing-has-this&limit=1000'),
  },
  { name: 'the journal as HAR', prepare: receipts, call: get('/__admin/requests/har') },
  { name: 'the timeline', prepare: receipts, call: get('/__admin/timeline') },
  { name: 'the verdict on 3,000 requests', prepare: receipts, call: get('/__admin/verdict') },
  {
    name: 'the verdict on 30,000 requests, a third of which failed',
    prepare: each(post('/__admin/faults', { fault: '503', probability: 0.3 }), work),
    call: get('/__admin/verdict'),
  },
  {
    name: 'a year of 3,000 receipts\u2019 points',
    prepare: receipts,
    call: post('/__admin/clock', { advance: '400d' }),
  },
  { name: '1,000 faults as a scenario', call: put('/__admin/scenario', { rules: rules(1000) }) },
  ...['yaml', 'json'].map((ending) => ({
    name: `a scenario file of 1,000 rules and 500 steps, .${ending}`,
    call: (send: Send) => put('/__admin/scenario', scenarioFile(ending))(send),
  })),
  { name: '1,000 expectations as a scenario', call: put('/__admin/scenario', { expectations }) },
  {
    name: '1,000 expectations checked',
    prepare: each(put('/__admin/scenario', { expectations }), receipts),
    call: get('/__admin/verdict'),
  },
  {
    name: 'a request next to 1,000 faults',
    prepare: put('/__admin/scenario', { rules: rules(1000) }),
    call: post('/api/v3/receipts', receipt(0)),
  },
  {
    name: 'a bulk of 199,999 empty objects',
    isRefused: true,
    call: post(
      '/api/v3/contacts/bulk',
      times(199_999, () => ({})),
    ),
  },
  {
    name: 'a bulk of 5,000,000 empty objects',
    isRefused: true,
    call: post(
      '/api/v3/contacts/bulk',
      times(5_000_000, () => ({})),
    ),
  },
  {
    name: 'a contact with 199,998 lists',
    isRefused: true,
    call: post('/api/v3/contacts', { a: times(199_998, () => []) }),
  },
  {
    name: 'a contact with 5,000,000 lists',
    isRefused: true,
    call: post('/api/v3/contacts', { a: times(5_000_000, () => []) }),
  },
  {
    name: 'a contact with a text of 15 MB',
    isRefused: true,
    call: post('/api/v3/contacts', { street: 'x'.repeat(15_000_000) }),
  },
  {
    name: 'a receipt of 5,000 lines with 47 unknown fields each',
    call: post('/api/v3/receipts', receipt(0, 5000, { items: times(5000, (n) => ({ ...line(n), ...unknown(47) })) })),
  },
  {
    name: 'a receipt of 5,000 lines that are all wrong',
    isRefused: true,
    call: post('/api/v3/receipts', receipt(0, 5000, { items: times(5000, (n) => ({ ...line(n), quantity: 'x' })) })),
  },
  {
    name: 'a receipt of 5,000 lines with 34 discounts each',
    call: post(
      '/api/v3/receipts',
      receipt(0, 5000, {
        items: times(5000, (n) => ({ ...line(n), discounts: times(34, () => ({ value: -1 })) })),
      }),
    ),
  },
  {
    name: 'an order of 5,000 lines with 34 discounts each',
    call: post('/api/v3/orders', {
      orderNumber: 'o-1',
      orderStatus: 'NEW',
      paymentStatus: 'PAID',
      createdDate: '2026-03-01T11:00:00Z',
      storeId: '1',
      currency: 'SEK',
      contact: { matchKey: astrid, matchKeyType: 'contactId' },
      totalGrossPrice: 5000,
      items: times(5000, (n) => ({
        sku: `${n}-M`,
        quantity: 1,
        articleName: 'T-shirt',
        discounts: times(34, () => ({ value: -1 })),
      })),
    }),
  },
  {
    name: 'a receipt of 5,000 payments',
    call: post('/api/v3/receipts', receipt(0, 1, { paymentMethods: times(5000, () => ({ type: 'card', value: 1 })) })),
  },
  {
    name: 'a contact with 124,000 objects',
    isRefused: true,
    call: post('/api/v3/contacts', { a: times(124_000, (b) => ({ b })) }),
  },
  {
    name: 'a bulk of 4,000 contacts with 95 unknown fields each',
    call: post(
      '/api/v3/contacts/bulk',
      crowd('Storgatan 1').map((contact) => ({ ...contact, ...unknown(95 - 5) })),
    ),
  },
  {
    name: 'a bulk of 39 contacts with 9,990 unknown fields each',
    call: post(
      '/api/v3/contacts/bulk',
      crowd('Storgatan 1')
        .slice(0, 39)
        .map((contact) => ({ ...contact, ...unknown(9990) })),
    ),
  },
  { name: 'a receipt of 5,001 lines', isRefused: true, call: post('/api/v3/receipts', receipt(0, 5001)) },
  ...Object.entries(filledBodies).map(([name, call]) => ({ name, isRefused: true, call })),
  {
    name: '398,000 balances that are no objects',
    isRefused: true,
    args: ['--mode', 'point-follower'],
    call: post('/api/v3/point-accounts/balances', ones),
  },
  {
    name: 'a contact with 1,000 answers to one consent',
    call: post('/api/v3/contacts', {
      email: 'x@example.com',
      consents: times(1000, () => ({ id: 'newsletter', value: true })),
    }),
  },
  {
    name: '98 rules for bodies of 990 fields each',
    call: scenario({ rules: times(98, () => ({ match: { body: fieldsOf(990, () => 1) }, fault: 503 })) }),
  },
  {
    name: 'a rule for a body with 98,000 values in one field',
    call: scenario({ rules: [{ match: { body: { a: times(98_000, (n) => n) } }, fault: 503 }] }),
  },
  {
    name: '98 rules for webhooks with 990 fields each',
    call: scenario({ webhooks: times(98, () => ({ match: { payload: fieldsOf(990, () => 1) }, fault: 'drop' })) }),
  },
  {
    name: '1,000 steps that allow 40 requests each',
    call: scenario({
      steps: times(1000, () => ({ check: { noUnexpectedRequests: true, allow: times(40, () => ({})) } })),
    }),
  },
  {
    name: 'a step that expects a body of 99,000 values',
    call: scenario({ steps: [{ request: 'GET /api/v3/stores', expect: { body: times(99_000, () => 1) } }] }),
  },
  {
    name: '1,000 steps with bodies of 95 values each',
    call: scenario({
      steps: times(1000, () => ({
        request: { method: 'POST', path: '/api/v3/receipts', body: fieldsOf(90, () => 1) },
      })),
    }),
  },
  {
    name: 'a contact with 15 texts of 500,000 quotes, and what looks like names',
    call: post('/api/v3/contacts', {
      email: 'x@example.com',
      ...fieldsOf(15, () => '"'.repeat(500_000)),
      firstName: '":'.repeat(10),
    }),
  },
  {
    name: 'a contact with 7 texts of a million characters that are not ASCII',
    call: post('/api/v3/contacts', { email: 'x@example.com', ...fieldsOf(7, () => 'ä'.repeat(1_000_000)) }),
  },
  {
    name: 'a rule for a path of 500 wildcards',
    call: scenario({ rules: [{ match: { path: `/${'*x'.repeat(249)}` }, fault: 503 }] }),
  },
  { name: '90 objects in one another, 60 KB each', call: post('/api/v3/contacts', { email: 'x@example.com', nested }) },
  { name: '20,000 faults as a scenario', isRefused: true, call: put('/__admin/scenario', { rules: rules(20_000) }) },
  { isLarge: true, name: `a snapshot of ${contacts} contacts`, call: post('/__admin/snapshots/a') },
  {
    isLarge: true,
    name: `a snapshot of ${contacts} contacts restored`,
    prepare: each(post('/__admin/snapshots/a'), createCrowd),
    call: post('/__admin/snapshots/a/restore'),
  },
  { name: 'the difference of 4,000 contacts', prepare: createCrowd, call: get('/__admin/snapshots/diff?limit=1000') },
  {
    name: 'the difference of 12,000 contacts',
    prepare: each(...['a', 'b', 'c'].map((prefix) => post('/api/v3/contacts/bulk', crowd('Storgatan 1', prefix)))),
    call: get('/__admin/snapshots/diff?limit=1000'),
  },
  { isLarge: true, name: `a reset to ${contacts} contacts`, prepare: createCrowd, call: post('/__admin/reset') },
  { name: `a tenant of ${contacts} contacts`, isLarge: true, call: post('/__admin/tenants', { name: 'another' }) },
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
  { isLarge: true, name: `contacts found among ${contacts}`, call: get('/__admin/contacts?search=zz') },
  { isLarge: true, name: `${contacts} contacts by their names`, call: get('/__admin/contacts?limit=1000') },
];

/** Shows that nobody waits long for a call of somebody else. */
export const longestTurn: ProofRow = {
  name: 'longest-turn',
  what: `large requests to service and control API, each the first of its kind in a process of its own`,
  asked: `no turn of the event loop above ${limit} ms`,
  page: 'docs/proof.md',
  run: async ({ isWanted, print }) => {
    const fixture = join(folderWith(), 'large.json');
    await runCommand(['generate', '--contacts', String(contacts), '--out', fixture]);
    const folder = folderWith();
    const args = ['--import-folder', folder, '--now', '2026-03-01T12:00:00Z', '--log', 'silent'];
    const followed = [
      '--mode',
      'point-follower',
      '--webhook-url',
      (await openReceiver()).url,
      '--webhook-key',
      webhookKey,
    ];
    let [longest, above, unlike] = [0, 0, 0];
    for (const heavy of heavyCalls.filter(({ name }) => isWanted(name))) {
      const { name, isLarge, isRefused = false, args: own = heavy.isFollowed ? followed : [], prepare, call } = heavy;
      const file = join(folderWith(), 'turns');
      const { url, signal } = await startCommand([...args, ...own, '--fixtures', isLarge ? fixture : 'default'], {
        env: { TURN_FILE: file },
        program: [process.execPath, '--import', resolve('proof/turn-probe.mjs'), resolve('dist/cli.cjs')],
      });
      const { send, close } = sender(url);
      await send({ method: 'GET', path: '/__admin/health' });
      await prepare?.(send);
      await sleep(200);
      rmSync(file, { force: true });
      const { status, text } = await call(send);
      await send({ method: 'GET', path: '/api/v3/stores' });
      const turns = readTurns(file);
      close();
      await signal('SIGKILL');
      const highest = Math.max(0, ...turns);
      print(
        `  ${highest > limit ? '✗' : '✓'} ${name}: ${highest} ms${turns.length > 1 ? ` (${turns.join(', ').slice(0, 60)})` : ''}, ${status}, ${text.length} characters ${status >= 300 ? text.slice(0, 300) : ''}`,
      );
      longest = Math.max(longest, highest);
      if (highest > limit) above++;
      // Another response would come from less work.
      const isMeant = status === (heavy.status ?? (isRefused ? 400 : Math.min(status, 299)));
      if (!isMeant) unlike++;
    }
    await closeReceivers();
    tidy();
    const figure = `${longest} ms at the most, ${above} of ${heavyCalls.length} above`;
    return {
      figure: unlike === 0 ? figure : `${figure}; ${unlike} got another response than meant`,
      isReached: above + unlike === 0,
    };
  },
};

function readTurns(file: string): number[] {
  try {
    return readFileSync(file, 'utf8').trimEnd().split('\n').map(Number);
  } catch {
    return [];
  }
}
