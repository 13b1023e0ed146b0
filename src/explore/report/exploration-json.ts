/** Describes the JSON of an exploration: what was found, and what has become of every point. */
import * as z from '../../core/validation/deferred-zod.ts';
import { operationSchema } from '../../verdict/verdict-json.ts';
import { verdictStatusSchema } from '../../verdict/status.ts';
import { killId, pointId } from '../experiment.ts';
import { explorationStatus } from '../live/exploration-status.ts';
import type { Exploration, Finding } from '../explore.ts';
import { variantOutcomes } from '../vary.ts';
import { coverageGroups, phaseOf, pointPhases, statuses } from './coverage-table.ts';
import { ruleCoverage } from './rules-at-risk.ts';
import { formatFaults, isFlaky } from './words.ts';

const variedRunsSchema = z
  .array(
    z.strictObject({
      assumption: z.string(),
      inForce: z.string().describe('The variant of all other runs'),
      variant: z.string(),
      title: z.string().describe('Says what goes wrong in the run besides'),
      outcome: z.enum(variantOutcomes),
      run: z.int().optional(),
      reason: z.string().optional(),
    }),
  )
  .optional();

const findingJsonSchema = z.strictObject({
  rule: z.string().describe('R1 to R16; state, end or check where no rule of the verdict is broken'),
  title: z.string(),
  endpoint: z.string().describe('Empty where it is about none'),
  message: z.string(),
  advice: z.string(),
  faults: z.array(z.string()).describe('The fewest and weakest faults that show it, in words'),
  points: z.array(z.string()).describe('The same as ids of points'),
  file: z.string().describe('A scenario that shows it; empty where that takes no fault'),
  firstRun: z.int(),
  shrinkRuns: z.int(),
  reproduced: z.strictObject({ shown: z.int(), of: z.int() }),
  flaky: z.boolean().describe('True when it did not show in all repetitions'),
  also: z.array(z.string()).describe('Other rules that the same faults break'),
  operations: z.array(operationSchema).describe('Lists what did not pass in a run that shows it'),
  variants: variedRunsSchema.describe('Says whether it shows under other assumptions, with --vary'),
});

const countsSchema = z.record(z.enum(statuses), z.int());

export const explorationJsonSchema = z
  .strictObject({
    verdict: verdictStatusSchema,
    reason: z.string(),
    version: z.string(),
    findings: z.array(findingJsonSchema),
    unconfirmed: z.array(findingJsonSchema).describe('Lists what one run showed, and none of its repetitions'),
    coverage: z.array(
      z.strictObject({
        by: z.enum(['fault', 'phase', 'level', 'endpoint']),
        rows: z.array(z.strictObject({ name: z.string(), counts: countsSchema })),
      }),
    ),
    rules: z.array(
      z.strictObject({
        rule: z.string(),
        title: z.string(),
        tried: z.int().describe('Counts the points that were tried at which a client could have broken it'),
        broken: z.int(),
      }),
    ),
    points: z.array(
      z.strictObject({
        id: z.string(),
        level: z.int(),
        phase: z
          .enum(pointPhases)
          .optional()
          .describe('Before the work of the request, after it, after its response, or at the delivery of a webhook'),
        status: z.enum(statuses),
        run: z.int().optional(),
        attempts: z
          .int()
          .optional()
          .describe('Counts the attempts that its operation took in the first run that tried it'),
        witness: z.string().optional().describe('The point that stands for it'),
        reason: z.string().optional(),
        broken: z.array(z.string()).optional().describe('All that was found there, each by its rule and endpoint'),
      }),
    ),
    basis: z
      .strictObject({
        version: z.string(),
        settings: z.string().describe('A hash of the policy, the scenario and the settings'),
        requests: z.array(
          z.strictObject({
            id: z.string(),
            fingerprint: z.string().describe('A hash of what it sends and gets, but for times and ids'),
          }),
        ),
      })
      .describe('Holds what --since compares with'),
    notes: z.array(z.string()),
    variants: variedRunsSchema.describe('Says whether what passed does so under other assumptions, with --vary'),
    requests: z.int().describe('Counts the requests that a run without faults sends'),
    runs: z.int(),
    ms: z.number(),
  })
  .meta({ id: 'Exploration', description: 'Says what an exploration found, and what has become of every point' });

/** Checks the part of the JSON of an earlier exploration that a later one takes. */
export const pastExplorationSchema = z.object({
  basis: explorationJsonSchema.shape.basis,
  points: explorationJsonSchema.shape.points,
});

type ExplorationJson = z.infer<typeof explorationJsonSchema>;

/** Describes an exploration with what its reports show besides. */
export interface ReportedExploration {
  readonly exploration: Exploration;
  /** Returns the file of a finding. */
  readonly fileOf: (finding: Finding) => string;
  readonly version: string;
  /** Holds the start, on the machine's clock. */
  readonly at: string;
}

export const serializeExploration = (reported: ReportedExploration): ExplorationJson => {
  const { exploration, version } = reported;
  const { reason, points, basis, notes, requests, runs, ms } = exploration;
  return {
    verdict: explorationStatus(exploration),
    reason,
    version,
    findings: exploration.findings.map((finding) => serializeFinding(finding, reported)),
    unconfirmed: exploration.unconfirmed.map((finding) => serializeFinding(finding, reported)),
    coverage: coverageGroups(points).map(({ by, rows }) => ({ by, rows: [...rows] })),
    rules: ruleCoverage(points),
    points: points.map(({ broken, ...point }) => ({
      ...point,
      phase: phaseOf(point),
      ...(broken && { broken: [...broken] }),
    })),
    basis: { ...basis, requests: [...basis.requests] },
    notes: [...notes],
    ...variantsOf(exploration, undefined),
    requests,
    runs,
    ms: Math.round(ms),
  };
};

function variantsOf({ variations }: Exploration, id: string | undefined) {
  const found = variations.find(({ finding }) => finding === id);
  return found && { variants: [...found.runs] };
}

const serializeFinding = (
  finding: Finding,
  { exploration, fileOf }: ReportedExploration,
): ExplorationJson['findings'][number] => {
  const { rule, title, endpoint, message, advice, firstRun, shrinkRuns, reproduced, also, hits, verdict } = finding;
  return {
    rule,
    title,
    endpoint,
    message,
    advice,
    firstRun,
    shrinkRuns,
    faults: formatFaults(finding),
    points: [...hits.map(pointId), ...(finding.kill ? [killId(finding.kill)] : [])],
    file: fileOf(finding),
    reproduced,
    flaky: isFlaky(finding),
    also: [...also],
    operations: verdict.operations.filter((operation) => operation.verdict !== 'PASS'),
    ...variantsOf(exploration, finding.id),
  };
};
