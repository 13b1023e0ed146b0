/** Describes a certificate: what a client was tested for, what it did, and what was not tested. */
import * as z from '../../core/validation/deferred-zod.ts';
import { endpoints } from '../../service/endpoints.ts';
import { assumptions } from '../../service/assumptions/catalog.ts';
import { basisSchema } from '../../core/validation/finding.ts';
import { retryRules } from '../../verdict/rules/catalog.ts';
import type { VerdictStatus } from '../../verdict/status.ts';
import type { PointFate } from '../coverage.ts';
import { lastsToTheEnd, outcomeOf } from '../outcome.ts';
import { rulesAtRisk, ruleCoverage } from '../report/rules-at-risk.ts';
import { counted } from '../report/words.ts';
import type { RunResult } from '../run.ts';
import type { Suite } from '../suite.ts';
import { waitsForGood } from '../symptoms.ts';
import { hashOf } from '../trace.ts';
import { variantOutcomes } from '../vary.ts';
import type { Variation } from '../vary.ts';
import {
  actionOf,
  assumptionsAt,
  attemptsIn,
  describeSymptoms,
  expectedAt,
  functionalityOf,
  lasting,
} from './row-words.ts';

const rowSchema = z.strictObject({
  id: z.string().describe('The point: `createReceipt#1.1/504-after`; or `plain`'),
  functionality: z.string(),
  action: z.string().describe('Says what goes wrong'),
  expected: z.string(),
  outcome: z.enum(['PASS', 'FAIL', 'INCONCLUSIVE']),
  broken: z.array(z.string()).describe('The rules that were broken: R1 to R16, state, check or end'),
  actual: z.string().describe('Says what the client did, and what it broke'),
  basis: z
    .array(z.string())
    .describe('Rules and assumptions that it rests on; `basis` of the document has their texts'),
  notes: z.array(z.string()),
});

export type CertificateRow = z.infer<typeof rowSchema>;

export const certificateSchema = z
  .strictObject({
    document: z.literal('loyalty-sim certificate'),
    stamps: z
      .strictObject({ created: z.string(), seconds: z.number() })
      .describe('All times of the document: nothing else differs when the same client is certified again'),
    client: z.string().nullable(),
    verdict: z.enum(['PASSED', 'NOT PASSED', 'INCONCLUSIVE']),
    reason: z.string(),
    versions: z.strictObject({ simulator: z.string(), node: z.string(), specification: z.string() }),
    settings: z.strictObject({
      level: z.int().describe('Says how far the faults go'),
      kill: z.boolean(),
      vary: z.boolean().describe('True when assumptions were varied'),
      budget: z.string().nullable(),
      timeout: z.string(),
      seed: z.int(),
      policy: z.record(z.string(), z.unknown()).describe('Holds what the client declares'),
      hash: z.string().nullable().describe('A hash of the policy, the scenario and the settings'),
    }),
    trace: z.strictObject({
      requests: z.int().describe('Counts the requests that a run without faults sends'),
      hash: z.string().describe('A hash of these requests, but for times and ids'),
    }),
    rows: z.array(rowSchema),
    variants: z
      .array(
        z.strictObject({
          subject: z
            .string()
            .nullable()
            .describe('Names what failed: `R10 addPointTransactions`; null for what passed'),
          runs: z.array(
            z.strictObject({
              assumption: z.string(),
              inForce: z.string().describe('The variant of all other tests'),
              variant: z.string(),
              title: z.string().describe('Says what goes wrong besides'),
              outcome: z.enum(variantOutcomes),
              reason: z.string().optional(),
            }),
          ),
        }),
      )
      .describe('Lists what the tests show under other assumptions, with --vary'),
    notTested: z.strictObject({
      leftOut: z.array(z.string()).describe('Lists what the settings leave out'),
      budget: z.array(z.string()).describe('Points for which there was no time'),
      unreachable: z.array(z.string()).describe('Points at which the client did not send the request again'),
      equivalent: z
        .array(z.strictObject({ id: z.string(), witness: z.string(), reason: z.string() }))
        .describe('Points that the client cannot tell from another, which was tested'),
      endpoints: z.array(z.string()).describe('Endpoints that the client never called'),
      rules: z
        .array(z.strictObject({ rule: z.string(), title: z.string() }))
        .describe('Rules that no test could break'),
    }),
    basis: z.array(z.strictObject({ id: z.string(), ...basisSchema.shape })),
    notes: z.array(z.string()),
  })
  .meta({ id: 'Certificate', description: 'Says what a client was tested for, what it did, and what was not tested' });

