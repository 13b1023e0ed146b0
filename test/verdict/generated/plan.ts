/** Draws what a generated client is to do, what goes wrong with it, and what it declares. */
import * as fc from 'fast-check';
import { defects } from './defects.ts';
import type { Defect } from './defects.ts';

const workKinds = [
  'visit',
  'address',
  'consents',
  'sale',
  'saleWithCoupon',
  'keyedBulk',
  'bulk',
  'transaction',
  'checkpoint',
  'newContact',
  'order',
  'assign',
  'correction',
] as const;
export type WorkKind = (typeof workKinds)[number];

const faults = {
  ok: 'ok',
  500: 500,
  504: 504,
  502: 502,
  503: 503,
  throttled: { status: 429, headers: { 'Retry-After': '7' } },
  late500: { phase: 'after', status: 500 },
  late504: { phase: 'after', status: 504 },
  unreached: { respond: 'none', end: 'reset' },
  closed: { respond: 'none', end: 'close' },
  lost: { phase: 'after', respond: 'none', end: 'reset' },
  lostQuietly: { phase: 'after', respond: 'none', end: 'close' },
  hang: { respond: 'none', end: 'hang' },
  lateHang: { phase: 'after', respond: 'none', end: 'hang' },
  cut: { phase: 'after', respond: 'partial', end: 'reset' },
  garbage: { respond: 'garbage' },
} as const;
export type FaultName = keyof typeof faults;
const faultNames = Object.keys(faults) as FaultName[];
export const faultOf = (name: FaultName): unknown => faults[name];

const writes = [
  'createReceipt',
  'addPointTransactions',
  'addPointTransaction',
  'createContact',
  'updateContact',
  'setConsents',
  'redeemPromotion',
  'awardCheckpoints',
  'createOrder',
  'assignChallenge',
];
const reads = [
  'getContactId',
  'getContact',
  'listPromotionAssignments',
  'listPointAccounts',
  'listPointTransactions',
  'listChallenges',
  'listTransactions',
];

export interface Work {
  readonly till: number;
  readonly kind: WorkKind;
  /** Which of the till's customers. */
  readonly customer: number;
  /** How long the till does nothing before it, in ms. */
  readonly rest: number;
  /** The process dies in the first pause of a write, or else after the work, and comes back. */
  readonly dies: boolean;
}

export interface Plan {
  readonly seed: number;
  readonly pauses: readonly number[];
  readonly fallback: number;
  readonly declares: { readonly attempts: boolean; readonly pauses: boolean; readonly fallback: boolean };
  readonly identity: 'declared' | 'agents' | 'none';
  readonly connections: number;
  readonly tills: number;
  readonly works: readonly Work[];
  readonly rules: readonly {
    readonly endpoint: string;
    readonly skip: number;
    readonly faults: readonly FaultName[];
  }[];
}

const rule = fc.record({
  endpoint: fc.oneof({ arbitrary: fc.constantFrom(...writes), weight: 2 }, fc.constantFrom(...reads)),
  skip: fc.nat({ max: 2 }),
  faults: fc.array(fc.constantFrom(...faultNames), { minLength: 1, maxLength: 7 }),
});

/** Outages are long: everything fails alike until it is over. */
const outage = fc.record({
  endpoint: fc.constantFrom(...writes),
  skip: fc.nat({ max: 1 }),
  faults: fc
    .tuple(fc.constantFrom<FaultName>(504, 503, 'unreached', 'late504', 'lost'), fc.integer({ min: 3, max: 9 }))
    .map(([name, count]) => Array<FaultName>(count).fill(name)),
});

const work = (tills: number, kinds: readonly WorkKind[]): fc.Arbitrary<Work> =>
  fc.record({
    till: fc.nat({ max: tills - 1 }),
    kind: fc.constantFrom(...kinds),
    customer: fc.nat({ max: 1 }),
    rest: fc.integer({ min: 500, max: 40_000 }),
    dies: fc.nat({ max: 9 }).map((drawn) => drawn === 0),
  });

/** A pause is never shorter than the one before it. */
const pauses = fc
  .tuple(fc.constantFrom(500, 1000, 2000), fc.constantFrom(1, 1.5, 2), fc.integer({ min: 1, max: 4 }))
  .map(([first, factor, count]) => Array.from({ length: count }, (_, i) => Math.round(first * factor ** i)));

interface PlanOptions {
  readonly kinds?: readonly WorkKind[] | undefined;
  readonly longest?: number;
}

/** How long a client waits for a response, in ms of its own time. */
export const timeout = 10_000;

/**
 * A fallback that is not declared shows by being far longer than any pause, and than what a response asks for. On a
 * clock that is moved, a pause contains the time for which a response hung before it.
 */
const shortestFallback = ({ pauses: own }: Pick<Plan, 'pauses'>): number =>
  Math.max(8 * Math.max(7000, ...own), 6 * (timeout + 1.2 * Math.max(...own)));

export function planOf({ kinds = workKinds, longest = 8 }: PlanOptions = {}): fc.Arbitrary<Plan> {
  const plans = fc.integer({ min: 1, max: 3 }).chain((tills) =>
    fc.record({
      seed: fc.integer({ min: 1, max: 1_000_000 }),
      pauses,
      fallback: fc.constantFrom(30_000, 60_000, 300_000),
      declares: fc.record({ attempts: fc.boolean(), pauses: fc.boolean(), fallback: fc.boolean() }),
      identity: fc.constantFrom('declared' as const, 'agents' as const, 'none' as const),
      connections: fc.constantFrom(0, 1, 2),
      tills: fc.constant(tills),
      works: fc.array(work(tills, kinds), { minLength: 1, maxLength: longest }),
      rules: fc.array(fc.oneof({ arbitrary: rule, weight: 2 }, outage), { minLength: 0, maxLength: 4 }),
    }),
  );
  return plans.map((plan) => Object.assign(plan, { fallback: Math.max(plan.fallback, shortestFallback(plan)) }));
}

/** Draws plans in which a defect can show. */
export function defectivePlanOf(defect: Defect): fc.Arbitrary<Plan> {
  const { kinds, fault, declares, identity } = defects[defect];
  const { endpoints, names } = fault ?? { endpoints: [], names: [] };
  const added = fc
    .record({ endpoint: fc.constantFrom(...(fault ? endpoints : writes)), skip: fc.nat({ max: 1 }) })
    .map((one) => (fault ? [{ ...one, faults: names }] : []));
  return fc.tuple(planOf({ kinds, longest: 10 }), added).map(([plan, first]) => ({
    ...plan,
    rules: [...first, ...plan.rules],
    declares: { ...plan.declares, ...declares },
    identity: identity ?? plan.identity,
  }));
}
