/**
 * What a library may have repeated is judged in each reading. Here a second way to find the readings, slow and plain,
 * says the same as the rules do of small histories that are drawn at random.
 */
import * as fc from 'fast-check';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { monotonicNow } from '../../src/core/time/clock.ts';
import { lagMonitor } from '../../src/core/time/event-loop-lag.ts';
import type { Policy } from '../../src/verdict/policy.ts';
import { endpoints } from '../../src/service/endpoints.ts';
import { startSim } from '../support/open-sim.ts';
import type { Sim } from '../../src/simulator/sim.ts';
import type { Operation } from '../../src/verdict/history/operation.ts';
import {
  foldTransparentRetries,
  isPerhapsNext,
  isWithinReach,
  repeaters,
} from '../../src/verdict/history/transparent-retry.ts';
import type { Repeater } from '../../src/verdict/history/transparent-retry.ts';
import { findingsBy, judgeReadings } from '../../src/verdict/judge-readings.ts';
import { breaksInEachReading, readingsOf, stepsOf } from '../../src/verdict/library-repeats.ts';
import { finish } from '../../src/core/time/steps.ts';
import { retryEvidence } from '../../src/verdict/retries.ts';
import { retriesAfterFailure } from '../../src/verdict/rules/r01-retry-after-failure.ts';
import { pausesLongEnough } from '../../src/verdict/rules/r06-backoff.ts';
import { knowsWhenToStop } from '../../src/verdict/rules/r07-attempt-limit.ts';
import type { RetryEvidence, RetryRule } from '../../src/verdict/rules/retry-rule.ts';
import { astrid, bo } from '../support/people.ts';
import { writeJournal } from '../support/written-journal.ts';
import type { Sent } from '../support/written-journal.ts';

const rulesOfOwn = [retriesAfterFailure, pausesLongEnough, knowsWhenToStop];

let sim: Sim;

beforeEach(async () => {
  sim = await startSim();
  return () => sim.close();
});

const kinds = {
  read: { method: 'GET', path: `/api/v3/contacts/${astrid}`, endpoint: 'getContact' },
  change: { method: 'PATCH', path: `/api/v3/contacts/${astrid}`, endpoint: 'updateContact', body: '{"street":"A"}' },
  redemption: { method: 'POST', path: '/api/v3/promotions/codes/1/redeem', endpoint: 'redeemPromotionCode' },
} as const;

const agents = ['Till/2.1', 'Till/2.1', 'Till/2.1', 'curl/8.5.0', 'Java-http-client/17.0.15', 'Ruby'];

type Step = Pick<Sent, 'pause' | 'ends'> & Partial<Sent>;

interface Run {
  readonly kind: keyof typeof kinds;
  readonly agent: string;
  readonly steps: readonly Step[];
  readonly policy: Partial<Policy>;
  /** When it begins, in ms since the program's start. */
  readonly from?: number;
}

const endings: readonly Sent['ends'][] = ['close', 'close', 'close', 'reset', 'reset', 'cut', 'hang', { status: 503 }];
const withRequests: readonly Sent['ends'][] = [...endings, { status: 503, retryAfter: 1 }];

const backoffs = [[], [400], [400], [60, 400], [400, 800], [800, 400], [100, 200, 400]];

function runs({
  maxLength,
  pauses,
  ends,
}: {
  readonly maxLength: number;
  readonly pauses: readonly number[];
  readonly ends: readonly Sent['ends'][];
}): fc.Arbitrary<Run> {
  const step = fc.record({
    pause: fc.constantFrom(...pauses),
    ends: fc.constantFrom(...ends),
    isMoved: fc.constantFrom(false, false, false, true),
    isKept: fc.constantFrom(false, false, true),
  });
  return fc.record({
    kind: fc.constantFrom<keyof typeof kinds>('read', 'read', 'change', 'redemption'),
    agent: fc.constantFrom(...agents),
    steps: fc
      .tuple(
        fc.array(step, { minLength: 1, maxLength: maxLength - 1 }),
        fc.constantFrom<Sent['ends']>({ status: 200 }, { status: 200 }, 'close'),
        step,
      )
      .map(([first, ends_, last]) => [...first, { ...last, ends: ends_ }]),
    policy: fc.record({
      minBackoff: fc.constantFrom(...backoffs),
      maxAttempts: fc.constantFrom(undefined, undefined, 1, 2, 3, 4),
    }),
  });
}