export type Certificate = z.infer<typeof certificateSchema>;

/** Holds what a certificate says besides the results of the suite. */
export interface CertificateFacts extends Pick<Certificate, 'client' | 'stamps'> {
  readonly versions: Omit<Certificate['versions'], 'specification'>;
  readonly settings: Pick<Certificate['settings'], 'level' | 'kill' | 'vary' | 'budget' | 'timeout'>;
}

/** Compares ids as people do: the second receipt before the tenth. */
const { compare } = new Intl.Collator('en', { numeric: true });

/** Makes the document of what was played. */
export function certificateOf(suite: Suite, { client, stamps, versions, settings }: CertificateFacts): Certificate {
  const rows = rowsOf(suite);
  const used = new Set(rows.flatMap(({ basis }) => basis));
  const notTested = notTestedOf(suite, rows, settings);
  return {
    document: 'loyalty-sim certificate',
    stamps,
    client,
    ...verdictOf(rows, notTested),
    versions: { ...versions, specification: 'API v3' },
    settings: { ...settings, seed: suite.seed, policy: { ...suite.policy }, hash: suite.basis?.settings ?? null },
    trace: { requests: suite.plain.calls.length, hash: traceHash(suite) },
    rows,
    variants: suite.variations.map(variantOf),
    notTested,
    basis: allBases.filter(({ id }) => used.has(id)),
    notes: [...suite.notes, ...webhookNotes(suite)],
  };
}

const variantOf = ({ finding, runs }: Variation): Certificate['variants'][number] => ({
  subject: finding ?? null,
  runs: runs.map(({ assumption, inForce, variant, title, outcome, reason }) => ({
    assumption,
    inForce,
    variant,
    title,
    outcome,
    ...(reason !== undefined && { reason: lasting(reason) }),
  })),
});

const webhookNotes = ({ plain: { webhooks } }: Suite): string[] =>
  webhooks.length > 0 ? [] : ['No webhook was delivered without faults, so that none could be late, lost or doubled.'];

function traceHash({ basis, plain }: Suite): string {
  const calls = basis?.requests.map(({ id, fingerprint }) => `${id} ${fingerprint}`) ?? plain.calls.map(({ id }) => id);
  // A client that sends several requests at once has no order of its own.
  return hashOf(calls.toSorted().join('\n'));
}

function verdictOf(
  rows: readonly CertificateRow[],
  { budget }: Certificate['notTested'],
): Pick<Certificate, 'verdict' | 'reason'> {
  const failed = rows.filter(({ outcome }) => outcome === 'FAIL').length;
  const broken = [...new Set(rows.flatMap((row) => row.broken))].toSorted(compare);
  const open = rows.filter(({ outcome }) => outcome === 'INCONCLUSIVE').length;
  const of = `of ${counted(rows.length, 'test')}`;
  if (failed > 0) return { verdict: 'NOT PASSED', reason: `${failed} ${of} failed, by ${broken.join(', ')}` };
  if (open > 0) return { verdict: 'INCONCLUSIVE', reason: `${open} ${of} did not decide it` };
  if (budget.length > 0)
    return { verdict: 'INCONCLUSIVE', reason: `the budget was over with ${counted(budget.length, 'test')} left` };
  return { verdict: 'PASSED', reason: `${rows.length} ${of} passed` };
}

const plainRow = ({ plain }: Suite): CertificateRow => ({
  id: 'plain',
  functionality: 'The whole work',
  action: 'Nothing goes wrong.',
  expected: 'The client ends by itself, and breaks no rule.',
  ...withRequests(seenIn(plain), plain),
  basis: knownBases(assumptionsAt({ id: 'plain', level: 0 }, plain, plain)),
  notes: [],
});

const withRequests = (seen: ReturnType<typeof seenIn>, { calls }: RunResult): ReturnType<typeof seenIn> => ({
  ...seen,
  actual: `${seen.actual} It sent ${counted(calls.length, 'request')}.`.trim(),
});

/** Returns a row for each point that was played, by functionality, level and request. */
function rowsOf(suite: Suite): CertificateRow[] {
  const { points, results } = suite;
  const levels = new Map(points.map(({ id, level }) => [id, level]));
  const found = [...results].flatMap(([id, result]) => {
    if (outcomeOf(result) === undefined) return [];
    const point = { id, level: levels.get(id) ?? result.experiment.level };
    return [{ row: rowOf(point, result, suite), level: point.level }];
  });
  const sorted = found.toSorted(
    (a, b) => compare(a.row.functionality, b.row.functionality) || a.level - b.level || compare(a.row.id, b.row.id),
  );
  return [plainRow(suite), ...sorted.map(({ row }) => row)];
}

