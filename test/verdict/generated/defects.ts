/** The defects that are planted in a till. */
import type { FaultName, Plan, WorkKind } from './plan.ts';

interface PlantedDefect {
  /** The rules that may find it. */
  readonly rules: readonly string[];
  /** Names one more rule that may find it, at one endpoint alone. */
  readonly elsewhere?: { readonly rule: string; readonly request: string };
  /** Lists the work in which it can show (default: all kinds). */
  readonly kinds?: readonly WorkKind[];
  /** Adds a fault without which it hardly ever shows. */
  readonly fault?: { readonly endpoints: readonly string[]; readonly names: readonly FaultName[] };
  /** Sets what a client has to declare before anybody can tell. */
  readonly declares?: Partial<Plan['declares']>;
  readonly identity?: Plan['identity'];
}

const lost: readonly FaultName[] = ['late504', 'lost', 'late500', 'lostQuietly'];

/** What is lost shows where the same endpoint serves other work later. */
const missing = {
  kinds: ['sale', 'keyedBulk', 'transaction', 'order', 'bulk', 'visit', 'address'],
  endpoints: ['createReceipt', 'addPointTransactions', 'addPointTransaction', 'createOrder'],
} as const;

/** Where equal points follow under a key of their own, nobody can see that they are no repeat of those dropped. */
const equalPoints = { rule: 'R5', request: 'POST /api/v3/point-transactions' };

const planted = {
  'drops a write after 500 and 504': {
    rules: ['R1', 'R9'],
    elsewhere: equalPoints,
    kinds: missing.kinds,
    fault: { endpoints: missing.endpoints, names: [500] },
  },
  'drops a write without a response': {
    rules: ['R1', 'R9'],
    elsewhere: equalPoints,
    kinds: missing.kinds,
    fault: { endpoints: missing.endpoints, names: ['closed'] },
  },
  'does not repeat reads': { rules: ['R1', 'R15'] },
  'draws a new key for each attempt': { rules: ['R5', 'R10'] },
  'changes the content of each attempt': { rules: ['R4'] },
  'dates each attempt anew': { rules: ['R4'] },
  'books the repeat on another customer': { rules: ['R4', 'R10', 'R16'] },
  'pauses too briefly': { rules: ['R6'], declares: { pauses: true } },
  'ignores Retry-After': { rules: ['R6'] },
  'repeats blindly what has no key': { rules: ['R11', 'R10'] },
  'repeats a 400 unchanged': { rules: ['R3'] },
  'repeats a 404': { rules: ['R2'] },
  'repeats what succeeded': { rules: ['R2', 'R9'] },
  'sends every write twice at once': { rules: ['R8', 'R2', 'R10'] },
  'tries more often than declared': { rules: ['R7'], declares: { attempts: true } },
  'has no fallback': {
    rules: ['R9', 'R1'],
    kinds: missing.kinds,
    fault: { endpoints: missing.endpoints, names: Array<FaultName>(4).fill(504) },
  },
  'delivers the newest first': {
    rules: ['R9'],
    kinds: ['sale', 'visit', 'saleWithCoupon'],
    fault: { endpoints: ['createReceipt'], names: Array<FaultName>(12).fill('unreached') },
    declares: { fallback: true },
    identity: 'declared',
  },
  'delivers its queue twice': { rules: ['R9', 'R2'] },
  'delivers its queue under new keys': { rules: ['R5', 'R9', 'R10'] },
  'loses its queue on a restart': {
    rules: ['R13', 'R9', 'R1'],
    kinds: missing.kinds,
    fault: { endpoints: missing.endpoints, names: Array<FaultName>(4).fill('unreached') },
  },
  'takes a failed look for "not there"': {
    rules: ['R15', 'R11', 'R10'],
    kinds: ['newContact', 'visit', 'sale', 'address', 'bulk', 'checkpoint'],
    fault: { endpoints: ['getContactId'], names: Array<FaultName>(5).fill('unreached') },
  },
  'redeems the next coupon after "already redeemed"': {
    rules: ['R5', 'R10'],
    kinds: ['saleWithCoupon', 'sale', 'visit', 'address'],
    fault: { endpoints: ['redeemPromotion'], names: lost },
  },
} as const satisfies Readonly<Record<string, PlantedDefect>>;

export type Defect = keyof typeof planted;

export const defects: Readonly<Record<Defect, PlantedDefect>> = planted;
