/**
 * Lists client programs with one planted defect each, written by somebody who had not read the code of the explorer.
 * What is expected was written down before a program ran for the first time. Together with the 32 copies of the
 * reference till (test/clients/mutants.mjs) they are what an exploration is measured by.
 */
import type { RuleInput } from '../../../src/faults/rule-schema.ts';
import type { PolicyInput } from '../../../src/scenario/policy-schema.ts';

/**
 * Is a client of 5 to 30 calls that ends by itself. It reads its base URL, which may hold a path prefix, from
 * LOYALTY_SIM_URL, its key from LOYALTY_SIM_API_KEY, and keeps files in TILL_FOLDER (default: the working folder).
 */
export interface ExploredClient {
  /** Names it in tests and reports; it is also what the client sends as `x-sim-client`. */
  readonly name: string;
  readonly language: 'JavaScript' | 'TypeScript' | 'Python' | 'PHP' | 'Java' | 'Ruby' | 'Perl' | 'shell';
  /** Is its file below test/explore/clients. */
  readonly file: string;
  /**
   * Names an exported function `async (fetch, baseUrl, key) => void` of the file, which can be called in process.
   * As a program: `node run.mjs <file> <function>`.
   */
  readonly function?: string;
  /** Follows the file on the command line. */
  readonly args?: readonly string[];
  /** Commands and modules without which it is skipped: `php`, `python3:sqlite3`. */
  readonly needs?: readonly string[];
  /** Counts its requests without faults. */
  readonly calls: number;
  /** Is what it declares. */
  readonly policy: PolicyInput;
}

/** Says where the explorer should find a defect: 1 single fault, 2 persistent, 3 outage window, 4 second fault. */
export type FaultLevel = 1 | 2 | 3 | 4;

/** Is a client with a defect that no clean run shows. */
export interface WrongTill extends ExploredClient {
  /** Says what it does wrong. */
  readonly defect: string;
  /**
   * Lists the rules by which that may be found; the first is the one meant. `state` is a difference to the state after
   * the same work without faults.
   */
  readonly rules: readonly string[];
  /** Lists rules that may fail beside them. */
  readonly also?: readonly string[];
  /** Says which is the lowest level that should find it. */
  readonly level: FaultLevel;
  readonly why: string;
  /** Says where it sits. */
  readonly hidden: string;
  /** Shows the defect: with these faults, and only by way of example. */
  readonly shownBy: readonly RuleInput[];
}

/** Holds what clients on test/explore/clients/tills/careful.mjs declare. */
export const carefulPolicy: PolicyInput = {
  maxAttempts: 4,
  minBackoff: [20, 40, 80],
  tolerance: 10,
  timeout: 400,
  storeAndForward: { after: 200 },
};

/** Holds what the order hook declares. */
export const orderPolicy: PolicyInput = { ...carefulPolicy, minBackoff: [60, 120, 240] };

const lost = { phase: 'after', respond: 'none', end: 'reset' } as const;
const hang = { respond: 'none', end: 'hang' } as const;
const cut = { phase: 'after', respond: 'partial', end: 'close' } as const;
const times = (count: number, fault: unknown): unknown[] => Array.from({ length: count }, () => fault);

/** Lets requests to an endpoint meet faults in turn, after some have passed. */
const on = (endpoint: string, skip: number, ...fault: readonly unknown[]): RuleInput =>
  ({ match: { endpoint }, skip, fault }) as RuleInput;

/** Lets all requests fail from one on. */
const outage = (endpoints: readonly string[], skip: number, count: number, fault: unknown = 504): RuleInput =>
  ({ match: { endpoint: endpoints }, skip, times: count, fault }) as RuleInput;

type Planted = Omit<WrongTill, 'language' | 'file' | 'policy'> & { readonly policy?: PolicyInput };

const inFile = (file: string, list: readonly Planted[]): WrongTill[] =>
  list.map((one) => ({ language: 'JavaScript', file, policy: carefulPolicy, ...one }));

