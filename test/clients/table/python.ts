/** Lists the programs in Python: urllib, requests with urllib3's retries, threads, processes, an outbox in SQLite. */
import type { ClientProgram } from './client-program.ts';
import { fail, harmless, later, lost, on, pass, repeated, unreached } from './client-program.ts';

type Row = Omit<ClientProgram, 'language' | 'needs'>;

const plain: Row[] = [
  {
    name: 'urllib-till-right',
    run: 'python/urllib_till.py right',
    rules: [on('createReceipt', 504, lost)],
    expected: pass,
    why: 'It repeats each receipt unchanged until it is accepted.',
  },
  {
    name: 'urllib-till-drops',
    run: 'python/urllib_till.py drops',
    rules: [on('createReceipt', unreached)],
    expected: fail(['R1'], ['R9']),
    why: 'The first receipt never arrived and is never sent again.',
  },
  {
    name: 'urllib-till-uuid-in-loop',
    run: 'python/urllib_till.py uuid-in-loop',
    rules: [on('createReceipt', lost)],
    expected: fail(['R5', 'R10']),
    why: 'Each attempt draws a uuid, so one sale is stored twice.',
  },
  {
    name: 'urllib-till-now-in-loop',
    run: 'python/urllib_till.py now-in-loop',
    rules: [on('createReceipt', 504)],
    expected: fail(['R4']),
    why: 'Each attempt carries the time at which it was made, in place of that of the sale.',
  },
  {
    name: 'outbox-crashes',
    run: ['python/outbox.py crashes', 'python/outbox.py crashes'],
    expected: harmless,
    why: 'Killed between the 202 and its mark, it sends the same receipt with the same key after the restart.',
  },
  {
    name: 'outbox-waits',
    run: ['python/outbox.py waits', 'python/outbox.py waits', 'python/outbox.py waits'],
    rules: [on('createReceipt', 504, unreached)],
    expected: pass,
    why: 'Each run stops at the first failure and the next one goes on there, in order.',
  },
  {
    name: 'outbox-marks-first',
    run: ['python/outbox.py marks-first', 'python/outbox.py marks-first'],
    rules: [on('createReceipt', 504)],
    expected: fail(['R1|R9|R13'], ['R1', 'R9', 'R13']),
    why: 'It marks a receipt as sent before it knows, so the first one is lost.',
  },
  {
    name: 'importer-chunks',
    run: 'python/importer.py chunks',
    rules: [later('addPointTransactions', 1, lost)],
    expected: pass,
    why: 'Each chunk has an Idempotency-Key of its own that stays the same.',
  },
  {
    name: 'importer-whole',
    run: 'python/importer.py whole',
    rules: [later('addPointTransactions', 1, 504)],
    expected: fail(['R2|R10'], ['R2', 'R10', 'R11']),
    why: 'Its decorator repeats the whole import, so the first chunk, which was accepted, is added twice.',
  },
  {
    name: 'asyncio-abandons',
    run: 'python/abandoned.py abandons',
    rules: [on('createReceipt', { respond: 'none', end: 'hang' })],
    expected: fail(['R8']),
    why: 'The limit of asyncio leaves the first request open in its thread when the second one is sent.',
  },
  {
    name: 'asyncio-ends',
    run: 'python/abandoned.py ends',
    rules: [on('createReceipt', { respond: 'none', end: 'hang' })],
    expected: pass,
    why: 'The limit of the socket closes the connection before the receipt is sent again.',
  },
  {
    name: 'gateway-browser-key',
    run: 'python/gateway.py browser-key',
    rules: [on('createReceipt', lost)],
    expected: pass,
    why: 'The browser’s number is the key, so its repeat through the gateway is harmless.',
  },
  {
    name: 'gateway-own-key',
    run: 'python/gateway.py own-key',
    rules: [on('createReceipt', lost)],
    expected: fail(['R5|R10'], ['R5', 'R10']),
    why: 'The gateway draws a key for each request of the browser, so one sale is stored twice.',
  },
  {
    name: 'processes-right',
    run: 'python/processes.py',
    rules: [on('createReceipt', 504, lost)],
    expected: pass,
    why: 'Three processes share the work; each receipt is repeated by the process that has it.',
  },
  {
    name: 'members-look-by-phone',
    run: 'python/members.py looks-by-phone',
    rules: [on('createContact', lost)],
    expected: pass,
    why: 'It looks by the phone number that the new contact was created with, and finds the contact.',
  },
  {
    name: 'members-look-by-other-phone',
    run: 'python/members.py looks-by-other-phone',
    rules: [on('createContact', lost)],
    expected: fail(['R1'], ['R9']),
    why: 'The number that it looks for belongs to somebody else, so the lost creation is neither repeated nor looked for.',
  },
  {
    name: 'members-exceptions',
    run: 'python/members.py exceptions',
    expected: fail(['R2']),
    why: 'It takes a 404 for an error like any other and asks four times within a quarter of a second.',
  },
  {
    name: 'members-consents',
    run: 'python/members.py consents',
    rules: [on('setConsents', lost, 504)],
    expected: pass,
    why: 'Setting the same consent again changes nothing.',
  },
  {
    name: 'members-drop-consent',
    run: 'python/members.py drops-consent',
    rules: [on('setConsents', 504)],
    expected: fail(['R1'], ['R9']),
    why: 'The customer said no to the newsletter, and it is never stored.',
  },
];

