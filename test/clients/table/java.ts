/** Lists the programs in Java 17: HttpURLConnection and java.net.http, timers, pools, and a queue of files. */
import type { ClientProgram } from './client-program.ts';
import { fail, harmless, lost, on, pass, unreached } from './client-program.ts';

type Row = Omit<ClientProgram, 'language' | 'needs'>;

const rows: Row[] = [
  {
    name: 'url-connection-right',
    run: 'java/UrlConnectionTill.java right',
    rules: [on('createReceipt', 504)],
    policy: { minBackoff: '1s' },
    expected: pass,
    why: 'It waits for more than the declared second before it repeats.',
  },
  {
    name: 'url-connection-transparent',
    run: 'java/UrlConnectionTill.java right',
    rules: [on('createReceipt', unreached)],
    policy: { minBackoff: '1s' },
    expected: harmless,
    why: 'The JDK itself sends the POST again at once after a reset; the program never hears of it, and its key stays.',
  },
  {
    name: 'url-connection-drops',
    run: 'java/UrlConnectionTill.java drops',
    rules: [on('createReceipt', 504)],
    expected: fail(['R1'], ['R9']),
    why: 'The first receipt is never sent again.',
  },
  {
    name: 'url-connection-points',
    run: 'java/UrlConnectionTill.java points',
    rules: [on('addPointTransactions', lost)],
    expected: fail(['R10'], ['R11']),
    why: 'The JDK repeats the bulk by itself, and the points are there twice, whoever sent it.',
  },
  {
    name: 'http-client-right',
    run: 'java/HttpClientTill.java right',
    rules: [on('createReceipt', 504, lost)],
    expected: pass,
    why: 'It repeats each receipt unchanged.',
  },
  {
    name: 'http-client-uuid-in-loop',
    run: 'java/HttpClientTill.java uuid-in-loop',
    rules: [on('createReceipt', lost)],
    expected: fail(['R5', 'R10']),
    why: 'Each attempt draws a UUID, so one sale is stored twice.',
  },
  {
    name: 'http-client-rounded',
    run: 'java/HttpClientTill.java rounded',
    rules: [on('createReceipt', 504, 504)],
    expected: fail(['R4']),
    why: 'Each attempt has another total.',
  },
  {
    name: 'http-client-future-hang',
    run: 'java/HttpClientTill.java future',
    rules: [on('createReceipt', { respond: 'none', end: 'hang' })],
    expected: fail(['R8'], ['R2']),
    first: fail(['R8']),
    why:
      'It gives up a future that is derived from the request, which stays open beside the second attempt. On a busy machine the virtual machine may send the first after that: ' +
      'it succeeds unseen while the second hangs, and a third is sent after a success.',
  },
  {
    name: 'http-client-future-slow',
    run: 'java/HttpClientTill.java future',
    rules: [on('createReceipt', { delay: '30s' })],
    expected: fail(['R8'], ['R2']),
    why: 'The slow first request is still in flight when the receipt is sent again.',
  },
  {
    name: 'http-client-points-keyed',
    run: 'java/HttpClientTill.java points-keyed',
    rules: [on('addPointTransactions', lost, 504)],
    expected: pass,
    why: 'The Idempotency-Key stays the same.',
  },
  {
    name: 'http-client-points-looks',
    run: 'java/HttpClientTill.java points-looks',
    rules: [on('addPointTransactions', lost)],
    expected: pass,
    why: 'It compares the accounts before and after, and does not add again.',
  },
  {
    name: 'http-client-points-looks-504',
    run: 'java/HttpClientTill.java points-looks',
    rules: [on('addPointTransactions', 504)],
    expected: pass,
    why: 'The accounts have not changed, so it adds the points again.',
  },
  {
    name: 'scheduled-till-queue',
    run: 'java/ScheduledTill.java queue',
    rules: [on('createReceipt', 504, 504)],
    policy: { storeAndForward: { after: '1s' } },
    expected: pass,
    why: 'Its timer delivers what is waiting, the oldest first, each once.',
  },
  {
    name: 'scheduled-till-stack',
    run: 'java/ScheduledTill.java stack',
    rules: [on('createReceipt', 504, 504, 504)],
    policy: { storeAndForward: { after: '1s' } },
    expected: fail(['R9']),
    why: 'It keeps its receipts on a stack, so the newest is delivered first; it declares that what comes after a second is forwarded, not retried.',
  },
  {
    name: 'pool-import-right',
    run: 'java/PoolImport.java right',
    rules: [on('createReceipt', 504, lost, 500)],
    expected: pass,
    why: 'Four threads share the client; each receipt is repeated unchanged.',
  },
  {
    name: 'pool-import-drops',
    run: 'java/PoolImport.java drops',
    rules: [on('createReceipt', 504)],
    expected: fail(['R1'], ['R9']),
    why: 'One receipt of nine is never sent again.',
  },
  {
    name: 'file-queue-right',
    run: ['java/FileQueue.java right till-9', 'java/FileQueue.java right till-9'],
    rules: [on('createReceipt', 504)],
    expected: pass,
    why: 'It dies after the failed attempt, and delivers both files after its restart.',
  },
  {
    name: 'file-queue-again',
    run: ['java/FileQueue.java right till-9', 'java/FileQueue.java right till-9'],
    expected: harmless,
    why: 'It dies after the 202, before it deletes the file: the same receipt again, under the same key.',
  },
  {
    name: 'file-queue-deletes-first',
    run: ['java/FileQueue.java deletes-first till-9', 'java/FileQueue.java deletes-first till-9'],
    rules: [on('createReceipt', 504)],
    expected: fail(['R1|R9|R13'], ['R1', 'R9', 'R13']),
    why: 'The file is gone before the receipt is delivered, so the restart loses it.',
  },
];

export const java: ClientProgram[] = rows.map((row) => ({ ...row, language: 'Java', needs: ['java', 'javac'] }));
