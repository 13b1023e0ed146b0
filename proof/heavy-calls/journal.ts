import { setTimeout as sleep } from 'node:timers/promises';
import { astrid } from '../../test/support/people.ts';
import { big, crowd, expectations, fieldsOf, patternOrder, receipts, scenario, tall, wide, work } from './content.ts';
import { each, get, many, post, put, times } from './heavy-call.ts';
import type { HeavyCall, Send } from './heavy-call.ts';
import { receiptOf } from '../../test/support/receipt.ts';
import type { Call } from '../traffic.ts';

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

const attempts = 20_000;

/** Sends one request so often that all are attempts of one operation: eight at once, or one after the other. */
const again = (fault: string | object | undefined, call: Call, atOnce: number) => async (send: Send) => {
  if (fault !== undefined) await post('/__admin/faults', { match: { method: call.method }, fault })(send);
  const lostOrNot: Send = (one) => send(one).catch(() => ({ status: 0, headers: {}, text: '' }));
  await many(attempts, () => call, atOnce)(lostOrNot);
};

const row = { contactId: astrid, definitionId: 1, amount: 5, source: 'Adjustment', description: 'x' };
const pointsRow: Call = { method: 'POST', path: '/api/v3/point-accounts/transactions', body: [row] };
const receipt: Call = { method: 'POST', path: '/api/v3/receipts', body: receiptOf(astrid, 'till-1') };
const change: Call = { method: 'PATCH', path: `/api/v3/contacts/${astrid}`, body: { firstName: 'Vera' } };
const read: Call = { method: 'GET', path: `/api/v3/contacts/${astrid}` };

/** Lists what is sent again and again, by a client that never gives up. */
const repeats: readonly (readonly [string, Parameters<typeof again>[0], Call])[] = [
  ['a read that gets 503', '503', read],
  ['a receipt that gets 504', '504', receipt],
  ['a receipt whose response is lost', { phase: 'after', respond: 'none', end: 'reset' }, receipt],
  ['a receipt that was accepted', undefined, receipt],
  ['points that get 504', '504', pointsRow],
  ['points whose response is lost', { phase: 'after', respond: 'none', end: 'reset' }, pointsRow],
  ['points that were accepted', undefined, pointsRow],
  ['a change that gets 504', '504', change],
  ['a change whose response is lost', { phase: 'after', respond: 'none', end: 'reset' }, change],
  ['a change that is refused', undefined, { ...change, body: { email: 7 } }],
];

/** Holds calls that show what the journal has: requests, webhooks, verdicts, the card of a contact. */
export const journalCalls: readonly HeavyCall[] = [
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
    name: 'the webhooks about 60 contacts of 500 KB',
    isFollowed: true,
    prepare: each(big('a'), big('b'), big('c'), big('d')),
    call: get('/__admin/webhooks?limit=1000'),
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
    name: 'the verdict on 300 requests in order, with 20 patterns each',
    prepare: each(scenario({ expectations: [{ order: patternOrder }] }), receipts),
    call: get('/__admin/verdict'),
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
  ...repeats.flatMap(([what, fault, call]) => [
    {
      name: `the verdict on 20,000 attempts at ${what}`,
      prepare: again(fault, call, 8),
      call: get('/__admin/verdict'),
    },
    {
      name: `the verdict on 20,000 attempts at ${what}, one after the other`,
      prepare: again(fault, call, 1),
      call: get('/__admin/verdict'),
    },
  ]),
  {
    name: '1,000 expectations checked',
    prepare: each(put('/__admin/scenario', { expectations }), receipts),
    call: get('/__admin/verdict'),
  },
];
