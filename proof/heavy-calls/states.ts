import type { Answer, Call } from '../traffic.ts';
import { adjustment, big, contacts, createCrowd, crowd, receipt, receipts, saved } from './content.ts';
import { each, get, many, post, times } from './heavy-call.ts';
import type { HeavyCall, Send } from './heavy-call.ts';

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

/** Holds calls about the state of tenants: snapshots, resets, branches, queues, the clock. */
export const stateCalls: readonly HeavyCall[] = [
  {
    name: 'the difference of 60 contacts of 500 KB',
    prepare: each(big('a'), big('b'), big('c'), big('d')),
    call: get('/__admin/snapshots/diff?limit=1000'),
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
  {
    name: 'the clock moved over 10,000 queued receipts',
    args: ['--queue-delay', '1h'],
    prepare: many(10_000, (n) => ({ method: 'POST', path: '/api/v3/receipts', body: receipt(n) })),
    call: post('/__admin/clock', { advance: '1d' }),
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
    name: '4,000 contacts of a queued bulk',
    args: ['--queue-delay', '1h'],
    prepare: createCrowd,
    call: post('/__admin/queue', { drain: true }),
  },
  {
    name: 'a year of 3,000 receipts\u2019 points',
    prepare: receipts,
    call: post('/__admin/clock', { advance: '400d' }),
  },
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
  { isLarge: true, name: `contacts found among ${contacts}`, call: get('/__admin/contacts?search=zz') },
  { isLarge: true, name: `${contacts} contacts by their names`, call: get('/__admin/contacts?limit=1000') },
];