function rowOf(point: Pick<PointFate, 'id' | 'level'>, result: RunResult, { plain, flaky }: Suite): CertificateRow {
  const { symptoms } = result;
  const advice = [...new Set(symptoms.map((symptom) => symptom.advice))].toSorted();
  const chance = flaky.get(point.id);
  const seen = seenIn(result);
  return {
    id: point.id,
    functionality: functionalityOf(point),
    action: actionOf(point, result),
    expected: expectedAt(point),
    ...seen,
    // What shows less often than not may come of the machine.
    ...(chance && chance.shown * 2 < chance.of && { outcome: 'INCONCLUSIVE', broken: [] }),
    basis: knownBases([
      ...rulesAtRisk(point).map(({ id }) => id),
      ...symptoms.map(({ rule }) => rule),
      ...assumptionsAt(point, result, plain),
    ]),
    notes: [
      ...advice,
      ...(lastsToTheEnd(result)
        ? ['The fault is not over when the client ends: what it would do later is not seen.']
        : []),
      ...(chance ? [`Flaky: shown in ${chance.shown} of ${chance.of} runs.`] : []),
    ],
  };
}

function seenIn(result: RunResult): Pick<CertificateRow, 'outcome' | 'broken' | 'actual'> {
  const outcome: VerdictStatus = outcomeOf(result) ?? 'INCONCLUSIVE';
  const { end, symptoms, doubts } = result;
  const isLate = outcome === 'FAIL' && end.isTimedOut === true;
  const broken = [...symptoms.map(({ rule }) => rule), ...(isLate ? ['end'] : [])];
  const open = outcome === 'INCONCLUSIVE' ? [...new Set([...doubts.values()].map(lasting))].toSorted() : [];
  const texts = [
    ...(isLate ? [end.isWaiting ? waitsForGood : 'it had not ended in time'] : []),
    ...describeSymptoms(symptoms),
    ...open,
  ];
  return {
    outcome,
    broken: [...new Set(broken)].toSorted(compare),
    actual: [...texts.map((text) => `${text}.`), attemptsIn(result)].join(' ').trim(),
  };
}

/** Keeps those of which the document has a text, each once. */
function knownBases(ids: readonly string[]): string[] {
  const known = new Set(allBases.map(({ id }) => id));
  return [...new Set(ids)].filter((id) => known.has(id)).toSorted(compare);
}

const allBases: Certificate['basis'] = [
  ...retryRules.map(({ id, title, basis: { source, text } }) => ({ id, source, text: `${title}. ${text}` })),
  {
    id: 'state',
    source: 'guidance' as const,
    text: 'the state is as without faults. A fault that a client recovers from leaves nothing lost, doubled or on another contact.',
  },
  ...assumptions.map(({ id, topic, default: text }) => ({
    id,
    source: 'assumption' as const,
    text: `${topic}: ${text}`,
  })),
];

function notTestedOf(
  { points, plain, results }: Suite,
  rows: readonly CertificateRow[],
  { level, kill }: CertificateFacts['settings'],
): Certificate['notTested'] {
  const called = new Set(plain.calls.map(({ endpoint }) => endpoint));
  const idsOf = (statuses: readonly PointFate['status'][]): string[] =>
    points
      .filter(({ status }) => statuses.includes(status))
      .map(({ id }) => id)
      .toSorted(compare);
  const tested = new Set(rows.map(({ id }) => id));
  return {
    leftOut: [
      ...levelNames.slice(level).map((name) => `${name} (--level)`),
      ...(kill ? [] : ['kills of the client (--no-kill)']),
    ],
    budget: idsOf(['not-tried']).filter((id) => !results.has(id)),
    unreachable: idsOf(['unreachable']),
    equivalent: points
      .flatMap(({ id, witness, reason = '' }) =>
        witness !== undefined && tested.has(witness) ? [{ id, witness, reason }] : [],
      )
      .toSorted((a, b) => compare(a.id, b.id)),
    endpoints: endpoints.map(({ id }) => id).filter((id) => !called.has(id)),
    rules: ruleCoverage(points)
      .filter(({ tried }) => tried === 0)
      .map(({ rule, title }) => ({ rule, title })),
  };
}

const levelNames = [
  'single faults',
  'lasting faults',
  'outages',
  'second faults after a first',
  'webhooks late or twice',
];