/** Writes a run down, and returns what the rules see of it. */
function evidenceOf({ kind, agent, steps, policy, from }: Run): RetryEvidence {
  const tenant = sim.tenants.default;
  tenant.journal.clear();
  const headers = { 'user-agent': agent };
  writeJournal(
    tenant,
    steps.map((step) => ({ ...kinds[kind], headers, ...step })),
    from,
  );
  const reading = retryEvidence(tenant, {
    endpoints,
    policy: {
      minBackoff: [...(policy.minBackoff ?? [])],
      maxAttempts: policy.maxAttempts,
      tolerance: policy.tolerance,
      storeAndForward: policy.storeAndForwardAfter === undefined ? undefined : { after: policy.storeAndForwardAfter },
    },
    hasClientEnded: true,
  });
  return finish(reading);
}

/** Yields every reading, by trying each set of attempts for each kind of library. */
function* plainReadings({ attempts, ...operation }: Operation, { history }: RetryEvidence): Generator<Operation> {
  for (const repeater of repeaters) {
    for (let set = 0; set < 2 ** (attempts.length - 1); set++) {
      const isRepeat = (i: number): boolean => i > 0 && (set & (1 << (i - 1))) !== 0;
      const marked = attempts.map((one, i) => ({ ...one, isTransparentRetry: isRepeat(i) }));
      if (attempts.every((_, i) => i === 0 || mayBe(attempts, i, { isRepeat, repeater, history })))
        yield { ...operation, attempts: marked, clientAttempts: foldTransparentRetries(marked) };
    }
  }
}

/** True when an attempt may be what this reading says. */
function mayBe(
  attempts: Operation['attempts'],
  i: number,
  {
    isRepeat,
    repeater,
    history,
  }: { isRepeat: (i: number) => boolean; repeater: Repeater; history: RetryEvidence['history'] },
): boolean {
  const [before, attempt] = [attempts[i - 1], attempts[i]];
  if (!before || !attempt) return false;
  if (attempt.isTransparentRetry || !isRepeat(i)) return attempt.isTransparentRetry === isRepeat(i);
  let row = 0;
  while (isRepeat(i - 1 - row)) row++;
  return (
    row < repeater.most && isWithinReach(repeater, [before, attempt], 0) && isPerhapsNext([before, attempt], 0, history)
  );
}

type Failed = (operation: Operation, evidence: RetryEvidence) => readonly RetryRule[];

const failedCertainly: Failed = (operation, evidence) =>
  findingsBy(rulesOfOwn, operation, { evidence, isReading: true })
    .filter(({ level }) => level === 'fail')
    .map(({ rule }) => rule);

/** Whoever sent it. */
const failedAtAll: Failed = (operation, evidence) =>
  rulesOfOwn.filter((rule) => rule.judge(operation, evidence).some(({ level }) => level === 'fail'));

/** Returns a test whether each reading breaks one of these rules. */
function plainly(
  operation: Operation,
  evidence: RetryEvidence,
  failedBy: Failed,
): (rules: readonly RetryRule[]) => boolean {
  const failed = [...plainReadings(operation, evidence)].map((one) => failedBy(one, evidence));
  return (rules) => failed.every((found) => found.some((rule) => rules.includes(rule)));
}

const atOnce = Array<number>(8).fill(0);

const seed = Number(process.env['READINGS_SEED'] ?? 20261123);
const numRuns = Number(process.env['READINGS'] ?? 400);

const repeatsOf = ({ attempts }: Operation): string =>
  attempts.map(({ isTransparentRetry }) => (isTransparentRetry ? 'r' : 'o')).join('');