const sales = inFile('tills/sale.mjs', [
  {
    name: 'split-bill',
    function: 'splitBill',
    calls: 8,
    defect: 'draws the key of the gift receipt for each attempt',
    rules: ['R5', 'R10', 'state'],
    also: ['R4'],
    level: 1,
    why: 'A repeated gift receipt is another receipt for the service.',
    hidden: 'the second of three receipts',
    shownBy: [on('createReceipt', 1, lost)],
  },
  {
    name: 'fresh-time',
    function: 'freshTime',
    calls: 8,
    defect: 'sends a new createdDate with the third attempt',
    rules: ['R4'],
    level: 2,
    why: 'Nobody knows which of two times of the sale is stored.',
    hidden: 'only the third attempt and later ones of a receipt',
    shownBy: [on('createReceipt', 1, 504, 504)],
  },
  {
    name: 'retry-after',
    function: 'retryAfterOf429',
    calls: 7,
    defect: 'heeds Retry-After of 429, and not that of 503',
    rules: ['R6'],
    level: 1,
    why: 'The service asked for a pause of a second, and the till came back after 24 ms.',
    hidden: 'only when a 503 comes with Retry-After',
    shownBy: [on('updateContact', 0, { status: 503, headers: { 'Retry-After': '1' } })],
  },
  {
    name: 'next-coupon',
    function: 'nextCoupon',
    calls: 7,
    defect: 'takes the next coupon when its own is already redeemed',
    rules: ['R10', 'state'],
    also: ['R16'],
    level: 1,
    why: 'After a lost response, "already redeemed" is its own success: the customer pays with two coupons.',
    hidden: 'the 409 that follows a lost redemption',
    shownBy: [on('redeemPromotion', 0, lost)],
  },
  {
    name: 'rotating-queue',
    function: 'rotatingQueue',
    calls: 8,
    defect: 'puts the first entry to the end of the queue when its delivery fails',
    rules: ['R9'],
    level: 3,
    why: 'The later receipts overtake it.',
    hidden: 'the delivery of the first of at least two queued receipts',
    shownBy: [outage(['createReceipt'], 0, 13)],
  },
  {
    name: 'retry-budget',
    function: 'retryBudget',
    calls: 9,
    defect: 'drops a receipt without a word when six repeats of the session are used up',
    rules: ['R1', 'R9', 'state'],
    also: ['R16'],
    level: 3,
    why: 'A budget may stop repeats, but what is left must go into the queue.',
    hidden: 'the third receipt that fails in one session',
    shownBy: [outage(['createReceipt'], 0, 9)],
  },
  {
    name: 'makes-sure',
    function: 'makesSure',
    calls: 7,
    defect: 'sends a receipt once more after a repeat succeeded',
    rules: ['R2'],
    level: 1,
    why: 'A 2xx means done.',
    hidden: 'after a recovered receipt only',
    shownBy: [on('createReceipt', 1, 500)],
  },
  {
    name: 'previous-customer',
    function: 'previousCustomer',
    calls: 9,
    defect: 'books a sale on the customer before, when the lookup was given up',
    rules: ['state'],
    level: 2,
    why: 'The variable still holds the id of the customer before.',
    hidden: 'the lookup of the second or third customer, given up after four attempts',
    shownBy: [on('getContactId', 1, ...times(4, 504))],
  },
  {
    name: 'second-list',
    function: 'secondCouponList',
    calls: 9,
    defect: 'reads the second list of coupons once, and takes a failure for an empty list',
    rules: ['R1', 'state'],
    level: 1,
    why: 'A read that fails is repeated, as the specification asks; here the friend loses a coupon.',
    hidden: 'the second of two lists',
    shownBy: [on('listPromotionAssignments', 1, 504)],
  },
  {
    name: 'busy-redemption',
    function: 'busyRedemption',
    calls: 7,
    defect: 'gives up a redemption after 429, and never delivers it',
    rules: ['R9', 'state'],
    level: 1,
    why: '429 is not a rejection: the coupon can be used a second time.',
    hidden: 'only 429, only on the redemption',
    shownBy: [on('redeemPromotion', 0, 429)],
  },
  {
    name: 'floods',
    function: 'floods',
    calls: 10,
    policy: { ...carefulPolicy, retryStorm: { maxConcurrent: 2 } },
    defect: 'delivers all that is queued at once',
    rules: ['R12'],
    also: ['R9'],
    level: 3,
    why: 'It declares two at once, and sends what an outage has left all together.',
    hidden: 'only when more than two entries wait',
    shownBy: [
      {
        match: { endpoint: 'createReceipt' },
        fault: [...times(20, 504), ...times(5, { delay: 100 })],
      } as RuleInput,
    ],
  },
]);

