import { parseTimestamp } from '../../core/clock.ts';
import { withRows, withSequences } from '../../core/state.ts';
import type { State } from '../../core/state.ts';
import { fixtureSection } from '../fixture.ts';
import type { FixtureContext } from '../fixture.ts';
import { listOf } from '../formats.ts';
import { retailerIn } from '../retailer/operations.ts';
import { matchContact, whyUnmatched } from './match.ts';
import { receiptRow, receipts } from './row.ts';
import { fixtureReceipt } from './schema.ts';
import type { FixtureReceipt } from './schema.ts';
import { wrongSigns } from './signs.ts';

/** Receipts of the past, as tills sent them. A mistake in one stops the loading: unlike a till, a file can be put right. */
export const receiptsFixture = fixtureSection({
  name: 'receipts',
  schema: listOf(fixtureReceipt),
  load: (state, bodies, context) => {
    checkIdsDiffer(bodies, context);
    const retailer = retailerIn(state);
    const rows = bodies.map((body, i) => {
      const soldAt = parseTimestamp(body.createdDate ?? '') ?? context.now;
      return receiptRow(body, {
        newId: context.newId,
        number: i + 1,
        contactId: findOwner(state, body, { path: `receipts[${i}]`, context }),
        isRepeat: false,
        retailer,
        acceptedAt: soldAt,
        recordedAt: soldAt,
      });
    });
    return withSequences(withRows(state, receipts, rows), { receipt: rows.length });
  },
});

interface Place {
  readonly path: string;
  readonly context: FixtureContext;
}

function findOwner(state: State, body: FixtureReceipt, { path, context }: Place): string | null {
  for (const { field, value, errorDescription } of wrongSigns(body)) {
    context.fail(`${path}.${field}`, `${errorDescription}, not ${value}`);
  }
  const contactId = matchContact(state, body.contact);
  if (contactId !== undefined) return contactId;
  if (body.unmatched) return null;
  const reason = whyUnmatched(state, body.contact);
  return context.fail(`${path}.contact.matchKey`, `${reason}; if that is meant, add "unmatched": true to the receipt`);
}

function checkIdsDiffer(bodies: readonly FixtureReceipt[], { fail }: FixtureContext): void {
  const places = new Map<string, number>();
  for (const [i, { uniqueReceiptId }] of bodies.entries()) {
    if (typeof uniqueReceiptId !== 'string') continue;
    const first = places.get(uniqueReceiptId);
    if (first !== undefined) {
      fail(`receipts[${i}].uniqueReceiptId`, `"${uniqueReceiptId}" is the one of receipts[${first}] already`);
    }
    places.set(uniqueReceiptId, i);
  }
}