/** Declared pauses that the shorter way takes as they are. */
const isGrowing = ({ policy: { minBackoff = [] } }: Run): boolean =>
  minBackoff.every((one, i) => one >= (minBackoff[i - 1] ?? 0));

const close = { ends: 'close' } as const;
const ok = { ends: { status: 200 } } as const;
const unavailable = { ends: { status: 503 } } as const;

/** `R6 fail`, for each finding by these rules. */
function findingsOf(run: Run): string[] {
  const evidence = evidenceOf(run);
  const found = evidence.operations.flatMap((operation) => judgeReadings(operation, evidence));
  return found
    .filter(({ rule, level }) => rulesOfOwn.includes(rule) && level !== 'note')
    .map(({ rule, level }) => `${rule.id} ${level}`);
}

/** Keeps the program from working, and returns when that was (ms since its start). */
async function standStill(milliseconds: number): Promise<number> {
  onTestFinished(lagMonitor.watch());
  const begin = monotonicNow();
  while (monotonicNow() < begin + milliseconds);
  await expect.poll(() => lagMonitor.lagBetween(begin, monotonicNow())).toBeGreaterThan(milliseconds / 2);
  return begin;
}

const other = { path: `/api/v3/contacts/${bo}` };

const reading = { ...kinds.read, path: `/api/v3/contacts/${bo}` };
const unknown = { ends: { status: 404 } } as const;

/** Each of them twice, so that a library may have made them in more ways than are listed. */
const manyTimes = (one: readonly Step[]): Step[] => Array.from({ length: 7 }, () => one).flat();
const doubled = manyTimes([
  { pause: 600, ...close },
  { pause: 0, ...unavailable },
]);
const doubledOnKept = manyTimes([
  { pause: 600, ...close, isKept: true },
  { pause: 50, ...unavailable },
]);

/** `R6 fail`, once for each rule and level. */
const summaryOf = (run: Run): string[] => [...new Set(findingsOf(run))];

const open6 = ['R6 inconclusive'];
const open7 = ['R7 inconclusive'];
const wrong7 = ['R6 inconclusive', 'R7 fail'];

const apache = [
  { pause: 600, ...close, isKept: true },
  { pause: 100, ...unavailable },
] as const;
const java = manyTimes([
  { pause: 600, ...close },
  { pause: 300, ...unavailable },
]);