const requests: Row[] = [
  {
    name: 'requests-adapter',
    run: 'python/session_till.py right',
    rules: [on('createReceipt', 504, lost)],
    expected: pass,
    why: 'The adapter repeats POST as well, and the key stays the same.',
  },
  {
    name: 'requests-defaults',
    run: 'python/session_till.py defaults',
    rules: [on('createReceipt', 504)],
    expected: fail(['R1'], ['R9']),
    why: 'By default Retry does not repeat a POST, and the program does not either.',
  },
  {
    name: 'requests-plain',
    run: 'python/session_till.py plain',
    rules: [on('createReceipt', unreached)],
    expected: fail(['R1'], ['R9']),
    why: 'It has no retries at all and swallows the exception.',
  },
  {
    name: 'requests-points',
    run: 'python/session_till.py points',
    rules: [on('addPointTransactions', lost)],
    expected: fail(['R10'], ['R11']),
    why: 'With allowed_methods=None the adapter adds the points a second time.',
  },
  {
    name: 'requests-points-keyed',
    run: 'python/session_till.py points-keyed',
    rules: [on('addPointTransactions', lost, 504)],
    expected: pass,
    why: 'The Idempotency-Key makes the adapter’s repeats harmless.',
  },
  {
    name: 'requests-no-backoff',
    run: 'python/session_till.py no-backoff',
    rules: [on('createReceipt', 504, 504)],
    policy: { minBackoff: '1s' },
    expected: fail(['R6']),
    why: 'Without a backoff_factor the adapter repeats at once, where a second is declared.',
  },
  {
    name: 'requests-no-backoff-reset',
    run: 'python/session_till.py no-backoff',
    rules: [on('createReceipt', ...repeated(2, unreached))],
    policy: { minBackoff: '1s' },
    expected: fail(['R6']),
    why: 'Two repeats at once, each on a new connection after a new one, are the adapter’s and not a transport’s.',
  },
  {
    name: 'requests-retry-after',
    run: 'python/session_till.py right',
    rules: [on('createReceipt', { status: 429, headers: { 'Retry-After': '1' } })],
    expected: pass,
    why: 'urllib3 waits for as long as Retry-After asks.',
  },
  {
    name: 'requests-threads',
    run: 'python/threads.py right',
    rules: [on('createReceipt', 504, lost, 500)],
    expected: pass,
    why: 'Four threads share a session; each repeats its own receipt.',
  },
  {
    name: 'requests-threads-new-key',
    run: 'python/threads.py new-key',
    rules: [on('createReceipt', lost)],
    expected: fail(['R5|R10'], ['R5', 'R10']),
    why: 'The number of the attempt is in the key, among the receipts of other threads.',
  },
];

export const python: ClientProgram[] = [
  ...plain.map((row) => ({ ...row, needs: ['python3'] })),
  ...requests.map((row) => ({ ...row, needs: ['python3:requests'] })),
].map((row) => ({ ...row, language: 'Python' }));
