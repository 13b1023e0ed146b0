/**
 * Lists clients without a defect, in six languages: same key and content, a look before a write without a key is
 * repeated, time limits, Retry-After, few attempts, and what the service does not take is kept. No exploration may find
 * anything in them. They go on for five seconds; what is left then waits in the files of those that have a queue.
 */
import { rightQueue } from './queues.ts';
import type { ExploredClient } from './tills.ts';
import { carefulPolicy as policy, orderPolicy } from './tills.ts';

/** Is a client that is right; `hasQueue` tells that it goes on with the same files when it is started again. */
export interface RightClient extends ExploredClient {
  readonly hasQueue?: boolean;
}

const inFunctions = { language: 'JavaScript', file: 'right/functions.mjs', policy } as const;

export const rightClients: readonly RightClient[] = [
  { ...inFunctions, name: 'right-sale', function: 'sale', calls: 15 },
  { ...inFunctions, name: 'right-desk', function: 'desk', calls: 14 },
  { ...rightQueue, hasQueue: true },
  { name: 'enrolment', language: 'Python', file: 'programs/enrol.py', needs: ['python3'], calls: 11, policy },
  {
    name: 'sqlite-till',
    language: 'Python',
    file: 'programs/queue.py',
    needs: ['python3:sqlite3'],
    calls: 12,
    policy,
    hasQueue: true,
  },
  { name: 'coupons', language: 'PHP', file: 'programs/coupons.php', needs: ['php:curl'], calls: 15, policy },
  {
    name: 'file-till',
    language: 'PHP',
    file: 'programs/queue.php',
    needs: ['php:curl'],
    calls: 18,
    policy,
    hasQueue: true,
  },
  { name: 'checkout', language: 'Java', file: 'programs/Checkout.java', needs: ['java', 'javac'], calls: 15, policy },
  { name: 'order-hook', language: 'Ruby', file: 'programs/orders.rb', needs: ['ruby'], calls: 9, policy: orderPolicy },
  { name: 'consents', language: 'shell', file: 'programs/consents.sh', needs: ['curl'], calls: 12, policy },
];
