/** Lists the programs of bash and curl: every request has a connection of its own. */
import type { ClientProgram } from './client-program.ts';
import { fail, harmless, later, lost, on, pass, unreached } from './client-program.ts';

type Row = Omit<ClientProgram, 'language' | 'needs'>;

const rows: Row[] = [
  {
    name: 'curl-receipts-right',
    run: 'shell/receipts.sh right',
    rules: [on('createReceipt', 504, 503)],
    expected: pass,
    why: 'It repeats the same receipt until it gets a 202.',
  },
  {
    name: 'curl-receipts-new-key',
    run: 'shell/receipts.sh new-key',
    rules: [on('createReceipt', lost)],
    expected: fail(['R5', 'R10']),
    why: 'The number of the attempt is in the key, so the sale is stored twice.',
  },
  {
    name: 'curl-receipts-own-retry',
    run: 'shell/receipts.sh curl-retry',
    rules: [on('createReceipt', unreached, 504)],
    expected: pass,
    why: 'The option --retry of curl sends the same receipt again after a second.',
  },
  {
    name: 'curl-receipts-drops',
    run: 'shell/receipts.sh drops',
    rules: [on('createReceipt', 504)],
    expected: fail(['R1'], ['R9']),
    why: 'The first receipt is lost for good.',
  },
  {
    name: 'curl-receipts-until-empty',
    run: 'shell/receipts.sh until-empty',
    expected: fail(['R2']),
    why: 'It takes the body of a 202 for an error message and sends again.',
  },
  {
    name: 'curl-receipts-slow-504',
    run: 'shell/receipts.sh right',
    rules: [on('createReceipt', { delay: '200ms', status: 504 })],
    expected: pass,
    why: 'The 504 came slowly but in full, before the work, and the receipt was sent again after it.',
  },
  {
    name: 'curl-receipts-slow-504-timeout',
    run: 'shell/receipts.sh right',
    rules: [on('createReceipt', { delay: '200ms', status: 504 })],
    policy: { timeout: '30s' },
    expected: pass,
    why: 'It declared a timeout of 30 s, so it cannot have given up before the 504 arrived.',
  },
  {
    name: 'curl-receipts-slow-202-timeout',
    run: 'shell/receipts.sh right',
    rules: [on('createReceipt', { delay: '200ms' })],
    policy: { timeout: '30s' },
    expected: pass,
    why: 'Slow responses that are waited for.',
  },
  {
    name: 'curl-lookup-stubborn',
    run: 'shell/lookup.sh stubborn',
    expected: fail(['R2']),
    why: 'It asks three times within a second for a customer who does not exist.',
  },
  {
    name: 'curl-lookup-stubborn-declared',
    run: 'shell/lookup.sh stubborn-declared',
    expected: fail(['R2']),
    why: 'The same, and it names itself in each request.',
  },
  {
    name: 'curl-lookup-once',
    run: 'shell/lookup.sh once',
    rules: [later('getContactId', 1, 500)],
    expected: pass,
    why: 'A 404 is final, a 500 is repeated.',
  },
  {
    name: 'curl-lookup-gives-up',
    run: 'shell/lookup.sh gives-up',
    rules: [on('getContactId', 500)],
    expected: fail(['R1']),
    why: 'The failed look is never repeated; the look for the next customer is another one.',
  },
  {
    name: 'curl-points-own-retry',
    run: 'shell/points.sh curl-retry',
    rules: [on('addPointTransactions', lost)],
    expected: fail(['R10', 'R11']),
    why: 'The option --retry-all-errors repeats a bulk without a key: the points are there twice.',
  },
  {
    name: 'curl-points-keyed',
    run: 'shell/points.sh keyed',
    rules: [on('addPointTransactions', lost)],
    expected: pass,
    why: 'With an Idempotency-Key the same option is safe.',
  },
  {
    name: 'curl-points-looks',
    run: 'shell/points.sh looks',
    rules: [on('addPointTransactions', lost)],
    expected: pass,
    why: 'It compares the account before and after, and sees that the points arrived.',
  },
  {
    name: 'curl-points-ignores-look',
    run: 'shell/points.sh ignores-look',
    rules: [on('addPointTransactions', lost)],
    expected: { verdict: ['FAIL', 'INCONCLUSIVE'], rules: ['R10|R11'], also: ['R10', 'R11'] },
    why: 'It reads the account and adds the points again whatever it says; only that it might be meant is in its favour.',
  },
  {
    name: 'curl-spool-crash',
    run: ['shell/spool.sh right after-delivery', 'shell/spool.sh right'],
    expected: harmless,
    why: 'Killed after the delivery, before the file was moved: the same receipt again, under the same key.',
  },
  {
    name: 'curl-spool-outage',
    run: ['shell/spool.sh right', 'shell/spool.sh right', 'shell/spool.sh right'],
    rules: [on('createReceipt', 504, unreached)],
    expected: pass,
    why: 'Each run stops at the first failure, and the next one goes on from there.',
  },
  {
    name: 'curl-spool-deletes-all',
    run: ['shell/spool.sh deletes-all', 'shell/spool.sh deletes-all'],
    rules: [on('createReceipt', 504)],
    expected: fail(['R1|R9'], ['R1', 'R9']),
    why: 'It moves the file away whatever the response was, so the first receipt is lost.',
  },
  {
    name: 'curl-coupon-right',
    run: 'shell/coupon.sh right',
    rules: [on('redeemPromotion', lost)],
    expected: pass,
    why: 'A 409 after a lost response means success.',
  },
  {
    name: 'curl-coupon-drops',
    run: 'shell/coupon.sh drops',
    rules: [on('redeemPromotion', lost)],
    expected: fail(['R1'], ['R9']),
    why: 'It reads another customer’s promotions and never finds out about the coupon.',
  },
  {
    name: 'curl-coupon-knocks',
    run: 'shell/coupon.sh knocks',
    expected: fail(['R2']),
    why: 'It waits for a 204 that never comes, and redeems four times.',
  },
];

export const shell: ClientProgram[] = rows.map((row) => ({ ...row, language: 'shell', needs: ['bash', 'curl'] }));
