/** How the control API shows exchanges: one line of a list, or all there is to know of one. */
import * as z from 'zod';
import { toTimestamp } from '../../core/clock.ts';
import { effectsOf } from '../../core/effects.ts';
import type { Effect } from '../../core/effects.ts';
import { isTooDeep } from '../../core/fields.ts';
import type { Exchange, Message } from '../../core/journal.ts';
import type { Tenant } from '../../core/tenant.ts';
import { assumptions } from '../../resources/assumptions.ts';
import { sentHeaders } from '../send.ts';
import { effectSchema, warningSchema } from './formats.ts';

const lineFields = {
  id: z.string(),
  number: z.int().describe("Counts a tenant's requests from 1"),
  at: z.string().describe("On the tenant's clock"),
  method: z.string(),
  path: z.string(),
  query: z.string(),
  endpoint: z.string().nullable().describe('null when none answered'),
  status: z.int().nullable(),
  ms: z.number().nullable().describe('Real time until the answer'),
  warnings: z.array(warningSchema),
};

export const exchangeLineSchema = z
  .strictObject({ ...lineFields, assumptions: z.array(z.string()), effects: z.int().describe('How many') })
  .meta({ id: 'ExchangeLine', description: 'A request and its answer in short' });

const messageSchema = z.strictObject({
  headers: z.record(z.string(), z.string()),
  body: z.string().nullable().describe('As it was sent'),
  json: z.unknown().describe('The body parsed; null when it is not JSON, or is nested too deep'),
});

const deliverySchema = messageSchema.extend({ status: z.int().nullable() });

export const exchangeSchema = z
  .strictObject({
    ...lineFields,
    request: messageSchema,
    answer: deliverySchema.nullable(),
    delivered: deliverySchema.nullable().describe('What the caller really got'),
    fault: z.null(),
    effects: z.array(effectSchema).describe('Of the call and of the jobs that it asked for'),
    jobs: z.array(z.strictObject({ job: z.string(), at: z.string() })).describe('Done later for this request'),
    assumptions: z.array(z.strictObject({ id: z.string(), topic: z.string(), inForce: z.string() })),
  })
  .meta({ id: 'Exchange', description: 'All there is to know of a request and its answer' });

const outcomesOf = ({ outcome, later }: Exchange) => [outcome, ...later.map((job) => job.outcome)];

const effectsOfExchange = (exchange: Exchange): Effect[] =>
  effectsOf(outcomesOf(exchange).flatMap(({ changes }) => changes));

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
  ms: exchange.finishedAt === undefined ? null : Math.round((exchange.finishedAt - exchange.startedAt) * 100) / 100,
  warnings: outcomesOf(exchange).flatMap(({ warnings }) => warnings),
});

export const showExchangeLine = (exchange: Exchange): z.infer<typeof exchangeLineSchema> => ({
  ...showShared(exchange),
  assumptions: assumptionsOf(exchange),
  effects: effectsOfExchange(exchange).length,
});

function showMessage({ headers, body }: Message): z.infer<typeof messageSchema> {
  return { headers: { ...headers }, body: body ?? null, json: parsed(body ?? '') };
}

function parsed(body: string): unknown {
  try {
    const json: unknown = JSON.parse(body);
    return isTooDeep(json) ? null : json;
  } catch {
    return null;
  }
}

export function showExchange(tenant: Tenant, exchange: Exchange): z.infer<typeof exchangeSchema> {
  const { request, status = null, later } = exchange;
  const answer = exchange.answer
    ? { status, ...showMessage({ headers: sentHeaders(exchange), body: exchange.answer.body }) }
    : null;
  return {
    ...showShared(exchange),
    request: showMessage(request),
    answer,
    delivered: answer,
    fault: null,
    effects: effectsOfExchange(exchange),
    jobs: later.map(({ job, at }) => ({ job, at: toTimestamp(at) })),
    assumptions: assumptionsOf(exchange).map((id) => ({
      id,
      topic: assumptions.find((assumption) => assumption.id === id)?.topic ?? '',
      inForce: tenant.settings.assume[id] ?? 'default',
    })),
  };
}