const desks = inFile('tills/desk.mjs', [
  {
    name: 'asks-for-the-rest',
    function: 'asksForTheRest',
    calls: 6,
    defect: 'awards a checkpoint again to read the response that was cut',
    rules: ['R10', 'R2', 'state'],
    also: ['R6', 'R11'],
    level: 1,
    why: 'The status 200 had arrived: the work was done.',
    hidden: 'only a cut body of an award',
    shownBy: [on('awardCheckpoints', 1, cut)],
  },
  {
    name: 'failed-count',
    function: 'failedCount',
    calls: 6,
    defect: 'takes a failed look for no checkpoint',
    rules: ['R11', 'R10', 'state'],
    also: ['R1'],
    level: 4,
    why: 'A look that fails says nothing.',
    hidden: 'a second fault on the look after a lost award',
    shownBy: [on('awardCheckpoints', 0, lost), on('listChallenges', 1, 504)],
  },
  {
    name: 'counts-too-late',
    function: 'countsTooLate',
    calls: 4,
    defect: 'counts the checkpoints there are after the first attempt, not before it',
    rules: ['R10', 'state'],
    also: ['R11'],
    level: 1,
    why: 'If the lost award took effect, the late count already holds it, so nothing seems to have changed.',
    hidden: 'the first look after a lost award',
    shownBy: [on('awardCheckpoints', 1, lost)],
  },
  {
    name: 'half-batch',
    function: 'halfBatch',
    calls: 4,
    defect: 'sends the second half of a batch again when the first half is there',
    rules: ['R10', 'state'],
    also: ['R11', 'R4'],
    level: 1,
    why: 'The batch was done as a whole: the second customer gets two checkpoints.',
    hidden: 'the look after a lost batch',
    shownBy: [on('awardCheckpoints', 0, lost)],
  },
  {
    name: 'shared-count',
    function: 'sharedCount',
    calls: 4,
    defect: 'keeps one count for two customers, and takes the first one for done',
    rules: ['R16', 'R9', 'R1', 'state'],
    also: ['R4'],
    level: 1,
    why: 'Both have the same challenge, and the count of the second overwrote that of the first: her checkpoint is never given.',
    hidden: 'the repeat of a batch that had not arrived',
    shownBy: [on('awardCheckpoints', 0, 504)],
  },
  {
    name: 'hedges',
    function: 'hedges',
    calls: 6,
    defect: 'sends a second addition beside the first when that is slow',
    rules: ['R8'],
    also: ['R2', 'R6'],
    level: 1,
    why: 'Calls are synchronous: the caller waits, or ends the first one.',
    hidden: 'only an addition that takes more than 200 ms',
    shownBy: [on('addPointTransaction', 1, hang)],
  },
  {
    name: 'looks-once',
    function: 'looksOnce',
    calls: 5,
    defect: 'looks before the first delivery from the queue, and no more before the next rounds',
    rules: ['R11', 'R10'],
    level: 2,
    why: 'Each round of attempts may have been lost.',
    hidden: 'the second round of a queued bulk',
    shownBy: [on('addPointTransactions', 0, ...times(7, 504), lost)],
  },
  {
    name: 'second-in-queue',
    function: 'secondInQueue',
    calls: 5,
    defect: 'looks for the first entry of the queue only',
    rules: ['R11', 'R10'],
    level: 3,
    why: 'Entries that were tried before may all have taken effect.',
    hidden: 'the second entry of the queue, when it has been tried',
    shownBy: [on('addPointTransactions', 0, 504, 504, 504, 504, lost)],
  },
  {
    name: 'lean-queue',
    function: 'leanQueue',
    calls: 5,
    defect: 'queues a bulk without its Idempotency-Key',
    rules: ['R5', 'R11', 'R10', 'state'],
    also: ['R9', 'R4'],
    level: 2,
    why: 'The queue keeps method, path and body, and forgets the headers.',
    hidden: 'only a bulk that was given up and is delivered from the queue',
    shownBy: [on('addPointTransactions', 0, ...times(4, lost))],
  },
  {
    name: 'oldest-first',
    function: 'oldestFirst',
    calls: 5,
    defect: 'looks at the oldest two transactions only',
    rules: ['R10', 'state'],
    also: ['R11'],
    level: 1,
    why: 'The lost bulk is the newest, so that it is never seen on an account with more than two transactions.',
    hidden: 'the look after a lost first bulk: the customer of the second has no more than one transaction',
    shownBy: [on('addPointTransactions', 0, lost)],
  },
  {
    name: 'splits-bulk',
    function: 'splitsBulk',
    calls: 4,
    defect: 'sends a bulk that it gave up row by row, under other keys',
    rules: ['R10', 'R5', 'state'],
    also: ['R11', 'R4'],
    level: 2,
    why: 'The whole may have taken effect.',
    hidden: 'after the fourth attempt, when one of them was done',
    shownBy: [on('addPointTransactions', 0, lost, 504, 504, 504)],
  },
]);

