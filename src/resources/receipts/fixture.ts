import { parseTimestamp } from '../../core/clock.ts';
import { Rows } from '../../core/rows.ts';
import { withRows, withSequences } from '../../core/state.ts';
import type { State } from '../../core/state.ts';
import { fixtureSection } from '../fixture.ts';
import type { FixtureContext } from '../fixture.ts';
import { listOf } from '../formats.ts';
import { retailerIn } from '../retailer/operations.ts';
import { matchContact, whyUnmatched } from './match.ts';
import { receiptRow, receipts } from './row.ts';
import type { ReceiptRow } from './row.ts';
import { fixtureReceipt } from './schema.ts';
import type { FixtureReceipt } from './schema.ts';
import { wrongSigns } from './signs.ts';

/** Receipts of the past, as tills sent them. What a till is warned about is an error here: a file can be put right. */
export const receiptsFixture = fixtureSection({
  name: 'receipts',
  schema: listOf(fixtureReceipt),
  load: (state, bodies, context) => {
    const loading: Loading = { state, rows: new Rows(state), context, places: new Map() };
    const rows = bodies.map((body, i) => readReceipt(loading, body, i));
    return withSequences(withRows(state, receipts, rows), { receipt: rows.length });
  },
});

interface Loading {
  readonly state: State;
  readonly rows: Rows;
  readonly context: FixtureContext;
  /** Which receipt has a uniqueReceiptId. */
  readonly places: Map<string, number>;
}

function readReceipt(loading: Loading, body: FixtureReceipt, i: number): ReceiptRow {
  const { state, rows, context } = loading;
  for (const { field, value, errorDescription } of wrongSigns(body)) {
    context.report(`receipts[${i}].${field}`, `${errorDescription}, not ${value}`);
  }
  const contactId = matchContact(rows, body.contact);
  if (contactId === undefined && !body.unmatched) {
    const hint = 'if that is meant, add "unmatched": true to the receipt';
    context.report(`receipts[${i}].contact.matchKey`, `${whyUnmatched(rows, body.contact)}; ${hint}`);
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

function isRepeat({ context, places }: Loading, { uniqueReceiptId }: FixtureReceipt, i: number): boolean {
  if (typeof uniqueReceiptId !== 'string') return false;
  const first = places.get(uniqueReceiptId);
  if (first === undefined) places.set(uniqueReceiptId, i);
  else
    context.report(`receipts[${i}].uniqueReceiptId`, `"${uniqueReceiptId}" is the one of receipts[${first}] already`);
  return first !== undefined;
}
