import * as z from '../../core/validation/deferred-zod.ts';
import { countEffects } from '../../core/state/effects.ts';
import { apiResponse } from '../../core/exchange/endpoint.ts';
import { captureExchange, changesOf, outcomesOf } from '../../core/exchange/exchange.ts';
import type { Exchange } from '../../core/exchange/exchange.ts';
import { webhookDeliveries } from '../../core/tenant/webhook-outbox.ts';
import type { Tenant } from '../../core/tenant/tenant.ts';
import { monotonicNow, systemNow, toTimestamp } from '../../core/time/clock.ts';
import { finishInTurns } from '../../core/time/steps.ts';
import type { Steps } from '../../core/time/steps.ts';
import { adminEndpoint, tenantParameter } from '../input/admin-context.ts';
import { compileFilter, filterParameters } from '../input/request-filter.ts';
import type { AdminContext } from '../input/admin-context.ts';

/** Limits the requests of one response; the last ones are returned. */
const mostRequests = 100_000;
const mostWebhookAttempts = 2000;

const outcomes = ['in-flight', 'ok', 'rejected', 'server-error', 'no-response'] as const;
const phases = ['none', 'before', 'after'] as const;

const column = (what: string) => z.array(z.number()).describe(what);

export const timelineSchema = z
  .strictObject({
    epoch: z.string().describe("The machine's time at `startedAt` 0"),
    cursor: z.int().describe('Send it as `after` to get the requests that are completed later'),
    evicted: z.int().describe('Counts the requests that the journal dropped to make room'),
    omitted: z.int().describe(`Counts the older matches that are left out: a response holds ${mostRequests}`),
    endpoints: z.array(z.string()).describe('Ids of endpoints, to which `endpoint` points'),
    clients: z.array(z.string()).describe('User agents and keys, to which `client` points'),
    outcomes: z.array(z.enum(outcomes)),
    phases: z.array(z.enum(phases)),
    requests: z
      .strictObject({
        number: column("Counts a tenant's requests from 1"),
        startedAt: column("Real time in ms since the simulator's start"),
        ms: column('Real time until the response; -1 while it is in flight'),
        at: column("Moment on the tenant's clock, in ms since 1970"),
        endpoint: column('Index in `endpoints`; -1 if no endpoint matched'),
        client: column('Index in `clients`'),
        outcome: column('Index in `outcomes`: what the client received'),
        phase: column('Index in `phases`: when a fault hit it'),
        effects: column('Counts the effects'),
        warnings: column('Counts the warnings'),
      })
      .describe('One list for each field, all of the same length'),
    webhooks: z
      .array(
        z.strictObject({
          delivery: z.string(),
          eventType: z.string(),
          exchange: z.string().nullable(),
          at: z.number().describe("Moment on the tenant's clock, in ms since 1970"),
          status: z.int().nullable(),
          fault: z.string().nullable(),
        }),
      )
      .describe(`The last ${mostWebhookAttempts} attempts to deliver a webhook`),
  })
  .meta({ id: 'Timeline', description: 'Requests as columns of numbers, to be drawn' });

type Timeline = z.infer<typeof timelineSchema>;

const timelineQuery = z.object({ ...tenantParameter, ...filterParameters });

/** Numbers texts in the order in which they are met. */
class Names {
  readonly #numbers = new Map<string, number>();

  numberOf(name: string): number {
    const known = this.#numbers.get(name);
    if (known !== undefined) return known;
    this.#numbers.set(name, this.#numbers.size);
    return this.#numbers.size - 1;
  }

  list(): string[] {
    return [...this.#numbers.keys()];
  }
}

const outcomeNumber = ({ finishedAt, status }: Exchange): number => {
  if (finishedAt === undefined) return 0;
  if (status === undefined) return 4;
  return status >= 500 ? 3 : status >= 400 ? 2 : 1;
};

const inTenths = (milliseconds: number): number => Math.round(milliseconds * 10) / 10;

function* columnsOf(exchanges: readonly Exchange[], endpoints: Names, clients: Names): Steps<Timeline['requests']> {
  const keys = new Names();
  const clientOf = ({ request, keyDigest }: Exchange): string => {
    const agent = request.headers['x-sim-client'] ?? request.headers['user-agent'] ?? 'no user agent';
    return keyDigest === undefined ? agent : `${agent}, key ${keys.numberOf(keyDigest) + 1}`;
  };
  const columns: Timeline['requests'] = {
    number: [],
    startedAt: [],
    ms: [],
    at: [],
    endpoint: [],
    client: [],
    outcome: [],
    phase: [],
    effects: [],
    warnings: [],
  };
  for (const exchange of exchanges) {
    const { number, startedAt, finishedAt, at, endpoint, fault } = exchange;
    columns.number.push(number);
    columns.startedAt.push(inTenths(startedAt));
    columns.ms.push(finishedAt === undefined ? -1 : inTenths(finishedAt - startedAt));
    columns.at.push(at);
    columns.endpoint.push(endpoint === undefined ? -1 : endpoints.numberOf(endpoint));
    columns.client.push(clients.numberOf(clientOf(exchange)));
    columns.outcome.push(outcomeNumber(exchange));
    columns.phase.push(phases.indexOf(fault?.fault.phase ?? 'none'));
    columns.effects.push(countEffects(changesOf(exchange)));
    columns.warnings.push(outcomesOf(exchange).reduce((sum, { warnings }) => sum + warnings.length, 0));
    yield;
  }
  return columns;
}

function webhookAttempts(tenant: Tenant): Timeline['webhooks'] {
  const attempts = [...tenant.listRows(webhookDeliveries, 'all', 'all')].flatMap((delivery) =>
    delivery.attempts.map(({ at, status, fault }) => ({
      delivery: delivery.id,
      eventType: delivery.eventType,
      exchange: delivery.exchange ?? null,
      at,
      status: status ?? null,
      fault: fault ?? null,
    })),
  );
  return attempts.toSorted((a, b) => a.at - b.at).slice(-mostWebhookAttempts);
}

function* timelineOf(context: AdminContext, filter: z.infer<typeof timelineQuery>): Steps<Timeline> {
  const { tenant } = context;
  const { journal } = tenant;
  const [cursor, evicted, webhooks] = [journal.completedCount, journal.evicted, webhookAttempts(tenant)];
  const found = yield* compileFilter(context, { inFlight: 'include', ...filter }).select(journal);
  const shown = found.slice(-mostRequests).map(captureExchange);
  const [endpoints, clients] = [new Names(), new Names()];
  const requests = yield* columnsOf(shown, endpoints, clients);
  return {
    epoch: toTimestamp(Math.round(systemNow() - monotonicNow())),
    cursor,
    evicted,
    omitted: found.length - shown.length,
    endpoints: endpoints.list(),
    clients: clients.list(),
    outcomes: [...outcomes],
    phases: [...phases],
    requests,
    webhooks,
  };
}

export const timelineEndpoints = [
  adminEndpoint({
    id: 'getTimeline',
    method: 'GET',
    path: '/__admin/timeline',
    tag: 'Control: requests',
    summary: 'Returns when requests began and ended, as columns of numbers, and the attempts to deliver webhooks',
    query: timelineQuery,
    responses: { 200: timelineSchema },
    retry: 'safe',
    examples: [{ status: 200 }],
    handle: async (context, { query }) => apiResponse(200, await finishInTurns(timelineOf(context, query))),
  }),
];
