/** Serializes judged operations as JSON; reports and the command line make their texts from it. */
import { maxOf } from '../core/lib/collections.ts';
import * as z from '../core/validation/deferred-zod.ts';
import { toTimestamp } from '../core/time/clock.ts';
import { webhookDeliveries } from '../core/tenant/webhook-outbox.ts';
import { countEffects } from '../core/state/effects.ts';
import { mapInSteps } from '../core/time/steps.ts';
import type { Steps } from '../core/time/steps.ts';
import type { Tenant } from '../core/tenant/tenant.ts';
import { basisSchema, findingLevelSchema } from '../core/validation/finding.ts';
import { describeOutcome, isLong } from './rules/retry-rule.ts';
import { attemptOutcomes, changesBy, clockMove } from './history/attempt.ts';
import type { Attempt } from './history/attempt.ts';
import { verdictStatusSchema } from './status.ts';
import type { RetryFinding } from './judge-readings.ts';
import type { JudgedOperation } from './retries.ts';

const attemptSchema = z
  .strictObject({
    request: z.string().describe('Its id in the journal'),
    at: z.string().describe("On the tenant's clock"),
    startedAt: z.number().describe('Real time in ms since the first attempt'),
    pause: z.number().nullable().describe('Real time in ms since the attempt before it ended'),
    clockMoved: z
      .number()
      .nullable()
      .describe("Says how far the tenant's clock was moved since the attempt before began, on and back, in ms"),
    ms: z.number().nullable().describe('Real time until it ended'),
    outcome: z.enum(attemptOutcomes).describe('Says how it ended, as its client saw it'),
    end: z.string().describe('Says how it ended, in words'),
    status: z.int().nullable(),
    fault: z.strictObject({ rule: z.string(), phase: z.enum(['before', 'after']) }).nullable(),
    effects: z.int().describe('Counts the rows of the service that it changed'),
    webhooks: z
      .array(z.strictObject({ eventType: z.string(), status: z.enum(['pending', 'delivered', 'failed', 'missed']) }))
      .describe('The webhooks that it caused'),
    transparentRetry: z.boolean().describe('Sent again by the HTTP library on its own, not by the client'),
  })
  .meta({ id: 'Attempt' });

const findingSchema = z
  .strictObject({
    rule: z.string().describe('R1 to R16'),
    title: z.string(),
    level: findingLevelSchema,
    message: z.string(),
    basis: basisSchema,
    advice: z.string(),
    requests: z.array(z.string()),
  })
  .meta({ id: 'VerdictFinding' });

export const operationSchema = z
  .strictObject({
    requestLine: z.string().describe('POST /api/v3/receipts'),
    endpoint: z.string().nullable(),
    retry: z.string().nullable().describe('Says how safe it is to repeat: safe, idempotent, keyed, unkeyed or once'),
    key: z.strictObject({ by: z.enum(['test-id', 'own-key', 'content']), value: z.string().nullable() }),
    verdict: verdictStatusSchema,
    attempts: z.array(attemptSchema),
    findings: z.array(findingSchema),
  })
  .meta({
    id: 'Operation',
    description: 'One intention of the client: its attempts, and what the rules found',
  });

export type OperationJson = z.infer<typeof operationSchema>;

type AttemptJson = OperationJson['attempts'][number];

/** Returns when the last of an operation's attempts ended, in ms since the first began; -Infinity where there is none. */
export const lastEnd = (attempts: OperationJson['attempts']): number =>
  maxOf(attempts, ({ startedAt, ms }) => startedAt + (ms ?? 0));

/** Lists the webhooks that a request caused, by its id. */
type Webhooks = ReadonlyMap<string | undefined, AttemptJson['webhooks']>;

function webhooksByExchange(tenant: Tenant): Webhooks {
  const found = new Map<string | undefined, AttemptJson['webhooks']>();
  for (const { exchange, eventType, status } of tenant.listRows(webhookDeliveries, 'all', 'all')) {
    const known = found.get(exchange);
    if (known) known.push({ eventType, status });
    else found.set(exchange, [{ eventType, status }]);
  }
  return found;
}

export function* serializeOperations(tenant: Tenant, judged: readonly JudgedOperation[]): Steps<OperationJson[]> {
  const webhooks = webhooksByExchange(tenant);
  const operations: OperationJson[] = [];
  for (const one of judged) {
    const { findings } = one;
    const { attempts } = one.operation;
    const attemptOf = (attempt: Attempt, i: number): AttemptJson =>
      serializeAttempt(attempt, { first: attempts[0], before: attempts[i - 1], webhooks });
    const parts = isLong(one.operation)
      ? { attempts: yield* mapInSteps(attempts, attemptOf), findings: yield* mapInSteps(findings, serializeFinding) }
      : { attempts: attempts.map(attemptOf), findings: findings.map(serializeFinding) };
    operations.push(serializeOperation(one, parts));
    yield;
  }
  return operations;
}

function serializeOperation(
  { operation, verdict }: JudgedOperation,
  { attempts: shown, findings }: Pick<OperationJson, 'attempts' | 'findings'>,
): OperationJson {
  const { attempts, endpoint, key } = operation;
  const exchange = attempts[0]?.exchange;
  return {
    requestLine: exchange ? `${exchange.method} ${exchange.path}` : '',
    endpoint: endpoint?.id ?? null,
    retry: endpoint?.retry ?? null,
    key: { by: key.by, value: key.value ?? null },
    verdict,
    attempts: shown,
    findings,
  };
}

interface Surroundings {
  readonly first: Attempt | undefined;
  readonly before: Attempt | undefined;
  readonly webhooks: Webhooks;
}

const rounded = (ms: number): number => Math.round(ms * 10) / 10;

function serializeAttempt(attempt: Attempt, { first, before, webhooks }: Surroundings): AttemptJson {
  const { exchange, start, end, outcome, isTransparentRetry } = attempt;
  return {
    request: exchange.id,
    at: toTimestamp(exchange.at),
    startedAt: rounded(start - (first?.start ?? start)),
    pause: before ? rounded(start - (before.end ?? before.start)) : null,
    clockMoved: (before && Math.round(clockMove(before, exchange))) || null,
    ms: end === undefined ? null : rounded(end - start),
    outcome,
    end: describeOutcome(attempt),
    status: exchange.status ?? null,
    fault: exchange.fault ? { rule: exchange.fault.rule, phase: exchange.fault.fault.phase } : null,
    effects: countEffects(changesBy(attempt)),
    webhooks: webhooks.get(exchange.id) ?? [],
    transparentRetry: isTransparentRetry,
  };
}

const serializeFinding = ({
  rule,
  level,
  message,
  attempts,
  advice,
}: RetryFinding): OperationJson['findings'][number] => ({
  rule: rule.id,
  title: rule.title,
  level,
  message,
  basis: rule.basis,
  advice,
  requests: attempts.map(({ exchange }) => exchange.id),
});
