/** Point masters with one defect each, and the cases that are expected to fail for it. */

export interface WrongMaster {
  /** Names the defect for `master.mjs`. */
  readonly defect: string;
  readonly does: string;
  /** The case that is meant to find it. */
  readonly meant: string;
  /** All other cases that fail for it. */
  readonly others?: readonly string[];
}

/** Written before the first of them was run. */
export const wrongMasters: readonly WrongMaster[] = [
  {
    defect: 'books-twice',
    does: 'books each delivery',
    meant: 'webhook/twice',
    others: ['webhook/lost-response', 'webhook/repeated-later', 'webhook/twice-at-once', 'program/restart'],
  },
  { defect: 'last-id-only', does: 'remembers the last event alone', meant: 'webhook/repeated-later' },
  { defect: 'checks-then-waits', does: 'looks for the id, waits, and books', meant: 'webhook/twice-at-once' },
  {
    defect: 'loses-updates',
    does: 'reads the ledger, waits, and writes it',
    meant: 'webhook/parallel',
    others: ['webhook/many'],
  },
  {
    defect: 'checks-no-signature',
    does: 'checks no signature',
    meant: 'webhook/wrong-secret',
    others: [
      'webhook/unsigned',
      'webhook/tampered',
      'webhook/too-old',
      'webhook/from-future',
      'webhook/rejected-then-right',
    ],
  },
  { defect: 'checks-no-age', does: 'checks no time stamp', meant: 'webhook/too-old', others: ['webhook/from-future'] },
  { defect: 'stores-id-first', does: 'keeps the id before it checks', meant: 'webhook/rejected-then-right' },
  {
    defect: 'accepts-unreadable',
    does: 'responds 200 to what it cannot read',
    meant: 'webhook/wrong-key',
    others: ['webhook/not-json', 'webhook/missing-fields'],
  },
  { defect: 'refuses-other-events', does: 'responds 400 to other events', meant: 'webhook/other-event' },
  { defect: 'books-any-event', does: 'books every event with an amount', meant: 'webhook/other-event' },
  { defect: 'strict-fields', does: 'refuses fields that it does not know', meant: 'webhook/unknown-fields' },
  { defect: 'in-memory', does: 'forgets all when it ends', meant: 'program/restart' },
  {
    defect: 'never-repeats-balances',
    does: 'sends each balance once, whatever the response',
    meant: 'balances/504',
    others: ['balances/500', 'balances/504-after', 'balances/lost-before', 'balances/lost-after'],
  },
  {
    defect: 'never-repeats-lost-lists',
    does: 'sends a list of balances that got no response not again',
    meant: 'balances/lost-after',
    others: ['balances/lost-before'],
  },
  {
    defect: 'sends-changes',
    does: 'sends the change in place of the total',
    meant: 'webhook/same-content',
    others: [
      'webhook/negative',
      'webhook/fraction',
      'webhook/repeated-later',
      'webhook/out-of-order',
      'webhook/parallel',
      'webhook/many',
      'history/items',
    ],
  },
  {
    defect: 'refuses-negative',
    does: 'refuses amounts below zero',
    meant: 'webhook/negative',
    others: ['webhook/out-of-order', 'history/items'],
  },
  { defect: 'stops-at-zero', does: 'takes no balance below zero', meant: 'webhook/out-of-order' },
  { defect: 'whole-points', does: 'cuts off decimals', meant: 'webhook/fraction' },
  { defect: 'by-content', does: 'takes equal payloads for one event', meant: 'webhook/same-content' },
  { defect: 'one-signature', does: 'compares the whole header', meant: 'webhook/two-signatures' },
  { defect: 'ascii-only', does: 'refuses texts that are not ASCII', meant: 'webhook/unicode' },
  { defect: 'latin-1', does: 'decodes payloads as Latin-1', meant: 'webhook/unicode' },
  { defect: 'ends-at-bad-json', does: 'ends at a body that is not JSON', meant: 'webhook/not-json' },
  { defect: 'new-key-only', does: 'does not take the old key any more', meant: 'webhook/old-key' },
  { defect: 'history-404', does: 'responds 404 for a contact without points', meant: 'history/no-points' },
  { defect: 'history-of-totals', does: 'shows a total in place of transactions', meant: 'history/items' },
];