describe('the verdict by readings', () => {
  it('fails by R1, R6 and R7 exactly what breaks one of them in each reading', () => {
    const drawn = runs({ maxLength: 7, pauses: [-1, ...atOnce, 60, 300, 600, 1200], ends: withRequests });
    fc.assert(
      fc.property(drawn, (run) => {
        const evidence = evidenceOf(run);
        for (const operation of evidence.operations) {
          const isBroken = plainly(operation, evidence, failedCertainly);
          const failed = judgeReadings(operation, evidence).filter(
            ({ rule, level }) => level === 'fail' && rulesOfOwn.includes(rule),
          );
          expect(failed.length > 0).toBe(isBroken(rulesOfOwn));
        }
      }),
      { numRuns, seed },
    );
  });

  it('lists each reading, but those that certainly break R6', () => {
    const drawn = runs({ maxLength: 7, pauses: [-1, ...atOnce, 60, 300, 600, 1200], ends: withRequests });
    fc.assert(
      fc.property(drawn, (run) => {
        const evidence = evidenceOf(run);
        for (const operation of evidence.operations) {
          const steps = stepsOf(operation, evidence);
          if (!steps) continue;
          const { operations: listed = [], hasTooSoon } = readingsOf(operation, steps);
          const all = [...plainReadings(operation, evidence)];
          const isLeftOut = ({ attempts }: Operation): boolean =>
            steps.some(({ isTooSoon }, i) => isTooSoon && attempts[i + 1]?.isTransparentRetry === false);
          const expected = all.filter((one) => !isLeftOut(one)).map(repeatsOf);
          expect(listed.map(repeatsOf).toSorted()).toEqual([...new Set(expected)].toSorted());
          const leftOut = all.filter(isLeftOut);
          expect(hasTooSoon).toBe(leftOut.length > 0);
          for (const one of leftOut) expect(failedCertainly(one, evidence).includes(pausesLongEnough)).toBe(true);
        }
      }),
      { numRuns, seed },
    );
  });

  it.each([
    ['R6', [pausesLongEnough]],
    ['R7', [knowsWhenToStop]],
    ['R6 or R7', [pausesLongEnough, knowsWhenToStop]],
  ] as const)('finds for %s without the readings what they say', (_, rules) => {
    // Pauses that do not shrink, or only from a short one, and end no series.
    const drawn = runs({ maxLength: 8, pauses: [...atOnce, 300, 410], ends: endings }).filter(isGrowing);
    fc.assert(
      fc.property(drawn, (run) => {
        const evidence = evidenceOf(run);
        for (const operation of evidence.operations) {
          const steps = stepsOf(operation, evidence);
          if (!steps) continue;
          const { minBackoff, maxAttempts } = evidence.policy;
          const limits = {
            minBackoff: (rules as readonly RetryRule[]).includes(pausesLongEnough) ? minBackoff : [],
            maxAttempts: (rules as readonly RetryRule[]).includes(knowsWhenToStop) ? maxAttempts : undefined,
          };
          expect(breaksInEachReading(steps, limits, evidence)).toBe(plainly(operation, evidence, failedAtAll)(rules));
        }
      }),
      { numRuns, seed },
    );
  });

  it.each<readonly [string, Run, readonly string[]]>([
    [
      'before an attempt that its library took long to repeat',
      {
        kind: 'read',
        agent: 'Java-http-client/17.0.15',
        steps: [
          { pause: 0, ...unavailable },
          { pause: 0, ...close },
          { pause: 200, ...ok },
        ],
        policy: { minBackoff: [160] },
      },
      ['R6 fail'],
    ],
    [
      'after an attempt that its library took long to repeat',
      {
        kind: 'read',
        agent: 'Java-http-client/17.0.15',
        steps: [
          { pause: 0, ...close },
          { pause: 200, ...unavailable },
          { pause: 0, ...ok },
        ],
        policy: { minBackoff: [160] },
      },
      ['R6 fail'],
    ],
  ])('does not count the time of a library for the pause %s', (_, run, found) => {
    expect(findingsOf(run)).toEqual(found);
  });

  it('leaves open whether a second till redeemed at once, and its library repeated that', () => {
    const steps = [
      { pause: 0, ...unavailable },
      { pause: -1, ...close },
      { pause: 0, ...ok },
    ];
    const found = findingsOf({ kind: 'redemption', agent: 'Till/2.1', steps, policy: { minBackoff: [400] } });
    expect(found).toEqual(['R6 inconclusive', 'R6 inconclusive']);
  });

  it.each<readonly [string, Omit<Run, 'agent' | 'from'>]>([
    [
      'so that a library may have been held up',
      {
        kind: 'read',
        steps: [
          { pause: 0, ...close },
          { pause: 600, ...ok },
        ],
        policy: { minBackoff: [3000] },
      },
    ],
    [
      'where a pause is short, and a library may have made the repeat after it',
      {
        kind: 'change',
        steps: [
          { pause: 0, ...unavailable },
          { pause: 300, ...close, isKept: true },
          { pause: 30, ...ok },
        ],
        policy: { minBackoff: [400] },
      },
    ],
  ])('leaves open what came while the simulator stood still, %s', async (_, run) => {
    expect(findingsOf({ ...run, agent: 'Till/2.1' })).toEqual(expect.arrayContaining(['R6 fail']));
    // What had piled up is worked off for as long again.
    const from = await standStill(300);
    const found = findingsOf({ ...run, agent: 'Till/2.1', from });
    expect([...new Set(found)]).toEqual(['R6 inconclusive']);
  });

  it.each<readonly [string, readonly Step[], Partial<Policy>, string]>([
    [
      'nothing came in between',
      [
        { pause: 0, ...close },
        { pause: 200, ...ok },
      ],
      { minBackoff: [600, 150] },
      'inconclusive',
    ],
    [
      'the program went on in between',
      [
        { pause: 0, ...close },
        { pause: 0, ...other, ...ok },
        { pause: 200, ...ok },
      ],
      { minBackoff: [600, 150] },
      'fail',
    ],
    [
      'its connection was opened at once, and it came late',
      [
        { pause: 0, ...close },
        { pause: 600, opened: 600, ...ok },
      ],
      { minBackoff: [3000] },
      'inconclusive',
    ],
    [
      'its connection was opened at once, and kept for something',
      [
        { pause: 0, ...close },
        { pause: 1000, opened: 1000, ...ok },
      ],
      { minBackoff: [3000] },
      'fail',
    ],
  ])('takes a repeat for that of a library only where it may be: %s', (_, steps, policy, level) => {
    expect(findingsOf({ kind: 'read', agent: 'Till/2.1', steps, policy })).toEqual([`R6 ${level}`]);
  });

  it('judges more readings than it lists', () => {
    const repeats = Array.from({ length: 7 }, () => [
      { pause: 600, ...close },
      { pause: 0, ...unavailable },
    ]).flat();
    const run = { kind: 'read', agent: 'Till/2.1', steps: [...repeats, { pause: 600, ...ok }] } as const;
    expect(findingsOf({ ...run, policy: { minBackoff: [400], maxAttempts: 8 } })).toContain('R6 inconclusive');
    expect(findingsOf({ ...run, policy: { minBackoff: [400], maxAttempts: 7 } })).toContain('R7 fail');
    // However many of the repeats at once are its own, a later one comes too soon.
    expect(findingsOf({ ...run, policy: { minBackoff: [40, 700] } })).toContain('R6 fail');
    // Whatever the library made, the third attempt of the client's own came too soon.
    expect(findingsOf({ ...run, policy: { minBackoff: [400, 700] } })).toContain('R6 fail');
  });

  it.each<readonly [string, Omit<Run, 'agent'>, readonly string[]]>([
    [
      'what follows a rejection is no repeat, and needs no pause',
      {
        kind: 'read',
        steps: [
          { pause: 0, ...close },
          { pause: 0, ...unknown },
          { pause: 0, ...ok },
        ],
        policy: { minBackoff: [400] },
      },
      open6,
    ],
    [
      'a pause is shorter than declared by less than the tolerance',
      {
        kind: 'read',
        steps: [
          { pause: 0, ...close },
          { pause: 0, ...unavailable },
          { pause: 380, ...ok },
        ],
        policy: { minBackoff: [400] },
      },
      open6,
    ],
    [
      'what was stored is delivered after a shorter pause than is declared between attempts',
      {
        kind: 'change',
        steps: [
          { pause: 0, ...close, isKept: true },
          { pause: 50, ...unavailable },
          { pause: 600, ...ok },
        ],
        policy: { minBackoff: [3000], storeAndForwardAfter: 500 },
      },
      open6,
    ],
    [
      'the first of the declared pauses is far shorter than the second',
      {
        kind: 'read',
        steps: [
          { pause: 0, ...unavailable },
          { pause: 150, ...close },
          { pause: 0, ...ok },
        ],
        policy: { minBackoff: [100, 3000] },
      },
      open6,
    ],
    [
      'the declared pauses shrink, and the more attempts are its own, the shorter they may be',
      {
        kind: 'read',
        steps: [
          { pause: 0, ...close },
          { pause: 350, ...unavailable },
          { pause: 350, ...close },
          { pause: 0, ...unavailable },
          { pause: 150, ...ok },
        ],
        policy: { minBackoff: [300, 300, 100], tolerance: 1 },
      },
      open6,
    ],
    [
      'its attempts are counted anew after just the time of the fallback',
      {
        kind: 'read',
        steps: [...doubled, { pause: 1999, ...unavailable }, { pause: 600, ...ok }],
        policy: { minBackoff: [400], maxAttempts: 7, storeAndForwardAfter: 2000 },
      },
      ['R6 inconclusive', 'R7 inconclusive'],
    ],
    [
      'its library found eight kept connections dead, each of which took it long',
      {
        kind: 'read',
        steps: [
          ...Array.from({ length: 8 }, () => ({ pause: 300, ...close, isKept: true })),
          { pause: 300, ...unavailable },
          { pause: 300, ...ok },
        ],
        policy: { maxAttempts: 2 },
      },
      open7,
    ],
  ])('leaves open whether a client is right where %s', (_, run, found) => {
    expect(summaryOf({ ...run, agent: 'Till/2.1' })).toEqual(found);
  });

  it.each<readonly [string, Omit<Run, 'agent'> & { readonly agent?: string }, readonly string[]]>([
    [
      'tries too often before a fallback, and not after it',
      {
        kind: 'read',
        steps: [...doubled, { pause: 600, ...unavailable }, { pause: 5000, ...unavailable }, { pause: 600, ...ok }],
        policy: { minBackoff: [400], maxAttempts: 7 },
      },
      wrong7,
    ],
    [
      'tries too often, and whose library once waited a second',
      {
        kind: 'read',
        agent: 'Apache-HttpClient/5.2 (Java/17)',
        steps: [
          ...[apache, apache, apache, apache].flat(),
          { pause: 1100, ...unavailable },
          ...[apache, apache, apache, apache].flat(),
          { pause: 600, ...ok },
        ],
        policy: { minBackoff: [400], maxAttempts: 7 },
      },
      wrong7,
    ],
    [
      'repeats at once, though its library had repeated as often as it does',
      {
        kind: 'read',
        agent: 'Java-http-client/24',
        steps: [
          ...java,
          { pause: 600, ...close },
          { pause: 240, ...close },
          { pause: 0, ...close },
          { pause: 240, ...close },
          { pause: 0, ...close },
          { pause: 0, ...close },
          { pause: 0, ...ok },
        ],
        policy: { minBackoff: [200] },
      },
      ['R6 fail'],
    ],
    [
      'repeats at once more often than any library, but perhaps no more than it declares',
      {
        kind: 'read',
        steps: [...Array.from({ length: 6 }, () => ({ pause: 0, ...close })), { pause: 0, ...ok }],
        policy: { minBackoff: [400], maxAttempts: 2 },
      },
      ['R6 fail', 'R7 inconclusive'],
    ],
    [
      'tries too often, and perhaps always with a pause',
      {
        kind: 'read',
        steps: [
          { pause: 0, ...close },
          { pause: 0, ...unavailable },
          { pause: 600, ...unavailable },
          { pause: 600, ...ok },
        ],
        policy: { minBackoff: [400], maxAttempts: 2 },
      },
      wrong7,
    ],
    [
      'names its work, and tries too often beside other requests',
      {
        kind: 'change',
        steps: [
          { pause: 0, ...reading, ...ok },
          { pause: -1.5, ...reading, ...ok },
          ...doubledOnKept,
          { pause: 600, ...ok },
        ].map((step) => ({ headers: { 'x-sim-test-id': 'work-1' }, ...step })),
        policy: { maxAttempts: 7 },
      },
      ['R7 fail'],
    ],
  ])('fails by exactly what is certain a client that %s', (_, run, found) => {
    expect(summaryOf({ agent: 'Till/2.1', ...run })).toEqual(found);
  });

  it('tells both readings of a repeat that is wrong in each', () => {
    const evidence = evidenceOf({
      kind: 'read',
      agent: 'Till/2.1',
      steps: [
        { pause: 0, ...close },
        { pause: 0, ...close },
      ],
      policy: { minBackoff: [400] },
    });
    const found = evidence.operations.flatMap((operation) => judgeReadings(operation, evidence));
    const failed = found.filter(({ level }) => level === 'fail');
    expect(failed.map(({ rule }) => rule.id)).toEqual(['R6']);
    expect(failed[0]?.message).toMatch(
      /repeated after .*; or if its HTTP library repeated it, .* never repeated \(R1\)$/,
    );
  });
});
