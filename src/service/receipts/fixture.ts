import { parseTimestamp } from '../../core/time/clock.ts';
import { UnitOfWork } from '../../core/state/unit-of-work.ts';
import { countRows, withRowsInSteps, withSequences } from '../../core/state/state.ts';
import type { State } from '../../core/state/state.ts';
import { itemSection } from '../resource/fixture-section.ts';
import type { FixtureContext } from '../resource/fixture-section.ts';
import { retailerIn } from '../retailer/operations.ts';
import { matchContact, unmatchedReason } from './contact-match.ts';
import { receiptRow, receipts } from './tables.ts';
import type { ReceiptRow } from './tables.ts';
import { fixtureReceipt } from './schema.ts';
import type { FixtureReceipt } from './schema.ts';
import { findSignErrors } from './return-signs.ts';

/** Loads past receipts, as tills sent them. What a till is warned about is an error here: a file can be put right. */
export const receiptsFixture = itemSection({
  name: 'receipts',
  description: 'the receipts of the contacts',
  item: fixtureReceipt,
  load: function* (state, bodies, context) {
    const filled = yield* withRowsInSteps(state, receipts, receiptRows(state, bodies, context), context.count);
    return withSequences(filled, { receipt: countRows(filled, receipts) });
  },
});

function* receiptRows(state: State, bodies: Iterable<FixtureReceipt>, context: FixtureContext): Generator<ReceiptRow> {
  const loading: ReceiptFixtureContext = { state, rows: new UnitOfWork(state), context, places: new Map() };
  let i = 0;
  for (const body of bodies) yield readReceipt(loading, body, i++);
}

interface ReceiptFixtureContext {
  readonly state: State;
  readonly rows: UnitOfWork;
  readonly context: FixtureContext;
  /** Says which receipt has a uniqueReceiptId. */
  readonly places: Map<string, number>;
}

function readReceipt(loading: ReceiptFixtureContext, body: FixtureReceipt, i: number): ReceiptRow {
  const { state, rows, context } = loading;
  for (const { field, value, errorDescription } of findSignErrors(body)) {
    context.report(`receipts[${i}].${field}`, `${errorDescription}, not ${value}`);
  }
  const contactId = matchContact(rows, body.contact);
  if (contactId === undefined && !body.unmatched) {
    const hint = 'if that is meant, add "unmatched": true to the receipt';
    context.report(`receipts[${i}].contact.matchKey`, `${unmatchedReason(rows, body.contact)}; ${hint}`);
  }
  const soldAt = parseTimestamp(body.createdDate ?? '') ?? context.now;
  return receiptRow(body, {
    newId: context.newId,
    number: i + 1,
    contactId: contactId ?? null,
    isRepeat: isRepeat(loading, body, i),
    retailer: retailerIn(state),
    acceptedAt: soldAt,
    recordedAt: soldAt,
  });
}

function isRepeat({ context, places }: ReceiptFixtureContext, { uniqueReceiptId }: FixtureReceipt, i: number): boolean {
  // In an attempt, all rows keep theirs, and the table refuses two rows that share one.
  if (typeof uniqueReceiptId !== 'string' || context.isAttempt) return false;
  const first = places.get(uniqueReceiptId);
  if (first === undefined) places.set(uniqueReceiptId, i);
  else
    context.report(`receipts[${i}].uniqueReceiptId`, `"${uniqueReceiptId}" is the one of receipts[${first}] already`);
  return first !== undefined;
}
