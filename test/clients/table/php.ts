/** Lists the programs in PHP: streams, a kept handle of curl, and curl_multi. */
import type { ClientProgram } from './client-program.ts';
import { fail, later, lost, on, pass } from './client-program.ts';

type Row = Omit<ClientProgram, 'language' | 'needs'>;

const rows: Row[] = [
  {
    name: 'php-stream-right',
    run: 'php/stream.php right',
    rules: [on('createReceipt', 504, lost)],
    expected: pass,
    why: 'It repeats each receipt unchanged.',
  },
  {
    name: 'php-stream-drops',
    run: 'php/stream.php drops',
    rules: [on('createReceipt', 504)],
    expected: fail(['R1'], ['R9']),
    why: 'Nobody looks at the result of the first receipt.',
  },
  {
    name: 'php-stream-failed-look',
    run: 'php/stream.php failed-look',
    rules: [on('getContactId', 503)],
    expected: { ...fail([]), says: /two contacts|second contact/ },
    why: 'The failed look parses to null like "not found", and a known customer is created a second time.',
  },
  {
    name: 'php-handle-right',
    run: 'php/handle.php right',
    rules: [on('createReceipt', lost, 504)],
    expected: pass,
    why: 'The same receipt over the kept handle until it is accepted.',
  },
  {
    name: 'php-handle-uniqid',
    run: 'php/handle.php uniqid',
    rules: [on('createReceipt', lost)],
    expected: fail(['R5', 'R10']),
    why: 'uniqid() in the loop makes two receipts of one sale.',
  },
  {
    name: 'php-handle-points-looks',
    run: 'php/handle.php points-looks',
    rules: [on('addPointTransactions', lost)],
    expected: fail(['R10'], ['R11']),
    first: pass,
    why: 'The program looks before it repeats, but libcurl sends a POST again by itself when a kept connection ends without a response: the points are there twice. (First thought of as right: that curl does so was not known then.)',
  },
  {
    name: 'php-handle-points-looks-fresh',
    run: 'php/handle.php points-looks fresh',
    rules: [on('addPointTransactions', lost), later('listPointAccounts', 1, 503)],
    expected: pass,
    why: 'On fresh connections libcurl repeats nothing; the program repeats the look until it is answered, and sees the points.',
  },
  {
    name: 'php-handle-points-other',
    run: 'php/handle.php points-other',
    rules: [on('addPointTransactions', lost)],
    expected: fail(['R10'], ['R11']),
    first: fail(['R10', 'R11']),
    why: 'Another customer’s account is read between the attempts; the points are there twice. (On the kept connection it is libcurl that sends the second one, at once, so R11 need not say anything.)',
  },
  {
    name: 'php-handle-points-keyed',
    run: 'php/handle.php points-keyed',
    rules: [on('addPointTransactions', lost)],
    expected: pass,
    why: 'The Idempotency-Key stays the same.',
  },
  {
    name: 'php-multi-right',
    run: 'php/multi.php right',
    rules: [on('createReceipt', 504, lost)],
    expected: pass,
    why: 'What failed in one round is sent again in the next.',
  },
  {
    name: 'php-multi-new-key',
    run: 'php/multi.php new-key',
    rules: [on('createReceipt', lost)],
    expected: fail(['R5|R10'], ['R5', 'R10']),
    why: 'The number of the round is in the key.',
  },
];

export const php: ClientProgram[] = rows.map((row) => ({ ...row, language: 'PHP', needs: ['php:curl'] }));