const members = inFile('tills/members.mjs', [
  {
    name: 'timed-out-order',
    function: 'timedOutOrder',
    calls: 6,
    defect: 'takes an order that timed out for queued',
    rules: ['R1', 'R9', 'state'],
    also: ['R16'],
    level: 1,
    why: 'No response is a reason for a retry.',
    hidden: 'only a hang, only on an order',
    shownBy: [on('createOrder', 1, hang)],
  },
  {
    name: 'urgent-correction',
    function: 'urgentCorrection',
    calls: 5,
    defect: 'sends a correction past the queue, in which the older address waits',
    rules: ['R16', 'state'],
    also: ['R9'],
    level: 2,
    why: 'The older address is delivered last and stays.',
    hidden: 'the first of two PATCHes, given up after four attempts',
    shownBy: [on('updateContact', 0, ...times(4, 504))],
  },
  {
    name: 'kiosk',
    function: 'kiosk',
    calls: 4,
    defect: 'takes a given-up lookup by phone for an unknown customer',
    rules: ['R15', 'state'],
    also: ['R16'],
    level: 2,
    why: 'Elin is a member already, and becomes a second contact.',
    hidden: 'the second of two lookups, given up after four attempts',
    shownBy: [on('getContactId', 1, ...times(4, 503))],
  },
  {
    name: 'stubborn-consents',
    function: 'stubbornConsents',
    calls: 7,
    defect: 'gives consents eight attempts instead of four',
    rules: ['R7'],
    also: ['R6'],
    level: 2,
    why: 'It declares four, and the second four follow after a pause that is no store-and-forward.',
    hidden: 'only consents, after the fourth failure in a row',
    shownBy: [on('setConsents', 1, ...times(5, 504))],
  },
  {
    name: 'short-list',
    function: 'shortList',
    calls: 6,
    defect: 'has two pauses for three repeats: the third comes at once',
    rules: ['R6'],
    level: 2,
    why: 'The missing pause is NaN, which a timer takes for 1 ms.',
    hidden: 'the fourth attempt',
    shownBy: [on('setConsents', 0, 504, 504, 504)],
  },
  {
    name: 'not-there-yet',
    function: 'notThereYet',
    calls: 6,
    defect: 'repeats a PATCH unchanged after 400, when it follows a POST',
    rules: ['R3'],
    level: 1,
    why: 'A validation error means that the data was wrong.',
    hidden: 'the first of two PATCHes, after the contact was created',
    shownBy: [on('updateContact', 0, 400)],
  },
  {
    name: 'forgotten-upgrade',
    function: 'forgottenUpgrade',
    calls: 5,
    defect: 'does not look at how the change of the contact type ended',
    rules: ['R1', 'R9', 'state'],
    level: 1,
    why: 'The customer stays without membership.',
    hidden: 'one of four writes',
    shownBy: [on('updateContactType', 0, 504)],
  },
  {
    name: 'fresh-ticket',
    function: 'freshTicket',
    calls: 4,
    defect: 'looks for a new ticket after a lost creation, and creates the contact under it',
    rules: ['R10', 'R5', 'R1', 'state'],
    also: ['R4', 'R11'],
    level: 1,
    why: 'Nothing else names the customer, so that there are two contacts.',
    hidden: 'the look after a lost creation',
    shownBy: [on('createContact', 1, lost)],
  },
  {
    name: 'blank-overview',
    function: 'blankOverview',
    calls: 7,
    defect: 'takes an overview that it could not read for one without consents',
    rules: ['state'],
    level: 2,
    why: 'What the member had agreed to is set to no.',
    hidden: 'one of three overviews, given up after four attempts',
    shownBy: [on('getContactOverview', 1, ...times(4, 504))],
  },
]);

const unreached = { respond: 'none', end: 'reset' } as const;

