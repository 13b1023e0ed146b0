/** The key of a receipt is read from its body, wherever it stands and however it is written. */
import { describe, expect, it } from 'vitest';
import { openSim } from '../support/open-sim.ts';
import { astrid } from '../support/people.ts';
import { receiptOf } from '../support/receipt.ts';

const written = JSON.stringify(receiptOf(astrid, 'till-1'));

describe('the verdict on operation keys', () => {
  it.each([
    ['as it is', written],
    ['with spaces', JSON.stringify(JSON.parse(written), null, 2)],
    ['with escapes', written.replace('"uniqueReceiptId":"till-1"', String.raw`"unique\u0052eceiptId":"t\u0069ll-1"`)],
    ['beside one inside of a line', written.replace('"items":[{', '"items":[{"uniqueReceiptId":"other",')],
    ['after one inside of the contact', written.replace('"contact":{', '"contact":{"uniqueReceiptId":"other",')],
    ['after one that it replaces', written.replace('{', '{"uniqueReceiptId":"other",')],
    ['behind its name as a text', written.replace('"T-shirt"', '"uniqueReceiptId"')],
    ['behind braces in a text', written.replace('{', '{"note":"}{[",')],
  ])('finds the key of a receipt %s', async (_, body) => {
    const { call, get } = await openSim();
    expect((await call('POST', '/api/v3/receipts', { body })).status).toBe(202);
    const { operations } = (await get('/__admin/verdict')).body;
    expect(operations.map(({ key }: { key: unknown }) => key)).toEqual([{ by: 'own-key', value: 'till-1' }]);
  });
});
