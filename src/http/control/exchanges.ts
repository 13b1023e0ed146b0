/** How the control API shows exchanges: one line of a list, or all there is to know of one. */
import * as z from 'zod';
import { toTimestamp } from '../../core/clock.ts';
import { countEffects } from '../../core/effects.ts';
import type { Exchange } from '../../core/journal.ts';
import type { Change } from '../../core/state.ts';
import type { Tenant } from '../../core/tenant.ts';
import { assumptions } from '../../resources/assumptions.ts';
import {
  answerSchema,
  connectionSchema,
  deliveredSchema,
  endSchema,
  faultLineSchema,
  faultSchema,
  messageSchema,
  nearMissSchema,
  showAnswer,
  showConnection,
  showDelivered,
  showEnd,
  showFault,
  showFaultLine,
  showMessage,
} from './befallen.ts';
import { effectSchema, showEffects } from './effects.ts';
import { warningSchema } from './formats.ts';

const lineFields = {
  id: z.string(),
  number: z.int().describe("Counts a tenant's requests from 1"),
  at: z.string().describe("On the tenant's clock"),
  method: z.string(),
  path: z.string(),
  query: z.string(),
  endpoint: z.string().nullable().describe('null when none answered'),
  status: z.int().nullable().describe('What the caller was told; null when it was told nothing'),
  answered: z.int().nullable().describe('What the service answered; null when a fault came before it'),
  end: endSchema.nullable(),
  ms: z.number().nullable().describe('Real time until the answer'),
  warnings: z.array(warningSchema),
};

export const exchangeLineSchema = z
  .strictObject({
    ...lineFields,
    fault: faultLineSchema.nullable().describe('What befell it'),
    assumptions: z.array(z.string()),
    effects: z.int().describe('How many'),
  })
  .meta({ id: 'ExchangeLine', description: 'A request and its answer in short' });

export const exchangeSchema = z
  .strictObject({
    ...lineFields,
    request: messageSchema,
    answer: answerSchema.nullable().describe('Of the service; null when a fault came before it'),
    delivered: deliveredSchema.nullable().describe('What the caller really got; null as long as it is under way'),
    fault: faultSchema.nullable().describe('What befell it'),
    nearMisses: z
      .array(nearMissSchema)
      .describe('Rules for this endpoint or path that did not fire, at most five, and why'),
    connection: connectionSchema.nullable().describe('null for a call in process'),
    effects: z.array(effectSchema).describe('Of the call and of the jobs that it asked for'),
    jobs: z.array(z.strictObject({ job: z.string(), at: z.string() })).describe('Done later for this request'),
    assumptions: z.array(z.strictObject({ id: z.string(), topic: z.string(), inForce: z.string() })),
  })
  .meta({ id: 'Exchange', description: 'All there is to know of a request and its answer' });

const outcomesOf = ({ outcome, later }: Exchange) => [outcome, ...later.map((job) => job.outcome)];

const changesOfExchange = (exchange: Exchange): Change[] => outcomesOf(exchange).flatMap(({ changes }) => changes);

/** The assumptions that the answer, or a job done for it, rested on. */
export const assumptionsOf = (exchange: Exchange): string[] =>
  [...new Set(outcomesOf(exchange).flatMap(({ assumptions: met }) => met))].toSorted();

const showShared = (exchange: Exchange) => ({
  id: exchange.id,
  number: exchange.number,
  at: toTimestamp(exchange.at),
  method: exchange.method,
  path: exchange.path,
  query: exchange.query,
  endpoint: exchange.endpoint ?? null,
  status: exchange.status ?? null,
  answered: exchange.answer?.status ?? null,
  end: showEnd(exchange),
  ms: exchange.finishedAt === undefined ? null : Math.round((exchange.finishedAt - exchange.startedAt) * 100) / 100,
  warnings: outcomesOf(exchange).flatMap(({ warnings }) => warnings),
});

export const showExchangeLine = (exchange: Exchange): z.infer<typeof exchangeLineSchema> => ({
  ...showShared(exchange),
  fault: exchange.fault ? showFaultLine(exchange.fault) : null,
  assumptions: assumptionsOf(exchange),
  effects: countEffects(changesOfExchange(exchange)),
});

export function showExchange(tenant: Tenant, exchange: Exchange): z.infer<typeof exchangeSchema> {
  const { request, later, fault, nearMisses, connection } = exchange;
  return {
    ...showShared(exchange),
    request: showMessage(request),
    answer: showAnswer(exchange),
    delivered: showDelivered(exchange),
    fault: fault ? showFault(fault) : null,
    nearMisses: nearMisses.list(exchange, tenant).map(({ rule, reason }) => ({ rule, reason })),
    connection: connection ? showConnection(connection) : null,
    effects: showEffects(changesOfExchange(exchange)),
    jobs: later.map(({ job, at }) => ({ job, at: toTimestamp(at) })),
    assumptions: assumptionsOf(exchange).map((id) => ({
      id,
      topic: assumptions.find((assumption) => assumption.id === id)?.topic ?? '',
      inForce: tenant.settings.assume[id] ?? 'default',
    })),
  };
}