const programs: readonly WrongTill[] = [
  {
    name: 'enrol-reset',
    language: 'Python',
    file: 'programs/enrol.py',
    args: ['reset-is-fine'],
    needs: ['python3'],
    calls: 11,
    policy: carefulPolicy,
    defect: 'takes a reset connection for done when it sends consents',
    rules: ['R1', 'state'],
    also: ['R9', 'R13'],
    level: 1,
    why: 'A reset says nothing: the consent was never stored.',
    hidden: 'only a reset, only consents',
    shownBy: [on('setConsents', 1, unreached)],
  },
  {
    name: 'enrol-cut',
    language: 'Python',
    file: 'programs/enrol.py',
    args: ['cut-lookup'],
    needs: ['python3'],
    calls: 11,
    policy: carefulPolicy,
    defect: 'takes a lookup whose body is cut for an unknown customer',
    rules: ['R15', 'state'],
    also: ['R1'],
    level: 1,
    why: 'The status was 200: she is known, and becomes a second contact.',
    hidden: 'a cut body, and only on the lookup by phone, since the service refuses a second e-mail address',
    shownBy: [on('getContactId', 3, cut)],
  },
  {
    name: 'enrol-neighbour',
    language: 'Python',
    file: 'programs/enrol.py',
    args: ['skips-neighbour'],
    needs: ['python3'],
    calls: 11,
    policy: carefulPolicy,
    defect: 'removes entries from the list that it walks over, and skips each second one',
    rules: ['R9', 'R1', 'state'],
    also: ['R13'],
    level: 3,
    why: 'The neighbour of a delivered entry is never looked at.',
    hidden: 'the second entry of the queue',
    shownBy: [outage(['setConsents', 'updateContact'], 0, 8)],
  },
  {
    name: 'checkout-left-open',
    language: 'Java',
    file: 'programs/Checkout.java',
    args: ['left-open'],
    needs: ['java', 'javac'],
    calls: 15,
    policy: carefulPolicy,
    defect: 'does not end a receipt that timed out before it sends it again',
    rules: ['R8'],
    also: ['R2', 'R6'],
    level: 1,
    why: 'The first request is in flight while the second comes.',
    hidden: 'only a hang, only on a receipt',
    shownBy: [on('createReceipt', 1, hang)],
  },
  {
    name: 'checkout-rebuilt',
    language: 'Java',
    file: 'programs/Checkout.java',
    args: ['rebuilt'],
    needs: ['java', 'javac'],
    calls: 15,
    policy: carefulPolicy,
    defect: 'draws a new transactionId for each attempt of the third customer',
    rules: ['R5', 'R10'],
    also: ['R4', 'R14'],
    level: 1,
    why: 'The addition took effect, and comes again under another id.',
    hidden: 'the third of three additions',
    shownBy: [on('addPointTransaction', 2, lost)],
  },
  {
    name: 'order-eager',
    language: 'Ruby',
    file: 'programs/orders.rb',
    args: ['eager-after-timeout'],
    needs: ['ruby'],
    calls: 9,
    policy: orderPolicy,
    defect: 'repeats at once after a time-out, since it has waited already',
    rules: ['R6'],
    level: 1,
    why: 'It declares a pause before each repeat.',
    hidden: 'only after a hang',
    shownBy: [on('createOrder', 1, hang, hang)],
  },
  {
    name: 'order-renumbered',
    language: 'Ruby',
    file: 'programs/orders.rb',
    args: ['renumbered'],
    needs: ['ruby'],
    calls: 9,
    policy: orderPolicy,
    defect: 'gives an order another number from the third attempt on',
    rules: ['R10', 'R4', 'R5', 'state'],
    also: ['R9'],
    level: 2,
    why: 'The first attempt was done: the customer gets two confirmations.',
    hidden: 'the third attempt of an order',
    shownBy: [on('createOrder', 1, lost, 504)],
  },
  {
    name: 'discounts-again',
    language: 'PHP',
    file: 'programs/coupons.php',
    args: ['discounts-again'],
    needs: ['php:curl'],
    calls: 15,
    policy: carefulPolicy,
    defect: 'takes the discount off again whenever it builds the second receipt anew',
    rules: ['R4', 'state'],
    level: 1,
    why: 'Nobody knows which total is stored.',
    hidden: 'the second of three receipts',
    shownBy: [on('createReceipt', 1, 504)],
  },
  {
    name: 'passes-by',
    language: 'PHP',
    file: 'programs/queue.php',
    args: ['passes-by'],
    needs: ['php:curl'],
    calls: 18,
    policy: carefulPolicy,
    defect: 'goes on with the next entry of its queue when one is given up',
    rules: ['R16', 'state'],
    also: ['R9'],
    level: 2,
    why: 'The older address is delivered last and stays.',
    hidden: 'the first of two addresses of a customer, given up after four attempts',
    shownBy: [on('updateContact', 0, ...times(4, 504))],
  },
  {
    name: 'curl-retries',
    language: 'shell',
    file: 'programs/consents.sh',
    args: ['curl-retries'],
    needs: ['curl'],
    calls: 12,
    policy: carefulPolicy,
    defect: 'lets curl repeat points that have no key',
    rules: ['R10', 'R11', 'state'],
    also: ['R14'],
    level: 1,
    why: 'curl repeats whatever got no response.',
    hidden: 'the second of three bulks',
    shownBy: [on('addPointTransactions', 1, lost)],
  },
];

/** Holds the functions first, since they can be called in process. */
export const wrongTills: readonly WrongTill[] = [...sales, ...desks, ...members, ...programs];
