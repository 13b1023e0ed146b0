import { setTimeout as sleep } from 'node:timers/promises';
import type { Answer } from '../traffic.ts';
import { astrid } from '../../test/support/people.ts';
import {
  createCrowd,
  expectations,
  fieldsOf,
  firstRule,
  patternOrder,
  patterns,
  receipt,
  rules,
  scenario,
  slow,
  tall,
  wide,
} from './content.ts';
import { each, get, post, put, times } from './heavy-call.ts';
import type { HeavyCall, Send } from './heavy-call.ts';

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

/** Adjusts points with a long description, of which the point master hears. */
const describedPoints = post('/__admin/trigger', {
  event: 'adjustPoints',
  contactId: astrid,
  definitionId: 1,
  amount: 1,
  description: 'abcde'.repeat(1800),
});

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

/** Holds calls next to rules, and those that put rules, expectations and steps. */
export const ruleCalls: readonly HeavyCall[] = [
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
  { name: 'a fault with a response of 15 MB, put while 31 readers listen', call: amongReaders(longFault) },
  {
    name: 'a fault with a response of 15 MB that fires while 31 readers listen',
    prepare: longFault,
    call: amongReaders(get('/api/v3/stores')),
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
  { name: '1,000 faults as a scenario', call: put('/__admin/scenario', { rules: rules(1000) }) },
  { name: '1,000 expectations as a scenario', call: put('/__admin/scenario', { expectations }) },
  {
    name: 'a request next to 1,000 faults',
    prepare: put('/__admin/scenario', { rules: rules(1000) }),
    call: post('/api/v3/receipts', receipt(0)),
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
    name: 'a rule for a path of 500 wildcards',
    call: scenario({ rules: [{ match: { path: `/${'*x'.repeat(249)}` }, fault: 503 }] }),
  },
  { name: '20,000 faults as a scenario', isRefused: true, call: put('/__admin/scenario', { rules: rules(20_000) }) },
];
